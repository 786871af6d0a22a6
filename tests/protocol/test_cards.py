"""Cards: their numbers, their texts, and what is not one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import cards as c
from protocol.wire.codec import encode_value


def test_rules_2_cards_sort_by_rank_then_clubs_diamonds_hearts_spades() -> None:
    in_order = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [c.card_text(card) for card in sorted(c.DECK)] == in_order
    assert len(set(c.DECK)) == 52


@pytest.mark.parametrize("card", c.DECK)
def test_text_and_number_are_one_thing(card: int) -> None:
    assert c.card(c.card_text(card)) == card
    assert c.TEXTS[card] == "23456789TJQKA"[c.rank_of(card)] + "cdhs"[c.suit_of(card)]


@given(st.lists(st.sampled_from(c.DECK)))
def test_rows_of_cards_are_read_with_and_without_blanks(row: list[int]) -> None:
    text = c.cards_text(row)
    assert c.cards(text) == row
    assert c.cards(text.replace(" ", "")) == row


@pytest.mark.parametrize("text", ["", "1c", "10c", "AS", "as", "Ax", "A", "Asd", "??", "A♠"])
def test_what_is_not_a_card_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match="not a card") as caught:
        c.card(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["A", "As K", "AsK", "As Kx"])
def test_what_is_not_a_row_of_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        c.cards(text)


def test_hidden_cards_are_as_many_and_say_nothing() -> None:
    assert c.hidden((1, None, 51)) == (None, None, None)
    assert c.hidden(()) == ()
    assert c.cards_text([51, None]) == "As ??"


def test_a_card_and_a_hidden_card_take_one_byte_on_the_wire() -> None:
    # Fault 43: a message's length must not depend on a card.
    assert {len(encode_value(card)) for card in (*c.DECK, None)} == {1}


def test_names_in_words() -> None:
    assert len(c.RANK_NAMES) == 13
    assert len(c.SUIT_NAMES) == 4
    ace_of_spades = c.card("As")
    assert (c.RANK_NAMES[c.rank_of(ace_of_spades)], c.SUIT_NAMES[c.suit_of(ace_of_spades)]) == ("ace", "spades")
