"""What a player may keep of a hand that is over (fault 82, trap A24): the hand as their own seat saw it, and no more.

The viewer of a hand is found by the player's token and the owners of the seats when the hand began. So a seat that has
changed hands does not give the old owner's cards to the new one. Only a player who gets their seat back by the host's
word is the same player with another token, and gets its hands, too (trap A35). Everybody else gets what spectators saw.
The last hands are kept in memory; older ones are looked up in the journal.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from protocol.commands import GiveBack, StartHand
from protocol.events import AnyEvent, HandEnded, HandStarted, HandVoided, PlayerLeft, PlayerSeated, Seat
from protocol.journal.framing import scan
from protocol.journal.records import Header, StepRecord, decode_record
from protocol.view import TableView, hide
from protocol.visibility import Viewer, project
from protocol.wire.codec import encode_value
from protocol.wire.messages import NO_SEAT, HandRecord, PlayedStep
from server.admission.seat_tokens import seat_of
from server.storage.file_names import file_before

RECENT_HANDS = 4
"""Hands kept in memory; one takes some 50 kB."""
PART_BYTES = 128 << 10
"""About as much goes into one message, and one step at least. `Limits.out_bytes` bounds what waits for a client."""
ENDS: frozenset[type[AnyEvent]] = frozenset({HandEnded, HandVoided})
"""What ends a hand."""
MOST_JOURNAL_BYTES = 16 << 20
"""A longer journal is not searched for a hand, because that would take a second; nor are a session's older files, if
they may be longer."""


@dataclass(slots=True)
class PlayedHand:
    """One hand with all its secrets, from the step that dealt it to the one that ended it.

    Fields:
        number: of the hand in the session, from 1.
        before: the table before the first step, with all its secrets.
        owners: of the seats when the hand began; digests of their tokens. A token that gets the seat
            back later (`give_back`) takes the place of the lost one.
    """

    number: int
    before: TableView
    owners: dict[Seat, bytes]
    steps: list[StepRecord]

    def give_back(self, command: GiveBack) -> None:
        """A token takes the place of the lost one."""
        self.owners = with_given_back(self.owners, command)

    def viewer(self, digest: bytes | None) -> Viewer:
        """The seat that the owner of that token (its digest) had in this hand; None if they had none."""
        return None if digest is None else seat_of(digest, self.owners)

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
            NO_SEAT if viewer is None else viewer,
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
        """The table, and the owners of its seats, right before the step that deals a hand."""
        self._before = view.copy(), dict(owners)

    def go_on(self, view: TableView, owners: dict[Seat, bytes], steps: Iterable[StepRecord]) -> None:
        """After a restart in the middle of a hand: the table before it, and its steps so far."""
        self.about_to_deal(view, owners)
        for step in steps:
            self.add(step)

    def add(self, step: StepRecord) -> None:
        """Takes the next step of the table."""
        hand = self._running
        if type(step.command) is GiveBack:
            for one in (*self._hands.values(), *([hand] if hand is not None else [])):
                one.give_back(step.command)
        if hand is None:
            if type(step.command) is not StartHand:
                return
            started = next((event for event in step.events if type(event) is HandStarted), None)
            if started is None:
                return
            hand = self._running = PlayedHand(started.hand, *self._before, [])
        hand.steps.append(step)
        if not ENDS.isdisjoint(map(type, step.events)):
            self._running = None
            self.keep(hand)

    def keep(self, hand: PlayedHand) -> None:
        """Keeps a hand that is over; also one that was looked up. The one that was put in first is forgotten."""
        self._hands[hand.number] = hand
        while len(self._hands) > self._most:
            self._hands.popitem(last=False)

    @property
    def running(self) -> PlayedHand | None:
        """The hand that is being played, as far as it has come."""
        return self._running

    def get(self, number: int) -> PlayedHand | None:
        """The hand with that number; None if it is not kept, or not over."""
        return self._hands.get(number)


def find_hand(records: Iterable[bytes], number: int) -> PlayedHand | None:
    """The hand with that number in the records of a host's journal; None if it is not there, or not over.

    Takes about 16 microseconds a step. Raises BadMessage; a journal that is not ours may raise anything else.
    """
    view = TableView()
    owners: dict[Seat, bytes] = {}
    hands = PlayedHands(1)
    rest = iter(records)
    for payload in rest:
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
            for command in given_back(rest):
                found.give_back(command)
            return found
        if type(step.command) is GiveBack:
            owners = with_given_back(owners, step.command)
        for event in step.events:
            if isinstance(event, PlayerSeated):
                owners[event.seat] = event.token or b""
            elif isinstance(event, PlayerLeft):
                owners.pop(event.seat, None)
        view.apply_all(step.events)
    return None


def with_given_back(owners: dict[Seat, bytes], command: GiveBack) -> dict[Seat, bytes]:
    """The owners of the seats after the host's word."""
    return {seat: command.token if owner == command.lost else owner for seat, owner in owners.items()}


def given_back(records: Iterable[bytes]) -> Iterator[GiveBack]:
    """What the host has given back, of these records of a journal. Raises as `find_hand` does."""
    tag = str(GiveBack.__struct_config__.tag).encode()
    for payload in records:
        if tag in payload:  # most records need not be decoded
            step = decode_record(payload)
            if isinstance(step, StepRecord) and type(step.command) is GiveBack:
                yield step.command


def search_files(read: Callable[[str], bytes], path: str, number: int, *, older: bool) -> PlayedHand | None:
    """The hand with that number in a journal of a session; None if it is not there.

    Args:
        read: gives the content of a file.
        older: whether the session's files before this one are searched, too.

    Raises what `read` and `find_hand` raise.
    """
    file: str | None = path
    later: list[GiveBack] = []
    while file is not None:
        records = scan(read(file)).records
        if (found := find_hand(records, number)) is not None:
            for command in later:
                found.give_back(command)
            return found
        later = [*given_back(records), *later]
        file = file_before(file) if older else None
    return None
