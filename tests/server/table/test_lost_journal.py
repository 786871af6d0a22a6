"""Faults 48 and 65: players have seen more than the journal holds. Two of them are believed, one is not."""

from typing import Any

import pytest
from trio.testing import MockClock

from protocol.view import hide
from protocol.wire import messages as msg
from server.table.lost_journal import LostJournal
from tests.support.loopback_server import WireClient
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}


def session_of(player: WireClient) -> str:
    """As the last snapshot said it."""
    return next(message.session for message in reversed(player.inbox) if isinstance(message, msg.Snapshot))


async def an_older_journal(here: SimulatedServer, *names: str) -> tuple[list[WireClient], int]:
    """People who have played two hands, and a server with a journal that ends in the first; its last event."""
    players = await here.seated(*names)
    known = await here.restart_with_old_journal(players)
    assert all(player.view.seq > known for player in players)
    return players, known


async def come_back(here: SimulatedServer, player: WireClient, seen: int | None = None) -> WireClient:
    """As the client does it: with what has been seen, and in which session."""
    again = await here.connect(player.name, player.token)
    again.view, again.acts = player.view, player.acts
    seen = player.view.seq if seen is None else seen
    await again.send(msg.Join(again.name, again.token, "main", seen=seen, session=session_of(player)))
    again.inbox = player.inbox
    return again


async def halted(here: SimulatedServer) -> msg.HaltCode | None:
    """Why the table takes nothing any more, once it is at rest."""
    await here.table.settled()
    return here.table.halted


async def until_snapshot(player: WireClient) -> list[str]:
    """The codes of what was rejected before it."""
    codes = []
    while not isinstance(message := await player.next(), msg.Snapshot):
        if isinstance(message, msg.Rejected):
            codes.append(message.code)
    player.seat = message.seat
    return codes


async def test_fault_48_65_a_table_stops_when_two_have_seen_more_than_its_journal_holds(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        players, _ = await an_older_journal(here, "Ann", "Ben", "Cho")
        ann = await come_back(here, players[0])
        assert await until_snapshot(ann) == ["log_behind"]
        assert await halted(here) is None
        spectator = await here.connect("Wil")
        await spectator.watch()
        ben = await come_back(here, players[1])
        assert await until_snapshot(ben) == ["log_behind"]
        for player in (ann, ben, spectator):
            last = await player.to_the_end()
            assert isinstance(last, msg.Bye)
            assert (last.code, last.again) == ("lost", False)
            assert "journal" in last.text
        assert await halted(here) == "lost"
        late = await come_back(here, players[2])
        refused = await late.next()
        assert isinstance(refused, msg.Rejected)
        assert refused.code == "lost"
        # The host starts it again with what there is: those who were shown the older table play on from it.
        await here.restart()
        ann, ben = await come_back(here, ann), await come_back(here, ben)
        for player in (ann, ben):
            player.seat = (await player.expect(msg.Joined)).seat
        cho = await come_back(here, players[2])
        assert await until_snapshot(cho) == ["log_behind"]
        await here.reach([ann, ben, cho], lambda view: view.hand == 2)
        for player in (ann, ben, cho):
            assert player.view == hide(here.table.state.view, player.seat)


async def test_fault_48_one_liar_stops_nobody(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        await here.settle([ann, ben])
        liar = ben
        for _ in range(3):
            liar = await come_back(here, liar, seen=1 << 40)
            assert await until_snapshot(liar) == ["log_behind"]
        await ann.send(msg.Say("still here"))
        await here.settle([ann, liar])
        assert not here.table.halted
        assert ann.view == hide(here.table.state.view, 1)


async def test_a_player_who_sits_alone_is_believed(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        await here.settle([ann])
        again = await come_back(here, ann, seen=1 << 40)
        assert await until_snapshot(again) == ["log_behind"]
        assert isinstance(await again.to_the_end(), msg.Bye)
        assert here.table.halted == "lost"


async def test_a_claim_about_another_session_means_nothing(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        await here.settle([ann])
        for session in ("", "1"):
            again = await here.connect("Ann", ann.token)
            await again.send(msg.Join("Ann", ann.token, seen=1 << 40, session=session))
            assert await until_snapshot(again) == (["log_behind"] if not session else [])
        assert not here.table.halted


@pytest.mark.parametrize("durability", ["hand", "none"])
async def test_fault_48_nobody_is_believed_where_the_disk_may_be_behind(
    durability: str, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(players=3, durability=durability, **RAZZ)) as here:
        players, _ = await an_older_journal(here, "Ann", "Ben", "Cho")
        back = [await come_back(here, player) for player in players]
        for player in back:
            await until_snapshot(player)
        await here.settle(back)
        assert not here.table.halted
        for player in back:
            assert player.view == hide(here.table.state.view, player.seat)


def test_fault_48_only_players_who_still_have_a_seat_count_as_witnesses() -> None:
    journal = LostJournal("action")
    assert not journal.suspected
    assert not journal.proven([b"ann", b"ben", b"cho"])
    journal.testimony(b"ann", of_this_session=True)
    journal.testimony(b"ann", of_this_session=True)
    journal.testimony(b"ben", of_this_session=False)
    assert journal.suspected
    assert not journal.proven([b"ann", b"ben", b"cho"])
    journal.testimony(b"gone", of_this_session=True)
    assert not journal.proven([b"ann", b"ben", b"cho"])
    assert journal.proven([b"ann"])
    journal.testimony(b"cho", of_this_session=True)
    assert journal.proven([b"ann", b"ben", b"cho"])
