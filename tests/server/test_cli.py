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


def test_passwd_reads_a_pipe_and_refuses_what_is_no_password(ryo: RyoProcesses, tmp_path: Path) -> None:
    done = ryo.run(tmp_path, "passwd", module="server", typed=PASSWORD + "\n")
    assert done.code == 0, done
    assert verify(PASSWORD, done.out.split('"')[1])
    refused = ryo.run(tmp_path, "passwd", module="server", typed="\n")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("\n") == 1


def test_flags_for_one_table_are_refused_where_there_are_several(ryo: RyoProcesses, tmp_path: Path) -> None:
    settings = tmp_path / "server.toml"
    settings.write_text('port = 0\n[[table]]\nid = "one"\n[[table]]\nid = "two"\n', encoding="utf-8")
    where = ("--config", str(settings), "--data-dir", str(tmp_path / "data"))
    for flag in (("--game", "razz"), ("--seats", "4")):
        done = ryo.run(tmp_path, "serve", *where, *flag, module="server")
        assert done.code == 78
        assert done.err == "--game and --seats are for a server with one table; this one has several.\n"
    assert not (tmp_path / "data" / "hands").exists()


@pytest.mark.slow
def test_accept_loss_makes_every_earlier_receipt_worthless(ryo: RyoProcesses, tmp_path: Path) -> None:
    key = tmp_path / "server" / "hands" / "receipts.key"
    keys = []
    for flags in ((), (), ("--accept-loss",)):
        with ryo.serving(tmp_path, *flags):
            keys.append(key.read_bytes())
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.slow
def test_fault_83_whoever_starts_a_server_reads_that_it_knows_every_card(ryo: RyoProcesses, tmp_path: Path) -> None:
    for flags, told in (((), 1), (("--quiet",), 0)):
        where = ("--bind", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path / "server"))
        server = ryo.start(tmp_path, "serve", *where, *flags)
        server.type("stop\n")
        assert server.finish() == 0
        assert (
            server.err.count("This machine knows every card that is dealt here. If you play, too, tell the others so.")
            == told
        )
