"""Deals and their outcomes by the thousand, with numpy; the numbers are those of `deals` and `shares`.

A hand is one 64-bit integer with a bit for each card (`server.engine.ranking.batch`). A few cards at a time are drawn
from a table of all such handfuls; where they meet cards that are taken already, other ones are drawn, so that every
deal is equally likely. numpy is an extra: nothing imports this module before it is known to be there.
"""

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any, TypeAlias

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
_ACCEPTED = 0.4
"""A handful is drawn only if so many of its kind are free on average."""
_BATCHES = {"high": high_batch, "a5": ace_to_five_batch, "8low": eight_or_better_batch, "a6": ace_to_six_batch}
_SPADE_LANE = np.uint64(48)
_TOP = np.array([ranks.bit_length() for ranks in range(8192)], dtype=np.uint16)


def lane(card: Card) -> int:
    """The bit of a card in a packed hand."""
    return 1 << 16 * (card & 3) + (card >> 2)


def _packed(row: Any) -> np.uint64:
    return np.uint64(reduce(or_, map(lane, row), 0))


class _Dealt:
    """The missing cards of one hand in a block of deals: hidden and open ones, and the hidden ones singly if needed."""

    __slots__ = ("face_up", "hidden", "single")

    def __init__(self, hidden: Lanes, face_up: Lanes, single: list[Lanes]) -> None:
        self.hidden, self.face_up, self.single = hidden, face_up, single


Deals: TypeAlias = tuple[Lanes, list[_Dealt]]
"""The cards in the middle, and what each hand is dealt."""


class RandomDeals:
    """Random deals of a spot, a block at a time; the same spot always gives the same ones."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        self._bits = np.random.PCG64(spot.seed)  # its raw stream is promised never to change
        deck = [lane(card) for card in spot.unseen]
        self._tables = [
            np.array([reduce(or_, handful) for handful in combinations(deck, size)], dtype=np.uint64)
            for size in range(1, _HANDFUL + 1)
        ]

    def next(self) -> Deals:
        """The next block."""
        taken = np.zeros(BLOCK, dtype=np.uint64)
        self._free = len(self._spot.unseen)
        common, taken = self._draw(taken, self._spot.common)
        dealt = []
        for hand in self._spot.hands:
            single: list[Lanes] = []
            if hand.rolled:
                hidden = np.zeros(BLOCK, dtype=np.uint64)
                for _ in range(hand.hidden):
                    one, taken = self._draw(taken, 1)
                    single.append(one)
            else:
                hidden, taken = self._draw(taken, hand.hidden)
            face_up, taken = self._draw(taken, hand.open)
            dealt.append(_Dealt(hidden, face_up, single))
        return common, dealt

    def _draw(self, taken: Lanes, count: int) -> tuple[Lanes, Lanes]:
        """(`count` cards that are not taken, the cards that are taken then)"""
        drawn = np.zeros(BLOCK, dtype=np.uint64)
        while count:
            size = min(count, _HANDFUL)
            while size > 1 and comb(self._free, size) < _ACCEPTED * len(self._tables[size - 1]):
                size -= 1
            handful = self._handful(taken, self._tables[size - 1])
            drawn |= handful
            taken = taken | handful
            self._free -= size
            count -= size
        return drawn, taken

    def _handful(self, taken: Lanes, table: Lanes) -> Lanes:
        drawn = table.take(self._places(len(taken), len(table)))
        wrong = np.flatnonzero(drawn & taken)
        while len(wrong):
            again = table.take(self._places(len(wrong), len(table)))
            drawn[wrong] = again
            wrong = wrong[(again & taken[wrong]) != 0]
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

    dealt = []
    for at, hand in enumerate(spot.hands):
        place = 2 * at + 1
        single: list[Lanes] = []
        if hand.rolled:
            columns = (
                singly.T if place == largest else [np.full(len(table), bit, dtype=np.uint64) for bit in deal[place]]
            )
            single = list(columns)
        dealt.append(_Dealt(lanes(place), lanes(place + 1), single))
    return lanes(0), dealt


# ------------------------------------------------------------------- outcomes


def count(spot: Spot, deals: Deals, average: Average) -> None:
    """Add the outcomes of a block of deals to the average."""
    common, dealt = deals
    known = [_packed(hand.cards) for hand in spot.hands]
    terms = spot.terms
    highs = seconds = None
    if terms.high is not None:
        highs = [_strengths(*row, common, terms.high) for row in zip(spot.hands, known, dealt, strict=True)]
    if terms.spade:
        seconds = [_spades(hand, one) for hand, one in zip(spot.hands, dealt, strict=True)]
    elif terms.low is not None:
        seconds = [_strengths(*row, common, terms.low) for row in zip(spot.hands, known, dealt, strict=True)]
    if spot.declared and highs is not None and seconds is not None:
        highs, seconds = _declared(spot, highs, seconds, known, deals)
    rows = len(common)
    up, top = _won(highs, None, rows)
    down, bottom = _won(seconds, None, rows)
    if len(spot.pots) == 1:
        share = _divided(up, top, down, bottom)
        scoop = share == 1
    else:
        share, scoop = np.zeros(rows), np.ones(rows, dtype=bool)
        total = sum([pot.chips for pot in spot.pots])
        for pot in spot.pots:
            part = _divided(*_won(highs, pot.places, rows), *_won(seconds, pot.places, rows))
            share = share + part * (pot.chips / total)
            scoop = scoop & (part == 1)
    average.count += rows
    for place, values in enumerate((share, up, down, scoop)):
        row = values.astype(np.float64)
        average.sums[place] += float(row.sum())
        average.squares[place] += float((row * row).sum())


def _strengths(hand: SeenHand, known: np.uint64, dealt: _Dealt, common: Lanes, ranking: Ranking) -> NDArray[Any]:
    return reduce(np.maximum, [_BATCHES[ranking.key](full, size) for full, size in _fives(hand, known, dealt, common)])


def _fives(hand: SeenHand, known: np.uint64, dealt: _Dealt, common: Lanes) -> Iterator[tuple[Lanes, int]]:
    """The hands from which the strength is taken, and their size: `deals.possible_hands`."""
    if not hand.rolled:
        full = common | dealt.hidden | dealt.face_up
        full |= known
        yield full, int(known).bit_count() + int(full[0] ^ known).bit_count() if len(full) else 7
        return
    rolled = np.full(len(common), _packed(hand.rolled), np.uint64)
    rest: list[Lanes] = [np.full(len(common), lane(card), np.uint64) for card in hand.cards if card not in hand.rolled]
    for others in combinations([*rest, *dealt.single], KEPT - len(hand.rolled)):
        yield reduce(or_, others, rolled), KEPT


def _spades(hand: SeenHand, dealt: _Dealt) -> NDArray[Any]:
    """The highest spade in the hole, 0 for none."""
    hole = dealt.hidden | _packed(hand.hole)
    highest: NDArray[Any] = _TOP.take((hole >> _SPADE_LANE).view(np.int64))
    return highest


def _won(
    strengths: list[NDArray[Any]] | None, places: tuple[int, ...] | None, rows: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """(the part of a half that the first hand wins, whether anybody has a hand for it)"""
    if strengths is None:
        return np.zeros(rows), np.zeros(rows, dtype=bool)
    some = strengths if places is None else [strengths[place] for place in places]
    own = some[0]
    if len(some) == 2:
        other = some[1]
        part = (own > other) + 0.5 * (own == other)
        part *= own > 0
        return part, (own | other) > 0
    best = reduce(np.maximum, some)
    ties = sum([(one == best).astype(np.uint8) for one in some[1:]], (own == best).astype(np.uint8))
    return np.where((own == best) & (own > 0), 1 / ties, 0.0), best > 0


def _divided(up: NDArray[Any], top: NDArray[Any], down: NDArray[Any], bottom: NDArray[Any]) -> NDArray[Any]:
    both = up + down
    share: NDArray[Any] = np.where(top & bottom, both / 2, both)
    return share


def _declared(
    spot: Spot, highs: list[NDArray[Any]], seconds: list[NDArray[Any]], known: list[np.uint64], deals: Deals
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """The strengths that count after the declarations: `shares._declared`."""
    lows = [hand.declared == "low" for hand in spot.hands]
    compared = spot.ranks_last or all(lows)
    common, dealt = deals
    nothing = np.zeros(len(common), dtype=np.int64)
    top = [nothing if low else high for low, high in zip(lows, highs, strict=True)]
    bottom = []
    for place, low in enumerate(lows):
        strength = np.where(seconds[place] > 0, seconds[place].astype(np.int64) + VALID, 0) if low else nothing
        if low and compared:
            without = np.flatnonzero(strength == 0)
            if len(without):
                hands = [full[without] for full, _ in _fives(spot.hands[place], known[place], dealt[place], common)]
                strength[without] = reduce(np.maximum, map(_fallbacks, hands))
        bottom.append(strength)
    return top, bottom


def _fallbacks(hands: Lanes) -> NDArray[np.int64]:
    different, places = np.unique(hands, return_inverse=True)
    cards = [[card for card in range(52) if int(hand) & lane(card)] for hand in different]
    worth = np.array([ace_to_six_fallback(row) for row in cards], dtype=np.int64)
    return worth[places]
