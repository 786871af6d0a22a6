"""A showdown is revealed hand after hand, on the screen only, and any key shows all of it."""

import pytest

from protocol import commands as cmd
from protocol.actions import Action
from protocol.events import ActionRequested
from protocol.narration.spans import plain
from tests.support.local_table import LocalSession, LocalTable, careful
from tests.support.seated_presenter import RecordingTerminal, screen, sit


def revealing(seat: int = 1, result: int | None = 8) -> tuple["TablePresenterAt", LocalTable]:
    """Five players have just come to a showdown of stud high-low in which three show; nothing but the first hand is
    revealed.
    """
    for seed in range(40):
        table = LocalTable("stud8", 5, seed=seed, result=result)
        at = TablePresenterAt(table, seat)
        table.deal()
        table.play_until(lambda view: not view.playing)
        if sum(bool(one.values) for one in table.state.view.seats) >= 3:
            return at, table
    raise AssertionError("no such hand")


class TablePresenterAt:
    """A presenter with a clock that stands still until it is moved."""

    def __init__(self, table: LocalTable, seat: int) -> None:
        self.clock = 100.0
        self.presenter, self.session, self.terminal = sit(table, seat, now=lambda: self.clock, reveal=0.8)

    def shown(self) -> list[int]:
        """The seats whose hands are revealed, as the screen was drawn last."""
        view = self.presenter.reveal.view or self.session.view
        return [seat.seat for seat in view.seats if seat.values]

    def story(self) -> list[str]:
        return [plain(line.sentence) for line in self.presenter.story.lines]

    def later(self, seconds: float) -> bool:
        """Time passes; whether something has to be drawn."""
        self.clock += seconds
        return self.presenter.needs_drawing()


def test_hand_after_hand_is_revealed_then_the_pots() -> None:
    at, table = revealing()
    at.later(0)
    first = at.shown()
    assert len(first) == 1
    assert "any key shows all of it" in screen(at.presenter)
    assert not any(" wins " in line or " split " in line for line in at.story())
    while at.shown() == first:
        at.later(0.25)
        assert at.clock < 102.5, "a hand or two were mucked between"
    assert set(first) < set(at.shown())
    assert sum(" shows [" in line for line in at.story()) >= 2
    while at.presenter.reveal.view is not None:
        at.later(0.25)
        assert at.clock < 100 + table.rules.clocks.result / 2 + 0.5, "the result must still stand to be read"
    assert any(" wins " in line or " split " in line for line in at.story())
    assert at.presenter.session.view.awards
    assert "The hand is over." in screen(at.presenter)


def test_nothing_is_drawn_between_two_hands() -> None:
    at, _ = revealing(result=None)
    at.later(0)
    view = at.session.view
    steps = sum(bool(seat.values or seat.mucked) for seat in view.seats) + len(view.awards)
    drawn = [at.later(0.1) for _ in range(100)]
    assert 2 <= sum(drawn) <= steps
    assert not any(drawn[-30:])


@pytest.mark.parametrize("key", ["space", "f", "enter", "t"])
def test_any_key_shows_all_and_does_nothing_else(key: str) -> None:
    at, _ = revealing()
    at.presenter.press(key)
    assert at.presenter.reveal.view is None
    assert isinstance(at.session, LocalSession)
    assert not at.session.view.seat(1).went_on
    assert isinstance(at.terminal, RecordingTerminal)
    assert at.terminal.chat == []
    assert any(" wins " in line or " split " in line for line in at.story())
    at.presenter.press("space")
    assert at.session.view.seat(1).went_on


def test_the_next_hand_ends_it_at_once_and_the_story_is_whole_and_in_order() -> None:
    at, table = revealing()
    table.deal()
    assert at.presenter.reveal.view is None
    told = at.story()
    over = next(number for number, line in enumerate(told) if line.startswith("Hand 1 is over"))
    begun = next(number for number, line in enumerate(told) if line.startswith("Hand 2: "))
    assert over < begun
    assert any(" shows [" in line for line in told[:over])


def test_chat_comes_through_while_a_showdown_is_revealed() -> None:
    at, table = revealing()
    table.do(cmd.Say("Bob", "nice hand", 2))
    assert at.story()[-1] == "Bob: nice hand"
    at.presenter.press("space")
    assert (at.presenter.reveal.view or at.session.view).seq == at.session.view.seq


def test_a_pot_that_nobody_contested_is_not_held_back() -> None:
    def folds(request: ActionRequested) -> Action:
        kinds = [option.kind for option in request.options]
        return Action("fold") if "fold" in kinds else careful(request)

    table = LocalTable("stud", 2, others=folds)
    at = TablePresenterAt(table, 1)
    table.deal()
    table.play_until(lambda view: not view.playing)
    assert at.presenter.reveal.view is None
    assert any("(everybody else folded)" in line for line in at.story())


def test_the_net_of_the_evening_does_not_tell_the_end_before_it_is_revealed() -> None:
    at, table = revealing()
    net = table.state.view.seat(1).chips - 100
    assert "evening" not in screen(at.presenter)
    at.presenter.press("space")
    assert f"evening {net:+d}" in screen(at.presenter) or not net
