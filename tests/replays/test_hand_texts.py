"""Hands as JSON and as Markdown."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from protocol import events as ev
from protocol.cards import card_text
from replays.anonymity import anonymised
from replays.cli.verbs import main
from replays.hand_summaries import summaries
from replays.hand_texts import as_json, as_markdown, finished_hands
from replays.playback import Playback, Viewpoint
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.known_cards import known_cards
from tests.support.paths import DOCS
from tests.support.self_play import played_steps


@pytest.mark.parametrize("game", GAMES)
def test_committed_returned_and_share_make_the_net(game: str) -> None:
    steps = played_steps(3, games=(game,), players=4, hands=6)
    playback = Playback(steps)
    ended = [hand for hand in summaries(steps) if hand.ended is not None and not hand.voided]
    assert [hand.first for hand in ended] == finished_hands(playback)
    for hand in ended:
        told = as_json(playback, hand.first, None)
        assert told["pot"] == hand.pot
        assert {player["seat"]: player["net"] for player in told["players"]} == hand.net
        assert {player["seat"]: player["share"] for player in told["players"] if player["share"]} == hand.won


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewpoint", [None, 2, "all"])
def test_no_card_is_told_that_the_viewpoint_has_not_seen(game: str, viewpoint: Viewpoint) -> None:
    steps = played_steps(8, games=(game,), players=4, hands=1)
    playback = Playback(steps)
    events = [event for step in steps for event in step.events]
    known = {card_text(card) for card in frozenset().union(*known_cards(events, viewpoint))}
    for start in finished_hands(playback):
        for text in (json.dumps(as_json(playback, start, viewpoint)), as_markdown(playback, start, viewpoint)):
            told = set(re.findall(r"(?<![A-Za-z])[2-9TJQKA][cdhs]\b", text))
            assert told <= known
            assert told or viewpoint is None


def test_a_hand_for_a_chat_message() -> None:
    playback = Playback(sample_session.steps())
    text = as_markdown(playback, playback.hands[0], None)
    assert text.startswith("**Hand 1, Stud high-low**, ")
    assert "pot 9" in text.splitlines()[0]
    assert "| Ann | \\[Ks\\] 2c 3c As | ace high | +5 |" in text
    assert "good luck" not in text


def test_nothing_in_a_name_becomes_markdown() -> None:
    rows = [list(row) for row in sample_session.EVENING]
    rows[1] = [ev.PlayerSeated(1, "*A|n_n*", 100)]
    playback = Playback(sample_session.steps(rows))
    assert "| \\*A\\|n\\_n\\* |" in as_markdown(playback, playback.hands[0], None)


def test_no_name_no_chat_and_no_date_is_left_without_names() -> None:
    playback = Playback(anonymised(sample_session.steps()))
    for start in finished_hands(playback):
        text = json.dumps(as_json(playback, start, "all")) + as_markdown(playback, start, "all")
        for secret in ("Ann", "Ben", "Cai", "good luck", "h-1", "h-2", "2026"):
            assert secret not in text
        assert "Player 2" in text


def test_ryo_export_writes_them(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, ["export", *words, "--data-dir", str(tmp_path)])
        assert result.exit_code == 0, result.output
        return result.stdout

    assert [json.loads(row)["id"] for row in run("a.ryo", "--format", "json").splitlines()] == ["h-1", "h-2"]
    assert json.loads(run("last", "--format", "json"))["hand"] == 2
    assert run("h-1", "--format", "markdown").startswith("**Hand 1, ")
    assert "Ann" not in run("a.ryo", "--format", "json", "--anonymise")


@pytest.mark.parametrize(("heading", "keys"), [("| key | value |", 0), ("| key of a player | value |", 1)])
def test_the_page_names_every_key(heading: str, keys: int) -> None:
    playback = Playback(sample_session.steps())
    hand = as_json(playback, playback.hands[0], None)
    rows = (DOCS / "hand-formats.md").read_text().partition(f"\n{heading}\n")[2].partition("\n\n")[0].splitlines()[1:]
    told = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert told == [*(hand["players"][0] if keys else hand)]
