"""Who wins what: showing hands and splitting pots (`rules.md` 5 and 7.4).

A pot has one share or two. Where one ranking is paid, the best hand takes the whole pot. Where two things are paid,
the first half goes to the best high hand, and the second half to the best low or, in some games, to the highest spade
in the hole. Each pot is split on its own, among the players who can win it; where nobody has anything for one half,
the other half takes all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from protocol import events as ev
from protocol.cards import RANK_NAMES, Card
from protocol.events import Part
from server.engine.ranking.card_order import ace_high, ace_low
from server.engine.ranking.rankings import Ranking
from server.engine.ranking.strength import ace_to_six_fallback
from server.engine.ranking.wild_cards import high_with_wilds, name_with_wilds
from server.engine.steps.hand_state import HandState
from server.engine.steps.pots import shares

SPADES = 3
VALID = 1 << 28
"""Added to a valid low so that it beats every invalid one."""


@dataclass(frozen=True, slots=True)
class Showdown:
    """Compare the hands and pay the pots.

    Fields:
        high, low: the rankings that are paid; with both, the pot is halved.
        spade: the second half goes to the highest spade in the hole, not to a low (`rules.md` 19, Chicago).
        show: who shows: the winners only (SB 11), or in turn from the last aggressor everybody who can still win.
    """

    high: Ranking | None = None
    low: Ranking | None = None
    spade: bool = False
    show: Literal["winners", "in_turn"] = "in_turn"

    def run(self, hand: HandState) -> None:
        """Show and pay."""
        hand.street = "showdown"
        _Payout(hand, self).run()


class _Payout:
    """One showdown: what each player has for each half, who shows, who is paid.

    `high` and `second` are the strengths by player, larger being better, without the players who have nothing there.
    `second` is the low or the highest spade, as the game says.
    """

    __slots__ = ("_to_beat", "hand", "high", "holdings", "rule", "second", "second_part")

    def __init__(self, hand: HandState, rule: Showdown) -> None:
        self.hand = hand
        self.rule = rule
        down, up, community = hand.down, hand.up, hand.community
        self.holdings = {i: down[i] + up[i] + community for i in hand.live}
        self.high: dict[int, int] = {}
        self._to_beat = [(0, 0)] * len(hand.pots)
        if rule.high is not None:
            strength_of = rule.high.strength if not hand.wilds else self._wild_high
            self.high = {i: strength_of(cards) for i, cards in self.holdings.items() if hand.declared[i] != "low"}
        self.second_part: Literal["low", "spade"] = "spade" if rule.spade else "low"
        self.second: dict[int, int] = {}
        if rule.spade:
            self.second = self._spades()
        elif rule.low is not None:
            self.second = self._lows(rule.low)

    def _wild_high(self, cards: list[Card]) -> int:
        wilds = self.hand.wilds
        return high_with_wilds(cards, [card for card in cards if card >> 2 in wilds])

    def _lows(self, low: Ranking) -> dict[int, int]:
        hand, lows = self.hand, {}
        strength_of = low.strength
        for i, cards in self.holdings.items():
            if hand.declared[i] != "high":
                strength = strength_of(cards)
                if strength:
                    lows[i] = strength + VALID
                elif hand.declared[i] and hand.stakes.invalid_low == "ranks_last":
                    lows[i] = ace_to_six_fallback(cards)
        return lows

    def _spades(self) -> dict[int, int]:
        """The highest spade in the hole as a card + 1; 0 for none."""
        hand = self.hand
        return {i: max([card + 1 for card in hand.down[i] if card & 3 == SPADES], default=0) for i in hand.live}

    def run(self) -> None:
        hand = self.hand
        winners = [self._winners(players) for _, players in hand.pots]
        self._show({i for high, second in winners for i in high + second})
        for number, ((amount, _), (high, second)) in enumerate(zip(hand.pots, winners, strict=True)):
            self._pay(number, amount, high, second)

    # ------------------------------------------------------------------ winners

    def _winners(self, players: Sequence[int]) -> tuple[list[int], list[int]]:
        """(winners of the high half, winners of the second half) of a pot that these players can win."""
        high = best_of(self.high, players)
        second = best_of(self.second, players)
        if not high and not second and self.rule.low is not None:
            # All went low and none of them has a low: the whole order decides, straights before flushes (7.4).
            for i in players:
                self.second[i] = ace_to_six_fallback(self.holdings[i])
            second = best_of(self.second, players)
        return high, second

    # --------------------------------------------------------------------- show

    def _show(self, winners: set[int]) -> None:
        hand = self.hand
        live = hand.live
        start = hand.last_aggressor if hand.last_aggressor in live else hand.opener
        if start not in live:
            start = live[0]
        at = live.index(start)
        in_turn, everybody = self.rule.show == "in_turn", hand.show == "all"
        seats, down, emit = hand.seats, hand.down, hand.emit
        for i in live[at:] + live[:at]:
            if (in_turn and self._may_win(i)) or i in winners or everybody:
                emit(ev.HandShown(seats[i], tuple(down[i]), self._values(i)))
            else:
                emit(ev.HandMucked(seats[i]))

    def _may_win(self, i: int) -> bool:
        """Whether no hand shown so far beats player `i` everywhere; what they have is then what the next must beat."""
        may = False
        high, second, to_beat = self.high.get(i, 0), self.second.get(i, 0), self._to_beat
        for number, (_, players) in enumerate(self.hand.pots):
            if i in players:
                best_high, best_second = to_beat[number]
                if 0 < high >= best_high or 0 < second >= best_second:
                    may = True
                    to_beat[number] = max(high, best_high), max(second, best_second)
        return may

    def _values(self, i: int) -> tuple[tuple[str, str], ...]:
        """(ranking, name) of all that a player has to show."""
        rule, declared = self.rule, self.hand.declared[i]
        values = []
        if rule.high is not None and declared != "low":
            values.append((rule.high.key, self._name(rule.high, self.high, i)))
        if rule.low is not None and declared != "high":
            values.append((rule.low.key, self._name(rule.low, self.second, i)))
        if rule.spade:
            values.append(("spade", self._spade(i)))
        return tuple(values)

    def _spade(self, i: int) -> str:
        spade = self.second.get(i, 0)
        return f"the {RANK_NAMES[spade - 1 >> 2]} of spades in the hole" if spade else "no spade in the hole"

    def _name(self, ranking: Ranking, strengths: dict[int, int], i: int) -> str:
        """The name of a hand; the words depend on the strength only and are kept."""
        strength = strengths.get(i, 0)
        wilds = self.hand.wilds
        if wilds and ranking is self.rule.high:
            cards = self.holdings[i]
            return name_with_wilds(cards, [card for card in cards if card >> 2 in wilds])
        key = (ranking.key, strength)
        name = _NAMES.get(key)
        if name is None:
            name = ranking.name(self.holdings[i])
            if strength and (strength > VALID or not ranking.is_low):
                _NAMES[key] = name
        return name

    # ---------------------------------------------------------------------- pay

    def _pay(self, number: int, amount: int, high: list[int], second: list[int]) -> None:
        rule, part = self.rule, self.second_part
        both = rule.high is not None and (rule.low is not None or rule.spade)
        if both and high and second and set(high) != set(second):
            half = amount - amount // 2  # the odd chip goes high (`rules.md` 5.3)
            self._award(number, "high", half, high, "the odd chip of the pot goes high" if amount % 2 else "")
            self._award(number, part, amount // 2, second, "")
            return
        why = ""
        if both and not any(self.hand.declared):
            why = f"no {part}: high takes all" if not second else ""
        elif both and not (high and second):
            why = self._alone(number, "low" if high else "high")
        self._award(number, "whole", amount, high or second, why)

    def _alone(self, number: int, other: Literal["high", "low"]) -> str:
        """Why one direction takes a whole pot: nobody declared the other one, or their hands are none."""
        declared = self.hand.declared
        if other not in declared:
            return f"nobody went {other}"
        if not any(declared[i] == other for i in self.hand.pots[number][1]):
            return f"nobody in this pot went {other}"
        return "nobody has a hand in the other direction"

    def _award(self, number: int, part: Part, amount: int, winners: list[int], why: str) -> None:
        hand = self.hand
        if not amount:
            return
        if len(winners) == 1:
            paid = {winners[0]: amount}
            odd: list[int] = []
        else:
            is_high = part == "high" or (part == "whole" and winners[0] in self.high)
            ordered = self._odd_order(winners, is_high)
            paid = dict(zip(ordered, shares(amount, ordered), strict=True))
            odd = [i for i in ordered if paid[i] > amount // len(ordered)]
        if odd:
            rule = _ODD_WORDS[hand.stakes.odd_chip]
            names = " and ".join([f"{{{hand.seats[i]}}}" for i in odd])
            why = f"{why}; " * bool(why) + f"the odd chip goes to {names}, {rule}"
        seats, chips = hand.seats, hand.chips
        rows = []
        for i in winners:
            chips[i] += paid[i]
            rows.append((seats[i], paid[i]))
        words = self._hand_words(part, winners[0])
        hand.emit(
            ev.PotAwarded(number, part, amount, tuple(rows), words, tuple([seats[i] for i in odd]) if odd else (), why)
        )

    def _hand_words(self, part: Part, i: int) -> str:
        """What a winner won this share with."""
        rule = self.rule
        words = []
        if rule.high is not None and part in ("high", "whole") and i in self.high:
            words.append(self._name(rule.high, self.high, i))
        if rule.low is not None and part != "high" and i in self.second:
            words.append(self._name(rule.low, self.second, i))
        if rule.spade and part != "high" and self.second.get(i):
            words.append(self._spade(i))
        return " and ".join(words)

    def _odd_order(self, winners: list[int], is_high: bool) -> list[int]:
        """The tied winners, those who get an odd chip first (`rules.md` 5.4)."""
        rule = self.hand.stakes.odd_chip
        if rule == "position":
            return winners
        if rule == "suit_tda":
            ranking = self.rule.high if is_high else self.rule.low
            assert ranking is not None
            place = ace_high if is_high else ace_low
            # An invalid low that wins all the same (7.4) is no hand of the ranking: its five cards are all there are.
            return sorted(winners, key=lambda i: -max(map(place, ranking.best(self.holdings[i]) or self.holdings[i])))
        if is_high:
            return sorted(winners, key=lambda i: -max(map(ace_high, self.holdings[i])))
        return sorted(winners, key=lambda i: min(map(ace_low, self.holdings[i])))


_NAMES: dict[tuple[str, int], str] = {}
_ODD_WORDS = {
    "position": "first from the dealer's left",
    "suit_robert": "by suit among all seven cards",
    "suit_tda": "by suit among the five that play",
}


def best_of(strengths: dict[int, int], players: Iterable[int]) -> list[int]:
    """The players with the largest strength, in dealing order; none where nobody has a hand."""
    best = 1
    winners: list[int] = []
    for i in players:
        strength = strengths.get(i, 0)
        if strength > best:
            best, winners = strength, [i]
        elif strength == best:
            winners.append(i)
    return winners


def award_unopposed(hand: HandState) -> None:
    """One player is left, takes every pot and shows nothing (`rules.md` 1)."""
    (winner,) = hand.live
    for number, (amount, _) in enumerate(hand.pots):
        hand.chips[winner] += amount
        hand.emit(
            ev.PotAwarded(number, "whole", amount, ((hand.seats[winner], amount),), "", (), "everybody else folded")
        )
