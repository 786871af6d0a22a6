"""A step as bytes: each event is encoded once for all who see the same of it, and for the journal.

A step goes to the journal and to everybody at the table, and most of its events are the same for all of them. So the
events are encoded one by one, and the encoded events are put together to the frame of each viewer; only an event of
which a seat sees more than the others is encoded again, for that seat. A step in which nothing is hidden is encoded in
one go. The bytes are exactly those of `protocol.wire.messages.Events` and `protocol.journal.records.StepRecord`.
"""

from collections.abc import Sequence

import msgspec

from protocol.commands import AnyCommand
from protocol.events import AnyEvent, Seat
from protocol.journal.records import Checkpoint
from protocol.visibility import owners, project, same_for_all
from protocol.wire.codec import encode_value
from protocol.wire.frames import encode_frame
from protocol.wire.padding import ROOM, padding
from server.table.receipts import Receipts, step_digest


class _Events(msgspec.Struct, frozen=True, tag="events", tag_field="type", omit_defaults=True, gc=False):
    seq: int
    at: int
    events: msgspec.Raw
    receipt: bytes = b""
    pad: bytes = b""


class _Step(msgspec.Struct, frozen=True, tag="step", tag_field="record", omit_defaults=True, gc=False):
    seq: int
    at: int
    command: AnyCommand | None
    events: msgspec.Raw
    checkpoint: Checkpoint | None = None


def array(items: Sequence[bytes]) -> bytes:
    """Encoded values as one encoded array."""
    count = len(items)
    head = bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")
    return head + b"".join(items)


def framed(seq: int, at: int, events: bytes, receipt: bytes = b"", pad: bytes = b"") -> bytes:
    """The `Events` frame around an encoded array of events."""
    return encode_frame(_Events(seq, at, msgspec.Raw(events), receipt, pad))


class EncodedStep:
    """An encoded step.

    Args:
        seq: number of its first event. at: UTC milliseconds.
        receipts: give the step its receipt; None for a step that nobody is sent.
        checkpoint: the table before the step, for the journal alone.

    Attributes:
        digest: of its public events (`server.table.receipts`).
        receipt: what proves that a client was sent it.
        record: the journal's record, in which nothing is hidden.
        public: the frame for everybody who sees no secrets.
    """

    __slots__ = ("_at", "_parts", "_secrets", "_seq", "digest", "public", "receipt", "record")

    def __init__(
        self,
        seq: int,
        at: int,
        command: AnyCommand | None,
        events: tuple[AnyEvent, ...],
        receipts: Receipts | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._seq, self._at = seq, at
        self._secrets: dict[Seat, list[tuple[int, AnyEvent]]] = {}
        if all(map(same_for_all, events)):
            whole = public = encode_value(events)
        else:
            whole, public = self._split(events)
        self.digest = step_digest(seq, at, public)
        self.receipt = b"" if receipts is None else receipts.give(seq + len(events) - 1, self.digest)
        self.public = framed(seq, at, public, self.receipt)
        self.record = encode_value(_Step(seq, at, command, msgspec.Raw(whole), checkpoint))

    def _split(self, events: tuple[AnyEvent, ...]) -> tuple[bytes, bytes]:
        """Encodes event by event; the array for the journal, and that for everybody."""
        whole: list[bytes] = []
        public: list[bytes] = []
        secrets = self._secrets
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
        self._parts = public
        return array(whole), array(public)

    def own(self, seat: Seat) -> bytes:
        """The frame for that seat, with its own secrets in it."""
        secrets = self._secrets.get(seat)
        if secrets is None:
            return self.public
        parts = self._parts.copy()
        longer = choices = 0
        for number, event in secrets:
            part = encode_value(project(event, seat))
            # Cards are as long as what hides them: only a choice is longer, by what it is.
            if more := len(part) - len(parts[number]):
                longer += more
                choices += 1
            parts[number] = part
        # In one step a seat can choose several times: the table chooses for a player who has gone.
        return framed(self._seq, self._at, array(parts), self.receipt, padding(longer, choices * ROOM))

    @property
    def same_for_all(self) -> bool:
        """Whether no seat sees more of it than a spectator."""
        return not self._secrets
