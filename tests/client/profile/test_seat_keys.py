"""The key of the seats, in a directory of the test's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.errors import BadSettings
from client.profile.seat_keys import load_key, seat_token
from tests.support.limits import LIMIT


def test_reliability_3_the_key_is_made_once_and_is_for_the_owner_only(tmp_path: Path) -> None:
    key = load_key(tmp_path / "data")
    assert len(key) == 32
    assert load_key(tmp_path / "data") == key
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["seats.key"]
    assert (tmp_path / "data" / "seats.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_fault_21_a_damaged_or_open_key_is_refused(tmp_path: Path) -> None:
    load_key(tmp_path)
    path = tmp_path / "seats.key"
    path.chmod(0o644)
    with pytest.raises(BadSettings, match="chmod 600"):
        load_key(tmp_path)
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(BadSettings, match="damaged"):
        load_key(tmp_path)


def test_fault_22_two_first_starts_at_once_get_one_key(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from client.profile.seat_keys import load_key;"
        f"print(load_key(Path({str(tmp_path)!r})).hex())"
    )
    starts = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    keys = {start.communicate(timeout=LIMIT)[0].strip() for start in starts}
    assert len(keys) == 1
    assert len(keys.pop()) == 64
    assert os.listdir(tmp_path) == ["seats.key"]


def test_reliability_3_a_token_is_for_one_seat_only() -> None:
    key = bytes(32)
    token = seat_token(key, "kitchen:7719", "main", "Ann")
    assert len(token) == 32
    assert seat_token(key, "kitchen:7719", "main", "ann") == token
    others = [
        seat_token(bytes([1]) * 32, "kitchen:7719", "main", "Ann"),
        seat_token(key, "kitchen:7720", "main", "Ann"),
        seat_token(key, "kitchen:7719", "mainA", "nn"),
        seat_token(key, "kitchen:7719", "main", "Bob"),
    ]
    assert len({token, *others}) == 5
