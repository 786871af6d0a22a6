"""Padding: no length on the wire tells a secret choice, not even a TLS record's (fault 95).

"high" is a byte longer than "low", and three discarded cards take more bytes than one. Whoever sees encrypted records
pass could read a declaration from their lengths. So a message that holds a secret choice also holds padding: zeros that
make every choice equally long.
"""

from protocol.actions import Action
from protocol.wire.codec import encode_value

ROOM = 64
"""Bytes that a choice takes together with its padding; the longest choice takes about half of them."""
SECRET_KINDS = frozenset({"choose", "arrange", "declare", "pass", "discard"})
"""The kinds of actions that others may not know, or not yet."""


def padding(length: int) -> bytes:
    """What makes a choice of that many bytes as long as every other one."""
    if length > ROOM:
        raise ValueError(f"a choice of {length} bytes is longer than any that there is")
    return bytes(ROOM - length)


def action_padding(action: Action) -> bytes:
    """The padding of a message with that action; none for an action that everybody sees at once."""
    return padding(len(encode_value(action))) if action.kind in SECRET_KINDS else b""
