"""Sessions that begin, are resumed, and are refused (faults 51-53, 62, 63)."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol import commands as cmd
from protocol.cards import DECK
from protocol.journal.framing import encode_file, scan
from protocol.journal.records import Header, StepRecord, checkpoint_in, decode_record, encode_record
from protocol.table_rules import TableRules
from replays.recording import open_recording
from replays.verify import verify
from server.admission.seat_tokens import token_digest
from server.config.table_config import TableConfig
from server.storage.file_names import file_name, hand_id, newest
from server.storage.journal_errors import Corrupt
from server.storage.recovery import (
    Differs,
    RecordedSession,
    begin,
    rebuild,
    rebuild_from_last_checkpoint,
    reopen,
    resume,
)
from server.table.encoded_step import EncodedStep
from server.table.shuffler import Shuffler

NOW = 1_784_142_000_000  # 2026-07-15 19:00 UTC
SALT = bytes(16)


def rules(**settings: object) -> TableRules:
    return TableConfig(games=("stud8",), **settings).rules()  # type: ignore[arg-type]  # a field of any kind


def play(session: RecordedSession, *commands: cmd.AnyCommand) -> None:
    """Does commands as a table does."""
    for command in commands:
        seq = session.state.seq + 1
        events = session.state.apply(command)
        session.journal.append(EncodedStep(seq, NOW, command, events).record)
    session.journal.commit()


def sat(number: int) -> cmd.SitDown:
    return cmd.SitDown(f"Player {number}", 100, token_digest(bytes([number]) * 32), number)


@pytest.fixture
def evening(tmp_path: Path) -> RecordedSession:
    """Two players in the middle of a hand; the journal is closed."""
    session = begin(str(tmp_path), "main", rules(), NOW)
    play(session, sat(1), sat(2), cmd.StartHand(Shuffler("recovery").deck(), hand_id("main", NOW, 1)))
    session.journal.close()
    return session


def test_ux_5_5_names_of_files_and_hands() -> None:
    assert file_name("main", NOW) == "20260715-190000-main.ryo"
    assert hand_id("main", NOW, 12) == "main-20260715190000-12"


def test_a_new_session_has_its_header_and_its_rules_on_the_disk(tmp_path: Path) -> None:
    session = begin(str(tmp_path), "main", rules(), NOW)
    session.journal.close()
    header, step = map(decode_record, scan(Path(session.journal.path).read_bytes()).records)
    assert isinstance(header, Header)
    assert (header.table, header.started, header.viewer) == ("main", NOW, None)
    assert isinstance(step, StepRecord)
    assert step.command == cmd.OpenTable("main", rules())


def test_two_sessions_of_one_second_have_two_names(tmp_path: Path) -> None:
    sessions = [begin(str(tmp_path), "main", rules(), NOW) for _ in range(2)]
    for session in sessions:
        session.journal.close()
    assert len({session.journal.path for session in sessions}) == 2
    assert len({hand_id("main", session.started, 1) for session in sessions}) == 2


def test_the_newest_journal_is_one_of_this_table(tmp_path: Path) -> None:
    for name in ("20260101-000000-main.ryo", "20260201-000000-my-main.ryo", "20260301-000000-main.ryo.broken"):
        (tmp_path / name).touch()
    assert newest(str(tmp_path), "main") == str(tmp_path / "20260101-000000-main.ryo")
    assert newest(str(tmp_path / "none"), "main") is None


def test_a_session_is_resumed_in_the_middle_of_its_hand(tmp_path: Path, evening: RecordedSession) -> None:
    again = resume(str(tmp_path), "main", rules(), NOW + 5000)
    again.journal.close()
    assert again.resumed
    assert again.journal.path == evening.journal.path
    assert again.state.view == evening.state.view
    assert again.state.pending == evening.state.pending
    assert again.state.tokens == evening.state.tokens
    assert again.started == NOW


def test_trap_A31_other_house_rules_resume_the_session_with_the_rules_of_its_hand(
    tmp_path: Path, evening: RecordedSession
) -> None:
    again = resume(str(tmp_path), "main", rules(buy_in=200), NOW + 5000)
    again.journal.close()
    assert again.resumed
    assert again.journal.path == evening.journal.path
    assert again.state.view == evening.state.view


def test_fault_51_a_torn_tail_is_cut_and_reported(tmp_path: Path, evening: RecordedSession) -> None:
    path = Path(evening.journal.path)
    good = path.read_bytes()
    path.write_bytes(good + b"\x10\0\0\0half a record")
    again = resume(str(tmp_path), "main", rules(), NOW + 5000)
    again.journal.close()
    assert again.state.view == evening.state.view
    assert "were cut" in again.note
    assert path.read_bytes() == good


def test_fault_52_damage_is_refused_and_nothing_is_changed(tmp_path: Path, evening: RecordedSession) -> None:
    session = resume(str(tmp_path), "main", rules(), NOW)
    play(session, cmd.Say("Player 1", "one", 1))
    play(session, cmd.Say("Player 1", "two", 1))
    session.journal.close()
    path = Path(evening.journal.path)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(Corrupt):
        resume(str(tmp_path), "main", rules(), NOW)
    assert path.read_bytes() == bytes(damaged)


def test_fault_63_a_journal_that_plays_differently_names_its_hand(tmp_path: Path, evening: RecordedSession) -> None:
    records = scan(Path(evening.journal.path).read_bytes()).records
    deal = decode_record(records[-1])
    assert isinstance(deal, StepRecord)
    assert isinstance(deal.command, cmd.StartHand)
    other = encode_record(replace(deal, command=replace(deal.command, deck=DECK)))
    with pytest.raises(Differs, match=r"record 4.*other events"):
        rebuild([*records[:-1], other], "x.ryo")
    with pytest.raises(Differs, match="does not follow"):
        rebuild([*records[:-2], records[-1]], "x.ryo")
    with pytest.raises(Differs, match="no session"):
        rebuild(records[:1], "x.ryo")
    Path(evening.journal.path).write_bytes(encode_file(SALT, [*records[:-1], other]))
    with pytest.raises(Differs):
        resume(str(tmp_path), "main", rules(), NOW)


def test_fault_62_a_journal_of_other_rules_is_not_changed_and_a_new_one_begins(
    tmp_path: Path, evening: RecordedSession
) -> None:
    path = Path(evening.journal.path)
    records = scan(path.read_bytes()).records
    header = decode_record(records[0])
    assert isinstance(header, Header)
    path.write_bytes(encode_file(SALT, [encode_record(replace(header, rules=99)), *records[1:]]))
    kept = path.read_bytes()
    fresh = resume(str(tmp_path), "main", rules(), NOW + 5000)
    fresh.journal.close()
    assert not fresh.resumed
    assert "other rules" in fresh.note
    assert path.read_bytes() == kept
    shutil.rmtree(tmp_path)


def test_a_token_is_kept_as_a_digest_only(evening: RecordedSession) -> None:
    content = Path(evening.journal.path).read_bytes()
    assert bytes([1]) * 32 not in content
    assert token_digest(bytes([1]) * 32) in content


def test_trap_A31_chips_that_are_kept_for_somebody_who_has_no_seat_survive_too(tmp_path: Path) -> None:
    session = begin(str(tmp_path), "main", rules(), NOW)
    play(session, sat(1), cmd.StandUp(1, "not there", keep=True))
    session.journal.close()
    again = resume(str(tmp_path), "main", rules(buy_in=200), NOW + 5000)
    again.journal.close()
    assert again.resumed
    assert again.state.kept == {token_digest(bytes([1]) * 32): ("Player 1", 100)}


def test_a_session_that_is_reopened_is_the_one_that_would_be_resumed(tmp_path: Path, evening: RecordedSession) -> None:
    def facts(session: RecordedSession) -> tuple[object, ...]:
        session.journal.close()
        return session.header, session.recent, session.resumed, session.note, session.state.view

    again = facts(reopen(evening.journal.path))
    assert again == facts(resume(str(tmp_path), "main", rules(), NOW))
    assert again[1]
    assert again[2]


def test_fault_53_a_journal_of_another_program_is_refused_and_no_session_begun(
    tmp_path: Path, evening: RecordedSession
) -> None:
    path = Path(evening.journal.path)
    content = encode_file(SALT, [b"\xc1", *scan(path.read_bytes()).records[1:]])
    path.write_bytes(content)
    with pytest.raises(Differs, match=path.name):
        resume(str(tmp_path), "main", rules(), NOW)
    with pytest.raises(Differs, match=path.name):
        reopen(str(path))
    assert [file.name for file in tmp_path.glob("*.ryo")] == [path.name]
    assert path.read_bytes() == content


# ---------------------------------------------------------------- checkpoints


@pytest.fixture
def long_evening(tmp_path: Path) -> RecordedSession:
    """Six hands, each of which begins with a checkpoint, and the seventh in the middle; the journal is closed."""
    session = begin(str(tmp_path), "main", rules(), NOW)
    play(session, sat(1), sat(2))
    for number in range(1, 8):
        checkpoint = session.state.checkpoint()
        command = cmd.StartHand(Shuffler(f"hand {number}").deck(), hand_id("main", NOW, number))
        seq = session.state.seq + 1
        events = session.state.apply(command)
        session.journal.append(EncodedStep(seq, NOW, command, events, checkpoint=checkpoint).record)
        while session.state.pending and number < 7:
            seat, answers = next(iter(session.state.pending.items()))
            play(session, cmd.TimeUp(seat, answers))
        for seat in range(1, 3):
            if session.state.view.seat(seat).away:
                play(session, cmd.SitIn(seat))
    play(session, cmd.Say("Player 1", "and a checkpoint in the chat", 1))
    session.journal.close()
    return session


def records_of(session: RecordedSession) -> list[bytes]:
    return scan(Path(session.journal.path).read_bytes()).records


def test_a_session_is_resumed_from_its_last_checkpoint(tmp_path: Path, long_evening: RecordedSession) -> None:
    records = records_of(long_evening)
    header, state, every = rebuild(records, "x.ryo")
    found, short, steps, number = rebuild_from_last_checkpoint(records, "x.ryo")
    assert number == len(records) - 2, "the last hand and what was said in it"
    assert (found, short.view, short.pending, short.tokens) == (header, state.view, state.pending, state.tokens)
    assert short.view == long_evening.state.view
    assert steps == every[-len(steps) :]
    again = resume(str(tmp_path), "main", rules(), NOW + 5000)
    again.journal.close()
    assert again.recent == every[-64:], "players who come back are told what they have missed, as ever"
    content = Path(long_evening.journal.path).read_bytes()
    assert again.to_play == len(content) - scan(content).offsets[number]


def test_a_checkpoint_is_not_trusted_more_than_the_events(tmp_path: Path, long_evening: RecordedSession) -> None:
    """One that is wrong changes nothing: every command is replayed then. `ryo verify` names it."""
    records = records_of(long_evening)
    number = len(records) - 2
    step = decode_record(records[number])
    assert isinstance(step, StepRecord)
    right = checkpoint_in(records[number])
    assert right is not None
    view = right.view.copy()
    view.seat(1).chips += 7
    for wrong in (
        replace(right, view=view),
        replace(right, view=replace(right.view, seats=[])),
        replace(right, view=replace(right.view, seq=3)),
        replace(right, view=replace(right.view, button=2 if right.view.button == 1 else 1)),
    ):
        lying = [*records[:number], encode_record(replace(step, checkpoint=wrong)), *records[number + 1 :]]
        _, state, _, first = rebuild_from_last_checkpoint(lying, "x.ryo")
        assert (state.view, first) == (long_evening.state.view, 1)
        path = tmp_path / "lying.ryo"
        path.write_bytes(encode_file(SALT, lying))
        assert f"Record {number}: its checkpoint is not" in verify(path).problem
    assert verify(long_evening.journal.path).ok


def test_nothing_that_is_made_of_steps_holds_a_checkpoint(long_evening: RecordedSession) -> None:
    """A checkpoint holds the cards of the hand before, which an exported hand must not."""
    records = records_of(long_evening)
    assert sum(checkpoint_in(record) is not None for record in records) == 7
    assert all(getattr(decode_record(record), "checkpoint", None) is None for record in records[1:])
    assert all(step.checkpoint is None for step in open_recording(long_evening.journal.path).steps)


def test_a_journal_of_an_earlier_version_without_checkpoints_is_played_from_its_start(
    evening: RecordedSession,
) -> None:
    records = records_of(evening)
    _, state, _, first = rebuild_from_last_checkpoint(records, "x.ryo")
    assert (state.view, first) == (evening.state.view, 1)
