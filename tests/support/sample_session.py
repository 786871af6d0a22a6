"""A short evening written by hand, event by event: two hands at a table of three, as a host's journal keeps them."""

from pathlib import Path

from protocol import events as ev
from protocol.actions import Action, Option
from protocol.cards import card, cards
from protocol.commands import Say
from protocol.events import AnyEvent
from protocol.journal.framing import encode_batch, front, start_digest
from protocol.journal.records import Header, StepRecord, encode_record
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES

START = 1_790_000_000_000
"""UTC milliseconds of the first step."""

STAKES = Stakes()
TABLE = TableRules(name="Kitchen", seats=3, games=(GameOffer("stud8", "Stud high-low", STAKES, 8),))
SALT = bytes(range(16))


def down(text: str) -> tuple[int, ...]:
    """A row of cards as a tuple."""
    return tuple(cards(text))


def _bet(seat: int, call: int = 0) -> ev.ActionRequested:
    return ev.ActionRequested(seat, "bet", (Option("check"), Option("bet", least=2, most=2)), call, 30)


OPENING: list[list[AnyEvent]] = [
    [ev.TableOpened("kitchen", TABLE)],
    [ev.PlayerSeated(1, "Ann", 100, token=b"a" * 32)],
    [ev.PlayerSeated(2, "Ben", 100, token=b"b" * 32)],
    [ev.PlayerSeated(3, "Cai", 100, bot=True, token=b"c" * 32)],
]

HAND_1: list[list[AnyEvent]] = [
    [
        ev.HandStarted(1, "h-1", "stud8", "Stud high-low", 3, ((1, 100), (2, 100), (3, 100)), STAKES),
        ev.AntesPosted(((1, 1), (2, 1), (3, 1))),
        ev.CardsDealt(
            "third street",
            ((1, down("AsKs"), down("2c")), (2, down("QdQh"), down("9h")), (3, down("7c7d"), down("7h"))),
        ),
        ev.RoundOpened("third street", 1, 1, "{1} has the lowest card"),
        ev.ActionRequested(1, "bet", (Option("bring_in", amount=1),), 0, 30),
    ],
    [ev.Acted(1, "bring_in", 1, 1), _bet(2, 1)],
    [ev.Said("Ben", "good luck", 2)],
    [ev.ConnectionChanged(2, False)],
    [ev.Acted(2, "call", 1, 1, cause="timeout"), _bet(3, 1)],
    [ev.ConnectionChanged(2, True)],
    [
        ev.Acted(3, "fold", 0, 0),
        ev.PotsGathered(((5, (1, 2)),)),
        ev.CardsDealt("fourth street", ((1, (), down("3c")), (2, (), down("Td")))),
        ev.ActionRequested(1, "choose", (Option("choose", cards=down("AsKs"), count=1),), 0, 20),
        ev.ActionRequested(2, "choose", (Option("choose", cards=down("QdQh"), count=1),), 0, 20),
    ],
    [ev.ChoiceMade(2, "choose", Action("choose", cards=down("Qd")))],
    [
        ev.ChoiceMade(1, "choose", Action("choose", cards=down("As"))),
        ev.CardsTurned(((1, card("As")), (2, card("Qd")))),
        ev.RoundOpened("fourth street", 1, 1, "{1} has the highest board"),
        _bet(1),
    ],
    [ev.Acted(1, "bet", 2, 2), _bet(2, 2)],
    [
        ev.Acted(2, "call", 2, 2),
        ev.PotsGathered(((9, (1, 2)),)),
        ev.HandShown(1, down("Ks"), (("high", "ace high"),)),
        ev.HandMucked(2),
        ev.PotAwarded(0, "whole", 9, ((1, 9),), "ace high"),
        ev.HandEnded(1, ((1, 105), (2, 96), (3, 99))),
    ],
]

HAND_2: list[list[AnyEvent]] = [
    [
        ev.HandStarted(2, "h-2", "stud8", "Stud high-low", 1, ((1, 105), (2, 96), (3, 99)), STAKES),
        ev.AntesPosted(((1, 1), (2, 1), (3, 1))),
        ev.CardsDealt(
            "third street",
            ((2, down("4c4d"), down("5h")), (3, down("JcJd"), down("Kh")), (1, down("8c8d"), down("2h"))),
        ),
        ev.RoundOpened("third street", 1, 1, "{1} has the lowest card"),
        ev.ActionRequested(1, "bet", (Option("fold"), Option("bring_in", amount=1)), 0, 30),
    ],
    [ev.Acted(1, "fold", 0, 0), _bet(2)],
    [
        ev.Acted(2, "fold", 0, 0),
        ev.PotsGathered(((3, (3,)),)),
        ev.PotAwarded(0, "whole", 3, ((3, 3),), ""),
        ev.HandEnded(2, ((1, 104), (2, 95), (3, 101))),
    ],
]

EVENING = OPENING + HAND_1 + HAND_2


def steps(rows: list[list[AnyEvent]] | None = None, gap: int = 1500) -> list[StepRecord]:
    """Steps of these events, `gap` milliseconds apart; the commands are only there to fill the place."""
    made: list[StepRecord] = []
    seq = 1
    for number, row in enumerate(EVENING if rows is None else rows):
        made.append(StepRecord(seq, START + number * gap, Say("", ""), tuple(row)))
        seq += len(row)
    return made


def events(rows: list[list[AnyEvent]] | None = None) -> list[AnyEvent]:
    """The events in order."""
    return [event for row in (EVENING if rows is None else rows) for event in row]


def header(rules: int = RULES, version: int = JOURNAL_FORMAT, viewer: int | None = None) -> Header:
    """A header record."""
    return Header(
        format=version,
        rules=rules,
        program=PROGRAM,
        session=b"s" * 16,
        table="kitchen",
        started=START,
        viewer=viewer,
    )


def write(path: Path, made: list[StepRecord] | None = None, head: Header | None = None) -> Path:
    """A journal file with these steps, correctly chained."""
    records: list[Header | StepRecord] = [head or header(), *(steps() if made is None else made)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(chained([encode_record(record) for record in records]))
    return path


def chained(payloads: list[bytes]) -> bytes:
    """A file of these records, each synced before the next, as a host writes them."""
    content = front(SALT)
    digest = start_digest(content)
    for payload in payloads:
        piece, digest = encode_batch(SALT, digest, [payload], first=True)
        content += piece
    return content
