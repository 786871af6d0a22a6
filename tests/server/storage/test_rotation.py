"""A session in several files: each complete in itself, chained, and no crash between two of them loses anything."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol import commands as cmd
from protocol.actions import Action
from protocol.commands import AnyCommand
from protocol.journal.framing import Scan, encode_file, scan
from protocol.journal.records import Header, StepRecord, decode_record, encode_record
from protocol.view import hide
from protocol.wire import messages as msg
from replays.library import list_hands, recordings
from replays.playback import Playback
from replays.recording import open_recording
from replays.verify import verify
from server.engine.errors import IllegalAction
from server.errors import ConfigError
from server.storage.file_names import file_before, file_name, file_number, newest
from server.storage.filesystem import FileSystem
from server.storage.journal_errors import Busy, JournalError
from server.storage.journal_file import Journal
from server.storage.recovery import RecordedSession, begin, resume
from server.storage.rotation import NextFile
from server.table.hand_history import RECENT_HANDS
from tests.support.engine_table import random_command, table_rules
from tests.support.loopback_server import RunningServer, WireClient, config, running
from tests.support.simulated_disk import PowerCut, SimDisk
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

NOW = 1_784_142_000_000
SMALL = 9000
"""Bytes: a hand or two of plain razz."""
RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never", "rotate_bytes": SMALL}


def test_names_of_one_session_sort_in_order() -> None:
    names = [file_name("main", NOW, number) for number in (1, 2, 3, 10, 99, 100)]
    assert names[:2] == ["20260715-190000-main.ryo", "20260715-190000-main_002.ryo"]
    assert names == sorted(names)
    assert [file_number(name) for name in names] == [1, 2, 3, 10, 99, 100]
    assert [file_before(file_name("main", NOW, number)) for number in (1, 2, 3)] == [None, *names[:2]]


def test_a_table_cannot_be_told_to_change_files_all_the_time(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="rotate_bytes"):
        config(tmp_path, rotate_bytes=0).check()


def test_the_newest_file_is_the_last_of_the_last_session(tmp_path: Path) -> None:
    for name in (
        "20260715-190000-main.ryo", "20260715-190000-main_002.ryo", "20260715-190000-main_1000.ryo",
        "20260715-190000-main_999.ryo", "20260715-190000-main_003.ryo.new", "20260715-190000-main_2.ryo",
        "20260716-190000-main-2.ryo", "20260716-190000-maine.ryo", "20260714-190000-main_5000.ryo",
    ):  # fmt: skip
        (tmp_path / name).write_bytes(b"")
    assert newest(str(tmp_path), "main") == str(tmp_path / "20260715-190000-main_1000.ryo")
    (tmp_path / "20260715-190001-main.ryo").write_bytes(b"")
    assert newest(str(tmp_path), "main") == str(tmp_path / "20260715-190001-main.ryo")


# ------------------------------------------------------------------ files and power cuts


def rotate(session: RecordedSession, fs: FileSystem, kind: type[NextFile] = NextFile) -> None:
    """As a table does it."""
    batch = session.journal.take()
    following = kind(session.journal, session.header, session.state.checkpoint(), fs)
    following.write(batch)
    following.sync()
    assert following.journal is not None
    session.journal.close()
    session.journal, session.header = following.journal, following.header


class LongEvening:
    """One table, one disk, one seed; files that change often, and power that goes at any call."""

    def __init__(self, seed: int, kind: type[NextFile] = NextFile) -> None:
        self.kind = kind
        self.rng = random.Random(seed)
        self.disk = SimDisk(self.rng)
        self.rules = table_rules(("plainrazz", "stud"), change="hand", least=20, most=200)
        self.session = begin("/data", "main", self.rules, NOW, self.disk)
        self.told: list[AnyCommand] = [cmd.OpenTable("main", self.rules)]
        self.maybe: list[AnyCommand] = []
        self.rotations = self.cuts = 0
        self.play(cmd.SitDown("Ann", 100, b"a" * 32))
        self.play(cmd.SitDown("Ben", 100, b"b" * 32))

    def play(self, command: AnyCommand) -> None:
        state, journal = self.session.state, self.session.journal
        seq = state.seq + 1
        try:
            events = state.apply(command)
        except IllegalAction:
            return
        if events:
            self.maybe.append(command)
            journal.append(encode_record(StepRecord(seq, NOW, command, events)))
            if state.between_hands and self.rng.random() < 0.4:
                rotate(self.session, self.disk, self.kind)
                self.rotations += 1
            else:
                journal.commit()
            self.told += self.maybe
            self.maybe = []

    def run(self, steps: int) -> None:
        for _ in range(steps):
            if self.rng.random() < 0.1:
                self.disk.cut_in = self.rng.randrange(14)
            if self.rng.random() < 0.03:
                self.disk.fail[self.rng.choice(["write", "fdatasync", "replace", "sync_dir", "open_new"])] = 0
            try:
                command = random_command(self.rng, self.session.state)
                if isinstance(command, cmd.StandUp):
                    continue  # without players another session would begin
                self.play(command)
            except PowerCut:
                self.cuts += 1
                self.disk.cut()
                self.restart()
            except JournalError:
                self.disk.kill()
                self.restart()
        self.disk.cut()
        self.restart()

    def restart(self) -> None:
        while True:
            if self.rng.random() < 0.2:
                self.disk.cut_in = self.rng.randrange(12)
            try:
                self.session = resume("/data", "main", self.rules, NOW, self.disk)
                break
            except PowerCut:
                self.disk.cut()
        self.disk.heal()
        self.check()

    def check(self) -> None:
        """The files are one session without a gap, with all that was shown and nothing that was not asked for."""
        path: str | None = self.session.journal.path
        assert path == newest("/data", "main", self.disk)
        files: list[Scan] = []
        while path is not None:
            files.insert(0, scan(self.disk.read_all(path)))
            path = file_before(path)
        commands: list[AnyCommand] = []
        digest = b""
        seq = 1
        for found in files:
            assert found.verdict == "clean"
            header = decode_record(found.records[0])
            assert isinstance(header, Header)
            assert header.previous == digest
            assert header.next_seq == seq
            digest = found.digest
            for payload in found.records[1:]:
                step = decode_record(payload)
                assert isinstance(step, StepRecord)
                assert step.command is not None
                assert step.seq == seq
                seq += len(step.events)
                commands.append(step.command)
        sent = self.told + self.maybe
        assert len(self.told) <= len(commands) <= len(sent)
        assert commands == sent[: len(commands)]
        assert self.session.state.seq == seq - 1
        self.told, self.maybe = commands, []


def soak(evenings: int, kind: type[NextFile] = NextFile) -> tuple[int, int]:
    """Changes of files and power cuts in so many evenings. The message of a failure has the seed."""
    rotations = cuts = 0
    for seed in range(evenings):
        evening = LongEvening(seed, kind)
        try:
            evening.run(60)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        rotations += evening.rotations
        cuts += evening.cuts
    return rotations, cuts


@pytest.mark.slow
def test_fault_64_67_power_cuts_while_files_change() -> None:
    rotations, cuts = soak(150)
    assert rotations > 200
    assert cuts > 300


class OldFileNotSynced(NextFile):
    def sync(self) -> None:
        self._before._synced = True
        super().sync()


class NewFileFirst(NextFile):
    """The last batch is written when the new file is there already."""

    def write(self, data: bytes) -> None:
        self._late = data

    def sync(self) -> None:
        before, self._before = self._before, _Named(self._before.path)
        super().sync()
        self._before = before
        before.write(self._late)
        before.sync()


class _Named(Journal):
    """Nothing but a path."""

    def __init__(self, path: str) -> None:
        self.path = path

    def sync(self) -> None:
        pass


class ForgottenChain(NextFile):
    def sync(self) -> None:
        self.header = replace(self.header, previous=b"")
        super().sync()


@pytest.mark.parametrize("planted", [OldFileNotSynced, NewFileFirst, ForgottenChain])
def test_planted_mistake_in_changing_files_is_found(planted: type[NextFile]) -> None:
    with pytest.raises(AssertionError, match="seed"):
        soak(100, planted)


@pytest.mark.parametrize("call", range(10))
def test_fault_64_power_goes_at_every_call_of_a_change(call: int) -> None:
    for seed in range(20):
        evening = LongEvening(seed)
        evening.disk.heal()
        evening.disk.cut_in = call
        before = evening.session.state.view.copy()
        try:
            rotate(evening.session, evening.disk)
        except PowerCut:
            pass
        else:
            assert call >= 8, "there are more calls in a change than that"
        evening.disk.cut()
        evening.restart()
        assert evening.session.state.view == before
        assert evening.session.resumed


def test_a_server_that_waits_for_the_lock_does_not_resume_the_old_file(tmp_path: Path) -> None:
    """Fault 60: the first server changes files just before it ends, while the second looks for its journal."""
    rules = table_rules(("plainrazz",))
    first = begin(str(tmp_path), "main", rules, NOW)
    first.journal.append(
        encode_record(StepRecord(2, NOW, (sit := cmd.SitDown("Ann", 50, b"")), first.state.apply(sit)))
    )
    first.journal.commit()
    old = first.journal.path

    class Late(FileSystem):
        def lock(self, path: str) -> int:
            if path == old + ".lock" and first.journal.path == old:
                rotate(first, FileSystem())
            return super().lock(path)

    with pytest.raises(Busy):
        resume(str(tmp_path), "main", rules, NOW, Late())
    new = first.journal.path
    assert new != old
    first.journal.close()
    again = resume(str(tmp_path), "main", rules, NOW, Late())
    assert again.journal.path == new
    assert again.state.view == first.state.view
    again.journal.close()


# --------------------------------------------------------------------------- whole servers


async def a_long_evening(house: RunningServer, hands: int) -> list[WireClient]:
    players = await house.seated("Ann", "Ben", "Cho")
    await house.play(players, hands)
    return players


async def test_a_session_continues_in_new_files_which_all_verify(tmp_path: Path) -> None:
    async with running(config(tmp_path, **RAZZ)) as house:
        players = await a_long_evening(house, 8)
        view = house.table.state.view.copy()
        assert all(player.view.seq == view.seq for player in players)
    folder = tmp_path / "hands"
    paths = recordings(folder)
    assert len(paths) > 2
    for path in paths:
        report = verify(path)
        assert report.ok, report.problem
        assert report.replayed
        assert not report.notes
        assert path.stat().st_size > 0
    assert [row.hand.number for row in list_hands(folder)] == list(range(1, 9))
    for earlier, later in pairwise(map(open_recording, paths)):
        assert later.header.session == earlier.header.session
        assert later.header.previous == earlier.scan.digest
        assert later.header.next_seq == earlier.next_seq
        playback = Playback(later.steps)
        playback.end()
        if later.path == paths[-1]:
            whole = playback.view("all")
            for seat in whole.seats:
                seat.online = view.seat(seat.seat).online  # they have gone since
            assert replace(whole, seq=0) == replace(view, seq=0)
        hands = [row.hand for row in list_hands(folder) if row.path == later.path]
        assert all(hand.names == {1: "Ann", 2: "Ben", 3: "Cho"} for hand in hands)
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / paths[-1].name).write_bytes(paths[-1].read_bytes())
    report = verify(alone / paths[-1].name)
    assert report.ok
    assert report.replayed
    assert "earlier file" in report.notes[0]


async def test_a_server_resumes_the_last_file(tmp_path: Path) -> None:
    async with running(config(tmp_path, **RAZZ)) as house:
        await a_long_evening(house, 4)
        path, view = house.table.journal_path, house.table.state.view.copy()
        assert file_number(path) > 1
    async with running(config(tmp_path, **RAZZ)) as house:
        assert house.table.journal_path == path
        assert house.table.state.view.hand == view.hand
        ann = await house.connect("Ann")
        await ann.join()
        assert ann.seat == 1


async def test_a_file_that_does_not_fit_the_one_before_does_not_verify(tmp_path: Path) -> None:
    async with running(config(tmp_path, **RAZZ)) as house:
        await a_long_evening(house, 4)
    first, second = recordings(tmp_path / "hands")[:2]
    found = scan(second.read_bytes())
    header = decode_record(found.records[0])
    assert isinstance(header, Header)
    checkpoint = header.checkpoint
    assert checkpoint is not None
    richer = checkpoint.view.copy()
    richer.seats[0].chips += 1
    forged = {
        "the chain does not go on": replace(header, previous=b"x" * 16),
        "another session": replace(header, session=b"x" * 16),
        "not the one with which": replace(header, checkpoint=replace(checkpoint, view=richer)),
        "table that cannot be": replace(header, checkpoint=replace(checkpoint, view=replace(richer, rules=None))),
        "no game can go on": replace(header, checkpoint=replace(checkpoint, view=replace(richer, playing=True))),
    }
    for reason, record in forged.items():
        second.write_bytes(encode_file(found.salt, [encode_record(record), *found.records[1:]]))
        report = verify(second)
        assert reason in report.problem, report
    second.write_bytes(encode_file(found.salt, found.records))
    assert verify(second).ok
    first.write_bytes(b"RYOLOG01")
    assert "file before cannot be read" in verify(second).problem


async def answer(player: WireClient, hand: int) -> msg.HandRecord | msg.Rejected:
    await player.send(msg.GetHand(hand))
    while True:
        message = await player.next()
        if isinstance(message, msg.HandRecord | msg.Rejected) and message.hand == hand:
            return message


async def test_hands_in_older_files_are_found_where_files_are_short(tmp_path: Path) -> None:
    async with running(config(tmp_path, **RAZZ)) as house:
        players = await a_long_evening(house, RECENT_HANDS + 5)
        for hand in (1, 2, 4):
            got = await answer(players[0], hand)
            assert isinstance(got, msg.HandRecord), got
            assert got.viewer == 1
            assert got.view is not None
            assert got.view.hand == hand - 1
        for path in recordings(tmp_path / "hands")[:2]:
            path.unlink()
        missing = await answer(players[1], 3)
        assert isinstance(missing, msg.Rejected)
        assert missing.code == "no_hand"


def names(here: SimulatedServer) -> list[str]:
    return sorted(name for name in here.disk.names() if name.endswith(".ryo"))


async def test_no_room_for_a_new_file_the_table_plays_on_and_tries_again(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.hand == 1 and view.playing)
        here.disk.fail["open_new"] = 0
        await here.reach(players, lambda view: "open_new" not in here.disk.fail and view.playing)
        assert not here.table.halted
        assert len(names(here)) == 1
        await here.reach(players, lambda view: len(names(here)) == 2)
        assert not here.table.halted


async def test_a_batch_that_cannot_be_written_is_not_in_the_next_file(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.hand == 1 and len(view.seats[0].up) == 2)
        here.table.pipeline.journal.rotate_bytes = 1
        here.disk.fail["write"] = 0
        asked = next(player for player in players if player.pending is not None)
        known = here.table.state.seq
        assert asked.pending is not None
        await asked.act(Action("fold"), asked.pending[0])
        assert isinstance(await asked.to_the_end(), msg.Bye)
        assert here.table.halted == "storage"
        assert len(names(here)) == 1
        await trio.sleep(11)
        assert not here.table.halted
        assert here.table.state.view.playing
        assert here.table.state.seq == known + 2  # both connections are lost
        here.table.pipeline.journal.rotate_bytes = 1  # the pipeline is a new one
        players = await here.back(players)
        asked = next(player for player in players if player.pending is not None)
        assert asked.pending is not None
        await asked.act(Action("fold"), asked.pending[0])
        await here.reach(players, lambda view: not view.playing)
        assert len(names(here)) == 2


@pytest.mark.parametrize("durability", ["hand", "none"])
async def test_what_was_not_written_yet_is_in_the_old_file(durability: str, autojump_clock: MockClock) -> None:
    async with simulated_server(settings(durability=durability, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: len(names(here)) == 3 and view.hand > 2)
        files = [scan(here.disk.read_all(name)) for name in names(here)]
        headers = [decode_record(found.records[0]) for found in files]
        for (found, _), header in pairwise(zip(files, headers, strict=True)):
            assert found.verdict == "clean"
            assert isinstance(header[1], Header)
            assert header[1].previous == found.digest
        view = here.table.state.view.copy()
        await here.restart()
        assert here.table.state.view.hand >= view.hand - 1


@pytest.mark.parametrize("power", [False, True])
async def test_fault_67_killed_while_a_new_file_is_made(autojump_clock: MockClock, power: bool) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: view.hand == 1 and len(view.seats[0].up) == 2)
        here.table.pipeline.journal.rotate_bytes = 1
        here.system.late = 3.0  # the file exists, and nobody knows it yet
        asked = next(player for player in players if player.pending is not None)
        assert asked.pending is not None
        await asked.act(Action("fold"), asked.pending[0])
        await trio.sleep(1)
        assert len(names(here)) == 2
        assert asked.view.playing
        here.system.late = 0.0
        await here.restart(power=power)
        assert here.table.journal_path == names(here)[-1]
        assert not here.table.state.view.playing
        players = await here.back(players)
        for player in players:
            assert player.view == hide(here.table.state.view, player.seat)
        await here.reach(players, lambda view: view.hand == 3)
        assert here.table.state.view.chips() == 200
