"""Real processes: a spectator's machine has the hands afterwards, offline; a second spectator has switched that off."""

from pathlib import Path

import pytest

from replays.verify import verify
from tests.support.ryo_process import RyoProcesses, quick_table

pytestmark = pytest.mark.slow


def test_fault_82_the_hands_are_on_the_players_machine_when_the_server_is_gone(
    ryo: RyoProcesses, tmp_path: Path
) -> None:
    off = tmp_path / "off" / "config" / "rollyourown" / "client.toml"
    off.parent.mkdir(parents=True)
    off.write_text("keep_hands = false\n", encoding="utf-8")
    with ryo.serving(tmp_path / "host", *quick_table(tmp_path, "stud8")) as (_, link):
        spectators = {name: ryo.start(tmp_path / name, "watch", link, "--plain") for name in ("on", "off")}
        for spectator in spectators.values():
            spectator.line("you are watching")
        bots = [
            ryo.start(tmp_path / name, "bot", link, "--name", name, "--hands", "2", "--pace", "0")
            for name in ("Ada", "Ben")
        ]
        for bot in bots:
            assert bot.finish() == 0, bot
        for spectator in spectators.values():
            spectator.finish("stacks\n")
    assert "The hands are recorded in" in spectators["on"].out, spectators["on"]
    assert "The hands are recorded in" not in spectators["off"].out
    assert not list((tmp_path / "off").rglob("*.ryo"))
    (path,) = (tmp_path / "on").rglob("*.ryo")
    report = verify(path)
    assert (report.problem, report.hands) == ("", 2)
    listed = ryo.run(tmp_path / "on", "hands")
    assert len(listed.out.splitlines()) == 2, listed
    told = ryo.run(tmp_path / "on", "replay", "last", "--plain")
    assert "Hand 2" in told.out, told
    checked = ryo.run(tmp_path / "on", "verify", str(path))
    assert "without the hidden cards" in checked.out, checked
    assert "2 hands; the chain holds, the chips add up" in checked.out
