"""Our hands in the text format of PokerStars: every line, whatever happened, and only what its reader may know."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocol import commands as cmd
from protocol import events as ev
from protocol.table_rules import GameOffer, TableRules
from protocol.visibility import Viewer
from replays.cli.verbs import main
from replays.playback import steps_as_seen
from replays.pokerstars.words import TITLES
from replays.pokerstars.writer import hand_texts
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.known_cards import Viewpoint, cards_named, known_cards
from tests.support.self_play import SelfPlay, played_steps, short_stacks

HAND = """\
PokerStars Hand #1790000048004:  7 Card Stud Hi/Lo Limit (2/4) - 2026/09/21 14:14:08 UTC [2026/09/21 10:14:08 ET]
Table 'kitchen' 4-max (Play Money) Seat #4 is the button
Seat 1: Ann (32 in chips)
Seat 2: Ben (20 in chips)
Seat 3: Cai (32 in chips)
Seat 4: Dot (116 in chips)
Ann: posts the ante 1
Ben: posts the ante 1
Cai: posts the ante 1
Dot: posts the ante 1
*** 3rd STREET ***
Dealt to Ann [8s]
Dealt to Ben [Kd 5d 6s]
Dealt to Cai [8d]
Dealt to Dot [4c]
Dot: bets 2
Ann: calls 2
Ben: calls 2
Cai: calls 2
*** 4th STREET ***
Dealt to Ann [8s] [Js]
Dealt to Ben [Kd 5d 6s] [3s]
Dealt to Cai [8d] [Kc]
Dealt to Dot [4c] [2h]
Cai: bets 2
Dot: calls 2
Ann: calls 2
Ben: calls 2
*** 5th STREET ***
Dealt to Ann [8s Js] [Jc]
Dealt to Ben [Kd 5d 6s 3s] [7c]
Dealt to Cai [8d Kc] [9c]
Dealt to Dot [4c 2h] [2s]
Ann: bets 4
Ben: calls 4
Cai: folds
Dot: calls 4
*** 6th STREET ***
Dealt to Ann [8s Js Jc] [3c]
Dealt to Ben [Kd 5d 6s 3s 7c] [3d]
Dealt to Dot [4c 2h 2s] [Jd]
Ann: checks
Ben: bets 4
Dot: calls 4
Ann: raises 4 to 8
Ben: calls 4
Dot: calls 4
*** RIVER ***
Dealt to Ben [Kd 5d 6s 3s 7c 3d] [Ad]
Ann: bets 4
Ben: calls 3 and is all-in
Dot: calls 4
*** SHOW DOWN ***
Ann: shows [4s 9s 8s Js Jc 3c Ah] (HI: a pair of jacks)
Ben: shows [Kd 5d 6s 3s 7c 3d Ad] (HI: a pair of threes; LO: 7,6,5,3,A)
Dot: shows [Qh Qc 4c 2h 2s Jd 6h] (HI: two pair, queens and twos)
Dot collected 33 from main pot
Ben collected 32 from main pot
Dot collected 2 from side pot
*** SUMMARY ***
Total pot 67 Main pot 65. Side pot 2. | Rake 0
Seat 1: Ann showed [4s 9s 8s Js Jc 3c Ah] and lost with HI: a pair of jacks
Seat 2: Ben showed [Kd 5d 6s 3s 7c 3d Ad] and won (32) with HI: a pair of threes; LO: 7,6,5,3,A
Seat 3: Cai folded on the 5th Street
Seat 4: Dot showed [Qh Qc 4c 2h 2s Jd 6h] and won (35) with HI: two pair, queens and twos
"""
"""Stud high-low as seat 2 saw it: a player all in, two pots, and a low that takes half of one."""


def test_a_hand_line_by_line() -> None:
    steps = short_stacks("stud8", 13, 4).steps
    assert hand_texts(steps_as_seen(steps, 2)).texts[3] == HAND


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("seed", range(6))
def test_chips_pots_and_results_are_those_of_the_hand(game: str, seed: int) -> None:
    table = short_stacks(game, seed)
    events = [event for step in table.steps for event in step.events]
    texts = iter(hand_texts(steps_as_seen(table.steps, None)).texts)
    for at, event in enumerate(events):
        if isinstance(event, ev.HandStarted):
            text, start = next(texts), at
            for seat, chips in event.stacks:
                assert re.search(rf"^Seat {seat}: \w+ \({chips} in chips\)$", text, re.MULTILINE)
        if isinstance(event, ev.HandEnded):
            awards = [one for one in events[start:at] if isinstance(one, ev.PotAwarded)]
            collected = [int(amount) for amount in re.findall(r"^\w+ collected (\d+) from ", text, re.MULTILINE)]
            assert collected == [amount for award in awards for _, amount in award.winners]
            assert f"\nTotal pot {sum(collected)}" in text
            assert text.endswith("\n")
            pots = {award.pot for award in awards}
            assert text.count(" from side pot") == sum(len(award.winners) for award in awards if award.pot)
            assert ("Main pot" in text) == (len(pots) > 1)
            shown = {one.seat for one in events[start:at] if isinstance(one, ev.HandShown)}
            assert len(re.findall(r": shows \[(?:.. ?){6,7}\] \(", text)) == len(shown)
            assert ("*** SHOW DOWN ***" in text) == bool(shown)
            returned = [one.amount for one in events[start:at] if isinstance(one, ev.BetReturned)]
            assert [int(one) for one in re.findall(r"^Uncalled bet \((\d+)\)", text, re.MULTILINE)] == returned
            assert len(re.findall(r"^Seat \d: \w+ (?:folded|showed|mucked|collected)", text, re.MULTILINE)) == len(
                event.stacks
            )
    assert next(texts, None) is None


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("viewpoint", [None, 2, "all"])
def test_no_card_is_told_that_the_viewpoint_has_not_seen(game: str, viewpoint: Viewpoint) -> None:
    steps = short_stacks(game, 8, 7).steps
    events = [event for step in steps for event in step.events]
    after = known_cards(events, viewpoint)
    ends = [at for at, event in enumerate(events, 1) if isinstance(event, ev.HandEnded)]
    for end, text in zip(ends, hand_texts(steps_as_seen(steps, viewpoint)).texts, strict=True):
        assert cards_named(text) <= after[end]
        if viewpoint == "all":
            assert cards_named(text) == after[end]


@pytest.mark.parametrize("viewer", [None, 1])
def test_cards_that_are_shown_by_choice_and_no_others(viewer: Viewer) -> None:
    table = SelfPlay(1, ("stud",), 2)
    table.hand(trouble=False)
    while any(isinstance(event, ev.HandShown) for event in table.events):
        table = SelfPlay(table.random.randrange(1000), ("stud",), 2, calm=0.2)
        table.hand(trouble=False)
    won = next(event for event in table.events if isinstance(event, ev.PotAwarded)).winners[0][0]
    (text,) = hand_texts(steps_as_seen(table.steps, viewer)).texts
    assert text.count("doesn't show hand") == 1
    down = table.state.view.seat(won).down
    assert down[0] is not None
    table.do(cmd.Show(won, (down[0],)))
    (text,) = hand_texts(steps_as_seen(table.steps, viewer)).texts
    assert "doesn't show hand" not in text
    assert re.search(r": shows \[..\]\n\*\*\* SUMMARY", text)


def test_a_name_means_nothing_in_the_format() -> None:
    rows = [list(row) for row in sample_session.EVENING]
    rows[1] = [ev.PlayerSeated(1, "Ann: folds", 100)]
    rows[2] = [ev.PlayerSeated(2, "[As] 'x'", 100)]
    rows[3] = [ev.PlayerSeated(3, "Ann; folds", 100)]
    text = hand_texts(steps_as_seen(sample_session.steps(rows), None)).texts[0]
    assert "\nSeat 1: Ann; folds (100 in chips)\nSeat 2: (As) ’x’ (100 in chips)\nSeat 3: Ann; folds 2 (100" in text


# -------------------------------------------------------------------- the verb


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_ryo_export(tmp_path: Path) -> None:
    file = sample_session.write(tmp_path / "a.ryo", played_steps(5, ("stud", "barneys", "plainrazz"), hands=6))
    result = run("export", file, "--format", "pokerstars", "--seat", "2")
    assert result.exit_code == 0
    assert result.stderr == "Left out: 2 of Barney's Poker, for which this format has no words.\n"
    assert re.findall(r"^PokerStars Hand #\d+:  (.*) Limit", result.stdout, re.MULTILINE) == [
        *("7 Card Stud", "Razz") * 2
    ]
    assert result.stdout.count("\n\n\nPokerStars Hand #") == 3
    masked = run("export", file, "--format", "pokerstars", "--anonymise").stdout
    assert "Player 4: " in masked
    assert not re.search("Ann|Ben|Cai|Dot|kitchen|2026", masked)


@pytest.mark.parametrize("game", sorted({*GAMES} - {*TITLES}))
def test_games_without_words_name_the_formats_that_have_them(tmp_path: Path, game: str) -> None:
    file = sample_session.write(tmp_path / "a.ryo", played_steps(5, (game,), hands=1))
    result = run("export", file, "--format", "pokerstars")
    assert result.exit_code == 1
    assert GAMES[game].title in result.stderr
    assert "--format phh, json, markdown, html or parquet can hold it" in result.stderr


def test_spread_limit_has_no_words(tmp_path: Path) -> None:
    one = GAMES["stud"]
    stakes = type(one.stakes)(limit="spread", least=1, most=5)
    rules = TableRules(name="House", seats=3, games=(GameOffer("stud", one.title, stakes, 8),), misses=3)
    table = SelfPlay(5, rules, 3)
    table.hand()
    result = run("export", sample_session.write(tmp_path / "a.ryo", table.steps), "--format", "pokerstars")
    assert "Seven-card stud in spread limit" in result.stderr
