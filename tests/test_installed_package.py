"""What an installation has: one top-level name, every file of the four folders, and no ear for foreign namesakes."""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from email.parser import Parser
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from protocol.versions import PROGRAM
from tests.support.paths import ROOT

FOLDERS = ("client", "replays", "server", "protocol")
LIMIT = 60.0
INSTALL_LIMIT = 400.0
"""Seconds for a program of ours, and for pip, which may have to fetch every dependency."""
NAMESAKE = "protocol==0.37"
"""A distribution that has nothing to do with us and installs a package of the name of one of our folders."""


def run(
    *command: str | Path, limit: float = LIMIT, cwd: Path = ROOT, variables: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Runs a command that must succeed, without standard input and with more variables in its environment."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
    )
    assert done.returncode == 0, f"{done.args} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, limit=INSTALL_LIMIT)
    return folder


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose `server`, `protocol` and so on end every program that imports them."""
    for name in FOLDERS:
        package = tmp_path / "hostile" / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(f"raise SystemExit('a foreign {name} was imported')\n")
    return tmp_path / "hostile"


def shipped_files(folder: str) -> set[str]:
    """Every file of a folder of the repository that an installation has to have."""
    files = {path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    return {path.relative_to(ROOT).as_posix() for path in files}


@pytest.mark.slow
def test_a_wheel_has_one_top_level_name_and_every_file_of_the_folders(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in names} == {"rollyourown", f"rollyourown-{PROGRAM}.dist-info"}
    wanted = {name for folder in FOLDERS for name in shipped_files(folder)}
    own = {name for name in wanted if name.startswith("client/rollyourown/")}
    inside = {f"rollyourown/{name}" for name in wanted - own} | {name.removeprefix("client/") for name in own}
    assert {name for name in names if name.startswith("rollyourown/")} == inside
    assert {"rollyourown/py.typed", "rollyourown/server/engine/ranking/lookup_tables.bin"} <= inside


@pytest.mark.slow
def test_the_metadata_of_the_wheel(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        folder = f"rollyourown-{PROGRAM}.dist-info"
        told = Parser().parsestr(archive.read(f"{folder}/METADATA").decode())
        script = archive.read(f"{folder}/entry_points.txt").decode()
        assert archive.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert (told["Name"], told["Version"], told["License-Expression"]) == ("rollyourown", PROGRAM, "MIT")
    assert script.split() == ["[console_scripts]", "ryo", "=", "rollyourown.__main__:main"]


@pytest.mark.slow
def test_a_source_distribution_has_the_tests_the_texts_and_the_ways_in(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    wanted = {"Makefile", "constraints.txt", "setup.py", "CHANGELOG.md", "LICENSE", ".ci/run", "docs/rules.md"}
    wanted |= shipped_files(".github")
    wanted |= {name for folder in FOLDERS for name in shipped_files(folder)}
    wanted |= {name for name in shipped_files("tests") if "node_modules" not in name}
    assert wanted <= names
    assert not [name for name in names if "__pycache__" in name or "node_modules" in name]


def verbs(program: list[str | Path], hostile: Path, home: Path) -> None:
    """Runs a verb of each part where every folder of ours has a foreign namesake, and looks at what it says."""
    journals = home / "data"

    def ryo(*arguments: str | Path) -> str:
        folders = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "XDG_DATA_HOME": home / "share"}
        folders |= {"PYTHONPATH": hostile, "SHIV_ROOT": home / "shiv"}
        variables = {name: str(folder) for name, folder in folders.items()}
        return run(*program, *arguments, cwd=hostile, variables=variables).stdout

    assert f"ryo {PROGRAM} " in ryo("version")
    assert "Barney's Poker" in ryo("rules")
    assert "--bind" in ryo("serve", "--help")
    assert "Hand 1 is over" in ryo("play", "--hands", "1", "--data-dir", journals)
    (journal,) = (journals / "hands").glob("*.ryo")
    assert "  barneys  " in ryo("hands", "--data-dir", journals)
    assert "1 hand" in ryo("verify", journal)


@pytest.mark.slow
def test_an_editable_installation_is_deaf_to_foreign_namesakes(hostile: Path, tmp_path: Path) -> None:
    verbs([sys.executable, "-m", "rollyourown"], hostile, tmp_path / "home")


@dataclass
class Environment:
    """A fresh environment of Python, without pip and without anything of the development environment."""

    folder: Path

    @property
    def scripts(self) -> Path:
        """Where its programs are."""
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin")

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        return Path(run(self.scripts / "python", "-c", code).stdout.strip())

    def install(self, *what: str | Path) -> None:
        """Installs something with the development environment's pip; modules are compiled when they are used."""
        command = ("pip", "--python", self.folder, "install", "--no-compile", *what)
        run(sys.executable, "-m", *command, limit=INSTALL_LIMIT)


@pytest.fixture(scope="module")
def namesake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The namesake, fetched from the package index."""
    folder = tmp_path_factory.mktemp("namesake")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), NAMESAKE]
    if subprocess.run(command, capture_output=True, timeout=INSTALL_LIMIT, check=False).returncode:
        pytest.skip("no package index can be reached")
    (fetched,) = folder.iterdir()
    return fetched


@pytest.fixture(scope="module")
def environment(built: Path, namesake: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which first the namesake was installed and then our wheel with its dependencies."""
    fresh = Environment(tmp_path_factory.mktemp("environment"))
    run(sys.executable, "-m", "venv", "--without-pip", fresh.folder)
    fresh.install("--no-deps", namesake)
    fresh.install("--constraint", ROOT / "constraints.txt", *built.glob("*.whl"))
    return fresh


@pytest.mark.slow
def test_an_installation_adds_one_top_level_name(environment: Environment) -> None:
    ours = f"rollyourown-{PROGRAM}.dist-info"
    installed = Distribution.at(environment.packages / ours).files
    assert installed is not None
    assert {path.parts[0] for path in installed} - {".."} == {"rollyourown", ours}


@pytest.mark.slow
def test_an_installation_is_deaf_to_foreign_namesakes(environment: Environment, hostile: Path, tmp_path: Path) -> None:
    verbs([environment.scripts / "ryo"], hostile, tmp_path / "home")


@pytest.mark.slow
def test_a_namesake_may_be_installed_afterwards(
    environment: Environment, namesake: Path, hostile: Path, tmp_path: Path
) -> None:
    foreign = {path: path.read_bytes() for path in (environment.packages / "protocol").rglob("*.py")}
    environment.install("--no-deps", "--force-reinstall", namesake)
    assert foreign == {path: path.read_bytes() for path in (environment.packages / "protocol").rglob("*.py")}
    verbs([environment.scripts / "python", "-m", "rollyourown"], hostile, tmp_path / "home")


@pytest.mark.slow
def test_one_file_plays(environment: Environment, hostile: Path, tmp_path: Path) -> None:
    file = tmp_path / "ryo.pyz"
    packages = environment.packages
    run(sys.executable, "-m", "shiv.cli", "--console-script", "ryo", "--site-packages", packages, "--output-file", file)
    verbs([environment.scripts / "python", file], hostile, tmp_path / "home")
