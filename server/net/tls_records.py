"""Counting the records in a stream of TLS by their headers: each costs a decryption, however short it is.

record  type (1 byte) | version (2) | length (2, big-endian) | that many bytes
"""

_HEAD = 5


class RecordCounter:
    """Counts the records of one stream, whatever pieces it comes in."""

    __slots__ = ("_head", "_left")

    def __init__(self) -> None:
        self._left = 0  # bytes that are still to come of the present record
        self._head = b""  # the beginning of a header

    def count(self, data: bytes) -> int:
        """How many records begin in the next bytes of the stream."""
        at, found = 0, 0
        while True:
            if self._left:
                step = min(self._left, len(data) - at)
                self._left -= step
                at += step
            head = self._head + data[at : at + _HEAD - len(self._head)]
            at += len(head) - len(self._head)
            if len(head) < _HEAD:
                self._head = head
                return found
            self._head = b""
            self._left = int.from_bytes(head[3:], "big")
            found += 1
