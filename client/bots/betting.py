"""Fold, call or raise: the price against the equity, and what the bets of the others say about it."""

from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt

from client.bots.equity import Equity
from protocol.actions import WAGERS, Action, Option
from protocol.events import ActionRequested
from protocol.stakes import Stakes
from protocol.view import TableView
from replays.hand_reading.action_tables import MOST_WAGERS

BET_EDGE = 1.15
"""Edge from which a hand bets."""
RAISE_EDGE = 1.2
"""Edge from which a hand raises between two players, in a round without wagers."""
RAISE_EDGE_PER_WAGER = 0.25
"""What every wager in the round adds to `RAISE_EDGE`."""
SURE_SHARE = 0.85
"""Share of the pot from which a hand raises although others have wagered."""
SHARE_PER_WAGER = 0.93
"""What is left of a share after every wager of an opponent: they do not bet random cards."""
CALL_EDGE = {3: 0.8, 4: 0.85, 5: 0.9, 6: 0.8}
"""Edge that is worth further bets, by the number of cards; with the last card only the price counts."""
BOLD_CALL_EDGE = 0.4
"""Edge that the boldest ask for less between two players, where the pot pays well for a call. Among many players it is
less, for more of them may be ahead.
"""
BLUFF_EDGE = 0.8
BLUFF_ROUNDS = 14
"""In one of so many rounds without a bet, a hand with `BLUFF_EDGE` bets too."""


@dataclass(frozen=True, slots=True)
class BettingSpot:
    """A betting decision.

    Fields:
        equity: of the hand against all live hands.
        pot: chips in the middle and in front of the players.
        call: chips that staying in costs, or feels like.
        wagers: bets and raises in this round that the player faces.
        cards: the number of cards that the player has got so far.
        doubt: what is left of the share after every wager of an opponent, where the equity does not know their bets.
        random: a number that depends on the hand, the street and the seat; the same every time.
        caution: 0 to 1, how clear an edge must be. At 0 a hand bets as soon as it is worth more than an even share.
    """

    equity: Equity
    pot: int
    call: float
    wagers: int
    cards: int
    random: int
    doubt: float = SHARE_PER_WAGER
    caution: float = 1.0


def betting_spot(view: TableView, seat: int, request: ActionRequested, equity: Equity) -> BettingSpot:
    """The decision, as that seat sees it."""
    own = view.seat(seat)
    wagers = wagers_faced(view, seat, request.options)
    seed = f"{view.hand} {view.street} {seat} {view.hand_id}".encode()
    random = int.from_bytes(blake2b(seed, digest_size=4).digest(), "big")
    held = len(own.up) + len(own.down) + len(view.community)
    cards = max(held, 7) if view.keep else held  # a player who has chosen the cards to keep has got all of them
    return BettingSpot(equity, view.pot(), request.call, wagers, cards, random)


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
    share, edge = spot.equity.share, spot.equity.edge
    if can_check and not spot.wagers:
        return edge >= 1 + spot.caution * (BET_EDGE - 1) or (edge >= BLUFF_EDGE and spot.random % BLUFF_ROUNDS == 0)
    if spot.wagers >= MOST_WAGERS:
        return False
    # Among many players the edges of good hands are larger, so a larger edge is asked of them.
    return share >= SURE_SHARE or edge >= 1 + _crowd(spot) * (RAISE_EDGE - 1 + RAISE_EDGE_PER_WAGER * spot.wagers)


def _would_call(spot: BettingSpot) -> bool:
    share = spot.equity.share * spot.doubt**spot.wagers
    call = max(0.0, spot.call)
    price = call / (spot.pot + call)
    if share < price:
        return False
    # A share of a large pot may be worth this call, and still not the bets that follow it.
    cheap = share >= 2.5 * price
    return cheap or spot.equity.edge >= _call_edge(spot)


def _call_edge(spot: BettingSpot) -> float:
    """The edge that is worth further bets."""
    careful = CALL_EDGE.get(spot.cards, 0.0)
    return spot.caution * careful + (1 - spot.caution) * min(careful, 1 - BOLD_CALL_EDGE / _crowd(spot))


def _crowd(spot: BettingSpot) -> float:
    """How much larger the edges of good hands are than between two players, where it is 1."""
    return sqrt(1 / (2 * spot.equity.fair))


def _wager(spot: BettingSpot, wagers: list[Option]) -> Action:
    """The larger of two sizes with a strong hand; where the size is free, the amount grows with the edge."""
    confidence = min(1.0, max(0.0, (spot.equity.edge - 1) / 0.7))
    option = max(wagers, key=lambda one: one.most) if confidence >= 0.5 else min(wagers, key=lambda one: one.least)
    return Action(option.kind, to=option.least + int((option.most - option.least) * confidence))
