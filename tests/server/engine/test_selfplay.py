"""Every game in the list plays itself with random stakes, seats, stacks and all-ins (`tests.support.hand_laws`).

``RYO_THOROUGH=1`` plays ten thousand hands of each game.
"""

import pytest

from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from tests.support.hand_laws import soak
from tests.support.limits import length

HANDS = length(60, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_game_plays_itself(game: Game) -> None:
    assert soak(HANDS, seed=1, games=[game]) > HANDS * 5
