"""How a server serves browsers; in a module of its own, so that the options of `ryo serve` are known quickly."""

from typing import Literal, TypeAlias

WebMode: TypeAlias = Literal["off", "tls", "plain"]
"""`tls`: a page with encryption; `plain`: without, and everybody on the way can see cards and take seats."""
