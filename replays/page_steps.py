"""What goes into an exported page: the steps of hands that are over, as one viewpoint may see them.

There are no commands in it, so no deck and no card that nobody was dealt, and no digest of a token.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.journal.framing import encode_file
from protocol.journal.records import Header, StepRecord, encode_record
from protocol.versions import JOURNAL_FORMAT, PROGRAM
from replays.playback import Playback, Viewpoint, steps_as_seen
from replays.recording import table_before


def page_steps(steps: Iterable[StepRecord], viewpoint: Viewpoint, only: int | None = None) -> list[StepRecord]:
    """The steps of the hands that are over, or of the hand that starts at position `only`, as they are seen from there.

    What happens between these hands is in it, too. Where events are left out, the next step has the table before it.
    """
    steps = list(steps)
    playback = Playback(steps)
    parts = _parts(playback) if only is None else [(only - 1, playback.hand_end(only))] * _is_over(playback, only)
    return list(steps_as_seen(_within(steps, playback, parts), viewpoint))


def _is_over(playback: Playback, start: int) -> bool:
    """Whether the hand that starts at this position has an end; one that is running, or was damaged, has none."""
    moments = playback.moments(start - 1, playback.hand_end(start))
    return any(isinstance(moment.event, ev.HandEnded | ev.HandVoided) for moment in moments)


def _parts(playback: Playback) -> list[tuple[int, int]]:
    """The first and last positions of what remains without the hands that are not over."""
    parts = []
    first = 0
    for start in playback.hands:
        if not _is_over(playback, start):
            parts.append((first, start - 1))
            first = playback.hand_end(start)
    return [*parts, (first, len(playback))]


def _within(steps: list[StepRecord], playback: Playback, parts: Iterable[tuple[int, int]]) -> Iterator[StepRecord]:
    """The events in these parts of the recording."""
    last = 0
    next_seq: int | None = None
    for first, end in parts:
        position = 0
        for step in steps:
            start, stop = max(first - position, 0), min(end - position, len(step.events))
            here, position = position + start, position + len(step.events)
            if start >= stop:
                continue
            seq, events = step.seq + start, tuple(map(_without_token, step.events[start:stop]))
            view = step.view if start == 0 else None
            if view is None and (here != last or next_seq not in (None, seq)):
                view = playback.view("all", last or here)
                view.seq = seq - 1
            started = next((event for event in events if isinstance(event, ev.HandStarted)), None)
            if view is not None and started is not None:
                view = table_before(view, started)
            last, next_seq = here + len(events), seq + len(events)
            yield StepRecord(seq, step.at, None, events, view)


def _without_token(event: AnyEvent) -> AnyEvent:
    return replace(event, token=None) if isinstance(event, ev.PlayerSeated) else event


def page_header(header: Header, viewpoint: Viewpoint, anonymise: bool = False) -> Header:
    """The header of the journal in a page: that of its viewer's own file.

    With `anonymise` it names neither table nor session, and `started` is 0.
    """
    own = header.viewer or 0
    viewer: Seat = viewpoint if isinstance(viewpoint, int) else own if viewpoint == "all" else 0
    return Header(
        format=JOURNAL_FORMAT,
        rules=header.rules,
        program=PROGRAM,
        session=bytes(len(header.session)) if anonymise else header.session,
        table="table" if anonymise else header.table,
        started=0 if anonymise else header.started,
        viewer=viewer,
    )


def journal_of(header: Header, steps: Iterable[StepRecord], salt: bytes) -> bytes:
    """A whole journal file; `salt`: 16 unpredictable bytes. Raises ValueError if a step does not fit into a record."""
    return encode_file(salt, [encode_record(header), *map(encode_record, steps)])
