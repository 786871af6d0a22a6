"""The server's verbs and their passwords."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.config.passwords import verify
from tests.support.ryo_process import RyoProcesses

PASSWORD = "pair of köpfe"


def test_passwd_prints_a_line_for_the_settings_and_never_the_password(ryo: RyoProcesses, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(PASSWORD + "\nsecond line\n", encoding="utf-8")
    for done in (
        ryo.run(tmp_path, "passwd", "--password-file", str(file), module="server"),
        ryo.run(tmp_path, "passwd", module="server", RYO_PASSWORD=PASSWORD),
    ):
        assert done.code == 0, done
        found = re.fullmatch(r'password = "(scrypt:[^"]+)"\n', done.out)
        assert found is not None
        assert verify(PASSWORD, found[1])
        assert PASSWORD not in done.out + done.err


@pytest.mark.parametrize(
    "spoil", [lambda file: file.write_text("\n"), lambda file: None, lambda file: file.write_bytes(b"\xff")]
)
def test_serve_refuses_a_password_file_without_a_password(
    ryo: RyoProcesses, tmp_path: Path, spoil: Callable[[Path], Any]
) -> None:
    file = tmp_path / "secret"
    spoil(file)
    where = ("--port", "0", "--data-dir", str(tmp_path / "data"))
    done = ryo.run(tmp_path, "serve", *where, "--password-file", str(file), module="server")
    assert done.code == 78
    assert str(file) in done.err
    assert done.err.count("\n") == 1
