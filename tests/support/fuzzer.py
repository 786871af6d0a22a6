"""Random and damaged bytes into everything that reads bytes from outside: nothing but documented errors comes out."""

import random
import time
from collections import Counter
from collections.abc import Callable

from protocol.actions import Action
from protocol.commands import AnyCommand, OpenTable, SitDown, StartHand
from protocol.journal.framing import encode_file, scan
from protocol.journal.records import Header, StepRecord, decode_record, encode_record
from protocol.table_rules import GameOffer, TableRules
from protocol.versions import JOURNAL_FORMAT, RULES
from protocol.wire import messages as msg
from protocol.wire.codec import BadMessage, decode_from_client, decode_from_server, encode_value
from protocol.wire.frames import CLIENT_CAP, BadFrame, FrameDecoder, frame
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from server.storage.journal_errors import JournalError
from server.storage.recovery import rebuild

_GAME = GAMES["stud8"]
HOUSE = TableRules(name="fuzz", seats=3, games=(GameOffer(_GAME.id, _GAME.title, _GAME.stakes, _GAME.most_players),))
Target = Callable[[bytes], object]


def seeds() -> dict[str, list[bytes]]:
    """Good bytes of each kind, to be damaged."""
    client = [
        msg.Hello((1, 1), "fuzz"), msg.ListTables(), msg.Join("Ann", b"t" * 32, "main"), msg.Watch("main"),
        msg.Act(1, 17, Action("raise", to=4)), msg.Act(2, 9, Action("choose", cards=(3,))), msg.Say("hello"),
        msg.TopUp(5), msg.MoveSeat(3), msg.GetHand(1), msg.Ping(3), msg.StandUp(),
    ]  # fmt: skip
    steps = _steps()
    header = Header(
        format=JOURNAL_FORMAT, rules=RULES, program="fuzz", session=b"s" * 16, table="main", started=1_700_000_000_000
    )  # fmt: skip
    records = [encode_record(header), *map(encode_record, steps)]
    server = [
        msg.Welcome(1, "fuzz"), msg.Joined("main", 1, 3), msg.Done(4), msg.Rejected("stale", "Too late.", 4),
        msg.Bye("idle", "Good bye."), *[msg.Events(step.seq, step.at, step.events) for step in steps],
    ]  # fmt: skip
    bodies = [encode_value(message) for message in client]
    return {
        "client": bodies,
        "server": [encode_value(message) for message in server],
        "frames": [frame(body) for body in bodies],
        "record": records,
        "journal": [encode_file(b"salt" * 4, records)],
    }


def _steps() -> list[StepRecord]:
    state = TableState()
    steps: list[StepRecord] = []
    commands: list[AnyCommand] = [
        OpenTable("main", HOUSE), SitDown("Ann", 100, b"a" * 32), SitDown("Ben", 100, b"b" * 32),
        StartHand(tuple(range(52)), "main-1"),
    ]  # fmt: skip
    for command in commands:
        seq = state.seq + 1
        steps.append(StepRecord(seq, 1_700_000_000_000, command, state.apply(command)))
    return steps


def read_frames(data: bytes) -> None:
    """A whole stream, as a server reads it."""
    for body in FrameDecoder(CLIENT_CAP).feed(data):
        decode_from_client(body)


def read_journal(data: bytes) -> None:
    """A file, as recovery reads it."""
    found = scan(data)
    if found.verdict in ("clean", "torn"):
        rebuild(found.records, "fuzz.ryo")


TARGETS: dict[str, tuple[Target, tuple[type[Exception], ...]]] = {
    "client": (decode_from_client, (BadMessage,)),
    "server": (decode_from_server, (BadMessage,)),
    "frames": (read_frames, (BadFrame, BadMessage)),
    "record": (decode_record, (BadMessage,)),
    "journal": (read_journal, (JournalError,)),
}
"""What is fed, and the errors that it may raise."""


def damaged(rng: random.Random, good: bytes, other: bytes) -> bytes:
    """One to eight changes; or noise."""
    data = bytearray(good)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(7):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1 if at < len(data):
                data[at] = rng.choice((0x00, 0x7F, 0x80, 0x90, 0xC0, 0xC1, 0xC7, 0xD4, 0xDD, 0xDF, 0xFF))
            case 2:
                del data[at:]
            case 3:
                data[at:at] = rng.randbytes(rng.randrange(9))
            case 4:
                del data[at : at + rng.randrange(9)]
            case 5:
                cut = rng.randrange(len(other) + 1)
                data[at:] = other[cut:]
            case _:
                data = bytearray(rng.randbytes(rng.randrange(64)))
    return bytes(data)


def fuzz(seconds: float, start: int) -> str:
    """Feeds for so long; raises AssertionError with the bytes if anything else than a documented error comes out."""
    rng = random.Random(start)
    good = seeds()
    names = sorted(TARGETS)
    counts: Counter[str] = Counter()
    refused = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for _ in range(200):
            name = rng.choice(names)
            target, documented = TARGETS[name]
            data = damaged(rng, rng.choice(good[name]), rng.choice(good[name]))
            counts[name] += 1
            try:
                target(data)
            except documented:
                refused += 1
            except Exception as error:
                raise AssertionError(f"{name}: {type(error).__name__}: {error} for {data.hex()}") from error
    total = sum(counts.values())
    return f"{total} inputs from seed {start}, {refused} refused, nothing but documented errors"
