"""Users, files and handles as they are in the world (traps A37, A38)."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from client.cli.main import VERBS as ALL_VERBS
from replays.index import NAME
from tests.support.paths import ROOT
from tests.support.ryo_process import environment

pytestmark = pytest.mark.slow

LIMIT = 90.0
NOBODY = ("unshare", "--user", "--map-user=12345", "--map-group=12345")
"""A user whom the system does not know; files are still read as before."""
posix_only = pytest.mark.skipif(os.name != "posix", reason="shells and users of Unix")
needs_dev_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


@functools.cache
def _can_be_nobody() -> bool:
    return bool(shutil.which("unshare")) and not subprocess.run([*NOBODY, "true"], capture_output=True).returncode


def as_nobody(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program for a user without a home directory and without an entry in the system's list of users."""
    if not _can_be_nobody():
        pytest.skip("user namespaces are needed")
    env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = [*NOBODY, sys.executable, "-m", "client", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A shell's command line; ``ryo`` is the program, with its data in that folder."""
    env = {**environment(folder), "RYO_DATA_DIR": str(folder / "data"), "PYTHON": sys.executable}
    script = f'ryo() {{ "$PYTHON" -m client "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", script], cwd=ROOT, env=env, capture_output=True, timeout=LIMIT, check=False)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two hands were recorded first of all."""
    folder = tmp_path_factory.mktemp("world")
    done = shell("ryo play --hands 2 --game stud </dev/null", folder)
    assert done.returncode == 0, done.stderr
    return folder


def first_of(folder: Path) -> Path:
    """The recording that was made first."""
    return min((folder / "data" / "hands").glob("*.ryo"))


VERBS = (
    ("hands",), ("replay",), ("export",), ("forget", "h"), ("watch", "127.0.0.1:1"), ("bot", "127.0.0.1:1"),
    ("join", "127.0.0.1:1"), ("play", "--hands", "1"), ("serve", "--port", "0"),
)  # fmt: skip


@posix_only
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_trap_A37_without_a_home_a_verb_asks_for_a_folder_in_one_sentence(verb: tuple[str, ...]) -> None:
    done = as_nobody(*verb)
    assert done.returncode == 78, done.stderr
    assert "--data-dir" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@posix_only
@pytest.mark.parametrize("verb", ALL_VERBS)
def test_trap_A37_help_needs_no_home(verb: str) -> None:
    done = as_nobody(verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")


@posix_only
def test_trap_A37_with_a_folder_it_plays_and_lists(tmp_path: Path) -> None:
    folder = ("--data-dir", str(tmp_path / "data"))
    played = as_nobody("play", "--hands", "1", *folder)
    assert played.returncode == 0, played.stderr
    listed = as_nobody("hands", "--player", "Player", *folder)
    assert "  Player " in listed.stdout


@needs_dev_full
@pytest.mark.parametrize(
    "line", ["hands", "rules razz", "--help", "replay last", "export last", "play --hands 1 </dev/null", "rules"]
)
def test_trap_A38_output_onto_a_full_disk_is_one_sentence(line: str, recorded: Path) -> None:
    done = shell(f"ryo {line} >/dev/full", recorded)
    assert done.returncode == 74, done.stderr
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@posix_only
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("line", ["hands", "play --hands 1", "replay last", "play --plain --hands 1"])
def test_trap_A38_closed_handles_end_nothing(line: str, closed: str, recorded: Path) -> None:
    done = shell(f"ryo {line} {closed}", recorded)
    assert b"Traceback" not in done.stderr + done.stdout
    assert done.returncode in (0, 1)


@posix_only
def test_trap_A38_a_recording_whose_name_is_not_utf_8(recorded: Path, tmp_path: Path) -> None:
    hands = tmp_path / "data" / "hands"
    hands.mkdir(parents=True)
    journal = first_of(recorded)
    name = os.path.join(os.fsencode(hands), b"b\xe9d.ryo")
    shutil.copyfile(os.fsencode(journal), name)
    for line in (
        "hands",
        "hands",
        "replay last </dev/null",
        "verify $RYO_DATA_DIR/hands/*.ryo",
        "export $RYO_DATA_DIR/hands/*.ryo",
    ):
        done = shell(f"ryo {line}", tmp_path)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout
    assert (hands / NAME).exists()


@needs_dev_full
def test_trap_A38_an_export_leaves_no_half_file(recorded: Path, tmp_path: Path) -> None:
    journal = first_of(recorded)
    to_device = shell(f"ryo export {journal} -o /dev/full", recorded)
    assert to_device.returncode == 1
    assert b"No space left" in to_device.stderr
    target = tmp_path / "hand.phh"
    target.write_text("before")
    limited = shell(f"ulimit -f 0; ryo export {journal} -o {target}", recorded)
    assert limited.returncode != 0
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["hand.phh"]


BOM = "\ufeff"
HOUSE_GAME = """id = "mini"
title = "Mini"
players = 4
[stakes]
ante = 1
[[steps]]
do = "ante"
[[steps]]
do = "deal"
down = 5
[[steps]]
do = "bet"
opens = "dealers_left"
[[steps]]
do = "showdown"
high = "high"
"""


def windows(text: str) -> bytes:
    """The text as an editor of Windows writes it."""
    return (BOM + text.replace("\n", "\r\n")).encode()


def test_trap_A38_every_file_that_people_write_may_begin_with_a_byte_order_mark(tmp_path: Path, recorded: Path) -> None:
    (tmp_path / "game.toml").write_bytes(windows(HOUSE_GAME))
    settings = 'port = 0\nbind = "nowhere.invalid"\n[[table]]\ngames = ["game.toml"]\n'
    (tmp_path / "server.toml").write_bytes(windows(settings))
    (tmp_path / "password").write_bytes(windows("open sesame\n"))
    config = tmp_path / "config" / "rollyourown"
    config.mkdir(parents=True)
    (config / "client.toml").write_bytes(windows('name = "Zoe"\ntheme = "mine.toml"\n'))
    (config / "mine.toml").write_bytes(windows('palette = "two"\n'))
    checked = shell(f"ryo rules check {tmp_path}/game.toml", tmp_path)
    assert checked.returncode == 0, checked.stderr
    verifier = shell(f"ryo passwd --password-file {tmp_path}/password", tmp_path)
    assert verifier.stdout.startswith(b"password = "), verifier.stderr
    served = shell(f"ryo serve --config {tmp_path}/server.toml", tmp_path)
    assert b"nowhere.invalid" in served.stderr, served.stderr  # it was read to the end
    assert served.returncode == 78
    played = shell("ryo play --hands 1 </dev/null", tmp_path)
    assert b"Zoe" in played.stdout, played.stderr
    shell(f"ryo export {first_of(recorded)} -o {tmp_path}/hand.phh", recorded)
    (tmp_path / "hand.phh").write_bytes(windows((tmp_path / "hand.phh").read_text()))
    imported = shell(f"ryo import {tmp_path}/hand.phh", tmp_path)
    assert b" agreed, 0 refused, 0 differ" in imported.stdout, imported.stderr


@posix_only
def test_trap_A40_passwd_takes_the_password_from_a_pipe(tmp_path: Path) -> None:
    done = shell(r"printf 'open sesame\r\nmore\n' | ryo passwd", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"password = ")
    empty = shell("ryo passwd </dev/null", tmp_path)
    assert empty.returncode == 2
    assert b"Traceback" not in empty.stderr
