"""Decisions whose right order of options is known: their form, and how a hand is brought to them.

A spot is a hand played through the engine up to a decision. What is right there is known because every holding of
the others is counted (`plain_values`), or by the numbers that the spot itself gives.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import card_text
from protocol.events import ActionRequested, AnyEvent, Seat
from protocol.view import TableView, hide
from protocol.visibility import project
from server.engine.games.game import Game
from tests.support.seen_tables import running_hand
from tests.support.stacked_hand import StackedHand, action


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision as its seat sees it.

    Fields:
        view, events: the table, and the events of the running hand, projected for the seat.
    """

    seat: Seat
    view: TableView
    events: tuple[AnyEvent, ...]
    request: ActionRequested


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision and what is right there.

    Fields:
        order: (better, worse) pairs of actions. The difference is a small bet or more. Where cards are passed or
            kept there are many ways to do so, and these are the right one and some that tempt.
        best: the actions of which one must be the best of all.
    """

    moment: Moment
    order: tuple[tuple[Action, Action], ...]
    best: tuple[Action, ...]

    @property
    def named(self) -> tuple[Action, ...]:
        """All actions of the order."""
        return tuple(dict.fromkeys([action for pair in self.order for action in pair]))


def spot(table: StackedHand, order: str, best: str = "", *, seat: Seat = 1) -> Spot:
    """The decision that a seat is asked for.

    `order`: ``raise 8 > call > fold``, and more of that after a semicolon, each action as `stacked_hand.action` reads
    it; what stands in no chain together has no order. `best`: ``call or raise 8``; without it the first of the order.
    """
    chains = [[action(*text.split()) for text in chain.split(" > ")] for chain in order.split("; ")]
    good = tuple([action(*text.split()) for text in best.split(" or ")]) if best else (chains[0][0],)
    pairs = tuple([pair for chain in chains for pair in pairwise(chain)])
    return Spot(seen(table.hand.game, table.events, seat), pairs, good)


def seen(game: Game, happened: Sequence[AnyEvent], seat: Seat, definition: str = "") -> Moment:
    """What a seat that is asked has seen of a hand in which these events have happened."""
    view = hide(running_hand(game, happened, definition), seat)
    pending = view.seat(seat).pending
    assert pending is not None, f"nobody asks seat {seat}"
    return Moment(seat, view, tuple([project(event, seat) for event in happened]), pending.request)


def betting(table: StackedHand, street: str, amount: int = 0) -> StackedHand:
    """Like `StackedHand.until`, but in each round the first to act bets and all others call.

    `amount`: of the bets where their size is free; 0 for the least.
    """
    while not (isinstance(table.events[-2], ev.RoundOpened) and table.events[-2].street == street):
        _bet_or_call(table, amount)
    return table


def betting_until_asked(table: StackedHand, decision: str, amount: int = 0) -> StackedHand:
    """The same until such a decision is asked for the first time."""
    while table.decision != decision:
        _bet_or_call(table, amount)
    return table


def arranged(table: StackedHand, hands: Mapping[Seat, str], amount: int = 0) -> StackedHand:
    """The same until everybody has kept five cards, in this order."""
    betting_until_asked(table, "arrange", amount)
    return table.play(", ".join(f"{seat} arrange {five}" for seat, five in hands.items()))


def _bet_or_call(table: StackedHand, amount: int) -> None:
    assert not table.hand.over
    who = table.turn[0]
    by_kind = {option.kind: option for option in table.options(who)}
    if "bet" in by_kind:
        table.play(f"{who} bet {max(by_kind['bet'].least, amount)}")
    else:
        calm = next((kind for kind in ("check", "call", "bring_in") if kind in by_kind), "")
        table.play(f"{who} {calm}") if calm else table.late(who)


def play(table: StackedHand, script: str) -> StackedHand:
    """Like `StackedHand.play`, but the script names bets only: where cards are turned, everybody turns the newest."""
    for line in script.split(","):
        while table.decision == "choose":
            table.late(table.turn[0])
        table.play(line)
    return table


def words(one: Action) -> str:
    """``raise 8``, ``declare low``, ``choose Kh``"""
    cards = "".join(map(card_text, one.cards or ()))
    return " ".join([one.kind, *[str(part) for part in (one.to, cards, one.direction) if part]])
