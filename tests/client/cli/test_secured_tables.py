"""Real processes at tables that not everybody may come to: passwords, invitations, encryption."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tests.client.cli.test_join import free_port, serving, start
from tests.client.terminal.test_pty import Program

LIMIT = 60
WRONG = 1
CANNOT_CONNECT = 3


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text("two pair\n")
    return file


@pytest.fixture
def locked(tmp_path: Path, secret: Path) -> Iterator[str]:
    """A table with a password and invitations; its link."""
    with serving(tmp_path, free_port(), "--password-file", str(secret), "--invite") as (_, link):
        yield link


def bot(home: Path, *arguments: str) -> "tuple[int, str]":
    """How a bot's visit ends: exit code, and what it says on standard error."""
    process = start(home, "bot", *arguments)
    _, said = process.communicate(timeout=LIMIT)
    return process.returncode, said


def address(link: str) -> str:
    return link.removeprefix("ryo://").split("/")[0]


def without_invitation(link: str) -> str:
    return link.partition("&t=")[0]


def test_bots_come_in_by_password_or_by_invitation(tmp_path: Path, locked: str, secret: Path) -> None:
    invited = start(tmp_path / "ann", "bot", locked, "--name", "Ann", "--hands", "1", "--pace", "0")
    knowing = start(
        tmp_path / "ben", "bot", without_invitation(locked), "--name", "Ben", "--hands", "1", "--pace", "0",
        "--password-file", str(secret),
    )  # fmt: skip
    for process in (invited, knowing):
        out, said = process.communicate(timeout=LIMIT)
        assert process.returncode == 0, out + said


def test_a_wrong_password_is_one_sentence(tmp_path: Path, locked: str, secret: Path) -> None:
    secret.write_text("three of a kind\n")
    code, said = bot(tmp_path, without_invitation(locked), "--password-file", str(secret))
    assert code == WRONG
    assert said == "Error: This table has a password, and that is not it.\n"


def test_a_person_is_asked_for_the_password_and_it_is_not_shown(tmp_path: Path, locked: str) -> None:
    command = ["-m", "client", "join", without_invitation(locked), "--plain", "--name", "Ann"]
    environment = {
        "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "d"), "PATH": "/usr/bin:/bin", "TERM": "xterm",
    }  # fmt: skip
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=LIMIT, env=environment, cwd=".")
    try:
        child.expect("This table has a password")
        child.expect("Password: ")
        child.sendline("a flush")
        child.expect("that is not it")
        child.expect("Password: ")
        child.sendline("two pair")
        child.expect("sits? down|Seat|seat")
        assert "two pair" not in (child.before or "")
        child.sendline("/quit")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)


def test_fault_20_a_link_to_another_server_is_3(tmp_path: Path, locked: str) -> None:
    code, said = bot(tmp_path, f"ryo://{address(locked)}/main#fp={'a' * 26}")
    assert code == CANNOT_CONNECT
    assert "Nothing was sent" in said
    assert said.count("\n") == 1


def test_without_encryption_at_a_server_that_encrypts_is_3(tmp_path: Path, locked: str) -> None:
    code, said = bot(tmp_path, address(locked), "--plain-tcp")
    assert code == CANNOT_CONNECT
    assert "without --plain-tcp" in said
    assert said.count("\n") == 1


def test_encrypted_at_a_server_that_does_not_is_3_and_plain_tcp_on_request_is_fine(tmp_path: Path) -> None:
    with serving(tmp_path, free_port(), "--plain-tcp") as (_, command):
        where = command.removeprefix("--plain-tcp ")
        code, said = bot(tmp_path, where)
        assert code == CANNOT_CONNECT
        assert "--plain-tcp" in said
        assert said.count("\n") == 1
        players = [
            start(tmp_path / name, "bot", where, "--plain-tcp", "--name", name, "--hands", "1", "--pace", "0")
            for name in ("Ann", "Ben")
        ]
        for process in players:
            out, said = process.communicate(timeout=LIMIT)
            assert process.returncode == 0, out + said


def test_a_link_with_a_fingerprint_is_not_followed_without_encryption(tmp_path: Path) -> None:
    code, said = bot(tmp_path, f"ryo://127.0.0.1:1/main#fp={'a' * 26}", "--plain-tcp")
    assert code == 2
    assert "fingerprint" in said


def test_serve_says_when_it_does_not_encrypt(tmp_path: Path) -> None:
    with serving(tmp_path, free_port(), "--plain-tcp") as (server, command):
        assert command.startswith("--plain-tcp 127.0.0.1:")
        server.terminate()
        _, log = server.communicate(timeout=LIMIT)
        assert "Connections are not encrypted" in log
        assert "server.plain_tcp" in log


def test_fault_22_two_servers_started_at_once_in_one_place_have_one_key(tmp_path: Path) -> None:
    data = str(tmp_path / "both")
    servers = []
    for table in ("one", "two"):  # journals are for one server only, the key is for both
        config = tmp_path / f"{table}.toml"
        config.write_text(f'bind = "127.0.0.1"\nport = 0\ndata_dir = "{data}"\n[[table]]\nid = "{table}"\n')
        servers.append(start(tmp_path, "serve", "--config", str(config)))
    try:
        links = [server.stdout.readline() for server in servers if server.stdout is not None]
        prints = {link.rpartition("#fp=")[2].strip() for link in links}
        assert len(prints) == 1
        assert len(prints.pop()) == 26
    finally:
        for server in servers:
            server.terminate()
            server.communicate(timeout=LIMIT)


def test_the_first_visit_is_told_on_the_full_screen_and_again_after_it(tmp_path: Path) -> None:
    with serving(tmp_path, free_port()) as (_, link):
        key = link.rpartition("#fp=")[2]
        argv = [sys.executable, "-m", "client", "join", address(link), "--name", "Ann"]
        program = Program(argv, tmp_path, XDG_DATA_HOME=str(tmp_path / "d"), XDG_CONFIG_HOME=str(tmp_path / "c"))
        try:
            program.see("Ann", "First visit to 127.0.0.1")
            program.process.terminate()
            program.ended()
            text = program.text()
            assert "First visit" in text
            assert key in text.replace("\n", "")
        finally:
            program.close()
