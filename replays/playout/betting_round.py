"""A betting round at a light table; `server.engine.steps.betting` has the theory, and the rules are the same.

A choice is one integer: `FOLD`, `STAY` (check, call, or post the forced bet), or for a wager the chips that the player
then has in front in this round.
"""

from collections.abc import Sequence

from protocol.stakes import Stakes
from server.engine.ranking.boards import PAIRED_BOARDS
from server.engine.steps.betting import NO_CAP, Bet

FOLD = -1
STAY = 0


class BettingRound:
    """The state of one round. Sets of players are bit masks; the attributes are those of the engine's round.

    Attributes:
        match, full: the amount to match and the level of the last full wager.
        wagers: how many full wagers there were.
        posting: whether the forced bet is still to be posted.
        increment: the least raise in spread limit.
        sizes: of a wager in fixed limit, smallest first; big_made: whether the big one was used.
        able: who has chips and has not folded.
        acted: who has acted since the last full wager; checked: who has done so in this round.
        inside: who has put chips into this round without being forced to.
        aggressor: who has made the last wager; raised: whether there was more than one.
        no_raise: the odd man, who never raises.
    """

    __slots__ = (
        "able", "acted", "aggressor", "big_made", "cap", "checked", "full", "increment", "inside", "match", "no_raise",
        "opener", "posting", "raised", "sizes", "spread", "stakes", "uncapped", "wagers",
    )  # fmt: skip

    def __init__(
        self, rule: Bet, stakes: Stakes, opener: int, able: int, boards: Sequence[int], odd_man: int | None
    ) -> None:
        self.stakes = stakes
        self.opener = opener
        self.spread = spread = stakes.limit == "spread"
        self.match = self.full = self.wagers = 0
        self.cap = NO_CAP if stakes.cap is None else stakes.cap
        self.posting = rule.bring_in and stakes.bring_in > 0
        self.increment = stakes.bring_in if self.posting else stakes.least
        self.sizes: tuple[int, ...] = (stakes.small if rule.size == "small" else stakes.big,)
        if rule.open_pair and stakes.open_pair != "off" and not spread and stakes.small < stakes.big:
            self.sizes = self.sizes if PAIRED_BOARDS.isdisjoint(boards) else (stakes.small, stakes.big)
        self.big_made = self.uncapped = False
        self.no_raise = odd_man if rule.odd_man else None
        self.able = able
        self.acted = self.checked = self.inside = 0
        self.aggressor: int | None = None
        self.raised = False

    def copy(self) -> "BettingRound":
        """An independent copy."""
        new = BettingRound.__new__(BettingRound)
        for name in BettingRound.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    # --------------------------------------------------------------- questions

    def may_wager(self, i: int, call: int) -> bool:
        """Whether no rule keeps a player who owes `call` from a wager; chips are another question."""
        bit = 1 << i
        able = self.able
        if self.wagers > self.cap:
            if not self.uncapped:
                return False
        elif self.stakes.heads_up_uncapped and able.bit_count() <= 2:
            self.uncapped = True
        if call > 0:
            if self.match > self.full and self.acted & bit:
                return False
            if i == self.no_raise:
                return False
            if self.checked & bit and not self.inside & bit and self.stakes.no_check_raise:
                return False
        return able != bit

    def wager_sizes(self, i: int, bet: int, chips: int, board: int) -> tuple[int, ...]:
        """The wagers of a player, as chips in front afterwards: each size of fixed limit, or (least, most)."""
        if self.posting:
            match = self.stakes.bring_in
        else:
            match = self.match
            if not self.may_wager(i, match - bet):
                return ()
        all_in = bet + chips
        if all_in <= match:
            return ()
        full = self.full
        if self.spread:
            least, most = max(full + self.increment, match + 1), full + self.stakes.most
            if most < least:
                return ()
            return (least, most) if all_in > most else (min(least, all_in), all_in)
        if len(self.sizes) == 1:
            to = full + self.sizes[0]
            return (to if to < all_in else all_in,) if to > match else ()
        wagers: list[int] = []
        for size in self._sizes_for(board):
            to = full + size
            if to > match:
                wagers.append(min(to, all_in))
                if all_in <= to:
                    break
        return tuple(wagers)

    def _sizes_for(self, board: int) -> tuple[int, ...]:
        if self.big_made:
            return self.sizes[1:]
        if self.stakes.open_pair == "holder" and board not in PAIRED_BOARDS:
            return self.sizes[:1]
        return self.sizes

    # --------------------------------------------------------------- decisions

    def act(self, i: int, choice: int, bet: int, chips: int) -> int:
        """Take the choice of a player with so many chips in front and behind; the chips that it costs.

        The caller moves the chips, takes a player who folds out of the hand, and keeps who must still act: after a
        wager and after the forced bet that is everybody in `able` but the player.
        """
        bit = 1 << i
        if choice == STAY:
            if self.posting:
                return self._post(bit, chips)
            self.acted |= bit
            amount = self.match - bet
            if amount <= 0:
                self.checked |= bit
                return 0
            self.inside |= bit
            if amount >= chips:
                self.able &= ~bit
                return chips
            return amount
        if choice == FOLD:
            self.able &= ~bit
            return 0
        self.raised = self.raised or self.aggressor is not None
        self.aggressor = i
        self.inside |= bit
        self._wager(bit, choice)
        amount = choice - bet
        if amount >= chips:
            self.able &= ~bit
        return amount

    def _post(self, bit: int, chips: int) -> int:
        force = self.stakes.bring_in
        self.posting = False
        self.match = force
        if self.spread or force >= self.sizes[0]:
            self.full = force
            self.wagers = 1
        if force >= chips:
            self.able &= ~bit
            return chips
        return force

    def _wager(self, bit: int, to: int) -> None:
        stakes = self.stakes
        self.posting = False
        step = to - self.full
        unit = self.increment if self.spread else self.sizes[1] if self.big_made else self.sizes[0]
        full = step >= unit
        if not full and step * 2 >= unit:
            full = stakes.short_allin == "half" if stakes.short_allin else not self.spread
        if full:
            if self.spread:
                self.increment = max(step, self.increment)
            elif len(self.sizes) == 2 and step >= self.sizes[1]:
                self.big_made = True
            self.full = to
            self.wagers += 1
            self.acted = bit
        else:
            self.acted |= bit
        self.match = to
