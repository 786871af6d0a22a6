"""When a step of a table must be on the disk."""

from typing import Literal, TypeAlias

Durability: TypeAlias = Literal["action", "hand", "none"]
"""`action`: before anybody sees it. `hand`: when its hand is over. `none`: when the operating system writes it."""
