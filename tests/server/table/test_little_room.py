"""Fault 55: a disk with too little room for a hand, before the first hand, between hands and at a halted table."""

import io
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from protocol.events import Said
from protocol.table_rules import Clocks
from protocol.wire import messages as msg
from server.app.operator_log import make_log
from server.storage.journal_file import MIN_FREE_BYTES
from server.table.pipeline import WHY_HALTED
from tests.support.simulated_server import PATIENT, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never", "players": 2, "clocks": Clocks(result=0)}


@pytest.mark.parametrize("first", [True, False], ids=["first hand", "later hand"])
async def test_fault_55_no_hand_is_dealt_without_room_for_it(autojump_clock: MockClock, first: bool) -> None:
    out = io.StringIO()
    async with simulated_server(settings(limits=PATIENT, **RAZZ), make_log(out, "info")) as here:
        players = await here.seated("Ann")
        if first:
            here.disk.room = MIN_FREE_BYTES - 1
        players += await here.seated("Ben")
        if not first:
            await here.reach(players, lambda view: view.hand == 1 and view.playing)
            here.disk.room = MIN_FREE_BYTES - 1
            await here.reach(players, lambda view: not view.playing)
        dealt = 0 if first else 1
        await trio.sleep(60)
        assert here.table.state.view.hand == dealt
        assert not here.table.halted
        assert "table.disk_full" in out.getvalue()
        here.disk.room = MIN_FREE_BYTES + (1 << 20)
        await here.reach(players, lambda view: view.hand == dealt + 1)


async def test_fault_55_where_nothing_is_synced_nobody_waits_for_room(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, durability="none", **RAZZ)) as here:
        here.disk.room = MIN_FREE_BYTES - 1
        await here.reach(await here.seated("Ann", "Ben"), lambda view: view.hand == 1)


async def test_fault_55_a_halted_table_waits_for_the_room_of_a_hand(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.hand == 1 and view.playing)
        here.disk.room = 0
        await players[0].send(msg.Say("there is no room for this"))
        assert isinstance(await players[0].to_the_end(), msg.Bye)
        here.disk.room = MIN_FREE_BYTES - 1
        await trio.sleep(60)
        assert here.table.halted == "storage"
        here.disk.room = None
        await trio.sleep(60)
        assert not here.table.halted
        players = await here.back(players)
        await here.reach(players, lambda view: view.hand == 2)


async def test_trap_A36_those_who_wait_for_a_hand_read_why(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        here.disk.room = MIN_FREE_BYTES - 1
        players = await here.seated("Ann", "Ben")
        await trio.sleep(60)
        (late,) = await here.seated("Cho")
        await late.send(msg.Ping(1))
        await late.expect(msg.Pong)
        snapshots = [message for message in late.inbox if isinstance(message, msg.Snapshot)]
        assert [snapshot.notice for snapshot in snapshots] == [WHY_HALTED["storage"]]
        here.disk.room = None
        players.append(late)
        await here.reach(players, lambda view: view.hand == 1)
        for player in players[:2]:
            events = [event for message in player.inbox if isinstance(message, msg.Events) for event in message.events]
            said = [(event.name, event.text) for event in events if isinstance(event, Said)]
            assert said == [("", WHY_HALTED["storage"])], "once, not with every attempt"


@pytest.mark.parametrize("room", [0, 100], ids=["full", "room for half a file"])
async def test_trap_A36_a_server_starts_on_a_full_disk_and_its_table_goes_on_when_there_is_room(
    autojump_clock: MockClock, room: int
) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.hand == 1 and len(view.seats[0].up) == 2)
        before = here.table.state.view.copy()
        await here.crash()
        files = here.disk.names()
        here.disk.room = room
        await here.start()
        assert here.table.halted == "storage"
        ann = await here.connect("Ann", players[0].token)
        await ann.send(msg.Join("Ann", ann.token, "main"))
        assert await ann.expect(msg.Rejected) == msg.Rejected.of("storage", WHY_HALTED["storage"])
        await trio.sleep(60)
        assert here.table.halted == "storage"
        assert here.disk.names() - files == set(), "nothing half made is left"
        here.disk.room = None
        await trio.sleep(60)
        assert not here.table.halted
        players = await here.back(players)
        view = here.table.state.view
        assert (view.hand, view.seat(1).down) == (1, before.seat(1).down)
        await here.reach(players, lambda view: view.hand == 2)
