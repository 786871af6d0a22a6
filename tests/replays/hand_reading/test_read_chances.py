"""The chances as others played: those of random cards where nobody has acted, and nothing hidden is looked at."""

import pytest

from protocol import events as ev
from replays.chances.estimate import Estimate
from replays.chances.memory import remember
from replays.chances.spot import spot_of, untold
from replays.hand_reading.read_chances import BATCH, ReadEstimate
from replays.hand_reading.reading import read_hands
from server.engine.games.known_games import game_at
from tests.support.bot_hands import bot_hands
from tests.support.engine_table import GAMES_PLAYED
from tests.support.hidden_law import worlds
from tests.support.spots import Moment


def estimate(moment: Moment, silent: bool = False) -> ReadEstimate | None:
    """None where no chances are told. `silent`: as if nobody had acted."""
    view, seat, game = moment.view, moment.seat, game_at(moment.view)
    memory = remember(moment.events, seat)
    spot = spot_of(view, seat, game, memory)
    if spot is None or game is None or untold(view, game):
        return None
    events = [event for event in moment.events if not (silent and isinstance(event, ev.Acted))]
    return ReadEstimate(spot, read_hands(view, seat, events, memory=memory))


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES_PLAYED))
def test_shuffling_all_hidden_cards_changes_no_number(game: str) -> None:
    for moments in worlds(game):
        seen, everything = [estimate(moment) for moment in moments]
        if seen is not None and everything is not None:
            seen.work()
            everything.work()
            assert seen.numbers() == everything.numbers()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "queen", "chicago"])
def test_where_nobody_has_acted_the_chances_are_those_of_random_cards(game: str) -> None:
    (hand,) = bot_hands(game, 1, 3, "silent")
    until, request = next(hand.decisions())
    moment = Moment(request.seat, hand.view(until, request.seat), tuple(hand.seen(until, request.seat)), request)
    silent = estimate(moment, silent=True)
    assert silent is not None
    for _ in range(30):
        silent.work()
    found, plain = silent.numbers(), Estimate(silent.spot).finish()
    assert found.deals == 30 * BATCH
    assert found.share is not None
    assert plain.share is not None
    assert abs(found.share.value - plain.share.value) < 4 * (found.share.error + plain.share.error)


def test_the_numbers_are_the_same_every_time_and_better_with_more_work() -> None:
    hand = next(one for one in bot_hands("stud8", 9, 4, "again") if one.showdown)
    moments = [
        Moment(request.seat, hand.view(until, request.seat), tuple(hand.seen(until, request.seat)), request)
        for until, request in hand.decisions()
    ]
    one, other = estimate(moments[-1]), estimate(moments[-1])
    assert one is not None
    assert other is not None
    assert not one.begun
    assert one.finish() == other.finish()
    assert one.done
    share = one.numbers().share
    assert share is not None
    assert 0 < share.error < 0.05
