"""The words of the host, and the socket by which they come."""

import json
import os
import re
import socket
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from trio.testing import MockClock

from server.app import admin_client
from server.app.admin_client import FILE, NoServer, ask
from server.app.admin_socket import listening
from server.app.operator import WORDS, Operator, help_text, split, usage
from server.app.operator_log import silent
from server.config.config import Config
from server.config.table_config import TableConfig
from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.limits import LIMIT
from tests.support.loopback_server import config, running
from tests.support.paths import DOCS
from tests.support.ryo_process import RyoProcesses
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no Unix sockets in Python")


def operator_of(here: SimulatedServer, config: Config | None = None) -> Operator:
    return Operator(here.server, config or settings(), silent())


def test_the_page_for_hosts_has_every_word_with_its_help() -> None:
    page = (DOCS / "hosting.md").read_text("utf-8").partition("\n## The words of the host\n")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `([a-z-]+[^`]*)` \| (.+) \|$", page, re.MULTILINE)
    assert told == [(usage(name), word.help) for name, word in WORDS.items()]


def test_the_help_fits_a_terminal_and_names_every_word() -> None:
    lines = help_text().splitlines()
    assert [line.split()[0] for line in lines] == list(WORDS)
    assert all(len(line) <= 120 for line in lines)


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ([], 0, help_text()),
        (["help"], 0, help_text()),
        (["fre", "Ann"], 2, "There is no word 'fre'. Did you mean free? The words: help"),
        (["xyzzy"], 2, "There is no word 'xyzzy'. The words: help"),
        (["free"], 2, "Say it like this: free NAME [TABLE]"),
        (["free", "a", "b", "c"], 2, "Say it like this: free NAME [TABLE]"),
        (["status", "now"], 2, "Say it like this: status"),
        (["say"], 2, "Say it like this: say TEXT"),
        (["say", " "], 1, "There is nothing to say."),
        (["say", "la " * 100], 1, "That is too long: at most 200 characters are said at once."),
        (["free", "Cho", "Li"], 1, "There is no table Li. A name with spaces stands in quotation marks."),
        (["free", "Bem"], 1, "There is no Bem at any table. Did you mean Ben?"),
        (["players", "kitchn"], 1, "There is no table kitchn. Did you mean kitchen?"),
        (["free", "Ben", "den"], 1, "There is no Ben at den."),
        (["pass", "Ann"], 1, "Ann is at kitchen and den: say at which table."),
        (["pass", "Ann", "den"], 1, "Ann is not asked anything now."),
        (["tables"], 0, "kitchen (Kitchen): 2 of 7 seats taken, 0 watching, no hand yet\n"
         "den (den): 1 of 7 seats taken, 0 watching, no hand yet"),
        (["players", "den"], 0, "den:\n  1 Ann: 100 chips, connected"),
        (["say", "good", "night"], 0, "Said at kitchen.\nSaid at den."),
    ],
)  # fmt: skip
async def test_what_a_host_is_answered(autojump_clock: MockClock, words: list[str], code: int, text: str) -> None:
    razz: dict[str, Any] = {"games": ("razz",), "players": 3}
    tables = (TableConfig(id="kitchen", name="Kitchen", **razz), TableConfig(id="den", **razz))
    room = Config(plain_tcp=True, data_dir="/data", seed="x", table=tables)
    async with simulated_server(room) as here:
        for name, token, table in (("Ann", b"a", "kitchen"), ("Ben", b"b", "kitchen"), ("Ann", b"c", "den")):
            await (await here.connect(name, token * 32)).join(table)
        answer = await operator_of(here, room).obey(words)
        assert (answer.text, answer.code) == (text, code)


async def test_the_status_tells_how_guests_come_in(autojump_clock: MockClock) -> None:
    async with simulated_server() as here:
        await here.seated("Ann")
        answer = await operator_of(here).obey(["status"])
        assert "1 table, none stopped; 1 connection, 0 of them not let in yet" in answer.text
        assert "data in /data" in answer.text


async def test_what_is_said_is_in_no_log(autojump_clock: MockClock) -> None:
    async with simulated_server() as here:
        with structlog.testing.capture_logs() as lines:
            operator = Operator(here.server, settings(), structlog.get_logger())
            await operator.obey(["say", "secret plans"])
            await operator.obey(["free", "Ann"])
        assert [{**line, "log_level": ""} for line in lines] == [
            {"event": "admin.word", "word": "say", "code": 0, "log_level": ""},
            {"event": "admin.word", "word": "free", "code": 1, "about": "Ann", "log_level": ""},
        ]


def test_a_typed_line_is_a_word_and_its_arguments() -> None:
    assert split('free "Cho Li" den') == ["free", "Cho Li", "den"]
    assert split("  say it's \t late ") == ["say", "it's", "late"]
    assert split(" \n") == []
    assert split('say "open') == ["say", '"open']


# ----------------------------------------------------------------------- the socket


@POSIX
async def test_the_socket_is_private_answers_and_goes_with_the_server(tmp_path: Path) -> None:
    old_mask = os.umask(0)
    try:
        async with running(config(tmp_path)) as house:
            operator = Operator(house.server, config(tmp_path), silent())
            async with listening(operator, tmp_path, silent()):
                path = tmp_path / FILE
                assert stat.S_IMODE(path.stat().st_mode) == 0o600
                answers = [await trio.to_thread.run_sync(ask, tmp_path, words) for words in (["tables"], ["fre"])]
                assert [answer.code for answer in answers] == [0, 2]
                assert answers[0] == await operator.obey(["tables"])
            assert not path.exists()
            with pytest.raises(NoServer, match="No server runs"):
                await trio.to_thread.run_sync(ask, tmp_path, ["tables"])
    finally:
        os.umask(old_mask)


@POSIX
@pytest.mark.parametrize("junk", [b"", b"\n", b"{}\n", b"[1]\n", b'["tables"', b"\xff" * 9000, b"[" * 9000 + b"\n"])
async def test_junk_in_the_socket_ends_its_own_connection_only(tmp_path: Path, junk: bytes) -> None:
    async with (
        running(config(tmp_path)) as house,
        listening(Operator(house.server, config(tmp_path), silent()), tmp_path, silent()),
    ):
        with trio.fail_after(LIMIT):
            async with await trio.open_unix_socket(tmp_path / FILE) as stream:
                await stream.send_all(junk)
                await stream.send_eof()
                with suppress(trio.BrokenResourceError):  # it was closed with bytes that nobody has read
                    assert await stream.receive_some() == b""
        assert (await trio.to_thread.run_sync(ask, tmp_path, ["tables"])).code == 0


@POSIX
async def test_a_socket_that_a_killed_server_has_left_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(str(tmp_path / FILE))
    with pytest.raises(NoServer, match="No server runs"):
        ask(tmp_path, ["tables"])
    async with (
        running(config(tmp_path)) as house,
        listening(Operator(house.server, config(tmp_path), silent()), tmp_path, silent()),
    ):
        assert (await trio.to_thread.run_sync(ask, tmp_path, ["tables"])).code == 0


@POSIX
async def test_a_second_server_with_the_same_data_leaves_the_socket_to_the_first(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        operator = Operator(house.server, config(tmp_path), silent())
        async with listening(operator, tmp_path, silent()):
            with structlog.testing.capture_logs() as lines:
                async with listening(operator, tmp_path, structlog.get_logger()):
                    pass
            assert [line["event"] for line in lines] == ["admin.none"]
            assert f"process {os.getpid()}" in lines[0]["why"]
            assert (await trio.to_thread.run_sync(ask, tmp_path, ["tables"])).code == 0


@POSIX
async def test_without_a_socket_a_server_plays_on_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    async with running(config(tmp_path)) as house:
        operator = Operator(house.server, config(tmp_path), silent())
        with structlog.testing.capture_logs() as lines:
            async with listening(operator, deep, structlog.get_logger()):
                await house.seated("Ann")
            monkeypatch.setattr(admin_client, "AVAILABLE", False)
            async with listening(operator, tmp_path, structlog.get_logger()):
                pass
        assert ["too long" in lines[0]["why"], "no Unix sockets" in lines[1]["why"]] == [True, True]
    with pytest.raises(NoServer, match="This system has no Unix sockets"):
        ask(tmp_path, ["tables"])


@pytest.mark.slow
def test_trap_A35_A40_the_program_says_words_to_its_server(ryo: RyoProcesses, tmp_path: Path) -> None:
    where = ("--data-dir", str(tmp_path / "server"))
    with ryo.serving(tmp_path) as (server, link):
        for words, code, text in (
            (("tables",), 0, "main (main): 0 of"),
            (("give-back", "Cho Li"), 1, "There is no Cho Li at main."),
            (("frob",), 2, "There is no word 'frob'."),
            (("players",), 0, "main:\n  nobody\n"),
            (("status",), 0, link),
            (("help",), 0, "give-back NAME [TABLE]"),
        ):
            done = ryo.run(tmp_path, "admin", *where, *words)
            assert done.code == code, done
            assert text in (done.out if code == 0 else done.err), done
            assert bool(done.out) != bool(done.err)
        assert "admin.word" in server.err
    done = ryo.run(tmp_path, "admin", *where, "tables")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("No server runs with the data in ")
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_the_answers_for_programs_are_one_object_with_the_same_exit_codes(ryo: RyoProcesses, tmp_path: Path) -> None:
    where = ("--json", "--data-dir", str(tmp_path / "server"))
    with ryo.serving(tmp_path) as (_, link):
        for words, code, data in (
            (("tables",), 0, {"tables": [{
                "id": "main", "name": "main", "seats": 8, "players": [], "spectators": 0, "hand": 0, "playing": False,
                "stopped": None,
            }]}),
            (("players",), 0, {"players": []}),
            (("free", "Cho"), 1, {}),
            (("frob",), 2, {}),
        ):  # fmt: skip
            done = ryo.run(tmp_path, "admin", *where, *words)
            assert (done.code, done.err) == (code, "")
            answer = json.loads(done.out)
            assert list(answer) == ["ok", "text", "data"]
            assert (answer["ok"], answer["data"]) == (code == 0, data)
        status = json.loads(ryo.run(tmp_path, "admin", *where, "status").out)["data"]
        assert [link in command for command in status["join"]] == [True]
        assert (status["tables"], status["connections"]) == (1, 0)
    done = ryo.run(tmp_path, "admin", *where, "tables")
    answer = json.loads(done.out)
    assert (done.code, answer["ok"], answer["text"][:9]) == (3, False, "No server")
    answer = json.loads(ryo.run(tmp_path, "admin", "--json").out)
    assert [word["word"] for word in answer["data"]["words"]] == list(WORDS)


async def test_the_players_are_told_to_programs_with_what_the_host_reads(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(games=("razz",), players=3)) as here:
        await here.seated("Ann", "Ben")
        answer = await operator_of(here).obey(["players"])
        assert answer.data["players"][0] == {
            "table": "main", "seat": 1, "name": "Ann", "chips": 100, "bot": False, "host": False,
            "connected": True, "minutes_absent": 0, "sits_out": False, "leaving": False, "asked": None,
        }  # fmt: skip


@pytest.mark.slow
@needs_terminal
def test_words_can_be_typed_into_the_terminal_of_the_server(tmp_path: Path) -> None:
    where = ("--bind", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path / "data"))
    with on_terminal(tmp_path, "serve", *where) as child:
        child.expect("ryo join ")
        child.sendline("tables")
        child.expect(r"main \(main\): 0 of 8 seats taken")
        child.sendline("")
        child.sendline("fre Ann")
        child.expect("Did you mean free")
        child.sendline('say "good night"')
        child.expect("Said at main.")
        child.sendeof()  # nothing more is typed, and the server plays on
        assert ask(tmp_path / "data", ["status"]).code == 0
        child.sendintr()
        assert ended(child) == 0


async def test_a_mistake_of_ours_in_a_word_is_the_words_alone(autojump_clock: MockClock) -> None:
    async with simulated_server() as here:
        with structlog.testing.capture_logs() as lines:
            broken = Operator(here.server, settings(), structlog.get_logger())
            del broken.hosted.server
            answer = await broken.obey(["status"])
        assert answer.code == 1
        assert "a fault in the program" in answer.text
        assert [line["event"] for line in lines] == ["admin.breach"]
        assert (await operator_of(here).obey(["status"])).code == 0


async def test_what_is_said_reaches_the_tables_that_play(autojump_clock: MockClock) -> None:
    tables = tuple([TableConfig(id=name, games=("razz",)) for name in ("kitchen", "den", "hall")])
    async with simulated_server(Config(plain_tcp=True, data_dir="/data", seed="x", table=tables)) as here:
        here.server.lobby.tables["den"].pipeline.halt("breach")
        answer = await operator_of(here).obey(["say", "hello"])
        assert answer.data == {"tables": ["kitchen", "hall"]}
        assert answer.text.splitlines()[::2] == ["Said at kitchen.", "Said at hall."]
        assert answer.text.splitlines()[1].startswith("Not said at den: This table has stopped")
