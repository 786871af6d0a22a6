"""A player moves to a free seat between two hands, and keeps chips, time bank, role and hands."""

from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from protocol.events import PlayerLeft, PlayerSeated
from protocol.wire import messages as msg
from replays.ledger import ledger
from replays.library import list_hands
from tests.support.loopback_server import WireClient, config, running
from tests.support.memory_guest import MemoryGuest
from tests.support.single_table import SingleTable


def told(guest: MemoryGuest) -> list[str]:
    """What the guest alone was told in answer to their words."""
    return [message.text for message in guest.inbox if isinstance(message, msg.HostAnswer | msg.Rejected)]


def three(tmp_path: Path, **settings: Any) -> tuple[SingleTable, MemoryGuest, MemoryGuest]:
    """Ann and Ben at a table of five seats that begins to play with the third player."""
    place = SingleTable(tmp_path, **{"seats": 5, "players": 3, **settings})
    return place, MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)


async def test_a_player_moves_at_once_while_no_hand_is_played(tmp_path: Path, autojump_clock: MockClock) -> None:
    place, ann, ben = three(tmp_path)
    place.table.ask(ann, msg.MoveSeat(5))
    assert (ann.seat, ann.view.seat(5).name, ann.view.seat(5).chips, ann.view.seat(1).name) == (5, "Ann", 100, "")
    assert [message for message in ann.inbox if isinstance(message, msg.Joined)][-1] == msg.Joined("main", 5)
    assert not any(isinstance(event, PlayerLeft) for event in ann.events()), "it would end the player's session"
    left, seated = ben.events()[-2:]
    assert left == PlayerLeft(1, "Ann", 100, "moves to seat 5")
    assert seated == PlayerSeated(5, "Ann", 100)
    assert [player.seat for player in ben.view.players()] == [2, 5]
    assert place.table.state.kept == {}
    cai = MemoryGuest("Cai").sit(place.table)
    assert cai.seat == 1
    assert ann.view.playing
    assert ann.view.seq == ben.view.seq == place.table.state.seq


@pytest.mark.parametrize(
    ("to", "why"),
    [(2, "Ben sits in seat 2."), *[(to, f"There is no seat {to}; the table has 5.") for to in (-1, 0, 6)]],
)
async def test_a_seat_that_is_taken_or_does_not_exist_is_refused(
    tmp_path: Path, autojump_clock: MockClock, to: int, why: str
) -> None:
    place, ann, _ = three(tmp_path)
    place.table.ask(ann, msg.MoveSeat(to))
    assert (told(ann), ann.seat) == ([why], 1)


async def test_during_a_hand_a_move_waits_is_replaced_and_taken_back(tmp_path: Path, autojump_clock: MockClock) -> None:
    place, ann, ben = three(tmp_path)
    cai = MemoryGuest("Cai").sit(place.table)
    place.table.ask(ann, msg.MoveSeat(4))
    place.table.ask(ann, msg.MoveSeat(5))
    place.table.ask(ben, msg.MoveSeat(5))
    place.table.ask(ben, msg.MoveSeat(4))
    place.table.ask(ben, msg.MoveSeat(2))
    assert told(ann) == [f"You move to seat {to} before the next hand; /move 1 takes that back." for to in (4, 5)]
    assert told(ben)[::2] == ["Ann moves to seat 5.", "You stay in seat 2."]
    assert (ann.seat, ben.seat, cai.seat) == (1, 2, 3)
    play_out(place, ann, ben, cai)
    assert (ann.seat, ben.seat) == (1, 2), "the result still stands"
    await until_dealt(place, 2)
    assert (ann.seat, ben.seat, cai.seat) == (5, 2, 3)
    assert place.table.state.view.seat(5).name == "Ann"
    assert place.table.state.view.chips() == 300


def play_out(place: SingleTable, *guests: MemoryGuest) -> None:
    """Everybody answers until the hand is over."""
    hand, number = place.table.state.view.hand, 0
    while place.table.state.view.playing and place.table.state.view.hand == hand:
        asked = next(guest for guest in guests if guest.seat in place.table.state.pending)
        number += 1
        asked.answer(100 * hand + number)


async def until_dealt(place: SingleTable, hand: int) -> None:
    """Lets the clocks of the table run until that hand is being played."""
    for _ in range(20):
        if place.table.state.view.hand == hand:
            return
        await trio.sleep(1)
        place.table.tick()
    raise AssertionError("no hand was dealt")


async def test_the_last_dealer_does_not_move_to_where_they_would_deal_again(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    place, ann, ben = three(tmp_path)
    cai = MemoryGuest("Cai").sit(place.table)
    play_out(place, ann, ben, cai)
    assert place.table.state.view.button == 1
    place.table.ask(cai, msg.StandUp())
    place.table.ask(ben, msg.MoveSeat(4))
    await until_dealt(place, 2)
    assert (ben.seat, place.table.state.view.button) == (4, 4)
    play_out(place, ann, ben)
    place.table.ask(ben, msg.MoveSeat(5))
    await until_dealt(place, 3)
    assert told(ben)[-1] == "In seat 5 you would be the dealer again at once. Move after the next hand."
    assert (ben.seat, place.table.state.view.button) == (4, 1)


async def test_who_sits_out_still_does_after_a_move_and_a_host_stays_one(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    place, ann, ben = three(tmp_path, first_is_host=True)
    place.table.ask(ann, msg.SitOut())
    place.table.ask(ann, msg.MoveSeat(4))
    for view in (ann.view, ben.view, place.table.state.view):
        assert view.seat(4).away
        assert view.is_host(4)
        assert not view.is_host(1)
    place.table._dealer.give_bank(4, 7.0)
    place.table.ask(ann, msg.MoveSeat(3))
    (*_, snapshot) = [message for message in ann.inbox if isinstance(message, msg.Snapshot)]
    assert snapshot.banks == ((3, 70),)


@pytest.mark.parametrize("killed", [False, True], ids=["running", "after a restart"])
async def test_a_player_who_was_cut_off_around_the_move_comes_back_to_the_new_seat(
    tmp_path: Path, autojump_clock: MockClock, killed: bool
) -> None:
    place, ann, _ = three(tmp_path)
    before = ann.view.seq, ann.session, ann.receipt
    place.table.ask(ann, msg.MoveSeat(5))
    place.table.gone(ann)
    if killed:
        place.restart()
    back = MemoryGuest("Ann")
    back.session, back.receipt = before[1:]
    back.view.seq = before[0]  # the move never arrived
    back.sit(place.table)
    assert (back.seat, first_kinds(back)) == (5, ["Joined", "Snapshot"])
    assert back.view.seat(5).name == "Ann"
    assert back.view.seat(5).chips == 100
    assert place.table.state.view.seat(2).name == "Ben"


def first_kinds(guest: MemoryGuest) -> list[str]:
    """The kinds of the first two messages."""
    return [type(message).__name__ for message in guest.inbox][:2]


async def test_who_is_away_when_the_hand_ends_moves_when_they_are_back(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    place, ann, ben = three(tmp_path, absent_hands=0)
    cai = MemoryGuest("Cai").sit(place.table)
    place.table.ask(cai, msg.MoveSeat(5))
    play_out(place, ann, ben, cai)
    place.table.gone(cai)
    await until_dealt(place, 2)
    assert place.table.state.view.seat(3).name == "Cai"
    back = MemoryGuest("Cai").sit(place.table)
    play_out(place, ann, ben, back)
    await until_dealt(place, 3)
    assert back.seat == 5


async def test_over_sockets_a_moved_player_plays_on_keeps_their_hands_and_the_ledger_sums_to_zero(
    tmp_path: Path,
) -> None:
    async with running(config(tmp_path, seats=4)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await house.play([ann, ben], 1)
        await ann.send(msg.MoveSeat(4))
        await joined(ann)
        await ann.expect(msg.Snapshot)
        assert ann.seat == 4
        await house.play([ann, ben], 3)
        eve = await house.connect("Eve")
        await eve.join("main", seat=1)
        await eve.send(msg.GetHand(1))
        assert (await eve.expect(msg.HandRecord)).viewer == 0, "nothing of the hand of the player before"
        await ann.send(msg.GetHand(1))
        assert (await ann.expect(msg.HandRecord)).viewer == 1
        await ann.send(msg.GetHand(3))
        assert (await ann.expect(msg.HandRecord)).viewer == 4
        folder = Path(house.table.journal_path).parent
    accounts = ledger(list_hands(folder))
    assert sum(account.net for account in accounts) == 0
    assert {account.name: (account.bought, account.buys) for account in accounts} == {"Ann": (100, 1), "Ben": (100, 1)}


async def joined(client: WireClient) -> None:
    """Reads until the client is told its seat."""
    while not isinstance(message := await client.next(), msg.Joined):
        pass
    client.seat = message.seat
