"""The worth of options: they can be repeated, hidden cards change nothing, and clear cases come out right."""

import random
from collections.abc import Iterator

import pytest

from protocol.actions import Action, refusal
from protocol.cards import cards
from protocol.events import AnyEvent
from protocol.view import hide
from protocol.visibility import project
from replays.hand_reading.reading import Deal, Reading, read_hands
from replays.playout.light_table import LightTable
from replays.playout.playout import PORTION, option_values
from replays.playout.policy import policy_of
from replays.playout.values import OptionValues
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.hand import Hand
from tests.support.engine_table import HOUSE_GAME, PASS_AND_DRAW
from tests.support.hidden_cards import shuffled
from tests.support.random_hands import pick
from tests.support.seen_tables import running_hand

EVERY_GAME = [*GAMES.values(), HOUSE_GAME]


def dealt(game: Game, players: int, deck: list[int]) -> Hand:
    return Hand(game, game.stakes, [(seat, 100) for seat in range(1, players + 1)], players, deck)


def values_at(
    hand: Hand, events: list[AnyEvent], deals: int, dice: random.Random | None = None, clear: float | None = None
) -> OptionValues:
    """The values for the first seat that is asked; with `dice` on a view in which hidden cards are other ones."""
    hero, request = next(iter(hand.requests.items()))
    seat = hand.seats[hero]
    view = running_hand(hand.game, events, PASS_AND_DRAW if hand.game is HOUSE_GAME else "")
    view = hide(view, seat) if dice is None else shuffled(view, dice, seat)
    values = option_values(view, seat, request, [project(event, seat) for event in events], deals=deals, clear=clear)
    assert values is not None
    return values


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_values_are_repeated_and_hidden_cards_change_nothing(game: Game) -> None:
    rng = random.Random(f"law {game.id}")
    deck = list(range(52))
    rng.shuffle(deck)
    hand = dealt(game, 4, deck)
    events = hand.start()
    while not hand.over:
        if rng.random() < 0.25:
            values = values_at(hand, events, 2)
            assert values == values_at(hand, events, 2) == values_at(hand, events, 2, rng)
        hero, request = rng.choice(list(hand.requests.items()))
        events += hand.act(hand.seats[hero], pick(rng, request.options, 0.9))


class AcesAgain:
    """A reading of somebody who has seen no ace, whoever holds one: all four are the next cards."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.opponents = reading.opponents

    def deals(self, count: int) -> Iterator[Deal]:
        for one in self._reading.deals(count):
            yield Deal(one.hidden, [*cards("Ac Ad Ah As"), *[card for card in one.rest if card >> 2 != 12]])


def test_a_card_that_is_dealt_again_does_not_come_to_the_hand_that_holds_it() -> None:
    """Five aces have no strength."""
    for number in range(20):
        deck = list(range(52))
        random.Random(number).shuffle(deck)
        hand = dealt(GAMES["stud8"], 2, deck)
        events = hand.start()
        hero, request = next(iter(hand.requests.items()))
        seat = hand.seats[hero]
        view, seen = hide(running_hand(hand.game, events), seat), [project(event, seat) for event in events]
        aces = AcesAgain(read_hands(view, seat, seen))
        assert option_values(view, seat, request, seen, reading=aces, deals=5) is not None


def test_the_difference_is_paired() -> None:
    fold, call = Action("fold"), Action("call")
    values = OptionValues((fold, call), ((0, 0, 0, 0), (4, 6, 4, 6)))
    assert values.best == call
    chips, error = values.difference(call, fold)
    assert chips == 5
    assert round(error, 3) == 0.577
    assert values.better_than(fold, 3) == call
    assert values.better_than(fold, 10) == fold


def on_seventh_street(stacked: str) -> tuple[Hand, list[AnyEvent]]:
    """Seven-card stud for two, without a bet before the last round. The player who opens that round is asked."""
    first = cards(stacked)
    hand = dealt(GAMES["stud"], 2, [*first, *[card for card in range(52) if card not in first]])
    events = hand.start()
    while hand.street != "seventh street":
        hero, request = next(iter(hand.requests.items()))
        kinds = [option.kind for option in request.options]
        kind = next(kind for kind in ("check", "call", "bring_in") if kind in kinds)
        events += hand.act(hand.seats[hero], Action(kind))
    return hand, events


def test_four_aces_are_not_folded_on_seventh_street() -> None:
    hand, events = on_seventh_street("2c As 2d Ad Ks Ac Kd Ah 7s 7h 8s 9h 4c 4d")
    values = values_at(hand, events, 50)
    assert [option.kind for option in values.options] == ["check", "bet"]
    assert values.chips(Action("check")) > values.error(Action("check")) >= 0


def test_nothing_against_a_bet_from_three_aces_is_folded() -> None:
    hand, events = on_seventh_street("2c Kc 7d Qd 3s Ac 5d Ah 9s As Tc 9h Jh 4d")
    hero, request = next(iter(hand.requests.items()))
    bet = next(option for option in request.options if option.kind == "bet")
    events += hand.act(hand.seats[hero], Action("bet", to=bet.most))
    values = values_at(hand, events, 50)
    assert values.best == Action("fold")
    assert values.difference(Action("fold"), Action("call"))[0] > 0


def test_whoever_only_asks_for_the_best_option_stops_where_it_is_clear() -> None:
    hand, events = on_seventh_street("2c Kc 7d Qd 3s Ac 5d Ah 9s As Tc 9h Jh 4d")
    hero, request = next(iter(hand.requests.items()))
    bet = next(option for option in request.options if option.kind == "bet")
    events += hand.act(hand.seats[hero], Action("bet", to=bet.most))
    whole = values_at(hand, events, 100)
    quick = values_at(hand, events, 100, clear=2.0)
    assert (quick.best, quick.deals % PORTION) == (whole.best, 0)
    assert quick.deals < whole.deals == 100
    assert all(whole.results[place][: quick.deals] == row for place, row in enumerate(quick.results))


@pytest.mark.parametrize(
    ("game", "decision", "most"), [("anaconda", "pass", 4), ("anaconda", "arrange", 4), ("barneys", "arrange", 4)]
)
def test_of_many_ways_to_answer_with_cards_a_few_are_compared(game: str, decision: str, most: int) -> None:
    rng = random.Random(game)
    deck = list(range(52))
    rng.shuffle(deck)
    hand = dealt(GAMES[game], 3, deck)
    events = hand.start()
    while next(iter(hand.requests.values())).decision != decision:
        hero, request = next(iter(hand.requests.items()))
        calm = [option for option in request.options if option.kind not in ("fold", "bet", "raise")]
        events += hand.act(hand.seats[hero], pick(rng, calm, 1))
    hero, request = next(iter(hand.requests.items()))
    values = values_at(hand, events, 2)
    assert 1 < len(values.options) <= most
    assert not any(refusal(request.options, option) for option in values.options)


def test_the_best_low_five_and_the_best_high_five_are_compared_at_bring_em_back() -> None:
    seven = cards("Ah 2d 3c 4s 6h Ad Ac")
    policy = policy_of(GAMES["barneys"])
    table = LightTable(GAMES["barneys"].steps, GAMES["barneys"].stakes, (100, 100), "own_boards")
    high, low = policy.best_hands(table, seven, 5)
    assert {card >> 2 for card in low} == {0, 1, 2, 4, 12}
    assert set(high).issuperset(cards("Ah Ad Ac 6h"))
