"""The story on the screen: streets as rules, the same action of several players in a line, and what is new."""

from client.display.screen_state import ScreenState
from client.display.story_pane import StoryLine, paint
from client.display.text_cells import plain
from client.display.theme import Theme
from client.presenter.story_log import SINCE, StoryLog
from client.presenter.table import TablePresenter
from protocol import events as ev
from protocol.events import AnyEvent
from protocol.view import TableView, hide
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import sit

PLAIN = Theme(palette="none", ascii=True)


def at_the_table(seat: int = 1) -> tuple[StoryLog, TableView, ScreenState]:
    table = LocalTable("stud8", 6)
    table.deal()
    state = ScreenState(seat=seat)
    return StoryLog(state), table.session(seat).view, state


def tell(log: StoryLog, view: TableView, *events: AnyEvent, seat: int = 1) -> None:
    for event in events:
        view.apply(event)
        log.add(event, view, seat)


def texts(log: StoryLog) -> list[str]:
    return [line.text for line in log.lines]


def test_a_street_is_a_rule_with_the_pot_at_its_right() -> None:
    log, view, _ = at_the_table()
    tell(log, view, ev.RoundSkipped("fifth street", "nobody can bet"))
    (line,) = paint(log.lines[0], PLAIN, 40)
    assert plain(line) == f"-- Fifth street {'-' * 15} pot {view.pot()} --"
    assert len(plain(line)) == 40
    (line,) = paint(log.lines[0], PLAIN, 18)
    assert plain(line) == "-- Fifth street --"


def test_players_who_fold_one_after_the_other_fold_in_one_line() -> None:
    log, view, _ = at_the_table()
    folds = [ev.Acted(seat, "fold", 0, 0) for seat in (2, 3, 4)]
    tell(log, view, *folds, ev.Acted(5, "bet", 2, 2), ev.Acted(6, "fold", 0, 0))
    assert texts(log) == ["Bob, Cat and Dan fold.", "Eve bets 2.", "Fay folds."]


def test_what_the_clock_did_and_the_reader_did_is_told_apart() -> None:
    log, view, _ = at_the_table()
    tell(
        log, view, ev.Acted(2, "check", 0, 0), ev.Acted(3, "check", 0, 0, False, "timeout"), ev.Acted(1, "check", 0, 0)
    )
    tell(log, view, ev.Acted(4, "check", 0, 0), ev.Said("Bob", "hm", 2), ev.Acted(5, "check", 0, 0))
    assert texts(log) == [
        "Bob checks.", "Cat checks (time).", "Ann checks.", "Dan checks.", "Bob: hm", "Eve checks.",
    ]  # fmt: skip


def test_a_faint_line_stands_above_what_is_new_since_the_readers_last_turn() -> None:
    log, view, state = at_the_table()
    tell(log, view, ev.Acted(1, "check", 0, 0))
    log.asked()
    assert SINCE not in log.lines, "nothing has happened"
    tell(log, view, ev.Acted(1, "check", 0, 0), ev.Acted(2, "bet", 2, 2), ev.Acted(3, "fold", 0, 0))
    state.scroll = 4
    log.asked()
    assert texts(log)[-4:] == ["Ann checks.", "since your last turn", "Bob bets 2.", "Cat folds."]
    assert state.scroll == 5, "who has scrolled back keeps their place"
    log.asked()
    assert log.lines.count(SINCE) == 1
    tell(log, view, ev.Acted(1, "call", 2, 2))
    assert SINCE not in log.lines
    assert isinstance(SINCE, StoryLine)


def told(presenter: TablePresenter) -> list[str]:
    return [line.text for line in presenter.story.lines]


def test_who_comes_in_the_middle_of_a_hand_is_told_its_beginning() -> None:
    table = LocalTable("stud8", 4, seed=2)
    table.deal()
    whole, _, _ = sit(table, 1)
    table.play_until(lambda view: view.street == "fifth street" and view.seat(1).pending is not None)
    late, session, _ = sit(table, 1)
    assert told(late) == []
    session.view = hide(table.state.view, 1)
    session.set_status("online")
    story = told(late)
    assert story[0].startswith("Hand 1: ")
    assert any(line.startswith("Third street, you are dealt ") for line in story)
    assert "Fifth street" in story
    assert story.count("since your last turn") == 1
    assert [line for line in story if line != "since your last turn"][-3:] == told(whole)[-3:]
    session.view = hide(table.state.view, 1)
    session.set_status("online")
    assert told(late) == story, "a second snapshot tells nothing twice"
    table.play_until(lambda view: not view.playing)
    assert "since your last turn" not in told(late)
    assert told(late)[-1].startswith("Hand 1 is over: ")
