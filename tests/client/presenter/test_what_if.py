"""A table that is not the record says so all the time, in one place, and is left without a question."""

from client.bots.simple import passive
from client.display.theme import Theme
from client.presenter.options import Options
from client.presenter.table import TablePresenter
from protocol.view import TableView
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import RecordingTerminal, screen


class Remark:
    """What is said above the table; at the end with the result."""

    def remark(self, view: TableView) -> str:
        return "WHAT IF: not the record" + ("" if view.playing else "; Ann +2")


def test_the_first_line_says_so_in_the_hand_and_after_it() -> None:
    table = LocalTable("stud8", 3)
    session, terminal = table.session(1), RecordingTerminal()
    options = Options(theme=Theme(palette="none", ascii=True), settle=0.0, reveal=0.0, what_if=Remark())
    presenter = TablePresenter(session, terminal, options, lambda: 1.0)
    table.deal()
    while table.state.hand is not None:
        assert screen(presenter).splitlines()[0] == " WHAT IF: not the record"
        if session.pending is not None:
            session.act(passive(session.pending.request))
        else:
            table.step()
    session.close()
    presenter.session_over()
    shown = screen(presenter).splitlines()
    assert shown[0] == " WHAT IF: not the record; Ann +2"
    assert "to the replay" in "\n".join(shown)
    presenter.press("q")
    assert terminal.ended == ["closed"]


def test_q_goes_back_at_once() -> None:
    table = LocalTable("stud8", 3)
    session, terminal = table.session(1), RecordingTerminal()
    presenter = TablePresenter(session, terminal, Options(what_if=Remark()), lambda: 1.0)
    table.deal()
    presenter.press("q")
    assert terminal.ended == ["left"]
