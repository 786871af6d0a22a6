"""Counts a decision by play-outs (`replays.playout`).

The hidden cards of the others are dealt as likely as what they did makes them (`replays.hand_reading`).
"""

from collections.abc import Sequence
from hashlib import blake2b

from client.coach.decisions import Decision
from client.coach.judge import Values
from protocol.actions import WAGERS, Action, Option
from replays.chances.memory import remember
from server.engine.games.hand_words import best_fives

HOLDINGS = 2
"""Holdings that are drawn for each opponent, for each deal. With fewer the error would look smaller than it is."""
LEAST_HOLDINGS = 40
FEW = 8
"""Cards to choose from, one by one, that are all tried."""


def count_options(decision: Decision, deals: int, seed: str, *options: Action) -> Values | None:
    """See `client.coach.judge.ValuesOf`. The deals follow from the hand, the decision and the word `seed`."""
    from replays.hand_reading.reading import read_hands  # these take long to import
    from replays.playout.playout import option_values

    view, seat, events = decision.view, decision.seat, decision.events
    text = f"{view.hand_id} {seat} {decision.number} {seed}".encode()
    number = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
    holdings = max(LEAST_HOLDINGS, HOLDINGS * deals)
    reading = read_hands(view, seat, events, memory=remember(events, seat), holdings=holdings, seed=number)
    compared = tuple(dict.fromkeys([*(options or sensible(decision)), decision.action]))
    return option_values(view, seat, decision.request, events, reading=reading, deals=deals, options=compared)


def sensible(decision: Decision) -> Sequence[Action]:
    """The answers that are compared with the player's own.

    Folding is none where checking is free. Of a bet whose size is free it is the largest. Where many cards can be
    chosen at once, it is the best five of each direction, or what the house bot would choose.
    """
    request = decision.request
    match request.decision:
        case "bet" | "buy":
            free = any(option.kind == "check" for option in request.options)
            return [_filled(option) for option in request.options if not (free and option.kind == "fold")]
        case "declare":
            return [Action("declare", direction=way) for option in request.options for way in option.directions]
        case "choose" if request.options[0].count == 1 and len(request.options[0].cards) <= FEW:
            return [Action("choose", cards=(card,)) for card in request.options[0].cards if card is not None]
        case "arrange":
            return [*_fives(decision), *_of_the_bot(decision)]
        case _:
            return _of_the_bot(decision)


def _filled(option: Option) -> Action:
    return Action(option.kind, to=option.most if option.kind in WAGERS else None)


def _fives(decision: Decision) -> list[Action]:
    option = decision.request.options[0]
    cards = [card for card in option.cards if card is not None]
    fives = best_fives(decision.view, cards).values()
    kept = [tuple([card for card in cards if card in five]) for five in fives]
    return [Action("arrange", cards=five) for five in kept if len(five) == option.count]


def _of_the_bot(decision: Decision) -> list[Action]:
    from client.bots.player import choose_action

    return [choose_action(decision.view, decision.seat, decision.request)]
