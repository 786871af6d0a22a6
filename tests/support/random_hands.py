"""Hands by chance: random players, chips, stakes and decks, and random actions among those that are offered."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from protocol.actions import WAGERS, Action, Option
from protocol.cards import DECK, Card, MaybeCard
from protocol.events import Chips, Seat
from protocol.stakes import Limit, Stakes
from server.engine.games.game import Game
from server.engine.hand import Hand


@dataclass(frozen=True)
class Scenario:
    """A hand that can be dealt again and again."""

    game: Game
    stakes: Stakes
    stacks: tuple[tuple[Seat, Chips], ...]
    button: Seat
    deck: tuple[Card, ...]

    def hand(self) -> Hand:
        """The hand, not yet started."""
        return Hand(self.game, self.stakes, self.stacks, self.button, self.deck)


def scenario(rng: random.Random, game: Game) -> Scenario:
    """Random players, chips and stakes with every switch."""
    count = rng.randint(2, game.most_players)
    small = rng.randint(1, 10)
    least = rng.randint(1, 4)
    most = rng.randint(least, 12)
    limit: Limit = rng.choice(("fixed", "fixed", "spread"))
    stakes = Stakes(
        limit=limit,
        ante=rng.randint(0, 4),
        bring_in=rng.randint(0, small if limit == "fixed" else most),
        small=small,
        big=rng.choice((small, small * 2, small * 2 + 1)),
        least=least,
        most=most,
        cap=rng.choice((1, 3, 3, 4, None)),
        heads_up_uncapped=rng.random() < 0.5,
        short_allin=rng.choice((None, "half", "full")),
        open_pair=rng.choice(("off", "any_active", "any_active", "holder")),
        opener_tie=rng.choice(("position", "suit")),
        odd_chip=rng.choice(("position", "suit_robert", "suit_tda")),
        no_check_raise=rng.random() < 0.4,
        invalid_low=rng.choice(("no_low", "ranks_last")),
    )
    if rng.random() < 0.3:
        stakes = game.stakes
    assert stakes.problem() == ""
    rich = rng.choice((5, 30, 200))
    seats = sorted(rng.sample(range(1, 9), count))
    stacks = tuple([(seat, rng.choice((1, 2, rng.randint(1, 15), rng.randint(1, rich), rich))) for seat in seats])
    deck = list(DECK)
    rng.shuffle(deck)
    return Scenario(game, stakes, stacks, rng.randint(1, 8), tuple(deck))


def fill_in(rng: random.Random, option: Option) -> Action:
    """An action that the option admits; for wagers mostly at a bound."""
    match option.kind:
        case "bet" | "complete" | "raise":
            to = rng.choice((option.least, option.most, rng.randint(option.least, option.most)))
            return Action(option.kind, to=to)
        case "choose" | "arrange" | "pass":
            return Action(option.kind, cards=tuple(rng.sample(cards_of(option), option.count)))
        case "discard":
            return Action("discard", cards=tuple(rng.sample(cards_of(option), rng.randint(0, option.count))))
        case "declare":
            return Action("declare", direction=rng.choice(option.directions))
        case _:
            return Action(option.kind)


def cards_of(option: Option) -> list[Card]:
    """The cards among which the option lets a player choose."""
    return known(option.cards)


def pick(rng: random.Random, options: Sequence[Option], calm: float) -> Action:
    """One of the options; folding is rare, and with chance `calm` so is wagering."""
    mild = [option for option in options if option.kind != "fold" or rng.random() < 0.15] or list(options)
    if rng.random() < calm:
        mild = [option for option in mild if option.kind not in WAGERS] or mild
    return fill_in(rng, rng.choice(mild))


def known(row: Sequence[MaybeCard]) -> list[Card]:
    """The cards of a row that are not hidden."""
    return [card for card in row if card is not None]
