"""The settings of a running server are read again: what changes, what needs a restart, what a mistake does."""

import io
import signal
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol.wire import messages as msg
from server.app.operator import Operator
from server.app.operator_log import OperatorLog, silent
from server.app.reload import NEEDS_RESTART, TABLE_NEEDS_RESTART, Reloader, usable
from server.app.words.word import Answer
from server.config.config import Config
from server.config.limits import Limits
from server.config.passwords import make_verifier
from server.config.table_config import TableConfig
from tests.support.ryo_process import RyoProcesses
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}


class Host:
    """An operator whose settings come from `wanted`."""

    def __init__(self, here: SimulatedServer, config: Config) -> None:
        here.server.addresses = ["192.0.2.9:7719"]
        self.wanted = config
        self.lines = io.StringIO()
        log = OperatorLog(self.lines, "info")
        reloader = Reloader(here.server, config, lambda: self.wanted.check(), log)
        self._operator = Operator(here.server, config, log.logger, reloader)

    async def reload(self, **changes: Any) -> Answer:
        self.wanted = replace(self.wanted, **changes)
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, MockClock)
        clock.autojump_threshold = inf  # it would not wait for the thread that reads the settings
        try:
            return await self._operator.obey(["reload"])
        finally:
            clock.autojump_threshold = 0

    async def reload_table(self, **changes: Any) -> Answer:
        return await self.reload(table=(replace(self.wanted.table[0], **changes),))


async def test_what_can_change_changes_and_the_rest_is_named(autojump_clock: MockClock) -> None:
    config = settings(**RAZZ)
    async with simulated_server(config) as here:
        host = Host(here, config)
        answer = await host.reload()
        assert (answer.text, answer.code) == ("Nothing has changed.", 0)
        answer = await host.reload(log_level="debug", port=1, limits=Limits(say_length=5, per_address=1))
        assert answer.code == 0
        assert answer.data["changed"][0] == "log_level"
        assert {"limits.say_length", "limits.per_address"} <= set(answer.data["changed"])
        assert answer.data["needs_restart"] == ["port"]
        assert answer.text.endswith("\nAfter a restart: port.")
        assert "config.reloaded" in host.lines.getvalue()
        assert (await host._operator.obey(["say", "too long"])).code == 1
        await here.seated("Ann")
        second = await here.connect("Ben")
        await second.send(msg.Join("Ben", b"b" * 32))
        assert (await second.expect(msg.Rejected)).code == "full"
        answer = await host.reload()
        assert answer.text == "Nothing has changed.\nAfter a restart: port."


async def test_house_rules_change_when_the_hand_is_over_and_everybody_is_told(autojump_clock: MockClock) -> None:
    config = settings(**RAZZ)
    async with simulated_server(config) as here:
        host = Host(here, config)
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.playing)
        answer = await host.reload_table(buy_in=50, durability="none", players=3)
        assert answer.data == {
            "changed": ["table.main.buy_in", "table.main.players"],
            "needs_restart": ["table.main.durability"],
        }
        assert "House rules count when no hand is running." in answer.text
        assert here.table.state.rules.buy_in == 100
        await here.reach(players, lambda view: view.hand == 2)
        assert here.table.state.rules.buy_in == 50


async def test_passwords_change_and_who_plays_stays(autojump_clock: MockClock) -> None:
    config = settings(**RAZZ)
    async with simulated_server(config) as here:
        host = Host(here, config)
        (ann,) = await here.seated("Ann")
        assert (await host.reload_table(password=make_verifier("sesame"))).data["changed"] == ["table.main.password"]
        ben = await here.connect("Ben")
        await ben.send(msg.Join("Ben", b"b" * 32))
        assert (await ben.expect(msg.Rejected)).code == "bad_password"
        await here.back([ann])
        assert (await host.reload_table(password="")).code == 0
        await (await here.connect("Cho")).join()


async def test_a_mistake_changes_nothing_and_is_named(autojump_clock: MockClock) -> None:
    config = settings(**RAZZ)
    async with simulated_server(config) as here:
        host = Host(here, config)
        answer = await host.reload(limits=Limits(say_length=5), port=99999)
        assert (answer.text, answer.code) == ("port must be 0 to 65535, not 99999. Nothing has changed.", 1)
        assert 'config.refused why="port must be' in host.lines.getvalue()
        assert (await host._operator.obey(["say", "longer than five"])).code == 0


async def test_a_house_game_whose_file_is_another_is_named(autojump_clock: MockClock, tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    game = (
        'id = "odd"\ntitle = "Odd"\nplayers = 7\n[stakes]\nante = {}\nsmall = 2\nbig = 4\n'
        '[[steps]]\ndo = "ante"\n[[steps]]\ndo = "deal"\ndown = 5\n[[steps]]\ndo = "bet"\nsize = "small"\n'
        'opens = "dealers_left"\n[[steps]]\ndo = "showdown"\nhigh = "high"\n'
    )
    file.write_text(game.format(1))
    config = settings(games=(str(file),), change="never")
    async with simulated_server(config) as here:
        host = Host(here, config)
        assert (await host.reload()).data["changed"] == []
        file.write_text(game.format(2))
        assert (await host.reload()).data["changed"] == ["table.main.games"]
        assert here.table.state.rules.games[0].stakes.ante == 2


async def test_before_it_listens_and_without_settings_nothing_is_read(autojump_clock: MockClock) -> None:
    config = settings()
    async with simulated_server(config) as here:
        host = Host(here, config)
        here.server.addresses = []
        assert (await host.reload(log_level="debug")).text == "The server does not listen yet."
        plain = Operator(here.server, config, silent())
        assert (await plain.obey(["reload"])).code == 1


def test_tables_come_and_go_with_a_restart() -> None:
    before = Config(table=(TableConfig(id="a"), TableConfig(id="b", rotate_bytes=5)))
    wanted = Config(table=(TableConfig(id="c"), TableConfig(id="b", rotate_bytes=6, buy_in=50)))
    used = usable(before, wanted)
    assert [table.id for table in used.table] == ["a", "b"]
    assert (used.table[1].rotate_bytes, used.table[1].buy_in) == (5, 50)


def test_every_setting_that_needs_a_restart_is_a_setting() -> None:
    at_once = {"log_level", "log_format", "contact", "host_key", "preset", "limits", "table"}
    assert {*NEEDS_RESTART, *at_once} == set(Config.__struct_fields__)
    assert set(TABLE_NEEDS_RESTART) <= set(TableConfig.__struct_fields__)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_SIGHUP_reads_the_file_again_and_a_bad_file_is_in_the_log(ryo: RyoProcesses, tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('log_level = "info"\n')
    with ryo.serving(tmp_path, "--config", str(file)) as (server, _):
        file.write_text('log_format = "json"\n')
        server.popen.send_signal(signal.SIGHUP)
        server.logged('"changed": "log_format"')
        file.write_text("log_levle = 1\n")
        server.popen.send_signal(signal.SIGHUP)
        assert "Did you mean log_level?" in server.logged("config.refused")
        server.popen.send_signal(signal.SIGTERM)
        assert server.finish() == 0
