"""`ryo join` where every seat is taken."""

from pathlib import Path

import pytest

from tests.support.ryo_process import RyoProcesses, address_of

pytestmark = pytest.mark.slow


def test_a_guest_watches_a_full_table_and_sits_down_when_somebody_leaves(ryo: RyoProcesses, tmp_path: Path) -> None:
    settings = tmp_path / "two.toml"
    settings.write_text('[[table]]\nid = "main"\nseats = 2\nstart = 600.0\n')
    with ryo.serving(tmp_path, "--config", str(settings)) as (_, link):
        seated = {}
        for name in ("Ann", "Ben"):
            seated[name] = ryo.start(tmp_path / name, "join", link, "--plain", "--name", name)
            seated[name].line(f"you are {name} in seat")
        cai = ryo.start(tmp_path / "Cai", "join", address_of(link), "--plain", "--name", "Cai")
        cai.line("you watch, and are number 1 on the waiting list")
        seated["Ann"].type("/leave\n/leave\n")
        cai.line("you are Cai in seat 1")
