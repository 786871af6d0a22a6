"""Real processes over TLS: a server, bots and a person in lines; a server that is killed and comes back."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from replays.verify import verify

LIMIT = 60


def _environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RYO_")}
    return {**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "c"), "XDG_DATA_HOME": str(home / "d")}


_started: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    for process in _started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=10)
    _started.clear()


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """A process of the program with a home of its own; it does not outlive the test."""
    process = subprocess.Popen(
        [sys.executable, "-m", "client", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(home),
    )
    _started.append(process)
    return process


def finish(process: subprocess.Popen[str], typed: str = "") -> tuple[str, str]:
    """What the process wrote to the end; it is killed, and what it wrote is shown, if it does not end in time."""
    try:
        return process.communicate(typed, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate(timeout=10)
        pytest.fail(f"it does not end; it wrote:\n{out[-2000:]}\n{err[-2000:]}")


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def serving(folder: Path, port: int, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and the link that it reads out."""
    server = start(
        folder, "serve", "--bind", "127.0.0.1", "--port", str(port), "--data-dir", str(folder / "server"), *arguments
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line.startswith("ryo join "), server.communicate(timeout=5)
        yield server, line.removeprefix("ryo join ").strip().strip('"')
    finally:
        server.kill()
        server.communicate(timeout=10)


def journal(folder: Path) -> Path:
    (path,) = (folder / "server" / "hands").glob("*.ryo")
    return path


def test_bots_play_over_tls_and_give_their_seats_back(tmp_path: Path) -> None:
    with serving(tmp_path, free_port(), "--game", "razz") as (server, link):
        bots = [
            start(tmp_path / name, "bot", link, "--name", name, "--hands", "3", "--pace", "0")
            for name in ("Ada", "Ben")
        ]
        for name, bot in zip(("Ada", "Ben"), bots, strict=True):
            out, err = finish(bot)
            assert bot.returncode == 0, err
            assert sum("is over" in line for line in out.splitlines()) >= 3
            assert any(line.startswith(f"{name} leaves with ") for line in out.splitlines())
        server.terminate()
        finish(server)
        assert server.returncode == 0
    report = verify(journal(tmp_path))
    assert report.ok, report.problem
    assert report.hands == 3


def test_the_seat_is_kept_and_found_again_without_an_address(tmp_path: Path) -> None:
    with serving(tmp_path, free_port()) as (_, link):
        person = start(tmp_path, "join", link, "--name", "Ann", "--plain", "--chips", "77")
        out, err = finish(person, "stacks\n")
        assert person.returncode == 0, err
        assert "Stacks: Ann 77." in out
        assert out.endswith("Goodbye. Your seat is kept.\n")
        again = start(tmp_path, "join", "--plain")
        out, err = finish(again, "/leave\n/leave\n")
        assert "you are Ann in seat 1" in out, err
        assert again.returncode == 0
        watcher = start(tmp_path, "watch", link, "--plain")
        out, err = finish(watcher, "stacks\n")
        assert "you are watching" in out, err
        assert watcher.returncode == 0


def test_another_name_with_the_same_spelling_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, free_port()) as (_, link):
        first = start(tmp_path / "one", "join", link, "--name", "Ann", "--plain")
        finish(first, "")
        thief = start(tmp_path / "two", "join", link, "--name", "ann", "--plain")
        _, err = finish(thief, "")
        assert thief.returncode == 1
        assert "Traceback" not in err
        assert err.splitlines()[-1].startswith("Error: ")


def test_another_key_under_the_same_address_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "first", port) as (_, link):
        finish(start(tmp_path, "join", link, "--name", "Ann", "--plain"), "")
    with serving(tmp_path / "second", port) as (_, _):
        person = start(tmp_path, "join", f"127.0.0.1:{port}", "--name", "Ann", "--plain")
        _, err = finish(person, "")
        assert person.returncode != 0
        assert "is not the one you know" in err
        old = start(tmp_path, "forget", f"127.0.0.1:{port}")
        finish(old, "")
        assert old.returncode == 0
        person = start(tmp_path, "join", f"127.0.0.1:{port}", "--name", "Ann", "--plain")
        out, err = finish(person, "")
        assert person.returncode == 0, err
        assert "you are Ann in seat 1" in out


@pytest.mark.parametrize("game", ["barneys", "stud8"])
def test_reliability_4_players_come_back_by_themselves_when_a_killed_server_does(game: str, tmp_path: Path) -> None:
    port = free_port()
    hands = 12
    with serving(tmp_path, port, "--game", game) as (server, link):
        bots = [
            start(tmp_path / name, "bot", link, "--name", name, "--hands", str(hands), "--pace", "0.02")
            for name in ("Ada", "Ben")
        ]
        assert bots[0].stdout is not None
        assert "Hand 1 is over" in bots[0].stdout.readline()
        time.sleep(0.2)  # into the middle of a hand
        server.kill()
        server.wait(timeout=10)
    with serving(tmp_path, port, "--game", game):
        for bot in bots:
            out, err = finish(bot)
            assert bot.returncode == 0, err
            assert "Trying to come back ..." in out
            assert f"Hand {hands} is over" in out
            assert "leaves with" in out
    report = verify(journal(tmp_path))
    assert report.ok, report.problem
    assert report.hands == hands
