"""Seats of players who do not come back (fault 88), and players who stand up where nobody may watch (fault 89)."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock

from protocol.events import PlayerLeft
from protocol.table_rules import Clocks
from protocol.wire import messages as msg
from server.config.limits import Limits
from tests.support.loopback_server import FAST, WireClient
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

CLOCKS = Clocks(bet=2, choose=2, arrange=2, declare=2, bank=0, result=1, grace=0)
RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never", "clocks": CLOCKS}


def names(here: SimulatedServer) -> list[str]:
    return [player.name for player in here.table.state.view.players()]


async def left(here: SimulatedServer, gone: WireClient, stay: list[WireClient], hands: int) -> int:
    """One player hangs up, the others play on; the chips that the player has then."""
    await here.reach([*stay, gone], lambda view: view.hand == 1 and not view.playing)
    await gone.close()
    await here.reach(stay, lambda view: view.hand == hands)
    return next(player.chips for player in here.table.state.view.players() if player.name == gone.name)


@pytest.mark.parametrize("restarts", [False, True], ids=["running", "after a restart"])
async def test_fault_88_a_seat_is_free_after_so_many_hands_without_its_player(
    autojump_clock: MockClock, restarts: bool
) -> None:
    async with simulated_server(settings(players=3, seats=3, absent_hands=4, rotate_bytes=3000, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        chips = await left(here, cho, [ann, ben], 4)
        await here.reach([ann, ben], lambda view: view.hand == 7)
        assert names(here) == ["Ann", "Ben"]
        shown = [event for message in ann.inbox if isinstance(message, msg.Events) for event in message.events]
        assert [event.why for event in shown if isinstance(event, PlayerLeft)] == ["not there for 4 hands"]
        if restarts:
            await here.restart()
            ann, ben = await here.back([ann, ben])
        # Nobody else gets the name; the token brings name and chips back, whatever was asked for.
        thief = await here.connect("Cho", b"\7" * 32)
        await thief.send(msg.Join("Cho", thief.token))
        assert (await thief.expect(msg.Rejected)).code == "name_taken"
        again = await here.connect("Other", cho.token)
        await again.join(chips=1000)
        seat = here.table.state.view.seat(again.seat)
        assert (seat.name, seat.chips, seat.online) == ("Cho", chips, True)
        assert not here.table.state.kept
        assert here.table.state.view.chips() == 300


async def test_fault_88_who_comes_back_in_time_keeps_the_seat(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, absent_hands=4, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        await left(here, cho, [ann, ben], 3)
        (cho,) = await here.back([cho])
        await here.reach([ann, ben, cho], lambda view: view.hand == 8)
        assert names(here) == ["Ann", "Ben", "Cho"]


async def test_fault_88_no_seat_is_freed_where_the_host_wants_none_freed(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, absent_hands=0, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        await left(here, cho, [ann, ben], 40)
        assert names(here) == ["Ann", "Ben", "Cho"]


async def test_fault_88_where_no_hand_can_be_played_a_guest_gets_the_seat_of_who_is_long_gone(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(seats=3, players=3, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        await ann.close()
        await ben.close()
        (cho,) = await here.seated("Cho")
        guest = await here.connect("Dov")
        await cho.send(msg.SitOut())
        await here.reach([cho], lambda view: not view.playing and len(here.table.state.ready()) < 2)
        await guest.send(msg.Join("Dov", guest.token, "main"))
        assert (await guest.expect(msg.Rejected)).code == "full"
        await guest.close()
        for _ in range(70):  # somebody is there, and pings
            await trio.sleep(10)
            await cho.send(msg.Ping())
        guest = await here.connect("Dov")
        await guest.join("main")
        assert guest.seat == 1
        assert sorted(names(here)) == ["Ben", "Cho", "Dov"]
        assert [name for name, _ in here.table.state.kept.values()] == ["Ann"]


async def test_fault_88_the_host_frees_a_seat_in_the_middle_of_a_hand(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        ann, ben, cho = players = await here.seated("Ann", "Ben", "Cho")
        await here.reach(players, lambda view: view.hand == 1 and len(view.seats[0].up) >= 2)
        await cho.close()
        here.table.free_seat(3, "the host has freed the seat")
        here.table.free_seat(3, "twice is fine")
        here.table.free_seat(9, "there is no such seat")
        assert names(here) == ["Ann", "Ben", "Cho"]
        await here.reach([ann, ben], lambda view: view.hand == 2)
        assert names(here) == ["Ann", "Ben"]
        again = await here.connect("Cho")
        await again.join()
        assert here.table.state.view.chips() == 300


@pytest.mark.parametrize(
    ("rules", "watchers", "code"), [({"spectators": False}, 200, "no_spectators"), ({}, 0, "too_many")]
)
async def test_fault_89_standing_up_makes_no_spectator_where_there_may_be_none(
    autojump_clock: MockClock, rules: dict[str, Any], watchers: int, code: str
) -> None:
    limits = Limits(rate=FAST.rate, burst=FAST.burst, watchers=watchers)
    async with simulated_server(settings(limits=limits, players=3, **rules, **RAZZ)) as here:
        ann, ben, cho = players = await here.seated("Ann", "Ben", "Cho")
        await here.reach(players, lambda view: view.hand == 1 and not view.playing)
        await cho.send(msg.StandUp())
        assert (await cho.expect(msg.Rejected)).code == code
        seen = cho.view.seq
        await here.reach([ann, ben], lambda view: view.hand == 3)
        assert not here.table.audience.spectators
        await cho.send(msg.Ping(1))
        assert await cho.next() == msg.Pong(1)
        assert cho.view.seq == seen
        await cho.send(msg.GetHand(1))  # their own hand is still theirs
        assert isinstance(await cho.next(), msg.HandRecord)
        await cho.join()
        assert names(here) == ["Ann", "Ben", "Cho"]
