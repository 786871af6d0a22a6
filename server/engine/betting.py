"""A betting round: who may do what, and when the round is over (`rules.md` 4).

All amounts are chips; "to" amounts are what a player has in front of him this round.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from protocol import events as ev
from protocol.actions import Action, Option
from protocol.events import Cause
from server.engine.opening import Board, Opener

if TYPE_CHECKING:
    from server.engine.hand import Flow, Hand

FOLD = Option("fold")
CHECK = Option("check")

CAPPED = "the raises are capped"
CHECKED = "you have checked and not called: no raise in this round (house rule)"
ODD_MAN = "the odd man never raises"
NOT_REOPENED = "the all-in was too small to reopen the betting"
NOBODY_LEFT = "nobody left could call a raise"


@dataclass(frozen=True, slots=True)
class Bet:
    """One round of betting.

    Fields:
        size: which of the two sizes of fixed limit.
        opens: the rule that names the opener.
        bring_in: whether the opener must post (`rules.md` 4.2).
        open_pair: whether the open-pair option of the stakes applies on this street (4.3).
        odd_man: whether the odd man of the declaration opens and never raises (7.3 HR4).
    """

    size: Literal["small", "big"]
    opens: Opener
    bring_in: bool = False
    open_pair: bool = False
    odd_man: bool = False

    def run(self, hand: "Hand") -> "Flow":
        """Ask players in turn until everybody has acted on the last wager."""
        hand.previous_opener = hand.opener
        opener, why = self._opener(hand)
        hand.opener = opener
        hand.last_aggressor = None  # of a street before this one: it does not decide who shows first
        skipped = self._skipped(hand)
        if skipped:
            hand.emit(ev.RoundSkipped(hand.street, skipped))
            hand.close_round()
            return
        actor = opener if hand.chips[opener] else next_of(sum([1 << i for i in hand.able()]), opener)
        hand.emit(ev.RoundOpened(hand.street, hand.seats[opener], hand.seats[actor], why))
        betting = BettingRound(hand, self, opener)
        turn: int | None = actor
        while turn is not None:
            betting.ask(turn)
            _, action, cause = yield
            betting.act(turn, action, cause)
            turn = betting.after(turn)
        hand.close_round()

    def _skipped(self, hand: "Hand") -> str:
        """Why there is nothing to bet about; empty where there is (`rules.md` 1, 7.3)."""
        able = hand.able()
        if len(able) < 2:
            return "no two players have chips left to bet"
        if self.odd_man:
            directions = [hand.declared[i] for i in able]
            if max(directions.count("high"), directions.count("low")) < 2:
                return "no two players with chips want the same half"
        return ""

    def _opener(self, hand: "Hand") -> tuple[int, str]:
        if self.odd_man and hand.odd_man is not None and hand.odd_man in hand.order:
            return hand.odd_man, f"{{{hand.seats[hand.odd_man]}}} is the odd man and acts first"
        if hand.community and isinstance(self.opens, Board):
            rule = hand.game.shortage_opener
            if rule == "previous_opener" and hand.previous_opener in hand.order:
                player = hand.previous_opener
                assert player is not None
                return player, f"{{{hand.seats[player]}}} opened the street before"
            return self.opens.designate(hand, community=rule == "with_common")
        return self.opens.designate(hand)


class BettingRound:
    """The state of one round.

    Sets of players are bit masks. `match` is the amount to match, `full` the level of the last full wager, `wagers` how
    many there were (the first is the bet, later ones are raises), `able` who has chips and has not folded,
    `acted` who has acted since the last full wager, `pending` who is still to act.
    """

    __slots__ = (
        "able", "acted", "big_made", "called", "checked", "full", "hand", "increment", "match", "no_raise", "opener",
        "pending", "posting", "sizes", "spread", "stakes", "uncapped", "wagers",
    )  # fmt: skip

    def __init__(self, hand: "Hand", rule: Bet, opener: int) -> None:
        stakes = hand.stakes
        self.hand = hand
        self.stakes = stakes
        self.opener = opener
        self.spread = stakes.limit == "spread"
        self.match = self.full = self.wagers = 0
        self.posting = rule.bring_in and stakes.bring_in > 0
        # Who opens above the force bet bets at least that much, whatever the least bet is later (`rules.md` 4.4).
        self.increment = stakes.bring_in if self.posting else stakes.least
        self.sizes: tuple[int, ...] = (stakes.small,) if rule.size == "small" else (stakes.big,)
        self.big_made = False
        if rule.open_pair and stakes.open_pair != "off" and not self.spread and stakes.small < stakes.big:
            # Looked at once: the option stays for this round even if the pair folds (`rules.md` 4.3).
            self.sizes = (stakes.small, stakes.big) if any(_paired(hand.up[i]) for i in hand.order) else self.sizes
        self.no_raise = hand.odd_man if rule.odd_man else None
        self.able = sum([1 << i for i in hand.able()])
        self.pending = self.able
        self.acted = self.checked = self.called = 0
        self.uncapped = False

    # ---------------------------------------------------------------- options

    def ask(self, i: int) -> None:
        """Request player `i`'s decision with every legal option."""
        hand = self.hand
        chips = hand.chips[i]
        if self.posting:
            force = self.stakes.bring_in
            post = Option("bring_in", amount=min(force, chips), all_in=chips <= force)
            options = (post, *self._wagers(i, "bet"))
            hand.ask(i, "bet", options if i == self.opener else (FOLD, *options))
            return
        bet = hand.bet[i]
        call = self.match - bet
        note = self._no_wager(i, call)
        if chips <= call:
            hand.ask(i, "bet", (FOLD, Option("call", amount=chips, all_in=True)), chips, note)
        elif note:
            hand.ask(i, "bet", _staying(call), call, note)
        else:
            kind: Literal["bet", "complete", "raise"]
            kind = "bet" if not self.match else "raise" if self.match == self.full else "complete"
            sizes = self.sizes
            to = self.full + sizes[0]
            if len(sizes) == 1 and not self.spread and bet + chips > to:
                hand.ask(i, "bet", _usual(call, kind, to), call)
            else:
                hand.ask(i, "bet", (*_staying(call), *self._wagers(i, kind)), call)

    def _no_wager(self, i: int, call: int) -> str:
        """Why player `i` may not wager; empty if he may (`rules.md` 4.1, 4.5, 7.3)."""
        stakes = self.stakes
        able = self.able
        if stakes.cap is not None and self.wagers > stakes.cap:
            if not self.uncapped:
                return CAPPED
        elif stakes.heads_up_uncapped and able.bit_count() <= 2:
            self.uncapped = True  # heads-up before the cap was reached, so it never will be
        bit = 1 << i
        if call > 0:
            if self.match > self.full and self.acted & bit:
                return NOT_REOPENED
            if stakes.no_check_raise and self.checked & bit and not self.called & bit:
                return CHECKED
            if i == self.no_raise:
                return ODD_MAN
        return "" if able & ~bit else NOBODY_LEFT

    def _wagers(self, i: int, kind: Literal["bet", "complete", "raise"]) -> tuple[Option, ...]:
        """The wagers open to player `i`, smallest first; an all-in for less stands for all it cannot reach."""
        hand = self.hand
        all_in = hand.bet[i] + hand.chips[i]
        match = self.stakes.bring_in if self.posting else self.match
        if all_in <= match:
            return ()
        if self.spread:
            least = max(self.full + self.increment, match + 1)
            most = self.full + self.stakes.most
            if most < least:
                return ()  # the force bet is the largest bet
            if all_in <= most:
                return (Option(kind, min(least, all_in), all_in, all_in=True),)
            return (Option(kind, least, most),)
        options: list[Option] = []
        for size in self._sizes(i):
            to = self.full + size
            if to <= match:
                continue
            if all_in <= to:
                options.append(Option(kind, all_in, all_in, all_in=True))
                break
            options.append(Option(kind, to, to))
        return tuple(options)

    def _sizes(self, i: int) -> tuple[int, ...]:
        sizes = self.sizes
        if len(sizes) == 2:
            if self.big_made:
                return sizes[1:]
            if self.stakes.open_pair == "holder" and not _paired(self.hand.up[i]):
                return sizes[:1]
        return sizes

    # -------------------------------------------------------------- decisions

    def act(self, i: int, action: Action, cause: Cause) -> None:
        """Carry out a decision that was offered."""
        hand = self.hand
        chips, bets = hand.chips, hand.bet
        kind = action.kind
        bit = 1 << i
        amount = 0
        if kind == "call":
            amount = min(self.match - bets[i], chips[i])
            self.called |= bit
            self.acted |= bit
        elif kind == "check":
            self.checked |= bit
            self.acted |= bit
        elif kind == "fold":
            hand.order.remove(i)
            self.able &= ~bit
        elif kind == "bring_in":
            amount = self._post(i)
        else:
            assert action.to is not None
            amount = action.to - bets[i]
            self._wager(i, action.to)
        all_in = False
        if amount:
            bets[i] += amount
            hand.put[i] += amount
            chips[i] -= amount
            if not chips[i]:
                all_in = True
                self.able &= ~bit
        self.pending &= ~bit
        hand.emit(ev.Acted(hand.seats[i], kind, amount, bets[i], all_in, cause))

    def _post(self, i: int) -> int:
        """The forced amount; a short stack posts what it has and the price stays (`rules.md` 4.2)."""
        force = self.stakes.bring_in
        self.posting = False
        self.match = force
        if self.spread or force >= self.sizes[0]:
            # In spread limit, and where it is as large as the bet, the force bet is the round's bet (`rules.md` 4.4).
            self.full = force
            self.wagers = 1
        self.pending = self.able
        return min(force, self.hand.chips[i])

    def _wager(self, i: int, to: int) -> None:
        """Raise the amount to match to `to`; a short all-in may not count as full (`rules.md` 4.5)."""
        stakes = self.stakes
        self.posting = False
        step = to - self.full
        unit = self.increment if self.spread else self.sizes[-1 if self.big_made else 0]
        half = stakes.short_allin == "half" if stakes.short_allin else not self.spread
        if step * (2 if half else 1) >= unit:
            if self.spread:
                self.increment = max(step, self.increment)
            elif len(self.sizes) == 2 and step >= self.sizes[1]:
                self.big_made = True
            self.full = to
            self.wagers += 1
            self.acted = 1 << i
        else:
            self.acted |= 1 << i
        self.match = to
        self.pending = self.able
        self.hand.last_aggressor = i

    def after(self, i: int) -> int | None:
        """Whose turn it is after player `i`; None when the round is over."""
        pending = self.pending
        if not pending or len(self.hand.order) == 1:
            return None
        turn = next_of(pending, i)
        if self.hand.bet[turn] >= self.match and self.able.bit_count() < 2:
            return None  # the only one with chips has nothing to call
        return turn


def next_of(players: int, i: int) -> int:
    """The first player of a bit mask clockwise after `i`."""
    behind = players >> i + 1
    if behind:
        return i + (behind & -behind).bit_length()
    return (players & -players).bit_length() - 1


@lru_cache(4096)
def _staying(call: int) -> tuple[Option, ...]:
    return (FOLD, Option("call", amount=call) if call > 0 else CHECK)


@lru_cache(4096)
def _usual(call: int, kind: Literal["bet", "complete", "raise"], to: int) -> tuple[Option, ...]:
    """What a player with plenty of chips may do in fixed limit; the same few options come up all the time."""
    return (*_staying(call), Option(kind, to, to))


def _paired(board: list[int]) -> bool:
    return len({card >> 2 for card in board}) < len(board)
