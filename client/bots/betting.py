"""Fold, call or raise: the price against the chances, and what the others' bets say about them."""

from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt

from client.bots.equity import Chances
from protocol.actions import WAGERS, Action, Option
from protocol.events import ActionRequested
from protocol.view import TableView

BET_EDGE = 1.15
"""Share, in units of the fair one, from which a hand bets."""
RAISE_EDGE = 1.2
"""The same for a raise between two players; every wager in the round lifts it by `HEAT`."""
HEAT = 0.25
CERTAIN = 0.85
"""Share of the pot from which a hand raises although others have wagered."""
ENOUGH = 4
"""Wagers in a round after which it only calls: where raises are not capped, two proud hands would never end."""
DOUBT = 0.93
"""What is left of a share for every wager of an opponent: they do not bet random cards."""
CONTINUE = {3: 0.8, 4: 0.85, 5: 0.9, 6: 0.8}
"""Edge that is worth further bets, by cards held; with the last card only the price counts."""
BLUFFS = 14
"""One unbet round in so many is bet with a middling hand."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A betting decision.

    Fields:
        chances: of the hand against all that are live.
        pot: chips in the middle and in front of the players.
        call: what staying in costs.
        wagers: bets and raises in this round that the player faces.
        cards: the player has got so far.
        dice: a number of the hand, the street and the seat; the same every time.
    """

    chances: Chances
    pot: int
    call: int
    wagers: int
    cards: int
    dice: int


def spot(view: TableView, seat: int, request: ActionRequested, chances: Chances) -> Spot:
    """The decision as that seat sees it."""
    own = view.seat(seat)
    wagers = _wagers(view, seat)
    word = f"{view.hand} {view.street} {seat} {view.hand_id}".encode()
    dice = int.from_bytes(blake2b(word, digest_size=4).digest(), "big")
    held = len(own.up) + len(own.down) + len(view.community)
    cards = max(held, 7) if view.keep else held  # whoever has arranged has seen all his cards
    return Spot(chances, view.pot(), request.call, wagers, cards, dice)


def _wagers(view: TableView, seat: int) -> int:
    """How often the round was bet or raised, as far as the chips in front of the players tell; 0 if by nobody else."""
    others = [other for other in view.in_hand() if other.seat != seat]
    by_others = sum(other.last is not None and other.last.action in WAGERS for other in others)
    if not by_others or view.stakes is None:
        return by_others
    size = view.stakes.big if view.stakes.limit == "fixed" else view.stakes.most
    return max(by_others, max(other.bet for other in others) // size)


def bet(here: Spot, options: tuple[Option, ...]) -> Action:
    """One of the options of a betting request."""
    by_kind = {option.kind: option for option in options}
    wagers = [option for option in options if option.kind in WAGERS]
    if wagers and _would_wager(here, open_round="check" in by_kind):
        return _wager(here, wagers)
    if "check" in by_kind:
        return Action("check")
    if "call" in by_kind and ("fold" not in by_kind or _would_call(here)):
        return Action("call")
    if "bring_in" in by_kind:
        return Action("bring_in")
    return Action("fold") if "fold" in by_kind else Action(options[0].kind, to=options[0].least or None)


def _would_wager(here: Spot, *, open_round: bool) -> bool:
    share, edge = here.chances.share, here.chances.edge
    if open_round and not here.wagers:
        return edge >= BET_EDGE or (edge >= 0.8 and here.dice % BLUFFS == 0)
    if here.wagers >= ENOUGH:
        return False
    # Among many players the edges of good hands are larger, so more is asked of them.
    crowd = sqrt(1 / (2 * here.chances.fair))
    return share >= CERTAIN or edge >= 1 + crowd * (RAISE_EDGE - 1 + HEAT * here.wagers)


def _would_call(here: Spot) -> bool:
    believed = here.chances.share * DOUBT**here.wagers
    price = here.call / (here.pot + here.call)
    if believed < price:
        return False
    # A share of a large pot may be worth this call and still not the bets that follow it.
    cheap = believed >= 2.5 * price
    return cheap or here.chances.edge >= CONTINUE.get(here.cards, 0.0)


def _wager(here: Spot, wagers: list[Option]) -> Action:
    """Large with a large edge where the size is free; the larger of two sizes with a hand that leads."""
    confidence = min(1.0, max(0.0, (here.chances.edge - 1) / 0.7))
    option = max(wagers, key=lambda one: one.most) if confidence >= 0.5 else min(wagers, key=lambda one: one.least)
    return Action(option.kind, to=option.least + int((option.most - option.least) * confidence))
