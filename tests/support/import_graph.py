"""Which file imports which, read from the text of the files, and the circles among them."""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tests.support.paths import ROOT

FOLDERS = ("protocol", "server", "replays", "client", "tests")


@cache
def modules() -> Mapping[str, Path]:
    """Every file of the tree by the name under which it is imported."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in FOLDERS
        for path in ROOT.glob(f"{folder}/**/*.py")
    }


@cache
def imports_of(path: Path) -> set[str]:
    """Everything that a file imports anywhere in it, in functions and in TYPE_CHECKING blocks, too.

    ``from package import module`` is an import of the module.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in modules() else node.module for name in inner}
    return names


def import_graph() -> dict[str, set[str]]:
    """The files of the tree that each of them imports."""
    return {name: imports_of(path) & modules().keys() for name, path in modules().items()}


def circles(edges: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """The groups in which each file imports each other one, directly or through others.

    These are the strongly connected components, found as Tarjan does it: one walk in depth, in which every file
    remembers the oldest file still on the path that it can reach.
    """
    number: dict[str, int] = {}
    oldest: dict[str, int] = {}
    path: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        number[name] = oldest[name] = len(number)
        path.append(name)
        for target in edges[name]:
            if target not in number:
                visit(target)
                oldest[name] = min(oldest[name], oldest[target])
            elif target in path:
                oldest[name] = min(oldest[name], number[target])
        if oldest[name] == number[name]:
            start = path.index(name)
            group = set(path[start:])
            del path[start:]
            if len(group) > 1 or name in edges[name]:
                found.append(group)

    for name in edges:
        if name not in number:
            visit(name)
    return found
