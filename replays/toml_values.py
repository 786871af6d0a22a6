"""Values as TOML, each on one line.

A TOML library writes every item of a list on a line of its own, so that a hand takes a hundred lines and stacks no
longer stand beside each other.
"""

import json
import re


def toml_value(value: object) -> str:
    """A value in TOML on one line. Raises TypeError for a type that our files do not have."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return toml_text(value)
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{name} = {toml_value(item)}' for name, item in value.items())} }}"
        case _:
            if hasattr(value, "isoformat"):
                return str(value.isoformat())
            raise TypeError(f"cannot write a {type(value).__name__}")


_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


def toml_text(text: str) -> str:
    """A basic string. It is a string of JSON, except that half of a surrogate pair and DEL are not allowed."""
    return json.dumps(_HALF_A_PAIR.sub("\ufffd", text), ensure_ascii=False).replace("\x7f", "\\u007F")
