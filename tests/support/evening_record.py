"""An evening in windows, checked against the journal of the host: all actions, and the cards that stayed hidden."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from protocol.actions import Action
from protocol.cards import Card
from protocol.commands import Act, StartHand
from protocol.events import ActionRequested, AnyEvent, Chips, HandEnded, Seat
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.view import TableView
from protocol.visibility import project
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder
from tests.support.known_cards import cards_seen, cards_told

ROW = 5
"""So many cards one after the other, as they lie in the deck, are never dealt to one seat."""


@dataclass
class EveningRecord:
    """What the journal of an evening says.

    Fields:
        events: all of them; the first one has number 1.
        chips: everybody's behind each event.
        kinds: of the decisions of each seat.
        acts: for each seat the number of the request and the action, in order.
        ends: the number of the last event of each hand.
        decks: of the hands.
        stacks: for each seat its chips at the end of each hand in which it was.
    """

    events: list[AnyEvent] = field(default_factory=list)
    chips: list[dict[str, Chips]] = field(default_factory=list)
    kinds: dict[Seat, Counter[str]] = field(default_factory=dict)
    acts: dict[Seat, list[tuple[int, Action]]] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    decks: list[tuple[Card, ...]] = field(default_factory=list)
    stacks: dict[Seat, list[Chips]] = field(default_factory=dict)

    def had(self, chips: dict[str, Chips], seq: int, over: Callable[[AnyEvent], bool]) -> bool:
        """Whether these were the chips behind event `seq`, or after it until an event after which it is too late."""
        for number in range(seq, len(self.events) + 1):
            if self.chips[number - 1] == chips:
                return True
            if number > seq and over(self.events[number - 1]):
                return False
        return False


def read_evening(journal: Path) -> EveningRecord:
    """The evening of that journal."""
    found = EveningRecord()
    view = TableView()
    for step in map(decode_record, scan(journal.read_bytes()).records):
        if not isinstance(step, StepRecord):
            continue
        if isinstance(step.command, Act):
            found.acts.setdefault(step.command.seat, []).append((step.command.answers, step.command.action))
        if isinstance(step.command, StartHand):
            found.decks.append(step.command.deck)
        for event in step.events:
            view.apply(event)
            found.events.append(event)
            if isinstance(event, ActionRequested):
                found.kinds.setdefault(event.seat, Counter())[event.decision] += 1
            found.chips.append({seat.name: seat.chips for seat in view.players()})
            if isinstance(event, HandEnded):
                found.ends.append(len(found.events))
                for seat in view.players():
                    if seat.stack:
                        found.stacks.setdefault(seat.seat, []).append(seat.chips)
    return found


def messages(frames: Iterable[bytes]) -> Iterator[msg.FromServer]:
    """What a server has said in the payloads of one WebSocket."""
    decoder = FrameDecoder(SERVER_CAP)
    for payload in frames:
        for body in decoder.feed(payload):
            yield decode_from_server(body)


def check_messages(record: EveningRecord, seat: Seat, known: list[frozenset[Card]], frames: Iterable[bytes]) -> int:
    """What came through one WebSocket is what that seat may know, and nothing was refused. How many events they were.

    `known`: the cards that the seat may have seen after so many events, from none on.
    """

    def compare(seq: int, events: tuple[AnyEvent, ...], told: msg.Told | None) -> int:
        for number, event in enumerate(events, seq):
            assert event == project(record.events[number - 1], seat), event
        for number, cards in cards_told(told or msg.Told()):
            assert cards <= known[seq + number], told
        return len(events)

    count = 0
    view = TableView()
    for message in messages(frames):
        match message:
            case msg.Rejected():
                raise AssertionError(message)
            case msg.Events():
                count += compare(message.seq, message.events, message.told)
                view.apply_all(message.events)
                assert cards_seen(view) <= known[view.seq], message
            case msg.HandRecord():
                for step, told in zip(message.steps, message.told, strict=True):
                    count += compare(step.seq, step.events, told)
                assert message.view is None or cards_seen(message.view) <= known[message.view.seq]
            case msg.Snapshot():
                view = message.view
                compare(view.seq + 1, (), message.told)
                assert cards_seen(view) <= known[view.seq]
            case _:
                pass
    return count


def rows(decks: Iterable[tuple[Card, ...]]) -> list[bytes]:
    """Neighbours in the decks; any nine of one deck hold one of these rows."""
    return [bytes(deck[at : at + ROW]) for deck in decks for at in range(0, len(deck) - ROW + 1, ROW)]
