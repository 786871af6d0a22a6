"""What counts as reached, as slower and as noise; the file of a launch."""

import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import benches_of, name_covers, rows_of
from tests.benchmarks.compare import compared
from tests.benchmarks.harness import Args, Clock, Row, Rows, spread
from tests.benchmarks.machine import Calibration, Machine, Noise
from tests.benchmarks.results import Result, line, read, save, started

QUIET = Noise(Calibration(0.010, 0.010), Calibration(0.010, 0.010), 0.1)
BUSY = Noise(Calibration(0.010, 0.030), Calibration(0.010, 0.012), 8.0)
HALF_AS_FAST = Noise(Calibration(0.020, 0.020), Calibration(0.020, 0.020), 0.1)
DRIFTING = Noise(Calibration(0.010, 0.010), Calibration(0.015, 0.015), 0.1)


def ratio(*figures: float, goal: float | None = None, noise: Noise = QUIET) -> Result:
    return Result(Row(name="p1-one", unit="x", value=spread(figures), goal=goal, more=True), noise)


def took(*figures: float, goal: float | None = None, clock: Clock = "processor", noise: Noise = QUIET) -> Result:
    return Result(Row(name="p1-one", unit="s", value=spread(figures), goal=goal, clock=clock), noise)


def slower(old: Result, new: Result) -> bool:
    return compared([old], [new])[1]


def test_a_loop_that_was_lucky_makes_no_crowded_machine_quiet() -> None:
    assert Noise(QUIET.before, QUIET.after, load=8.0, cores=2).too_noisy
    assert not Noise(QUIET.before, QUIET.after, load=2.5, cores=2).too_noisy


def test_the_quartiles_of_five_runs_are_the_second_and_the_fourth() -> None:
    assert spread([5, 1, 4, 2, 3]) == spread([1, 2, 3, 4, 5])
    assert (spread([1, 2, 3, 4, 9]).low, spread([1, 2, 3, 4, 9]).median, spread([1, 2, 3, 4, 9]).high) == (2, 3, 4)
    assert spread([7]).low == spread([7]).high == 7


def test_a_goal_is_reached_only_if_the_worse_quartile_is() -> None:
    assert ratio(59, 60, 61, 62, 63, goal=60).verdict == "reached"
    assert ratio(58, 59, 61, 62, 63, goal=60).verdict == "MISSED"
    assert took(1, 2, 3, 4, 9, goal=4).verdict == "reached"
    assert took(1, 2, 3, 5, 9, goal=4).verdict == "MISSED"
    assert took(1, 2).verdict == ""


def test_times_on_the_wall_do_not_count_on_a_noisy_machine() -> None:
    assert took(9, 9, goal=4, clock="wall", noise=BUSY).verdict == "does not count: noisy"
    assert took(9, 9, goal=4, clock="processor", noise=BUSY).verdict == "MISSED"
    assert "noisy" in line(took(9, 9, goal=4, clock="wall", noise=BUSY))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (ratio(60, 61, 62), ratio(50, 51, 52), True),
        (ratio(60, 61, 62), ratio(58, 60, 62), False),  # the quartiles overlap
        (ratio(60.0, 60.1, 60.2), ratio(59.0, 59.1, 59.2), False),  # under three in a hundred
        (ratio(50, 51, 52), ratio(60, 61, 62), False),
        (took(1.0, 1.01, 1.02), took(1.2, 1.21, 1.22), True),
        (took(1.0, 1.01, 1.02), took(2.0, 2.02, 2.04, noise=HALF_AS_FAST), False),
        (took(1.0, 1.01, 1.02), took(1.5, 1.51, 1.52, noise=DRIFTING), False),
        (took(1.0, 1.01, 1.02, clock="wall"), took(2.0, 2.1, 2.2, clock="wall", noise=BUSY), False),
        (took(1.0, 1.01, 1.02, clock="wall"), took(2.0, 2.1, 2.2, clock="wall"), True),
    ],
)
def test_only_what_is_beyond_the_noise_of_both_is_slower(old: Result, new: Result, expected: bool) -> None:
    assert slower(old, new) is expected


def test_rows_that_only_one_launch_has_are_counted_and_not_compared() -> None:
    lines, worse = compared([], [ratio(1, 2)])
    assert lines == ["0 rows are the same within the noise, 1 cannot be compared"]
    assert not worse


def test_a_file_holds_the_launch(tmp_path: Path) -> None:
    machine = Machine("abc1234", False, "a processor", 2, "Linux", "3.11.2", (1.0, 2.0, 3.0))
    results = started(machine, 5)
    results.results.append(ratio(1, 2, 3, goal=1))
    save(results, tmp_path / "bench.json")
    assert read(tmp_path / "bench.json") == results
    assert [path.name for path in tmp_path.iterdir()] == ["bench.json"]


def test_the_beginning_of_a_name_ends_at_a_dash() -> None:
    assert name_covers("p1", "p1-razz-loose")
    assert not name_covers("p1", "p10-page")


def test_a_benchmark_whose_package_is_missing_says_so_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "tests.benchmarks.bench_chances", raising=False)
    monkeypatch.setitem(sys.modules, "poker_equity", None)
    assert benches_of("chances") == {}
    assert capsys.readouterr().out.startswith("chances: not measured, poker_equity is not installed")
    with pytest.raises(ModuleNotFoundError, match="bench_of_nothing"):
        benches_of("of_nothing")


def test_a_benchmark_that_fails_says_why_and_ends_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(args: Args) -> Rows:
        yield Row(name="p1-one")
        raise RuntimeError("closed by the server")

    [row], failed = rows_of("p1", broken, Args())
    assert failed
    assert " ".join(line(Result(row, QUIET)).split()) == "p1 failed: RuntimeError: closed by the server"
    assert "RuntimeError" in capsys.readouterr().err
