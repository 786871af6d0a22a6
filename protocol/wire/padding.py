"""Padding: no length on the wire tells a secret choice, not even a TLS record's (fault 95).

"high" is a byte longer than "low", and three discarded cards take more bytes than one. So a person who sees the
encrypted records, but cannot read them, could tell a declaration from their lengths. Therefore a message with a secret
choice also holds padding: zeros that make all choices equally long.
"""

from protocol.actions import Action
from protocol.wire.codec import encode_value

ROOM = 64
"""Bytes of a choice together with its padding; the longest choice takes about half of them."""
SECRET_KINDS = frozenset({"choose", "arrange", "declare", "pass", "discard"})
"""The kinds of actions that are secret, for some time or for ever."""


def padding(length: int, room: int = ROOM) -> bytes:
    """The padding for a choice of that many bytes, or for other secrets with more room.

    Raises ValueError if they are too long.
    """
    if length > room:
        raise ValueError(f"{length} bytes are longer than any secret that there is")
    return bytes(room - length)


def action_padding(action: Action) -> bytes:
    """The padding of a message with that action; empty for an action that everybody sees at once."""
    return padding(len(encode_value(action))) if action.kind in SECRET_KINDS else b""
