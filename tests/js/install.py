"""Node with the package that the JavaScript client needs, and the one that checks the page, or a reason to skip."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT

HERE = Path(__file__).parent
STATIC = ROOT / "server" / "web" / "static"
INSTALL_SECONDS = 120


def scripts(cache: Path) -> Path:
    """A folder with the scripts and their package, made once in the cache folder. Skips the test where that fails."""
    _packages(HERE, cache)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, cache)
    shutil.copy(STATIC / "view.js", cache / "view.mjs")
    shutil.copy(HERE / "package.json", cache)
    return cache


def axe(cache: Path) -> str:
    """The script of axe-core, which finds what keeps people from using a page. Skips the test where there is none."""
    return (_packages(HERE / "axe", cache) / "axe-core" / "axe.min.js").read_text()


def _packages(source: Path, cache: Path) -> Path:
    """The packages of the `package.json` in `source`, installed once in the cache folder; or the test is skipped."""
    npm = shutil.which("npm")
    if shutil.which("node") is None or npm is None:
        pytest.skip("node and npm are not installed")
    modules = cache / "node_modules"
    wanted = json.loads((source / "package.json").read_text())["dependencies"]
    if not all((modules / name / "package.json").exists() for name in wanted):
        _install(npm, source, cache, modules)
    return modules


def _install(npm: str, source: Path, cache: Path, modules: Path) -> None:
    # Beside the place and then renamed: two test processes may do this at once.
    fresh = Path(tempfile.mkdtemp(dir=cache))
    shutil.copy(source / "package.json", fresh)
    command = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        done = subprocess.run(command, cwd=fresh, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm install took more than {INSTALL_SECONDS} s")
    if done.returncode:
        pytest.skip(f"npm install failed: {done.stderr.strip()[-200:]}")
    if not modules.exists():
        try:
            (fresh / "node_modules").rename(modules)
        except OSError:
            assert modules.exists()
    shutil.rmtree(fresh, ignore_errors=True)
