"""`verify` finds what was changed, in files whose chain is right, and names it."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.journal.records import StepRecord, encode_record
from protocol.versions import RULES
from protocol.visibility import project
from replays.verify import verify
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.self_play import played_steps

EVENING = played_steps(seed=7, games=("barneys", "stud8", "razz"), players=4, hands=6)


def _find(kind: type[ev.Event], nth: int = 0) -> tuple[int, int]:
    """Step and place in the step of the n-th event of a kind."""
    found = [(s, e) for s, step in enumerate(EVENING) for e, event in enumerate(step.events) if type(event) is kind]
    return found[nth]


def _with_event(at: tuple[int, int], change: Callable[[ev.AnyEvent], ev.AnyEvent]) -> list[StepRecord]:
    number, place = at
    steps = list(EVENING)
    events = list(steps[number].events)
    events[place] = change(events[place])
    steps[number] = replace(steps[number], events=tuple(events))
    return steps


def _command(kind: type[cmd.Command], nth: int = 0) -> int:
    return [number for number, step in enumerate(EVENING) if type(step.command) is kind][nth]


def test_an_evening_verifies(tmp_path: Path) -> None:
    report = verify(sample_session.write(tmp_path / "a.ryo", EVENING))
    assert report.problem == ""
    assert (report.ok, report.replayed, report.hands, report.notes) == (True, True, 6, ())
    assert report.records == len(EVENING) + 1
    assert report.events == sum(len(step.events) for step in EVENING)


def test_every_game_verifies(tmp_path: Path) -> None:
    for game in GAMES:
        for seed in range(4):
            steps = played_steps(seed, (game,), players=2 + seed, hands=4)
            report = verify(sample_session.write(tmp_path / "a.ryo", steps))
            assert (game, seed, report.problem) == (game, seed, "")
            assert report.replayed


def test_a_changed_event_is_named(tmp_path: Path) -> None:
    at = _find(ev.RoundOpened, 2)
    steps = _with_event(at, lambda event: replace(event, why="because I say so"))
    report = verify(sample_session.write(tmp_path / "a.ryo", steps))
    seq = steps[at[0]].seq + at[1]
    assert report.problem.startswith(f'Record {at[0] + 1}: event {seq} (round_opened) has why = "because I say so"')
    assert not report.ok


def test_a_changed_card_is_named(tmp_path: Path) -> None:
    at = _find(ev.CardsDealt, 1)

    def other_card(event: ev.AnyEvent) -> ev.AnyEvent:
        assert isinstance(event, ev.CardsDealt)
        (seat, down, up), *rest = event.cards
        down = tuple((card + 1) % 52 if card is not None else None for card in down)
        return replace(event, cards=((seat, down, up), *rest))

    report = verify(sample_session.write(tmp_path / "a.ryo", _with_event(at, other_card)))
    assert f"Record {at[0] + 1}: event {EVENING[at[0]].seq + at[1]} (cards_dealt) has cards" in report.problem


def test_a_changed_command_is_named(tmp_path: Path) -> None:
    number = _command(cmd.Act, 5)
    command = EVENING[number].command
    assert isinstance(command, cmd.Act)
    steps = list(EVENING)
    steps[number] = replace(steps[number], command=replace(command, action=Action("bet", to=4000)))
    report = verify(sample_session.write(tmp_path / "a.ryo", steps))
    assert report.problem.startswith(f"Record {number + 1}: the rules refuse the recorded command act: ")
    assert len(report.problem) > 60  # the sentence of the rules comes with it


def test_a_changed_deck_is_named(tmp_path: Path) -> None:
    number = _command(cmd.StartHand, 1)
    command = EVENING[number].command
    assert isinstance(command, cmd.StartHand)
    steps = list(EVENING)
    steps[number] = replace(steps[number], command=replace(command, deck=command.deck[::-1]))
    report = verify(sample_session.write(tmp_path / "a.ryo", steps))
    assert report.problem.startswith(f"Record {number + 1}: event ")
    assert "(cards_dealt) has cards" in report.problem


def test_missing_and_invented_events_are_named(tmp_path: Path) -> None:
    steps = EVENING[: _command(cmd.StartHand) + 1]
    last = steps[-1]
    shorter = [*steps[:-1], replace(last, events=last.events[:-1])]
    report = verify(sample_session.write(tmp_path / "a.ryo", shorter))
    assert report.problem.startswith(f"Record {len(steps)}: event {last.seq + len(last.events) - 1} (")
    assert report.problem.endswith("is missing.")
    longer = [*steps[:-1], replace(last, events=(*last.events, ev.PlayerAway(1)))]
    report = verify(sample_session.write(tmp_path / "a.ryo", longer))
    assert report.problem == (
        f"Record {len(steps)}: event {last.seq + len(last.events)} (player_away) did not happen by the rules."
    )


def test_another_kind_of_event_is_named(tmp_path: Path) -> None:
    at = _find(ev.Said)
    steps = _with_event(at, lambda event: ev.WentOn(1))
    report = verify(sample_session.write(tmp_path / "a.ryo", steps))
    assert report.problem.endswith("is recorded as went_on, by the rules it is said.")


def test_chips_that_appear_are_named_without_rules(tmp_path: Path) -> None:
    at = _find(ev.PotAwarded)

    def more(event: ev.AnyEvent) -> ev.AnyEvent:
        assert isinstance(event, ev.PotAwarded)
        seat, amount = event.winners[0]
        return replace(event, winners=((seat, amount + 1), *event.winners[1:]))

    path = sample_session.write(tmp_path / "a.ryo", _with_event(at, more), sample_session.header(rules=RULES + 1))
    report = verify(path)
    assert "(pot_awarded) changes the chips on the table, 800 to 801" in report.problem


def test_other_rules_are_only_shown(tmp_path: Path) -> None:
    at = _find(ev.RoundOpened)
    steps = _with_event(at, lambda event: replace(event, why="by older rules"))
    report = verify(sample_session.write(tmp_path / "a.ryo", steps, sample_session.header(rules=RULES + 1)))
    assert (report.ok, report.replayed) == (True, False)
    assert f"rules version {RULES + 1}, this program plays version {RULES}" in report.notes[0]


def test_a_house_game_is_not_played_again(tmp_path: Path) -> None:
    opened = EVENING[0].events[0]
    assert isinstance(opened, ev.TableOpened)
    offers = (replace(opened.rules.games[0], id="grandpas"), *opened.rules.games[1:])
    steps = [replace(EVENING[0], events=(replace(opened, rules=replace(opened.rules, games=offers)),)), *EVENING[1:]]
    report = verify(sample_session.write(tmp_path / "a.ryo", steps))
    assert (report.ok, report.replayed) == (True, False)
    assert "games that this program does not know (grandpas)" in report.notes[0]


def test_a_players_file_is_checked_without_decisions(tmp_path: Path) -> None:
    steps = [
        StepRecord(
            step.seq, step.at, None, tuple([project(event, 2) for event in step.events])
        )  # as it was sent to seat 2
        for step in EVENING
    ]
    report = verify(sample_session.write(tmp_path / "a.ryo", steps, sample_session.header(viewer=2)))
    assert (report.problem, report.ok, report.replayed) == ("", True, False)
    assert "player's recording" in report.notes[0]


def test_a_step_without_command_in_a_hosts_file(tmp_path: Path) -> None:
    steps = [*EVENING[:9], replace(EVENING[9], command=None)]
    assert verify(sample_session.write(tmp_path / "a.ryo", steps)).problem == "Record 10 has no command."


def test_torn_is_a_note_and_corrupt_a_problem(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "a.ryo", EVENING)
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    report = verify(path)
    assert (report.scan.verdict, report.ok, report.replayed) == ("torn", True, True)
    assert "unfinished" in report.notes[0]
    broken = bytearray(content)
    broken[len(content) // 2] ^= 1
    path.write_bytes(broken)
    report = verify(path)
    assert (report.scan.verdict, report.ok) == ("corrupt", False)
    assert "is damaged: record " in report.problem


def test_a_forged_first_command_is_no_crash(tmp_path: Path) -> None:
    opened = EVENING[0]
    steps = [replace(opened, command=cmd.SitDown("Eve", 100, b"x"))]
    report = verify(sample_session.write(tmp_path / "a.ryo", steps))
    assert report.problem == "Record 1: the rules refuse the recorded command sit_down: The table is not open yet."


def test_an_event_beyond_the_table(tmp_path: Path) -> None:
    last = EVENING[-1]
    steps = [*EVENING, StepRecord(last.seq + len(last.events), last.at, cmd.GoOn(77), (ev.WentOn(77),))]
    path = sample_session.write(
        tmp_path / "a.ryo", steps, sample_session.header(rules=RULES + 1)
    )  # so that the rules are not asked
    assert "(went_on) does not fit the table" in verify(path).problem


@pytest.mark.parametrize("payload", [b"\x80", b"\xc0", msgspec.msgpack.encode({"record": "step", "seq": 1})])
def test_an_unreadable_record(tmp_path: Path, payload: bytes) -> None:
    path = tmp_path / "a.ryo"
    path.write_bytes(sample_session.chained([encode_record(sample_session.header()), payload]))
    report = verify(path)
    assert not report.ok
    assert "record 1 at byte" in report.problem
