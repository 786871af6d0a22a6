"""Node with the one package that the JavaScript client needs, or a reason to skip."""

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
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not installed")
    modules = cache / "node_modules"
    if not (modules / "@msgpack" / "msgpack" / "package.json").exists():
        _install(npm, cache, modules)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, cache)
    shutil.copy(STATIC / "view.js", cache / "view.mjs")
    shutil.copy(HERE / "package.json", cache)
    return cache


def _install(npm: str, cache: Path, modules: Path) -> None:
    # Beside the place and then renamed: two test processes may do this at once.
    fresh = Path(tempfile.mkdtemp(dir=cache))
    shutil.copy(HERE / "package.json", fresh)
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
