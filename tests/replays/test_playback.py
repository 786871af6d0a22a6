"""The laws of stepping: a position is the fold of that many events, whichever way we came, and nothing more."""

import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.journal.records import StepRecord
from protocol.view import TableView, hide
from protocol.visibility import project
from replays.playback import STRIDE, Playback, Viewpoint
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.self_play import played_steps

EYES: list[Viewpoint] = ["all", None, 1, 2, 3]


def long_evening(hands: int) -> list[StepRecord]:
    """Many hands after another, to go beyond the kept copies; the stacks are set right by hand."""
    rows: list[list[AnyEvent]] = list(sample_session.OPENING)
    for _ in range(hands):
        rows += sample_session.HAND_1
        rows.append([ev.ChipsAdded(1, -5, 100), ev.ChipsAdded(2, 4, 100), ev.ChipsAdded(3, 1, 100)])
    return sample_session.steps(rows)


@pytest.mark.parametrize("viewpoint", EYES)
def test_position_is_the_fold_of_so_many_events(viewpoint: Viewpoint) -> None:
    events = sample_session.events()
    playback = Playback(sample_session.steps())
    assert len(playback) == len(events)
    for position in range(len(events) + 1):
        playback.goto(position)
        full = TableView().apply_all(events[:position])
        assert playback.view(viewpoint) == (full if viewpoint == "all" else hide(full, viewpoint))
        if viewpoint != "all":
            assert playback.view(viewpoint) == TableView().apply_all(
                project(event, viewpoint) for event in events[:position]
            )


def test_backwards_is_forwards() -> None:
    steps = long_evening(20)
    playback = Playback(steps)
    assert len(playback) > 3 * STRIDE
    forwards = []
    playback.goto(0)
    while playback.position < len(playback):
        forwards.append(playback.view("all"))
        playback.forward()
    forwards.append(playback.view("all"))
    for position in range(len(playback), -1, -1):
        assert playback.position == position
        assert playback.view("all") == forwards[position]
        playback.back()


@pytest.mark.slow
@given(st.lists(st.integers(0, 700), max_size=12))
def test_any_walk_ends_where_a_straight_one_ends(walk: list[int]) -> None:
    playback = Playback(long_evening(15))
    events = [event for step in long_evening(15) for event in step.events]
    for position in walk:
        at = playback.goto(position)
        assert playback.view("all") == TableView().apply_all(events[:at])


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(sorted(GAMES)),
    st.integers(2, 6),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from([None, 1, 2])), min_size=1, max_size=8),
)
def test_every_game_looks_as_it_did_live(
    seed: int, game: str, players: int, looks: list[tuple[int, int | None]]
) -> None:
    steps = played_steps(seed, (game,), players, hands=2)
    events = [event for step in steps for event in step.events]
    playback = Playback(steps)
    for wanted, viewpoint in looks:
        at = playback.goto(wanted)
        live = TableView().apply_all(project(event, viewpoint) for event in events[:at])
        assert playback.view(viewpoint) == live
        assert playback.view("all") == TableView().apply_all(events[:at])


def test_views_are_independent_copies() -> None:
    playback = Playback(sample_session.steps())
    playback.end()
    one = playback.view("all")
    one.seats[0].chips = -1
    one.apply(ev.PlayerAway(2))
    assert playback.view("all").seats[0].chips == 104
    assert playback.view("all").seats[1].away is False


def test_extend_keeps_the_position_and_equals_a_whole_reading() -> None:
    steps = sample_session.steps()
    playback = Playback(steps[:9])
    playback.goto(12)
    before = playback.view()
    playback.extend(steps[9:])
    assert (playback.position, playback.view()) == (12, before)
    whole = Playback(steps)
    assert (playback.hands, playback.streets, len(playback)) == (whole.hands, whole.streets, len(whole))
    assert playback.view("all", len(playback)) == whole.view("all", len(whole))


def test_street_and_hand_steps_go_there_and_back() -> None:
    playback = Playback(sample_session.steps())
    assert [playback.view(None, at).hand for at in playback.hands] == [1, 2]
    playback.goto(playback.hands[0])
    seen = []
    while playback.position < playback.hands[1]:
        seen.append((playback.position, type(playback.moment(playback.position).event).__name__))
        playback.next_street()
    assert [name for _, name in seen] == ["HandStarted", "CardsDealt", "CardsDealt", "HandShown"]
    for position, _ in reversed(seen):
        assert playback.previous_street() == position
    playback.end()
    assert playback.previous_hand() == playback.hands[1]
    assert playback.previous_hand() == playback.hands[0]
    assert playback.next_hand() == playback.hands[1]
    assert playback.next_hand() == len(playback)


def test_hand_bounds() -> None:
    playback = Playback(sample_session.steps())
    first, second = playback.hands
    assert playback.hand_start(2) == 0
    assert (playback.hand_start(first + 5), playback.hand_end(first + 5)) == (first, second - 1)
    assert playback.hand_end(second) == len(playback)
    assert playback.hand_at(2) == second
    assert playback.hand_at(9) is None


def test_goto_stays_inside() -> None:
    playback = Playback(sample_session.steps())
    assert playback.goto(-3) == 0
    assert playback.goto(10_000) == len(playback)
    with pytest.raises(IndexError):
        playback.view(None, len(playback) + 1)
    with pytest.raises(IndexError):
        playback.moment(0)


def test_moments_are_projected_and_carry_time_and_thought() -> None:
    playback = Playback(sample_session.steps(gap=1500))
    moments = playback.moments(0, len(playback), 1)
    assert [moment.seq for moment in moments] == list(range(1, len(playback) + 1))
    dealt = next(moment.event for moment in moments if isinstance(moment.event, ev.CardsDealt))
    assert dealt.cards[0][1] == sample_session.down("AsKs")
    assert dealt.cards[1][1] == (None, None)
    acted = {m.event.seat: m for m in moments[:25] if isinstance(m.event, ev.Acted)}
    assert acted[1].thought == 1500  # asked in the step before
    assert acted[2].thought is None  # the clock acted, not the player
    assert acted[3].thought == 3000  # a dropped line in between
    choices = {m.event.seat: m.thought for m in moments if isinstance(m.event, ev.ChoiceMade)}
    assert choices == {2: 1500, 1: 3000}


def test_an_event_that_does_not_fit_is_named() -> None:
    rows: list[list[AnyEvent]] = [*sample_session.OPENING, [ev.PlayerAway(9)]]
    with pytest.raises(ValueError, match=r"event 5 \(player_away\) does not fit the table"):
        Playback(sample_session.steps(rows))


@pytest.mark.slow
def test_70_000_events_any_position_within_20_ms() -> None:
    playback = Playback(long_evening(2200))
    total = len(playback)
    assert total > 70_000
    slowest = 0.0
    places = [total, total - 1, 3, total // 2, total // 2 - 1, total // 2 - 2, total - STRIDE - 1, 1]
    for position, viewpoint in product(places, EYES):
        best = min(_seconds(playback, position, viewpoint) for _ in range(3))
        slowest = max(slowest, best)
    assert slowest < 0.020, f"{slowest * 1000:.1f} ms"


def _seconds(playback: Playback, position: int, viewpoint: Viewpoint) -> float:
    playback.goto(0)
    playback.view(viewpoint)  # so that nothing near is kept from the time before
    begun = time.process_time()
    playback.goto(position)
    playback.view(viewpoint)
    return time.process_time() - begun


def test_a_hand_that_is_not_over_is_seen_as_by_a_spectator() -> None:
    steps = sample_session.steps()
    running, whole = Playback(), Playback(steps)
    for step in steps:
        running.extend([step])
        over = not running.view("all", len(running)).playing
        for viewpoint in (1, "all", None):
            permitted = viewpoint if over else None
            assert running.permitted(viewpoint, len(running)) == permitted
            assert running.view(viewpoint, len(running)) == whole.view(permitted, len(running))
            assert running.moment(len(running), viewpoint) == whole.moment(len(running), permitted)
    assert running.view(1, 12) == whole.view(1, 12) != whole.view(None, 12)


def test_a_players_own_file_hides_nothing_more() -> None:
    playback = Playback(sample_session.steps()[:9], of_a_player=True)
    assert playback.view(1, 12) != playback.view(None, 12)
