"""get_hand over the wire: what a table tells of its hands that are over, to whom, and when it does not."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from protocol import events as ev
from protocol.journal.framing import SALT_BYTES
from protocol.view import TableView, hide
from protocol.visibility import project
from protocol.wire import messages as msg
from server.admission.seat_tokens import TOKEN_BYTES, token_digest
from server.config.limits import Limits
from server.storage.receipt_key import KEY_BYTES
from server.table.hand_history import RECENT_HANDS, search_files
from tests.support.limits import LIMIT
from tests.support.loopback_server import RunningServer, WireClient, calling, config, running
from tests.support.secret_events import check_secret_events

STUD: dict[str, Any] = {"games": ("razz",), "change": "never"}


async def ask(player: WireClient, hand: int = 0, after: int = 0) -> msg.HandRecord | msg.Rejected:
    """The answer to a request for a hand."""
    await player.send(msg.GetHand(hand, after))
    while True:
        message = await player.next()
        if isinstance(message, msg.HandRecord | msg.Rejected):
            return message


async def record(player: WireClient, hand: int = 0) -> msg.HandRecord:
    answer = await ask(player, hand)
    assert isinstance(answer, msg.HandRecord), answer
    return answer


async def code(player: WireClient, hand: int = 0) -> str:
    answer = await ask(player, hand)
    assert isinstance(answer, msg.Rejected), answer
    assert answer.hand == hand
    return answer.code


def as_host(house: RunningServer, seat: int | None, number: int) -> tuple[TableView, list[ev.AnyEvent]]:
    """The hand out of the journal, as that seat may see it."""
    hand = search_files(lambda file: Path(file).read_bytes(), house.table.journal_path, number, older=True)
    assert hand is not None
    return hide(hand.before, seat), [project(event, seat) for step in hand.steps for event in step.events]


async def check(house: RunningServer, player: WireClient, number: int, viewer: int) -> None:
    told = await record(player, number)
    view, events = as_host(house, viewer or None, number)
    assert (told.hand, told.viewer, told.more) == (number, viewer, False)
    assert told.view == view
    assert [event for step in told.steps for event in step.events] == events


async def test_fault_82_everybody_is_told_what_their_own_seat_saw(tmp_path: Path) -> None:
    async with running(config(tmp_path, players=3, **STUD)) as house:
        players = await house.seated("Ann", "Ben", "Cai")
        spectator = await house.connect("Dot")
        await spectator.watch()
        await house.play(players, 2)
        for player in players:
            await check(house, player, 2, player.seat)
            await check(house, player, 1, player.seat)
            assert (await record(player)).hand == 2
        await check(house, spectator, 2, 0)


async def test_fault_41_not_while_the_hand_is_played_and_never_one_that_was_not(tmp_path: Path) -> None:
    async with running(config(tmp_path, **STUD)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        assert await code(ann) in ("no_hand", "not_yet")
        await ann.until(lambda view: view.playing)
        assert await code(ann, 1) == "not_yet"
        assert await code(ann, 0) == "no_hand"
        for hand in (2, -1, 1 << 40):
            assert await code(ann, hand) == "no_hand"
        await house.play([ann, ben], 1)
        await check(house, ann, 1, ann.seat)
        lobby = await house.connect("Eve")
        answer = await ask(lobby, 1)
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "no_table"


async def test_fault_82_a_hand_that_is_being_played_is_told_as_far_as_the_own_seat_has_seen_it(tmp_path: Path) -> None:
    """A player who comes in the middle of a hand can be told its beginning; nothing in it is new to their seat."""
    async with running(config(tmp_path, players=2, **STUD)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await ann.until(lambda view: view.playing)
        wim = await house.connect("Wim")
        await wim.watch()
        running_hand = house.table.state.view.hand
        for player, seat in ((ann, 1), (ben, 2), (wim, None)):
            await player.send(msg.GetHand(running_hand, running=True))
            told = await player.expect(msg.HandRecord)
            assert (told.hand, told.viewer, told.more) == (running_hand, seat or 0, False)
            assert told.view is not None
            view = told.view.copy().apply_all([event for step in told.steps for event in step.events])
            assert view == hide(house.table.state.view, seat)


@pytest.mark.parametrize("game", ["barneys", "stud8"])
async def test_fault_82_a_hand_is_told_from_its_beginning_after_a_restart_in_the_middle_of_it(
    tmp_path: Path, game: str
) -> None:
    settings = config(tmp_path, players=3, seats=3, games=(game,))
    names = ("Ann", "Ben", "Cai")
    async with running(settings) as house:
        players = await house.seated(*names)
        await house.play(players, 1)
        for player in players:
            await player.send(msg.GoOn())
        await players[0].until(lambda view: view.hand == 2 and view.playing)
        for _ in range(12):
            await house.settle(players)
            asked = next(player for player in players if player.pending is not None)
            assert asked.pending is not None
            seq, request = asked.pending
            await asked.act(calling(request), seq)
            await asked.until(lambda view, seq=seq: view.seq > seq)  # type: ignore[misc]
        assert house.table.state.hand is not None
    async with running(settings) as house:
        assert house.table.state.hand is not None
        for seat, name in enumerate(names, 1):
            player = await house.connect(name)
            await player.join("main")
            await player.send(msg.GetHand(2, running=True))
            told = await player.expect(msg.HandRecord)
            assert told.view is not None
            assert isinstance(told.steps[0].events[0], ev.HandStarted)
            view = told.view.copy().apply_all([event for step in told.steps for event in step.events])
            assert view.seat(seat).down == house.table.state.view.seat(seat).down
            assert view.hand == 2


async def test_fault_41_the_new_owner_of_a_seat_is_told_what_everybody_saw(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, **STUD)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await house.play([ann, ben], 1)
        await ann.send(msg.StandUp())
        await ann.until(lambda view: not view.seat(1).name)
        zoe = await house.connect("Zoe")
        await zoe.join(seat=1)
        assert zoe.seat == ann.seat == 1
        await check(house, zoe, 1, 0)
        # Ann watches now; the token, not the seat, says whose cards Ann's were.
        await check(house, ann, 1, 1)
        await house.play([zoe, ben], 2)
        await check(house, zoe, 2, 1)
        await check(house, ann, 2, 0)


@pytest.mark.parametrize("rotate_bytes", [1 << 20, 1])
async def test_trap_A35_whoever_gets_a_seat_back_gets_its_hands_too_and_the_lost_key_gets_none(
    tmp_path: Path, rotate_bytes: int
) -> None:
    """Hands before and after it: the last ones, and those that are looked up in the journal, in one file or in many."""
    async with running(config(tmp_path, seats=3, rotate_bytes=rotate_bytes, **STUD)) as house:
        ann, lost = await house.seated("Ann", "Ben")
        await house.play([ann, lost], 1)
        await lost.close()
        await ann.until(lambda view: not view.seat(2).online)
        said = await house.table.obey(partial(house.table.host_words.give_back, "Ben"))
        ben = await house.connect("Ben", b"\7" * TOKEN_BYTES)
        word = next(part for part in said.split() if part[4:5] == "-")
        await ben.send(msg.Join("Ben", ben.token, "main", password=word))
        ben.seat = (await ben.expect(msg.Joined)).seat
        finder = await house.connect("Fay", lost.token)
        await finder.join(seat=3)
        for last in (1, RECENT_HANDS + 3):
            await house.play([ann, ben, finder], last)
            for hand in range(1, last + 1):
                await check(house, ann, hand, 1)
                await check(house, ben, hand, 2)
                await check(house, finder, hand, 3 if hand > 1 else 0)
            for player in (ann, ben, finder):
                await player.send(msg.GoOn())


async def test_fault_41_where_nobody_may_watch_a_hand_is_told_to_its_players_only(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=3, spectators=False, **STUD)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await house.play([ann, ben], 1)
        zoe = await house.connect("Zoe")
        await zoe.join()
        assert await code(zoe, 1) == "no_spectators"
        await check(house, ann, 1, ann.seat)


def secrets_beside(journal: Path) -> tuple[bytes, bytes]:
    """The salt of a journal's chain, and the key of the receipts."""
    (key,) = journal.parent.glob("*.key")
    salt, sealing = journal.read_bytes()[8:24], key.read_bytes()
    assert (len(salt), len(sealing)) == (SALT_BYTES, KEY_BYTES)
    return salt, sealing


async def test_fault_42_no_frame_holds_a_token_or_a_card_of_somebody_else(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("barneys",), change="never")) as house:
        players = await house.seated("Ann", "Ben", "Cai")
        await house.play(players, 3)
        for player in players:
            for hand in (1, 2, 3):
                await record(player, hand)
        for player in players:
            for other in players:
                if other is not player:
                    assert other.token not in player.received
                assert token_digest(other.token) not in player.received
        path = house.table.journal_path
    secrets = secrets_beside(Path(path))
    received = {player.seat: bytes(player.received) for player in players}
    assert not [secret for secret in secrets for sent in received.values() if secret in sent]
    assert check_secret_events(path, received) >= {"cards", "arrange", "declare"}


@pytest.mark.parametrize("durability", ["action", "hand"])
async def test_old_hands_are_looked_up_in_the_journal(tmp_path: Path, durability: str) -> None:
    async with running(config(tmp_path, durability=durability, **STUD)) as house:
        players = await house.seated("Ann", "Ben")
        await house.play(players, RECENT_HANDS + 4)
        for hand in (1, 2, RECENT_HANDS + 4):
            await check(house, players[0], hand, players[0].seat)


async def test_hands_from_before_a_restart(tmp_path: Path) -> None:
    async with running(config(tmp_path, **STUD)) as house:
        players = await house.seated("Ann", "Ben")
        await house.play(players, 2)
        told = await record(players[0], 1)
        path = house.table.journal_path
    async with running(config(tmp_path, **STUD)) as house:
        ann = await house.connect("Ann")
        await ann.join()
        assert house.table.journal_path == path
        assert await record(ann, 1) == told
        await check(house, ann, 2, ann.seat)


async def test_a_hand_that_was_begun_before_a_restart_is_told_whole(tmp_path: Path) -> None:
    async with running(config(tmp_path, **STUD)) as house:
        players = await house.seated("Ann", "Ben")
        await players[0].until(lambda view: view.playing)
    async with running(config(tmp_path, **STUD)) as house:
        players = [await house.connect(name) for name in ("Ann", "Ben")]
        for player in players:
            await player.join()
        await house.play(players, 1)
        await check(house, players[0], 1, players[0].seat)


async def test_too_many_requests_are_refused_and_play_goes_on(tmp_path: Path) -> None:
    limits = Limits(rate=1e6, burst=1e6)
    async with running(config(tmp_path, limits=limits, **STUD)) as house:
        players = await house.seated("Ann", "Ben")
        await house.play(players, 1)
        answers = [await ask(players[0], 1) for _ in range(int(limits.hand_burst) + 5)]
        refused = [answer for answer in answers if isinstance(answer, msg.Rejected)]
        assert 0 < len(refused) <= 5
        assert {answer.code for answer in refused} == {"busy"}
        assert isinstance(await ask(players[1], 1), msg.HandRecord)
        for player in players:
            await player.send(msg.GoOn())
        await players[0].until(lambda view: view.hand == 2)


async def test_one_search_in_the_journal_at_a_time(tmp_path: Path) -> None:
    limits = Limits(rate=1e6, burst=1e6, hand_burst=100)
    async with running(config(tmp_path, limits=limits, **STUD)) as house:
        players = await house.seated("Ann", "Ben")
        await house.play(players, RECENT_HANDS + 3)
        await players[0].send(msg.GetHand(1))
        await players[0].send(msg.GetHand(2))
        answers: list[msg.HandRecord | msg.Rejected] = []
        with trio.fail_after(LIMIT):
            while len(answers) < 2:
                message = await players[0].next()
                if isinstance(message, msg.HandRecord | msg.Rejected):
                    answers.append(message)
        assert {answer.hand for answer in answers} == {1, 2}
        assert any(isinstance(answer, msg.HandRecord) for answer in answers)
        assert all(answer.code == "busy" for answer in answers if isinstance(answer, msg.Rejected))


async def test_an_unreadable_journal_costs_the_answer_and_nothing_else(tmp_path: Path) -> None:
    async with running(config(tmp_path, **STUD)) as house:
        players = await house.seated("Ann", "Ben")
        await house.play(players, RECENT_HANDS + 2)
        path = trio.Path(house.table.journal_path)
        content = await path.read_bytes()
        await path.write_bytes(content[:40] + bytes(100) + content[140:])
        assert await code(players[0], 1) == "no_hand"
        await path.write_bytes(content)
        await check(house, players[0], 1, players[0].seat)
