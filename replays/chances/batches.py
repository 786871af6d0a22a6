"""Deals and their outcomes by the thousand, with numpy; the numbers are those of `deals` and `shares`.

A hand is one 64-bit integer with a bit for each card (`server.engine.ranking.batch`). Up to three cards at a time are
drawn from a table of all such handfuls, as places in what is left of the deck; then these are turned into places in the
whole deck. So no card comes twice, and every deal is equally likely. numpy is an extra: nothing imports this module
before it is known to be there.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
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


@cache
def _handfuls(size: int) -> NDArray[np.uint8]:
    """All ways to take so many of 52 places, one a column. Those of the first n places come first, for every n."""
    ways = sorted(combinations(range(52), size), key=lambda places: places[::-1])
    return np.ascontiguousarray(np.array(ways, dtype=np.uint8).T)


class RandomDeals:
    """Random deals of a spot, a block at a time; the same spot always gives the same ones."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        self._bits = np.random.PCG64(spot.seed)  # its raw stream is promised never to change
        self._deck = np.array([lane(card) for card in spot.unseen], dtype=np.uint64)
        self._parts = [spot.common]  # how many cards; those of a part are in no order
        for hand in spot.hands:
            self._parts += [hand.hidden, hand.open]
        total = sum(self._parts)
        self._places = np.empty((total, BLOCK), dtype=np.uint8)
        self._behind = np.empty((total, BLOCK), dtype=np.bool_)

    def next(self) -> list[DealtHand]:
        """The next block: what each hand is dealt."""
        self._draw()
        drawn = (self._deck.take(places) for places in self._places)
        parts = iter([[next(drawn) for _ in range(size)] for size in self._parts])
        common = _together(next(parts))
        return [self._dealt(hand, common, parts) for hand in self._spot.hands]

    def _dealt(self, hand: SeenHand, common: Lanes, parts: Iterator[list[Lanes]]) -> DealtHand:
        hidden, shown = next(parts), next(parts)
        hole = _together(hidden)
        return DealtHand(common | hole | _together(shown), hole, hidden if hand.rolled else ())

    def _draw(self) -> None:
        """Fills `_places`: a deal a column, places in the deck, all different."""
        sizes = [min(_HANDFUL, part - done) for part in self._parts for done in range(0, part, _HANDFUL)]
        left, at = len(self._deck), 0
        for size in sizes:
            chosen = self._chosen(comb(left, size))
            for places in _handfuls(size):
                places.take(chosen, out=self._places[at], mode="clip")
                at += 1
            left -= size
        # Each handful counts only the cards that those before it have left. From the last one back, the cards of a
        # handful, the lowest first, are put in again: what lies behind them moves on by one.
        for size in reversed(sizes):
            later, behind = self._places[at:], self._behind[at:]
            for place in range(at - size, at):
                np.greater_equal(later, self._places[place], out=behind)
                later += behind.view(np.uint8)
            at -= size

    def _chosen(self, ways: int) -> NDArray[np.int64]:
        """For each deal of a block one of so many ways, by chance."""
        raw = self._bits.random_raw(BLOCK // 2).view(np.uint32).astype(np.uint64)
        raw *= np.uint64(ways)
        raw >>= np.uint64(32)
        return raw.view(np.int64)


def _together(cards: Sequence[Lanes]) -> Lanes:
    """Cards one by one as one hand."""
    hand = np.zeros(BLOCK, dtype=np.uint64)
    for card in cards:
        hand |= card
    return hand


def every_deal(spot: Spot) -> Iterator[list[DealtHand]]:
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


def _block(spot: Spot, deal: tuple[tuple[int, ...], ...], largest: int, table: Lanes, singly: Lanes) -> list[DealtHand]:
    def lanes(place: int) -> Lanes:
        return table if place == largest else np.full(len(table), reduce(or_, deal[place], 0), dtype=np.uint64)

    hands = []
    for at, hand in enumerate(spot.hands):
        place = 2 * at + 1
        columns = singly.T if place == largest else [np.full(len(table), bit, dtype=np.uint64) for bit in deal[place]]
        hole = lanes(place)
        hands.append(DealtHand(lanes(0) | hole | lanes(place + 1), hole, list(columns) if hand.rolled else ()))
    return hands


# ------------------------------------------------------------------- outcomes


def count(spot: Spot, deals: Sequence[DealtHand], average: Average) -> None:
    """Add the outcomes of a block of deals to the average."""
    terms = spot.terms
    highs = [_strengths(*row, spot, terms.high) for row in zip(spot.hands, deals, strict=True)] if terms.high else None
    seconds = None
    if terms.spade:
        seconds = [_spades(hand, dealt) for hand, dealt in zip(spot.hands, deals, strict=True)]
    elif terms.low:
        seconds = [_strengths(*row, spot, terms.low) for row in zip(spot.hands, deals, strict=True)]
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
    average.count += len(share)
    for place, values in enumerate((share, up and up.part, down and down.part, scoop)):
        if values is not None:
            average.sums[place] += float(values.sum())
            average.squares[place] += float(values @ values)


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
    spot: Spot, highs: list[NDArray[Any]], seconds: list[NDArray[Any]], deals: Sequence[DealtHand]
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """The strengths that count after the declarations: `shares._declared`."""
    lows = [hand.declared == "low" for hand in spot.hands]
    compared = spot.ranks_last or all(lows)
    nothing = np.zeros(len(highs[0]), dtype=np.int64)
    top = [nothing if low else high for low, high in zip(lows, highs, strict=True)]
    bottom = []
    for hand, second, dealt in zip(spot.hands, seconds, deals, strict=True):
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
