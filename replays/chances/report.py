"""Everything that a seat could know of its chances at one moment."""

from dataclasses import dataclass

from protocol.cards import DECK, Card
from protocol.events import Chips, Seat
from protocol.view import TableView
from replays.chances.boards import BoardLimit, board_limits
from replays.chances.estimate import Estimate, Numbers
from replays.chances.memory import NOTHING, Memory
from replays.chances.outs import Improvement, higher_kinds, named_lows
from replays.chances.spot import NO_ADVICE, Spot, spot_of, untold
from server.engine.games.game import Game


@dataclass(frozen=True, slots=True)
class Price:
    """What staying in costs.

    Fields:
        call: chips to put in; pot: chips that can be won with them.
    """

    call: Chips
    pot: Chips

    @property
    def needs(self) -> float:
        """The share of the pot, 0 to 1, from which calling pays if nothing more is bet."""
        return self.call / (self.pot + self.call)


@dataclass(frozen=True, slots=True)
class Chances:
    """What a seat could know of its chances.

    Fields:
        seat: whose chances they are.
        numbers: what its hand wins on average; None where `untold` says why there are none.
        fair: the share of an average hand: 1 divided by the number of live hands.
        unseen: how many cards it has not seen; dead: the cards it has seen that no live hand has.
        to_come: cards that it will still get.
        outs: what the next card can make of its hand, the best first, with live and dead cards by name; none where
            cards are wild.
        boards: what the hands of the others can be now, at best.
        wild: cards are wild, or can become so: then neither outs nor boards are told.
        price: what the seat has to pay to stay in; None if it need not.
    """

    seat: Seat
    numbers: Numbers | None
    untold: str
    fair: float
    unseen: int
    dead: tuple[Card, ...]
    to_come: int
    outs: tuple[Improvement, ...]
    boards: tuple[BoardLimit, ...]
    wild: bool
    price: Price | None


def at(
    view: TableView, seat: Seat, game: Game, memory: Memory = NOTHING, *, numpy: bool | None = None
) -> Chances | None:
    """The chances of a seat at this moment, the same ones every time; None where it has no hand to play or no opponent.

    Nothing that is hidden from the seat is looked at, even if the view holds it. `memory` is what the seat remembers
    beyond the table (`replays.chances.memory.remember`). `numpy`: whether it is used; None: where it is installed.
    Takes some milliseconds with it, and up to half a second without, where the sample is smaller.
    """
    spot = spot_of(view, seat, game, memory) if view.playing else None
    if spot is None:
        return None
    reason = untold(view, game)
    return describe(spot, view, None if reason else Estimate(spot, numpy=numpy).finish(), reason)


def describe(spot: Spot, view: TableView, numbers: Numbers | None, reason: str = "") -> Chances:
    """The chances of a spot; `numbers` come from an `Estimate` of it, `view` is the table of the spot."""
    own = spot.hands[0]
    return Chances(
        seat=own.seat,
        numbers=numbers,
        untold=reason,
        fair=1 / len(spot.hands),
        unseen=len(spot.unseen),
        dead=spot.dead,
        to_come=own.missing + spot.common,
        outs=() if reason == NO_ADVICE else _outs(spot),
        boards=() if reason == NO_ADVICE else board_limits(spot),
        wild=spot.wild,
        price=price_of(spot, view),
    )


def price_of(spot: Spot, view: TableView) -> Price | None:
    """What the seat has to pay to stay in, as things stand; None if it need not."""
    call = view.to_call(spot.hands[0].seat)
    return Price(call, sum([pot.chips for pot in spot.pots])) if call else None


def _outs(spot: Spot) -> tuple[Improvement, ...]:
    own, terms = spot.hands[0], spot.terms
    if not own.missing + spot.common or spot.wild:
        return ()
    seen = frozenset(DECK).difference(spot.unseen)
    high = higher_kinds(own.cards, seen) if terms.high is not None and own.declared != "low" else []
    low = named_lows(own.cards, seen, terms.low) if terms.low is not None and own.declared != "high" else []
    return tuple([one for one in (*high, *low) if one.live or one.dead])
