"""Chips by counting every holding: a small, slow judge of decisions after which there is no betting.

It knows the rankings of the engine and nothing of the program's own judges. Every unseen card counts as equally likely
in a hidden hand; `Worth.least` and `Worth.most` hold whatever the others may have.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from protocol.cards import DECK, Card, MaybeCard
from protocol.events import ActionRequested, Seat
from server.engine.games.catalogue import GAMES
from server.engine.ranking.strength import ace_to_six, high
from tests.support.spots import Moment

Strength = Callable[[Sequence[Card]], int]
LAST = 7
"""Cards of a whole hand."""
KEPT = 5


@dataclass(frozen=True, slots=True)
class Worth:
    """Chips from here to the end of the hand: with the best holding of the other, on average, with the worst."""

    least: float
    average: float
    most: float


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many of another player's possible hands are worse than one's own, as good, and better."""

    worse: int
    equal: int
    better: int

    @property
    def all(self) -> int:
        """All possible hands."""
        return self.worse + self.equal + self.better

    @property
    def won(self) -> float:
        """The share of them that one beats; half of those that are equal."""
        return (self.worse + self.equal / 2) / self.all


def unseen(moment: Moment) -> list[Card]:
    """The cards that the seat has not seen."""
    seen = set(held(moment))
    for one in moment.view.seats:
        seen |= {*one.up, *one.before}
    for event in moment.events:
        if isinstance(event, ActionRequested) and event.decision == "arrange":  # two of the cards were put aside
            seen |= {card for option in event.options for card in option.cards if card is not None}
    return [card for card in DECK if card not in seen]


def held(moment: Moment) -> tuple[Card, ...]:
    """The seat's own cards."""
    own = moment.view.seat(moment.seat)
    return _known((*own.up, *own.down))


def _known(row: Iterable[MaybeCard]) -> tuple[Card, ...]:
    return tuple([card for card in row if card is not None])


def against(moment: Moment, other: Seat, strength: Strength) -> Holdings:
    """One's whole hand against every hand that the other may have at the end, in one ranking."""
    return count(strength(held(moment)), map(strength, whole_hands(moment, other)))


def count(own: int, others: Iterable[int]) -> Holdings:
    """One strength against many."""
    rows = list(others)
    worse = sum(one < own for one in rows)
    equal = sum(one == own for one in rows)
    return Holdings(worse, equal, len(rows) - worse - equal)


def whole_hands(moment: Moment, other: Seat) -> Iterator[tuple[Card, ...]]:
    """Every hand of seven cards that the other may have at the end."""
    up = moment.view.seat(other).up
    for hidden in combinations(unseen(moment), LAST - len(up)):
        yield (*up, *hidden)


def rolled_hands(moment: Moment, other: Seat) -> Iterator[tuple[Card, ...]]:
    """Every hand of five that the other may have kept, with the cards that are rolled already."""
    one = moment.view.seat(other)
    for hidden in combinations([*set(one.before) - set(one.up), *unseen(moment)], KEPT - len(one.up)):
        yield (*one.up, *hidden)


def best_kept(moment: Moment, other: Seat, strength: Strength) -> Iterator[int]:
    """How strong the other is if they kept the best five of their seven cards that have the rolled ones among them.

    One strength for every seven cards that they may have had.
    """
    one = moment.view.seat(other)
    rolled = set(one.up)
    free = set(one.before) - rolled
    for hidden in combinations(unseen(moment), LAST - len(rolled | free)):
        rest = (*free, *hidden)
        yield max(strength((*one.up, *more)) for more in combinations(rest, KEPT - len(rolled)))


def call_ends_betting(moment: Moment) -> Worth:
    """What a call is worth against one opponent if nobody can bet any more. Folding is worth 0.

    All cards of the seat but one may be known; the last one is then counted, too.
    """
    (other,) = [one for one in moment.view.in_hand() if one.seat != moment.seat]
    showdown = GAMES[moment.view.game].showdown
    highs = showdown.high.strength if showdown.high is not None else _none
    lows = showdown.low.strength if showdown.low is not None else _none
    theirs: Counter[tuple[int, int]] = Counter()
    with_card: defaultdict[Card, Counter[tuple[int, int]]] = defaultdict(Counter)
    cards = unseen(moment)
    for hidden in combinations(cards, LAST - len(other.up)):
        hand = (*other.up, *hidden)
        strengths = highs(hand), lows(hand)
        theirs[strengths] += 1
        for card in hidden:
            with_card[card][strengths] += 1
    own = held(moment)
    shares: Counter[float] = Counter()
    for last in cards if len(own) < LAST else (None,):
        mine = own if last is None else (*own, last)
        high_of_mine, low_of_mine = highs(mine), lows(mine)
        for (up, down), often in (theirs if last is None else theirs - with_card[last]).items():
            shares[share(high_of_mine, low_of_mine, up, down)] += often
    call = moment.request.call
    pot = moment.view.pot() + call
    average = sum(one * often for one, often in shares.items()) / shares.total()
    return Worth(*[pot * one - call for one in (min(shares), average, max(shares))])


def _none(_cards: Sequence[Card]) -> int:
    return 0


def share(high: int, low: int, other_high: int, other_low: int) -> float:
    """The part of the pot that goes to the first of two hands; a strength of 0 is no hand."""
    parts = [_part(mine, theirs) for mine, theirs in ((high, other_high), (low, other_low)) if mine or theirs]
    return sum(parts) / len(parts)


def _part(mine: int, theirs: int) -> float:
    return 0.5 if mine == theirs else float(mine > theirs)


def declared_share(own: Sequence[Card], direction: str, other: Sequence[Card], other_direction: str) -> float:
    """The part of the pot for five cards and a declaration against another five (`rules.md` 7.3, 7.4)."""
    mine = (high(own), 0) if direction == "high" else (0, ace_to_six(own))
    theirs = (high(other), 0) if other_direction == "high" else (0, ace_to_six(other))
    return share(*mine, *theirs)
