"""Simple players without a strategy, for self-play, load tests and other tests.

They need nothing but the request: every option says all that an answer may contain.
"""

import random

from protocol.actions import WAGERS, Action, Option
from protocol.cards import Card
from protocol.events import ActionRequested

PASSIVE_ORDER = ("check", "call", "bring_in", "decline")


def offered_cards(option: Option) -> tuple[Card, ...]:
    """The cards of an option. Raises ValueError if they are hidden, because the request is for another seat."""
    cards = tuple([card for card in option.cards if card is not None])
    if len(cards) != len(option.cards):
        raise ValueError("the cards of this request belong to another seat")
    return cards


def least_action(option: Option) -> Action:
    """The option with the smallest amount, the first cards, the first direction and the first game."""
    kind = option.kind
    if kind in WAGERS:
        return Action(kind, to=option.least)
    if option.cards:
        return Action(kind, cards=offered_cards(option)[: option.count])
    if option.directions:
        return Action(kind, direction=option.directions[0])
    if option.games:
        return Action(kind, game=option.games[0])
    return Action(kind)


def first_option(request: ActionRequested) -> Action:
    """The first option of the list, with the smallest amount."""
    return least_action(request.options[0])


def passive(request: ActionRequested) -> Action:
    """Checks or calls every bet; the first option if there is nothing to check or to call."""
    by_kind = {option.kind: option for option in request.options}
    for kind in PASSIVE_ORDER:
        if kind in by_kind:
            return least_action(by_kind[kind])
    return first_option(request)


def random_legal(request: ActionRequested, random: random.Random) -> Action:
    """A random option with random legal content. Deterministic for a seeded generator."""
    option = random.choice(request.options)
    kind = option.kind
    if kind in WAGERS:
        return Action(kind, to=random.randint(option.least, option.most))
    if option.cards:
        count = random.randint(0, option.count) if kind == "discard" else option.count
        return Action(kind, cards=tuple(random.sample(offered_cards(option), count)))
    if option.directions:
        return Action(kind, direction=random.choice(option.directions))
    if option.games:
        return Action(kind, game=random.choice(option.games))
    return Action(kind)
