"""A betting round: who may do what, and when the round is over (`rules.md` 4).

Two amounts say where a round stands. *Match* is what a player must have in front to stay in. *Full* is the level of the
last full wager: the last bet or raise of at least the size that the limit asks for. The two are equal until somebody
pays less than a full wager, which is either the forced bet or an all-in. That lifts match, because the others must pay
it, and leaves full where it was.

A full wager reopens the betting: all others may raise again, and the next raise counts from it. A short all-in does not
reopen it: a player who has acted since the last full wager may then only call or fold. A player who has not may still
raise, but only *completes* what is short, up to the next full level. How large an all-in must be to count as full is a
rule of the stakes: if they say nothing else, half a bet in fixed limit and the whole least raise in spread limit. It is
measured from full, so that several short all-ins can add up to one that counts (4.5).

The cap counts full wagers, not all-ins for less. Where the stakes say so, it does not hold in a round in which only two
players with chips are left before it is reached (4.1).

The round is over when every player with chips has answered the last wager, whether that was full or not.

All amounts are chips; "to" amounts are what a player has in front afterwards, in this round.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from protocol import events as ev
from protocol.actions import Option
from server.engine.ranking.boards import PAIRED_BOARDS
from server.engine.steps.hand_state import Flow, HandState
from server.engine.steps.opener import Board, Opener

FOLD = Option("fold")
CHECK = Option("check")
NO_CAP = 1 << 29
"""More wagers than a round can have."""

Offer: TypeAlias = tuple[int, int, tuple[Option, ...], str]
"""(chips to call, chips in front and behind that a player must have more of, options, note)."""

_NO_OFFER: Offer = (-1, 0, (), "")

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

    def run(self, hand: HandState) -> Flow | None:
        """Name the opener; the round that waits for the players, or None if there is nothing to bet about."""
        hand.previous_opener = hand.opener
        opener, why = self._opener(hand) if self.odd_man or hand.community else self.opens.designate(hand)
        hand.opener = opener
        hand.last_aggressor = None  # of a street before this one: it does not decide who shows first
        able = hand.able()
        skipped = self._skipped(hand, able)
        if skipped:
            hand.emit(ev.RoundSkipped(hand.street, skipped))
            hand.close_round()
            return None
        betting = BettingRound(hand, self, opener, able)
        actor = opener if hand.chips[opener] else next_of(betting.able, opener)
        hand.emit(ev.RoundOpened(hand.street, hand.seats[opener], hand.seats[actor], why))
        return betting.play(actor)

    def _skipped(self, hand: HandState, able: int) -> str:
        """Why there is nothing to bet about; empty where there is (`rules.md` 1, 7.3)."""
        if able.bit_count() < 2:
            return "no two players have chips left to bet"
        if self.odd_man:
            directions = [hand.declared[i] for i in hand.live if able >> i & 1]
            if max(directions.count("high"), directions.count("low")) < 2:
                return "no two players with chips want the same half"
        return ""

    def _opener(self, hand: HandState) -> tuple[int, str]:
        if self.odd_man and hand.odd_man is not None and hand.odd_man in hand.live:
            return hand.odd_man, f"{{{hand.seats[hand.odd_man]}}} is the odd man and acts first"
        if hand.community and isinstance(self.opens, Board):
            rule = hand.shortage_opener
            if rule == "previous_opener" and hand.previous_opener in hand.live:
                player = hand.previous_opener
                assert player is not None
                return player, f"{{{hand.seats[player]}}} opened the street before"
            return self.opens.designate(hand, community=rule == "with_common")
        return self.opens.designate(hand)


class BettingRound:
    """The state of one round. Sets of players are bit masks.

    Attributes:
        match, full: the amount to match and the level of the last full wager.
        wagers: how many full wagers there were; the first is the bet, later ones are raises.
        cap: raises after which nobody may raise; uncapped: whether it does not hold in this round.
        posting: whether the forced bet is still to be posted.
        increment: the least raise in spread limit.
        size: the size of a wager in fixed limit; sizes: all sizes, smallest first; big_made: whether the big one was
            used; one_size: whether `size` says it all.
        able: who has chips and has not folded.
        acted: who has acted since the last full wager; checked and called: who has done so in this round.
        restricted: whether a rule keeps some players from raising: the one of check-raises, or the one of the odd man;
            no_raise: the odd man.
        offer: what the last player was offered, as long as it is the same for every player who owes as much and has
            chips enough.
    """

    __slots__ = (
        "able", "acted", "big_made", "called", "cap", "checked", "full", "hand", "increment", "match", "no_raise",
        "offer", "one_size", "opener", "posting", "restricted", "seconds", "size", "sizes", "spread",
        "stakes", "uncapped", "wagers",
    )  # fmt: skip

    def __init__(self, hand: HandState, rule: Bet, opener: int, able: int) -> None:
        stakes = hand.stakes
        self.hand = hand
        self.stakes = stakes
        self.seconds = hand.seconds["bet"]
        self.opener = opener
        self.spread = spread = stakes.limit == "spread"
        self.match = self.full = self.wagers = 0
        self.cap = NO_CAP if stakes.cap is None else stakes.cap
        self.posting = rule.bring_in and stakes.bring_in > 0
        # A player who opens for more than the forced bet bets at least that much, whatever the least bet is (4.4).
        self.increment = stakes.bring_in if self.posting else stakes.least
        size = stakes.small if rule.size == "small" else stakes.big
        self.sizes: tuple[int, ...] = (size,)
        self.big_made = False
        if rule.open_pair and stakes.open_pair != "off" and not spread and stakes.small < stakes.big:
            # Looked at once: the option stays for this round even if the pair folds (`rules.md` 4.3).
            paired = not PAIRED_BOARDS.isdisjoint([hand.board[i] for i in hand.live])
            self.sizes = (stakes.small, stakes.big) if paired else self.sizes
        self.size = size
        self.one_size = not spread and len(self.sizes) == 1
        self.no_raise = hand.odd_man if rule.odd_man else None
        self.restricted = stakes.no_check_raise or self.no_raise is not None
        self.able = able
        self.acted = self.checked = self.called = 0
        self.uncapped = False
        self.offer = _NO_OFFER

    # ------------------------------------------------------------------- turns

    def play(self, turn: int) -> Flow:
        """Ask players in turn, from `turn` on, until everybody has acted on the last wager; then gather the bets.

        What each decision does stands here and not in methods: this loop is most of the work of a hand.
        """
        hand = self.hand
        live, seats, chips, bets, put = hand.live, hand.seats, hand.chips, hand.bet, hand.put
        requests, emit, seconds = hand.requests, hand.emit, self.seconds
        match = 0
        pending = self.able
        while True:
            seat, bet, stack = seats[turn], bets[turn], chips[turn]
            owes, reach, options, note = self.offer
            if match - bet == owes and bet + stack > reach:
                request = requests[turn] = ev.ActionRequested(seat, "bet", options, owes, seconds, note)
                emit(request)
            else:
                self.ask(turn)
            _, action, cause = yield
            kind = action.kind
            bit = 1 << turn
            amount = 0
            if kind == "call":
                amount = match - bet
                if amount > stack:
                    amount = stack
                self.acted |= bit
                if self.restricted:
                    self.called |= bit
            elif kind == "check":
                self.acted |= bit
                if self.restricted:
                    self.checked |= bit
            elif kind == "fold":
                live.remove(turn)
                able = self.able = self.able & ~bit
                if able.bit_count() < 3:  # only heads-up does an offer depend on how many are left
                    self.offer = _NO_OFFER
            elif kind == "bring_in":
                amount = self._post(turn)
                match, pending = self.match, self.able
            else:
                match, pending = action.to or 0, self.able
                amount = match - bet
                self._wager(turn, match)
            all_in = False
            if amount:
                bet += amount
                stack -= amount
                bets[turn] = bet
                chips[turn] = stack
                put[turn] += amount
                if not stack:
                    all_in = True
                    self.able &= ~bit
                    self.offer = _NO_OFFER
            emit(ev.Acted(seat, kind, amount, bet, all_in, cause))
            pending &= ~bit
            if not pending or len(live) == 1:
                break
            turn = turn + 1 if pending >> turn + 1 & 1 else next_of(pending, turn)
            if bets[turn] >= match and self.able.bit_count() < 2:
                break  # the only one with chips has nothing to call
        hand.close_round()

    # ----------------------------------------------------------------- options

    def ask(self, i: int) -> None:
        """Request player `i`'s decision with every legal option."""
        hand = self.hand
        if self.posting:
            hand.ask(i, "bet", self._posts(i))
            return
        chips, match, full = hand.chips[i], self.match, self.full
        bet = hand.bet[i]
        all_in = bet + chips
        call = match - bet
        note = self._no_wager(i, call)
        kind: Literal["bet", "complete", "raise"] = "bet" if not match else "raise" if match == full else "complete"
        to = full + self.size
        if all_in > to and self.one_size:
            options = _staying(call) if note else _usual(call, kind, to)
            if match == full and not self.restricted:
                self.offer = (call, to, options, note)
        elif chips <= call:
            options = (FOLD, Option("call", amount=chips, all_in=True))
            call = chips
        elif note:
            options = _staying(call)
        else:
            options = (*_staying(call), *self._wagers(i, kind))
        request = ev.ActionRequested(hand.seats[i], "bet", options, call, self.seconds, note)
        hand.requests[i] = request
        hand.emit(request)

    def _posts(self, i: int) -> tuple[Option, ...]:
        """Post what is forced or open for more; only the opener may not fold."""
        force, chips = self.stakes.bring_in, self.hand.chips[i]
        if self.one_size and chips > self.size > force:
            options = _opening(force, self.size)
        else:
            options = (
                Option("bring_in", amount=min(force, chips), all_in=chips <= force),
                *self._wagers(i, "bet"),
            )
        return options if i == self.opener else (FOLD, *options)

    def _no_wager(self, i: int, call: int) -> str:
        """Why player `i` may not wager; empty if they may (`rules.md` 4.1, 4.5, 7.3)."""
        able = self.able
        bit = 1 << i
        if self.wagers > self.cap:
            if not self.uncapped:
                return CAPPED
        elif able.bit_count() <= 2 and self.stakes.heads_up_uncapped:
            self.uncapped = True  # heads-up before the cap was reached, so it never will be
        if call > 0:
            if self.match > self.full and self.acted & bit:
                return NOT_REOPENED
            if self.restricted:
                if self.stakes.no_check_raise and self.checked & bit and not self.called & bit:
                    return CHECKED
                if i == self.no_raise:
                    return ODD_MAN
        return "" if able != bit else NOBODY_LEFT

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
                return ()  # the forced bet is the largest bet
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
            if self.stakes.open_pair == "holder" and self.hand.board[i] not in PAIRED_BOARDS:
                return sizes[:1]
        return sizes

    # --------------------------------------------------------------- decisions

    def _post(self, i: int) -> int:
        """Post the forced bet; what the player pays. A short stack pays what it has, and the price stays (4.2)."""
        force = self.stakes.bring_in
        self.posting = False
        self.offer = _NO_OFFER
        self.match = force
        if self.spread or force >= self.sizes[0]:
            # In spread limit, and where it is as large as the bet, the forced bet is the round's bet (4.4).
            self.full = force
            self.wagers = 1
        return min(force, self.hand.chips[i])

    def _wager(self, i: int, to: int) -> None:
        """Lift the amount to match to `to`; an all-in that is too short does not count as full (`rules.md` 4.5)."""
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
            self.acted = 1 << i
        else:
            self.acted |= 1 << i
        self.match = to
        self.offer = _NO_OFFER
        self.hand.last_aggressor = i


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


@lru_cache(4096)
def _opening(force: int, to: int) -> tuple[Option, ...]:
    """What the opener with plenty of chips may do in fixed limit."""
    return (Option("bring_in", amount=force), Option("bet", to, to))
