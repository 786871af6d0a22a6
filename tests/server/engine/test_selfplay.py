"""Every game in the list plays itself with random stakes, seats, stacks and all-ins (`tests.support.hand_laws`).

``RYO_THOROUGH=1`` plays ten thousand hands of each game.
"""

import os

import pytest

from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from tests.support.hand_laws import soak

HANDS = 10_000 if os.environ.get("RYO_THOROUGH") else 150


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_game_plays_itself(game: Game) -> None:
    assert soak(HANDS, seed=1, games=[game]) > HANDS * 5
