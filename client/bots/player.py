"""The house's bot: plays every game at once, from the options it is offered and what its own seat can see."""

from typing import assert_never

from client.bots.betting import bet, spot
from client.bots.card_secrecy import Holding, rolling_order, to_give, to_show, to_throw
from client.bots.equity import Chances, Sight, chances, judge, own_cards, sights
from client.bots.game_terms import Terms, terms_of
from client.bots.simple import own_cards as offered_cards
from protocol.actions import Action, Direction, Option
from protocol.events import ActionRequested
from protocol.view import TableView


def choose(view: TableView, seat: int, request: ActionRequested) -> Action:
    """The bot's answer to a request of its own seat.

    Deterministic, and legal for any request: it only takes options that are listed. `view` may be all-seeing; hidden
    cards of other seats are not looked at. Takes a millisecond or two at a full table.
    """
    if request.decision == "game":
        offer = request.options[0]
        return Action(offer.kind, game=offer.games[(view.hand + seat) % len(offer.games)])
    terms = terms_of(view)
    now = chances(view, seat, terms)
    match request.decision:
        case "bet":
            return bet(spot(view, seat, request, now), request.options)
        case "buy":
            return _buy(view, request, now)
        case "declare":
            return _declare(view, seat, request.options[0], terms)
        case "choose" | "arrange" | "pass" | "discard":
            return _cards(view, seat, request, Holding(own_cards(view.seat(seat)), terms, now, view.wilds))
        case _:
            assert_never(request.decision)


def _buy(view: TableView, request: ActionRequested, now: Chances) -> Action:
    """Buys while the hand is worth playing and the price is small against the pot."""
    kinds = {option.kind: option for option in request.options}
    offer = kinds.get("buy")
    if offer is not None and ("decline" not in kinds or (now.edge >= 0.9 and 4 * offer.amount <= view.pot())):
        return Action("buy")
    return Action("decline")


def _cards(view: TableView, seat: int, request: ActionRequested, holding: Holding) -> Action:
    own = view.seat(seat)
    option = request.options[0]
    offered = offered_cards(option)
    if option.kind == "arrange":
        kept = _kept(view, seat, holding)
        if len(kept) != option.count or not set(kept) <= set(offered):
            kept = tuple(holding.least_telling(offered)[-option.count :])
        return Action("arrange", cards=rolling_order(kept, holding, own.before))
    if option.kind == "choose":
        return Action("choose", cards=to_show(holding, offered, own.up, option.count))
    if option.kind == "discard":
        return Action("discard", cards=to_throw(holding, offered, option.count))
    return Action(option.kind, cards=to_give(holding, offered, option.count))


def _kept(view: TableView, seat: int, holding: Holding) -> tuple[int, ...]:
    """The five cards of the direction in which they win more."""
    fives = {direction: holding.best_five(direction) for direction in _DIRECTIONS}
    worth = {
        direction: _worth(view, seat, Sight(five, 0, direction), holding.terms)
        for direction, five in fives.items()
        if five
    }
    return fives[max(worth, key=worth.__getitem__)] if worth else ()


def _declare(view: TableView, seat: int, option: Option, terms: Terms) -> Action:
    """The direction that pays more for the cards as they are."""
    own = (*own_cards(view.seat(seat)), *view.community)
    best = max(option.directions, key=lambda direction: _worth(view, seat, Sight(own, 0, direction), terms))
    return Action("declare", direction=best)


_DIRECTIONS: tuple[Direction, ...] = ("high", "low")


def _worth(view: TableView, seat: int, own: Sight, terms: Terms) -> float:
    """The share of the pot with these cards, declared so."""
    _, others, gone = sights(view, seat, terms)
    return judge(own, others, gone, view.wilds, terms).share
