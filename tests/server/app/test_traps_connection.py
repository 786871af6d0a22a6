"""Reports about peers' connections and secrets, against a whole server in memory (`traps` A04, A20-A28)."""

import random
import tracemalloc
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from client.bots.simple import passive, random_legal
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.cards import Card
from protocol.events import ActionRequested, AnyEvent
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.table_rules import Clocks
from protocol.view import TableView, hide
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server, encode_value
from protocol.wire.frames import SERVER_CAP, FrameDecoder
from server.admission.seat_tokens import token_digest
from server.table.shuffler import Shuffler
from tests.simulation.oracles import cards_in
from tests.support.limits import length
from tests.support.loopback_server import WireClient, calling, fill
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

HANDS = length(150, 500)
RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}


def events_of(here: SimulatedServer) -> list[AnyEvent]:
    """Everything that has happened, from the journal."""
    return [event for step in steps_of(here) for event in step.events]


def steps_of(here: SimulatedServer) -> list[StepRecord]:
    records = [decode_record(record) for record in scan(here.disk.read_all(here.table.journal_path)).records]
    return [record for record in records if isinstance(record, StepRecord)]


async def test_trap_A04_two_players_who_drop_at_once_hurt_nobody(autojump_clock: MockClock) -> None:
    """p1 and p2 are all in for less, p3 and p4 go on and lose their connections in the same moment."""
    clocks = Clocks(bet=5, bank=0, result=2, grace=0)
    stakes = {"plainrazz": {"ante": 10, "bring_in": 20, "small": 50, "big": 100}}
    async with simulated_server(
        settings(limits=PATIENT, clocks=clocks, players=4, stakes=stakes, misses=9, **RAZZ)
    ) as here:
        players = [await here.connect(name) for name in ("Ann", "Ben", "Cho", "Dov")]
        for player, chips in zip(players, (60, 60, 500, 500), strict=True):
            await player.join(chips=chips)

        def both_all_in(view: TableView) -> bool:
            return all(seat.all_in for seat in view.seats[:2]) and len(view.seats[2].up) >= 2

        await here.reach(players, both_all_in, wager)
        assert here.table.state.view.seat(3).hand == here.table.state.view.seat(4).hand == "live"
        for wire in here.wires[2:]:
            wire.cut(random.Random(1))
        ann, ben = players[:2]
        with trio.fail_after(300):
            await here.reach([ann, ben], lambda view: not view.playing)
        assert not here.table.halted
        assert not any(isinstance(message, msg.Rejected | msg.Bye) for one in (ann, ben) for message in one.inbox)
        assert here.table.state.view.chips() == 1120
        for player in (ann, ben):  # the player who lost buys chips, so that another hand can start
            await player.send(msg.TopUp(20))
        await here.reach([ann, ben], lambda view: view.hand == 2)
        assert sum(isinstance(event, ev.HandEnded) for event in events_of(here)) >= 1
        await here.back(players[2:])


def wager(request: ActionRequested) -> Action:
    """Bets and raises as long as it may."""
    for kind in ("complete", "bet", "raise", "call"):
        for option in request.options:
            if option.kind == kind:
                return fill(option)
    return calling(request)


@pytest.mark.slow
async def test_trap_A20_coming_back_at_any_moment_ends_at_the_same_table(autojump_clock: MockClock) -> None:
    """200 moments, the ones between two hands among them."""
    rng = random.Random(20)
    clocks = Clocks(bet=30, result=1)
    async with simulated_server(settings(limits=PATIENT, clocks=clocks, **RAZZ)) as here:
        ben = (await here.seated("Ben"))[0]
        moments = 0
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_playing, ben)
            place = SeatRequest("Ann", lambda table: b"a" * 32)
            session = ClientSession(here.dial, place, pauses=(0.01,), now=trio.current_time)
            session.on_change.append(lambda events: stay_in(session))
            nursery.start_soon(session.run)
            await trio.sleep(1)
            for _ in range(200):
                await trio.sleep(rng.choice([0.0, 0.0003, 0.01, 0.7, 1.0, 1.0001]))
                wire = here.wires[-1]
                moments += not here.table.state.view.playing
                wire.cut(rng)
                await until(lambda: session.status != "online")
                await until(lambda: session.status == "online" and session.view.seq == here.table.state.seq)
                assert session.view == hide(here.table.state.view, session.seat)
            hand = session.view.hand
            await until(lambda: session.view.hand == hand + 2)  # and the player can act
            nursery.cancel_scope.cancel()
        assert moments > 20
        assert not [e for e in events_of(here) if isinstance(e, ev.Acted) and e.cause != "player"]


def stay_in(session: ClientSession) -> None:
    if session.pending is not None:
        session.act(passive(session.pending.request))


async def keep_playing(player: WireClient) -> None:
    """Answers at once, for ever."""
    answered = 0
    while True:
        asked = player.pending
        if asked is not None and asked[0] > answered:
            answered = asked[0]
            await player.act(calling(asked[1]), answered)
        await player.next()


@pytest.mark.parametrize("seed", range(12))
async def test_trap_A21_a_gap_of_three_seconds_leaves_nobody_out_of_step(autojump_clock: MockClock, seed: int) -> None:
    """An action that met the gap is done once, or the player is asked again."""
    rng = random.Random(seed)
    async with simulated_server(settings(limits=PATIENT, clocks=Clocks(bet=30, result=1), **RAZZ)) as here:
        ben = (await here.seated("Ben"))[0]
        over = 0.0
        sent: list[msg.Act] = []

        async def dial() -> trio.abc.Stream:
            await trio.sleep(max(0.0, over - trio.current_time()))
            return here.wire(sent.append).stream

        session = ClientSession(dial, SeatRequest("Ann", lambda table: b"a" * 32), now=trio.current_time)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session.run)
            nursery.start_soon(keep_playing, ben)
            for _ in range(rng.randrange(1, 6)):
                await answer(session)
            before = here.table.state.seq
            over = trio.current_time() + 3
            await answer(session)
            await trio.sleep(rng.choice([0.0, 0.0001, 0.0002]))
            here.wires[-1].cut(rng)
            await trio.sleep(4)
            await until(lambda: session.status == "online" and session.view.seq == here.table.state.seq)
            nursery.cancel_scope.cancel()
        fresh = await here.connect("Ann", b"a" * 32)
        await fresh.join()
        await here.settle([fresh])
        assert fresh.view.seats[1].name == "Ann"
        done = [event for event in events_of(here)[before:] if isinstance(event, ev.Acted) and event.seat == 2]
        assert done[0].cause == "player", "the action was neither done nor asked for again"
        ids = [
            step.command.id for step in steps_of(here) if isinstance(step.command, cmd.Act) and step.command.seat == 2
        ]
        assert ids == sorted(set(ids))
        assert set(ids) <= {act.id for act in sent}


async def answer(session: ClientSession) -> None:
    """Stays in when it is asked."""
    await until(lambda: session.pending is not None)
    assert session.pending is not None
    session.act(passive(session.pending.request))


async def until(reached: Callable[[], bool]) -> None:
    for _ in range(10_000):
        if reached():
            return
        await trio.sleep(0.01)
    raise AssertionError("it never came to that")


class Planted(Shuffler):
    """Decks whose low cards lie at the bottom, so that no seat, pot or count looks like a card in the bytes."""

    def deck(self) -> tuple[Card, ...]:
        deck = super().deck()
        return tuple([card for card in deck if card > 8] + [card for card in deck if card <= 8])


def declarations_of(steps: list[StepRecord]) -> Iterator[tuple[int, int, set[int], bytes]]:
    """(first event, last event, the seats that have declared, bytes): until everybody has, no other seat and no
    spectator may be sent a direction at all, and each declaration is its own seat's.
    """
    declared: set[int] = set()
    events = [event for step in steps for event in step.events]
    for number, event in enumerate(events, 1):
        if isinstance(event, ev.ChoiceMade) and event.decision == "declare":
            declared.add(event.seat)
            end = number
            while end < len(events) and not isinstance(events[end], ev.ChoiceMade | ev.Declared | ev.HandVoided):
                end += 1
            yield number, end, set(declared), b"\xa9direction"
            while end < len(events) and not isinstance(events[end], ev.Declared | ev.HandVoided):
                end += 1
            yield number, end, {event.seat}, encode_value(event)
        elif isinstance(event, ev.HandStarted):
            declared.clear()


def secrets_of(steps: list[StepRecord]) -> Iterator[tuple[int, int, int, bytes]]:
    """(first event, last event, the one seat that may know, bytes that nobody else may be sent from the one to the
    other): rows of down cards in any order, a card that a hidden choice names, what lies in the deck.
    """
    events = [event for step in steps for event in step.events]
    for step in steps:
        if isinstance(step.command, cmd.StartHand):
            end = next_hand(events, step.seq + len(step.events))
            for at in range(49):
                yield step.seq, end, 0, bytes(step.command.deck[at : at + 4])
    for number, event in enumerate(events, 1):
        if isinstance(event, ev.CardsDealt):
            for seat, down, _ in event.cards:
                row = [card for card in down if card is not None]
                end = next_hand(events, number, set(row))
                for card in row:
                    yield number, end, seat, b"\xa5cards\x91" + bytes([card])
                for order in permutations(row) if len(row) > 1 else ():
                    yield number, end, seat, bytes([0x90 | len(row), *order])


def next_hand(events: list[AnyEvent], start: int, cards: set[Card] | None = None) -> int:
    """The last event behind `start` before the next hand, or before one of the cards is opened to everybody."""
    for number, event in enumerate(events[start:], start + 1):
        opened = cards_in(event) if isinstance(event, ev.CardsTurned | ev.HandShown | ev.CommunityDealt) else ()
        if isinstance(event, ev.HandStarted) or (cards and cards & set(opened)):
            return number - 1
    return len(events)


def found_in(sent: bytes, seat: int, secrets: list[tuple[int, int, set[int], bytes]]) -> list[bytes]:
    """The secrets that are in the bytes which a seat was sent while they were secrets."""
    seqs: list[int] = []
    bodies: list[bytes] = []
    seq = 0
    for body in FrameDecoder(SERVER_CAP).feed(sent):
        message = decode_from_server(body)
        if isinstance(message, msg.Events):
            seq = message.seq + len(message.events) - 1
        elif isinstance(message, msg.Snapshot):
            seq = message.view.seq
        elif isinstance(message, msg.HandRecord):
            continue  # old hands have tests of their own: test_hand_records
        seqs.append(seq)
        bodies.append(body)
    assert seqs == sorted(seqs)
    begun, ended = (seqs[0], seqs[-1]) if seqs else (0, -1)
    found: list[bytes] = []
    spans: dict[tuple[int, int], bytes] = {}
    for first, last, knowing, secret in secrets:
        if first <= ended and last >= begun and seat not in knowing:
            if (first, last) not in spans:
                spans[first, last] = b"".join(bodies[bisect_left(seqs, first) : bisect_right(seqs, last)])
            if secret in spans[first, last]:
                found.append(secret)
    return found


async def played(here: SimulatedServer, hands: int, rng: random.Random) -> list[int]:
    """Plays hands with everything that may happen meanwhile; the seat behind each wire."""
    players = await here.seated("Ann", "Ben", "Cho")
    spectator = await here.connect("Eve")
    await spectator.watch()
    seats = [1, 2, 3, 0]

    def choose(request: ActionRequested) -> Action:
        action = random_legal(request, rng) if rng.random() < 0.7 else calling(request)
        # Players who fold whenever chance says so come to a declaration once in 500 hands.
        return calling(request) if action.kind == "fold" and rng.random() < 0.9 else action

    def on_the_way(view: TableView) -> bool:
        return view.hand >= hand and view.playing and rng.random() < 0.2

    for hand in range(1, hands + 1):
        await here.reach([*players, spectator], on_the_way, choose)
        number = rng.randrange(3)
        match rng.randrange(8):
            case 0:  # comes back and is told what was missed, or everything
                if rng.random() < 0.5:
                    players[number].view = TableView()
                before = players[number]
                (players[number],) = await here.back([before])
                await before.close()
                seats.append(number + 1)
            case 1:
                await players[number].send(msg.Act(10**6, 3, Action("fold")))
                await players[number].send(
                    msg.Act(players[number].acts + 1, here.table.state.seq, Action("raise", to=7))
                )
                await players[number].send(msg.ListTables())
                await players[number].send(msg.GetHand(max(0, hand - 2)))
                players[number].acts += 1
            case 2:
                await spectator.send(msg.Act(1, here.table.state.seq, Action("check")))
                await spectator.send(msg.GetHand())
            case _:
                pass
        for player in players:
            await player.send(msg.TopUp(1000 - here.table.state.view.seat(player.seat).chips))
    return seats


@pytest.mark.slow
async def test_trap_A22_no_byte_of_many_hands_holds_what_its_receiver_may_not_know(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events, errors, the lobby, snapshots after coming back: every byte, for every client."""
    monkeypatch.setattr("server.app.table_opening.Shuffler", Planted)
    games = ("barneys", "stud8", "razz", "stud")
    table: dict[str, Any] = {"games": games, "change": "hand", "players": 3, "buy_in": 1000}
    async with simulated_server(settings(limits=PATIENT, clocks=Clocks(result=0), **table)) as here:
        here.weather.delay = 1e-9  # what the server sends is looked at, not when it arrives
        seats = await played(here, HANDS, random.Random(22))
        steps = steps_of(here)
        cards = [(first, last, {owner}, secret) for first, last, owner, secret in secrets_of(steps)]
        declarations = list(declarations_of(steps))
        assert len(declarations) > HANDS / 50
        secrets = cards + declarations
        tokens = [secret for one in here.clients for secret in (one.token, token_digest(one.token))]
        assert len(secrets) > 30 * HANDS
        for seat, sent in zip(seats, here.tapped, strict=True):
            assert found_in(bytes(sent), seat, secrets) == []
            assert not any(token in sent for token in tokens)
        # The search would have found something: each seat's own secrets are in its own bytes, under another's number.
        assert all(found_in(bytes(sent), 9, cards) for sent in here.tapped[:3])
        assert any(found_in(bytes(sent), 9, declarations) for sent in here.tapped)


BOMBS = [
    bytes.fromhex("dd7fffffff"), bytes.fromhex("df7fffffff"), bytes.fromhex("c67fffffff"), bytes.fromhex("db7fffffff"),
]  # fmt: skip


async def test_trap_A25_announced_gigabytes_cost_nothing_and_disturb_nobody(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.playing)
        bombs = [len(bomb).to_bytes(4, "big") + bomb for bomb in BOMBS]
        bombs += [(16000).to_bytes(4, "big") + b"\x91" * 16000, b"\xff\xff\xff\xff", (200_000).to_bytes(4, "big")]
        tracemalloc.start()
        begun = trio.current_time()
        for greeted in (False, True):
            for bomb in bombs:
                guest = await (here.connect("Eve") if greeted else here.raw("Eve"))
                await guest.stream.send_all(bomb)
                bye = await guest.to_the_end()
                assert isinstance(bye, msg.Bye)
                assert bye.code in ("frame_size", "bad_message")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 << 20
        assert trio.current_time() - begun < len(bombs)
        await here.reach(players, lambda view: view.hand == 2)


ODD = [
    "8190c0",
    "810102",
    "8180c0",
    "a1ff",
    "c701ff00",
    "d40500",
    "cb7ff8000000000000",
    "c1",
    "90",
    "81a474797065a361637400",
]


@pytest.mark.parametrize("odd", ODD)
async def test_trap_A26_valid_bytes_with_odd_keys_end_their_own_connection_only(
    autojump_clock: MockClock, odd: str
) -> None:
    body = bytes.fromhex(odd)
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        ann, ben, eve = *await here.seated("Ann", "Ben"), await here.connect("Eve")
        for victim in (eve, ann):
            await victim.stream.send_all(len(body).to_bytes(4, "big") + body)
            bye = await victim.to_the_end()
            assert isinstance(bye, msg.Bye)
            assert bye.code == "bad_message"
        (ann,) = await here.back([ann])
        await here.reach([ann, ben], lambda view: view.hand == 2)
        assert not here.table.halted


@pytest.mark.parametrize("name", ["ann", "Ann ", " Ann", "A\u200bnn", "\u0410nn", "Ann", "ＡＮＮ", "Ann\u00a0"])
async def test_trap_A28_nobody_takes_or_doubles_the_seat_of_ann(autojump_clock: MockClock, name: str) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        ann, ben = players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.playing)
        before = here.table.state.view.seat(1)
        kept = (before.name, before.down, before.chips)
        other = await here.connect(name, b"other".ljust(32, b"!"))
        await other.send(msg.Join(name, other.token))
        answer = await other.next()
        assert isinstance(answer, msg.Rejected), "somebody else is called like Ann now"
        assert answer.code in ("name_taken", "bad_name")
        after = here.table.state.view.seat(1)
        assert (after.name, after.down, after.chips) == kept
        await here.reach(players, lambda view: view.hand == 2)
        assert ann.view == hide(here.table.state.view, 1)
        assert ben.view == hide(here.table.state.view, 2)
