"""The light table against the engine: the same cards and the same answers give the same offers and the same chips."""

import random

import pytest
from msgspec.structs import replace

from protocol.events import AnyEvent, ChoiceMade
from protocol.view import hide
from protocol.visibility import project
from replays.playout.light_table import LightTable
from replays.playout.payout import payouts
from replays.playout.playing import play_to_the_end
from replays.playout.position import Position
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import load_game
from server.engine.hand import Hand
from tests.support.engine_table import HOUSE_GAME
from tests.support.house_games import GRANDPAS
from tests.support.light_answers import AnyAnswers, play_engine
from tests.support.random_hands import Scenario, pick, scenario
from tests.support.seen_tables import running_hand

EVERY_GAME = [*GAMES.values(), HOUSE_GAME, load_game(GRANDPAS)]


def by_position(dealt: Scenario) -> Scenario:
    """The same hand where odd chips go by position, as they always do at a light table."""
    stakes = replace(dealt.stakes, odd_chip="position")
    return Scenario(dealt.game, stakes, dealt.stacks, dealt.button, dealt.deck)


def finished(table: LightTable, game: Game, answers: AnyAnswers) -> list[int]:
    """Plays a light table to the end; the stacks then."""
    play_to_the_end(table, answers)
    return [mine + won for mine, won in zip(table.chips, payouts(table, game.showdown), strict=True)]


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_the_light_table_pays_as_the_engine_does(game: Game) -> None:
    rng = random.Random(f"light {game.id}")
    for _ in range(25):
        dealt = by_position(scenario(rng, game))
        hand = dealt.hand()
        chips = dict(dealt.stacks)
        table = LightTable(game.steps, dealt.stakes, [chips[seat] for seat in hand.seats], game.shortage_opener)
        table.stock = [iter(dealt.deck)] * len(chips)
        answers = AnyAnswers(rng)
        stacks = finished(table, game, answers)
        hand.start()
        assert play_engine(hand, answers) == answers.offers
        assert hand.chips == stacks


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_position_from_what_a_seat_saw_goes_on_as_the_engine_does(game: Game) -> None:
    rng = random.Random(f"position {game.id}")
    for _ in range(25):
        dealt = by_position(scenario(rng, game))
        hand = dealt.hand()
        events = hand.start()
        for _ in range(rng.randint(0, 40)):
            if hand.over:
                break
            seat = hand.seats[rng.choice(list(hand.requests))]
            index = hand.index[seat]
            ahead = pick(rng, hand.requests[index].options, 0.7)
            if len(hand.live) == 2 and ahead.kind == "fold":
                continue
            events += hand.act(seat, ahead)
        if hand.over or isinstance(events[-1], ChoiceMade):
            continue  # over, or some have chosen in secret already: they would choose again at the light table
        _goes_on(hand, game, events, rng)


def _goes_on(hand: Hand, game: Game, events: list[AnyEvent], rng: random.Random) -> None:
    hero = next(iter(hand.requests))
    seat = hand.seats[hero]
    seen = [project(event, seat) for event in events]
    view = hide(running_hand(game, events), seat)
    position = Position(view, seat, hand.requests[hero], seen, game)
    table = position.table
    for i in hand.live:
        if i == hero:
            assert table.down[i] == hand.down[i]
        table.down[i] = hand.down[i][:]
    table.stock = [iter(hand.deck[hand.position :])] * len(hand.seats)
    assert (table.chips, table.live, table.deck_left) == (hand.chips, hand.live, 52 - hand.position)
    answers = AnyAnswers(rng)
    stacks = finished(table.copy(), game, answers)
    assert play_engine(hand, answers) == answers.offers
    assert hand.chips == stacks
