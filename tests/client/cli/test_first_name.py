"""Whoever joins for the first time is asked a name, and nothing else."""

import sys
from pathlib import Path

import pytest

from tests.client.cli.test_join import free_port, serving
from tests.client.cli.test_secured_tables import address

pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals are a Unix thing")
LIMIT = 30


def test_a_newcomer_is_asked_a_name_once_and_never_again(tmp_path: Path) -> None:
    environment = {
        "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "d"), "XDG_CONFIG_HOME": str(tmp_path / "c"),
        "PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8",
    }  # fmt: skip
    with serving(tmp_path, free_port()) as (_, link):
        command = ["-m", "client", "join", address(link), "--plain"]
        for first, arguments in ((True, command), (False, ["-m", "client", "join", "--plain"])):
            child = pexpect.spawn(sys.executable, arguments, encoding="utf-8", timeout=LIMIT, env=environment, cwd=".")
            try:
                if first:
                    child.expect("Your name at the table")
                    child.sendline("<Ann>")
                    child.expect("A name has only letters")
                    child.expect("Your name at the table")
                    child.sendline("Grandma")
                else:
                    child.expect(f"To {address(link)}, where you were last")
                child.expect("you are Grandma in seat 1")
                assert first or "Your name" not in child.before
                child.sendline("/quit")
                child.expect(pexpect.EOF)
            finally:
                child.close(force=True)
