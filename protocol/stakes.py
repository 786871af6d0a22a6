"""The stakes of a table: sizes, limits and the switches of `rules.md` 4, 5 and 13.2.

All amounts are whole numbers of the smallest chip.
"""

from typing import Literal, TypeAlias

import msgspec

Limit: TypeAlias = Literal["fixed", "spread"]
ShortAllIn: TypeAlias = Literal["half", "full"]
OpenPair: TypeAlias = Literal["off", "any_active", "holder"]
OpenerTie: TypeAlias = Literal["position", "suit"]
OddChip: TypeAlias = Literal["position", "suit_robert", "suit_tda"]
InvalidLow: TypeAlias = Literal["no_low", "ranks_last"]


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """The money rules of one game at one table.

    Fields:
        limit: ``fixed`` uses `small` and `big`; ``spread`` lets a player choose from `least` to `most`.
        ante: posted by everybody dealt in (`rules.md` 4.7).
        bring_in: the forced opening amount, where the game has one (4.2).
        small, big: the two sizes of fixed limit (4.1).
        least, most: bounds of a bet or raise in spread limit (4.4).
        cap: raises allowed in a round after the bet; None for no cap (4.1).
        heads_up_uncapped: no cap in a round that was heads-up before the cap was reached (4.1).
        short_allin: from which size an all-in wager counts as full: half of it, or all of it; None for the
            limit's own rule: half in fixed limit, all in spread limit (4.5).
        open_pair: who may use the big size on fourth street when a pair shows (4.3).
        opener_tie: between equal boards, the seat nearest the dealer's left or the higher suit opens (3).
        odd_chip: who gets what cannot be divided inside a half (5).
        no_check_raise: a player who has checked may not raise before calling (7.3 HR1).
        invalid_low: a straight or flush declared low is no low, or the last of the lows (7.4).
        followed_wild: where the card after a rank names the wild rank, the first rank is always wild, too (20.2).
    """

    limit: Limit = "fixed"
    ante: int = 1
    bring_in: int = 1
    small: int = 2
    big: int = 4
    least: int = 1
    most: int = 5
    cap: int | None = 3
    heads_up_uncapped: bool = False
    short_allin: ShortAllIn | None = None
    open_pair: OpenPair = "off"
    opener_tie: OpenerTie = "position"
    odd_chip: OddChip = "position"
    no_check_raise: bool = False
    invalid_low: InvalidLow = "no_low"
    followed_wild: bool = False

    def problem(self) -> str:
        """Why these stakes cannot be played, in one sentence; empty when they can."""
        if self.ante < 0 or self.bring_in < 0:
            return "the ante and the bring-in cannot be negative"
        if self.limit == "fixed" and not 0 < self.small <= self.big:
            return "the small bet must be at least 1 and at most the big bet"
        if self.limit == "spread" and not 0 < self.least <= self.most:
            return "the least bet must be at least 1 and at most the largest"
        if self.bring_in > (self.small if self.limit == "fixed" else self.most):
            return "the bring-in must not exceed the first bet"
        if self.cap is not None and self.cap < 1:
            return "the cap must allow at least one raise"
        return ""

    @property
    def largest(self) -> int:
        """The largest bet or raise."""
        return self.big if self.limit == "fixed" else self.most

    def words(self) -> str:
        """``ante 1, limits 2/4`` or ``ante 1, bets 1 to 5``"""
        parts = [f"ante {self.ante}"] if self.ante else []
        if self.limit == "fixed":
            parts.append(f"limits {self.small}/{self.big}")
        else:
            parts.append(f"bets {self.least} to {self.most}")
        return ", ".join(parts)
