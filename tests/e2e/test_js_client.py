"""A client in another language, written from docs/protocol.md alone, at a real server."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trio

from protocol.events import EVENTS
from server.engine.games.catalogue import GAMES
from tests.js.install import scripts
from tests.support.limits import LIMIT
from tests.support.loopback_server import config, running

pytestmark = pytest.mark.slow

"""Seconds for the whole test; it takes about two."""

EVERY_HAND = {
    "hand_started", "antes_posted", "cards_dealt", "round_opened", "action_requested", "acted", "pots_gathered",
    "pot_awarded", "hand_ended",
}  # fmt: skip
ALSO = {
    "barneys": {"choice_made", "cards_turned", "brought_back", "declared"},
    "razz": {"cards_turned"},
    "anaconda": {"choice_made", "cards_passed", "brought_back", "declared"},
}


@pytest.fixture
def node(pytestconfig: pytest.Config) -> Path:
    return scripts(pytestconfig.cache.mkdir("js"))


async def client(node: Path, name: str, port: int, hands: int, pin: str = "") -> dict[str, Any]:
    """Runs the JavaScript client to its end; what it reports."""
    command = ["node", "client.mjs", name, str(port), str(hands), pin]
    done = await trio.run_process(command, cwd=node, capture_stdout=True, capture_stderr=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert not done.stderr, done.stderr.decode()
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize("game", GAMES)
async def test_a_javascript_client_plays_comes_back_and_leaves(game: str, node: Path, tmp_path: Path) -> None:
    hands = 2
    with trio.fail_after(LIMIT):
        async with running(config(tmp_path, games=(game,), players=2)) as house:
            (ann,) = await house.seated("Ann")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ann.play, hands)
                report = await client(node, "Jay", house.port, hands)
            assert report["seat"] == 2
            assert report["hands"] == hands
            assert report["acts"] >= hands
            assert report["rejected"] == []
            assert report["agrees"], "its fold differs from the server's view"
            assert report["left"]
            kinds = set(report["kinds"])
            assert EVERY_HAND | ALSO.get(game, set()) <= kinds
            await ann.until(lambda view: not view.seat(2).name)


async def test_two_javascript_clients_play_over_tls_with_the_pinned_certificate(node: Path, tmp_path: Path) -> None:
    with trio.fail_after(LIMIT):
        async with running(config(tmp_path, games=("stud8",), tls=True)) as house:
            assert house.server.key is not None
            pin = house.server.key.fingerprint
            reports: list[dict[str, Any]] = []

            async def one(name: str, pin: str) -> None:
                reports.append(await client(node, name, house.port, 1, pin))

            async with trio.open_nursery() as nursery:
                nursery.start_soon(one, "Jay", pin)
                nursery.start_soon(one, "Kay", pin[:26])
            assert len(reports) == 2
            assert all(report["agrees"] and report["left"] and not report["rejected"] for report in reports)


@pytest.mark.parametrize("pin", ["a" * 52, "", "short"], ids=["another", "none", "too short"])
async def test_a_javascript_client_with_a_wrong_pin_or_without_tls_goes_no_further(
    pin: str, node: Path, tmp_path: Path
) -> None:
    with trio.fail_after(LIMIT):
        async with running(config(tmp_path, tls=True)) as house:
            command = ["node", "client.mjs", "Jay", str(house.port), "1", pin]
            done = await trio.run_process(command, cwd=node, capture_stdout=True, capture_stderr=True, check=False)
            assert done.returncode == 1
            expected = b"another certificate" if pin else b"This server encrypts"
            assert expected in done.stderr
            assert not house.table.state.view.players()


def test_the_javascript_fold_knows_every_event(node: Path) -> None:
    script = 'import("./view.mjs").then((view) => console.log(JSON.stringify(Object.keys(view.FOLD))))'
    done = subprocess.run(["node", "-e", script], cwd=node, capture_output=True, text=True, timeout=LIMIT)
    assert sorted(json.loads(done.stdout)) == sorted(EVENTS)
