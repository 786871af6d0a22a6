"""A data directory that was copied to another machine: the same key, so the same tokens and the same seats."""

import shutil
from pathlib import Path

from client.profile.seat_keys import seat_token
from tests.support.loopback_server import RunningServer, WireClient, config, running

KEY = bytes(32)


async def seat_of(house: RunningServer, name: str) -> WireClient:
    """A player who makes their token as our client does."""
    assert house.server.key is not None
    player = await house.connect(name, seat_token(KEY, house.server.key.fingerprint, house.table.id, name))
    await player.join()
    return player


async def test_a_copied_data_directory_plays_on_with_everybody_in_their_seat(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    async with running(config(old, tls=True, games=("stud8",))) as house:
        players = [await seat_of(house, name) for name in ("Ann", "Ben")]
        await players[0].until(lambda view: view.playing)
        before = players[0].view.copy()
    shutil.copytree(old, new)
    async with running(config(new, tls=True, games=("stud8",))) as house:
        again = [await seat_of(house, name) for name in ("Ann", "Ben")]
        await again[0].until(lambda view: bool(view.seats))
        assert [player.seat for player in again] == [player.seat for player in players]
        assert (again[0].view.hand_id, again[0].view.chips()) == (before.hand_id, before.chips())
        assert again[0].view.seat(again[0].seat).down == before.seat(players[0].seat).down
