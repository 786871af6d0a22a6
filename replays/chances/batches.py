"""Deals and their outcomes by the thousand, with numpy; the numbers are those of `deals` and `shares`.

A hand is one 64-bit integer with a bit for each card (`server.engine.ranking.batch`). A few cards at a time are drawn
from a table of all such handfuls; where they meet cards that are taken already, other ones are drawn, so that every
deal is equally likely. numpy is an extra: nothing imports this module before it is known to be there.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from protocol.cards import Card
from replays.chances.deals import KEPT
from replays.chances.shares import VALID, Average
from replays.chances.spot import SeenHand, Spot
from server.engine.ranking.batch import ace_to_five_batch, ace_to_six_batch, eight_or_better_batch, high_batch
from server.engine.ranking.rankings import Ranking
from server.engine.ranking.strength import ace_to_six_fallback

Lanes: TypeAlias = NDArray[np.uint64]
BLOCK = 8192
"""Deals at a time."""
_HANDFUL = 3
"""The most cards that are drawn at a time; a deck has some 15,000 handfuls of three."""
_GIVEN_UP = BLOCK // 50
"""Deals of a block that are left out, for want of free cards, rather than tried again."""
_NONE = np.empty(0, np.int64)
_BATCHES = {"high": high_batch, "a5": ace_to_five_batch, "8low": eight_or_better_batch, "a6": ace_to_six_batch}
_SPADE_LANE = np.uint64(48)
_TOP = np.array([ranks.bit_length() for ranks in range(8192)], dtype=np.uint16)


def lane(card: Card) -> int:
    """The bit of a card in a packed hand."""
    return 1 << 16 * (card & 3) + (card >> 2)


def _packed(row: Any) -> np.uint64:
    return np.uint64(reduce(or_, map(lane, row), 0))


class DealtHand(NamedTuple):
    """What one hand is dealt in a block of deals.

    Fields:
        cards: all missing cards, those in the middle included; hole: the ones in the hole, where a game pays a spade.
        singly: of a hand that was kept its missing cards one by one, for only some of them play.
    """

    cards: Lanes
    hole: Lanes
    singly: Sequence[Lanes] = ()


class Deals(NamedTuple):
    """A block of deals.

    Fields:
        hands: what each hand is dealt.
        failed: places of deals in which a card came twice; they do not count.
    """

    hands: list[DealtHand]
    failed: NDArray[np.int64]


@lru_cache(maxsize=64)
def _handfuls(cards: int, size: int) -> NDArray[np.uint8]:
    """All ways to take so many of so many cards, one a row."""
    return np.array(list(combinations(range(cards), size)), dtype=np.uint8)


class RandomDeals:
    """Random deals of a spot, a block at a time; the same spot always gives the same ones."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        self._bits = np.random.PCG64(spot.seed)  # its raw stream is promised never to change
        deck = np.array([lane(card) for card in spot.unseen], dtype=np.uint64)
        sizes = range(1, min(_HANDFUL, len(deck)) + 1)
        self._tables: list[Lanes] = [np.bitwise_or.reduce(deck[_handfuls(len(deck), size)], axis=1) for size in sizes]
        self._free = 0
        self._taken = np.zeros(BLOCK, dtype=np.uint64)
        self._failed: list[NDArray[np.int64]] = []

    def next(self) -> Deals:
        """The next block."""
        self._taken = np.zeros(BLOCK, dtype=np.uint64)
        self._failed = []
        self._free = len(self._spot.unseen)
        common = self._draw(self._spot.common)
        hands = [self._dealt(hand, common) for hand in self._spot.hands]
        return Deals(hands, np.unique(np.concatenate([_NONE, *self._failed])))

    def _dealt(self, hand: SeenHand, common: Lanes) -> DealtHand:
        if hand.rolled:
            return DealtHand(common, common, [self._draw(1) for _ in range(hand.hidden)])
        if self._spot.terms.spade:
            hole = self._draw(hand.hidden)
            return DealtHand(common | hole | self._draw(hand.open), hole)
        drawn = self._draw(hand.missing)
        return DealtHand(common | drawn if self._spot.common else drawn, drawn)

    def _draw(self, count: int) -> Lanes:
        """`count` cards that are not taken; they are taken from then on."""
        drawn = np.zeros(BLOCK, dtype=np.uint64)
        while count:
            sizes = range(1, min(count, len(self._tables)) + 1)
            size = max(sizes, key=lambda size: size * comb(self._free, size) / len(self._tables[size - 1]))
            handful = self._handful(self._tables[size - 1])
            self._taken |= handful
            drawn |= handful
            self._free -= size
            count -= size
        return drawn

    def _handful(self, table: Lanes) -> Lanes:
        # All deals have as many free cards, so none is more likely to fail: those that are left are as good a sample.
        drawn = table.take(self._places(BLOCK, len(table)))
        wrong = np.flatnonzero(drawn & self._taken)
        while len(wrong) > _GIVEN_UP:
            again = table.take(self._places(len(wrong), len(table)))
            drawn[wrong] = again
            again &= self._taken.take(wrong)
            wrong = wrong.take(np.flatnonzero(again))
        if len(wrong):
            self._failed.append(wrong)
        return drawn

    def _places(self, count: int, size: int) -> NDArray[np.int64]:
        """Random places in a table of that size."""
        raw = self._bits.random_raw((count + 1) // 2).view(np.uint32)[:count].astype(np.uint64)
        raw *= np.uint64(size)
        raw >>= np.uint64(32)
        return raw.view(np.int64)


def every_deal(spot: Spot) -> Iterator[Deals]:
    """Every deal of a spot, in blocks: for each deal of the other parts all of the largest part."""
    deck = [lane(card) for card in spot.unseen]
    sizes = [spot.common, *[part for hand in spot.hands for part in (hand.hidden, hand.open)]]
    largest = max(range(len(sizes)), key=sizes.__getitem__)
    handfuls = list(combinations(deck, sizes[largest]))
    table = np.array([reduce(or_, handful, 0) for handful in handfuls], dtype=np.uint64)
    singly = np.array(handfuls, dtype=np.uint64).reshape(len(handfuls), sizes[largest])

    def parts(place: int, taken: int) -> Iterator[tuple[tuple[int, ...], ...]]:
        if place == len(sizes):
            yield ()
        elif place == largest:
            for others in parts(place + 1, taken):
                yield ((), *others)
        else:
            for part in combinations([bit for bit in deck if not bit & taken], sizes[place]):
                for others in parts(place + 1, reduce(or_, part, taken)):
                    yield (part, *others)

    for deal in parts(0, 0):
        taken = reduce(or_, [bit for part in deal for bit in part], 0)
        free = (table & np.uint64(taken)) == 0
        yield _block(spot, deal, largest, table[free], singly[free])


def _block(spot: Spot, deal: tuple[tuple[int, ...], ...], largest: int, table: Lanes, singly: Lanes) -> Deals:
    def lanes(place: int) -> Lanes:
        return table if place == largest else np.full(len(table), reduce(or_, deal[place], 0), dtype=np.uint64)

    hands = []
    for at, hand in enumerate(spot.hands):
        place = 2 * at + 1
        columns = singly.T if place == largest else [np.full(len(table), bit, dtype=np.uint64) for bit in deal[place]]
        hole = lanes(place)
        hands.append(DealtHand(lanes(0) | hole | lanes(place + 1), hole, list(columns) if hand.rolled else ()))
    return Deals(hands, _NONE)


# ------------------------------------------------------------------- outcomes


def count(spot: Spot, deals: Deals, average: Average) -> None:
    """Add the outcomes of a block of deals to the average."""
    terms = spot.terms
    highs = (
        [_strengths(*row, spot, terms.high) for row in zip(spot.hands, deals.hands, strict=True)]
        if terms.high
        else None
    )
    seconds = None
    if terms.spade:
        seconds = [_spades(hand, dealt) for hand, dealt in zip(spot.hands, deals.hands, strict=True)]
    elif terms.low:
        seconds = [_strengths(*row, spot, terms.low) for row in zip(spot.hands, deals.hands, strict=True)]
    if spot.declared and highs is not None and seconds is not None:
        highs, seconds = _declared(spot, highs, seconds, deals)
    up, down = _won(highs), _won(seconds)
    share = _divided(up, down)
    scoop = (share == 1).astype(np.float64)
    if len(spot.pots) > 1:
        parts = [_divided(_won(highs, pot.places), _won(seconds, pot.places)) for pot in spot.pots]
        total = sum([pot.chips for pot in spot.pots])
        share = sum([part * (pot.chips / total) for part, pot in zip(parts, spot.pots, strict=True)], np.zeros(1))
        scoop = np.logical_and.reduce([part == 1 for part in parts]).astype(np.float64)
    average.count += len(share) - len(deals.failed)
    for place, values in enumerate((share, up and up.part, down and down.part, scoop)):
        if values is not None:
            left_out = values.take(deals.failed)
            average.sums[place] += float(values.sum() - left_out.sum())
            average.squares[place] += float(values @ values - left_out @ left_out)


def _strengths(hand: SeenHand, dealt: DealtHand, spot: Spot, ranking: Ranking) -> NDArray[Any]:
    size = KEPT if hand.rolled else len(hand.cards) + hand.missing + spot.common
    rank = _BATCHES[ranking.key]
    first, *others = [rank(five, size) for five in _fives(hand, dealt)]
    return reduce(np.maximum, others, first)


def _fives(hand: SeenHand, dealt: DealtHand) -> Iterator[Lanes]:
    """The hands from which the strength is taken: `deals.possible_hands`."""
    if not hand.rolled:
        yield dealt.cards | _packed(hand.cards)
        return
    rest = [np.full(len(dealt.cards), lane(card), np.uint64) for card in hand.cards if card not in hand.rolled]
    for others in combinations([*rest, *dealt.singly], KEPT - len(hand.rolled)):
        yield reduce(or_, others) | _packed(hand.rolled)


def _spades(hand: SeenHand, dealt: DealtHand) -> NDArray[Any]:
    """The highest spade in the hole, 0 for none."""
    hole = dealt.hole | _packed(hand.hole)
    highest: NDArray[Any] = _TOP.take((hole >> _SPADE_LANE).view(np.int64))
    return highest


class _Half(NamedTuple):
    """One half of a pot: the part of it that the first hand wins, and whether anybody has a hand for it."""

    part: NDArray[np.float64]
    wanted: NDArray[np.bool_]


def _won(strengths: list[NDArray[Any]] | None, places: tuple[int, ...] | None = None) -> _Half | None:
    """The half that these strengths decide, among the hands at these places; None if there is no such half."""
    if strengths is None:
        return None
    own, *others = strengths if places is None else [strengths[place] for place in places]
    if not others:
        return _Half((own > 0).astype(np.float64), own > 0)
    best: NDArray[Any] = reduce(np.maximum, others)
    part = (own > best).astype(np.float64)
    tied = np.flatnonzero((own == best) & (own > 0))
    if len(tied):
        ties = sum([(other.take(tied) == own.take(tied)).astype(np.int64) for other in others], np.ones(1, np.int64))
        part[tied] = 1 / ties
    return _Half(part, (own | best) > 0)


def _divided(up: _Half | None, down: _Half | None) -> NDArray[np.float64]:
    """The share of a pot: half of each, or all of the one for which anybody has a hand."""
    if up is None or down is None:
        half = up or down
        assert half is not None, "every game pays something"
        return half.part
    both = up.part + down.part
    both[up.wanted & down.wanted] *= 0.5
    return both


def _declared(
    spot: Spot, highs: list[NDArray[Any]], seconds: list[NDArray[Any]], deals: Deals
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """The strengths that count after the declarations: `shares._declared`."""
    lows = [hand.declared == "low" for hand in spot.hands]
    compared = spot.ranks_last or all(lows)
    nothing = np.zeros(len(highs[0]), dtype=np.int64)
    top = [nothing if low else high for low, high in zip(lows, highs, strict=True)]
    bottom = []
    for hand, second, dealt in zip(spot.hands, seconds, deals.hands, strict=True):
        low = hand.declared == "low"
        strength = np.where(second > 0, second.astype(np.int64) + VALID, 0) if low else nothing
        without = np.flatnonzero(strength == 0)
        if low and compared and len(without):
            fives = [five[without] for five in _fives(hand, dealt)]
            strength[without] = reduce(np.maximum, map(_fallbacks, fives))
        bottom.append(strength)
    return top, bottom


def _fallbacks(hands: Lanes) -> NDArray[np.int64]:
    different, places = np.unique(hands, return_inverse=True)
    cards = [[card for card in range(52) if int(hand) & lane(card)] for hand in different]
    worth = np.array([ace_to_six_fallback(row) for row in cards], dtype=np.int64)
    return worth[places]
