"""Playing a light table on, step by step, with a policy that decides for every player.

Each function does what the step of the same name does in `server.engine.steps`.
"""

from collections.abc import Callable
from typing import Any, Protocol

from protocol.cards import Card
from replays.playout.betting_round import FOLD, BettingRound
from replays.playout.light_table import LightTable
from server.engine.steps.betting import Bet, next_of
from server.engine.steps.opener import Board, DoorCard, Opener
from server.engine.steps.vocabulary import Ante, BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Wilds


class Policy(Protocol):
    """Decides for all players. It may look at the cards of player `i`, at all up cards, and at the betting only."""

    def bet(self, table: LightTable, i: int) -> int:
        """`FOLD`, `STAY`, or the chips in front after a wager."""

    def choose(self, table: LightTable, i: int) -> Card:
        """A hidden card to turn up."""

    def pass_on(self, table: LightTable, i: int, count: int) -> tuple[Card, ...]:
        """Hidden cards for a neighbour."""

    def discard(self, table: LightTable, i: int, most: int) -> tuple[Card, ...]:
        """Up to `most` hidden cards."""

    def arrange(self, table: LightTable, i: int, keep: int) -> tuple[Card, ...]:
        """The cards to keep, in the order of rolling."""

    def declare(self, table: LightTable, i: int) -> str:
        """``high`` or ``low``."""


def play_to_the_end(table: LightTable, policy: Policy, hero: int | None = None) -> None:
    """Plays all steps that remain; stops when one player is left, or when `hero` has folded."""
    steps, live = table.steps, table.live
    while len(live) > 1 and table.at < len(steps) and (hero is None or hero in live):
        step = steps[table.at]
        play = _PLAY.get(type(step))
        if play is not None:
            play(table, step, policy, hero)
            table.made = {}
            table.waiting = None
        table.at += 1


# ------------------------------------------------------------------------ cards


def _deal(table: LightTable, step: Deal, policy: Policy, hero: int | None) -> None:
    live, stock = table.live, table.stock
    needed = len(live) * (step.down + step.up)
    table.cards_changed()
    if table.deck_left < needed:
        table.deck_left -= 1
        table.community.append(next(stock[live[0]]))
        return
    table.deck_left -= needed
    for _ in range(step.down):
        for i in live:
            table.down[i].append(next(stock[i]))
    for _ in range(step.up):
        for i in live:
            card = next(stock[i])
            table.show(i, card)
            if step.wild_after is not None:
                follow(table, step.wild_after, card)


def follow(table: LightTable, leader: int, card: Card) -> None:
    """An up card was dealt: the wild rank may change (`rules.md` 20)."""
    always = (leader,) if table.stakes.followed_wild else ()
    if card >> 2 == leader:
        table.wilds, table.wild_next = always, True
    elif table.wild_next:
        table.wilds, table.wild_next = (*always, card >> 2), False
    else:
        table.wilds = table.wilds or always


def _wilds(table: LightTable, step: Wilds, policy: Policy, hero: int | None) -> None:
    table.wilds = step.ranks


def _choose(table: LightTable, step: Choose, policy: Policy, hero: int | None) -> None:
    table.cards_changed()
    if step.together:
        made = table.made
        cards = [(i, made[i][0] if i in made else policy.choose(table, i)) for i in table.live]
        for i, card in cards:
            table.turn_up(i, card)
        return
    for i in choosing_order(table, step) if table.waiting is None else table.waiting:
        table.turn_up(i, table.made[i][0] if i in table.made else policy.choose(table, i))


def choosing_order(table: LightTable, step: Choose) -> list[int]:
    """Who turns a card when, where players choose in turn."""
    live = table.live
    if not all(table.up[i] for i in live):
        return live
    at = live.index(opener_of(table, step.first))
    return live[at:] + live[:at]


def _pass(table: LightTable, step: Pass, policy: Policy, hero: int | None) -> None:
    live, made = table.live, table.made
    steps = {"left": 1, "right": -1, "across": len(live) // 2}[step.to]
    passes = [made[i] if i in made else policy.pass_on(table, i, step.count) for i in live]
    for i, cards in zip(live, passes, strict=True):
        table.down[i] = [card for card in table.down[i] if card not in cards]
    for place, cards in enumerate(passes):
        table.down[live[(place + steps) % len(live)]] += cards
    table.cards_changed()


def _draw(table: LightTable, step: Draw, policy: Policy, hero: int | None) -> None:
    made = table.made
    discards = [made[i] if i in made else policy.discard(table, i, step.most) for i in table.live]
    for i, cards in zip(table.live, discards, strict=True):
        kept = [card for card in table.down[i] if card not in cards]
        table.down[i] = kept + [next(table.stock[i]) for _ in cards]
        table.deck_left -= len(cards)
    table.cards_changed()


def _bring_back(table: LightTable, step: BringBack, policy: Policy, hero: int | None) -> None:
    made = table.made
    if table.waiting is None:
        for i in table.live:
            table.before[i] = table.up[i]
            table.down[i] = table.up[i] + table.down[i]
            table.up[i] = []
            table.board[i] = 0
    for i in table.live if table.waiting is None else table.waiting:
        table.down[i] = list(made[i] if i in made else policy.arrange(table, i, step.keep))
    table.cards_changed()


def _roll(table: LightTable, step: Roll, policy: Policy, hero: int | None) -> None:
    table.cards_changed()
    for i in table.live:
        table.turn_up(i, table.down[i][0])


def _declare(table: LightTable, step: Declare, policy: Policy, hero: int | None) -> None:
    live = table.live
    declared = [table.declared[i] or policy.declare(table, i) for i in live]
    for i, direction in zip(live, declared, strict=True):
        table.declared[i] = direction
    table.cards_changed()
    alone = [i for i, direction in zip(live, declared, strict=True) if declared.count(direction) == 1]
    table.odd_man = alone[0] if step.odd_man and len(alone) == 1 and len(live) > 2 else None


# ---------------------------------------------------------------------- betting


def _ante(table: LightTable, step: Ante, policy: Policy, hero: int | None) -> None:
    for i in table.live:
        amount = min(table.stakes.ante, table.chips[i])
        table.chips[i] -= amount
        table.put[i] += amount


def _bet(table: LightTable, step: Bet, policy: Policy, hero: int | None) -> None:
    if table.round is None:
        previous, able = table.opener, table.able()
        opener = table.opener = _bet_opener(table, step, previous)
        if able.bit_count() < 2 or (step.odd_man and not _contested(table, able)):
            return
        boards = [table.board[i] for i in table.live]
        table.round = BettingRound(step, table.stakes, opener, able, boards, table.odd_man)
        table.turn = opener if table.chips[opener] else next_of(able, opener)
        table.pending = able
    while table.pending:
        turn = table.turn
        if not take(table, turn, policy.bet(table, turn)) or (turn == hero and hero not in table.live):
            break
    close_round(table)


def take(table: LightTable, i: int, choice: int) -> bool:
    """Player `i`, whose turn it is, makes a choice; whether the round goes on, with the next player's turn."""
    betting = table.round
    assert betting is not None
    chips, bets = table.chips, table.bet
    match, posting = betting.match, betting.posting
    amount = betting.act(i, choice, bets[i], chips[i])
    if choice == FOLD:
        table.live.remove(i)
    elif amount:
        bets[i] += amount
        chips[i] -= amount
        table.put[i] += amount
    able = betting.able
    pending = able if betting.match != match or (posting and choice != FOLD) else table.pending
    pending = table.pending = pending & ~(1 << i)
    if not pending or len(table.live) == 1:
        return False
    table.turn = turn = next_of(pending, i)
    return not (bets[turn] >= betting.match and able.bit_count() < 2)


def close_round(table: LightTable) -> None:
    """The bets are in the pot."""
    if table.round is not None and table.round.aggressor is not None:
        table.led = table.round.aggressor
    table.round = None
    table.pending = 0
    table.bet = [0] * len(table.bet)


def _contested(table: LightTable, able: int) -> bool:
    """Whether two players with chips want the same half (`rules.md` 7.3)."""
    directions = [table.declared[i] for i in table.live if able >> i & 1]
    return max(directions.count("high"), directions.count("low")) > 1


def _bet_opener(table: LightTable, step: Bet, previous: int | None) -> int:
    if step.odd_man and table.odd_man is not None and table.odd_man in table.live:
        return table.odd_man
    if table.community and isinstance(step.opens, Board):
        if table.shortage_opener == "previous_opener" and previous in table.live:
            assert previous is not None
            return previous
        return opener_of(table, step.opens, with_common=table.shortage_opener == "with_common")
    return opener_of(table, step.opens)


def opener_of(table: LightTable, rule: Opener, *, with_common: bool = False) -> int:
    """The player whom the rule names (`server.engine.steps.opener`)."""
    live, up = table.live, table.up
    if isinstance(rule, DoorCard):
        pick = min if rule.lowest else max
        return pick(live, key=lambda i: rule.place(up[i][-1]))
    if not isinstance(rule, Board):
        return live[0]
    if with_common:
        strengths = [rule.with_common([*up[i], *table.community]) for i in live]
    else:
        strengths = [rule.strength(table.board[i]) for i in live]
    best = max(strengths)
    if table.stakes.opener_tie == "suit" and strengths.count(best) > 1:
        tied = [i for i, own in zip(live, strengths, strict=True) if own == best]
        return max(tied, key=lambda i: max(map(rule.place, up[i])))
    return live[strengths.index(best)]


_PLAY: dict[type, Callable[[LightTable, Any, Policy, int | None], None]] = {
    Ante: _ante, Deal: _deal, Wilds: _wilds, Choose: _choose, Pass: _pass, Draw: _draw, BringBack: _bring_back,
    Roll: _roll, Declare: _declare, Bet: _bet,
}  # fmt: skip
"""The showdown is not among them: `payouts` has it."""
