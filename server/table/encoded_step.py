"""A step as bytes: one encoding of each event for all who see the same, and for the journal.

The bytes are those of `protocol.wire.messages.Events` and `protocol.journal.records.Step`; only the work is shared.
"""

from collections.abc import Sequence

import msgspec

from protocol.commands import AnyCommand
from protocol.events import ActionRequested, AnyEvent, Seat
from protocol.visibility import PUBLIC, owners, project
from protocol.wire.codec import encode_value
from protocol.wire.frames import encode_frame


class _Events(msgspec.Struct, frozen=True, tag="events", tag_field="type", gc=False):
    seq: int
    at: int
    events: msgspec.Raw


class _Step(msgspec.Struct, frozen=True, tag="step", tag_field="record", gc=False):
    seq: int
    at: int
    command: AnyCommand | None
    events: msgspec.Raw


def array(items: Sequence[bytes]) -> bytes:
    """Encoded values as one encoded array."""
    count = len(items)
    head = bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")
    return head + b"".join(items)


def framed(seq: int, at: int, events: bytes) -> bytes:
    """The `Events` frame around an encoded array of events."""
    return encode_frame(_Events(seq, at, msgspec.Raw(events)))


class EncodedStep:
    """A step, encoded for the journal (`record`), for everybody (`public`) and for single seats (`own`)."""

    __slots__ = ("_at", "_parts", "_secrets", "_seq", "public", "record")

    def __init__(self, seq: int, at: int, command: AnyCommand | None, events: tuple[AnyEvent, ...]) -> None:
        self._seq, self._at = seq, at
        for event in events:
            if type(event) not in PUBLIC and not (type(event) is ActionRequested and event.decision == "bet"):
                whole = self._split(events)
                break
        else:
            self._secrets: dict[Seat, list[tuple[int, AnyEvent]]] = {}
            whole = encode_value(events)
            self.public = framed(seq, at, whole)
        self.record = encode_value(_Step(seq, at, command, msgspec.Raw(whole)))

    def _split(self, events: tuple[AnyEvent, ...]) -> bytes:
        """Encodes event by event; the array of the journal, in which nothing is hidden."""
        whole: list[bytes] = []
        public: list[bytes] = []
        secrets: dict[Seat, list[tuple[int, AnyEvent]]] = {}
        for number, event in enumerate(events):
            full = encode_value(event)
            whole.append(full)
            seen = project(event, None)
            if seen is event:
                public.append(full)
            else:
                public.append(encode_value(seen))
                for seat in owners(event):
                    secrets.setdefault(seat, []).append((number, event))
        self._parts, self._secrets = public, secrets
        self.public = framed(self._seq, self._at, array(public))
        return array(whole)

    def own(self, seat: Seat) -> bytes:
        """The frame for that seat, with its own secrets in it."""
        secrets = self._secrets.get(seat)
        if secrets is None:
            return self.public
        parts = self._parts.copy()
        for number, event in secrets:
            parts[number] = encode_value(project(event, seat))
        return framed(self._seq, self._at, array(parts))

    @property
    def same_for_all(self) -> bool:
        """Whether no seat sees more of it than a spectator."""
        return not self._secrets
