"""The quick policy: how everybody plays in a play-out. Each player knows their own cards, the up cards and the betting.

It is no good player, only a likely one, and must answer in a few millionths of a second. A hand is judged by what it
makes in the end when a few random cards are added, as a share of the hands that it beats then.
"""

from bisect import bisect_left
from functools import lru_cache
from itertools import combinations, islice

from protocol.cards import DECK, Card
from replays.chances.deals import shuffled
from replays.chances.terms import GameTerms
from replays.playout.betting_round import FOLD, STAY
from replays.playout.light_table import LightTable
from server.engine.ranking.rankings import Ranking
from server.engine.ranking.wild_cards import high_with_wilds

_SAMPLE = 1000
_TRIES = 4


@lru_cache
def _usual_hands(ranking: Ranking) -> list[int]:
    """The strengths of random hands of seven cards, in order."""
    return sorted([ranking.strength(deck[:7]) for deck in islice(shuffled(list(DECK), 7, 7), _SAMPLE)])


_HANDFULS = [tuple(deck[:7]) for deck in islice(shuffled(list(DECK), 7, 11), 512)]


class QuickPolicy:
    """Decides for all players of one game."""

    def __init__(self, terms: GameTerms) -> None:
        self._terms = terms
        self._high = _usual_hands(terms.high) if terms.high is not None else []
        self._low = _usual_hands(terms.low) if terms.low is not None else []

    # ---------------------------------------------------------------- strength

    def strength(self, table: LightTable, i: int) -> float:
        """From 0 to 1: the part of random hands that the player's hand will beat."""
        found = table.known[i]
        if found is None:
            found = table.known[i] = self._judge(table.holding(i), table.wilds, table.moods[i])
        return found

    def _judge(self, cards: list[Card], wilds: tuple[int, ...], mood: float) -> float:
        missing = max(0, self._terms.size - len(cards))
        if not missing:
            high, low = self._both(cards, wilds)
            return self._worth(high, low)
        at, tries, total = int(mood * 512), 0, 0.0
        while tries < _TRIES:
            added = [card for card in _HANDFULS[at % 512] if card not in cards][:missing]
            at += 1
            if len(added) == missing:
                tries += 1
                total += self._worth(*self._both([*cards, *added], wilds))
        return total / _TRIES

    def _both(self, cards: list[Card], wilds: tuple[int, ...]) -> tuple[float, float]:
        high = low = 0.0
        if self._terms.high is not None and len(cards) >= 5:
            if wilds:
                strength = high_with_wilds(cards, [card for card in cards if card >> 2 in wilds])
            else:
                strength = self._terms.high.strength(cards)
            high = bisect_left(self._high, strength) / _SAMPLE
        if self._terms.low is not None and len(cards) >= 5:
            low = bisect_left(self._low, self._terms.low.strength(cards)) / _SAMPLE
        return high, low

    def _worth(self, high: float, low: float) -> float:
        if self._terms.high is None:
            return low
        return max(high, low) if self._terms.low is not None else high

    # ----------------------------------------------------------------- betting

    def bet(self, table: LightTable, i: int) -> int:
        """`FOLD`, `STAY`, or the chips in front after a wager."""
        betting = table.round
        assert betting is not None
        strength = self.strength(table, i)
        bet, chips = table.bet[i], table.chips[i]
        call = 0 if betting.posting else betting.match - bet
        mood = (table.moods[i] + 0.618 * table.at) % 1
        eager = strength + 0.1 * (mood - 0.5) - 0.04 * len(table.live)
        wagers = betting.wagers
        if eager > 0.55 + 0.1 * wagers:
            sizes = betting.wager_sizes(i, bet, chips, table.board[i])
            if sizes:
                return sizes[-1]
        if call <= 0:
            return STAY
        price = call / (sum(table.put) + call)
        return STAY if eager > 0.2 + 0.08 * wagers or strength ** len(table.live) > price else FOLD

    # ------------------------------------------------------------------- cards

    def _weights(self, cards: list[Card]) -> list[Card]:
        """The cards, the least useful first."""
        if self._terms.high is None:
            return sorted(cards, key=lambda card: -((card >> 2) + 1) % 13)
        ranks = [card >> 2 for card in cards]
        return sorted(cards, key=lambda card: (ranks.count(card >> 2), card >> 2))

    def choose(self, table: LightTable, i: int) -> Card:
        """A hidden card to turn up."""
        return self._weights(table.down[i])[0]

    def pass_on(self, table: LightTable, i: int, count: int) -> tuple[Card, ...]:
        """Hidden cards for a neighbour."""
        return tuple(self._weights(table.down[i])[:count])

    def discard(self, table: LightTable, i: int, most: int) -> tuple[Card, ...]:
        """Up to `most` hidden cards."""
        return tuple(self._weights(table.down[i])[:most])

    def arrange(self, table: LightTable, i: int, keep: int) -> tuple[Card, ...]:
        """The cards to keep, in the order of rolling."""
        fives = list(combinations(table.down[i], keep))
        kept = max(fives, key=lambda five: self._worth(*self._both(list(five), table.wilds)))
        return tuple(self._weights(list(kept)))

    def declare(self, table: LightTable, i: int) -> str:
        """``high`` or ``low``."""
        high, low = self._both(table.holding(i), table.wilds)
        return "low" if low > high else "high"
