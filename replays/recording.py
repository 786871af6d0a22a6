"""One journal file as steps: verified, typed, and readable while it is still being written.

A file holds what the host of a table wrote (commands and events) or what one viewer was sent (events only). Its last
record may be unfinished, which is no damage; `refresh` reads it later. Everything else that does not fit raises
`Unreadable`, which names the record.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from protocol.cards import MaybeCard
from protocol.events import CardsDealt, HandStarted, Seat, TableOpened
from protocol.journal.framing import Scan, salvage, scan, scan_more
from protocol.journal.records import Header, StepRecord, decode_record
from protocol.versions import JOURNAL_FORMAT, RULES
from protocol.view import TableView, hide
from protocol.wire.codec import BadMessage
from replays.page_file import is_page, journal_in
from server.errors import EXIT_DAMAGED

NOT_IN_IT = "This is a player's recording: the cards that were hidden from that player are not in it."
NONE_IN_IT = "This is a spectator's recording: the cards that were hidden from spectators are not in it."
FILLED = "Cards that were not known have been filled in for"
"""The beginning of the line of chat in a recording which says that not all cards of the next hand are real."""


class Unreadable(Exception):
    """The file cannot be shown. The text is a sentence for the user that says what is wrong."""

    exit_code = EXIT_DAMAGED


class Recording:
    """A journal file that has been read.

    Attributes:
        path: the file.
        header: its first record.
        steps: its steps in order; grows with `refresh`.
        scan: the last look at the bytes; `scan.verdict` is ``torn`` while the last record is unfinished.
        damage: what is damaged, as a sentence; the steps are those of the good hands then. Empty for a whole file.
        page: the journal is in an exported page, which does not grow.
    """

    def __init__(
        self,
        path: Path,
        header: Header,
        steps: list[StepRecord],
        scan: Scan,
        damage: str = "",
        *,
        page: bool = False,
    ) -> None:
        """Use `open_recording`, or `open_good_parts`."""
        self.path, self.header, self.steps, self.scan, self.damage = path, header, steps, scan, damage
        self.page = page

    @property
    def unfinished(self) -> str:
        """What is missing at the end of the file, as a clause; empty when the file ends with a whole record."""
        return self.scan.why if self.scan.verdict == "torn" else ""

    @property
    def of_a_player(self) -> bool:
        """Whether the file is that of a player or spectator, without the cards that were hidden from them."""
        return self.header.viewer is not None

    @property
    def viewer(self) -> Seat | None:
        """The seat whose file it is; None for the file of the host or of a spectator, who have no seat."""
        return self.header.viewer or None

    def missing(self) -> str:
        """What is not in it although it happened, as a sentence; empty where no card is missing.

        None is missing in a host's file, and in a page that was made from it with all cards.
        """
        if not self.of_a_player or all(None not in down for down in self._down_cards()):
            return ""
        return NONE_IN_IT if self.viewer is None else NOT_IN_IT

    def _down_cards(self) -> Iterator[tuple[MaybeCard, ...]]:
        for step in self.steps:
            for event in step.events:
                if isinstance(event, CardsDealt):
                    yield from (down for _, down, _ in event.cards)

    @property
    def other_rules(self) -> bool:
        """Whether it was recorded under another version of the rules: then it can be shown, but not played again."""
        return self.header.rules != RULES

    @property
    def next_seq(self) -> int:
        """Number of the next event."""
        return self.steps[-1].seq + len(self.steps[-1].events) if self.steps else self.header.next_seq

    def read_all(self) -> list[StepRecord]:
        """All steps of the file, of which only a part has been read so far. Raises Unreadable, OSError."""
        whole = open_good_parts(self.path)
        self.steps, self.scan, self.damage = whole.steps, whole.scan, whole.damage
        return self.steps

    def refresh(self) -> list[StepRecord]:
        """The steps that were written since the last look; they are added to `steps`. Raises Unreadable, OSError.

        Nothing is added to a damaged file, or to a page.
        """
        if self.damage or self.page:
            return []
        with self.path.open("rb") as file:
            end = file.seek(0, 2)
            if end < self.scan.good:
                raise Unreadable(f"{self.path} has become shorter; open it again.")
            file.seek(self.scan.good)
            tail = file.read()
        found = scan_more(self.scan, tail)
        refuse_damage(self.path, found)
        steps = decode_steps(self.path, found, self.next_seq, self.header)
        self.scan = found
        self.steps += steps
        return steps


def open_recording(path: str | Path) -> Recording:
    """Reads a journal file, or the journal in an exported page.

    Raises:
        Unreadable: the file is no journal, has a newer format, is damaged, or has records that do not fit.
        OSError: the file cannot be read.
    """
    path = Path(path)
    content = path.read_bytes()
    found = scan(journal_bytes(path, content))
    refuse_damage(path, found)
    header = decode_header(path, found)
    steps = decode_steps(path, found, header.next_seq, header)
    return Recording(path, header, steps, found, page=is_page(content))


def journal_bytes(path: Path, content: bytes) -> bytes:
    """The journal that a file with this content is or, if it is an exported page, has in it. Raises Unreadable."""
    try:
        return journal_in(content) if is_page(content) else content
    except ValueError as error:
        raise Unreadable(f"{path} is not a recording: {error}.") from None


def open_good_parts(path: str | Path) -> Recording:
    """Reads a journal file of which a part may be damaged: the good hands before the damage, and those behind it.

    Raises:
        Unreadable: the file is no journal, has a newer format, or has no good hand.
        OSError: the file cannot be read.
    """
    path = Path(path)
    content = journal_bytes(path, path.read_bytes())
    found = scan(content)
    if found.verdict != "corrupt" or not found.records:
        return open_recording(path)
    header = decode_header(path, found)
    steps = decode_steps(path, found, header.next_seq, header)
    steps += behind_damage(content, found, steps)
    return Recording(path, header, steps, found, named_damage(path, found))


def named_damage(path: Path, found: Scan) -> str:
    """What is damaged, as a sentence for somebody who is shown the good hands."""
    return f"{path} is damaged: {found.why}. The hand there is left out; ryo verify says more."


def behind_damage(content: bytes, found: Scan, before: list[StepRecord]) -> list[StepRecord]:
    """The steps of the hands that are whole behind the damage of a file, from the start of each hand on.

    A hand that does not fit the table as it was `before` is left out: the damaged place had changed the table.
    """
    view = TableView()
    for earlier in before:
        view = earlier.view.copy() if earlier.view is not None else view
        view.apply_all(earlier.events)
    good: list[StepRecord] = []
    for run in salvage(content, found):
        waits = True  # for the start of a hand
        for _, payload in run:
            step = readable_step(payload)
            if step is None:
                continue
            start = next((event for event in step.events if isinstance(event, HandStarted)), None)
            if waits and start is None:
                continue
            try:
                if waits and start is not None and step.view is None:
                    before_hand = table_before(view, start)
                    before_hand.seq = step.seq - 1
                    step = replace(step, view=before_hand)
                after = step.view.copy() if step.view is not None else view.copy()
                after.apply_all(step.events)
            except (IndexError, ValueError, AttributeError):
                waits = True
                continue
            view, waits = after, False
            good.append(step)
    return good


def table_before(view: TableView, start: HandStarted) -> TableView:
    """The table before a hand without the cards of an earlier one, and with the stacks of the hand."""
    before = hide(view, None)
    before.playing, before.pots = False, ()
    stacks = dict(start.stacks)
    for seat in before.seats:
        seat.bet = 0
        seat.pending = seat.choice = None
        seat.chips = stacks.get(seat.seat, seat.chips)
    return before


def readable_step(payload: bytes) -> StepRecord | None:
    """The step in a payload; None for something else."""
    try:
        record = decode_record(payload)
    except BadMessage:
        return None
    return record if isinstance(record, StepRecord) else None


def refuse_damage(path: Path, found: Scan) -> None:
    """Raises Unreadable for a foreign or corrupt file."""
    if found.verdict == "foreign":
        raise Unreadable(f"{path} is not a recording: {found.why}.")
    if found.verdict == "corrupt":
        remedy = f"the {found.number + len(found.records)} records before it are good: ryo verify --repair keeps them"
        raise Unreadable(f"{path} is damaged: {found.why}; {remedy}.")


def decode_header(path: Path, found: Scan) -> Header:
    """The header record of a scanned file. Raises Unreadable."""
    try:
        header = decode_record(found.records[0])
    except BadMessage as error:
        raise Unreadable(f"{path}: record 0 is no header: {error}.") from None
    if not isinstance(header, Header):
        raise Unreadable(f"{path}: record 0 is a step, not a header.")
    if header.format > JOURNAL_FORMAT:
        raise Unreadable(
            f"{path} has records of format {header.format} (written by version {header.program}); "
            f"this program reads format {JOURNAL_FORMAT}. Open it with a newer version."
        )
    checkpoint = header.checkpoint
    if checkpoint is not None:
        view = checkpoint.view
        if header.viewer is not None or view.rules is None or view.seq < 1 or not view.is_whole():
            raise Unreadable(f"{path}: record 0 goes on with a table that cannot be.")
    return header


def decode_steps(path: Path, found: Scan, seq: int, header: Header) -> list[StepRecord]:
    """The steps of a scanned file. Raises Unreadable.

    The first event of the first step must have number `seq`. In a player's file a step may continue from another table.
    Where the file continues the session of an earlier file, its first step gets the table of the checkpoint as `view`.
    """
    steps: list[StepRecord] = []
    start = 1 if found.number == 0 else 0
    for at in range(start, len(found.records)):
        where = f"{path}: record {found.number + at} at byte {found.offsets[at]}"
        try:
            step = decode_record(found.records[at])
        except BadMessage as error:
            raise Unreadable(f"{where} cannot be read: {error}.") from None
        if not isinstance(step, StepRecord):
            raise Unreadable(f"{where} is a second header.")
        if step.view is not None:
            if header.viewer is None:
                raise Unreadable(f"{where} goes on with another table, which only a player's recording may.")
            if step.seq != step.view.seq + 1 or step.seq < seq or not step.view.is_whole():
                raise Unreadable(f"{where} goes on with a table that cannot be.")
            seq = step.seq  # events between two hands are not in a player's file
        if step.seq != seq:
            raise Unreadable(f"{where} begins with event {step.seq}, but event {seq} is next.")
        if seq == 1 and step.view is None and step.events and not isinstance(step.events[0], TableOpened):
            raise Unreadable(f"{where} does not open a table.")
        if header.checkpoint is not None and seq == header.next_seq and step.view is None:
            step = replace(step, view=header.checkpoint.view)
        seq += len(step.events)
        steps.append(step)
    return steps
