"""Who is ready, and how long the result still stands."""

from client.presenter.result_pause import ResultPause
from protocol import commands as cmd
from protocol import events as ev
from tests.support.local_table import LocalTable


def test_those_who_are_ready_are_counted_and_the_seconds_run() -> None:
    clock = [10.0]
    table = LocalTable("stud8", 3)
    session = table.session(1)
    pause = ResultPause(lambda: clock[0])
    session.on_event.append(lambda event: pause.event(event, session.view))
    table.deal()
    assert pause.words(session.view) == []
    table.play_until(lambda view: not view.playing)
    assert pause.words(session.view) == ["0 of 3 ready", "8 s"]
    clock[0] += 2.5
    table.do(cmd.GoOn(2))
    assert pause.words(session.view) == ["1 of 3 ready", "6 s"]
    session.view.seat(3).online = False
    assert pause.words(session.view) == ["1 of 2 ready", "6 s"]
    table.do(cmd.GoOn(1))
    assert pause.words(session.view) == ["2 of 2 ready"]


def test_alone_with_bots_and_without_a_clock_there_is_nothing_to_count() -> None:
    table = LocalTable("stud8", 3, result=None)
    session = table.session(1)
    pause = ResultPause(lambda: 0.0)
    session.on_event.append(lambda event: pause.event(event, session.view))
    for seat in (2, 3):
        session.view.seat(seat).bot = True
    table.deal()
    table.play_until(lambda view: not view.playing)
    assert pause.words(session.view) == []
    pause.event(ev.HandEnded(1, ()), session.view)
    assert pause.words(session.view) == []
