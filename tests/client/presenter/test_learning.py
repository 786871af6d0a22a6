"""Learning by playing: the card of a new game, over the story and never in the way."""

from msgspec.structs import replace

from protocol.actions import Action
from protocol.cards import card_text
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import screen, sit


def own_choice() -> LocalTable:
    """Barney's, first street: seat 1 has to turn a card."""
    table = LocalTable("barneys", 4)
    table.deal()
    table.play_until(lambda view: view.seat(1).pending is not None)
    return table


def always(_game: str) -> bool:
    return True


def test_a_new_game_is_explained_over_the_story_while_the_decision_works() -> None:
    presenter, session, _ = sit(own_choice(), first_meeting=always)
    seen = screen(presenter)
    assert "BARNEY'S POKER" in seen
    assert "Space begin   g all rules   w what the words mean" in seen
    assert "Turn one card up" in seen
    presenter.press("2")
    presenter.press("enter")
    assert [action.kind for action in session.acted] == ["choose"]
    assert "BARNEY'S POKER" in screen(presenter), "it stays until it has been read"


def test_space_puts_the_card_away_and_it_does_not_come_back() -> None:
    presenter, session, _ = sit(own_choice(), first_meeting=always)
    presenter.press("space")
    assert not presenter.state.overlay
    presenter.press("1")
    presenter.press("enter")
    assert session.acted[0].kind == "choose"
    assert "BARNEY'S POKER" not in screen(presenter)


def test_a_game_that_is_known_is_not_explained() -> None:
    for first_meeting in (None, lambda game: False):
        presenter, _, _ = sit(own_choice(), first_meeting=first_meeting)
        assert "BARNEY'S POKER" not in screen(presenter)


def test_a_spectator_is_not_asked_to_begin() -> None:
    presenter, _, _ = sit(own_choice(), seat=0, first_meeting=always)
    assert "BARNEY'S POKER" not in screen(presenter)


def test_the_rules_are_a_key_away() -> None:
    presenter, _, _ = sit(own_choice(), first_meeting=always)
    presenter.press("g")
    assert "HOW A HAND GOES" in screen(presenter)
    presenter.press("g")
    assert "HOW A HAND GOES" not in screen(presenter)
    presenter.press("g")
    presenter.press("escape")
    assert not presenter.state.overlay


def test_the_help_comes_in_the_place_of_the_card() -> None:
    presenter, _, _ = sit(own_choice(), first_meeting=always)
    presenter.press("?")
    assert ("class:title", "At the table") in presenter.state.overlay


def test_the_card_is_gone_when_the_result_is_there() -> None:
    table = own_choice()
    presenter, session, _ = sit(table, first_meeting=always)
    assert session.view.playing
    session.act(Action("choose", cards=(session.view.seat(1).down[0],)))  # type: ignore[arg-type]  # one's own cards are seen
    while session.view.playing:
        pending = session.pending
        if pending is not None:
            fold = [option for option in pending.request.options if option.kind == "fold"]
            session.act(Action("fold") if fold else Action("choose", cards=(pending.request.options[0].cards[0],)))  # type: ignore[arg-type]
        else:
            assert table.step()
    assert "BARNEY'S POKER" not in screen(presenter)


def test_the_best_five_are_proposed_unless_the_table_forbids_advice() -> None:
    table = LocalTable("barneys", 4)
    table.deal()
    table.play_until(lambda view: view.keep == 5 and view.seat(1).pending is not None)
    presenter, session, _ = sit(table)
    assert "H best high" in screen(presenter)
    presenter.press("L")
    assert len(presenter.answer.draft.cards) == 5
    assert "These make" in screen(presenter)
    rules = session.view.rules
    assert rules is not None
    session.view.rules = replace(rules, coach=False)
    presenter.press("escape")
    assert "H best high" not in screen(presenter)
    presenter.press("i")
    assert "No advice at this table (house rule)" in screen(presenter)


def test_the_others_boards_are_in_view_while_five_cards_are_kept() -> None:
    table = LocalTable("barneys", 4)
    table.deal()
    table.play_until(lambda view: view.keep == 5 and view.seat(1).pending is not None)
    presenter, session, _ = sit(table)
    seen = screen(presenter)
    for seat in session.view.seats[1:]:
        assert seat.before
        assert " ".join(card_text(card) for card in seat.before) in seen
