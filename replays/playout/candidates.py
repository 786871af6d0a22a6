"""Which answers to a request are worth playing out.

To play an answer out costs much more than to look at it. So where there are many ways to answer with cards, each is
judged by what the hand is worth then, and only a few are left.
"""

from collections.abc import Iterator
from itertools import combinations

from protocol.actions import WAGERS, Action, Option
from protocol.cards import Card
from protocol.events import ActionRequested
from replays.playout.light_table import LightTable
from replays.playout.policy import QuickPolicy

PASSES = 4
"""Ways of passing or discarding cards that are played out."""


def candidates(request: ActionRequested, table: LightTable, hero: int, policy: QuickPolicy) -> tuple[Action, ...]:
    """The answers worth a thought, with their amounts and cards; empty where there is nothing to play out.

    Where checking is free nobody folds; where the amount is free, it is the least or the most.
    """
    free = any(option.kind == "check" for option in request.options)
    found: list[Action] = []
    for option in request.options:
        if option.kind in WAGERS:
            found += [Action(option.kind, to=to) for to in sorted({option.least, option.most})]
        elif option.directions:
            found += [Action(option.kind, direction=direction) for direction in option.directions]
        elif option.cards:
            found += [Action(option.kind, cards=cards) for cards in _cards(option, table, hero, policy)]
        elif option.kind != "game" and not (free and option.kind == "fold"):
            found.append(Action(option.kind))
    return tuple(dict.fromkeys(found))


def _cards(option: Option, table: LightTable, hero: int, policy: QuickPolicy) -> Iterator[tuple[Card, ...]]:
    offered = [card for card in option.cards if card is not None]
    match option.kind:
        case "choose":
            yield from combinations(offered, option.count)
        case "arrange":
            for kept in policy.best_hands(table, offered, option.count):
                known_first = policy.order(table, hero, kept)
                yield known_first
                yield known_first[::-1]
        case _:
            sizes = range(option.count + 1) if option.kind == "discard" else [option.count]
            ways = [given for size in sizes for given in combinations(offered, size)]
            ways.sort(key=lambda given: policy.worth_without(table, hero, given), reverse=True)
            yield from ways[:PASSES]
