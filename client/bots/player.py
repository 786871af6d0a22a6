"""The house's bot: plays every game at once, from the options it is offered and what its own seat can see."""

from dataclasses import replace
from typing import NamedTuple, assert_never

from client.bots.betting import betting_action, betting_spot
from client.bots.card_secrecy import Holding, cards_to_discard, cards_to_pass, cards_to_show, rolling_order
from client.bots.edges import BettingSpot
from client.bots.equity import Equity, VisibleHand, equity_of, estimate, held_cards, visible_hands
from client.bots.game_terms import terms_of
from client.bots.simple import offered_cards
from protocol.actions import Action, Direction, Option
from protocol.events import ActionRequested
from protocol.view import TableView
from replays.chances.terms import GameTerms

_BUY_EDGE = 0.9
"""Edge from which a card is bought, if it costs no more than a quarter of the pot."""
_DIRECTIONS: tuple[Direction, ...] = ("high", "low")


class Thought(NamedTuple):
    """What somebody who reads hands thinks of a bet.

    Fields:
        equity: of their hand. call: the chips that a call feels like. caution: how clear an edge must be (0 to 1).
        blind: whether somebody is in who bets blindly.
    """

    equity: Equity
    call: float
    caution: float = 0.0
    blind: bool = False


def choose_action(view: TableView, seat: int, request: ActionRequested, thought: Thought | None = None) -> Action:
    """The bot's answer to a request to its own seat.

    `thought`: of a bot that reads hands, about a bet; by default the cards of the others count as random.

    It is deterministic, and legal for any request: the bot only takes options of the request. `view` may contain
    everything; the hidden cards of other seats are not used. Takes a millisecond or two at a full table.
    """
    if request.decision == "game":
        offer = request.options[0]
        return Action(offer.kind, game=offer.games[(view.hand + seat) % len(offer.games)])
    if thought is not None:
        return betting_action(thought_spot(view, seat, request, thought), request.options)
    terms = terms_of(view)
    equity = equity_of(view, seat, terms)
    match request.decision:
        case "bet":
            return betting_action(betting_spot(view, seat, request, equity), request.options)
        case "buy":
            return _buy(view, request, equity)
        case "declare":
            return _declare(view, seat, request.options[0], terms)
        case "choose" | "arrange" | "pass" | "discard":
            return _cards(view, seat, request, Holding(held_cards(view.seat(seat)), terms, equity, view.wilds))
        case _:
            assert_never(request.decision)


def thought_spot(view: TableView, seat: int, request: ActionRequested, thought: Thought) -> BettingSpot:
    """The betting decision, as somebody sees it who reads hands."""
    spot = betting_spot(view, seat, request, thought.equity)
    return replace(spot, call=thought.call, doubt=1.0, blind=thought.blind, caution=thought.caution)


def _buy(view: TableView, request: ActionRequested, equity: Equity) -> Action:
    """Buys if the hand is worth playing and the price is small against the pot."""
    by_kind = {option.kind: option for option in request.options}
    offer = by_kind.get("buy")
    if offer is not None:
        cheap = 4 * offer.amount <= view.pot()
        if "decline" not in by_kind or (equity.edge >= _BUY_EDGE and cheap):
            return Action("buy")
    return Action("decline")


def _cards(view: TableView, seat: int, request: ActionRequested, holding: Holding) -> Action:
    own = view.seat(seat)
    option = request.options[0]
    offered = offered_cards(option)
    if option.kind == "arrange":
        kept = _kept(view, seat, holding)
        if len(kept) != option.count or not set(kept) <= set(offered):
            kept = tuple(holding.least_revealing(offered)[-option.count :])
        return Action("arrange", cards=rolling_order(kept, holding, own.before))
    if option.kind == "choose":
        return Action("choose", cards=cards_to_show(holding, offered, own.up, option.count))
    if option.kind == "discard":
        return Action("discard", cards=cards_to_discard(holding, offered, option.count))
    return Action(option.kind, cards=cards_to_pass(holding, offered, option.count))


def _kept(view: TableView, seat: int, holding: Holding) -> tuple[int, ...]:
    """The best five cards of the direction in which they win more."""
    fives = {direction: holding.best_five(direction) for direction in _DIRECTIONS}
    shares = {
        direction: _share(view, seat, VisibleHand(five, 0, direction), holding.terms)
        for direction, five in fives.items()
        if five
    }
    return fives[max(shares, key=shares.__getitem__)] if shares else ()


def _declare(view: TableView, seat: int, option: Option, terms: GameTerms) -> Action:
    """The direction that pays more for the cards as they are."""
    own = (*held_cards(view.seat(seat)), *view.community)
    best = max(option.directions, key=lambda direction: _share(view, seat, VisibleHand(own, 0, direction), terms))
    return Action("declare", direction=best)


def _share(view: TableView, seat: int, own: VisibleHand, terms: GameTerms) -> float:
    """The share of the pot that the seat wins with these cards and this declaration."""
    _, others, dead = visible_hands(view, seat)
    return estimate(own, others, dead, view.wilds, terms).share
