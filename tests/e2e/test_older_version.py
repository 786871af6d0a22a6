"""An upgrade under play: programs of an older commit beside those of this one; the evening outlives the older one.

The older program is the first one that plays by the rules of today (`RULES`), as its wheel: what was built then and is
installed somewhere. Skipped where the history of the repository is not there.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from protocol.versions import JOURNAL_FORMAT, PROTOCOL, RULES
from tests.support.paths import ROOT
from tests.support.ryo_process import RyoProcess, RyoProcesses, last_hand, port_of, quick_table

pytestmark = pytest.mark.slow

OLDER = "863211804e424c1b2231829be9e3f41ff2ab15d3"
BUILD_LIMIT = 300.0


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel of the older commit installs."""
    folder = tmp_path_factory.mktemp("older")
    source, wheels, installed = folder / "source", folder / "wheels", folder / "installed"
    source.mkdir()
    archive = subprocess.run(["git", "archive", OLDER], cwd=ROOT, capture_output=True, timeout=BUILD_LIMIT, check=False)
    if archive.returncode:
        pytest.skip("the history of the repository is not here")
    subprocess.run(["tar", "-xf", "-"], cwd=source, input=archive.stdout, timeout=BUILD_LIMIT, check=True)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(source)]
    subprocess.run(build, capture_output=True, timeout=BUILD_LIMIT, check=True)
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(installed)
    return installed


class Versions:
    """Starts programs of either version."""

    def __init__(self, ryo: RyoProcesses, older: Path, folder: Path) -> None:
        self.ryo, self.older, self.folder = ryo, older, folder

    def start(self, version: str, *arguments: str, name: str = "") -> RyoProcess:
        """A program: `older`, or `newer` for this one."""
        path = {"PYTHONPATH": str(self.older)} if version == "older" else {}
        return self.ryo.start(self.folder / name, *arguments, module="rollyourown", **path)

    def serve(self, version: str, port: int = 0) -> tuple[RyoProcess, str]:
        """A server with the data directory of the evening, and its join link."""
        where = ("--bind", "127.0.0.1", "--port", str(port), "--data-dir", str(self.folder / "server"))
        server = self.start(version, "serve", *where, *quick_table(self.folder, "stud8"))
        return server, server.line("ryo join ").removeprefix("ryo join ").strip()

    def bot(self, version: str, link: str) -> RyoProcess:
        """A bot that plays until it is ended."""
        home = ("--data-dir", str(self.folder / version))
        return self.start(version, "bot", link, "--name", version, "--pace", "0.01", *home, name=version)


def test_fault_78_server_and_clients_of_two_versions_play_and_an_upgrade_keeps_the_evening(
    ryo: RyoProcesses, older: Path, tmp_path: Path
) -> None:
    versions = Versions(ryo, older, tmp_path)
    told = ryo.run(tmp_path, "version", module="rollyourown", PYTHONPATH=str(older)).out
    assert f"protocol {PROTOCOL[0]} to {PROTOCOL[1]}, journal format {JOURNAL_FORMAT}, rules {RULES}" in told
    verbs = ryo.run(tmp_path, "--help", module="rollyourown", PYTHONPATH=str(older)).out
    assert "  unit " not in verbs  # it is the older one
    server, link = versions.serve("older")
    bots = [versions.bot(version, link) for version in ("older", "newer")]
    for bot in bots:
        bot.line("Hand 3 is over")
    server.kill()  # in the middle of a hand, as like as not
    at = max(map(last_hand, bots))
    newer, _ = versions.serve("newer", port_of(link))
    for bot in bots:
        bot.line(f"Hand {at + 3} is over")
    newer.popen.terminate()
    assert newer.finish() == 0
    (journal,) = (tmp_path / "server" / "hands").glob("*.ryo")
    verified = ryo.run(tmp_path, "verify", str(journal))
    assert verified.code == 0, verified
    ledger = ryo.run(tmp_path, "ledger", "--data-dir", str(tmp_path / "server")).out
    assert "older" in ledger, ledger
    assert "newer" in ledger, ledger
