"""Limits on clients (`docs/hosting.md`): what one client may cost the others. Times are seconds, sizes bytes."""

from typing import Annotated

import msgspec

from protocol.wire.codec import CLIENT_TEXT
from protocol.wire.frames import CLIENT_CAP, HELLO_CAP

LONGEST_SAY = CLIENT_TEXT // 4
"""Characters of a chat message that the wire always takes: a character has at most four bytes."""


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a server takes from its clients.

    Fields:
        connections, per_address, greeting: connections in all, from one network (an IPv4 address or 64 bits of IPv6),
            and those that are not let in yet (`server.admission.door`).
        hello: time from the opening of the connection to the end of its `Hello`.
        idle: time without any frame; clients ping every 10 s.
        frame: time from the first to the last byte of a frame.
        rate, burst: frames a second, and frames at once.
        say_rate, say_burst, say_length: the same for chat, and characters of one message.
        join_rate, join_burst: the same for sitting down and watching, and thereby for standing up.
        hand_rate, hand_burst: requests for the records of hands, a second and at once.
        hello_bytes, frame_bytes: largest frame before and after the `Hello`.
        out_frames, out_bytes: what may wait for a client that does not read, before it is dropped.
        write: how long a client may read nothing at all while something waits for it.
        watchers: spectators at one table.
    """

    connections: int = 400
    per_address: int = 24
    greeting: int = 64
    hello: float = 5.0
    idle: float = 30.0
    frame: float = 5.0
    rate: float = 20.0
    burst: float = 40.0
    say_rate: float = 1.0
    say_burst: float = 5.0
    say_length: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SAY)] = 200
    join_rate: float = 0.5
    join_burst: float = 10.0
    hand_rate: float = 2.0
    hand_burst: float = 10.0
    hello_bytes: int = HELLO_CAP
    frame_bytes: int = CLIENT_CAP
    out_frames: int = 256
    out_bytes: int = 1 << 20
    write: float = 10.0
    watchers: int = 200
