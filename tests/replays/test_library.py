"""Lists of hands, and hands found by file, by id and as the last one."""

import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol import events as ev
from protocol.journal.records import StepRecord
from replays.hand_summaries import HandSummary, summaries
from replays.index import NAME, Filter
from replays.library import Library, NotFound, find, list_hands, recordings
from replays.recording import Unreadable
from server.storage.folders import hands_folder
from tests.support import sample_session
from tests.support.self_play import SelfPlay, played_steps


def moved(steps: list[StepRecord], days: int, prefix: str) -> list[StepRecord]:
    """The same evening on another day, under other ids."""

    def renamed(event: ev.AnyEvent) -> ev.AnyEvent:
        return replace(event, id=f"{prefix}-{event.hand}") if isinstance(event, ev.HandStarted) else event

    return [replace(step, at=step.at + days * 86_400_000, events=tuple(map(renamed, step.events))) for step in steps]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three evenings; the file names are not in the order in which they were played."""
    sample_session.write(tmp_path / "hands" / "c.ryo", moved(sample_session.steps(), 0, "mon"))
    sample_session.write(tmp_path / "hands" / "a.ryo", moved(sample_session.steps(), 1, "tue"))
    sample_session.write(tmp_path / "hands" / "b.ryo", moved(sample_session.steps(), 2, "wed"))
    return tmp_path / "hands"


def test_summaries_of_a_hand() -> None:
    one, two = summaries(sample_session.steps())
    assert (one.number, one.id, one.title, one.pot) == (1, "h-1", "Stud high-low", 9)
    assert one.names == {1: "Ann", 2: "Ben", 3: "Cai"}
    assert one.won == {1: 9}
    assert one.net == {1: 5, 2: -4, 3: -1}
    assert (two.pot, two.won, two.net) == (3, {3: 3}, {1: -1, 2: -1, 3: 2})
    assert one.ended is not None
    assert one.started < one.ended < two.started
    assert (one.first, one.last + 1) == (5, two.first)


def test_A08_what_came_back_uncalled_is_not_in_the_pot() -> None:
    rows = [*sample_session.OPENING, *sample_session.HAND_1]
    rows[-1] = [ev.BetReturned(1, 2), *rows[-1][1:]]
    assert summaries(sample_session.steps(rows))[0].pot == 9


def test_nets_of_every_hand_add_up_to_nothing() -> None:
    for seed in range(5):
        for hand in summaries(played_steps(seed, hands=6)):
            assert sum(hand.net.values()) == 0
            assert sum(hand.won.values()) == hand.pot
            assert hand.ended is not None


def test_a_void_and_a_running_hand() -> None:
    rows = [*sample_session.OPENING, *sample_session.HAND_1[:3]]
    (running,) = summaries(sample_session.steps(rows))
    assert (running.ended, running.net, running.pot) == (None, {}, 0)
    rows.append([ev.HandVoided(1, ((1, 100), (2, 100), (3, 100)), "the lights went out")])
    (void,) = summaries(sample_session.steps(rows))
    assert (void.voided, void.net, void.pot) == (True, {1: 0, 2: 0, 3: 0}, 0)


def test_a_scoop_needs_both_halves() -> None:
    rows = [*sample_session.OPENING, *sample_session.HAND_1]
    last = rows[-1]
    at = next(n for n, event in enumerate(last) if isinstance(event, ev.PotAwarded))
    halves: list[ev.AnyEvent] = [ev.PotAwarded(0, "high", 5, ((1, 5),)), ev.PotAwarded(0, "low", 4, ((1, 4),))]
    rows[-1] = [*last[:at], *halves, *last[at + 1 :]]
    assert summaries(sample_session.steps(rows))[0].scooped == 1
    assert summaries(sample_session.steps())[0].scooped is None


def test_the_engines_own_scoops_are_found() -> None:
    """A player who won all of a pot with a named high and a named low hand has scooped, and nobody else."""
    found = 0
    for seed in range(4):
        evening = SelfPlay(seed, ("stud8",), 4, calm=0.9)
        for _ in range(10):
            evening.hand(trouble=False)
        awards: dict[int, list[ev.PotAwarded]] = {}
        number = 0
        for event in [event for step in evening.steps for event in step.events]:
            if isinstance(event, ev.HandStarted):
                number = event.hand
            elif isinstance(event, ev.PotAwarded):
                awards.setdefault(number, []).append(event)
        for hand in summaries(evening.steps):
            won = awards[hand.number]
            both = any(award.part == "whole" and award.hand.endswith((" low", "and wheel")) for award in won)
            alone = len({seat for award in won for seat, _ in award.winners}) == 1
            assert (hand.scooped is not None) == (both and alone), won
            found += both and alone
    assert found


def test_hands_are_listed_as_they_were_dealt(folder: Path) -> None:
    ids = [row.hand.id for row in list_hands(folder)]
    assert ids == ["mon-1", "mon-2", "tue-1", "tue-2", "wed-1", "wed-2"]


def test_trap_A40_copies_of_a_recording_are_one_hand_each(folder: Path) -> None:
    before = [row.hand.id for row in list_hands(folder)]
    content = (folder / "c.ryo").read_bytes()
    (folder / "b copy.ryo").write_bytes(content)
    (folder / "d.ryo").write_bytes(content)
    (folder / "c.seat1.ryo").write_bytes(content)
    (folder / "a.watching.ryo").write_bytes(content)
    rows = list(list_hands(folder))
    assert [row.hand.id for row in rows] == before
    assert [row.path.name for row in rows[:2]] == ["b copy.ryo"] * 2
    for name in before:
        assert find(name, folder)[1] is not None, "an id is not ambiguous because its file was copied"


def test_the_index_is_only_a_cache(folder: Path) -> None:
    first = list(list_hands(folder))
    assert (folder / NAME).stat().st_mode & 0o077 == 0
    assert list(list_hands(folder)) == first
    (folder / NAME).write_bytes(b"nonsense")
    assert list(list_hands(folder)) == first
    (folder / NAME).unlink()
    (folder / NAME).mkdir()  # so that it cannot be written
    assert list(list_hands(folder)) == first
    assert sorted(path.name for path in folder.iterdir()) == [NAME, "a.ryo", "b.ryo", "c.ryo"]


def test_the_index_notices_what_has_changed(folder: Path) -> None:
    list(list_hands(folder))
    sample_session.write(
        folder / "b.ryo", moved(sample_session.steps([*sample_session.OPENING, *sample_session.HAND_1]), 2, "wed")
    )
    (folder / "a.ryo").unlink()
    assert [row.hand.id for row in list_hands(folder)] == ["mon-1", "mon-2", "wed-1"]
    assert [row.hand.id for row in list_hands(folder)] == ["mon-1", "mon-2", "wed-1"]


def test_the_index_holds_no_cards(folder: Path) -> None:
    sample_session.write(folder / "d.ryo", played_steps(3))
    assert len(list_hands(folder)) == 9
    with closing(sqlite3.connect(folder / NAME)) as base:
        stored = [msgspec.msgpack.decode(row) for (row,) in base.execute("SELECT summary FROM hands")]
    assert len(stored) == 9
    for hand in stored:
        assert set(hand) == {field.name for field in dataclasses.fields(HandSummary)}
        for player in hand["players"].values():
            assert all(isinstance(value, int) for value in player.values()), "counts, no cards"


def test_a_file_that_grows_is_read_on(folder: Path) -> None:
    """What is added later is found; what was read before is not read again, unless it is not the same any more."""
    steps = moved(played_steps(seed=4, hands=5), 3, "live")
    for count in (1, len(steps) // 3, len(steps) // 2, len(steps) - 1, len(steps)):
        path = sample_session.write(folder / "live.ryo", steps[:count])
        listed = [row.hand for row in list_hands(folder) if row.path == path]
        assert listed == summaries(steps[:count])
    with Library(folder) as library:
        library.refresh()
        known = library.index.known(b"live.ryo")
    assert known is not None
    assert known[2] is not None
    assert known[2].good == (folder / "live.ryo").stat().st_size
    other = moved(played_steps(seed=9, hands=5), 3, "live")
    path = sample_session.write(folder / "live.ryo", other)  # another session under the same name, with the same salt
    assert [row.hand for row in list_hands(folder) if row.path == path] == summaries(other)


def test_two_programs_read_the_same_folder(folder: Path) -> None:
    with Library(folder) as one, Library(folder) as two:
        one.refresh()
        two.refresh()
        assert one.hands() == two.hands() != []


def test_a_hand_has_the_same_number_in_every_list(folder: Path) -> None:
    with Library(folder) as library:
        library.refresh()
        numbers = {row.hand.id: row.number for row in library.hands()}
        assert list(numbers.values()) == [1, 2, 3, 4, 5, 6]
        for wanted in (Filter(least=5), Filter(player="cai"), Filter(since=sample_session.START + 86_400_000)):
            for row in library.hands(wanted, 2):
                assert row.number == numbers[row.hand.id]
                assert library.nth(row.number) == row
        assert [library.nth(number) for number in (0, 7)] == [None, None]


def test_unreadable_files_are_left_out_and_named(folder: Path) -> None:
    (folder / "x.ryo").write_bytes(b"not one of ours")
    (folder / "notes.txt").write_text("no recording")
    complaints: list[str] = []
    assert len(list(list_hands(folder, complaints))) == 6
    assert len(complaints) == 1
    assert "x.ryo is not a recording" in complaints[0]


def test_find_by_file_id_and_last(folder: Path) -> None:
    recording, hand = find(str(folder / "a.ryo"), folder)
    assert (recording.path.name, hand) == ("a.ryo", None)
    recording, hand = find("a.ryo", folder)
    assert (recording.path.name, hand) == ("a.ryo", None)
    recording, hand = find("tue-2", folder)
    assert hand is not None
    assert (recording.path.name, hand.id, hand.number) == ("a.ryo", "tue-2", 2)
    recording, hand = find("last", folder)
    assert hand is not None
    assert (recording.path.name, hand.id) == ("b.ryo", "wed-2")


def test_find_by_the_start_of_an_id(folder: Path) -> None:
    with pytest.raises(NotFound, match=r"'tue' begins the ids of 2 hands: tue-1, tue-2"):
        find("tue", folder)
    sample_session.write(folder / "d.ryo", moved(sample_session.steps()[:20], 3, "only"))
    _, hand = find("only-1", folder)
    assert hand is not None
    assert hand.id == "only-1"


def test_what_is_not_there_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no recorded hand 'sun-1'"):
        find("sun-1", folder)
    with pytest.raises(NotFound, match=r"There is no file z\.ryo"):
        find("z.ryo", folder)
    with pytest.raises(NotFound, match="No hand has been recorded"):
        find("last", tmp_path / "nowhere")
    (folder / "x.ryo").write_bytes(b"")
    with pytest.raises(Unreadable, match="the file is empty"):
        find("x.ryo", folder)


def test_the_folder_of_recordings(tmp_path: Path) -> None:
    assert hands_folder(tmp_path) == tmp_path / "hands"
    assert hands_folder().parent.name == "rollyourown"
    assert recordings(tmp_path / "nowhere") == []
