"""The verbs that look at many hands: `hands`, `stats`, `ledger`."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocol import commands as cmd
from replays.cli.verbs import main
from replays.hand_summaries import summaries
from replays.notes import Notes
from tests.support import sample_session
from tests.support.self_play import SelfPlay, played_steps

STEPS = played_steps(seed=5, hands=3)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one evening of three hands, one of each game."""
    sample_session.write(tmp_path / "hands" / "20260921-200000-kitchen.ryo", STEPS)
    return tmp_path


def run_verb(*words: str, data: Path) -> Result:
    """Runs a verb in this process."""
    return CliRunner().invoke(main, [*words, "--data-dir", str(data)])


def lines(*words: str, data: Path) -> list[str]:
    result = run_verb(*words, data=data)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


# --------------------------------------------------------------------- hands


def test_hands_are_rows_of_80_columns_newest_last(data: Path) -> None:
    rows = lines("hands", data=data)
    assert [row.split()[0] for row in rows] == ["#1", "#2", "#3"]
    assert [row.split()[3] for row in rows] == ["barneys", "stud8", "razz"]
    assert all(len(row) <= 80 for row in rows)
    for row, hand in zip(rows, summaries(STEPS), strict=True):
        assert row.split()[4] == str(hand.pot)
        assert all(hand.names[seat] in row for seat in hand.won)


def test_the_number_names_the_hand_as_the_id_does(data: Path) -> None:
    for number in ("2", "#2"):
        assert lines("replay", number, data=data) == lines("replay", "kitchen-2", data=data)
    none = run_verb("replay", "4", data=data)
    assert (none.exit_code, "There is no hand 4: 3 are recorded" in none.output) == (1, True)
    assert run_verb("replay", "0", data=data).exit_code == 1


def test_ones_own_result_stands_at_the_right(data: Path) -> None:
    nets = [hand.net[seat] for hand in summaries(STEPS) if (seat := hand.seat_of("Ann")) is not None]
    rows = lines("hands", "--player", "ANN", data=data)
    assert [row.split()[-1] for row in rows] == [f"{net:+d}" if net else "0" for net in nets]
    own = data / "hands" / "20260921-200000-kitchen.ryo"
    own.rename(own.with_name("other.seat1.ryo"))
    assert all(" you " in row for row in lines("hands", data=data))


def test_hands_can_be_searched(data: Path) -> None:
    assert len(lines("hands", "--game", "razz", data=data)) == 1
    assert len(lines("hands", "--game", "barney", data=data)) == 1
    assert lines("hands", "--game", "razz", data=data)[0].startswith("#3"), "the number is that of the whole list"
    assert len(lines("hands", "--player", "ANN", data=data)) == 3
    assert [row.split()[0] for row in lines("hands", "--limit", "2", data=data)] == ["#2", "#3"]
    assert len(lines("hands", "--declared", data=data)) == sum(bool(hand.declared) for hand in summaries(STEPS))
    assert len(lines("hands", "--showdown", data=data)) == sum(hand.showdown for hand in summaries(STEPS))
    for nothing in (("--player", "Zoe"), ("--since", "2099-01-01"), ("--until", "2001-01-01"), ("--pot", "100000")):
        assert "No recorded hands like that" in lines("hands", *nothing, data=data)[0]
    assert len(lines("hands", "--evening", "2026-09-21", data=data)) == 3
    assert run_verb("hands", "--evening", "2026-09-21", "--since", "2026-09-21", data=data).exit_code == 2


def test_hands_that_were_marked_or_have_a_note(data: Path) -> None:
    notes = Notes(data / "hands")
    notes.toggle_mark("kitchen-1")
    notes.write("kitchen-2", 5, "too loose")
    assert [row.split()[0] for row in lines("hands", "--marked", data=data)] == ["#1"]
    assert [row.split()[0] for row in lines("hands", "--note", "LOOSE", data=data)] == ["#2"]
    assert "No recorded hands like that" in lines("hands", "--marked", "--note", "loose", data=data)[0]
    (data / "hands" / "notes.json").write_text("{")
    result = run_verb("hands", "--marked", data=data)
    assert (result.exit_code, "is damaged" in result.output) == (78, True)
    assert len(lines("hands", data=data)) == 3


def test_a_blind_list_tells_no_result(data: Path) -> None:
    for row, hand in zip(lines("hands", "--blind", data=data), summaries(STEPS), strict=True):
        assert row.split()[3] == hand.game
        assert row.endswith(", ".join(hand.names.values()))
    assert run_verb("hands", "--blind", "--format", "json", data=data).exit_code == 2


def test_hands_as_json_and_csv_say_the_same(data: Path) -> None:
    objects = [json.loads(line) for line in lines("hands", "--format", "json", data=data)]
    assert [one["id"] for one in objects] == ["kitchen-1", "kitchen-2", "kitchen-3"]
    rows = list(csv.DictReader(io.StringIO(run_verb("hands", "--format", "csv", data=data).stdout)))
    told = [(row["id"], row["name"], int(row["net"]), int(row["stack"])) for row in rows]
    assert told == [(one["id"], who["name"], who["net"], who["stack"]) for one in objects for who in one["players"]]
    for one, hand in zip(objects, summaries(STEPS), strict=True):
        assert (one["pot"], sum(who["won"] for who in one["players"])) == (hand.pot, hand.pot)


def test_hands_without_any(tmp_path: Path) -> None:
    assert lines("hands", data=tmp_path) == [f"No recorded hands in {tmp_path / 'hands'}."]
    assert lines("hands", "--format", "json", data=tmp_path) == []


def test_damage_takes_no_good_hand_from_the_list(data: Path) -> None:
    file = next((data / "hands").iterdir())
    content = bytearray(file.read_bytes())
    content[-2000] ^= 1
    file.write_bytes(content)
    result = run_verb("hands", data=data)
    assert [row.split()[0] for row in result.stdout.splitlines()][:2] == ["#1", "#2"]
    assert "is damaged" in result.stderr


# --------------------------------------------------------------------- stats


def test_stats_count_what_happened(data: Path) -> None:
    told = {row["player"]: row for row in map(json.loads, lines("stats", "--format", "json", data=data))}
    hands = summaries(STEPS)
    for name, row in told.items():
        seats = [(hand, seat) for hand in hands if (seat := hand.seat_of(name)) is not None]
        assert row["hands"] == len(seats)
        assert row["net"] == sum(hand.net[seat] for hand, seat in seats)
        assert row["best"] == max(hand.won.get(seat, 0) for hand, seat in seats)
    assert sum(row["net"] for row in told.values()) == 0
    table = "\n".join(lines("stats", data=data))
    assert all(name in table for name in told)


def test_stats_by_game_and_by_evening_are_those_of_one_player(data: Path) -> None:
    assert run_verb("stats", "--by", "game", data=data).exit_code == 2
    games = [
        json.loads(row) for row in lines("stats", "--by", "game", "--player", "Ann", "--format", "json", data=data)
    ]
    assert [row["game"] for row in games] == [hand.title for hand in summaries(STEPS)]
    (evening,) = map(json.loads, lines("stats", "--by", "evening", "--player", "ann", "--format", "json", data=data))
    assert (evening["evening"], evening["hands"]) == ("2026-09-21", 3)
    assert evening["net"] == sum(row["net"] for row in games)
    assert lines("stats", "--player", "Zoe", data=data) == ["No finished hands like that."]


# -------------------------------------------------------------------- ledger


def test_the_ledger_adds_up_and_settles(data: Path) -> None:
    told = json.loads("\n".join(lines("ledger", "--format", "json", data=data)))
    for account in told["accounts"]:
        assert account["taken"] - account["bought"] == account["net"]
    nets = {account["name"]: account["net"] for account in told["accounts"]}
    for payment in told["payments"]:
        nets[payment["from"]] += payment["chips"]
        nets[payment["to"]] -= payment["chips"]
    assert set(nets.values()) == {0}
    assert any(" gives " in row for row in lines("ledger", data=data))
    assert run_verb("ledger", "--game", "razz", data=data).exit_code == 2
    assert run_verb("ledger", "--evening", "2001-01-01", data=data).exit_code == 1


def test_a_correction_after_the_last_hand_is_in_the_ledger_and_names_nobody_there_who_wants_none(
    tmp_path: Path,
) -> None:
    evening = SelfPlay(5, ("stud8",), 3)
    evening.hand(trouble=False)
    evening.do(cmd.CorrectStack(1, 7, "corrected by Ann: wrong pot"))
    evening.do(cmd.CorrectStack(2, -7, "corrected by Ann: wrong pot"))
    sample_session.write(tmp_path / "hands" / "main.ryo", evening.steps)
    told = json.loads("\n".join(lines("ledger", "--format", "json", data=tmp_path)))
    assert {account["name"]: account["corrected"] for account in told["accounts"]} == {"Ann": 7, "Ben": -7, "Cai": 0}
    hidden = "\n".join(lines("ledger", "--anonymise", data=tmp_path))
    assert not any(name in hidden for name in ("Ann", "Ben", "Cai"))
    assert "+7" in hidden
