"""A hand in the middle of a long recording, opened without what is before it, is the same hand."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol import events as ev
from protocol.facts import BreakPlanned, HostChanged, Pause, PlayPaused, PlayResumed
from replays import summary_reader
from replays.library import Library, find, find_part
from replays.narration import story
from replays.playback import Playback, Viewpoint
from replays.recording import Recording, open_recording
from tests.support import sample_session
from tests.support.engine_table import GAMES_PLAYED
from tests.support.kept_hands import HostTable
from tests.support.self_play import troubled_table

FEW = 3
HANDS = 10


@pytest.fixture(autouse=True)
def _many_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place every few hands."""
    monkeypatch.setattr(summary_reader, "STRIDE", FEW)


def opened(path: Path, hand: str) -> tuple[Recording, Playback]:
    """The playback of a part, which must be one."""
    recording, _, part = find_part(hand, path.parent)
    assert part is not None
    return recording, Playback(recording.steps, of_a_player=recording.of_a_player, part=part)


def the_same_everywhere(path: Path, of: Viewpoint) -> None:
    """Every hand of a file from its part and from the whole: every table, and the story; and only the part was read."""
    recording = open_recording(path)
    whole = Playback(recording.steps, of_a_player=recording.of_a_player)
    with Library(path.parent) as library:
        library.refresh()
        rows = library.hands()
    assert len(rows) > 2 * FEW
    for row in rows:
        if row.path != path:
            continue
        found, playback = opened(path, row.hand.id)
        assert len(found.steps) < len(recording.steps)
        first, last = row.hand.first, whole.hand_end(row.hand.first)
        assert (playback.goto(first), playback.hand_start(), playback.hand_end()) == (first, first, last)
        for position in range(first, last + 1):
            assert playback.view(of, position) == whole.view(of, position)
            assert playback.moment(position, of) == whole.moment(position, of)
            assert playback.permitted(of, position) == whole.permitted(of, position)
        assert list(story(playback, first - 1, last, of)) == list(story(whole, first - 1, last, of))
        assert (len(playback), playback.hand_count) == (len(whole), len(whole.hands))
        assert len(found.steps) < len(recording.steps), "something outside the part was read"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_a_hand_of_a_hosts_file(game: str, tmp_path: Path) -> None:
    """With players who sit out, lose their connection and buy chips; cards are shown behind the end of a hand."""
    path = sample_session.write(tmp_path / "a.ryo", troubled_table(3, 4, HANDS, game).steps)
    the_same_everywhere(path, "all")


def test_hosts_and_breaks_are_known_at_every_hand(tmp_path: Path) -> None:
    facts = cycle((HostChanged(1, True), PlayPaused(Pause("pause")), BreakPlanned(5, 10), PlayResumed()))

    def told(event: ev.AnyEvent) -> ev.AnyEvent:
        return replace(event, fact=next(facts)) if isinstance(event, ev.Said) else event

    steps = [replace(step, events=tuple(map(told, step.events))) for step in troubled_table(4, 4, HANDS, "razz").steps]
    assert sum(isinstance(event, ev.Said) for step in steps for event in step.events) > 4
    the_same_everywhere(sample_session.write(tmp_path / "a.ryo", steps), "all")


@pytest.mark.parametrize("owner", [bytes([2]) * 32, None])
def test_a_hand_of_a_players_file(owner: bytes | None, tmp_path: Path) -> None:
    table = HostTable(4, "stud8")
    for _ in range(HANDS):
        table.hand()
    path = table.keep(tmp_path, range(1, HANDS + 1), owner)
    the_same_everywhere(path, 2 if owner else None)


def test_a_file_that_continues_a_session(tmp_path: Path) -> None:
    """Its positions count from its own first event, its events from those of the session."""
    table = troubled_table(5, 3, 1, "razz")
    checkpoint = table.state.checkpoint()
    before = len(table.steps)
    while table.state.view.hand < HANDS:
        table.deal().finish()
    path = sample_session.write(
        tmp_path / "a_002.ryo", table.steps[before:], replace(sample_session.header(), checkpoint=checkpoint)
    )
    the_same_everywhere(path, "all")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    table = troubled_table(3, 4, HANDS, "stud8")
    return sample_session.write(tmp_path / "a.ryo", table.steps)


def ids(path: Path) -> Sequence[str]:
    with Library(path.parent) as library:
        library.refresh()
        return [row.hand.id for row in library.hands()]


@pytest.mark.slow
@pytest.mark.parametrize("move", ["start", "end", "previous_hand", "next_hand", "back", "previous_street"])
def test_moves_out_of_the_part_go_where_they_go_in_the_whole(path: Path, move: str) -> None:
    recording = open_recording(path)
    for hand in ids(path):
        whole, (_, playback) = Playback(recording.steps), opened(path, hand)
        for one in (whole, playback):
            start = find(hand, path.parent)[1]
            assert start is not None
            one.goto(start.first)
        for _ in range(6):
            assert getattr(playback, move)() == getattr(whole, move)()
            assert playback.view("all") == whole.view("all")
            assert playback.hand_id() == whole.hand_id()
        assert playback.hands == whole.hands
        assert playback.streets == whole.streets


def test_what_is_asked_of_the_whole_is_answered_from_the_whole(path: Path) -> None:
    whole, (_, playback) = Playback(open_recording(path).steps), opened(path, ids(path)[5])
    assert [playback.hand_at(number) for number in range(HANDS + 2)] == [
        whole.hand_at(number) for number in range(HANDS + 2)
    ]
    for seat in (None, 1, 2, 3):
        whole, (_, playback) = Playback(open_recording(path).steps), opened(path, ids(path)[5])
        for back in (True, False):
            at = whole.hands[5]
            assert playback.goto(at) == whole.goto(at)
            while (found := whole.decision(seat, back=back)) is not None:
                assert playback.decision(seat, back=back) == found
                assert playback.goto(found) == whole.goto(found)
            assert playback.decision(seat, back=back) is None
    assert list(story(opened(path, ids(path)[5])[1], 0, len(whole), "all")) == list(story(whole, 0, len(whole), "all"))


def test_a_file_that_is_written_goes_on_behind_its_last_part(path: Path) -> None:
    steps = open_recording(path).steps
    table = Playback(steps)
    cut = next(number for number, step in enumerate(steps) if step.seq > table.hands[HANDS - 3] + 4)
    sample_session.write(path, steps[:cut])
    recording, playback = opened(path, ids(path)[-1])
    assert playback.permitted("all", len(playback)) is None, "the hand is running: nobody sees its cards"
    assert playback.permitted("all", playback.goto(table.hands[HANDS - 4])) == "all"
    sample_session.write(path, steps)
    playback.extend(recording.refresh())
    assert len(playback) == len(table)
    assert playback.view("all", len(playback)) == table.view("all", len(table))
    assert playback.permitted("all", len(playback)) == table.permitted("all", len(table))


@pytest.mark.parametrize("where", range(12))
def test_damage_in_the_part_is_never_shown(path: Path, where: int) -> None:
    """The index does not know of it: the size and the time of the file are as before."""
    hand = ids(path)[4]
    recording, _ = opened(path, hand)
    content = bytearray(path.read_bytes())
    first, last = recording.scan.offsets[0], recording.scan.good
    content[first + (last - first) * where // 12] ^= 4
    with Library(path.parent) as library:
        library.refresh()
        row = next(row for row in library.hands() if row.hand.id == hand)
        path.write_bytes(content)
        assert library.open_part(row) is None


def test_another_file_of_the_same_name_is_not_taken_for_the_one_that_is_known(path: Path) -> None:
    hand = ids(path)[7]
    with Library(path.parent) as library:
        library.refresh()
        row = next(row for row in library.hands() if row.hand.id == hand)
        sample_session.write(path, troubled_table(8, 4, HANDS, "stud8").steps)
        assert library.open_part(row) is None


def test_the_places_in_the_index_hold_no_cards(path: Path) -> None:
    with Library(path.parent) as library:
        library.refresh()
        for row in library.hands():
            for place in library.index.places(b"a.ryo", row.hand.first):
                assert not place.table.awards
                assert not any(seat.down or seat.up or seat.shown or seat.values for seat in place.table.seats)
