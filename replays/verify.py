"""Checking a recording: its bytes, its sums, and every decision against the rules.

There are three layers, each on top of the one before: the chain of the file (clean, torn, corrupt, foreign); the events
(numbers without gaps, no chips lost, every event fits the table); and the commands of the host, played through a new
engine, which must decide exactly the recorded events. A difference is named by record and event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.journal.framing import Scan, scan
from protocol.journal.records import Checkpoint, Header, StepRecord, checkpoint_in
from protocol.versions import RULES
from protocol.view import TableView
from protocol.wire.codec import BadMessage, encode_value
from replays.recording import Unreadable, decode_header, decode_steps, journal_bytes, refuse_damage
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from server.storage.file_names import file_before


@dataclass(frozen=True, slots=True)
class Problem:
    """The first thing that is wrong, as a sentence, and the number of its record."""

    record: int
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """The result of checking a file.

    Fields:
        path: the file.
        scan: what its bytes hold.
        header: None where the header cannot be read.
        records, events, hands: the numbers of those that were read.
        problem: the first thing that is wrong, as a sentence; empty when the file verifies.
        notes: other things worth knowing (an unfinished tail, other rules).
        replayed: whether the commands were played through the engine.
    """

    path: Path
    scan: Scan
    header: Header | None = None
    records: int = 0
    events: int = 0
    hands: int = 0
    problem: str = ""
    notes: tuple[str, ...] = ()
    replayed: bool = False

    @property
    def ok(self) -> bool:
        return not self.problem


def verify(path: str | Path) -> Report:
    """Verifies one file. Raises OSError when it cannot be read; every other fault is in the report."""
    path = Path(path)
    content = path.read_bytes()
    try:
        journal = journal_bytes(path, content)
    except Unreadable as error:
        return Report(path, scan(content), problem=str(error))
    found = scan(journal)
    try:
        refuse_damage(path, found)
        header = decode_header(path, found)
        steps = decode_steps(path, found, header.next_seq, header)
    except Unreadable as error:
        return Report(path, found, problem=str(error))
    notes = []
    if found.verdict == "torn":
        notes.append(f"the end is unfinished ({found.why}); it is still being written, or was lost with the machine")
    problems = [check_events(steps)]
    replayed = False
    if header.checkpoint is not None:
        before = path.with_name(Path(file_before(str(path)) or "").name)
        if before != path and before.is_file():
            problems.append(check_before(header, before))
        else:
            notes.append("it goes on with an earlier file of the same session, which does not lie beside it")
    if header.viewer is not None:
        notes.append("a player's recording: its decisions cannot be played again without the hidden cards")
    elif header.rules != RULES:
        notes.append(
            f"recorded under rules version {header.rules}, this program plays version {RULES}: "
            "it can be shown, but its decisions were not played again"
        )
    elif unknown := _unknown_games(steps, header.checkpoint):
        notes.append(f"games that this program does not know ({', '.join(unknown)}): decisions were not played again")
    else:
        held = {number: kept for number, payload in enumerate(found.records) if (kept := _checkpoint(payload))}
        problems.append(check_decisions(steps, header.checkpoint, held))
        replayed = True
    # The check by the rules comes last in the list; where two checks name the same record, it comes first.
    first = min(
        (problem for problem in reversed(problems) if problem), key=lambda problem: problem.record, default=None
    )
    return Report(
        path,
        found,
        header,
        records=len(found.records),
        events=sum(len(step.events) for step in steps),
        hands=sum(isinstance(event, ev.HandStarted) for step in steps for event in step.events),
        problem=first.text if first else "",
        notes=tuple(notes),
        replayed=replayed,
    )


def _unknown_games(steps: Sequence[StepRecord], checkpoint: Checkpoint | None) -> list[str]:
    """Ids of games in the list of the table that are neither built in nor defined in the journal."""
    rules = [event.rules for step in steps for event in step.events if isinstance(event, ev.TableOpened)]
    if checkpoint is not None and checkpoint.view.rules is not None:
        rules.insert(0, checkpoint.view.rules)
    offers = {offer.id: offer for one in rules for offer in one.games}
    return [offer.id for offer in offers.values() if offer.id not in GAMES and not offer.definition]


def check_events(steps: Sequence[StepRecord]) -> Problem | None:
    """The first problem of the events, without rules; None if there is none."""
    view = TableView()
    chips = 0
    for number, step in enumerate(steps, 1):
        if step.view is not None:
            view = step.view.copy()
            chips = view.chips()
        for event in step.events:
            kind = kind_of(event)
            try:
                view.apply(event)
            except (LookupError, ValueError, AttributeError, TypeError) as error:
                return Problem(number, f"Record {number}: event {view.seq} ({kind}) does not fit the table: {error}.")
            now = view.chips()
            if now != chips and not isinstance(event, ev.PlayerSeated | ev.PlayerLeft | ev.ChipsAdded):
                changes = f"changes the chips on the table, {chips} to {now}"
                return Problem(number, f"Record {number}: event {view.seq} ({kind}) {changes}.")
            chips = now
    return None


def check_before(header: Header, path: Path) -> Problem | None:
    """The problem if a file does not continue where `path`, the file before it in its session, ends; else None."""
    try:
        found = scan(path.read_bytes())
        refuse_damage(path, found)
        before = decode_header(path, found)
        steps = decode_steps(path, found, before.next_seq, before)
    except (Unreadable, OSError) as error:
        return Problem(0, f"Record 0: the file before cannot be read: {error}")
    if before.session != header.session:
        return Problem(0, f"Record 0: {path} is of another session.")
    if found.digest != header.previous:
        return Problem(0, f"Record 0: the chain does not go on from the end of {path}.")
    if before.rules != RULES or header.rules != RULES:
        return None
    try:
        table = _start(before.checkpoint)
        for step in steps:
            if step.command is not None:
                table.apply(step.command)
        same = _on_disk(table.checkpoint()) == _on_disk(header.checkpoint)
    except Exception as error:  # as in `_decided_otherwise`
        return Problem(0, f"Record 0: {path} cannot be played to its end: {error!r}")
    return None if same else Problem(0, f"Record 0: the table is not the one with which {path} ends.")


def _on_disk(checkpoint: Checkpoint | None) -> bytes:
    """What two programs must agree on: earlier ones did not write down who has left since the last hand."""
    if checkpoint is not None:
        checkpoint = replace(checkpoint, view=replace(checkpoint.view, gone=()))
    return encode_value(checkpoint)


def _start(checkpoint: Checkpoint | None) -> TableState:
    return TableState() if checkpoint is None else TableState.restored(checkpoint)


def _checkpoint(payload: bytes) -> Checkpoint | None:
    """The table in a step; an empty one where what is there cannot be read."""
    try:
        return checkpoint_in(payload)
    except BadMessage:
        return Checkpoint(TableView())


def check_decisions(
    steps: Sequence[StepRecord], checkpoint: Checkpoint | None = None, held: Mapping[int, Checkpoint] | None = None
) -> Problem | None:
    """The first event that differs when every command is played through an engine; None if no event differs.

    `held` are the checkpoints within the file, by the number of their record: the table must be the same there.
    """
    held = held or {}
    try:
        table = _start(checkpoint)
    except Exception as error:  # as in `_decided_otherwise`
        return Problem(0, f"Record 0: no game can go on from its table: {error}")
    for number, step in enumerate(steps, 1):
        if number in held and not (table.between_hands and _on_disk(table.checkpoint()) == _on_disk(held[number])):
            return Problem(number, f"Record {number}: its checkpoint is not the table to which the decisions lead.")
        if different := _decided_otherwise(table, step):
            return Problem(number, f"Record {number}{different}")
    return None


def _decided_otherwise(table: TableState, step: StepRecord) -> str:
    if step.command is None:
        return " has no command."
    command = str(step.command.__struct_config__.tag)
    try:
        decided = table.apply(step.command)
    except IllegalAction as refused:
        return f": the rules refuse the recorded command {command}: {refused.text}"
    except Exception as error:  # whatever a forged command does to the engine, the fault is in the file
        return f": the recorded command {command} cannot be played: {error!r}"
    return _difference(step, decided)


def _difference(step: StepRecord, decided: Sequence[AnyEvent]) -> str:
    for at in range(max(len(decided), len(step.events))):
        where = f": event {step.seq + at}"
        if at >= len(step.events):
            return f"{where} ({kind_of(decided[at])}) is missing."
        recorded = step.events[at]
        if at >= len(decided):
            return f"{where} ({kind_of(recorded)}) did not happen by the rules."
        if not same(recorded, decided[at]):
            return f"{where} {_how(recorded, decided[at])}."
    return ""


def same(one: AnyEvent, other: AnyEvent) -> bool:
    """Whether two events are the same on the disk."""
    return one == other or encode_value(one) == encode_value(other)


def _how(recorded: AnyEvent, decided: AnyEvent) -> str:
    kind = kind_of(recorded)
    if type(recorded) is not type(decided):
        return f"is recorded as {kind}, by the rules it is {kind_of(decided)}"
    for name in recorded.__struct_fields__:
        ours, theirs = getattr(decided, name), getattr(recorded, name)
        if ours != theirs:
            return f"({kind}) has {name} = {_short(theirs)}, by the rules it is {_short(ours)}"
    return f"({kind}) is written differently"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else text[:117] + "..."


def kind_of(event: AnyEvent) -> str:
    """The name of the kind of an event."""
    return str(type(event).__struct_config__.tag)
