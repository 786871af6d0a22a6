"""Fold, call or raise: the price against the equity, and what the bets of the others say about it."""

from hashlib import blake2b

from client.bots.edges import BettingSpot, bet_edge, call_edge, raise_edge, slow_plays
from client.bots.equity import Equity
from client.bots.game_terms import terms_of
from protocol.actions import WAGERS, Action, Option
from protocol.events import ActionRequested
from protocol.stakes import Stakes
from protocol.view import TableView
from replays.hand_reading.action_tables import MOST_WAGERS

SURE_SHARE = 0.85
"""Share of the pot from which a hand raises although others have wagered."""
BLUFF_EDGE = 0.8
BLUFF_ROUNDS = 14
"""In one of so many rounds without a bet, a hand with `BLUFF_EDGE` bets too."""


def betting_spot(view: TableView, seat: int, request: ActionRequested, equity: Equity) -> BettingSpot:
    """The decision, as that seat sees it."""
    own = view.seat(seat)
    wagers = wagers_faced(view, seat, request.options)
    seed = f"{view.hand} {view.street} {seat} {view.hand_id}".encode()
    random = int.from_bytes(blake2b(seed, digest_size=4).digest(), "big")
    held = len(own.up) + len(own.down) + len(view.community)
    cards = max(held, 7) if view.keep else held  # a player who has chosen the cards to keep has got all of them
    return BettingSpot(equity, terms_of(view), view.pot(), request.call, wagers, cards, random)


def wagers_faced(view: TableView, seat: int, options: tuple[Option, ...]) -> int:
    """The bets and raises of this round, as far as the chips in front of the players tell; 0 if no other made one."""
    others = [other for other in view.in_hand() if other.seat != seat]
    by_others = sum(other.last is not None and other.last.action in WAGERS for other in others)
    if not by_others or view.stakes is None:
        return by_others
    highest = max(other.bet for other in others)
    return max(by_others, highest // _bet_size(view.stakes, options, highest))


def _bet_size(stakes: Stakes, options: tuple[Option, ...], highest: int) -> int:
    """The size of a bet in this round, from what a raise adds to the `highest` bet; the big one if none is offered."""
    if stakes.limit == "spread":
        return stakes.most
    small = any(option.kind == "raise" and option.least - highest < stakes.big for option in options)
    return stakes.small if small else stakes.big


def betting_action(spot: BettingSpot, options: tuple[Option, ...]) -> Action:
    """The answer to a betting request: one of its options."""
    by_kind = {option.kind: option for option in options}
    wagers = [option for option in options if option.kind in WAGERS]
    if wagers and _would_wager(spot, can_check="check" in by_kind):
        return _wager(spot, wagers)
    if "check" in by_kind:
        return Action("check")
    if "call" in by_kind and ("fold" not in by_kind or _would_call(spot)):
        return Action("call")
    if "bring_in" in by_kind:
        return Action("bring_in")
    return Action("fold") if "fold" in by_kind else Action(options[0].kind, to=options[0].least or None)


def _would_wager(spot: BettingSpot, *, can_check: bool) -> bool:
    edge = spot.equity.edge
    if can_check and not spot.wagers:
        if slow_plays(spot):
            return False
        return edge >= bet_edge(spot) or (edge >= BLUFF_EDGE and spot.random % BLUFF_ROUNDS == 0)
    return spot.wagers < MOST_WAGERS and (spot.equity.share >= SURE_SHARE or edge >= raise_edge(spot))


def _would_call(spot: BettingSpot) -> bool:
    # A share of a large pot may be worth this call, and still not the bets that follow it.
    return spot.share >= spot.price and spot.equity.edge >= call_edge(spot)


def _wager(spot: BettingSpot, wagers: list[Option]) -> Action:
    """The larger of two sizes with a strong hand; where the size is free, the amount grows with the edge."""
    confidence = min(1.0, max(0.0, (spot.equity.edge - 1) / 0.7))
    option = max(wagers, key=lambda one: one.most) if confidence >= 0.5 else min(wagers, key=lambda one: one.least)
    return Action(option.kind, to=option.least + int((option.most - option.least) * confidence))
