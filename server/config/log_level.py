"""How much the operator's log holds, and in which form."""

from typing import Literal, TypeAlias

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
"""Lines of this level and of the ones to its right are logged."""
LogFormat: TypeAlias = Literal["text", "logfmt", "json"]
"""text: for people. logfmt (``key=value`` throughout) and json (an object a line): for programs."""
