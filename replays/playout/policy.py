"""The quick policy: how everybody plays in a play-out.

Each player knows their own cards, the up cards and the betting.

A hand is judged as the reading of hands judges it (`replays.hand_reading.buckets`), and the same tables that say what
an action tells about the cards (`replays.hand_reading.action_tables`) say here how often such cards take that action.
So a player who is dealt cards that fit what they did goes on as they began. Which action it is this time is decided by
the player's mood, which differs from player to player, from deal to deal and from street to street like chance.
"""

from collections.abc import Sequence
from functools import lru_cache

from protocol.cards import Card
from replays.chances.terms import GameTerms, terms_from
from replays.hand_reading.action_tables import (
    FORCED,
    MOST_WAGERS,
    NOTHING,
    ONE_BET,
    RAISED,
    ActionChances,
    Part,
    Situation,
    action_chances,
)
from replays.hand_reading.buckets import Danger, Way, judge_of
from replays.hand_reading.habits import ORDINARY, chances_of, stage_of
from replays.playout.betting_round import FOLD, STAY
from replays.playout.card_worths import Boards, Cards, CardWorths
from replays.playout.light_table import LightTable
from server.engine.games.game import Game
from server.engine.ranking.card_order import EIGHT, low_rank
from server.engine.steps.betting import Bet
from server.engine.steps.vocabulary import BringBack, Deal, Draw, Pass, Step

_BITS = 0xFFFFFFFF
_MIXER = 2654435761
"""Knuth's multiplier for 32 bits; with two more for each step, one mood becomes another one on each street."""
_PRICES = 40
"""Prices are rounded to so many parts."""
_SURE = 9
"""The bucket of the best hands; they bet the largest amount where the size is free, others less."""
_USEFUL_BOTH_WAYS = (9, 8, 7, 6, 5, 4, 3, 0, 1, 2, 2, 3, 10)
"""By rank, from twos to aces: how much a card helps a hand that can still go high or low."""


class QuickPolicy:
    """Decides for all players of one game. Use `policy_of`, which keeps its policies."""

    def __init__(self, terms: GameTerms, steps: Sequence[Step]) -> None:
        self._terms = terms
        self._parts = _parts(steps)
        self._stages = _stages(steps)
        self._kept_from = next((at for at, step in enumerate(steps) if isinstance(step, BringBack)), len(steps))
        self._chances: dict[tuple[object, ...], ActionChances] = {}
        self._useful = _USEFUL_BOTH_WAYS if terms.low is not None else range(13)

    # ---------------------------------------------------------------- strength

    def _worths(self, table: LightTable) -> CardWorths:
        """What cards are worth with the ranks that are wild now."""
        found = table.worths.get(table.wilds)
        if found is None:
            found = table.worths[table.wilds] = CardWorths(judge_of(self._terms, table.wilds))
        return found

    def bucket(self, table: LightTable, i: int) -> int:
        """How strong the hand of a player is next to the boards of the others: 0 to 9."""
        found = table.known[i]
        if found is None:
            worths = self._worths(table)
            found = table.known[i] = worths.bucket(
                table.down[i],
                table.up[i],
                table.community,
                self._others(table, i, worths),
                kept=table.at > self._kept_from,
                way=_way(table.declared[i]),
            )
        return found

    def _others(self, table: LightTable, i: int, worths: CardWorths) -> Boards:
        """The boards of the others; after the declaration only of those who go the same way."""
        boards, live = table.boards, table.live
        if not boards:
            boards += [0] * len(table.chips)
            for j in live:
                boards[j] = worths.board((*(table.up[j] or table.before[j]), *table.community))
        if way := table.declared[i]:
            return tuple([boards[j] for j in live if j != i and table.declared[j] == way])
        return tuple([boards[j] for j in live if j != i])

    def _danger(self, table: LightTable, i: int, worths: CardWorths) -> Danger:
        """What the boards of the others mean."""
        return worths.facing(self._others(table, i, worths))

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
        stage = self._stages[table.at]
        tendency = table.tendencies[i][stage] if table.tendencies else ORDINARY
        key = (table.at, facing, inside, led, betting.posting, can_wager, price, len(table.live), tendency)
        chances = self._chances.get(key)
        if chances is None:
            ordinary = action_chances(
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
            chances = self._chances[key] = chances_of(ordinary, tendency, stage, declares=self._terms.declares)
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

    def _worth(self, worths: CardWorths, danger: Danger, cards: Cards, *, final: bool = False) -> float:
        """The better of the two directions that the game pays."""
        worth = worths.hand(cards, final=final)
        high = danger.high[worth.high] if self._terms.high is not None else 0.0
        low = danger.low[worth.low] if self._terms.low is not None else 0.0
        return max(high, low)

    def worth_without(self, table: LightTable, i: int, given: Sequence[Card]) -> float:
        """What the hand of a player is worth without some of its cards, others being still to come for them."""
        worths = self._worths(table)
        held = table.holding(i)
        return self._worth_without(worths, held, self._danger(table, i, worths), given)

    def _worth_without(self, worths: CardWorths, held: Sequence[Card], danger: Danger, given: Sequence[Card]) -> float:
        rest = tuple([card for card in held if card not in given])
        return self._worth(worths, danger, rest, final=not given and len(held) >= 5)

    def best_hands(self, table: LightTable, cards: Sequence[Card], keep: int) -> list[tuple[Card, ...]]:
        """The cards to keep for high and those for low, as far as the game pays both."""
        worths, all_cards = self._worths(table), tuple(cards)
        low = [worths.best_kept(all_cards, keep, low=True)] if self._terms.low is not None else []
        high = [worths.best_kept(all_cards, keep, low=False)] if self._terms.high is not None else []
        return [*high, *low]

    def order(self, table: LightTable, i: int, kept: Sequence[Card]) -> tuple[Card, ...]:
        """The kept cards in an order of rolling: first those that the others know."""
        before = table.before[i] or table.up[i]
        return tuple(sorted(kept, key=lambda card: (card not in before, card)))

    def _least_useful(self, table: LightTable, i: int, count: int) -> list[Card]:
        """Those hidden cards without which the rest of the hand is worth most, one after the other."""
        worths, down, held = self._worths(table), tuple(table.down[i]), tuple(table.holding(i))
        others = self._others(table, i, worths)
        key = (down, held, others, count)
        found = worths.useless.get(key)
        if found is None:
            danger = worths.facing(others)
            found = worths.useless[key] = []
            for _ in range(count):
                left = [card for card in down if card not in found]
                found.append(max(left, key=lambda card: self._worth_without(worths, held, danger, (*found, card))))
        return found

    def choose(self, table: LightTable, i: int) -> Card:
        """The card that says least; in razz one that need not bring it in."""
        down = table.down[i]
        if self._terms.high is None and self._terms.brings_in and not table.up[i]:
            good = [card for card in down if low_rank(card) <= EIGHT]
            return max(good, key=low_rank) if good else min(down, key=low_rank)
        ranks = [card >> 2 for card in table.holding(i)]
        if self._terms.high is None:
            # A second card of a rank is of no use, and large cards are of less use than small ones.
            return max(down, key=lambda card: (ranks.count(card >> 2), low_rank(card)))
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
        worths, terms, down = self._worths(table), self._terms, tuple(table.down[i])
        goes_low = terms.high is None
        if terms.low is not None and not goes_low:
            danger, worth = self._danger(table, i, worths), worths.hand(down, final=True)
            goes_low = danger.low[worth.low] > danger.high[worth.high]
        return self.order(table, i, worths.best_kept(down, keep, low=goes_low))

    def declare(self, table: LightTable, i: int) -> str:
        """The direction in which the hand stands better against the boards that seem to go there."""
        worths = self._worths(table)
        highs: list[int] = []
        lows: list[int] = []
        for other in table.live:
            if other != i:
                board = worths.board((*table.up[other], *table.community))
                shown = worths.board_worth(board)
                (lows if shown.low > shown.high else highs).append(board)
        worth = worths.hand((*table.up[i], *table.down[i], *table.community), final=True)
        high = worths.facing(tuple(highs)).high[worth.high]
        low = worths.facing(tuple(lows)).low[worth.low]
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


def _stages(steps: Sequence[Step]) -> dict[int, int]:
    """The stage of the hand to which each betting round belongs, by its place in the steps."""
    rounds = [at for at, step in enumerate(steps) if isinstance(step, Bet)]
    return {at: stage_of(number) for number, at in enumerate(rounds, 1)}


def _way(declared: str) -> Way:
    return "high" if declared == "high" else "low" if declared == "low" else ""
