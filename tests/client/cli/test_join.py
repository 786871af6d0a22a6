"""Real processes over TLS: a server, bots and a person in lines; a server that is killed and comes back."""

from pathlib import Path

import pytest

from replays.verify import verify
from tests.support.ryo_process import RyoProcesses, address_of, port_of, quick_table

pytestmark = pytest.mark.slow


def journal(folder: Path) -> Path:
    (path,) = (folder / "server" / "hands").glob("*.ryo")
    return path


def test_bots_play_over_tls_and_give_their_seats_back(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path, *quick_table(tmp_path, "razz")) as (server, link):
        bots = {
            name: ryo.start(tmp_path / name, "bot", link, "--name", name, "--hands", "3", "--pace", "0")
            for name in ("Ada", "Ben")
        }
        for name, bot in bots.items():
            assert bot.finish() == 0, bot
            lines = bot.out.splitlines()
            assert sum("is over" in line for line in lines) >= 3
            assert any(line.startswith(f"{name} leaves with ") for line in lines)
        server.popen.terminate()
        assert server.finish() == 0
    report = verify(journal(tmp_path))
    assert report.ok, report.problem
    assert report.hands == 3


def test_the_seat_is_kept_and_found_again_without_an_address(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path) as (_, link):
        person = ryo.run(tmp_path, "join", link, "--name", "Ann", "--plain", "--chips", "77", typed="stacks\n")
        assert person.code == 0, person
        assert "Stacks: Ann 77." in person.out
        assert "Goodbye. Your seat at" in person.out.splitlines()[-1]
        again = ryo.run(tmp_path, "join", "--plain", typed="/leave\n/leave\n")
        assert "you are Ann in seat 1" in again.out, again
        assert again.code == 0
        spectator = ryo.run(tmp_path, "watch", link, "--plain", typed="stacks\n")
        assert "you are watching" in spectator.out, spectator
        assert spectator.code == 0


def test_another_name_with_the_same_spelling_is_refused(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path) as (_, link):
        ryo.run(tmp_path / "one", "join", link, "--name", "Ann", "--plain")
        thief = ryo.run(tmp_path / "two", "join", link, "--name", "ann", "--plain")
        assert thief.code == 1
        assert "Traceback" not in thief.err
        assert thief.err.splitlines()[-1].startswith("Error: ")


def test_another_key_under_the_same_address_is_refused_before_anything_is_sent(
    ryo: RyoProcesses, tmp_path: Path
) -> None:
    with ryo.serving(tmp_path / "first") as (_, link):
        ryo.run(tmp_path, "join", link, "--name", "Ann", "--plain")
    where = address_of(link)
    with ryo.serving(tmp_path / "second", port=port_of(link)):
        person = ryo.run(tmp_path, "join", where, "--name", "Ann", "--plain")
        assert person.code != 0
        assert "is not the one you know" in person.err
        assert ryo.run(tmp_path, "forget", where).code == 0
        person = ryo.run(tmp_path, "join", where, "--name", "Ann", "--plain")
        assert person.code == 0, person
        assert "you are Ann in seat 1" in person.out


@pytest.mark.parametrize("game", ["barneys", "stud8"])
def test_reliability_4_players_come_back_by_themselves_when_a_killed_server_does(
    game: str, ryo: RyoProcesses, tmp_path: Path
) -> None:
    hands = 4
    table = quick_table(tmp_path, game)
    with ryo.serving(tmp_path, *table) as (server, link):
        bots = [
            ryo.start(tmp_path / name, "bot", link, "--name", name, "--hands", str(hands), "--pace", "0.02")
            for name in ("Ada", "Ben")
        ]
        bots[0].line("Hand 1 is over")  # and the next one has begun
        server.kill()
    with ryo.serving(tmp_path, *table, port=port_of(link)):
        for hand in range(2, hands + 1):
            bots[0].line(f"Hand {hand} is over")  # each within the limit: bots take their time on a busy machine
        for bot in bots:
            assert bot.finish() == 0, bot
            assert "Trying to come back ..." in bot.out
            assert f"Hand {hands} is over" in bot.out
            assert "leaves with" in bot.out
    report = verify(journal(tmp_path))
    assert report.ok, report.problem
    assert report.hands == hands
