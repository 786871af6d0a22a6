"""The end of a play-out: who gets which chips (`server.engine.steps.showdown`)."""

from collections.abc import Sequence

from replays.playout.light_table import LightTable
from server.engine.ranking.strength import ace_to_six_fallback
from server.engine.ranking.wild_cards import high_with_wilds
from server.engine.steps.pots import build_pots, shares
from server.engine.steps.showdown import SPADES, VALID, Showdown, best_of


def payouts(table: LightTable, showdown: Showdown) -> list[int]:
    """The chips that each player gets out of the pots, when all steps are played or one player is left."""
    won = [0] * len(table.put)
    live = table.live
    if len(live) == 1:
        won[live[0]] = sum(table.put)
        return won
    highs, seconds = _highs(table, showdown), _seconds(table, showdown)
    two_ways = showdown.high is not None and (showdown.low is not None or showdown.spade)
    for amount, players in build_pots(table.put, live):
        high, second = best_of(highs, players), best_of(seconds, players)
        if not high and not second:
            # All went low and nobody has a low: the whole order decides (`rules.md` 7.4).
            second = best_of({i: ace_to_six_fallback(table.holding(i)) for i in players}, players)
        if two_ways and high and second and high != second:
            half = amount // 2
            _pay(won, amount - half, high)
            _pay(won, half, second)
        else:
            _pay(won, amount, high or second)
    return won


def _pay(won: list[int], amount: int, winners: Sequence[int]) -> None:
    if len(winners) == 1:
        won[winners[0]] += amount
        return
    for i, part in zip(winners, shares(amount, winners), strict=True):
        won[i] += part


def _highs(table: LightTable, showdown: Showdown) -> dict[int, int]:
    if showdown.high is None:
        return {}
    strength, wilds = showdown.high.strength, table.wilds
    players = [i for i in table.live if table.declared[i] != "low"]
    if not wilds:
        return {i: strength(table.holding(i)) for i in players}
    hands = {i: table.holding(i) for i in players}
    return {i: high_with_wilds(cards, [card for card in cards if card >> 2 in wilds]) for i, cards in hands.items()}


def _seconds(table: LightTable, showdown: Showdown) -> dict[int, int]:
    """The lows, or the spades in the hole, of the players who have one."""
    if showdown.spade:
        return {i: max([card + 1 for card in table.down[i] if card & 3 == SPADES], default=0) for i in table.live}
    lows: dict[int, int] = {}
    if showdown.low is None:
        return lows
    strength_of = showdown.low.strength
    for i in table.live:
        declared = table.declared[i]
        if declared == "high":
            continue
        cards = table.holding(i)
        strength = strength_of(cards)
        if strength:
            lows[i] = strength + VALID
        elif declared and table.stakes.invalid_low == "ranks_last":
            lows[i] = ace_to_six_fallback(cards)
    return lows
