"""The quick policy: how everybody plays in a play-out.

Each player knows their own cards, the up cards and the betting.

A hand is judged as the reading of hands judges it (`replays.hand_reading.buckets`), and the same tables that say what
an action tells about the cards (`replays.hand_reading.action_tables`) say here how often such cards take that action.
So a player who is dealt cards that fit what they did goes on as they began. Which action it is this time is decided by
the player's mood, which differs from player to player, from deal to deal and from street to street like chance.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

from protocol.cards import Card
from replays.chances.terms import GameTerms, terms_from
from replays.hand_reading.action_tables import (
    FORCED,
    NOTHING,
    ONE_BET,
    RAISED,
    ActionChances,
    Part,
    Situation,
    action_chances,
)
from replays.hand_reading.buckets import Danger, Judge, Way, judge_of
from replays.playout.betting_round import FOLD, STAY
from replays.playout.light_table import LightTable
from server.engine.games.game import Game
from server.engine.steps.betting import Bet
from server.engine.steps.vocabulary import BringBack, Deal, Draw, Pass, Step

_BITS = 0xFFFFFFFF
_MIXER = 2654435761
"""Knuth's multiplier for 32 bits; with two more for each step, one mood becomes another one on each street."""
MOST_WAGERS = 4
"""Wagers in a round after which nobody raises any more: where raises have no cap, two strong hands would raise until
all chips are in, and such a deal would count more than all others.
"""
_PRICES = 40
"""Prices are rounded to so many parts."""
_SURE = 9
"""The bucket of the best hands; they bet the largest amount where the size is free, others less."""
_USEFUL_BOTH_WAYS = (9, 8, 7, 6, 5, 4, 3, 0, 1, 2, 2, 3, 10)
"""By rank, from twos to aces: how much a card helps a hand that can still go high or low."""
_EIGHT = 8
"""The largest low card, in pips, that belongs in a good low."""


class QuickPolicy:
    """Decides for all players of one game. Use `policy_of`, which keeps its policies."""

    def __init__(self, terms: GameTerms, steps: Sequence[Step]) -> None:
        self._terms = terms
        self._parts = _parts(steps)
        self._kept_from = next((at for at, step in enumerate(steps) if isinstance(step, BringBack)), len(steps))
        self._judges: dict[tuple[int, ...], Judge] = {}
        self._chances: dict[tuple[object, ...], ActionChances] = {}
        self._useful = _USEFUL_BOTH_WAYS if terms.low is not None else range(13)

    # ---------------------------------------------------------------- strength

    def _judge(self, wilds: tuple[int, ...]) -> Judge:
        found = self._judges.get(wilds)
        if found is None:
            found = self._judges[wilds] = judge_of(self._terms, wilds)
        return found

    def bucket(self, table: LightTable, i: int) -> int:
        """How strong the hand of a player is next to the boards of the others: 0 to 9."""
        found = table.known[i]
        if found is None:
            judge = self._judge(table.wilds)
            kept, way = table.at > self._kept_from, _way(table.declared[i])
            danger = self._danger(table, i, judge)
            found = judge.bucket(table.down[i], table.up[i], danger, middle=table.community, kept=kept, way=way)
            table.known[i] = found
        return found

    def _danger(self, table: LightTable, i: int, judge: Judge) -> Danger:
        """What the boards of the others mean; after the declaration only of those who go the same way."""
        boards, way = table.boards, table.declared[i]
        others = []
        for j in table.live:
            if j != i and (not way or table.declared[j] == way):
                worth = boards[j]
                if worth is None:
                    cards: Sequence[Card] = table.up[j] or table.before[j]
                    cards = [*cards, *table.community] if table.community else cards
                    worth = boards[j] = judge.board_worth(cards)
                others.append(worth)
        return judge.facing(others)

    # ----------------------------------------------------------------- betting

    def bet(self, table: LightTable, i: int) -> int:
        """`FOLD`, `STAY`, or the chips in front after a wager."""
        betting = table.round
        assert betting is not None
        bet, chips = table.bet[i], table.chips[i]
        call = 0 if betting.posting else betting.match - bet
        pot = sum(table.put)
        price = round(_PRICES * call / (pot + call)) if call > 0 else 0
        if call <= 0:
            facing = NOTHING
        elif betting.aggressor is None:
            facing = FORCED
        else:
            facing = RAISED if betting.raised else ONE_BET
        can_wager = chips > call and betting.wagers < MOST_WAGERS and (betting.posting or betting.may_wager(i, call))
        inside, led = bool(betting.inside >> i & 1), table.led == i
        key = (table.at, facing, inside, led, betting.posting, can_wager, price, len(table.live))
        chances = self._chances.get(key)
        if chances is None:
            chances = self._chances[key] = action_chances(
                Situation(
                    part=self._parts[table.at],
                    facing=facing,
                    inside=inside,
                    led=led,
                    posts=betting.posting,
                    can_wager=can_wager,
                    price=price / _PRICES,
                    opponents=len(table.live) - 1,
                )
            )
        bucket = self.bucket(table, i)
        mood = (table.moods[i] * (_MIXER + 2 * table.at) & _BITS) / _BITS
        if mood < chances.fold[bucket]:
            return FOLD
        if can_wager and mood > 1 - chances.wager[bucket]:
            sizes = betting.wager_sizes(i, bet, chips, table.board[i])
            if sizes:
                return sizes[-1]
        return STAY

    # ------------------------------------------------------------------- cards

    def _worth(self, table: LightTable, danger: Danger, cards: Sequence[Card], *, final: bool = False) -> float:
        """The better of the two directions that the game pays."""
        judge = self._judge(table.wilds)
        high = danger.high[judge.high_value(cards, final=final)] if self._terms.high is not None else 0.0
        low = danger.low[judge.low_value(cards, final=final)] if self._terms.low is not None else 0.0
        return max(high, low)

    def worth_without(self, table: LightTable, i: int, given: Sequence[Card]) -> float:
        """What the hand of a player is worth without some of its cards, others being still to come for them."""
        danger = self._danger(table, i, self._judge(table.wilds))
        held = table.holding(i)
        rest = [card for card in held if card not in given]
        return self._worth(table, danger, rest, final=not given and len(held) >= 5)

    def best_hands(self, table: LightTable, cards: Sequence[Card], keep: int) -> list[tuple[Card, ...]]:
        """The cards to keep for high and those for low, as far as the game pays both."""
        low = [_stripped(cards, keep, self._terms.low.strength)] if self._terms.low is not None else []
        high = [_stripped(cards, keep, self._judge(table.wilds).strength)] if self._terms.high is not None else []
        return [*high, *low]

    def order(self, table: LightTable, i: int, kept: Sequence[Card]) -> tuple[Card, ...]:
        """The kept cards in an order of rolling: first those that the others know."""
        before = table.before[i] or table.up[i]
        return tuple(sorted(kept, key=lambda card: (card not in before, card)))

    def _least_useful(self, table: LightTable, i: int, count: int) -> list[Card]:
        """Those hidden cards without which the rest of the hand is worth most, one after the other."""
        found: list[Card] = []
        for _ in range(count):
            left = [card for card in table.down[i] if card not in found]
            found.append(max(left, key=lambda card: self.worth_without(table, i, (*found, card))))
        return found

    def choose(self, table: LightTable, i: int) -> Card:
        """The card that says least; in razz one that need not bring it in."""
        down = table.down[i]
        if self._terms.high is None and self._terms.brings_in and not table.up[i]:
            good = [card for card in down if _pips(card) <= _EIGHT]
            return max(good, key=_pips) if good else min(down, key=_pips)
        ranks = [card >> 2 for card in table.holding(i)]
        if self._terms.high is None:
            # A second card of a rank is of no use, and large cards are of less use than small ones.
            return max(down, key=lambda card: (ranks.count(card >> 2), _pips(card)))
        useful = self._useful
        return min(down, key=lambda card: (ranks.count(card >> 2), useful[card >> 2]))

    def pass_on(self, table: LightTable, i: int, count: int) -> tuple[Card, ...]:
        """The least useful cards."""
        return tuple(self._least_useful(table, i, count))

    def discard(self, table: LightTable, i: int, most: int) -> tuple[Card, ...]:
        """The least useful cards, as long as the hand is worth more without them."""
        thrown: tuple[Card, ...] = ()
        for card in self._least_useful(table, i, min(most, len(table.down[i]))):
            more = (*thrown, card)
            if self.worth_without(table, i, more) < self.worth_without(table, i, thrown):
                break
            thrown = more
        return thrown

    def arrange(self, table: LightTable, i: int, keep: int) -> tuple[Card, ...]:
        """The five that stand best in one direction, first the cards that the others know."""
        down, judge, terms = table.down[i], self._judge(table.wilds), self._terms
        strength_of = judge.strength
        if terms.low is not None:
            danger = self._danger(table, i, judge)
            low = danger.low[judge.low_value(down, final=True)]
            if terms.high is None or low > danger.high[judge.high_value(down, final=True)]:
                strength_of = terms.low.strength
        return self.order(table, i, _stripped(down, keep, strength_of))

    def declare(self, table: LightTable, i: int) -> str:
        """The direction in which the hand stands better against the boards that seem to go there."""
        judge = self._judge(table.wilds)
        cards = table.holding(i)
        highs: list[list[Card]] = []
        lows: list[list[Card]] = []
        for other in table.live:
            if other != i:
                board = [*table.up[other], *table.community]
                (lows if judge.low_value(board) > judge.high_value(board) else highs).append(board)
        high = judge.danger(highs).high[judge.high_value(cards, final=True)]
        low = judge.danger(lows).low[judge.low_value(cards, final=True)]
        return "low" if low > high else "high"


@lru_cache(32)
def policy_of(game: Game) -> QuickPolicy:
    """The policy of a game."""
    return QuickPolicy(terms_from(game), game.steps)


def _parts(steps: Sequence[Step]) -> dict[int, Part]:
    """The part of the hand to which each betting round belongs, by its place in the steps."""
    rounds = [at for at, step in enumerate(steps) if isinstance(step, Bet)]
    exchanges = [at for at, step in enumerate(steps) if isinstance(step, Deal | Draw | Pass)]
    parts: dict[int, Part] = {at: "middle" if at < max(exchanges, default=0) else "last" for at in rounds}
    if rounds and parts[rounds[0]] == "middle":
        parts[rounds[0]] = "first"
    return parts


def _stripped(cards: Sequence[Card], keep: int, strength_of: Callable[[Sequence[Card]], int]) -> tuple[Card, ...]:
    """The cards without which the rest is as strong as all of them are taken away, until `keep` are left.

    There always is one as long as no more than five count.
    """
    left = list(cards)
    best = strength_of(left)
    while len(left) > keep:
        for place in range(len(left)):
            rest = left[:place] + left[place + 1 :]
            if strength_of(rest) == best:
                break
        else:
            return max(combinations(left, keep), key=lambda some: strength_of(some))
        left = rest
    return tuple(left)


def _way(declared: str) -> Way:
    return "high" if declared == "high" else "low" if declared == "low" else ""


def _pips(card: Card) -> int:
    """1 for an ace, 2 for a two, 13 for a king."""
    return ((card >> 2) + 1) % 13 + 1
