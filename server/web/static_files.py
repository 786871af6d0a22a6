"""The files of `static/`: style sheets and ES modules, as they are; a page can also hold them in itself."""

import pkgutil
import re

_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|class|const|let)", re.MULTILINE)


def static_bytes(name: str) -> bytes:
    """The content of one file. Raises FileNotFoundError."""
    content = pkgutil.get_data("server.web", f"static/{name}")
    if content is None:
        raise FileNotFoundError(f"server/web/static/{name}")
    return content


def static_text(name: str) -> str:
    """The text of one file. Raises FileNotFoundError."""
    return static_bytes(name).decode()


def one_module(*names: str) -> str:
    """Several modules as the text of one, for a page that loads nothing: each behind those that it imports.

    Every import has a line of its own, and no name is defined in two of them.
    """
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", static_text(name))) for name in names)
