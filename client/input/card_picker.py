"""Hidden cards that a player shows when the hand is over: the choice of them, before anything is sent.

No card is shown unless the player chooses to.
"""

from dataclasses import dataclass

from client.input.decision_words import pick_card
from protocol.cards import Card
from protocol.view import TableView

_TOO_EARLY = "There is nothing to show yet: cards can be shown when the hand is over."
_NOT_DEALT_IN = "There is nothing to show: you had no cards in this hand."
_ALL_SHOWN = "There is nothing to show: everybody has seen your cards already."


def to_show(view: TableView, seat: int) -> tuple[Card, ...]:
    """The cards of a seat that nobody else has seen, once the hand is over; none before that."""
    if view.playing or not view.awards or not 0 < seat <= len(view.seats):
        return ()
    own = view.seat(seat)
    if own.hand == "out":
        return ()
    return tuple([card for card in own.down if card is not None and card not in own.shown])


def why_nothing(view: TableView, seat: int) -> str:
    """Why the player has no card to show now, as a sentence."""
    if view.playing or not view.hand:
        return _TOO_EARLY
    if not view.awards or view.seat(seat).hand == "out":
        return _NOT_DEALT_IN
    return _ALL_SHOWN


@dataclass(frozen=True, slots=True)
class CardPicker:
    """The choice of the cards to show, in the making.

    Fields:
        cards: the cards that can be shown.
        chosen: those that will be shown, in the order of choice; empty: all of them.
    """

    cards: tuple[Card, ...]
    chosen: tuple[Card, ...] = ()

    def toggled(self, number: str) -> "CardPicker":
        """The picker with the card of that digit chosen, or no longer chosen; the same picker for any other key."""
        if not number.isdecimal() or not 1 <= int(number) <= len(self.cards):
            return self
        card = self.cards[int(number) - 1]
        left = tuple([one for one in self.chosen if one != card])
        return CardPicker(self.cards, left if card in self.chosen else (*self.chosen, card))


def cards_named(text: str, view: TableView, seat: int) -> tuple[Card, ...] | str:
    """The cards that were typed behind ``/show``, by name or by their number in the brackets; empty: all of them.

    A sentence where that is not possible.
    """
    if not to_show(view, seat):
        return why_nothing(view, seat)
    row = view.seat(seat).down
    words = text.replace(",", " ").split()
    cards = tuple([card for card in [pick_card(row, word) for word in words] if card is not None])
    if len(cards) == len(words):
        return cards
    return "That is none of your hidden cards: name them, or their numbers in the brackets."
