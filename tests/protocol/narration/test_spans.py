"""Sentences as spans: what they are made of, and that their text is the join of the spans."""

import pytest

from protocol import events as ev
from protocol.cards import card, cards
from protocol.narration import phrases, spans
from protocol.narration.spans import CardSpan, SeatSpan, Sentence, compose, finished, joined, listed, plain
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView

KD = CardSpan(card("Kd"))
ANN = SeatSpan(1, "ann")


def table() -> TableView:
    """Ann, and a player whose name reads like a card."""
    rules = TableRules(name="Kitchen", seats=2, games=(GameOffer("stud", "Stud", Stakes(), 8),))
    seated = [ev.PlayerSeated(1, "Ann", 100), ev.PlayerSeated(2, "Ah", 100)]
    return TableView().apply_all([ev.TableOpened("main", rules), *seated])


def test_texts_side_by_side_are_one_span_and_nothing_is_none() -> None:
    assert compose(ANN, " wins ", 46, (" from ", "the pot"), "", (), ".") == (ANN, " wins 46 from the pot.")
    assert compose() == compose("", ()) == ()
    assert compose((KD,), KD) == (KD, KD)


def test_the_text_of_a_sentence_is_the_join_of_its_spans() -> None:
    assert plain(compose(ANN, " turns up ", KD, ".")) == "ann turns up Kd."
    assert plain(()) == ""


def test_hidden_cards_are_text() -> None:
    assert spans.cards((card("Kd"), None, None)) == (KD, " ?? ??")
    assert spans.cards(()) == ()


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), ([(KD,)], "Kd"), ([(KD,), (ANN,)], "Kd and ann"), ([(KD,), (ANN,), ("b",)], "Kd, ann and b")],
)
def test_lists(items: list[Sentence], text: str) -> None:
    assert plain(listed(items)) == text
    assert plain(joined(items)) == text.replace(" and ", ", ")


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ((), ""),
        (("nobody can bet",), "Nobody can bet."),
        (("Is it?",), "Is it?"),
        ((ANN, " opens"), "ann opens."),
        (("it was ", KD), "It was Kd."),
    ],
)
def test_a_finished_sentence_has_a_capital_and_a_stop_and_leaves_names_alone(sentence: Sentence, text: str) -> None:
    assert plain(finished(sentence)) == text


def test_a_reason_has_its_players_and_its_cards_as_spans() -> None:
    view = table()
    told = phrases.reason("{2} has the lowest up card, 2c, before {1}", view)
    assert told == (
        SeatSpan(2, "Ah"),
        " has the lowest up card, ",
        CardSpan(card("2c")),
        ", before ",
        SeatSpan(1, "Ann"),
        ".",
    )
    assert phrases.because("", view) == phrases.reason("", view) == ()
    assert phrases.because("\x1b[2J", view) == ()
    assert plain(phrases.because("the odd chip goes to {1}.", view)) == " (the odd chip goes to Ann)"


def test_trap_A27_what_others_wrote_is_harmless_in_a_reason() -> None:
    assert plain(phrases.reason("\x1b[2J{1}\r\nlooked", table())) == "Ann looked."


def test_the_cards_of_a_seat_are_spans() -> None:
    assert phrases.board((None, card("Kd")), cards("9h")) == ("[?? ", KD, "] ", CardSpan(card("9h")))
    assert plain(phrases.board((), ())) == "no cards"
