"""What is done for a player who does not answer in time (`rules.md` 10)."""

from protocol import events as ev
from protocol.actions import Action, Option
from protocol.cards import Card
from server.engine.ranking.rankings import HIGH, Ranking
from server.engine.steps.hand_state import HandState
from server.engine.steps.showdown import kept_cards

EIGHT = 6
"""Rank of an eight."""


def default_action(hand: HandState, player: int, request: ev.ActionRequested, low: Ranking | None) -> Action:
    """Check if it is free, post what is forced, otherwise fold; turn the newest card; keep what fits.

    `low` is the ranking of the low half of the pot, None where no low is paid.
    """
    by_kind: dict[str, Option] = {option.kind: option for option in request.options}
    match request.decision:
        case "bet":
            if "check" in by_kind:
                return Action("check")
            return Action("bring_in") if "bring_in" in by_kind and "fold" not in by_kind else Action("fold")
        case "choose":
            return Action("choose", cards=(hand.down[player][-1],))
        case "arrange":
            return Action("arrange", cards=_arrangement(hand.down[player], request.options[0].count, low))
        case "declare":
            return Action("declare", direction="low" if _is_good_low(hand.holding(player), low) else "high")
        case "pass":
            count = request.options[0].count
            return Action("pass", cards=tuple(hand.down[player][-count:]))
        case "discard":
            return Action("discard", cards=())
        case "buy":
            return Action("decline")
        case "game":
            return Action("game", game=request.options[0].games[0])


def _arrangement(cards: list[Card], keep: int, low: Ranking | None) -> tuple[Card, ...]:
    """The best low if it is an eight or better and there is no more than a pair, else the best high."""
    five = low.best(cards) if low is not None else ()
    ranks = {card >> 2 for card in five}
    fits = len(ranks) == 5 and max((rank + 1) % 13 for rank in ranks) <= EIGHT + 1
    if not (fits and HIGH.strength(cards) < _TWO_PAIR):
        five = HIGH.best(cards)
    return kept_cards(cards, five[:keep])


def _is_good_low(cards: list[Card], low: Ranking | None) -> bool:
    return low is not None and len({card >> 2 for card in low.best(cards)}) == 5


_TWO_PAIR = HIGH.strength([0, 1, 4, 5, 8])
"""Twos and threes with a four: the weakest two pair."""
