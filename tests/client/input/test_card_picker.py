"""Hidden cards shown by choice after a hand (ux 4.2), on the screen."""

import pytest

from protocol import commands as cmd
from protocol.cards import card_text
from tests.support.local_table import LocalSession, LocalTable
from tests.support.seated_presenter import screen, sit
from tests.support.terminal import Terminal, show


def after_a_hand(seat: int = 1) -> tuple[LocalTable, LocalSession]:
    """Three stay to the end; nobody has asked for the next hand."""
    table = LocalTable("stud", 3, seed=3)
    session = table.session(seat)
    table.deal()
    table.play_until(lambda view: not view.playing)
    return table, session


def loser(table: LocalTable) -> int:
    """A seat whose cards nobody has seen."""
    return next(seat.seat for seat in table.state.view.seats if seat.mucked)


def test_keys_show_one_card_and_then_the_rest() -> None:
    seat = loser(after_a_hand()[0])
    table, session = after_a_hand(seat)
    other = table.session(seat % 3 + 1)
    down = [card for card in session.view.seat(seat).down if card is not None]

    async def script(terminal: Terminal) -> None:
        await terminal.see("e show your cards")
        terminal.type("e")
        await terminal.see("Show everybody:", "Enter show all of them", "Esc show nothing")
        terminal.type("2")
        await terminal.see(f"Enter show {card_text(down[1])}")
        terminal.type("enter")
        await terminal.see(f"shows {card_text(down[1])}.")
        terminal.type("e", "enter")
        await terminal.lose("e show your cards")
        terminal.type("e")
        await terminal.see("nothing to show")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert other.view.seat(seat).shown == tuple(down)


def test_esc_shows_nothing_and_nothing_is_the_default() -> None:
    seat = loser(after_a_hand()[0])
    table, session = after_a_hand(seat)
    presenter, _, _ = sit(table, seat)
    for key in ("e", "1", "2", "escape", "enter", "e", "1", "1", "escape"):
        presenter.press(key)
    assert session.view.seat(seat).shown == ()
    presenter.entered("/muck")
    assert "nobody sees" in screen(presenter)
    presenter.press("e")
    table.deal()
    assert presenter.answer.picker is None
    presenter.press("enter")
    assert all(not one.shown for one in table.state.view.seats)


@pytest.mark.parametrize(
    ("typed", "which"), [("/show", (0, 1, 2)), ("/show 2", (1,)), ("/show 3,1", (0, 2)), ("/show {0}", (0,))]
)
def test_slash_show_takes_numbers_and_names(typed: str, which: tuple[int, ...]) -> None:
    seat = loser(after_a_hand()[0])
    table, session = after_a_hand(seat)
    presenter, _, _ = sit(table, seat)
    down = session.view.seat(seat).down
    presenter.entered(typed.format(card_text(down[0])))
    assert table.state.view.seat(seat).shown == tuple(down[number] for number in which)


def test_slash_show_names_what_there_is() -> None:
    seat = loser(after_a_hand()[0])
    table, _ = after_a_hand(seat)
    presenter, _, _ = sit(table, seat)
    presenter.entered("/show Qx")
    assert "none of your hidden cards" in screen(presenter)
    table.deal()
    presenter.entered("/show")
    assert "when the hand is over" in screen(presenter)
    assert table.state.view.seat(seat).shown == ()


def test_others_see_what_was_shown_beside_what_was_not() -> None:
    seat = loser(after_a_hand()[0])
    table, _ = after_a_hand(seat)
    card = table.state.view.seat(seat).down[1]
    assert card is not None
    table.do(cmd.Show(seat, (card,)))
    presenter, _, _ = sit(table, seat % 3 + 1)
    assert f"[{card_text(card)} ?? ??]" in screen(presenter)
