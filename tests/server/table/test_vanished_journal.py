"""A journal that is deleted or replaced under a running server stops its table within a hand (fault 97)."""

import os
from pathlib import Path

import pytest
from trio.testing import MockClock

from protocol.wire import messages as msg
from server.storage.filesystem import FileSystem
from tests.support.simulated_server import put_file, settings, simulated_server


@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_fault_97_a_journal_that_vanishes_is_noticed_before_the_next_hand(
    how: str, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(players=2, games=("plainrazz",), change="never")) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.hand == 1)
        path = here.table.journal_path
        before = here.disk.read_all(path)
        if how == "deleted":
            here.disk.unlink(path)
        else:
            put_file(here.disk, path, before)
        await here.play(players, hands=1)
        for player in players:
            last = await player.to_the_end()
            assert isinstance(last, msg.Bye)
            assert last.code == "lost"
        assert here.table.halted == "lost"
        assert here.table.state.view.hand == 1


def test_fault_97_on_a_real_disk_a_file_is_known_by_its_name(tmp_path: Path) -> None:
    fs, path = FileSystem(), str(tmp_path / "journal")
    fd = fs.open_new(path)
    assert fs.is_at(fd, path)
    os.rename(path, tmp_path / "moved")
    assert not fs.is_at(fd, path)
    (tmp_path / "journal").write_bytes(b"another")
    assert not fs.is_at(fd, path)
    os.unlink(path)
    (tmp_path / "journal").symlink_to(tmp_path / "moved")
    assert not fs.is_at(fd, path)
    fs.close(fd)
