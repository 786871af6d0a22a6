"""A client in another language, written from docs/protocol.md alone, at a real server."""

import json
import subprocess
from pathlib import Path

import pytest
import trio

from protocol.events import EVENTS
from server.engine.games import GAMES
from tests.js.install import scripts
from tests.server.party import config, running

IN_TIME = 60
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


@pytest.mark.parametrize("game", GAMES)
async def test_a_javascript_client_plays_comes_back_and_leaves(game: str, node: Path, tmp_path: Path) -> None:
    hands = 2
    with trio.fail_after(IN_TIME):
        async with running(config(tmp_path, games=(game,), players=2)) as house:
            (ann,) = await house.seated("Ann")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ann.play, hands)
                done = await trio.run_process(
                    ["node", "client.mjs", str(house.port), str(hands)],
                    cwd=node,
                    capture_stdout=True,
                    capture_stderr=True,
                    check=False,
                )
            assert done.returncode == 0, done.stderr.decode()
            report = json.loads(done.stdout)
            assert report["seat"] == 2
            assert report["hands"] == hands
            assert report["acts"] >= hands
            assert report["rejected"] == []
            assert report["agrees"], "its fold differs from the server's view: " + done.stderr.decode()
            assert report["left"]
            kinds = set(report["kinds"])
            assert EVERY_HAND | ALSO.get(game, set()) <= kinds
            await ann.until(lambda view: not view.seat(2).name)


def test_the_javascript_fold_knows_every_event(node: Path) -> None:
    script = 'import("./view.mjs").then((view) => console.log(JSON.stringify(Object.keys(view.FOLD))))'
    done = subprocess.run(["node", "-e", script], cwd=node, capture_output=True, text=True, timeout=20)
    assert sorted(json.loads(done.stdout)) == sorted(EVENTS)
