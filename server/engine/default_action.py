"""What is done for a player who does not answer in time (`rules.md` 10)."""

from collections.abc import Sequence

from protocol import events as ev
from protocol.actions import Action, Option
from protocol.cards import Card
from server.engine.ranking.card_order import EIGHT, low_rank
from server.engine.ranking.rankings import HIGH, WEAKEST_TWO_PAIR, Ranking
from server.engine.steps.hand_state import HandState


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
            return Action("declare", direction="low" if _is_low_without_a_pair(hand.holding(player), low) else "high")
        case "pass":
            count = request.options[0].count
            return Action("pass", cards=tuple(hand.down[player][-count:]))
        case "discard":
            return Action("discard", cards=())
        case "buy":
            return Action("decline")
        case "game":
            return Action("game", game=request.options[0].games[0])


def _arrangement(cards: Sequence[Card], keep: int, low: Ranking | None) -> tuple[Card, ...]:
    """The best low if it is an eight or better and the cards hold no more than a pair, else the best high.

    The kept cards stay in the order in which they lie.
    """
    five = low.best(cards) if low is not None else ()
    ranks = set(map(low_rank, five))
    fits = len(ranks) == 5 and max(ranks) <= EIGHT
    if not (fits and HIGH.strength(cards) < WEAKEST_TWO_PAIR):
        five = HIGH.best(cards)
    kept = set(five[:keep])
    return tuple([card for card in cards if card in kept])


def _is_low_without_a_pair(cards: Sequence[Card], low: Ranking | None) -> bool:
    return low is not None and len(set(map(low_rank, low.best(cards)))) == 5
