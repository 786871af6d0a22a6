"""What-if: from every step of a hand, the table is what the seat saw, and the same decisions give the same end."""

import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.bots.simple import passive, random_legal
from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import DECK
from protocol.events import AnyEvent, Seat
from protocol.journal.framing import scan
from protocol.journal.records import Header, StepRecord
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from protocol.view import TableView, hide
from replays.navigator import Navigator
from replays.playback import Playback, Viewpoint, steps_as_seen
from replays.recording import Recording
from replays.what_if.branch import (
    DECIDED,
    NO_DECK,
    NO_HAND,
    NOT_OVER,
    OTHER_RULES,
    VOID,
    WHICH_SEAT,
    Branch,
    find_branch,
)
from replays.what_if.dealing import dealt_cards
from replays.what_if.rebuild import BESIDE_THE_HAND, Rebuilt, fits, rebuild
from replays.what_if.refused import Refused
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from server.table.shuffler import Shuffler
from tests.support.engine_table import GAMES_PLAYED, HOUSE_GAME
from tests.support.journals import PATH
from tests.support.limits import THOROUGH
from tests.support.self_play import SelfPlay, played_steps, short_stacks

NOT_IN_HAND = ("has folded", "was not dealt in")


def recorded(steps: Sequence[StepRecord], viewer: Seat | None = None, rules: int = RULES) -> Recording:
    """A host's recording of these steps; with `viewer` that of a player, or of a spectator (0)."""
    header = Header(
        format=JOURNAL_FORMAT, rules=rules, program=PROGRAM, session=bytes(16), table="kitchen", started=1,
        viewer=viewer,
    )  # fmt: skip
    if viewer is not None:
        steps = list(steps_as_seen(steps, viewer or None))
    return Recording(Path(PATH), header, list(steps), scan(b""))


def navigator(recording: Recording, viewpoint: Viewpoint, position: int) -> Navigator:
    playback = Playback(recording.steps, of_a_player=recording.of_a_player)
    playback.goto(position)
    return Navigator(recording, playback, viewpoint)


def brought(branch: Branch, seed: str = "1") -> Rebuilt:
    """The table at a branch, with unknown cards by a seed."""
    return rebuild(branch, Shuffler(seed).deck(), "what-if", branch.rules, {})


def branches(
    recording: Recording, seat: Seat, text: str = "", hand: int = 0
) -> Iterator[tuple[Navigator, Branch, Rebuilt]]:
    """Every step of a hand from which that seat can be played on, and the table there."""
    here = navigator(recording, seat, 0)
    playback = here.playback
    start = playback.hands[hand]
    for position in range(start, playback.hand_end(start) + 1):
        playback.goto(position)
        refused = ""
        try:
            branch = find_branch(here, text)
            rebuilt = brought(branch)
        except Refused as why:
            refused = str(why)
        if not refused:
            yield here, branch, rebuilt
        else:
            assert refused == DECIDED or any(why in refused for why in NOT_IN_HAND)


def go_on(rebuilt: Rebuilt, steps: Sequence[StepRecord], done: int) -> list[AnyEvent]:
    """Gives the recorded answers from the one after `done` on; all events of the hand."""
    state, events = rebuilt.state, rebuilt.events
    answers = [step for step in steps if isinstance(step.command, cmd.Act | cmd.TimeUp)]
    for step in answers[done:]:
        assert isinstance(step.command, cmd.Act | cmd.TimeUp)
        seat = step.command.seat
        if isinstance(step.command, cmd.Act):
            action = step.command.action
        else:
            assert state.hand is not None
            action = state.hand.default(seat)
        events += state.apply(cmd.Act(seat, state.pending[seat], action))
    return events


def of_the_hand(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    return [event for event in events if not isinstance(event, BESIDE_THE_HAND)]


def as_at_the_table(view: TableView) -> TableView:
    """Without what a what-if does not keep: clocks, connections, numbers of events, who answered late, the house."""
    seats = []
    for seat in view.seats:
        pending = seat.pending and replace(seat.pending, seq=0, request=replace(seat.pending.request, seconds=None))
        last, choice = seat.last and replace(seat.last, cause="player"), seat.choice
        choice = choice and replace(choice, cause="player")
        seats.append(replace(seat, pending=pending, last=last, choice=choice, online=True, away=False))
    return replace(view, seats=seats, seq=0, table="", rules=None)


def check_law(here: Navigator, branch: Branch, rebuilt: Rebuilt) -> None:
    """What the seat sees at the step is what it saw in the recording; every card is there once; no chip is lost."""
    view = rebuilt.checkpoint.view.copy().apply_all(rebuilt.events[: rebuilt.seen])
    seen, saw = hide(view, branch.seat), here.playback.view(branch.seat)
    assert as_at_the_table(seen) == as_at_the_table(saw)
    start = rebuilt.steps[0].command
    assert isinstance(start, cmd.StartHand)
    assert sorted(start.deck) == list(DECK)
    chips = rebuilt.state.view.chips()
    finished(rebuilt.state)
    assert rebuilt.state.view.chips() == chips


def finished(state: TableState) -> None:
    """Plays a hand to its end by chance."""
    dice = random.Random(1)
    while state.hand is not None:
        seat, number = min(state.pending.items())
        pending = state.view.seat(seat).pending
        assert pending is not None
        action = passive(pending.request) if dice.random() < 0.7 else random_legal(pending.request, dice)
        state.apply(cmd.Act(seat, number, action))


def players(game: str) -> int:
    return min(5, GAMES_PLAYED[game].most_players)


def steps_of(game: str, seed: int) -> list[StepRecord]:
    return played_steps(seed, (game,), players(game), 1)


def check_recorded_end(recording: Recording, seat: Seat, hand: int = 0) -> int:
    """From every step the recorded decisions lead to the recorded end; how many steps there were."""
    count = 0
    for here, _, rebuilt in branches(recording, seat, "lay", hand):
        playback = here.playback
        start, end = playback.hand_start(), playback.hand_end()
        first = recording.steps[0].seq
        steps = [step for step in recording.steps if start <= step.seq - first + 1 <= end]
        steps += [step for step in recording.steps if step.seq < start < step.seq + len(step.events)]
        done = sum(isinstance(step.command, cmd.Act) for step in rebuilt.steps)
        events = go_on(rebuilt, sorted(steps, key=lambda step: step.seq), done)
        events = events[: 1 + max(at for at, event in enumerate(events) if isinstance(event, ev.HandEnded))]
        whole = [moment.event for moment in playback.moments(start - 1, end, "all")]
        assert len(events) == len(of_the_hand(whole))
        assert all(map(fits, of_the_hand(whole), events))
        assert rebuilt.state.hand is None
        count += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_the_recorded_decisions_lead_to_the_recorded_end(game: str) -> None:
    assert check_recorded_end(recorded(steps_of(game, 1)), 1) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4] if THOROUGH else [2])
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_the_recorded_decisions_lead_to_the_recorded_end_in_other_hands(game: str, seed: int) -> None:
    for seat in (1, 2):
        check_recorded_end(recorded(steps_of(game, seed)), seat)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_hands_with_players_all_in_lead_to_the_recorded_end(game: str) -> None:
    tables = (short_stacks(game, seed, hands=4) for seed in range(100))
    table = next(table for table in tables if any(isinstance(one, ev.Acted) and one.all_in for one in table.events))
    starts = [at for at, event in enumerate(table.events) if isinstance(event, ev.HandStarted)]
    all_in = [at for at, event in enumerate(table.events) if isinstance(event, ev.Acted) and event.all_in]
    for hand in range(4) if THOROUGH else sorted({bisect(starts, at) - 1 for at in all_in}):
        check_recorded_end(recorded(table.steps), 1, hand)


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [None, 1, 2, 0])
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_the_player_sees_what_their_seat_saw(game: str, viewer: Seat | None) -> None:
    for seed in (1, 2) if THOROUGH else (1,):
        recording = recorded(steps_of(game, seed), viewer)
        seat = viewer or 1
        for here, branch, rebuilt in branches(recording, seat, "fresh"):
            if rebuilt.seen == len(of_the_hand(branch.events)) and viewer != 0:
                check_law(here, branch, rebuilt)


def test_the_same_seed_gives_the_same_cards_and_another_one_others() -> None:
    (_, branch, _), *_ = branches(recorded(steps_of("stud8", 1)), 1, "fresh")
    assert brought(branch).steps == brought(branch).steps
    assert brought(branch, "2").steps[0].command != brought(branch).steps[0].command


def test_fresh_cards_leave_everything_that_was_dealt_where_it_is() -> None:
    """Where the recording knows the hidden cards of others, they keep them."""
    for here, _, rebuilt in branches(recorded(steps_of("stud8", 1)), 1, "fresh"):
        view = rebuilt.checkpoint.view.copy().apply_all(rebuilt.events[: rebuilt.seen])
        assert as_at_the_table(view) == as_at_the_table(here.playback.view("all"))


def test_cards_that_a_players_file_does_not_hold_are_dealt_anew_each_time() -> None:
    branch = [branch for _, branch, _ in branches(recorded(steps_of("stud8", 1), 1), 1)][5]
    assert not branch.whole
    assert branch.order == "fresh"
    held = {tuple(brought(branch, str(seed)).state.view.seat(2).down) for seed in range(5)}
    assert len(held) > 1
    own = {tuple(brought(branch, str(seed)).state.view.seat(1).down) for seed in range(5)}
    assert len(own) == 1


def test_a_page_with_all_cards_knows_the_order_in_which_they_were_dealt() -> None:
    """It has no decks: cards that were never dealt are shuffled."""
    steps = steps_of("stud8", 1)
    page = recorded(steps)
    page.steps[:] = [replace(step, command=None) for step in steps]
    whole = dealt_cards([event for step in steps for event in step.events])
    for _, branch, rebuilt in branches(page, 1, "lay"):
        start = rebuilt.steps[0].command
        other = brought(branch, "2").steps[0].command
        assert isinstance(start, cmd.StartHand)
        assert isinstance(other, cmd.StartHand)
        assert list(start.deck[: len(whole)]) == list(other.deck[: len(whole)]) == whole
        assert start.deck != other.deck


# ------------------------------------------------------------------------------ refused


def why_not(recording: Recording, viewpoint: Viewpoint, position: int, text: str = "") -> str:
    with pytest.raises(Refused) as refused:
        find_branch(navigator(recording, viewpoint, position), text)
    return str(refused.value)


def test_what_cannot_be_played_on_is_refused_in_a_sentence() -> None:
    steps = steps_of("stud8", 1)
    host = recorded(steps)
    start = Playback(steps).hands[0]
    assert why_not(host, 1, 1) == NO_HAND
    assert why_not(host, None, start) == why_not(host, "all", start) == WHICH_SEAT
    assert why_not(host, 1, start, "9") == "Nobody sits in seat 9."
    assert why_not(host, 1, start, "7 up").startswith("Say the number of a seat")
    assert why_not(host, 1, len(Playback(steps))) == DECIDED
    assert why_not(recorded(steps, rules=1), 1, start) == OTHER_RULES
    assert why_not(recorded(steps, 1), 1, start, "lay") == NO_DECK
    assert find_branch(navigator(host, None, start), "2 fresh").seat == 2


def test_a_running_hand_is_refused_whosever_file_it_is() -> None:
    steps = steps_of("stud8", 1)[:-4]
    start = Playback(steps).hands[0]
    for viewer in (None, 1, 0):
        assert why_not(recorded(steps, viewer), 1, start + 3) == NOT_OVER


def test_a_hand_that_was_declared_void_is_refused() -> None:
    table = SelfPlay(1, ("stud8",), 3)
    table.do(cmd.StartHand(tuple(DECK), "kitchen-1"))
    table.do(cmd.VoidHand("the cat"))
    start = Playback(table.steps).hands[0]
    assert why_not(recorded(table.steps), 1, start) == VOID


def test_a_hand_that_does_not_come_out_the_same_is_refused() -> None:
    steps = steps_of("stud8", 1)
    wrong = []
    for step in steps:
        events = tuple(
            replace(event, opener=event.opener % 4 + 1) if isinstance(event, ev.RoundOpened) else event
            for event in step.events
        )
        wrong.append(replace(step, events=events))
    playback = Playback(steps)
    at = next(seq for seq in range(1, len(playback)) if isinstance(playback.moment(seq, "all").event, ev.RoundOpened))
    branch = find_branch(navigator(recorded(wrong), 1, at))
    with pytest.raises(Refused, match="does not come out the same"):
        brought(branch)


def test_the_result_of_a_blind_replay_stays_a_surprise() -> None:
    recording = recorded(steps_of("stud8", 1))
    here = navigator(recording, 1, Playback(recording.steps).hands[0])
    assert find_branch(here).net is not None
    here.blind = True
    assert find_branch(here).net is None


def test_a_house_game_is_played_on() -> None:
    _, branch, _ = next(branches(recorded(steps_of(HOUSE_GAME.id, 1)), 1))
    assert branch.offer.id == HOUSE_GAME.id
