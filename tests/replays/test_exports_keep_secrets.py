"""Every file that somebody exports, searched byte by byte: for what was hidden from them, and for names."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import TEXTS, Card
from protocol.journal.records import StepRecord
from replays.cli.exporting import FORMATS
from replays.cli.verbs import main
from replays.page import worth
from replays.page_file import unpacked
from replays.page_steps import page_steps
from replays.parquet import can_write, paths_of
from replays.playback import Playback
from tests.support import sample_session
from tests.support.engine_table import GAMES_PLAYED, HOUSE_GAME, NAMES
from tests.support.kept_hands import HostTable, found, token
from tests.support.known_cards import known_cards
from tests.support.limits import THOROUGH
from tests.support.self_play import played_steps

pytestmark = pytest.mark.usefixtures("few_deals")
HANDS = 2
WRITTEN = [form for form in FORMATS if form != "parquet" or can_write()]
"""Parquet where DuckDB is installed."""


def exported(folder: Path, form: str, *words: str | Path) -> bytes:
    """What ryo export writes, packed and unpacked; nothing where the format has no words for the game."""
    target = folder / f"out.{form}"
    result = CliRunner().invoke(main, ["export", *map(str, words), "--format", form, "-o", str(target)])
    if form == "pokerstars" and "has no words for" in result.stderr:
        return result.output.encode()
    assert result.exit_code == 0, result.output
    if form == "parquet":
        return opened_tables(paths_of(target).values())
    content = target.read_bytes()
    parts = re.findall(rb'<script type="application/octet-stream" id="\w+">([A-Za-z0-9+/=]*)</script>', content)
    assert bool(parts) == (form == "html")
    return re.sub(rb">[A-Za-z0-9+/=]{200,}<", b"><", content) + b"".join(map(unpacked, parts))


def opened_tables(paths: Iterable[Path]) -> bytes:
    """The rows of Parquet files as text, and all that is not a row."""
    import duckdb

    told: list[Any] = []
    with duckdb.connect(config={"threads": 1}) as connection:
        for path in paths:
            rows = connection.execute(f"SELECT * FROM '{path}'").fetchall()
            about = connection.execute(f"SELECT * FROM parquet_metadata('{path}')").fetchall()
            about += connection.execute(f"SELECT * FROM parquet_kv_metadata('{path}')").fetchall()
            told += [value for row in (*rows, *about) for value in row if value != str(path)]
    return repr(told).encode()


# --------------------------------------------------------------------- secrets

ROW = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(TEXTS)})+(?![A-Za-z0-9])")
"""Cards as ``As``, alone or in a row like ``AsKd``."""
DRAWN = re.compile(r"(?:[2-9TJQKA]|10)[♣♦♥♠]")
JOURNAL = re.compile(rb"RYOLOG01.*?(?=\{\"views\"|$)", re.DOTALL)
CHANCES = re.compile(rb'"chances":\[.*?\],"clock"', re.DOTALL)
"""What a page says of the cards that a seat has not seen; `test_the_chances_of_a_page_tell_nothing_hidden` has it."""


def told_of(content: bytes, cards: set[Card]) -> set[str]:
    """Those of the cards that a content names; not in its journal, in whose digests chance writes short words."""
    text = CHANCES.sub(b"", JOURNAL.sub(b"", content)).decode("utf-8", "replace")
    told = {row[at : at + 2] for row in ROW.findall(text) for at in range(0, len(row), 2)}
    told |= {card.replace("10", "T")[0] + "cdhs"["♣♦♥♠".index(card[-1])] for card in DRAWN.findall(text)}
    return told & {TEXTS[card] for card in cards}


def numbers(table: HostTable, number: int) -> Iterator[bytes]:
    """The deck of a hand in numbers, and the digests of tokens in letters."""
    for step in table.played(number).steps:
        if isinstance(step.command, cmd.StartHand):
            deck = step.command.deck
            for start in range(len(deck) - 5):
                for between in (", ", ",", " "):
                    yield between.join(map(str, deck[start : start + 6])).encode()
                yield bytes(deck[start : start + 6]).hex().encode()
    for seat in range(1, 5):
        yield token(seat).hex()[:12].encode()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
@pytest.mark.parametrize("viewer", [None, 2])
def test_no_byte_of_an_export_tells_what_was_hidden(tmp_path: Path, game: str, viewer: int | None) -> None:
    table = HostTable(5, game)
    for _ in range(HANDS):
        table.hand()
    data = tmp_path / "data"
    host = sample_session.write(data / "hands" / "a.ryo", table.steps)
    own = table.keep(tmp_path / "own", range(1, HANDS + 1), token(2) if viewer else None)
    look = ("--seat", "2") if viewer else ()
    for form in WRITTEN:
        for words in ((host, *look), (own,)):
            content = exported(tmp_path, form, *words)
            for number in range(1, HANDS + 1):
                assert not found(content, table.played(number), viewer)
                assert not [secret for secret in numbers(table, number) if secret in content]
        for number in range(1, HANDS + 1):
            events = [event for step in table.played(number).steps for event in step.events]
            hidden = set(range(52)) - known_cards(events, viewer)[-1]
            content = exported(tmp_path, form, f"kitchen-{number}", *look, "--data-dir", data)
            assert not told_of(content, hidden)
            if viewer and form in ("phh", "json", "markdown"):
                assert told_of(content, set(range(52)) - hidden)  # the search finds cards that are there


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "barneys", "plainrazz"])
def test_the_chances_of_a_page_tell_nothing_hidden(game: str) -> None:
    """Made from what the seat alone has seen, the chances that a page tells are those made from all cards."""
    steps = played_steps(4, (game,), hands=1, trouble=False)
    own = worth(Playback(page_steps(steps, 2)), [2])
    assert own
    assert worth(Playback(page_steps(steps, "all")), [2]) == own


@pytest.mark.slow
def test_the_running_hand_is_in_no_export(tmp_path: Path) -> None:
    table = HostTable(5, "stud8")
    table.hand()
    table.hand()
    upto = next(at for at, step in enumerate(table.steps) if step.events[0] == table.played(2).steps[0].events[0])
    host = sample_session.write(tmp_path / "a.ryo", table.steps[: upto + 6])
    for form in WRITTEN:
        for look in ((), ("--seat", "2"), ("--all",)):
            assert b"kitchen-2" not in exported(tmp_path, form, host, *look)
        assert not found(exported(tmp_path, form, host), table.played(2), None)


# ----------------------------------------------------------------------- names

LONG = dict(zip(NAMES, ("Wilhelmina", "Barnabas", "Cornelius", "Dorothea"), strict=False))
WITH_PAGES = ("stud8", "barneys", HOUSE_GAME.id)
"""The games whose pages are searched for names, too; `make soak` searches those of all games, most of whose time goes
into the chances of all seats."""
WORDS = (*LONG.values(), "Zacharias", "gossip", "Sunnybrook", "kitchen")
"""Names of players and of a spectator, and words that people wrote."""


def named(table: HostTable) -> list[StepRecord]:
    """The evening with long names, which chance does not write, in every text that people write."""
    rows = []
    for step in table.steps:
        events: list[ev.AnyEvent] = []
        for event in step.events:
            if isinstance(event, ev.PlayerSeated | ev.PlayerLeft | ev.Said):
                events.append(replace(event, name=LONG.get(event.name, event.name)))
            elif isinstance(event, ev.TableOpened):
                offers = [
                    replace(
                        offer, title=f"Gossip of {LONG['Ann']}", definition=f"# by {LONG['Ben']}\n{offer.definition}"
                    )
                    if offer.definition
                    else offer
                    for offer in event.rules.games
                ]
                events.append(replace(event, rules=replace(event.rules, name="Sunnybrook", games=tuple(offers))))
            else:
                events.append(event)
        rows.append(StepRecord(step.seq, step.at, None, tuple(events), step.view))
    return rows


def gossiping(game: str) -> HostTable:
    table = HostTable(7, game)
    table.do(cmd.Say("Ann", "gossip of Barnabas and wilhelmina", 1))
    table.do(cmd.Say("Zacharias", "I saw CORNELIUS"))
    table.do(cmd.Say("", "Dorothea has gone home"))
    table.hand()
    table.do(cmd.SitOut(2, "gossip: Barnabas is at the door"))
    table.do(cmd.SitIn(2))
    table.do(cmd.StartHand(tuple(range(52)), "kitchen-void"))
    table.do(cmd.Say("Ben", "Dorothea, your turn", 2))
    table.do(cmd.VoidHand("gossip: Cornelius saw the cards of Dorothea"))
    table.hand()
    table.do(cmd.StandUp(3, "gossip: Cornelius was rude"))
    return table


def told_names(content: bytes) -> list[str]:
    return [word for word in WORDS if word.casefold().encode() in content.lower()]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_no_byte_of_an_export_without_names_tells_a_name(tmp_path: Path, game: str) -> None:
    data = tmp_path / "data"
    host = sample_session.write(data / "hands" / "20260921-sunnybrook.ryo", named(gossiping(game)))
    for form in WRITTEN if THOROUGH or game in WITH_PAGES else [form for form in WRITTEN if form != "html"]:
        assert told_names(exported(tmp_path, form, host, "--all")) or form == "pokerstars"
        for look in ((), ("--seat", "2"), ("--all",)):
            content = exported(tmp_path, form, host, *look, "--anonymise")
            assert told_names(content) == []
            assert b"2026" not in content or form == "html"  # the page has a version in its script
            assert b"Player 2" in content or b"no words for" in content
    for words in (
        ("hands",), ("hands", "--blind"), ("hands", "--format", "json"), ("hands", "--format", "csv"), ("ledger",),
        ("ledger", "--format", "json"), ("stats",), ("stats", "--format", "json"),
        *(("stats", "--player", "Barnabas", "--by", by) for by in ("player", "game", "evening")),
        ("hands", "--player", "barnabas"),
    ):  # fmt: skip
        result = CliRunner().invoke(main, [*words, "--data-dir", str(data), "--anonymise"])
        assert result.exit_code == 0, result.output
        assert told_names(result.output.encode()) == []
        assert "2026" not in result.output
        assert "Player " in result.output or "--by" in words
