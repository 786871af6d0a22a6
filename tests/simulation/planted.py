"""Mistakes planted on purpose: the simulation must find each of them, else it would find nothing."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol import visibility
from protocol.commands import AnyCommand
from protocol.events import AnyEvent
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Events
from server.engine.table_state import TableState
from server.storage.journal_file import Journal
from server.table.audience import Audience
from server.table.encoded_step import EncodedStep
from server.table.guest import Send
from server.table.pipeline import Pipeline
from tests.support.simulated_disk import SimDisk


@contextmanager
def swapped(owner: type, name: str, instead: Callable[..., Any]) -> Iterator[None]:
    """`owner.name` is something else for a while."""
    right = getattr(owner, name)
    setattr(owner, name, instead)
    try:
        yield
    finally:
        setattr(owner, name, right)


@contextmanager
def early_showing() -> Iterator[None]:
    """A step is shown before it is on the disk."""
    right = Pipeline._write

    def write(self: Pipeline) -> bool:
        self._show()
        return right(self)

    with swapped(Pipeline, "_write", write):
        yield


@contextmanager
def early_broadcast() -> Iterator[None]:
    """What everybody may know goes out at once, past the order in which steps become durable."""
    right = Pipeline.decide

    def decide(self: Pipeline, command: AnyCommand) -> tuple[AnyEvent, ...]:
        before = len(self._out)
        events = right(self, command)
        if isinstance(command, cmd.Say | cmd.Act):
            early, self._out[before:] = self._out[before:], []
            for send, data in early:
                send(data)
        return events

    with swapped(Pipeline, "decide", decide):
        yield


@contextmanager
def leaking_card() -> Iterator[None]:
    """The seat behind a player is sent one of their down cards."""
    right = Audience.frames

    def frames(self: Audience, step: EncodedStep) -> list[tuple[Send, bytes]]:
        out = right(self, step)
        dealt = [event for _, event in step._secrets.get(1, ()) if isinstance(event, ev.CardsDealt)]
        if dealt and 2 in self.seated:
            whole = Events(step._seq, step._at, tuple(dealt))
            out = [(send, data) for send, data in out if send is not self.seated[2].send]
            parts = [dealt[0] if type(event) is ev.CardsDealt else event for event in _public(step)]
            out.append((self.seated[2].send, encode_frame(replace(whole, events=tuple(parts)))))
        return out

    with swapped(Audience, "frames", frames):
        yield


def _public(step: EncodedStep) -> tuple[AnyEvent, ...]:
    message = decode_from_server(step.public[4:])
    assert isinstance(message, Events)
    return message.events


@contextmanager
def leaking_token() -> Iterator[None]:
    """The digest of a seat token stands in the event that tells of the new player."""
    visibility._KNOWN[ev.PlayerSeated] = lambda event, viewer: event
    try:
        yield
    finally:
        del visibility._KNOWN[ev.PlayerSeated]


@contextmanager
def done_twice() -> Iterator[None]:
    """An action that comes again answers whatever is asked now."""

    def act(self: TableState, command: cmd.Act) -> None:
        seat = command.seat
        if seat in self.pending:
            self._decide(seat, command, "player")
            self.last_ids[seat] = command.id

    with swapped(TableState, "_act", act):
        yield


@contextmanager
def lost_record() -> Iterator[None]:
    """Now and then the journal forgets what it was given, and says nothing."""
    right = Journal.write
    rng = random.Random(1)

    def write(self: Journal, data: bytes) -> None:
        if rng.random() < 0.03 and self.size > 2000:
            self._taken = None
            return
        right(self, data)

    with swapped(Journal, "write", write):
        yield


@contextmanager
def forgotten_sync() -> Iterator[None]:
    """The disk says that it has synced and has not."""
    right = SimDisk.fdatasync

    def fdatasync(self: SimDisk, fd: int) -> None:
        if self.rng.random() < 0.7:
            right(self, fd)

    with swapped(SimDisk, "fdatasync", fdatasync):
        yield


@contextmanager
def gap() -> Iterator[None]:
    """An event that a client has missed is not sent again."""
    right = Pipeline.missed

    def missed(self: Pipeline, seen: int, seat: int) -> Any:
        steps = right(self, seen, seat)
        return steps[1:] if steps else steps

    with swapped(Pipeline, "missed", missed):
        yield


PLANTED = (
    early_showing, early_broadcast, leaking_card, leaking_token, done_twice, lost_record,
    forgotten_sync, gap,
)  # fmt: skip
"""Each of them is a context in which the program is wrong."""
