"""How strong a hand is at its street of its game: a merit from 0 to 1, and a bucket from 0 to 9.

*Value.* A hand alone is worth how often it would beat a random one in the end (`value_tables`), for high and for low.
Draws are in it, for it is an average over the cards to come.

*Merit.* Others show cards, and next to a pair of kings a pair of nines is worth less. Their boards have values, too:
the same averages, of fewer cards. A hand of value v beats one of value b in v(1-b) of v(1-b) + b(1-v) cases (the odds
of both, divided), and the board that is most dangerous in each direction counts. The merit is that chance, put together
for what the game pays: halves of high and low (with the chance that there is no low for eight or better), the better
direction where players declare one, the spade in the hole.

*Bucket.* Merits lie near each other on third street and far apart on seventh. So the bucket says where the merit stands
among those of random hands of the same street, in the percentiles `PERCENTILES`: 9 are the best three in a hundred.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import comb
from typing import Literal, NamedTuple, TypeAlias

from protocol.cards import DECK, Card
from replays.chances.deals import high_of, shuffled
from replays.chances.terms import GameTerms
from replays.hand_reading.value_tables import HANDFUL_KEYS, MOST, ValueTables, value_tables
from server.engine.ranking.card_order import low_rank
from server.engine.ranking.lookup_tables import HIGH_CLASSES
from server.engine.ranking.rankings import ACE_TO_FIVE, EIGHT_OR_BETTER

PERCENTILES = (10, 25, 40, 55, 68, 78, 86, 92, 97)
"""Where one bucket ends and the next begins."""
BUCKETS = len(PERCENTILES) + 1
SAMPLE = 384
"""Random hands of a street from which the percentiles are taken."""
FULL = 7
"""Cards from which on no more are to come, as far as the values go."""

Way: TypeAlias = Literal["", "high", "low"]

_AVERAGE = MOST // 2
FLUSH_VALUE = 249
"""What a flush is worth on average, out of `MOST`."""
TWO_WAY = 0.3
"""What the worse direction adds as long as a player may still choose between both."""
_SCOOP = 0.7
"""Weight of the average of two halves; the rest is that of the better half, for a good half is always something."""
_NO_SPADE = 25
_SPADES = 3
_SPADE_HOLDERS = 3
"""Cards in the hole of one opponent."""
SUIT_BITS = 12
CARD_KEYS = [(HANDFUL_KEYS[card >> 2] << SUIT_BITS) + (1 << 3 * (card & 3)) for card in DECK]
LOW_BITS = [1 << low_rank(card) for card in DECK]
SUITED = bytes([max(sums & 7, sums >> 3 & 7, sums >> 6 & 7, sums >> 9) for sums in range(1 << SUIT_BITS)])
"""By the sum of the suits: the most cards of one suit."""


def _flush_chance(cards: int, suited: int) -> float:
    """The chance that so many cards with so many of a suit get a flush in it with seven cards."""
    more, left, good = FULL - cards, 52 - cards, 13 - suited
    ways = sum([comb(good, hits) * comb(left - good, more - hits) for hits in range(max(0, 5 - suited), more + 1)])
    return ways / comb(left, more)


FLUSH_CHANCES = [[_flush_chance(cards, suited) for suited in range(cards + 1)] for cards in range(FULL + 1)]


class Danger(NamedTuple):
    """What the boards of the others mean for a hand.

    Fields:
        high, low: by the value of a hand (0 to `MOST`), its chance against the most dangerous board of that direction.
        low_comes: the chance that this board gets a low at all.
        spades: the ranks of the spades that lie face up, as bits.
    """

    high: tuple[float, ...]
    low: tuple[float, ...]
    low_comes: float = 1.0
    spades: int = 0


class BoardWorth(NamedTuple):
    """What one board is worth.

    Fields:
        high, low: its values, 0 to `MOST`.
        low_quality: the value of its low if it gets one; low_comes: the chance that it does.
        spades: the ranks of its spades as bits, where a spade in the hole counts.
    """

    high: int
    low: int
    low_quality: int
    low_comes: float
    spades: int


@lru_cache(maxsize=256)
def _chances_against(value: int) -> tuple[float, ...]:
    other = min(max(value, 1), MOST - 1)
    rows = [min(max(own, 1), MOST - 1) for own in range(MOST + 1)]
    return tuple([own * (MOST - other) / (own * (MOST - other) + other * (MOST - own)) for own in rows])


class HandWorth(NamedTuple):
    """What the cards of one hand are worth alone.

    Fields:
        high, low: its values, 0 to `MOST`, or 0 where the game does not pay that direction.
        low_comes: the chance that it makes a low.
    """

    high: int
    low: int
    low_comes: float


Grade: TypeAlias = Callable[[Sequence[Card], Sequence[Card]], float]
"""The merit of (all cards, those of them in the hole)."""


class Judge:
    """Judges hands of one game. Use `judge_of`, which keeps its judges.

    Args:
        terms: what the game pays; wilds: the ranks that are wild.

    Attributes:
        strength: of five or more cards as a high hand, or as a low where high wins nothing; larger is better.
        low_sets: by the number of cards, the values of the sets of low ranks.
    """

    def __init__(self, terms: GameTerms, wilds: tuple[int, ...] = ()) -> None:
        self.terms = terms
        self.wilds = wilds
        self._tables: ValueTables = value_tables()
        self.strength = high_of(terms.high, wilds) or (terms.low or ACE_TO_FIVE).strength
        low = terms.low
        self._eight = low is EIGHT_OR_BETTER
        five = low is None or low is ACE_TO_FIVE
        self.low_sets = self._tables.five_sets if five else self._tables.six_sets
        self._lows = self._tables.five if five else self._tables.six
        self._cuts: dict[tuple[int, int, bool], list[float]] = {}

    # ------------------------------------------------------------------ values

    def high_value(self, cards: Sequence[Card], *, final: bool = False) -> int:
        """How often the cards beat a random high hand in the end, 0 to `MOST`. `final`: no more cards will come."""
        size = len(cards)
        if final and size >= 5:
            return self._tables.high[min(self.strength(cards), HIGH_CLASSES)]
        if not cards:
            return _AVERAGE
        key = sum([CARD_KEYS[card] for card in (self._tamed(cards) if self.wilds else cards)])
        if size > 6:
            return self.high_value(cards, final=True)
        value = self._tables.handfuls[size].get(key >> SUIT_BITS, MOST)
        suited = SUITED[key & 4095]
        if suited >= 3 and value < FLUSH_VALUE:
            if suited > 4:
                return max(value, self.high_value(cards, final=True))
            return int(value + FLUSH_CHANCES[size][suited] * (FLUSH_VALUE - value))
        return value

    def _tamed(self, cards: Sequence[Card]) -> list[Card]:
        """The cards with every wild one as a copy of the best of the others, at most four of a rank."""
        plain = [card for card in cards if card >> 2 not in self.wilds]
        counts = [0] * 13
        for card in plain:
            counts[card >> 2] += 1
        suit = max(range(4), key=[card & 3 for card in plain].count)
        for _ in range(len(cards) - len(plain)):
            rank = max(range(13), key=lambda rank: (counts[rank] % 4, rank))
            if counts[rank] > 3:
                rank = max(rank for rank in range(13) if counts[rank] < 4)
            counts[rank] += 1
            plain.append(4 * rank + suit)
        return plain

    def low_value(self, cards: Sequence[Card], *, final: bool = False) -> int:
        """The same for the low of the game; for eight or better the chance to win the low half."""
        held = 0
        for card in cards:
            held |= LOW_BITS[card]
        size = len(cards)
        if self._eight:
            return self._tables.eight_wins[FULL if final or size > FULL else size][held & 255] if size else 0
        if (final or size >= FULL) and size >= 5:
            low = self.terms.low or ACE_TO_FIVE
            return self._lows[low.strength(cards)]
        return self.low_sets[size][held] if size else _AVERAGE

    def low_chance(self, cards: Sequence[Card], *, final: bool = False) -> float:
        """The chance that the cards make a low; 1 where every hand is one."""
        if not self._eight:
            return 1.0
        held = 0
        for card in cards:
            held |= LOW_BITS[card]
        size = len(cards)
        return self._tables.eight_lows[FULL if final or size > FULL else size][held & 255] / MOST if size else 0.5

    def _spade_value(self, hole: Sequence[Card], danger: Danger, *, final: bool) -> float:
        """The chance that nobody has a higher spade in the hole than the best of these, for one opponent."""
        best = max([card >> 2 for card in hole if card & 3 == _SPADES], default=-1)
        if best < 0:
            return 0.0 if final else _NO_SPADE / MOST
        higher = (8191 & ~danger.spades) >> best + 1
        return float((1 - higher.bit_count() / 45) ** _SPADE_HOLDERS)

    # ------------------------------------------------------------------- merit

    def danger(self, boards: Iterable[Sequence[Card]]) -> Danger:
        """What these boards of others mean, each with the cards in the middle."""
        return self.facing([self.board_worth(board) for board in boards])

    def board_worth(self, board: Sequence[Card]) -> BoardWorth:
        """What one board is worth."""
        terms = self.terms
        high = self.high_value(board) if terms.high is not None else 0
        spades = 0
        if terms.spade:
            for card in board:
                spades |= (card & 3 == _SPADES) << (card >> 2)
        if terms.low is None:
            return BoardWorth(high, 0, 0, 0.0, spades)
        low = self.low_value(board)
        if not self._eight:
            return BoardWorth(high, low, low, 1.0, spades)
        comes = self.low_chance(board)
        return BoardWorth(high, low, quality(low, comes) if board else _AVERAGE, comes, spades)

    def facing(self, boards: Sequence[BoardWorth]) -> Danger:
        """What boards that are worth so much mean."""
        high = low = spades = 0
        good, comes = (_AVERAGE, 0.0) if self._eight else (0, 1.0)
        for board in boards:
            if board.high > high:
                high = board.high
            if board.low > low or not low:
                low, good, comes = board.low, board.low_quality, board.low_comes
            spades |= board.spades
        if self.terms.low is None:
            return Danger(_chances_against(high), (), 0.0, spades)
        return Danger(_chances_against(high), _chances_against(good), comes)

    def worth(self, cards: Sequence[Card], *, final: bool) -> HandWorth:
        """What the cards are worth alone, as far as the game pays it."""
        terms = self.terms
        high = self.high_value(cards, final=final) if terms.high is not None else 0
        if terms.low is None:
            return HandWorth(high, 0, 0.0)
        return HandWorth(high, self.low_value(cards, final=final), self.low_chance(cards, final=final))

    def merit(
        self,
        worth: HandWorth,
        hole: Sequence[Card],
        danger: Danger,
        *,
        final: bool,
        kept: bool = False,
        way: Way = "",
    ) -> float:
        """The merit of a hand that faces this danger.

        Args:
            worth: of all its cards; hole: those in the hole.
            final: whether no more cards will come; kept: whether the hand is the five cards that were kept.
            way: the direction that was declared.
        """
        terms = self.terms
        high = danger.high[worth.high]
        if way == "high" or (terms.low is None and not terms.spade):
            return high
        if terms.spade:
            return halves(high, self._spade_value(hole, danger, final=final))
        comes, other = worth.low_comes, danger.low_comes
        if self._eight:  # the chance to have the best low, with one's own low as likely as it is
            below = comes * (1 - other + other * danger.low[quality(worth.low, comes)])
        else:
            below = danger.low[worth.low]
        if way == "low" or terms.high is None:
            return below
        if terms.declares:
            return better(high, below, kept=kept)
        if self._eight:
            high_half = 1 - (comes + other - comes * other) / 2  # without a low the high hand takes all
            return high * high_half + below / 2
        return halves(high, below)

    def grade(self, danger: Danger, *, final: bool, kept: bool = False, way: Way = "") -> Grade:
        """What gives the merit of hands that face this danger; the arguments are those of `merit`."""
        return lambda cards, hole: self.merit(
            self.worth(cards, final=final), hole, danger, final=final, kept=kept, way=way
        )

    # ------------------------------------------------------------------ buckets

    def cuts(self, size: int, up: int, *, kept: bool = False) -> list[float]:
        """The merits at which the buckets of a street end.

        Args:
            size: cards of a hand, those in the middle included; up: how many of the cards of the others are seen.
            kept: whether the hand is the five cards that were kept of more.
        """
        key = (size, up, kept)
        found = self._cuts.get(key)
        if found is None:
            found = self._cuts[key] = _cuts(self, size, up, kept)
        return found

    def bucket(
        self,
        down: Sequence[Card],
        up: Sequence[Card],
        danger: Danger,
        *,
        middle: Sequence[Card] = (),
        kept: bool = False,
        way: Way = "",
        worth: HandWorth | None = None,
    ) -> int:
        """How strong a hand is, from 0 to 9, at the street that its number of cards says.

        Args:
            down, up: its cards; middle: those for everybody.
            danger: what the others show (`danger`).
            kept, way: as in `merit`.
            worth: of these cards, if it is known already.
        """
        size = len(down) + len(up) + len(middle)
        final = self.is_final(size, kept=kept)
        if worth is None:
            worth = self.worth((*down, *up, *middle), final=final)
        merit = self.merit(worth, down, danger, final=final, kept=kept, way=way)
        return bisect_right(self.cuts(size, len(up), kept=kept), merit)

    def is_final(self, size: int, *, kept: bool = False) -> bool:
        """Whether no more cards come to a hand of so many."""
        return kept or size >= self.terms.size


@cache
def judge_of(terms: GameTerms, wilds: tuple[int, ...] = ()) -> Judge:
    """The judge of a game with these wild ranks."""
    return Judge(terms, wilds)


def quality(wins: int, comes: float) -> int:
    """How good an eight-or-better low is if there is one, 0 to `MOST`: its chance to win as a part of its chance."""
    return min(MOST, int(wins / comes)) if comes > 0 else 0


def halves(one: float, other: float) -> float:
    """The merit of two halves of the pot."""
    return _SCOOP * (one + other) / 2 + (1 - _SCOOP) * max(one, other)


def better(one: float, other: float, *, kept: bool) -> float:
    """The merit of a hand that goes one way, high or low; as long as it may choose, the other way adds something."""
    best, rest = max(one, other), min(one, other)
    return best if kept else best + TWO_WAY * rest * (1 - best)


def _cuts(judge: Judge, size: int, up: int, kept: bool) -> list[float]:
    """The percentiles of random hands, each beside two random boards."""
    if kept:
        size = judge.terms.size
    up = min(up, size)
    need = size + 2 * up
    final = judge.is_final(size, kept=kept)
    merits = []
    for deck in islice(shuffled(list(DECK), need, 20 * size + up), SAMPLE):
        danger = judge.danger([deck[size : size + up], deck[size + up : need]])
        merits.append(judge.grade(danger, final=final, kept=kept)(deck[:size], deck[: size - up]))
    merits.sort()
    return [merits[SAMPLE * percent // 100] for percent in PERCENTILES]
