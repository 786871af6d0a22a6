"""A whole server over loopback sockets: hands, comings and goings, the orderly stop."""

from pathlib import Path

from protocol.view import hide
from tests.server.party import config, running

GAMES = ("barneys", "stud8", "razz", "stud", "studhilo", "plainrazz")


async def test_three_players_play_whole_hands_of_every_game(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=GAMES, change="hand", players=3)) as house:
        players = await house.seated("Ann", "Ben", "Cho")
        await house.play(players, hands=6)
        state = house.table.state
        assert state.view.chips() == 300
        assert state.view.hand == 6
        for player in players:
            assert player.view == hide(state.view, player.seat)
