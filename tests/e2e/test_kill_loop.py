"""The real program over TLS, killed in the middle of hands."""

from pathlib import Path

import pytest

from tests.support.kill_loop import kill_loop

pytestmark = pytest.mark.slow


async def test_fault_67_kill_9_while_four_play_through_a_bad_network(tmp_path: Path) -> None:
    """Everything that a client was shown is in the journal, each action once; hands go on where they were."""
    report = await kill_loop(tmp_path, kills=4, seed=67)
    assert report.kills == 4
    assert report.actions > 20, report.line()


@pytest.mark.parametrize("seed", [1])
async def test_fault_1_2_67_kill_9_without_encryption(tmp_path: Path, seed: int) -> None:
    report = await kill_loop(tmp_path, kills=2, seed=seed, tls=False)
    assert report.kills == 2
