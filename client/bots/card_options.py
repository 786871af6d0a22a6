"""Which cards are worth a thought: where a decision has very many answers, the few that make sense."""

from client.bots.card_secrecy import Holding, cards_to_discard, cards_to_pass, rolling_order
from client.bots.equity import Equity, held_cards
from client.bots.game_terms import terms_of
from client.bots.simple import offered_cards
from protocol.actions import Action, Option
from protocol.events import ActionRequested
from protocol.view import TableView

_HIGH = Equity(0.5, 1.0, 0.0, 0.5)
_LOW = Equity(0.5, 0.0, 1.0, 0.5)


def worth_a_thought(view: TableView, seat: int, request: ActionRequested, quick: Action) -> tuple[Action, ...]:
    """The quick answer, and those of somebody who goes for the high half, or for the low one; none for other decisions.

    Of an arrangement each also with the best cards rolled first.
    """
    if request.decision not in ("arrange", "pass", "discard"):
        return ()
    terms, own, option = terms_of(view), view.seat(seat), request.options[0]
    found = [quick]
    for equity in (_HIGH, _LOW):
        holding = Holding(held_cards(own), terms, equity, view.wilds)
        found += _answers(holding, option, own.before)
    return tuple(dict.fromkeys(found))


def _answers(holding: Holding, option: Option, seen: tuple[int, ...]) -> list[Action]:
    offered = offered_cards(option)
    if option.kind == "pass":
        return [Action("pass", cards=cards_to_pass(holding, offered, option.count))]
    if option.kind == "discard":
        return [Action("discard", cards=cards_to_discard(holding, offered, option.count))]
    kept = holding.best_five(holding.equity.direction)
    if len(kept) != option.count or not set(kept) <= set(offered):
        return []
    order = rolling_order(kept, holding, seen)
    return [Action("arrange", cards=order), Action("arrange", cards=order[::-1])]
