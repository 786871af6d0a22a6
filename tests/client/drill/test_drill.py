"""The drill: what comes on which day, what an answer is worth, and that no damaged file is overwritten."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.bots.minds import mind_maker
from client.cli.main import main
from client.display.text_cells import plain
from client.display.theme import Theme
from client.drill.exercises import Task, all_exercises, due_today, tasks
from client.drill.session import Drill
from client.errors import BadSettings
from client.presenter.drill import DrillPresenter
from client.profile.drill_file import DAYS, FILE, DrillFile, Exercise
from client.review.chosen_hands import chosen_hands
from client.review.counting import Counting
from client.review.kept_reviews import KeptReviews
from client.terminal.drill_lines import run_drill_lines
from protocol.actions import Action
from protocol.visibility import project
from replays.library import Library
from tests.support import sample_session
from tests.support.fixed_values import Counted, folding_is_better_by
from tests.support.seated_presenter import RecordingTerminal
from tests.support.self_play import played_steps

TODAY = datetime.date(2026, 12, 1)
STEPS = played_steps(seed=5, games=("stud8",), players=3, hands=3, trouble=False)
FOLD = Action("fold")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with an evening that has been reviewed: folding was always better by three chips."""
    sample_session.write(tmp_path / "hands" / "20260921-200000-kitchen.ryo", STEPS)
    with Library(tmp_path / "hands") as library:
        library.refresh()
        kept = KeptReviews(library.folder)
        counting = Counting(folding_is_better_by(3.0), mind_maker("house"), kept, library)
        assert list(counting.hands(chosen_hands("last", library), "Ann"))
        kept.close()
    return tmp_path


@pytest.fixture
def found(data: Path) -> Iterator[list[Task]]:
    """The exercises of today."""
    with Library(data / "hands") as library:
        kept = KeptReviews(library.folder)
        exercises = all_exercises([], kept, "Ann", TODAY)
        kept.close()
        assert exercises
        yield tasks(due_today(exercises, TODAY, 10), library)


def exercise(number: int = 1, *, due: int = 0, chips: float = 1.0, times: int = 0, box: int = 0) -> Exercise:
    return Exercise("Ann", "kitchen-1", 1, number, chips, TODAY + datetime.timedelta(due), box, times)


# ------------------------------------------------------------------------- the days


def test_right_answers_come_again_at_growing_distances() -> None:
    one, today = exercise(), TODAY
    for days in (*DAYS, DAYS[-1]):
        one = one.answered(today, right=True)
        assert one.due - today == datetime.timedelta(days)
        today = one.due
    assert (one.times, one.right) == (len(DAYS) + 1, len(DAYS) + 1)
    wrong = one.answered(today, right=False)
    assert (wrong.box, wrong.due) == (0, today + datetime.timedelta(DAYS[0]))
    assert wrong.answered(wrong.due, right=True).box == 1


def test_what_is_due_comes_first_then_the_costliest() -> None:
    rows = [
        exercise(1, chips=2.0),
        exercise(2, chips=5.0),
        exercise(3, due=-1, times=1),
        exercise(4, due=-3, times=2),
        exercise(5, due=1, times=1),
    ]
    assert [one.number for one in due_today(rows, TODAY, 10)] == [4, 3, 2, 1]
    assert [one.number for one in due_today(rows, TODAY, 3)] == [4, 3, 2]


# ------------------------------------------------------------------------- the file


def test_the_file_keeps_what_was_answered_of_everybody(tmp_path: Path) -> None:
    file = DrillFile(tmp_path)
    assert file.exercises() == []
    file.put(exercise(1))
    file.put(exercise(2, times=1))
    file.put(exercise(1, times=3))
    assert [(one.number, one.times) for one in file.exercises()] == [(2, 1), (1, 3)]
    assert "cards" not in (tmp_path / FILE).read_text()


@pytest.mark.parametrize("content", [b"{", b"[1]", b'[{"player": "Ann"}]', b"\xff"])
def test_a_damaged_file_is_left_as_it_is(data: Path, content: bytes) -> None:
    (data / FILE).write_bytes(content)
    with pytest.raises(BadSettings, match="The file of your exercises is damaged, and is left as it is: "):
        DrillFile(data).put(exercise())
    done = drill(data=data)
    assert done.exit_code == 78
    assert "is damaged, and is left as it is" in " ".join(done.output.split())
    assert (data / FILE).read_bytes() == content


# ------------------------------------------------------------------------ a sitting


def sitting(found: list[Task], kept: list[Exercise], better: float = 3.0) -> Drill:
    return Drill(found, folding_is_better_by(better), kept.append, TODAY)


def test_an_answer_is_told_in_numbers_and_comes_again(found: list[Task]) -> None:
    kept: list[Exercise] = []
    one = sitting(found, kept)
    told = one.answer(FOLD)
    assert told[0] == "Right: folding is best."
    assert told[1].startswith("Chips from here on: folding: +3.0 ± 0.1; ")
    assert told[2].startswith("You chose ")
    assert "which gave up about 3 chips; " in told[2]
    assert told[3] == "This exercise comes again on 2026-12-02."
    one.go_on()
    assert kept[0].right == 1
    again = found[1].decision.action
    wrong = one.answer(again)
    assert "gives up about 3 chips against folding." in wrong[0]
    assert (kept[1].box, kept[1].right) == (0, 0)
    assert one.summary() == f"1 of {len(found)} were right."


def test_an_answer_that_is_as_good_is_right(found: list[Task]) -> None:
    taken = found[0].decision.action
    other = next(
        Action(option.kind, to=option.least)
        for option in found[0].decision.request.options
        if option.kind in ("complete", "raise")
    )
    kept: list[Exercise] = []
    worth = {FOLD: 3.0, other: 2.9, taken: 0.0}
    one = Drill(found, Counted(lambda decision, seed: worth), kept.append, TODAY)
    assert "is as good as folding, as far as can be counted." in one.answer(other)[0]
    assert kept[0].right == 1


def test_the_cards_are_those_that_were_seen_then(found: list[Task]) -> None:
    for task in found:
        seen = task.decision.events
        assert [project(event, 1) for event in seen] == list(seen)
        assert task.decision.view.seat(1).pending is not None


def test_in_lines(found: list[Task]) -> None:
    written: list[str] = []
    kept: list[Exercise] = []
    run_drill_lines(sitting(found, kept), ["what", "f", "", "?", "q", "f"], written.append)
    assert len(kept) == 1
    told = "\n".join(written)
    assert f"Exercise 1 of {len(found)}, hand #" in told
    assert "That is no answer to this question" in told
    assert "Right: folding is best." in told
    assert told.count(f"Exercise 2 of {len(found)}") == 2
    written.clear()
    run_drill_lines(sitting(found[:1], kept), ["f"], written.append)
    assert written[-1] == "1 of 1 was right. That was all for today."


def test_on_the_screen(found: list[Task]) -> None:
    kept: list[Exercise] = []
    terminal = RecordingTerminal()
    presenter = DrillPresenter(sitting(found[:2], kept), terminal, Theme(palette="none", ascii=True))

    def shown(columns: int = 80, rows: int = 24) -> str:
        drawn = presenter.lines(columns, rows)
        assert len(drawn) == rows
        return "\n".join(map(plain, drawn))

    assert "Your turn" in shown()
    assert "exercise 1 of 2" in shown(120, 40)
    assert "Right" not in shown()
    presenter.press("f")
    assert not presenter.beat()
    assert "Counting" in shown()
    assert presenter.beat()
    assert "Right: folding is best." in shown()
    assert len(kept) == 1
    presenter.press("f")
    assert presenter.stage == "told"
    presenter.press("space")
    assert "exercise 2 of 2" in shown()
    presenter.press("f")
    presenter.press("y")  # checking is free there
    shown()
    presenter.beat()
    presenter.press("enter")
    assert "2 of 2 were right." in shown()
    presenter.press("space")
    assert terminal.ended == ["left"]


# ------------------------------------------------------------------------- the verb


def drill(*words: str, data: Path, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["drill", *words, "--data-dir", str(data)], input=typed)


def test_the_verb_asks_and_remembers(data: Path) -> None:
    done = drill("--count", "1", data=data, typed="f\n")
    assert done.exit_code == 0, done.output
    assert "Exercise 1 of 1, hand #" in done.output
    assert "Chips from here on: " in done.output
    (kept,) = DrillFile(data).exercises()
    assert (kept.player, kept.times) == ("Ann", 1)
    assert kept.due > datetime.date.today()


def test_the_verb_says_when_there_is_nothing(data: Path, tmp_path: Path) -> None:
    empty = drill(data=tmp_path / "other")
    assert empty.exit_code == 1
    assert "There is nothing to drill yet: ryo review finds" in " ".join(empty.output.split())
    far = datetime.date.today() + datetime.timedelta(5)
    with Library(data / "hands") as library:
        kept = KeptReviews(library.folder)
        for one in all_exercises([], kept, "Ann", far):
            DrillFile(data).put(one)
        kept.close()
    later = drill(data=data)
    assert later.exit_code == 0
    assert later.output == f"Nothing is due today. The next exercise comes on {far}.\n"
    for path in (data / "hands").glob("*.ryo"):
        path.unlink()
    DrillFile(data).put(exercise(1, due=-3000, times=1))
    gone = drill(data=data)
    assert gone.exit_code == 1
    assert "None of the recordings is there any more." in " ".join(gone.output.split())
