"""The arrows of the tower point down, and the pure core stays pure."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PURE = [*ROOT.glob("protocol/**/*.py"), *ROOT.glob("server/engine/**/*.py")]
FOLDERS = {"protocol": 0, "server": 1, "replays": 2, "client": 3}
FORBIDDEN = {
    "asyncio", "datetime", "os", "pathlib", "prompt_toolkit", "random", "secrets", "select", "socket", "ssl",
    "subprocess", "tempfile", "threading", "time", "trio",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    """The modules a file imports anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_has_no_io_no_clock_no_dice(path: Path) -> None:
    assert not {name.split(".")[0] for name in imported(path)} & FORBIDDEN


def test_arrows_point_down() -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {name}"
        for folder, height in FOLDERS.items()
        for path in ROOT.glob(f"{folder}/**/*.py")
        for name in imported(path)
        if FOLDERS.get(name.split(".")[0], 0) > height
    ]
    assert upward == []


def test_asyncio_is_imported_in_one_module() -> None:
    users = [
        str(path.relative_to(ROOT))
        for folder in FOLDERS
        for path in ROOT.glob(f"{folder}/**/*.py")
        if any(name.split(".")[0] == "asyncio" for name in imported(path))
    ]
    assert users == ["client/terminal/event_loop.py"]


def test_a_headless_server_never_imports_the_screen() -> None:
    code = "import sys, server.app.server, server.cli; sys.exit('prompt_toolkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60, check=False).returncode == 0


def test_every_package_is_installed() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    for folder in FOLDERS:
        for init in ROOT.glob(f"{folder}/**/__init__.py"):
            assert f'"{".".join(init.parent.relative_to(ROOT).parts)}"' in text
