"""What a player may keep of a hand that is over (fault 82, trap A24): the hand as his own seat saw it, and no more.

The viewer is the player by his token, as it was when the hand began: a seat that has changed hands does not give the
old owner's cards to the new one. Who had no seat in a hand gets what everybody saw. The last hands are at hand; older
ones are looked up in the journal.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hmac import compare_digest

from protocol.commands import StartHand
from protocol.events import HandEnded, HandStarted, HandVoided, PlayerLeft, PlayerSeated, Seat
from protocol.journal.framing import scan
from protocol.journal.records import Header, StepRecord, decode_record
from protocol.view import TableView, hide
from protocol.visibility import Viewer, project
from protocol.wire.codec import encode_value
from protocol.wire.messages import NO_SEAT, HandRecord, PlayedStep
from server.storage.file_names import file_before

RECENT_HANDS = 4
"""Hands kept in memory; one takes some 50 kB."""
PART_BYTES = 128 << 10
"""About as much goes into one message, a step at least. What waits for a client is bounded by `Limits.out_bytes`."""
MOST_JOURNAL_BYTES = 16 << 20
"""A longer journal is not searched for a hand: it would take a second. Nor are a session's older files, where they may
be longer."""


@dataclass(slots=True)
class PlayedHand:
    """One hand with all its secrets, from the step that dealt it to the one that ended it.

    Fields:
        before: the table before the first step, all-seeing.
        owners: whose the seats were when it began: digests of their tokens.
    """

    number: int
    before: TableView
    owners: dict[Seat, bytes]
    steps: list[StepRecord]

    def viewer(self, digest: bytes | None) -> Viewer:
        """Who the owner of that token is in this hand: a seat, or nobody."""
        found = None
        for seat, known in self.owners.items():
            if digest is not None and compare_digest(known, digest):
                found = seat
        return found

    def part(self, header: Header, viewer: Viewer, after: int) -> HandRecord:
        """The steps after event number `after`, as many as go into a message, as this viewer may know them."""
        steps: list[PlayedStep] = []
        size = 0
        more = False
        for step in self.steps:
            if step.seq <= after:
                continue
            if size > PART_BYTES:
                more = True
                break
            seen = PlayedStep(step.seq, step.at, tuple([project(event, viewer) for event in step.events]))
            size += len(encode_value(seen))
            steps.append(seen)
        return HandRecord(
            header.session,
            header.table,
            header.started,
            header.rules,
            self.number,
            viewer or NO_SEAT,
            tuple(steps),
            None if after else hide(self.before, viewer),
            more,
        )


class PlayedHands:
    """The last hands of a table, gathered step by step."""

    def __init__(self, most: int = RECENT_HANDS) -> None:
        self._most = most
        self._hands: OrderedDict[int, PlayedHand] = OrderedDict()
        self._running: PlayedHand | None = None
        self._before: tuple[TableView, dict[Seat, bytes]] = (TableView(), {})

    def about_to_deal(self, view: TableView, owners: dict[Seat, bytes]) -> None:
        """The table, and whose its seats are, right before the step that deals a hand."""
        self._before = view.copy(), dict(owners)

    def add(self, step: StepRecord) -> None:
        """Takes the next step of the table."""
        hand = self._running
        if hand is None:
            if type(step.command) is not StartHand:
                return
            started = next((event for event in step.events if type(event) is HandStarted), None)
            if started is None:
                return
            hand = self._running = PlayedHand(started.hand, *self._before, [])
        hand.steps.append(step)
        for event in step.events:
            if type(event) is HandEnded or type(event) is HandVoided:
                self._running = None
                self.keep(hand)

    def keep(self, hand: PlayedHand) -> None:
        """Keeps a hand that has been looked up, too; the one that was put in first is forgotten."""
        self._hands[hand.number] = hand
        while len(self._hands) > self._most:
            self._hands.popitem(last=False)

    def get(self, number: int) -> PlayedHand | None:
        """The hand with that number, if it is at hand and over."""
        return self._hands.get(number)


def find_hand(records: Iterable[bytes], number: int) -> PlayedHand | None:
    """The hand with that number in the records of a host's journal; None if it is not there, or not over.

    Takes about 16 microseconds a step. Raises BadMessage, and whatever folding a journal raises that is not ours.
    """
    view = TableView()
    owners: dict[Seat, bytes] = {}
    hands = PlayedHands(1)
    for payload in records:
        step = decode_record(payload)
        if isinstance(step, Header):
            if step.checkpoint is not None:
                if number <= step.checkpoint.view.hand:
                    return None  # it was over before this file began
                view, owners = step.checkpoint.view.copy(), dict(step.checkpoint.tokens)
            continue
        if type(step.command) is StartHand:
            hands.about_to_deal(view, owners)
        hands.add(step)
        if (found := hands.get(number)) is not None:
            return found
        for event in step.events:
            if isinstance(event, PlayerSeated):
                owners[event.seat] = event.token or b""
            elif isinstance(event, PlayerLeft):
                owners.pop(event.seat, None)
        view.apply_all(step.events)
    return None


def search_files(read: Callable[[str], bytes], path: str, number: int, *, older: bool) -> PlayedHand | None:
    """The hand with that number in a journal or, `older`, in one of its session's files before it.

    Raises what `read` and `find_hand` raise.
    """
    place: str | None = path
    while place is not None:
        if (found := find_hand(scan(read(place)).records, number)) is not None:
            return found
        place = file_before(place) if older else None
    return None
