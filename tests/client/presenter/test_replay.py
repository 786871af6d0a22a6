"""The replay without a terminal: keys, autoplay by a clock of our own, and no secret on any screen."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.display.text_cells import line_width, plain
from client.display.theme import Theme
from client.presenter.replay import ReplayPresenter
from client.presenter.replay_chances import ReplayChances, worth_lines
from client.presenter.replay_commands import REPLAY_COMMANDS
from protocol import events as ev
from protocol.journal.records import StepRecord
from replays.navigator import Navigator
from replays.playback import Playback, Viewpoint
from replays.recording import open_recording
from tests.support import sample_session
from tests.support.known_cards import cards_named, known_cards
from tests.support.seated_presenter import RecordingTerminal
from tests.support.self_play import played_steps


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(tmp_path: Path, viewpoint: Viewpoint = None) -> Navigator:
    """The sample session, at its first hand."""
    recording = open_recording(sample_session.write(tmp_path / "a.ryo"))
    playback = Playback(recording.steps)
    playback.goto(playback.hands[0])
    return Navigator(recording, playback, viewpoint)


def presented(navigator: Navigator, clock: Clock | None = None) -> ReplayPresenter:
    """The presenter of a replay, without a terminal."""
    return ReplayPresenter(navigator, RecordingTerminal(), Theme(), clock or Clock())


def shown(presenter: ReplayPresenter, columns: int = 80, rows: int = 24) -> str:
    """The screen as text."""
    return "\n".join(plain(line) for line in presenter.lines(columns, rows))


def test_arrows_brackets_home_and_end(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    presenter, playback = presented(navigator), navigator.playback
    first, second = playback.hands
    street_before = playback.streets[playback.streets.index(second) - 1]
    for key, position in [
        ("right", first + 1), ("right", first + 2), ("left", first + 1), ("]", first + 2), ("down", second),
        ("up", first), ("end", len(playback)), ("up", second), ("[", street_before),
        ("home", 1), ("left", 1), ("l", 2), ("h", 1),
    ]:  # fmt: skip
        presenter.press(key)
        assert (key, playback.position) == (key, position)


def test_the_screen_says_where_it_is(tmp_path: Path) -> None:
    presenter = presented(opened(tmp_path))
    presenter.press("right")
    text = shown(presenter)
    assert f"event 6 of {len(sample_session.events())} · hand 1 step 2" in text
    assert "seen by a spectator" in text
    assert "Everybody antes 1; the pot is 3." in text
    assert "Third street" not in text  # the future stays out of the story


def test_views_by_digit_and_by_v_and_all_cards(tmp_path: Path) -> None:
    presenter = presented(opened(tmp_path))
    for _ in range(2):
        presenter.press("right")
    assert "│░░│░░│ │2c│" in shown(presenter)
    presenter.press("1")
    assert "│As │Ks │ │2c │" in shown(presenter)
    assert "░░ ░░  9h" in shown(presenter)
    presenter.press("v")
    assert "│Qd │Qh │ │9h │" in shown(presenter)
    presenter.press("x")
    text = shown(presenter)
    assert "│As│Ks│ │2c│" in text
    assert "│7c│7d│ │7h│" in text
    assert "all cards shown" in text
    presenter.press("x")
    assert "│7c│7d│ │7h│" not in shown(presenter)
    presenter.press("0")
    assert "seen by a spectator" in shown(presenter)
    presenter.press("8")
    assert "Nobody sits in seat 8." in shown(presenter)


def test_go_to_takes_the_keys_until_enter_or_escape(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    presenter = presented(navigator)
    presenter.press("g")
    for char in "hand 2x":
        presenter.press(char)
    presenter.press("backspace")
    assert "Go to event, or hand N step N: hand 2_" in shown(presenter)
    presenter.press("enter")
    assert navigator.playback.position == navigator.playback.hands[1]
    assert not navigator.everything  # the x was text
    for key in ["g", "7", "escape"]:
        presenter.press(key)
    assert navigator.playback.position == navigator.playback.hands[1]
    for key in ["g", "9", "9", "9", "enter"]:
        presenter.press(key)
    assert f"There are {len(sample_session.events())} events." in shown(presenter)


def test_autoplay_goes_by_the_clock(tmp_path: Path) -> None:
    clock = Clock()
    navigator = opened(tmp_path)
    presenter, playback = presented(navigator, clock), navigator.playback
    first = playback.hands[0]
    assert not presenter.beat()
    presenter.press("space")
    assert "playing, normal" in shown(presenter)
    assert not presenter.beat()
    clock.now += 1.6
    assert presenter.beat()
    assert playback.position == first + 1
    assert not presenter.beat()
    presenter.press("+")
    clock.now += 0.8
    assert presenter.beat()
    assert playback.position == first + 2
    presenter.press("space")
    clock.now += 60
    assert not presenter.beat()
    assert "Paused." in shown(presenter)


def test_autoplay_does_not_stand_at_what_cannot_be_seen(tmp_path: Path) -> None:
    clock = Clock()
    navigator = opened(tmp_path)
    presenter = presented(navigator, clock)
    navigator.playback.goto(navigator.playback.hands[0] + 3)
    presenter.press("space")
    clock.now += 2
    presenter.beat()
    assert navigator.playback.position == navigator.playback.hands[0] + 5  # over the request to the action


def test_autoplay_ends_with_the_recording(tmp_path: Path) -> None:
    clock = Clock()
    navigator = opened(tmp_path)
    presenter = presented(navigator, clock)
    navigator.playback.goto(len(navigator.playback) - 2)
    presenter.press("space")
    for _ in range(10):
        clock.now += 5
        presenter.beat()
    assert not navigator.playing
    assert "This is the end of what has been recorded." in shown(presenter)
    presenter.press("space")  # once more: the hand from its start
    assert navigator.playing
    assert navigator.playback.position == navigator.playback.hands[1]


def test_autoplay_follows_a_running_game(tmp_path: Path) -> None:
    whole = sample_session.write(tmp_path / "whole.ryo").read_bytes()
    growing = tmp_path / "a.ryo"
    growing.write_bytes(whole[: len(whole) // 2])
    recording = open_recording(growing)
    clock = Clock()
    navigator = Navigator(recording, Playback(recording.steps))
    navigator.playback.end()
    assert navigator.view.playing
    presenter = presented(navigator, clock)
    presenter.press("space")
    before = navigator.playback.position
    clock.now += 5
    presenter.beat()
    assert (navigator.playing, navigator.playback.position) == (True, before)
    growing.write_bytes(whole)
    for _ in range(3):
        clock.now += 5
        presenter.beat()
    assert navigator.playback.position > before


def test_why_and_help_lie_over_the_story(tmp_path: Path) -> None:
    presenter = presented(opened(tmp_path))
    for _ in range(3):
        presenter.press("right")
    presenter.press("w")
    assert "Ann has the lowest card." in shown(presenter)
    presenter.press("?")
    for columns in (80, 100, 130):
        text = shown(presenter, columns, 48)
        for command in REPLAY_COMMANDS:
            assert not command.keys or command.text in text
    presenter.press("escape")
    assert "Everybody antes" in shown(presenter)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (46, 12), (20, 5)])
def test_trap_A22_no_screen_of_a_spectator_holds_a_hidden_card(tmp_path: Path, columns: int, rows: int) -> None:
    recording = open_recording(sample_session.write(tmp_path / "a.ryo", played_steps(4, players=4)))
    playback = Playback(recording.steps)
    events = [event for step in recording.steps for event in step.events]
    presenter = presented(Navigator(recording, playback))
    playback.start()
    known = known_cards(events, None)
    seen = 0
    while True:
        text = shown(presenter, columns, rows)
        lines = presenter.lines(columns, rows)
        assert [line_width(line) for line in lines] == [columns] * rows
        found = cards_named(text)
        seen += len(found)
        assert not found - known[playback.position], text
        if playback.position == len(events):
            break
        presenter.press("right")
    assert seen > 0 or columns < 46


def test_the_keys_for_decisions_go_to_those_of_the_seat_that_sees_it(tmp_path: Path) -> None:
    navigator = opened(tmp_path, 2)
    presenter, playback = presented(navigator), navigator.playback
    found = []
    while not presenter.state.note:
        presenter.press(".")
        found.append(playback.position)
    asked = [
        at + 1
        for at, event in enumerate(event for step in sample_session.steps() for event in step.events)
        if isinstance(event, ev.ActionRequested) and event.seat == 2
    ]
    assert found[:-1] == asked
    assert presenter.state.note == "There is no later decision here."
    for position in reversed(asked[:-1]):
        presenter.press(",")
        assert playback.position == position
    presenter.press(",")
    assert "There is no earlier decision here." in shown(presenter)
    navigator.look_as(None)
    presenter.press(".")
    assert playback.position < asked[1], "a spectator goes to anybody's decision"


def typed(presenter: ReplayPresenter, text: str) -> None:
    for char in text:
        presenter.press("space" if char == " " else char)
    presenter.press("enter")


def test_searching_goes_to_the_next_place_and_round_the_end(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    presenter, playback = presented(navigator), navigator.playback
    presenter.press("/")
    assert "Search for: _" in shown(presenter)
    typed(presenter, "GOOD luck")
    first = playback.position
    assert "good luck" in shown(presenter)
    presenter.press("/")
    typed(presenter, "good luck")
    assert playback.position == first, "there is no other place"
    presenter.press("/")
    typed(presenter, "no such words")
    assert "'no such words' is not in this recording." in shown(presenter)
    presenter.press("/")
    presenter.press("escape")
    assert playback.position == first


def test_a_search_finds_nothing_that_the_reader_may_not_see(tmp_path: Path) -> None:
    navigator = opened(tmp_path, 1)  # Ann, who holds the king of spades
    navigator.playback.goto(1)
    assert navigator.search("As Ks") == ""
    spectator = opened(tmp_path)
    assert spectator.search("As Ks") == "'As Ks' is not in this recording."


def test_marks_and_notes_stand_where_they_were_made_and_in_no_recording(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    presenter, before = presented(navigator), (tmp_path / "a.ryo").read_bytes()
    presenter.press("right")
    presenter.press("n")
    typed(presenter, "Ben calls  too much")
    presenter.press("m")
    assert "marked; note: Ben calls too much" in shown(presenter)
    presenter.press("right")
    assert "note:" not in shown(presenter)
    assert "marked" in shown(presenter)
    again = presented(opened(tmp_path))
    again.press("right")
    assert "marked; note: Ben calls too much" in shown(again)
    again.press("n")
    assert "Note at this step: Ben calls too much_" in shown(again)
    for _ in range(30):
        again.press("backspace")
    again.press("enter")
    again.press("m")
    assert "note:" not in shown(again)
    again.press("down")
    assert "marked" not in shown(again)
    assert (tmp_path / "a.ryo").read_bytes() == before


def test_a_damaged_file_of_notes_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("{nonsense")
    presenter = presented(opened(tmp_path))
    assert "is damaged, and is left as it is" in " ".join(shown(presenter).split())
    presenter.press("m")
    assert "is damaged" in shown(presenter)
    assert (tmp_path / "notes.json").read_text() == "{nonsense"


def test_a_step_that_tells_nothing_says_so(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    presenter, playback = presented(navigator), navigator.playback
    silent = 0
    while playback.position < len(playback):
        before = [line.text for line in presenter.state.story]
        presenter.press("right")
        screen = shown(presenter)
        if [line.text for line in presenter.state.story] == before:
            silent += 1
            assert presenter.state.note, screen
    assert silent


def test_blind_tells_nothing_of_what_is_to_come(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    assert f"of {len(navigator.playback)}" in shown(presented(navigator))
    navigator.blind = True
    assert f"of {len(navigator.playback)}" not in shown(presented(navigator))


def test_a_hand_is_written_as_it_is_seen(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    asked: list[int] = []

    def export(place: Navigator) -> str:
        asked.append(place.playback.hand_start())
        return "Written: somewhere"

    presenter = ReplayPresenter(navigator, RecordingTerminal(), Theme(), Clock(), export)
    presenter.press("e")
    assert asked == [navigator.playback.hands[0]]
    assert "Written: somewhere" in shown(presenter)


def shuffled_for(step: StepRecord, seat: int, dice: random.Random) -> StepRecord:
    """The step with other cards wherever this seat sees none: all of them hidden cards of one deal."""
    events: list[ev.AnyEvent] = []
    for event in step.events:
        if isinstance(event, ev.CardsDealt):
            others = [card for who, down, _ in event.cards if who != seat for card in down]
            dice.shuffle(others)
            rows = []
            for who, down, up in event.cards:
                mine = down if who == seat else tuple(others[: len(down)])
                others = others if who == seat else others[len(down) :]
                rows.append((who, mine, up))
            event = replace(event, cards=tuple(rows))
        events.append(event)
    return replace(step, events=tuple(events))


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize("game", ["stud8", "plainrazz", "stud"])
def test_what_a_hand_is_worth_rests_on_what_its_seat_could_see(tmp_path: Path, game: str) -> None:
    steps, dice = played_steps(7, games=(game,), players=4, hands=3), random.Random(1)
    told: list[list[str]] = []
    for version in (steps, [shuffled_for(step, 2, dice) for step in steps]):
        recording = open_recording(sample_session.write(tmp_path / "a.ryo", version))
        navigator = Navigator(recording, Playback(recording.steps), 2)
        lines = []
        while navigator.playback.decision(2) is not None:
            navigator.next_decision()
            lines += worth_lines(navigator, ReplayChances(navigator))
        told.append(lines)
    assert told[0] == told[1]
    assert any("cards unseen" in line for line in told[0])
    assert any("needs" in line for line in told[0])


def test_what_a_hand_is_worth_is_asked_for_with_a_key(tmp_path: Path) -> None:
    navigator = opened(tmp_path)
    presenter = presented(navigator)
    presenter.press("i")
    assert "Choose the view of a player first" in shown(presenter)
    presenter.press("escape")
    presenter.press("2")
    presenter.press(".")
    presenter.press("i")
    assert "cards unseen" in " ".join(shown(presenter).split())


def test_playing_on_from_a_step_is_asked_for_and_ends_the_screen(tmp_path: Path) -> None:
    navigator = opened(tmp_path, 1)
    terminal = RecordingTerminal()
    presenter = ReplayPresenter(navigator, terminal, Theme(), Clock())
    presenter.press("o")
    assert "Play on as Ann; f: with fresh cards: _" in shown(presenter)
    for key in ("x", "enter"):
        presenter.press(key)
    assert presenter.wanted is None
    assert presenter.state.note.startswith("Say the number of a seat")
    for key in ("o", "f", "enter"):
        presenter.press(key)
    assert presenter.wanted is not None
    assert (presenter.wanted.seat, presenter.wanted.order) == (1, "fresh")
    assert terminal.ended == ["left"]


def test_a_spectator_says_which_seat_they_take(tmp_path: Path) -> None:
    presenter = presented(opened(tmp_path))
    for key in ("o", "enter"):
        presenter.press(key)
    assert presenter.state.note.startswith("Say which seat you take")
    for key in ("o", "2", "enter"):
        presenter.press(key)
    assert presenter.wanted is not None
    assert presenter.wanted.name == "Ben"


def test_where_nothing_can_be_played_on_the_key_says_why(tmp_path: Path) -> None:
    navigator = opened(tmp_path, 1)
    presenter = presented(navigator)
    navigator.playback.end()
    presenter.press("o")
    assert presenter.state.note.startswith("Nothing is left to decide")
    assert "Play on" not in shown(presenter)
