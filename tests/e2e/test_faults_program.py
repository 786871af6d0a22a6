"""The real program as a process: signals, limits of the system, and starts that must fail."""

import contextlib
import select
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

import pytest
import trio

from protocol.events import Said
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from tests.support.limits import LIMIT
from tests.support.loopback_server import WireClient, calling
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.slow

PLAIN = ("--plain-tcp",)
needs_prlimit = pytest.mark.skipif(which("prlimit") is None, reason="prlimit is not installed")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def toml(clocks: str = "", limits: str = "", tables: tuple[str, ...] = ("main",)) -> str:
    """Settings with quick tables of razz."""
    text = f"[limits]\nrate = 1e6\nburst = 1e6\n{limits}\n"
    for table in tables:
        text += f'\n[[table]]\nid = "{table}"\ngames = ["plainrazz"]\nchange = "never"\nstart = 0.0\n'
        text += f"[table.clocks]\nresult = 0\n{clocks}\n"
    return text


@dataclass
class Site(ServerProcess):
    """The program, and who came to it."""

    guests: list[WireClient] = field(default_factory=list)


@asynccontextmanager
async def program(folder: Path, settings: str, *, wrapper: tuple[str, ...] = ()) -> AsyncIterator[Site]:
    """A started process, which is killed in the end if it still runs."""
    with trio.fail_after(LIMIT):
        one = Site(folder / "data", settings, PLAIN, wrapper=wrapper)
        try:
            await one.start()
            yield one
        finally:
            await one.clean_up()
            for guest in one.guests:
                await trio.aclose_forcefully(guest.stream)


async def raw(one: Site, name: str = "Ann") -> WireClient:
    player = WireClient(await trio.open_tcp_stream("127.0.0.1", one.port), name)
    one.guests.append(player)
    return player


async def greeted(one: Site, name: str = "Ann") -> WireClient:
    player = await raw(one, name)
    await player.send(msg.Hello(PROTOCOL, "test"))
    await player.expect(msg.Welcome)
    return player


async def seated(one: Site, *names: str, table: str = "") -> list[WireClient]:
    players = [await greeted(one, name) for name in names]
    for player in players:
        await player.join(table)
    return players


def said(events: msg.Events) -> list[str]:
    return [event.text for event in events.events if isinstance(event, Said)]


async def play(players: list[WireClient], hands: int) -> None:
    """Until that many hands are over."""
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.play, hands)


@pytest.mark.parametrize("kind", ["port in use", "not our address", "no address"])
async def test_fault_14_a_place_that_cannot_be_had_is_78_and_nothing_is_begun(tmp_path: Path, kind: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        flags = {
            "port in use": ("--port", str(taken.getsockname()[1])),
            "not our address": ("--bind", "203.0.113.1"),
            "no address": ("--bind", "not.an.address.invalid"),
        }[kind]
        ended = await ServerProcess(tmp_path / "data", toml(), (*PLAIN, *flags)).run_to_the_end()
    assert ended.code == 78, ended
    assert "Traceback" not in ended.err
    assert ended.out == ""
    last = ended.err.strip().splitlines()[-1]
    assert flags[1] in last
    assert not list((tmp_path / "data").rglob("*.ryo"))


@needs_prlimit
async def test_fault_66_a_key_that_does_not_fit_on_the_disk_leaves_no_half_of_it(tmp_path: Path) -> None:
    """No file may be longer than 100 bytes: the server's key is longer."""
    uncounted = {"COVERAGE_PROCESS_CONFIG": ""}  # what counts the lines that it runs could not write its file either
    one = ServerProcess(tmp_path / "data", toml(), (), environment=uncounted, wrapper=("prlimit", "--fsize=100"))
    ended = await one.run_to_the_end()
    assert ended.code in (74, 78), ended
    assert "Traceback" not in ended.err
    assert not (tmp_path / "data" / "identity.pem").exists()
    again = ServerProcess(tmp_path / "data", toml(), ())
    with trio.fail_after(LIMIT):
        try:
            await again.start()
            assert await again.stop() == 0
        finally:
            await again.clean_up()


async def test_fault_71_a_table_that_cannot_be_recovered_leaves_the_others_in_peace(tmp_path: Path) -> None:
    settings = toml(tables=("main", "other"))
    async with program(tmp_path, settings) as one:
        first = await seated(one, "Ann", "Ben", table="main")
        second = await seated(one, "Cho", "Dov", table="other")
        await play(first, 2)
        await play(second, 1)
        await one.kill()
        (path,) = (tmp_path / "data" / "hands").glob("*-main.ryo")
        damaged = bytearray(path.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        path.write_bytes(damaged)
        for _ in range(3):  # however often it is started
            await one.start()
            guest = await greeted(one, "Eve")
            await guest.send(msg.ListTables())
            tables = await guest.expect(msg.Tables)
            assert [info.table for info in tables.tables] == ["other"]
            assert tables.tables[0].players == ("Cho", "Dov")
            await one.kill()
        assert path.read_bytes() == bytes(damaged)
        assert "table.refused" in one.log.read_text()


async def goodbyes(players: list[WireClient]) -> None:
    """Every player is told that the server stops, and that coming back makes sense."""
    for player in players:
        bye = await player.to_the_end()
        assert isinstance(bye, msg.Bye)
        assert (bye.code, bye.again) == ("stopping", True)
        await player.close()


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_fault_73_an_orderly_stop_tells_everybody(tmp_path: Path, number: signal.Signals) -> None:
    async with program(tmp_path, toml()) as one:
        players = await seated(one, "Ann", "Ben")
        await players[0].until(lambda view: view.playing)
        one.send(number)
        await goodbyes(players)
        assert await one.wait() == 0


@posix_only
async def test_trap_A40_a_closed_terminal_says_goodbye_as_an_orderly_stop_does(tmp_path: Path) -> None:
    terminal = "import pty, sys; pty.spawn(sys.argv[1:])"
    async with program(tmp_path, toml(), wrapper=(sys.executable, "-c", terminal)) as one:
        players = await seated(one, "Ann", "Ben")
        await players[0].until(lambda view: view.playing)
        one.send(signal.SIGKILL)  # the terminal, with its server in it
        await goodbyes(players)


@posix_only
async def test_fault_73_a_second_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    async with program(tmp_path, toml()) as one:
        idle = await raw(one)  # they do not hang up, so that the orderly stop would wait for them and end with 0
        await greeted(one)
        one.send(signal.SIGINT)
        await idle.to_the_end()
        one.send(signal.SIGINT)
        assert await one.wait() == 130
        assert "Traceback" not in one.log.read_text()


@posix_only
async def test_fault_78_told_to_drain_the_first_signal_lets_the_hand_end_and_the_next_process_goes_on(
    tmp_path: Path,
) -> None:
    async with program(tmp_path, f"drain = true\n{toml()}") as one:
        players = await seated(one, "Ann", "Ben")
        for player in players:
            await player.until(lambda view: view.playing)
        one.send(signal.SIGTERM)
        while not (isinstance(heard := await players[0].next(), msg.Events) and said(heard)):
            pass
        await play(players, 1)
        assert await one.wait() == 0
        await one.start()
        again = await seated(one, "Ann", "Ben")
        await play(again, 2)


@posix_only
async def test_fault_74_nobody_is_late_because_the_process_was_stopped(tmp_path: Path) -> None:
    clock = 6
    async with program(tmp_path, toml(f"bet = {clock}\nbank = 0")) as one:
        players = await seated(one, "Ann", "Ben")
        for player in players:
            await player.until(lambda view: any(seat.pending for seat in view.seats))
        asked = next(player for player in players if player.pending is not None)
        pending = asked.pending
        assert pending is not None
        one.send(signal.SIGSTOP)
        await trio.sleep(clock + 1)
        one.send(signal.SIGCONT)
        await trio.sleep(0.5)  # long enough for a clock that has run out, and most of it is left for a busy machine
        await asked.act(calling(pending[1]), pending[0])
        await play(players, 1)
        frames = [message for message in asked.inbox if isinstance(message, msg.Events)]
        causes = [getattr(event, "cause", "") for frame in frames for event in frame.events]
        assert "timeout" not in causes


@needs_prlimit
async def test_fault_76_without_descriptors_it_takes_nobody_more_and_plays_on(tmp_path: Path) -> None:
    settings = toml(limits="connections = 999\nper_address = 999\ngreeting = 999")
    async with program(tmp_path, settings, wrapper=("prlimit", "--nofile=40")) as one:
        players = await seated(one, "Ann", "Ben")
        crowd = [await raw(one) for _ in range(60)]  # the kernel takes what the server does not
        for guest in crowd:
            await guest.send(msg.Hello(PROTOCOL, "test"))
        await play(players, 2)
        assert "accept.paused" in one.log.read_text()
        assert 0 < answered(crowd) < 38, "two of the descriptors are the players', some are the server's own"
        for guest in crowd:
            await guest.stream.aclose()
        late = await greeted(one, "Eve")
        await late.send(msg.Ping(7))
        assert (await late.expect(msg.Pong)).n == 7
        assert await one.stop() == 0


def answered(guests: list[WireClient]) -> int:
    """How many of them the server has sent something that they have not read."""
    streams = [guest.stream for guest in guests]
    descriptors = [stream.socket.fileno() for stream in streams if isinstance(stream, trio.SocketStream)]
    return len(select.select(descriptors, [], [], 0)[0])


@needs_prlimit
async def test_fault_75_where_memory_runs_out_what_was_shown_is_kept_and_the_next_process_plays_on(
    tmp_path: Path,
) -> None:
    """Memory runs out in the middle of a hand, wherever it does; the process may live or end."""
    settings = toml(limits="connections = 9999\nper_address = 9999\ngreeting = 9999")
    settings = settings.replace("[table.clocks]", "buy_in = 100_000\nbuy_in_most = 100_000\n[table.clocks]")
    async with program(tmp_path, settings) as one:
        players = await seated(one, "Ann", "Ben")
        await play(players, 1)
        assert one.process is not None
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(play_as_long_as_it_goes, player)
            await trio.run_process(["prlimit", "--pid", str(one.process.pid), "--as=1000000"])
            with contextlib.suppress(trio.BrokenResourceError, OSError):
                stands_still = False
                while not stands_still and not out_of_memory(one):
                    with trio.move_on_after(LIMIT / 12) as patience:
                        guest = await raw(one)
                        await guest.stream.send_all((16_000).to_bytes(4, "big") + bytes(15_000))  # it never ends
                    stands_still = patience.cancelled_caught
            nursery.cancel_scope.cancel()
        if one.process.returncode is None:
            one.process.kill()
        await one.wait()
        seen = max(player.view.seq for player in players)
        await one.start()
        again = [await greeted(one, player.name) for player in players]
        for player in again:
            await player.join()
            await player.expect(msg.Snapshot)
        assert again[0].view.seq >= seen
        assert again[0].view.hand >= 1
        await play(again, again[0].view.hand + 1)
        assert await one.stop() == 0


def out_of_memory(one: Site) -> bool:
    """Whether the process has met the limit: it has ended, or says so."""
    assert one.process is not None
    return one.process.returncode is not None or "MemoryError" in one.log.read_text()


async def play_as_long_as_it_goes(player: WireClient) -> None:
    """Until the connection breaks."""
    with contextlib.suppress(trio.BrokenResourceError, trio.EndOfChannel):
        await player.play(1_000_000)
