"""Real processes: an onlooker's machine has the hands afterwards, offline; another one has switched that off."""

from pathlib import Path

from replays.verify import verify
from tests.client.cli.test_join import LIMIT, free_port, serving, start


def test_fault_82_the_hands_are_on_the_guests_machine_when_the_server_is_gone(tmp_path: Path) -> None:
    off = tmp_path / "off" / "c" / "rollyourown" / "client.toml"
    off.parent.mkdir(parents=True)
    off.write_text("keep_hands = false\n", encoding="utf-8")
    with serving(tmp_path / "host", free_port(), "--game", "stud8") as (_, link):
        guests = {name: start(tmp_path / name, "watch", link, "--plain") for name in ("on", "off")}
        for guest in guests.values():
            assert guest.stdout is not None
            while "you are watching" not in guest.stdout.readline():
                assert guest.poll() is None
        bots = [
            start(tmp_path / name, "bot", link, "--name", name, "--hands", "2", "--pace", "0")
            for name in ("Ada", "Ben")
        ]
        for bot in bots:
            _, err = bot.communicate(timeout=LIMIT)
            assert bot.returncode == 0, err
        ends = {name: guest.communicate("stacks\n", timeout=LIMIT) for name, guest in guests.items()}
    assert "The hands are recorded in" in ends["on"][0], ends
    assert "The hands are recorded in" not in ends["off"][0]
    assert not list((tmp_path / "off").rglob("*.ryo"))
    (path,) = (tmp_path / "on").rglob("*.ryo")
    report = verify(path)
    assert (report.problem, report.hands) == ("", 2)
    listed, err = start(tmp_path / "on", "hands").communicate(timeout=LIMIT)
    assert len(listed.splitlines()) == 2, err
    told, err = start(tmp_path / "on", "replay", "last", "--plain").communicate("", timeout=LIMIT)
    assert "Hand 2" in told, err
    checked, err = start(tmp_path / "on", "verify", str(path)).communicate(timeout=LIMIT)
    assert "without the hidden cards" in checked, err
    assert "2 hands; the chain holds, the chips add up" in checked
