"""Among the player's own bots: faster and slower, and after folding straight to the result; the desktop's notice."""

from client.bots.pace import Pace
from client.display.theme import Theme
from client.presenter.options import Notify, Options
from client.presenter.table import TablePresenter
from protocol.actions import Action
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import RecordingTerminal, screen


def among_bots(
    table: LocalTable, pace: Pace | None, notify: Notify = "off"
) -> tuple[TablePresenter, RecordingTerminal]:
    terminal = RecordingTerminal()
    looks = Options(theme=Theme(palette="none", ascii=True), settle=0.0, pace=pace, notify=notify)
    return TablePresenter(table.session(1), terminal, looks, lambda: 1.0), terminal


def asked(table: LocalTable) -> None:
    """Deals, and plays on until the player is asked to pay for staying in."""
    table.deal()
    table.play_until(lambda view: (own := view.seat(1).pending) is not None and own.request.call > 0)


async def test_space_after_folding_runs_to_the_result() -> None:
    table = LocalTable("stud8")
    pace = Pace(1.2)
    presenter, _ = among_bots(table, pace)
    asked(table)
    presenter.press("space")
    assert not pace.hurrying, "while one plays on, nobody is hurried"
    assert not presenter.session.act(Action("fold"))
    assert "Space run to the result" in screen(presenter)
    presenter.press("space")
    assert pace.hurrying
    assert "Space run to the result" not in screen(presenter)


async def test_the_pace_is_changed_by_keys_where_the_bots_are_ones_own() -> None:
    pace = Pace(1.2)
    presenter, _ = among_bots(LocalTable("razz"), pace)
    presenter.press("+")
    assert pace.seconds == 0.8
    assert "Bots take 0.8 s for a decision." in screen(presenter)
    presenter.press("-")
    assert pace.seconds == 1.2
    presenter, _ = among_bots(LocalTable("razz"), None)
    presenter.press("+")
    assert "The players here take their own time." in screen(presenter)


def test_the_desktop_is_told_of_the_turn_where_the_settings_say_how() -> None:
    for how in ("off", "osc9", "osc777"):
        table = LocalTable("stud8")
        presenter, terminal = among_bots(table, None, how)
        asked(table)
        assert set(terminal.notified) == {("It is your turn.", how)}
        presenter.press("m")  # the bell's key: no notice either
        told = len(terminal.notified)
        assert not presenter.session.act(Action("fold"))
        table.settle()
        assert len(terminal.notified) == told
