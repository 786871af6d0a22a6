"""What a player keeps of a hand: everything that they saw and nothing else; it opens like any recording."""

import contextlib
import functools
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client.profile.hand_store import HandStore, NotKept, steps_of
from protocol import commands as cmd
from protocol import events as ev
from protocol.events import AnyEvent
from protocol.journal.records import Header, StepRecord, encode_record
from protocol.seat_view import SeatView
from protocol.versions import RULES
from protocol.view import TableView, hide
from protocol.visibility import project
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server, encode_value
from protocol.wire.frames import SERVER_CAP
from replays.cli.verbs import main
from replays.hand_summaries import summaries
from replays.library import find, list_hands
from replays.phh.exporter import export_hands
from replays.playback import Playback
from replays.recording import Unreadable, open_recording
from replays.verify import verify
from server.table.hand_history import PART_BYTES
from tests.support import sample_session
from tests.support.engine_table import GAMES_PLAYED
from tests.support.kept_hands import HostTable, found, parts_of, secrets, token
from tests.support.limits import length
from tests.support.strategies import values

HANDS = 6


@pytest.fixture(scope="module", params=GAMES_PLAYED)
def table(request: pytest.FixtureRequest) -> HostTable:
    played = HostTable(7, request.param)
    for _ in range(HANDS):
        played.hand()
    return played


ALL = range(1, HANDS + 1)


@pytest.mark.slow
@pytest.mark.parametrize("seat", range(5))
def test_fault_82_no_secret_is_in_a_players_file(table: HostTable, seat: int, tmp_path: Path) -> None:
    content = table.keep(tmp_path, ALL, token(seat) if seat else None).read_bytes()
    for number in ALL:
        assert found(content, table.played(number), seat) == set()


def test_fault_82_the_search_finds_every_secret_that_is_planted(table: HostTable, tmp_path: Path) -> None:
    # The same search on records with one event left whole, for every secret there is: else it would prove nothing.
    hand = table.played(2)
    kinds = set()
    for what, secret, event in secrets(hand, 1):
        step = next(step for step in hand.steps if event in step.events)
        leak = encode_record(replace(step, command=step.command if "deck" in what else None))
        if what.startswith("the token"):
            leak += encode_value(hand.owners)
        if what == "cards of the hand before":
            leak += encode_value(hand.before)
        assert secret in leak, what
        assert what in found(leak, hand, 1), what
        kinds.add(what.split(" of seat")[0])
    assert {"the deck", "a part of the deck", "down cards", "the token"} <= kinds
    assert "cards of the hand before" in kinds


def test_fault_82_a_server_that_hides_nothing_is_caught_by_the_search(table: HostTable, tmp_path: Path) -> None:
    # The whole way to the file, with everything that `project` and `hide` take away left in.
    hand = table.played(3)
    open_steps = tuple([msg.PlayedStep(step.seq, step.at, step.events) for step in hand.steps])
    (record,) = parts_of(hand, token(1))
    files = HandStore(tmp_path)
    path = files.keep([replace(record, steps=open_steps, view=hand.before)])
    files.close()
    assert path is not None
    leaked = found(path.read_bytes(), hand, 1)
    everything = {what for what, _, _ in secrets(hand, 1)}
    assert "down cards" in leaked
    assert {what for what in everything if "deck" not in what and "token" not in what} == leaked


@pytest.mark.slow
def test_trap_A24_mucked_and_folded_hands_are_in_no_file_but_their_owners(table: HostTable, tmp_path: Path) -> None:
    for seat in (0, 1, 2, 3, 4):
        path = table.keep(tmp_path / str(seat), ALL, token(seat) if seat else None)
        playback = Playback(open_recording(path).steps)
        for position in range(1, len(playback) + 1):
            for other in playback.view("all", position).seats:
                assert other.seat == seat or set(other.down) <= {None}


def test_fault_82_the_players_own_cards_are_there(table: HostTable, tmp_path: Path) -> None:
    playback = Playback(open_recording(table.keep(tmp_path, ALL, token(1))).steps)
    own = [card for at in range(1, len(playback) + 1) for card in playback.view(1, at).seat(1).down]
    assert own
    assert None not in own


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1, 3])
def test_the_view_at_every_position_is_the_hosts_without_secrets(table: HostTable, seat: int, tmp_path: Path) -> None:
    recording = open_recording(table.keep(tmp_path, ALL, token(seat) if seat else None))
    playback = Playback(recording.steps)
    numbers = [step.seq + at for step in recording.steps for at in range(len(step.events))]
    position = {seq: at for at, seq in enumerate(numbers, 1)}
    seen = 0
    for event, view in table.views():
        if view.seq in position:
            at = position[view.seq]
            expected = hide(view, seat or None)
            assert playback.view(seat or None, at) == playback.view("all", at) == expected
            assert playback.moment(at, "all").event == project(event, seat or None)
            seen += 1
    assert seen == len(playback)
    # And from any position to any other, not only forwards.
    for at in (len(playback), 1, len(playback) // 2, 3, len(playback) - 1):
        playback.goto(at)
        assert playback.view("all") == Playback(recording.steps).view("all", at)


def test_a_file_verifies_and_says_what_cannot_be_checked(table: HostTable, tmp_path: Path) -> None:
    path = table.keep(tmp_path, ALL, token(2))
    report = verify(path)
    assert (report.problem, report.hands, report.replayed) == ("", HANDS, False)
    assert "without the hidden cards" in report.notes[0]
    recording = open_recording(path)
    assert (recording.header.viewer, recording.of_a_player) == (2, True)
    ours, hosts = summaries(recording.steps), summaries(table.steps)
    for one, other in zip(ours, hosts, strict=True):
        one.first, one.last, one.ended, other.first, other.last, other.ended = 0, 0, 0, 0, 0, 0
        for player in (*one.players.values(), *other.players.values()):
            player.cards = player.small = 0  # a player has not seen the others' cards
        assert one == other
    assert len(export_hands(recording.steps).hands) == HANDS


def test_chips_that_appear_in_a_players_file_are_noticed(tmp_path: Path) -> None:
    played = HostTable(7, "razz")
    played.hand(trouble=False)
    recording = open_recording(played.keep(tmp_path, [1], token(2)))
    first = recording.steps[0]
    antes = next(event for event in first.events if isinstance(event, ev.AntesPosted))
    awards = [(step, event) for step in recording.steps for event in step.events if isinstance(event, ev.PotAwarded)]
    step, award = awards[0]
    forged = replace(award, winners=((award.winners[0][0], award.winners[0][1] + antes.antes[0][1]),))
    steps = [
        replace(one, events=tuple([forged if event is award else event for event in one.events]))
        if one is step
        else one
        for one in recording.steps
    ]
    assert "changes the chips" in verify(sample_session.write(tmp_path / "forged.ryo", steps, recording.header)).problem


def test_missing_hands_are_not_damage(tmp_path: Path) -> None:
    played = HostTable(3, "barneys")
    for _ in range(4):
        played.hand()
    path = played.keep(tmp_path / "hands", [1, 2, 4], token(1))
    assert verify(path).ok
    playback = Playback(open_recording(path).steps)
    assert [playback.hand_at(number) is not None for number in (1, 2, 3, 4)] == [True, True, False, True]
    run = CliRunner()
    listed = run.invoke(main, ["hands", "--data-dir", str(tmp_path)])
    assert listed.exit_code == 0
    assert len(listed.output.splitlines()) == 3
    assert [row.hand.id for row in list_hands(tmp_path / "hands")] == ["kitchen-1", "kitchen-2", "kitchen-4"]
    told = run.invoke(main, ["replay", "kitchen-2", "--all", "--data-dir", str(tmp_path)])
    assert told.exit_code == 0
    assert "Hand 2" in told.output
    assert "Hand 4" not in told.output
    assert "hidden from that player are not in it" in told.output
    last = run.invoke(main, ["replay", "last", "--data-dir", str(tmp_path)])
    assert "Hand 4" in last.output
    assert "(you" in last.output.casefold() or "Ann" in last.output
    whole = run.invoke(main, ["replay", str(path)])
    assert all(f"Hand {number}" in whole.output for number in (1, 2, 4))


def test_fault_41_a_seat_that_changed_hands_does_not_tell_the_old_owners_cards(tmp_path: Path) -> None:
    played = HostTable(5, "stud8", players=3)
    played.hand(trouble=False)
    played.do(cmd.StandUp(1))
    newcomer = b"\xee" * 32
    played.do(cmd.SitDown("Zoe", 200, newcomer, 1))
    played.hand(trouble=False)
    assert played.played(1).viewer(newcomer) is None
    assert played.played(2).viewer(newcomer) == 1
    assert played.played(1).viewer(token(1)) == 1
    assert played.played(2).viewer(token(1)) is None
    for number in (1, 2):
        content = b"".join(map(encode_value, parts_of(played.played(number), newcomer)))
        assert found(content, played.played(number), played.played(number).viewer(newcomer)) == set()
    # The table before the second hand still shows the end of the first one: the old cards are hidden there, too.
    assert played.played(2).before.seat(1).down == ()


def test_a_long_hand_comes_in_parts_that_fit_into_frames(tmp_path: Path) -> None:
    played = HostTable(1, "razz")
    chat = "x" * 200
    played.hand()
    hand = played.played(1)
    said = [StepRecord(hand.steps[0].seq, 0, None, ())]
    seq = hand.steps[-1].seq
    talk = [StepRecord(seq + at, 5, None, (ev.Said("Ann", chat, 1),)) for at in range(3000)]
    end = replace(hand.steps[-1], seq=seq + 3000)
    hand.steps[-1:] = [*talk, end]
    assert said
    parts = parts_of(hand, token(1))
    bodies = [encode_value(part) for part in parts]
    assert len(parts) > 3
    assert max(map(len, bodies)) < 2 * PART_BYTES < SERVER_CAP
    assert [part.view is not None for part in parts] == [True, *[False] * (len(parts) - 1)]
    decoded = [decode_from_server(body) for body in bodies]
    steps = steps_of([part for part in decoded if isinstance(part, msg.HandRecord)])
    assert [step.seq for step in steps] == [step.seq for step in hand.steps]
    files = HandStore(tmp_path)
    path = files.keep(parts)
    files.close()
    assert path is not None
    assert sum(isinstance(event, ev.Said) for step in open_recording(path).steps for event in step.events) >= 3000


def test_a_hand_in_several_files_is_listed_from_the_one_that_hides_least(tmp_path: Path) -> None:
    played = HostTable(2, "razz")
    for _ in range(3):
        played.hand()
    folder = tmp_path / "hands"
    watching = played.keep(folder, [1, 2, 3], None)
    assert {row.path for row in list_hands(folder)} == {watching}
    seat = played.keep(folder, [2, 3], token(1))
    assert [row.path for row in list_hands(folder)] == [watching, seat, seat]
    recording, _ = find("kitchen-3", folder)
    assert recording.path == seat
    host = sample_session.write(folder / "20260921-141320-kitchen.ryo", played.steps)
    assert [row.path for row in list_hands(folder)] == [host] * 3


# ------------------------------------------------------------------ the files


def test_a_hand_is_kept_once_and_the_next_visit_goes_on_in_the_same_file(tmp_path: Path) -> None:
    played = HostTable(2, "razz")
    for _ in range(3):
        played.hand()
    one = played.keep(tmp_path, [1, 2], token(1))
    files = HandStore(tmp_path)
    assert files.keep(parts_of(played.played(2), token(1))) is None
    assert files.keep(parts_of(played.played(3), token(1))) == one
    assert files.keep(parts_of(played.played(1), token(1))) is None  # older than what is there
    files.close()
    assert [hand.number for hand in summaries(open_recording(one).steps)] == [1, 2, 3]
    assert one.stat().st_mode & 0o777 == 0o600
    other = played.keep(tmp_path, [1], None)
    assert {path.name for path in tmp_path.glob("*.ryo")} == {one.name, other.name}
    assert ".seat1." in one.name
    assert ".watching." in other.name


def test_no_second_file_is_made_beside_the_hosts_own_journal(tmp_path: Path) -> None:
    played = HostTable(2, "razz")
    played.hand()
    record = parts_of(played.played(1), token(1))
    host = Header(
        format=1, rules=RULES, program="x", session=record[0].session, table="kitchen", started=sample_session.START
    )
    name = "20260921-141320-kitchen.ryo"
    sample_session.write(tmp_path / name, played.steps, host)
    files = HandStore(tmp_path)
    assert files.keep(record) is None
    assert [path.name for path in tmp_path.glob("*.ryo")] == [name]
    sample_session.write(tmp_path / name, played.steps, replace(host, session=b"another session."))
    assert files.keep(record) is not None
    files.close()


def test_fault_49_nothing_that_cannot_be_true_is_kept(tmp_path: Path) -> None:
    played = HostTable(2, "razz")
    played.hand()
    (good,) = parts_of(played.played(1), token(1))
    assert good.view is not None
    ended = good.steps[-1]
    seats = good.view.copy()
    seats.seats[0] = SeatView(7, "Eve")
    lies = [
        replace(good, view=None),
        replace(good, view=TableView()),
        replace(good, view=seats),
        replace(good, steps=()),
        replace(good, steps=good.steps[:-1]),
        replace(good, steps=good.steps[1:]),
        replace(good, steps=(*good.steps, replace(ended, seq=ended.seq + len(ended.events)))),
        replace(good, steps=(replace(good.steps[0], seq=1), *good.steps[1:])),
        replace(good, hand=9),
        replace(good, session=b"short"),
        replace(good, started=-1),
        replace(good, started=1 << 62),
        replace(good, viewer=-1),
        replace(good, viewer=1 << 60),
    ]
    files = HandStore(tmp_path)
    for lie in lies:
        with pytest.raises(NotKept):
            files.keep([lie])
    assert list(tmp_path.iterdir()) == []
    path = files.keep([replace(good, table="../../etc/\x1b[2J\0passwd" * 9)])
    files.close()
    assert path is not None
    assert path.parent == tmp_path
    assert path.name.isascii()
    assert path.name.isprintable()


@functools.cache
def good_record() -> msg.HandRecord:
    """A hand as a server sends it."""
    played = HostTable(2, "razz")
    played.hand()
    (good,) = parts_of(played.played(1), token(1))
    return good


@settings(max_examples=length(50, 1500))
@given(values(msg.HandRecord), st.lists(values(ev.HandStarted) | values(ev.CardsDealt) | values(ev.PotAwarded)))
@pytest.mark.slow
def test_fault_49_NotKept_is_the_only_error_for_anything_that_a_server_sends(
    record: msg.HandRecord, events: list[AnyEvent]
) -> None:
    good = good_record()
    first, *rest = good.steps
    forged = replace(good, steps=(replace(first, events=(*first.events, *events)), *rest))
    with tempfile.TemporaryDirectory() as folder:
        files = HandStore(Path(folder))
        for lie in (record, replace(good, view=record.view), replace(record, view=good.view), forged):
            with contextlib.suppress(NotKept):
                files.keep([lie])
        files.close()


def test_fault_49_more_than_a_card_game_has_to_say_is_not_kept(tmp_path: Path) -> None:
    played = HostTable(2, "razz")
    played.hand()
    played.hand()
    size = sum(len(encode_record(step)) for step in steps_of(parts_of(played.played(1), None)))
    files = HandStore(tmp_path, size)
    path = files.keep(parts_of(played.played(1), None))
    assert path is not None
    with pytest.raises(NotKept, match="more than a card game"):
        files.keep(parts_of(played.played(2), None))
    files.close()
    assert verify(path).hands == 1


# ------------------------------------------------- hostile and foreign recordings


def test_fault_50_a_malicious_recording_in_the_viewer(tmp_path: Path) -> None:
    played = HostTable(2, "razz")
    played.hand()
    recording = open_recording(played.keep(tmp_path / "hands", [1], token(1)))
    first = recording.steps[0]
    assert first.view is not None

    def written(**changes: object) -> Path:
        view = first.view
        assert view is not None
        view = replace(view.copy(), **changes)
        steps = [replace(first, view=view), *recording.steps[1:]]
        return sample_session.write(tmp_path / "evil" / "hands" / "evil.ryo", steps, recording.header)

    lies: list[dict[str, object]] = [{"seats": []}, {"seats": [SeatView(2, "Eve")]}, {"seq": 4}, {"seq": -1}]
    for changes in lies:
        with pytest.raises((Unreadable, ValueError)):
            Playback(open_recording(written(**changes)).steps)
        assert not verify(tmp_path / "evil" / "hands" / "evil.ryo").ok
        for verb in (["replay", "last"], ["hands"]):
            result = CliRunner().invoke(main, [*verb, "--data-dir", str(tmp_path / "evil")])
            assert result.exception is None or isinstance(result.exception, SystemExit)
    seats = first.view.copy().seats
    for seat in seats:
        if seat.name:
            seat.name = f"\x1b]0;owned\x07\x9b31m{seat.name}\u202e\n"
    path = written(seats=seats, title="\x1b[2J", hand_id="\x1b[3J", street="\x1bc", why="{1}\x1b[9999C{{{")
    for verb in (["replay", "last"], ["replay", str(path), "--all"], ["hands"], ["replay", str(path), "--player", "x"]):
        output = CliRunner().invoke(main, [*verb, "--data-dir", str(tmp_path / "evil")]).output
        assert output
        assert not set(output) & {"\x1b", "\x07", "\x9b", "\u202e"}
    # Only a player's recording has gaps: in a host's file they would hide that something was cut out.
    host = sample_session.write(tmp_path / "host.ryo", recording.steps, replace(recording.header, viewer=None))
    with pytest.raises(Unreadable, match="only a player's recording"):
        open_recording(host)
    back = [*recording.steps, *recording.steps]
    with pytest.raises(Unreadable, match="cannot be"):
        open_recording(sample_session.write(tmp_path / "back.ryo", back, recording.header))


def test_fault_50_damage_anywhere_is_noticed(tmp_path: Path) -> None:
    played = HostTable(2, "plainrazz", players=2)
    for _ in range(2):
        played.hand(trouble=False)
    path = played.keep(tmp_path, [1, 2], token(1))
    content = path.read_bytes()
    broken = tmp_path / "broken.ryo"
    for at in range(0, len(content), 97):
        broken.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        report = verify(broken)
        assert not report.ok or report.scan.verdict == "torn"
    for end in range(0, len(content), 211):
        broken.write_bytes(content[:end])
        report = verify(broken)
        assert report.hands <= 2
        assert report.scan.verdict != "clean" or end in (*report.scan.offsets, report.scan.good)


def test_fault_62_a_file_of_other_rules_is_shown_but_not_checked(tmp_path: Path) -> None:
    played = HostTable(2, "stud8")
    played.hand()
    (record,) = parts_of(played.played(1), token(1))
    files = HandStore(tmp_path)
    path = files.keep([replace(record, rules=RULES + 1)])
    files.close()
    assert path is not None
    recording = open_recording(path)
    assert recording.other_rules
    assert len(Playback(recording.steps)) == sum(len(step.events) for step in recording.steps)
    report = verify(path)
    assert (report.ok, report.replayed) == (True, False)
