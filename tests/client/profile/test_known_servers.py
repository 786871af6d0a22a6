"""The list of known servers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.errors import BadSettings
from client.profile.known_servers import KnownServers
from tests.support.child_python import in_child
from tests.support.limits import LIMIT

PRINT = "a" * 52
OTHER = "b" * 52


def test_reliability_1_a_key_is_remembered_whole_and_for_the_owner_only(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "data")
    assert known.fingerprint("kitchen:7719") == ""
    known.remember("kitchen:7719", PRINT)
    known.remember("[::1]:4000", OTHER)
    assert KnownServers(tmp_path / "data").fingerprint("kitchen:7719") == PRINT
    assert known.fingerprint("[::1]:4000") == OTHER
    assert known.fingerprint("kitchen:7720") == ""
    path = tmp_path / "data" / "known_hosts.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert set(json.loads(path.read_text())) == {"kitchen:7719", "[::1]:4000"}
    assert sorted(os.listdir(tmp_path / "data")) == ["known_hosts.json", "known_hosts.lock"]


def test_fault_19_a_known_key_is_never_replaced_but_forgotten(tmp_path: Path) -> None:
    known = KnownServers(tmp_path)
    known.remember("kitchen:7719", PRINT)
    known.remember("kitchen:7719", OTHER)
    assert known.fingerprint("kitchen:7719") == PRINT
    assert known.forget("kitchen:7719") == PRINT
    assert known.forget("kitchen:7719") == ""
    known.remember("kitchen:7719", OTHER)
    assert known.fingerprint("kitchen:7719") == OTHER


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"kitchen:7719": {}}', '{"kitchen:7719": {"fp": "short"}}', "\x00\xff"]
)
def test_a_damaged_list_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known_hosts.json"
    path.write_text(text)
    known = KnownServers(tmp_path)
    with pytest.raises(BadSettings, match=r"known_hosts\.json is damaged"):
        known.fingerprint("kitchen:7719")
    with pytest.raises(BadSettings):
        known.remember("kitchen:7719", PRINT)
    assert path.read_text() == text


def test_fault_66_a_full_disk_leaves_the_old_list(tmp_path: Path) -> None:
    KnownServers(tmp_path).remember("kitchen:7719", PRINT)
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from client.profile.known_servers import KnownServers; from client.errors import BadSettings\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
        f"known = KnownServers(Path({str(tmp_path)!r}))\n"
        "try: known.remember('cellar:7719', 'b' * 52)\n"
        "except BadSettings as error: print(error.exit_code)\n"
    )
    assert in_child(code) == ["78"]
    known = KnownServers(tmp_path)
    assert known.fingerprint("kitchen:7719") == PRINT
    assert known.fingerprint("cellar:7719") == ""
    assert sorted(os.listdir(tmp_path)) == ["known_hosts.json", "known_hosts.lock"]


@pytest.mark.slow
def test_two_programs_that_remember_at_once_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from client.profile.known_servers import KnownServers\n"
        f"known = KnownServers(Path({str(tmp_path)!r}))\n"
        "for number in range(20): known.remember(f'{sys.argv[1]}:{number + 1}', 'a' * 52)\n"
    )
    programs = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("one", "two", "three")]
    assert [program.wait(LIMIT) for program in programs] == [0, 0, 0]
    assert len(json.loads((tmp_path / "known_hosts.json").read_text())) == 60
