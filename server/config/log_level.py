"""How much the operator's log holds."""

from typing import Literal, TypeAlias

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
"""Lines of this level and of the ones to its right are logged."""
