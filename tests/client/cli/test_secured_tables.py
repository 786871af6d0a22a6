"""Real processes at tables that are not open to everybody: passwords, invitations, encryption."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.pty_program import PtyPrograms
from tests.support.ryo_process import RyoProcesses, address_of, quick_table

pytestmark = pytest.mark.slow

WRONG = 1
CANNOT_CONNECT = 3


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text("two pair\n")
    return file


@pytest.fixture
def locked(ryo: RyoProcesses, tmp_path: Path, secret: Path) -> Iterator[str]:
    """A table with a password and invitations; its link."""
    table = quick_table(tmp_path)
    with ryo.serving(tmp_path, *table, "--password-file", str(secret), "--invite") as (_, link):
        yield link


def without_invitation(link: str) -> str:
    return link.partition("&t=")[0]


def test_bots_come_in_by_password_or_by_invitation(
    ryo: RyoProcesses, tmp_path: Path, locked: str, secret: Path
) -> None:
    invited = ryo.start(tmp_path / "ann", "bot", locked, "--name", "Ann", "--hands", "1", "--pace", "0")
    knowing = ryo.start(
        tmp_path / "ben", "bot", without_invitation(locked), "--name", "Ben", "--hands", "1", "--pace", "0",
        "--password-file", str(secret),
    )  # fmt: skip
    for process in (invited, knowing):
        assert process.finish() == 0, process


def test_a_wrong_password_is_one_sentence(ryo: RyoProcesses, tmp_path: Path, locked: str, secret: Path) -> None:
    secret.write_text("three of a kind\n")
    bot = ryo.run(tmp_path, "bot", without_invitation(locked), "--password-file", str(secret))
    assert bot.code == WRONG
    assert bot.err == (
        "Error: This table has a password, and that is not it. "
        "Give it in RYO_PASSWORD or with --password-file; on a terminal you are asked for it.\n"
    )


@needs_terminal
def test_a_person_is_asked_for_the_password_and_it_is_not_shown(tmp_path: Path, locked: str) -> None:
    with on_terminal(tmp_path, "join", without_invitation(locked), "--plain", "--yes", "--name", "Ann") as child:
        child.expect("This table has a password")
        child.expect("Password: ")
        child.sendline("a flush")
        child.expect("that is not it")
        child.expect("Password: ")
        child.sendline("two pair")
        child.expect("sits? down|Seat|seat")
        assert "two pair" not in (child.before or "")
        child.sendline("/quit")
        assert ended(child) == 0


def test_fault_20_a_link_to_another_server_is_3(ryo: RyoProcesses, tmp_path: Path, locked: str) -> None:
    bot = ryo.run(tmp_path, "bot", f"ryo://{address_of(locked)}/main#fp={'a' * 26}")
    assert bot.code == CANNOT_CONNECT
    assert "Nothing was sent" in bot.err
    assert bot.err.count("\n") == 1


def test_without_encryption_at_a_server_that_encrypts_is_3(ryo: RyoProcesses, tmp_path: Path, locked: str) -> None:
    bot = ryo.run(tmp_path, "bot", address_of(locked), "--plain-tcp")
    assert bot.code == CANNOT_CONNECT
    assert "without --plain-tcp" in bot.err
    assert bot.err.count("\n") == 1


def test_encrypted_at_a_server_that_does_not_is_3_and_plain_tcp_on_request_is_fine(
    ryo: RyoProcesses, tmp_path: Path
) -> None:
    with ryo.serving(tmp_path, *quick_table(tmp_path), "--plain-tcp") as (_, link):
        where = address_of(link)
        bot = ryo.run(tmp_path, "bot", where)
        assert bot.code == CANNOT_CONNECT
        assert "--plain-tcp" in bot.err
        assert bot.err.count("\n") == 1
        players = [
            ryo.start(tmp_path / name, "bot", where, "--plain-tcp", "--name", name, "--hands", "1", "--pace", "0")
            for name in ("Ann", "Ben")
        ]
        for player in players:
            assert player.finish() == 0, player


def test_a_link_with_a_fingerprint_is_not_followed_without_encryption(ryo: RyoProcesses, tmp_path: Path) -> None:
    bot = ryo.run(tmp_path, "bot", f"ryo://127.0.0.1:1/main#fp={'a' * 26}", "--plain-tcp")
    assert bot.code == 2
    assert "fingerprint" in bot.err


def test_serve_says_when_it_does_not_encrypt(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path, "--plain-tcp") as (server, link):
        assert link.startswith("--plain-tcp 127.0.0.1:")
        server.popen.terminate()
        server.finish()
        assert "Connections are not encrypted" in server.err
        assert "server.plain_tcp" in server.err


def test_fault_22_two_servers_started_at_once_in_one_place_have_one_key(ryo: RyoProcesses, tmp_path: Path) -> None:
    data = str(tmp_path / "both")
    servers = []
    for table in ("one", "two"):  # journals are for one server only, the key is for both
        config = tmp_path / f"{table}.toml"
        config.write_text(f'bind = "127.0.0.1"\nport = 0\ndata_dir = "{data}"\n[[table]]\nid = "{table}"\n')
        servers.append(ryo.start(tmp_path, "serve", "--config", str(config)))
    links = [server.line("ryo join ") for server in servers]
    prints = {link.rpartition("#fp=")[2].strip() for link in links}
    assert len(prints) == 1
    assert len(prints.pop()) == 26


def test_the_first_visit_is_told_on_the_full_screen_and_again_after_it(
    ryo: RyoProcesses, programs: PtyPrograms, tmp_path: Path
) -> None:
    with ryo.serving(tmp_path) as (_, link):
        key = link.rpartition("#fp=")[2]
        program = programs(["client", "join", address_of(link), "--yes", "--name", "Ann"])
        program.see("Ann", "First visit to 127.0.0.1")
        program.process.terminate()
        program.ended()
        text = program.text()
        assert "First visit" in text
        assert key in text.replace("\n", "")
