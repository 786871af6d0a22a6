"""Frames: a four-byte big-endian length, then that many bytes.

A length is checked against the cap before anything of that size is allocated.
"""

import struct

import msgspec

from protocol.wire.codec import encode_value

_LENGTH = struct.Struct(">I")

HELLO_CAP = 1024
"""Largest body in bytes that a server takes before the handshake."""
CLIENT_CAP = 16 * 1024
"""Largest body in bytes that a server takes from a client."""
SERVER_CAP = 1024 * 1024
"""Largest body in bytes that a client takes from a server."""


class BadFrame(ValueError):
    """A length is zero or above the cap. The stream cannot be read any further."""


def frame(body: bytes) -> bytes:
    """The body with its length in front."""
    return _LENGTH.pack(len(body)) + body


def encode_frame(message: msgspec.Struct) -> bytes:
    """The message as one frame."""
    return frame(encode_value(message))


class FrameDecoder:
    """Cuts a stream of bytes into the bodies of its frames. `cap` may be raised after the handshake."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._rest = bytearray()

    @property
    def within_frame(self) -> bool:
        """True while the beginning of a frame waits for its end."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that `data` completes, in order. Raises BadFrame; after that the decoder cannot be used."""
        if not self._rest and len(data) >= 4:
            (length,) = _LENGTH.unpack_from(data)
            if length + 4 == len(data) and 0 < length <= self.cap:
                return [data[4:]]  # the common case: exactly one frame
        rest = self._rest
        rest += data
        bodies: list[bytes] = []
        at = 0
        while len(rest) - at >= 4:
            (length,) = _LENGTH.unpack_from(rest, at)
            if not 0 < length <= self.cap:
                raise BadFrame(f"a frame of {length} bytes; between 1 and {self.cap} are allowed")
            end = at + 4 + length
            if end > len(rest):
                break
            bodies.append(bytes(rest[at + 4 : end]))
            at = end
        del rest[:at]
        return bodies
