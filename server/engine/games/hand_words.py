"""What cards make in the game that is being played, in words.

The names come from the rankings of the game's showdown; for a game that this program does not know there are none.
"""

from collections.abc import Sequence
from functools import lru_cache

from protocol.actions import Direction
from protocol.cards import Card
from protocol.narration.hand_names import beside, spoken, without_kicker
from protocol.narration.phrases import count
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.known_games import definition_of, game_at, game_of
from server.engine.games.rules_page import hand_size
from server.engine.ranking.card_order import EIGHT, low_rank
from server.engine.ranking.rankings import EIGHT_OR_BETTER, Ranking
from server.engine.ranking.wild_cards import name_with_wilds
from server.engine.steps.vocabulary import Draw, Pass


def _rankings(game: str, definition: str = "") -> tuple[Ranking, ...]:
    """The rankings that win in a game, high first; none for a game that is not known."""
    known = game_of(game, definition)
    if known is None:
        return ()
    return tuple(ranking for ranking in (known.showdown.high, known.showdown.low) if ranking is not None)


def named_hands(view: TableView, cards: tuple[Card, ...]) -> tuple[tuple[str, str], ...]:
    """(``high`` or ``low``, name of the hand so far) for every ranking of the game that is being played."""
    return _named_hands(view.game, definition_of(view), cards)


@lru_cache(maxsize=512)
def _named_hands(game: str, definition: str, cards: tuple[Card, ...]) -> tuple[tuple[str, str], ...]:
    paid = _rankings(game, definition)
    return tuple(("low" if ranking.is_low else "high", ranking.partial_name(cards)) for ranking in paid)


def usable_cards(view: TableView, seat: int) -> tuple[Card, ...]:
    """The cards that a live hand can use, as far as the view shows them: hidden, face up and in the middle."""
    if not seat:
        return ()
    own = view.seat(seat)
    if own.hand != "live":
        return ()
    return tuple([card for card in (*own.down, *own.up, *view.community) if card is not None])


def hand_names(view: TableView, cards: Sequence[Card]) -> str:
    """``high: pair of kings   low: eight-six so far``; empty without cards.

    With wild cards only five cards or more have a name, and only as a high hand.
    """
    wild = [card for card in cards if card >> 2 in view.wilds]
    if wild:
        return f"high: {name_with_wilds(cards, wild)}" if len(cards) >= 5 else ""
    return "   ".join(with_side(side, name) for side, name in named_hands(view, tuple(cards)) if name)


def own_hands(view: TableView, seat: int) -> tuple[tuple[str, str], ...]:
    """(side, name) of what the cards of a seat make; after its declaration only the side that it plays for.

    While cards are still to come, an eight-or-better low that is not there says what it still needs.
    """
    cards = usable_cards(view, seat)
    if not cards or any(card >> 2 in view.wilds for card in cards):
        return ()
    direction = declared(view.seat(seat))
    to_come = cards_to_come(view, seat)
    missing = _missing_low(cards, to_come) if EIGHT_OR_BETTER in _rankings(view.game, definition_of(view)) else ""
    return tuple(
        (side, missing if missing and side == "low" else name)
        for side, name in named_hands(view, cards)
        if not direction or side == direction
    )


def own_hand_names(view: TableView, seat: int) -> str:
    """``high: pair of kings   low: eight-six so far``: `own_hands` in one line, and a hand with wild cards."""
    cards = usable_cards(view, seat)
    if any(card >> 2 in view.wilds for card in cards):
        return hand_names(view, cards)
    return "   ".join(with_side(side, name) for side, name in own_hands(view, seat))


def declared(own: SeatView) -> str:
    """The direction that a seat has declared, as far as the view tells it: one's own before the others' is shown."""
    if own.declared or own.choice is None or own.choice.action is None:
        return own.declared
    return own.choice.action.direction or ""


def cards_to_come(view: TableView, seat: int) -> int:
    """How many cards a live hand will still be dealt; 0 after bring 'em back, at the end, and where it is not known."""
    game = game_at(view)
    if game is None or not view.playing or view.keep or any(isinstance(step, Draw | Pass) for step in game.steps):
        return 0
    own = view.seat(seat)
    return max(0, hand_size(game) - len(own.down) - len(own.up) - len(view.community))


def _missing_low(cards: Sequence[Card], to_come: int) -> str:
    """What an eight-or-better low still needs, in words; empty where the name of the hand says all."""
    missing = 5 - len({card >> 2 for card in cards if low_rank(card) <= EIGHT})
    if missing > to_come > 0:
        return "no low any more: too few cards are to come"
    if missing > 0 and to_come and len(cards) >= 5:
        return f"no low yet: needs {count(missing, 'more rank')} of eight or under"
    return ""


def best_fives(view: TableView, cards: Sequence[Card]) -> dict[Direction, tuple[Card, ...]]:
    """The best five of these cards for each direction of the game; a direction without a hand is left out."""
    if len(cards) < 5 or any(card >> 2 in view.wilds for card in cards):
        return {}
    found: dict[Direction, tuple[Card, ...]] = {}
    for ranking in _rankings(view.game, definition_of(view)):
        if five := ranking.best(cards):
            found["low" if ranking.is_low else "high"] = five
    return found


def proposals(view: TableView, cards: Sequence[Card]) -> str:
    """``Best for high: 12347, pair of aces. Best for low: 23457, eight-six.``: numbers in the list of the cards."""
    told = []
    for side, five in best_fives(view, cards).items():
        numbers = "".join([str(number) for number, card in enumerate(cards, 1) if card in five])
        named = dict(named_hands(view, five))[side]
        told.append(f"Best for {side}: {numbers}, {beside(side, named)}.")
    return " ".join(told)


def made_hands(view: TableView, seat: int) -> list[tuple[str, str]]:
    """(side, name) of `own_hands`, and of a hand with wild cards; the names do not repeat their side.

    The side is empty where the name says it itself: ``no low: a straight``.
    """
    cards = usable_cards(view, seat)
    wild = [card for card in cards if card >> 2 in view.wilds]
    if wild:
        return [("high", name_with_wilds(cards, wild))] if len(cards) >= 5 else []
    named = [(side, name) for side, name in own_hands(view, seat) if name]
    return [("", name) if name.startswith("no low") else (side, beside(side, name)) for side, name in named]


def board_words(view: TableView, up: tuple[Card, ...]) -> str:
    """What the cards that are face up make in this game, if it can be said: ``pair of kings``"""
    if not up or any(card >> 2 in view.wilds for card in up):
        return ""
    named = named_hands(view, up)
    return without_kicker(spoken(named[0][1])) if named else ""


def with_side(side: str, name: str) -> str:
    """``low: seven-five`` for a ``seven-five low``; the names of hands that are no low say so themselves."""
    return name if name.startswith("no low") else f"{side}: {beside(side, name)}"
