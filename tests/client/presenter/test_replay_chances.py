"""The chances in a replay: worked out while one looks, and never for a hand that is being played."""

from pathlib import Path

from client.display.text_cells import plain
from client.display.theme import Theme
from client.presenter.replay import ReplayPresenter
from client.presenter.replay_chances import COUNTING, ReplayChances, worth_lines
from client.terminal.replay_line_mode import ReplayLineMode
from protocol import events as ev
from protocol.journal.records import StepRecord
from replays.chances.spot import EXCHANGE
from replays.chances.words import WILD
from replays.hand_chances import chances_at
from replays.navigator import Navigator
from replays.playback import Playback
from replays.recording import open_recording
from tests.support import sample_session
from tests.support.seated_presenter import RecordingTerminal
from tests.support.self_play import played_steps


def opened(tmp_path: Path, game: str, steps: list[StepRecord] | None = None) -> Navigator:
    """Some hands of that game as seat 2 saw them, at their first decision."""
    played = played_steps(7, games=(game,), players=4, hands=3) if steps is None else steps
    recording = open_recording(sample_session.write(tmp_path / "a.ryo", played))
    navigator = Navigator(recording, Playback(recording.steps), 2)
    navigator.next_decision()
    return navigator


def presented(navigator: Navigator) -> ReplayPresenter:
    return ReplayPresenter(navigator, RecordingTerminal(), Theme(), lambda: 100.0)


def foot(presenter: ReplayPresenter) -> list[str]:
    """The lines about the chances."""
    rows = [plain(line) for line in presenter.lines(80, 24)]
    return [row.strip() for row in rows if row.startswith(("Chances", "To call"))]


def test_a_key_draws_at_once_and_the_numbers_follow_while_one_looks(tmp_path: Path) -> None:
    presenter = presented(opened(tmp_path, "stud8"))
    assert foot(presenter) == [COUNTING, "To call 1 into 5: needs 17 %."]
    assert presenter.beat(), "the numbers are new"
    chances, price = foot(presenter)
    assert chances.startswith("Chances: high ")
    assert price.startswith("To call 1 into 5: needs 17 %; share ")
    for _ in range(500):
        presenter.beat()
    assert not presenter.beat(), "it stops when the numbers are good enough"
    assert foot(presenter)[0].endswith(("± 0.5", "± 0.4", "± 0.3"))
    presenter.press(".")
    assert foot(presenter) == [COUNTING], "another moment, with nothing to pay"
    presenter.press("1")
    assert foot(presenter) == [COUNTING], "other eyes"
    presenter.press("0")
    assert foot(presenter) == []
    assert not presenter.beat()


def test_the_key_for_worth_adds_dead_cards_outs_and_boards(tmp_path: Path) -> None:
    navigator = opened(tmp_path, "stud8")
    presenter = presented(navigator)
    presenter.press("i")
    text = "\n".join(plain(line) for line in presenter.lines(80, 24))
    assert "46 cards unseen; dead: none." in text
    assert "Makes a pair: 8 of 46 unseen (5c 5d 5s 6h 6s Qd and 2 more), 55 %; dead: 6c." in text
    presenter.press("i")
    assert "cards unseen" not in "\n".join(plain(line) for line in presenter.lines(80, 24))
    lines = worth_lines(navigator, ReplayChances(navigator))
    assert lines[1].startswith("Chances: high ")
    assert lines[2].startswith("As they played: high ")
    assert lines[3].startswith("To call 1 into 5: needs 17 %; share ")


def test_the_price_of_a_declare_game_tells_both_ways_until_they_are_known(tmp_path: Path) -> None:
    navigator = opened(tmp_path, "barneys")
    ways: set[str] = set()
    known: set[str] = set()
    while not navigator.next_decision():
        view = navigator.view
        if view.playing and view.to_call(2) and view.seat(2).pending is not None:
            (price,) = [line for line in ReplayChances(navigator).finished_lines() if "To call" in line]
            declared = any(seat.declared for seat in view.seats)
            (known if declared else ways).add(price.partition("; ")[2].split()[0])
    assert ways == {"going"}
    assert known <= {"share"}


def test_what_is_not_told_is_said(tmp_path: Path) -> None:
    navigator = opened(tmp_path, "anaconda")
    assert ReplayChances(navigator).finished_lines() == [EXCHANGE]
    assert WILD in ReplayChances(opened(tmp_path, "queen")).details()


def test_a_hand_that_is_being_played_has_no_chances(tmp_path: Path) -> None:
    steps = played_steps(7, games=("stud8",), players=4, hands=1)
    cut = next(at for at, step in enumerate(steps) if any(isinstance(event, ev.HandEnded) for event in step.events))
    navigator = opened(tmp_path, "stud8", steps[:cut])
    playback = Playback(navigator.recording.steps, of_a_player=True)
    running = Navigator(navigator.recording, playback, 2)
    running.next_decision()
    assert running.viewpoint == 2, "their own cards they do see"
    assert ReplayChances(running).finished_lines() == ReplayChances(running).details() == []
    assert chances_at(playback, 2) is None
    over = opened(tmp_path, "stud8", steps)
    assert chances_at(over.playback, 2) == chances_at(over.playback, 2) is not None


def test_lines_tell_the_chances_at_the_decisions_of_the_eyes(tmp_path: Path) -> None:
    navigator = opened(tmp_path, "stud8")
    navigator.playback.start()
    said: list[str] = []
    mode = ReplayLineMode(navigator, said.append)
    mode.enter(".")
    assert [line for line in said if line.startswith("Chances: ")] == said[-3:-2]
    assert [line for line in said if line.startswith("As they played: ")] == said[-2:-1]
    assert said[-1].startswith("To call 1 into 5: needs 17 %; share ")
    said.clear()
    mode.enter("")
    assert not any(line.startswith("Chances") for line in said), "the seat has answered"
    mode.enter("v 0")
    said.clear()
    mode.enter(".")
    assert not any(line.startswith("Chances") for line in said), "a spectator has no cards"


def test_in_a_small_window_the_chances_give_way(tmp_path: Path) -> None:
    presenter = presented(opened(tmp_path, "stud8"))
    assert foot(presenter)
    text = [plain(line) for line in presenter.lines(46, 12)]
    assert not any(line.startswith("Chances") for line in text)
    assert any("event" in line for line in text)
