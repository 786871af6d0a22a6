"""Hands as tables: asked back by DuckDB they are what the lists say."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from protocol.journal.records import StepRecord
from replays import parquet
from replays.cli.verbs import main
from replays.playback import steps_as_seen
from replays.tables import TABLES, HandRows, Table
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.known_cards import Viewpoint, cards_named, known_cards
from tests.support.paths import DOCS
from tests.support.self_play import SelfPlay, played_steps, troubled_events

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (the extra `parquet`)")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def asked(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """The answer of DuckDB; tables are named like files."""
    with duckdb.connect() as connection:
        for table in TABLES:
            connection.execute(f"CREATE VIEW {table} AS SELECT * FROM '{folder}/x.{table}.parquet'")
        rows: list[tuple[Any, ...]] = connection.execute(query).fetchall()
        return rows


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with an evening of all games, and its tables as `x.*.parquet`."""
    folder = tmp_path_factory.mktemp("data")
    table = SelfPlay(6, tuple(GAMES), 5, chips=60)
    for _ in range(24):
        table.hand()
    sample_session.write(folder / "hands" / "a.ryo", table.steps)
    result = run("export", "a.ryo", "--format", "parquet", "-o", folder / "x.parquet", "--data-dir", folder)
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("Wrote 24 hands: ")
    assert sorted(path.name for path in folder.glob("*.parquet")) == [f"x.{name}.parquet" for name in sorted(TABLES)]
    return folder


def test_columns_and_types_are_those_of_the_tables(data: Path) -> None:
    for table, columns in TABLES.items():
        found = asked(data, f"DESCRIBE SELECT * FROM {table}")
        assert {row[0]: row[1] for row in found} == columns


def test_hands_and_seats_are_those_of_the_list(data: Path) -> None:
    listed = [json.loads(row) for row in run("hands", "--format", "json", "--data-dir", data).stdout.splitlines()]
    rows = asked(
        data, "SELECT id, number, game, title, epoch_ms(started), epoch_ms(ended), void, pot FROM hands ORDER BY ALL"
    )
    own = ("game", "title", "started", "ended", "void", "pot")
    assert sorted(rows) == sorted(
        (hand["id"], int(hand["id"].split("-")[1]), *(hand[key] for key in own)) for hand in listed
    )
    seats = asked(
        data,
        "SELECT id, seat, name, stack, share, net, declared, scooped, showdown FROM seats JOIN hands USING (hand_key)",
    )
    keys = ("seat", "name", "stack", "won", "net", "declared", "scooped", "showdown")
    expected = [(hand["id"], *(player[key] for key in keys)) for hand in listed for player in hand["players"]]
    assert sorted(map(repr, seats)) == sorted(map(repr, expected))


def test_nets_are_those_of_the_ledger(data: Path) -> None:
    ledger = json.loads(run("ledger", "--format", "json", "--data-dir", data).stdout)
    nets = dict(asked(data, "SELECT name, sum(net) FROM seats GROUP BY name"))
    assert nets == {account["name"]: account["net"] for account in ledger["accounts"]}


def test_sums_and_actions_fit_together(data: Path) -> None:
    assert not asked(data, "SELECT * FROM seats WHERE net <> share + returned - committed")
    wrong = "SELECT 1 FROM hands JOIN (SELECT hand_key, sum(share) AS paid FROM seats GROUP BY ALL) USING (hand_key)"
    assert not asked(data, f"{wrong} WHERE pot <> paid")
    put_in = "SELECT hand_key, seat, sum(amount) AS chips FROM actions GROUP BY ALL"
    assert not asked(data, f"SELECT 1 FROM seats LEFT JOIN ({put_in}) USING (hand_key, seat) WHERE committed <> chips")
    folded = "SELECT hand_key, seat FROM actions WHERE action = 'fold'"
    assert not asked(data, f"({folded}) EXCEPT (SELECT hand_key, seat FROM seats WHERE folded)")
    actions = {row[0] for row in asked(data, "SELECT DISTINCT action FROM actions")}
    assert {"ante", "call", "fold", "bet", "bring_in", "choose", "declare", "pass"} <= actions


@pytest.mark.parametrize("viewpoint", [None, 2, "all"])
def test_no_card_is_told_that_the_viewpoint_has_not_seen(viewpoint: Viewpoint) -> None:
    for game in GAMES:
        steps = played_steps(8, (game,), 4, hands=1)
        events = [event for step in steps for event in step.events]
        told = " ".join(map(str, HandRows().rows(steps_as_seen(steps, viewpoint))))
        assert cards_named(told) <= frozenset().union(*known_cards(events, viewpoint))


def test_trouble_void_hands_and_one_that_is_not_over() -> None:
    events = troubled_events(4, 4, 12)
    made = HandRows()
    rows = list(made.rows([StepRecord(1, 0, None, tuple(events))]))
    assert made.hands == len([row for table, row in rows if table == "hands"])
    assert all(len(row) == len(TABLES[table]) for table, row in rows)
    one = HandRows()
    steps = sample_session.steps([*sample_session.OPENING, *sample_session.HAND_1[:3]])
    assert (list(one.rows(steps)), one.hands, one.unfinished) == ([], 0, 1)


def test_one_hand_and_no_hand(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    words = ("--format", "parquet", "--data-dir", tmp_path)
    assert run("export", "h-2", *words, "-o", tmp_path / "x").exit_code == 0
    assert asked(tmp_path, "SELECT hand_key, id FROM hands") == [(1, "h-2")]
    assert run("export", "h-2", *words).exit_code == 2
    steps = sample_session.steps([*sample_session.OPENING, *sample_session.HAND_1[:3]])
    file = sample_session.write(tmp_path / "running.ryo", steps)
    result = run("export", file, *words, "-o", tmp_path / "none.parquet")
    assert result.exit_code == 1
    assert [path.name for path in tmp_path.glob("none*")] == []
    assert "no-such" in run("export", "h-2", *words, "-o", tmp_path / "no-such" / "x").stderr


def test_without_duckdb_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = sample_session.write(tmp_path / "a.ryo")
    monkeypatch.setattr(parquet, "can_write", lambda: False)
    result = run("export", file, "--format", "parquet", "-o", tmp_path / "x.parquet")
    assert (result.exit_code, result.stderr) == (1, f"Error: {parquet.MISSING}\n")
    assert "pip install 'rollyourown[parquet]'" in parquet.MISSING


@pytest.mark.parametrize("table", TABLES)
def test_the_page_names_every_column(table: Table) -> None:
    part = (DOCS / "hand-formats.md").read_text().partition(f"\n#### {table}\n")[2].partition("\n#")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("| `")
    ]
    told = {name.strip("`"): kind for names, kind, _ in rows for name in names.split(", ")}
    assert told == TABLES[table]
