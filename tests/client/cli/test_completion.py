"""What the shell is offered while somebody types, and the lines that switch it on."""

from pathlib import Path

import pytest

from client.cli.completion import SHELLS
from client.profile.known_servers import KnownServers
from client.profile.last_visit import LastVisit, save_last_visit
from tests.support import sample_session
from tests.support.ryo_process import RyoProcesses

pytestmark = pytest.mark.slow


def offered(ryo: RyoProcesses, folder: Path, *words: str) -> set[str]:
    """The words that bash would offer for the last of these, with the data directory `folder`."""
    told = {"COMP_WORDS": " ".join(["ryo", *words]), "COMP_CWORD": str(len(words)), "_RYO_COMPLETE": "bash_complete"}
    done = ryo.run(folder, RYO_DATA_DIR=str(folder), **told)
    return {line.partition(",")[2] for line in done.out.splitlines() if line}


def test_every_shell_gets_its_lines(ryo: RyoProcesses, tmp_path: Path) -> None:
    for shell in SHELLS:
        done = ryo.run(tmp_path, "completion", shell)
        assert (done.code, "_RYO_COMPLETE" in done.out) == (0, True)
    assert ryo.run(tmp_path, "completion", "tcsh").code == 2


def test_verbs_games_recordings_servers_and_tables_are_offered(ryo: RyoProcesses, tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "kitchen.ryo")
    save_last_visit(tmp_path, LastVisit("Ann", "h.example:7719", "main"))
    KnownServers(tmp_path).remember("home.example:7719", "a" * 52)
    assert {"replay"} <= offered(ryo, tmp_path, "rep")
    assert {"stud", "stud8", "studhilo"} == offered(ryo, tmp_path, "play", "--game", "st")
    assert {"last"} == offered(ryo, tmp_path, "replay", "la")
    assert {"h-1", "h-2"} == offered(ryo, tmp_path, "export", "h-")
    assert {"kitchen.ryo"} == offered(ryo, tmp_path, "replay", "kit")
    assert {"h.example:7719", "home.example:7719"} == offered(ryo, tmp_path, "join", "h")
    assert {"main"} == offered(ryo, tmp_path, "watch", "--table", "m")
    assert {"reload"} == offered(ryo, tmp_path, "admin", "rel")
    assert {"doctor"} == offered(ryo, tmp_path, "doc")


def test_what_cannot_be_read_offers_nothing(ryo: RyoProcesses, tmp_path: Path) -> None:
    (tmp_path / "known_hosts.json").write_text("no list")
    assert offered(ryo, tmp_path, "join", "h") == set()
