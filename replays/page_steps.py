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
from protocol.view import TableView, hide
from replays.playback import Playback, Viewpoint, steps_as_seen


def page_steps(steps: Iterable[StepRecord], viewpoint: Viewpoint, only: int | None = None) -> list[StepRecord]:
    """The steps of the hands that are over, or of the hand that starts at position `only`, as they are seen from there.

    The first step of a single hand has the table before it. Cards of a hand before the first one are left out.
    """
    steps = list(steps)
    playback = Playback(steps)
    first, last = 0, _over(playback)
    if only is not None:
        first, last = only - 1, min(last, playback.hand_end(only))
    before = hide(playback.view("all", first), None) if first else None
    return list(steps_as_seen(_within(steps, first, last, before), viewpoint))


def _over(playback: Playback) -> int:
    """The position before the hand that is still running; the last one if there is none."""
    if not playback.hands or not playback.view(None, len(playback)).playing:
        return len(playback)
    return playback.hands[-1] - 1


def _within(steps: list[StepRecord], first: int, last: int, before: TableView | None) -> Iterator[StepRecord]:
    """The events from position `first` to `last`; the first of their steps continues from the table `before`."""
    position = 0
    for step in steps:
        start, end = max(first - position, 0), min(last - position, len(step.events))
        position += len(step.events)
        if start >= end:
            continue
        view = before if before is not None else step.view
        if view is not None and not view.playing:
            view = hide(view, None)
        before = None
        events = tuple([_without_token(event) for event in step.events[start:end]])
        yield StepRecord(step.seq + start, step.at, None, events, view)


def _without_token(event: AnyEvent) -> AnyEvent:
    return replace(event, token=None) if isinstance(event, ev.PlayerSeated) else event


def page_header(header: Header, viewpoint: Viewpoint, anonymise: bool = False) -> Header:
    """The header of the journal in a page: that of a file of the one who sees it.

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
