"""`ryo arena`: what it prints, and what it says to a mistake."""

import json

import pytest
from click.testing import CliRunner

from client.cli.arena import arena


def test_minds_are_ranked_by_chips_a_hand() -> None:
    done = CliRunner().invoke(arena, ["caller", "rock", "caller", "--game", "razz", "--hands", "3", "--json"])
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert sorted(row["mind"] for row in rows) == ["caller", "caller 2", "rock"]
    assert [row["adjusted"] for row in rows] == sorted((row["adjusted"] for row in rows), reverse=True)
    assert sum(row["chips"] for row in rows) == pytest.approx(0, abs=0.01)
    assert {row["hands"] for row in rows} == {18}
    told = CliRunner().invoke(arena, ["caller", "rock", "--game", "razz", "--hands", "2", "--seats", "2"])
    assert told.exit_code == 0
    assert told.stdout.splitlines()[-3].split()[:3] == ["mind", "chips", "a"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["house"], 2, "Name two minds or more."),
        (["house", "hose"], 1, "There is no mind 'hose'. Did you mean house?"),
        (["house", "rock", "--game", "stud9"], 2, "there is no game 'stud9'; Did you mean"),
        (["house", "rock", "--seats", "9"], 2, "9 is not in the range"),
        (["house", "rock", "--game", "anaconda", "--seats", "8"], 2, "2 to 7 for these minds"),
        (["house"] * 8 + ["--game", "anaconda"], 2, "has room for 7 minds."),
        (["house", "rock", "--hands", "1"], 2, "1 is not in the range"),
    ],
)
def test_a_mistake_is_said_in_a_sentence(arguments: list[str], code: int, sentence: str) -> None:
    done = CliRunner().invoke(arena, arguments)
    assert done.exit_code == code
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
