"""The coach on the screen and in lines: a key, a word, and a line that stands until the next hand."""

from collections.abc import Callable

from client.display.theme import Theme
from client.presenter.options import NO_COACH, Options
from client.presenter.table import TablePresenter
from client.terminal.line_mode import LineMode
from tests.support.local_table import LocalSession, LocalTable
from tests.support.seated_presenter import RecordingTerminal, screen

LINE = "Coach: calling 4 gave up about 3 chips (2.9 ± 0.4) against folding; two players had shown a low."


class SwitchedCoach:
    """A coach that says what the test says."""

    def __init__(self) -> None:
        self.on_line: list[Callable[[str], None]] = []
        self.on = False

    def toggle(self) -> str:
        self.on = not self.on
        return f"The coach is {'on' if self.on else 'off'}."

    def says(self, line: str) -> None:
        for tell in self.on_line:
            tell(line)


def seated(coach: SwitchedCoach | None, *, covered: bool = False) -> tuple[TablePresenter, LocalTable]:
    table = LocalTable("stud8", 3)
    options = Options(theme=Theme(palette="none", ascii=True), settle=0.0, reveal=0.0, coach=coach, covered=covered)
    presenter = TablePresenter(table.session(1), RecordingTerminal(), options, lambda: 1.0)
    table.deal()
    table.play_until(lambda view: not view.playing)
    return presenter, table


def test_a_key_and_a_word_switch_it() -> None:
    coach = SwitchedCoach()
    presenter, _ = seated(coach)
    presenter.press("A")
    assert coach.on
    assert "The coach is on." in screen(presenter)
    presenter.entered("/coach")
    assert not coach.on


def test_elsewhere_the_key_says_where_the_coach_is() -> None:
    presenter, _ = seated(None)
    presenter.press("A")
    assert NO_COACH in screen(presenter)


def test_its_line_stands_until_the_next_hand_and_then_in_the_story() -> None:
    coach = SwitchedCoach()
    presenter, table = seated(coach)
    coach.says(LINE)
    for rows in (24, 40):
        shown = " ".join(screen(presenter, rows).split())
        assert LINE in shown
    table.deal()
    screen(presenter)
    assert "gave up" not in "".join(presenter.state.preview) + presenter.screen.coached
    assert any("Coach: calling 4" in "".join(map(str, line.sentence)) for line in presenter.story.lines)


def test_face_down_cards_hide_what_the_coach_says() -> None:
    coach = SwitchedCoach()
    presenter, _ = seated(coach, covered=True)
    coach.says(LINE)
    assert "gave up" not in screen(presenter)
    presenter.press("x")
    assert "gave up" in screen(presenter)


def test_in_lines_it_is_a_line() -> None:
    coach = SwitchedCoach()
    table = LocalTable("stud8", 3)
    written: list[str] = []
    session: LocalSession = table.session(1)
    mode = LineMode(session, written.append, coach=coach)
    mode.enter("/coach")
    coach.says(LINE)
    assert written == ["The coach is on.", LINE]
    LineMode(table.session(2), written.append).enter("/coach")
    assert written[-1] == NO_COACH
