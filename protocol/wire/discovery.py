"""Finding servers on the local network: one datagram asks, one datagram answers (`docs/protocol.md` 15).

A datagram is one MessagePack map. A probe is filled up to `DATAGRAM` bytes and an answer is never longer, so that
nobody can use a server to send somebody else more than they send themselves. An answer holds nothing secret, and
whoever reads the probe can forge one: what it says is a hint, and the server's key decides.
"""

import re

import msgspec

from protocol.sanitize import clean
from protocol.versions import PROTOCOL
from protocol.wire.codec import BadMessage, encode_value, to_type, unpack
from protocol.wire.join_links import DEFAULT_PORT, FINGERPRINT
from protocol.wire.messages import Message

DISCOVERY_PORT = DEFAULT_PORT
"""UDP port on which servers listen for probes."""
ANSWER_PORT = DISCOVERY_PORT + 1
"""UDP port from which a client asks if it is free, so that one rule of a firewall lets the answers in."""
GROUP = "ff12::8000:7719"
"""IPv6 multicast group of the servers on one link."""
DATAGRAM = 512
"""Bytes of a probe, and the most bytes of an answer."""
NONCE = 16
"""Random bytes in a probe, which the answer repeats."""
MOST_TABLES = 24
"""Tables that are tried to fit into an answer; the shortest ones would."""
LONGEST_NAME = 32
"""Characters of the name of a table or a game in an answer; the rest is left out."""

_ROOM_FOR_MORE = 9
"""Bytes of `Answer.more`, which is only there where tables are left out."""
_ITEMS = 32
_DEPTH = 4
_MOST_SEATS = 99
_MOST_MORE = 9999
_TABLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_FINGERPRINT = re.compile(rf"[a-z2-7]{{{FINGERPRINT}}}")


class Probe(Message, frozen=True, tag="probe"):
    """Asks which servers there are.

    `nonce`: 16 random bytes. `protocol`: as in `Hello`. `pad`: zeros up to 512 bytes.
    """

    nonce: bytes
    protocol: tuple[int, int] = PROTOCOL
    pad: bytes = b""


class TableHint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in an answer.

    `game`: the title of the game that is played. `free`: seats that nobody has. `password`, `invite`: whether new
    players need one; with both, either is enough. `stakes`: of that game, in a few words; `buy_in`: the usual one. Both
    are left out where they would leave no room for a table.
    """

    table: str
    name: str = ""
    game: str = ""
    seats: int = 0
    free: int = 0
    password: bool = False
    invite: bool = False
    stakes: str = ""
    buy_in: int = 0


class Answer(Message, frozen=True, tag="server"):
    """A server is there.

    `nonce`: that of the probe. `port`: its TCP port. `protocol`, `server`: the versions that it speaks, and its
    program. `fp`: the whole fingerprint of its key; empty if it does not encrypt. `more`: how many tables had no
    room in the datagram.
    """

    nonce: bytes
    port: int
    protocol: tuple[int, int]
    server: str = ""
    fp: str = ""
    tables: tuple[TableHint, ...] = ()
    more: int = 0


def encode_probe(nonce: bytes) -> bytes:
    """A probe of exactly `DATAGRAM` bytes."""
    draft = DATAGRAM // 2
    long = len(encode_value(Probe(nonce, pad=bytes(draft))))
    return encode_value(Probe(nonce, pad=bytes(draft + DATAGRAM - long)))


def decode_probe(datagram: bytes) -> Probe:
    """The probe in a datagram. Raises BadMessage, also for one of another size: an answer must not be longer."""
    if len(datagram) != DATAGRAM:
        raise BadMessage("a probe of another size")
    probe = to_type(_message(datagram, Probe), Probe)
    if len(probe.nonce) != NONCE:
        raise BadMessage("a nonce of another size")
    return probe


def encode_answer(answer: Answer) -> bytes:
    """The answer in at most `DATAGRAM` bytes: names are cut short, and the last tables left out if need be."""
    tables = [
        msgspec.structs.replace(table, name=clean(table.name, LONGEST_NAME), game=clean(table.game, LONGEST_NAME))
        for table in answer.tables[:MOST_TABLES]
    ]
    short = [msgspec.structs.replace(table, stakes="", buy_in=0) for table in tables]
    if len(encode_value(msgspec.structs.replace(answer, tables=tuple(tables)))) > DATAGRAM - _ROOM_FOR_MORE:
        tables = short
    for count in range(len(tables), -1, -1):
        more = answer.more + len(answer.tables) - count
        told = msgspec.structs.replace(answer, tables=tuple(tables[:count]), more=min(more, _MOST_MORE))
        datagram = encode_value(told)
        if len(datagram) <= DATAGRAM:
            break
    return datagram


def decode_answer(datagram: bytes, nonce: bytes) -> Answer:
    """The answer to the probe with that nonce, with harmless texts. Raises BadMessage."""
    if len(datagram) > DATAGRAM:
        raise BadMessage("an answer is not longer than a probe")
    answer = to_type(_message(datagram, Answer), Answer)
    if answer.nonce != nonce:
        raise BadMessage("the answer to another probe")
    if not 0 < answer.port < 65536:
        raise BadMessage("not a port")
    if answer.fp and not _FINGERPRINT.fullmatch(answer.fp):
        raise BadMessage("not a fingerprint")
    if not 0 < answer.protocol[0] <= answer.protocol[1] or not 0 <= answer.more <= _MOST_MORE:
        raise BadMessage("a number out of bounds")
    return msgspec.structs.replace(
        answer, server=clean(answer.server, LONGEST_NAME), tables=tuple([_checked(table) for table in answer.tables])
    )


def _checked(table: TableHint) -> TableHint:
    if table.buy_in < 0:
        raise BadMessage("a number out of bounds")
    if not _TABLE_ID.fullmatch(table.table) or not 0 <= table.free <= table.seats <= _MOST_SEATS:
        raise BadMessage("not a table")
    name = clean(table.name, LONGEST_NAME) or table.table
    game, stakes = clean(table.game, LONGEST_NAME), clean(table.stakes, LONGEST_NAME)
    return msgspec.structs.replace(table, name=name, game=game, stakes=stakes)


def _message(datagram: bytes, kind: type[Message]) -> dict[str, object]:
    value = unpack(datagram, items=_ITEMS, text=DATAGRAM, depth=_DEPTH)
    if value.get("type") != kind.__struct_config__.tag:
        raise BadMessage("another kind of message")
    return value
