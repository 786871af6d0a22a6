"""`ryo hands`, `ryo stats` and `ryo ledger` against the same numbers, counted plainly from the raw events."""

import gc
import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from protocol import events as ev
from replays.cli.verbs import main
from replays.hand_summaries import summaries
from replays.recording import Unreadable
from replays.statistics import Tally
from replays.summary_reader import read_summaries
from tests.support import sample_session
from tests.support.engine_table import GAMES_PLAYED, EngineTable
from tests.support.plain_counts import brought, counts, plain_hands, raw_steps
from tests.support.self_play import SelfPlay, troubled_table

HANDS = 16


def recorded(tmp_path: Path, table: EngineTable) -> Path:
    """The file of a table, in a data directory."""
    return sample_session.write(tmp_path / "hands" / "20260921-200000-kitchen.ryo", table.steps)


def told(path: Path, *words: str) -> list[dict[str, Any]]:
    """What a verb says as JSON, object by object."""
    result = CliRunner().invoke(main, [*words, "--format", "json", "--data-dir", str(path.parent.parent)])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_hands_and_stats_are_those_of_the_raw_events(game: str, tmp_path: Path) -> None:
    """With chat, clocks that run out, players who sit out, and void hands."""
    for seed in range(3):
        table = troubled_table(seed, random.Random(seed).randint(2, 5), HANDS, game)
        path = recorded(tmp_path, table)
        found = plain_hands(raw_steps(path.read_bytes()))
        listed = told(path, "hands")
        assert [row["id"] for row in listed] == [hand.start["id"] for hand in found]
        for row, hand in zip(listed, found, strict=True):
            nets = {seat: 0 if hand.void else hand.won()[seat] - hand.paid_in()[seat] for seat in hand.names}
            assert {who["seat"]: who["net"] for who in row["players"]} == nets
            assert row["pot"] == (0 if hand.void else sum(hand.paid_in().values()))
        rows = told(path, "stats")
        assert {row["player"] for row in rows} == {
            name for hand in found if not hand.void for name in hand.names.values()
        }
        for row in rows:
            plain = counts(found, str(row["player"]))
            assert row == {"player": row["player"]} | {key: plain[key] for key in Tally.__slots__}, (
                seed,
                row["player"],
            )


def test_who_got_a_share_of_one_half_only_was_quartered(tmp_path: Path) -> None:
    """Ann has the high half and shares the low half with Ben, as it happens too seldom in hands played by chance."""
    awards = (ev.PotAwarded(0, "high", 5, ((1, 5),)), ev.PotAwarded(0, "low", 4, ((1, 2), (2, 2))))
    rows = [
        [one for event in row for one in (awards if isinstance(event, ev.PotAwarded) else (event,))]
        for row in [*sample_session.OPENING, *sample_session.HAND_1]
    ]
    path = sample_session.write(tmp_path / "hands" / "quarter.ryo", sample_session.steps(rows))
    (hand,) = plain_hands(raw_steps(path.read_bytes()))
    assert hand.quartered() == {2}
    assert {row["player"]: row["quartered"] for row in told(path, "stats")} == {"Ann": 0, "Ben": 1, "Cai": 0}


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_the_fast_reader_finds_what_all_events_say(game: str, tmp_path: Path) -> None:
    table = troubled_table(7, 4, HANDS, game)
    assert read_summaries(recorded(tmp_path, table)).hands == summaries(table.steps)


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_of_garbage_is_afterwards_as_it_was(on: bool, tmp_path: Path) -> None:
    path = recorded(tmp_path, troubled_table(7, 4, 2, "stud8"))
    foreign = tmp_path / "foreign.ryo"
    foreign.write_bytes(b"something else")
    was_on = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        read_summaries(path)
        assert gc.isenabled() == on
        with pytest.raises(Unreadable):
            read_summaries(foreign)
        assert gc.isenabled() == on
    finally:
        (gc.enable if was_on else gc.disable)()


def test_the_ledger_is_that_of_the_raw_events(tmp_path: Path) -> None:
    for seed in range(6):
        table = SelfPlay(seed, tuple(GAMES_PLAYED), 4)
        for _ in range(HANDS):
            table.hand()
        path = recorded(tmp_path, table)
        steps = raw_steps(path.read_bytes())
        (ledger,) = told(path, "ledger")
        bought, ends = brought(steps), dict(plain_hands(steps)[-1].events[-1]["stacks"])
        for account in ledger["accounts"]:
            assert account["bought"] == bought[account["name"]]
            assert account["net"] == account["taken"] - account["bought"]
        taken = sorted(account["taken"] for account in ledger["accounts"])
        assert taken == sorted(ends.values())
