"""The hand keeper at a session: it asks for each hand that is over, and never stops the game."""

from collections.abc import Callable
from pathlib import Path

import trio
from click.testing import CliRunner
from trio.testing import MockClock

from client.bots.runner import BotRunner
from client.bots.simple import passive
from client.connection.address import Address
from client.connection.connection import dialer
from client.connection.hand_keeper import HandKeeper
from client.connection.seat_request import SeatRequest
from client.connection.session import LAST_ANSWER, ClientSession
from client.profile.settings import Settings, load_settings
from protocol import events as ev
from protocol.view import hide
from protocol.wire import messages as msg
from replays.cli.verbs import main
from replays.hand_summaries import summaries
from replays.playback import Playback
from replays.recording import open_recording
from replays.verify import verify
from server.table.hand_history import find_hand
from tests.support.kept_hands import HostTable, parts_of, token
from tests.support.loopback_server import RunningServer, config, running
from tests.support.scripted_server import Peer, ScriptedServer


def player_at(server: RunningServer, name: str, seat: int = 0, watch: bool = False) -> ClientSession:
    """A session at the server's table, as a separate program would have it."""
    key = name.encode().ljust(32, b"\1")
    request = SeatRequest("" if watch else name, lambda table: key, "main", seat=seat, watch=watch)
    return ClientSession(dialer(Address("127.0.0.1", server.port)), request)


async def until(session: ClientSession, reached: Callable[[], bool]) -> None:
    """Returns when something that the session was told makes it true."""
    while not reached():
        woken = trio.Event()

        def wake(told: object, woken: trio.Event = woken) -> None:
            woken.set()

        session.on_change.append(wake)
        session.on_record.append(wake)
        await woken.wait()
        session.on_change.remove(wake)
        session.on_record.remove(wake)


def hands_in(path: Path) -> list[int]:
    return [hand.number for hand in summaries(open_recording(path).steps)]


async def test_fault_82_a_player_has_the_hands_on_their_own_machine(tmp_path: Path) -> None:
    async with running(config(tmp_path / "host", games=("barneys",), change="never")) as house:
        sessions = [player_at(house, name) for name in ("Ann", "Ben")]
        spectator = player_at(house, "", watch=True)
        folders = {one: tmp_path / str(number) / "hands" for number, one in enumerate([*sessions, spectator])}
        keepers = {one: HandKeeper(one, folder) for one, folder in folders.items()}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(spectator.run)
            for session in sessions:
                player = BotRunner(session, lambda view, seat, request: passive(request), hands=3, leave=True)
                nursery.start_soon(player.run)
            async with trio.open_nursery() as seated:
                for session in sessions:
                    seated.start_soon(session.run)
            await until(spectator, lambda: spectator.view.hand == 3 and not spectator.waits())
            spectator.close()
            nursery.cancel_scope.cancel()
        journal = Path(house.table.journal_path)
    host = Playback(open_recording(journal).steps)
    for session, keeper in keepers.items():
        path = keeper.kept
        assert path is not None
        assert path.parent == folders[session]
        assert hands_in(path) == [1, 2, 3]
        assert verify(path).ok
        recording = open_recording(path)
        seat = recording.header.viewer
        # Everything of these hands, also the events of the step in which the seat was given back.
        assert recording.header.session == open_recording(journal).header.session
        playback = Playback(recording.steps)
        seqs = [step.seq + at for step in recording.steps for at in range(len(step.events))]
        for at, seq in enumerate(seqs, 1):
            assert playback.view("all", at) == hide(host.view("all", seq), seat or None)
        told = CliRunner().invoke(main, ["replay", "last", "--data-dir", str(path.parent.parent)])
        assert told.exit_code == 0
        assert "Hand 3" in told.output
    assert {open_recording(one.kept).header.viewer for one in keepers.values() if one.kept} == {0, 1, 2}


async def test_who_changes_seats_plays_on_and_has_a_file_for_each_seat(tmp_path: Path) -> None:
    async with running(config(tmp_path / "host", games=("stud8",), seats=4)) as house:
        ann, ben = [player_at(house, name, seat) for seat, name in enumerate(("Ann", "Ben"), 1)]
        keeper, said = HandKeeper(ann, tmp_path / "hands"), list[str]()
        ann.on_notice.append(said.append)

        def move(told: object) -> None:
            if ann.seat == 1 and ann.view.hand == 1 and ann.view.playing and not said:
                said.append("asked")
                ann.move_seat(4)

        ann.on_change.append(move)
        async with trio.open_nursery() as nursery:
            for session in (ann, ben):
                player = BotRunner(session, lambda view, seat, request: passive(request), hands=3, leave=True)
                nursery.start_soon(player.run)
            async with trio.open_nursery() as seated:
                for session in (ann, ben):
                    seated.start_soon(session.run)
            nursery.cancel_scope.cancel()
        journal = Path(house.table.journal_path)
    assert "You sit in seat 4 now." in said
    assert keeper.kept is not None
    kept = {open_recording(path).header.viewer: path for path in keeper.kept.parent.iterdir() if path.suffix == ".ryo"}
    assert {seat: hands_in(path) for seat, path in kept.items()} == {1: [1], 4: [2, 3]}
    host = Playback(open_recording(journal).steps)
    for seat, path in kept.items():
        recording = open_recording(path)
        assert verify(path).ok
        seqs = [step.seq + at for step in recording.steps for at in range(len(step.events))]
        for at, seq in enumerate(seqs, 1):
            assert Playback(recording.steps).view("all", at) == hide(host.view("all", seq), seat)
    assert verify(journal).ok


async def test_hands_played_while_the_connection_was_broken_are_asked_for(tmp_path: Path) -> None:
    async with running(config(tmp_path / "host", games=("razz",), change="never", players=3)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        cai = player_at(house, "Cai")
        keeper = HandKeeper(cai, tmp_path / "hands")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(BotRunner(cai, lambda view, seat, request: passive(request)).run)
            nursery.start_soon(cai.run)
            await house.play([ann, ben], 1)
            await until(cai, lambda: cai.view.hand == 1 and not cai.view.playing and not cai.waits())
            connection = house.table.audience.seated[cai.seat]
            connection.part("stopping", "The connection breaks.", again=True)
            cai.sit_out()
            await ann.until(lambda view: not view.seat(3).online)
            await until(cai, lambda: cai.status == "online")
            await house.play([ann, ben], 3)
            await until(cai, lambda: cai.view.hand == 3 and not cai.view.playing and not cai.waits())
            cai.close()
            nursery.cancel_scope.cancel()
    assert keeper.kept is not None
    assert hands_in(keeper.kept) == [1, 2, 3]


async def test_where_the_host_plays_there_is_one_recording(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("razz",), change="never")) as house:
        (ben,) = await house.seated("Ben")
        ann = player_at(house, "Ann")
        keeper = HandKeeper(ann, tmp_path / "hands")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(BotRunner(ann, lambda view, seat, request: passive(request)).run)
            nursery.start_soon(ann.run)
            await house.play([ben], 2)
            await until(ann, lambda: ann.view.hand == 2 and not ann.view.playing and not ann.waits())
            ann.close()
            nursery.cancel_scope.cancel()
        assert keeper.kept is None
        assert [str(path) for path in (tmp_path / "hands").glob("*.ryo")] == [house.table.journal_path]


# ------------------------------------------------------- against a scripted server


class Player:
    """A session with a keeper at a scripted server, while hand 2 of three is played."""

    def __init__(self, server: ScriptedServer, folder: Path) -> None:
        self.played = HostTable(4, "razz", players=3)
        for _ in range(3):
            self.played.hand(trouble=False)
        self.session = ClientSession(server.dial, SeatRequest("Ann", lambda table: b"t" * 32, "kitchen"))
        self.keeper = HandKeeper(self.session, folder)
        self.notices: list[str] = []
        self.session.on_notice.append(self.notices.append)
        self.record = {number: parts_of(self.played.played(number), token(1)) for number in (1, 2, 3)}

    async def seat(self, peer: Peer) -> None:
        """Ann sits in seat 1 and sees the table before hand 2."""
        before = self.played.played(2).before
        await peer.seat(before, 1)

    def events(self, number: int) -> list[msg.FromServer]:
        """What the table sends to Ann during a hand."""
        return [msg.Events(step.seq, step.at, step.events) for step in self.record[number][0].steps]


async def next_ask(peer: Peer) -> msg.GetHand:
    while True:
        message = await peer.receive()
        if isinstance(message, msg.GetHand):
            return message


async def test_each_hand_is_asked_for_once_and_nothing_unasked_is_kept(tmp_path: Path, server: ScriptedServer) -> None:
    player = Player(server, tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.session.run)
        peer = await server.accept()
        await player.seat(peer)
        await peer.send(*player.record[1])  # nobody has asked
        await peer.send(*player.events(2))
        assert await next_ask(peer) == msg.GetHand(2)
        await peer.send(*player.record[3])  # not what was asked for
        await peer.send(*player.record[2])
        await peer.send(*player.record[2])  # once more
        await peer.send(*player.events(3))
        assert await next_ask(peer) == msg.GetHand(3)
        await peer.send(*player.record[3])
        await until(player.session, lambda: not player.session.waits())
        player.session.close()
    assert player.keeper.kept is not None
    assert hands_in(player.keeper.kept) == [2, 3]
    assert player.notices == []


async def test_a_refused_hand_is_not_asked_for_again_and_a_busy_server_is(
    tmp_path: Path, server: ScriptedServer
) -> None:
    player = Player(server, tmp_path)
    moment = 0.0
    player.session.now = lambda: moment
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.session.run)
        peer = await server.accept()
        await player.seat(peer)
        await peer.send(*player.events(2))
        assert await next_ask(peer) == msg.GetHand(2)
        await peer.send(msg.Rejected("busy", "Not now.", hand=2))
        moment = 100.0
        await peer.send(*player.events(3))
        assert await next_ask(peer) == msg.GetHand(2)
        await peer.send(msg.Rejected("no_hand", "It is gone.", hand=2))
        assert await next_ask(peer) == msg.GetHand(3)
        await peer.send(*player.record[3])
        await until(player.session, lambda: not player.session.waits())
        player.session.close()
    assert player.keeper.kept is not None
    assert hands_in(player.keeper.kept) == [3]
    assert player.notices == []


async def test_a_request_that_was_lost_is_made_again(tmp_path: Path, server: ScriptedServer) -> None:
    player = Player(server, tmp_path)
    moment = 0.0
    player.session.now = lambda: moment
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.session.run)
        peer = await server.accept()
        await player.seat(peer)
        await peer.send(*player.events(2))
        assert await next_ask(peer) == msg.GetHand(2)
        await peer.aclose()
        moment = 100.0
        peer = await server.accept()
        await peer.seat(player.played.played(3).before, 1)
        assert await next_ask(peer) == msg.GetHand(2)
        await peer.send(*player.record[2])
        await until(player.session, lambda: not player.session.waits())
        player.session.close()
    assert player.keeper.kept is not None
    assert hands_in(player.keeper.kept) == [2]


async def test_a_full_disk_is_told_once_and_the_game_goes_on(tmp_path: Path, server: ScriptedServer) -> None:
    (tmp_path / "file").write_text("no directory")
    player = Player(server, tmp_path / "file" / "hands")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.session.run)
        peer = await server.accept()
        await player.seat(peer)
        for number in (2, 3):
            await peer.send(*player.events(number))
            assert await next_ask(peer) == msg.GetHand(number)
            await peer.send(*player.record[number])
        await until(player.session, lambda: not player.session.waits())
        assert player.session.status == "online"
        player.session.close()
    assert player.session.view.hand == 3
    assert player.keeper.kept is None
    assert len(player.notices) == 1
    assert "The last hand could not be kept" in player.notices[0]


async def test_a_session_that_is_over_waits_for_the_last_hand_but_not_long(
    autojump_clock: MockClock, tmp_path: Path, server: ScriptedServer
) -> None:
    for answers in (True, False):
        player = Player(server, tmp_path / str(answers))
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.session.run)
            peer = await server.accept()
            await player.seat(peer)
            await peer.send(*player.events(2))
            assert await next_ask(peer) == msg.GetHand(2)
            last = player.record[2][0].steps[-1]
            await peer.send(msg.Events(last.seq + len(last.events), 0, (ev.PlayerLeft(1, "Ann", 100),)))
            if answers:
                await peer.send(*player.record[2])
        assert player.session.status == "closed"
        assert (player.keeper.kept is not None) == answers
        assert trio.current_time() - began < (LAST_ANSWER if answers else LAST_ANSWER + 2)


def test_the_switch_in_the_settings(tmp_path: Path) -> None:
    assert Settings().keep_hands
    path = tmp_path / "client.toml"
    path.write_text("keep_hands = false\n", encoding="utf-8")
    assert not load_settings(path).keep_hands


def test_a_hand_that_is_not_in_the_journal_is_not_found() -> None:
    assert find_hand([], 1) is None
