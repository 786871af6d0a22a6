"""What a replay says: nothing that was hidden at the moment it tells of, and all that was not."""

import pytest

from protocol import events as ev
from protocol.journal.records import StepRecord
from replays.narration import asked, describe, story, table_line, where, why
from replays.playback import Playback, Viewpoint
from server.engine.games import catalogue as engine_games
from tests.support import sample_session
from tests.support.known_cards import cards_named, known_cards
from tests.support.limits import length
from tests.support.self_play import played_steps

GAMES = ("barneys", "stud8", "razz")


def everything_said(playback: Playback, viewpoint: Viewpoint) -> str:
    """All texts that a replay can show at its position."""
    view = playback.view(viewpoint)
    told = [line.text for line in story(playback, playback.hand_start() - 1, playback.position, viewpoint)]
    return "\n".join(
        [*told, *describe(view), *asked(view), *why(playback, viewpoint), table_line(view), where(playback, viewpoint)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(engine_games.GAMES))
@pytest.mark.parametrize("viewpoint", [None, 1, 3])
def test_trap_A22_no_card_before_it_is_shown(game: str, viewpoint: Viewpoint) -> None:
    for seed in range(length(1, 2)):
        steps = played_steps(seed, (game,), players=3, hands=2)
        events = [event for step in steps for event in step.events]
        playback = Playback(steps)
        for position, known in enumerate(known_cards(events, viewpoint)):
            playback.goto(position)
            unknown = cards_named(everything_said(playback, viewpoint)) - known
            assert not unknown, (seed, position, unknown)


def test_all_cards_are_told_when_asked_for() -> None:
    steps = played_steps(3, GAMES, players=3, hands=3)
    playback = Playback(steps)
    for start in playback.hands:
        end = playback.hand_end(start)
        told = "\n".join(line.text for line in story(playback, start - 1, end, "all"))
        events = [moment.event for moment in playback.moments(start - 1, end, "all")]
        assert cards_named(told) == known_cards(events, "all")[-1]


def test_the_story_of_pieces_is_the_story_of_the_whole() -> None:
    playback = Playback(sample_session.steps())
    whole = list(story(playback, 0, len(playback), 2))
    pieces = [line for at in range(len(playback)) for line in story(playback, at, at + 1, 2)]
    assert pieces == whole
    assert list(story(playback, 9, 9, 2)) == []


def test_think_time_chat_and_drops_are_on_the_time_line() -> None:
    playback = Playback(sample_session.steps(gap=1500))
    lines = list(story(playback, playback.hands[0] - 1, playback.hands[1] - 1, None))
    texts = [line.text for line in lines]
    assert "Ann brings in 1. (2 s)" in texts
    assert "Ben is disconnected." in texts
    assert "Ben calls 1 (time)." in texts
    assert [line.text for line in lines if line.chat] == ["Ben: good luck"]
    assert [line.at for line in lines] == sorted(line.at for line in lines)
    assert lines[0].at == sample_session.START + 4 * 1500


def test_names_and_chat_cannot_drive_the_terminal() -> None:
    rows: list[list[ev.AnyEvent]] = [
        [ev.TableOpened("kitchen", sample_session.TABLE)],
        [ev.PlayerSeated(1, "\x1b[2JEv\ril\u202e", 100)],
        [ev.Said("\x1b]0;x\x07Ev", "\x1b]52;c;aGk=\x07\u0085look", 1)],
        [ev.HandStarted(1, "h", "stud8", "Stud\x1b[31m", 1, ((1, 100),), sample_session.STAKES)],
    ]
    playback = Playback(sample_session.steps(rows))
    playback.end()
    said = everything_said(playback, None) + "\n".join(line.text for line in story(playback, 0, len(playback), None))
    assert not [char for char in said if char != "\n" and not char.isprintable()]


def test_the_table_in_words() -> None:
    playback = Playback(sample_session.steps())
    playback.goto(playback.hands[0] + 4)  # Ann is asked to bring in
    lines = describe(playback.view(1))
    assert lines[0] == "Hand 1, Stud high-low, Cai deals."
    assert "Seat 1, Ann, 99 chips: [As Ks] 2c, 1 in front." in lines
    assert "Seat 3, Cai (bot), 99 chips: [?? ??] 7h, 1 in front." in lines
    assert lines[-1] == "Ann may bring in 1."
    playback.end()
    over = describe(playback.view(None))
    assert over[0] == "Hand 2, Stud high-low, Ann deals; it is over."
    assert "Seat 3, Cai (bot), 101 chips: [?? ??] Kh, won 3." in over
    playback.goto(3)
    assert describe(playback.view(None)) == ["Seat 1, Ann, 100 chips.", "Seat 2, Ben, 100 chips."]


def test_why_names_the_opener_and_who_acted_for_whom() -> None:
    steps: list[StepRecord] = sample_session.steps()
    playback = Playback(steps)
    playback.goto(playback.hands[0] + 3)
    assert why(playback, None)[0] == "Ann has the lowest card."
    events = sample_session.events()
    late = next(n for n, event in enumerate(events, 1) if isinstance(event, ev.Acted) and event.cause == "timeout")
    playback.goto(late)
    assert why(playback, None)[0] == "The table acted for Ben: the clock ran out."
