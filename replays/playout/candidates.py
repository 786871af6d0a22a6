"""Which answers to a request are worth playing out."""

from collections.abc import Iterator
from itertools import combinations

from protocol.actions import WAGERS, Action, Option
from protocol.events import ActionRequested


def candidates(request: ActionRequested) -> tuple[Action, ...]:
    """The options of a request with their amounts and cards filled in; empty where there is nothing to play out.

    Nobody folds where checking is free.
    """
    free = any(option.kind == "check" for option in request.options)
    offered = [option for option in request.options if not (free and option.kind == "fold")]
    return tuple([action for option in offered for action in _filled(option)])


def _filled(option: Option) -> Iterator[Action]:
    if option.kind in WAGERS:
        middle = (option.least + option.most) // 2
        for to in sorted({option.least, middle, option.most}):
            yield Action(option.kind, to=to)
    elif option.directions:
        for direction in option.directions:
            yield Action(option.kind, direction=direction)
    elif option.cards:
        cards = [card for card in option.cards if card is not None]
        for chosen in combinations(cards, option.count):
            yield Action(option.kind, cards=chosen)
    elif option.kind != "game":
        yield Action(option.kind)
