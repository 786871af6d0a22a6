"""The server's verbs and their passwords."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.config.passwords import verify

PASSWORD = "pair of köpfe"


def ryo(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "server", *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)


def test_passwd_prints_a_line_for_the_settings_and_never_the_password(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(PASSWORD + "\nsecond line\n", encoding="utf-8")
    for done in (ryo("passwd", "--password-file", str(file)), ryo("passwd", RYO_PASSWORD=PASSWORD)):
        assert done.returncode == 0, done.stderr
        found = re.fullmatch(r'password = "(scrypt:[^"]+)"\n', done.stdout)
        assert found is not None
        assert verify(PASSWORD, found[1])
        assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "spoil", [lambda file: file.write_text("\n"), lambda file: None, lambda file: file.write_bytes(b"\xff")]
)
def test_serve_refuses_a_password_file_without_a_password(tmp_path: Path, spoil: Callable[[Path], Any]) -> None:
    file = tmp_path / "secret"
    spoil(file)
    done = ryo("serve", "--port", "0", "--data-dir", str(tmp_path / "data"), "--password-file", str(file))
    assert done.returncode == 78
    assert str(file) in done.stderr
    assert done.stderr.count("\n") == 1
