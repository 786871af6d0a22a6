"""One random policy for the light table and for the engine, so that both can play the same hand."""

import random
from collections.abc import Sequence

from protocol.actions import WAGERS, Action, Option
from protocol.cards import Card
from protocol.events import ActionRequested
from replays.playout.betting_round import FOLD, STAY
from replays.playout.light_table import LightTable
from server.engine.hand import Hand

Offer = tuple[int, tuple[int, ...]]
"""(chips to call, bounds of the wagers)."""


class AnyAnswers:
    """A policy that answers by chance, and writes down what it was offered and what each player has answered."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.folds = rng.choice((0.02, 0.1, 0.3))
        self.said: dict[int, list[object]] = {}
        self.offers: list[Offer] = []

    def bet(self, table: LightTable, i: int) -> int:
        """Any choice; the opener never folds."""
        betting = table.round
        assert betting is not None
        bet, chips = table.bet[i], table.chips[i]
        sizes = betting.wager_sizes(i, bet, chips, table.board[i])
        owes = 0 if betting.posting else min(chips, betting.match - bet)
        self.offers.append((owes, tuple(sorted(set(sizes)))))
        if self.rng.random() < self.folds and not (betting.posting and i == betting.opener):
            choice = FOLD
        else:
            choice = self.rng.choice([STAY, STAY, *sizes])
        if choice > 0 and betting.spread:
            choice = self.rng.randint(*sizes)
        self._say(i, choice)
        return choice

    def choose(self, table: LightTable, i: int) -> Card:
        """Any hidden card."""
        return self._cards(table, i, 1)[0]

    def pass_on(self, table: LightTable, i: int, count: int) -> tuple[Card, ...]:
        """Any hidden cards."""
        return self._cards(table, i, count)

    def discard(self, table: LightTable, i: int, most: int) -> tuple[Card, ...]:
        """Any hidden cards."""
        return self._cards(table, i, self.rng.randint(0, most))

    def arrange(self, table: LightTable, i: int, keep: int) -> tuple[Card, ...]:
        """Any cards in any order."""
        return self._cards(table, i, keep)

    def declare(self, table: LightTable, i: int) -> str:
        """Any direction."""
        direction = self.rng.choice(("high", "low"))
        self._say(i, direction)
        return direction

    def _cards(self, table: LightTable, i: int, count: int) -> tuple[Card, ...]:
        cards = tuple(self.rng.sample(table.down[i], count))
        self._say(i, cards)
        return cards

    def _say(self, i: int, said: object) -> None:
        self.said.setdefault(i, []).append(said)


def play_engine(hand: Hand, answers: AnyAnswers) -> list[Offer]:
    """Plays the hand on to its end with the answers that were given at the light table; what the engine offered."""
    offers = []
    while not hand.over:
        i, request = next(iter(hand.requests.items()))
        if request.decision == "bet":
            offers.append(_offer(request))
        hand.act(hand.seats[i], _action(request.options, answers.said[i].pop(0)))
    return offers


def _offer(request: ActionRequested) -> Offer:
    wagers = [option for option in request.options if option.kind in WAGERS]
    return request.call, tuple(sorted({to for option in wagers for to in (option.least, option.most)}))


def _action(options: Sequence[Option], said: object) -> Action:
    """The engine's action for what the policy has said."""
    kinds = {option.kind for option in options}
    if isinstance(said, tuple):
        return Action(options[0].kind, cards=said)
    if said == "high" or said == "low":
        return Action("declare", direction=said)
    if said == FOLD:
        return Action("fold")
    if said == STAY:
        return Action(next(kind for kind in ("check", "call", "bring_in") if kind in kinds))
    assert isinstance(said, int)
    return Action(next(kind for kind in ("bet", "complete", "raise") if kind in kinds), to=said)
