"""What cards make in the game that is being played, in words.

The names come from the rankings of the game's showdown; for a game that this program does not know there are none.
"""

from collections.abc import Sequence
from functools import lru_cache

from client.known_games import definition_of, game_of
from protocol.cards import Card
from protocol.narration.hand_names import beside
from protocol.view import TableView
from server.engine.ranking.rankings import Ranking
from server.engine.ranking.wild_cards import name_with_wilds


def _rankings(game: str, definition: str = "") -> tuple[Ranking, ...]:
    """The rankings that win in a game (`client.known_games`), high first; none for a game that is not known."""
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


def with_side(side: str, name: str) -> str:
    """``low: seven-five`` for a ``seven-five low``; the names of hands that are no low say so themselves."""
    return name if name.startswith("no low") else f"{side}: {beside(side, name)}"
