"""How a server ends in order: at once, after the running hands, when nobody is there; by a word or by itself."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol.events import Said
from protocol.wire import messages as msg
from server.app.operator import Operator
from server.app.operator_log import silent
from server.app.shutdown import LOOK, READ_RESULT
from server.config.config import Config
from tests.support.loopback_server import WireClient
from tests.support.ryo_process import RyoProcesses
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}
LATER = "Everything stays as it is; come back when it is up again."
SOON = "Everything stays as it is. It should be up again in about 5 minutes."


async def say(here: SimulatedServer, *words: str) -> tuple[str, int]:
    answer = await Operator(here.server, settings(), silent()).obey(words)
    return answer.text, answer.code


async def goodbye(client: WireClient) -> str:
    last = await client.to_the_end()
    assert isinstance(last, msg.Bye)
    assert (last.code, last.again) == ("stopping", True)
    return last.text


async def playing(here: SimulatedServer) -> list[WireClient]:
    players = await here.seated("Ann", "Ben")
    await here.reach(players, lambda view: view.playing)
    return players


async def test_stop_is_done_at_once_and_says_when_the_server_is_back(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await playing(here)
        assert (await say(here, "stop", "5"))[1] == 0
        assert [await goodbye(player) for player in players] == [f"The server stops. {SOON}"] * 2
        await here.server.stopped.wait()
        assert here.table.state.view.playing


async def test_a_drain_finishes_the_hand_and_deals_no_other(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await playing(here)
        text, code = await say(here, "drain", "5")
        assert (text, code) == ("No more hands are dealt. The server stops after 1 hand: main.", 0)
        await here.reach(players, lambda view: not view.playing)
        over = trio.current_time()
        assert [await goodbye(player) for player in players] == [f"The server stops. {SOON}"] * 2
        assert trio.current_time() - over >= READ_RESULT - LOOK  # its result could be read
        await here.server.stopped.wait()
        assert here.table.state.view.hand == 1
        assert not here.table.state.view.playing
        news = [news for player in players for news in player.inbox if isinstance(news, msg.Events)]
        said = [event.text for one in news for event in one.events if isinstance(event, Said)]
        assert said == [f"No more hands are dealt: the server stops when the last ones are over. {SOON}"] * 2


async def test_while_a_drain_lasts_players_come_back_and_nobody_new_sits_down(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await playing(here)
        await say(here, "drain")
        stranger = await here.connect("Cho")
        await stranger.send(msg.Join("Cho", b"c" * 32))
        refused = await stranger.expect(msg.Rejected)
        assert refused.code == "stopping"
        assert refused.text == f"The server takes no new players, because it stops soon. {LATER}"
        await stranger.watch()
        assert len(here.table.audience.spectators) == 1
        await here.back(players)
        assert len(here.table.audience.seated) == 2


async def test_a_drain_between_hands_or_with_nobody_there_ends_at_once(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        await here.seated("Ann")
        assert await say(here, "drain") == ("No hand is played; the server stops.", 0)
        await here.server.stopped.wait()
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        for player in await playing(here):
            await player.close()
        await trio.sleep(1)
        assert await say(here, "drain") == ("No hand is played; the server stops.", 0)
        await here.server.stopped.wait()
        assert here.table.state.view.playing  # it goes on after the next start


@pytest.mark.parametrize("minutes", ["0", "-1", "1.5", "soon", "1441", "9" * 40])
async def test_minutes_that_are_none_change_nothing(autojump_clock: MockClock, minutes: str) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        for word in ("drain", "stop"):
            text, code = await say(here, word, minutes)
            assert (text[:11], code) == ("MINUTES is ", 1)
        assert not here.server.shutdown.draining.is_set()
        assert not here.server.shutdown.stopping.is_set()


@pytest.mark.slow
async def test_a_server_that_nobody_uses_ends_if_the_host_wants_it(autojump_clock: MockClock) -> None:
    idle: Config = replace(settings(limits=PATIENT, **RAZZ), quit_idle=30.0)
    async with simulated_server(idle, seconds=20_000) as here:
        await trio.sleep(29 * 60)
        (ann,) = await here.seated("Ann")
        await here.seated("Bot", bot=True)
        await trio.sleep(31 * 60)
        assert not here.server.shutdown.stopping.is_set()
        await ann.close()
        left = trio.current_time()
        await here.server.stopped.wait()  # bots keep no server up
        assert 30 * 60 <= trio.current_time() - left < 31 * 60


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_stop_on_standard_input_is_what_SIGTERM_is(ryo: RyoProcesses, tmp_path: Path) -> None:
    codes = []
    for number, way in enumerate(("stop\n", "drain\n", "")):
        where = ("--port", "0", "--bind", "127.0.0.1", "--data-dir", str(tmp_path / str(number)))
        server = ryo.start(tmp_path, "serve", *where, module="server")
        server.line("ryo join")
        if way:
            server.type("play")  # a line that comes in two pieces
            server.type(f"ers\n{way}")
        else:
            server.popen.send_signal(signal.SIGTERM)
        codes.append(server.finish())
        assert ("nobody" in server.out) == bool(way)
        assert "server.stopped" in server.err
    assert codes == [0, 0, 0]
