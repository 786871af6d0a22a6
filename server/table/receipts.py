"""Receipts: what a client can prove to have seen (faults 48, 65, 93, 94).

The theory. A journal may lose something that players have seen: a disk lies, an old backup is put back, the last record
is cut off. The server that is started again cannot know it: it gives the same numbers to other events, and a client
that only said "I have seen up to number 57" would be sent the rest of another history. And a client may say any number.

So every step that is sent carries a receipt of two halves:

    digest    of the step's public events, its number and its time: the same for all viewers
    seal      a keyed digest over table, session, number and digest, with a key that only the server has

A client gives its last receipt back when it comes again. The seal proves that this server has sent that step; the
digest says which step it was. If the journal has another step at that number, or none, it has lost something: one
witness is proof enough. A receipt whose seal is wrong proves nothing and costs its bearer a snapshot.

The digest is made from public events only. The journal's own chain also covers hidden ones, and a declaration could be
guessed from it.
"""

from hashlib import blake2b
from hmac import compare_digest

from protocol.versions import PROGRAM, RULES

HALF = 16
"""Bytes of each half."""


def step_digest(seq: int, at: int, events: bytes) -> bytes:
    """The digest of a step: the number of its first event, UTC milliseconds, and its public events, encoded."""
    return blake2b(seq.to_bytes(8, "big") + at.to_bytes(8, "big") + events, digest_size=HALF).digest()


class Receipts:
    """Gives and reads the receipts of one session of a table.

    The same step may be encoded otherwise by another version of the program, so its receipts are worth nothing here.

    Args:
        key: the secret of the server (`server.storage.receipt_key`).
    """

    def __init__(self, key: bytes, table: str, session: str) -> None:
        where = "\0".join(("ryo receipt 1", PROGRAM, str(RULES), table, session))
        self._key = blake2b(where.encode(), key=key).digest()

    def give(self, last: int, digest: bytes) -> bytes:
        """The receipt of the step whose last event has that number."""
        return digest + self._seal(last, digest)

    def read(self, last: int, receipt: bytes) -> bytes | None:
        """The digest in a receipt of the step whose last event has that number; None if we did not give it."""
        if len(receipt) != 2 * HALF or not 0 <= last < 1 << 63:
            return None
        digest = receipt[:HALF]
        return digest if compare_digest(receipt[HALF:], self._seal(last, digest)) else None

    def _seal(self, last: int, digest: bytes) -> bytes:
        return blake2b(last.to_bytes(8, "big") + digest, key=self._key, digest_size=HALF).digest()
