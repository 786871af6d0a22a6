"""Hostile and clumsy clients: each is answered alone, and the table next to them plays on (A25, A26, faults 31-41)."""

import contextlib
import struct
from pathlib import Path

import msgpack
import pytest
import trio
from msgspec.structs import replace

from protocol.actions import Action
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import CLIENT_CAP, HELLO_CAP, frame
from server.config.limits import Limits
from server.config.web_mode import WebMode
from tests.support.loopback_server import RunningServer, WireClient, config, running
from tests.support.simulated_server import settings, simulated_server
from tests.support.web_socket import WebSocketStream, browser_client

STRICT = Limits()
LENGTH = struct.Struct(">I")


def packed(value: object) -> bytes:
    return frame(msgpack.packb(value))


HELLO = packed({"type": "hello", "protocol": list(PROTOCOL)})


async def ending(house: RunningServer, data: bytes) -> msg.FromServer:
    """The last message on a connection that sends these bytes."""
    client = await house.raw()
    await client.stream.send_all(data)
    return await client.to_the_end()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (LENGTH.pack(0), "frame_size"),
        (LENGTH.pack(2**32 - 1), "frame_size"),
        (LENGTH.pack(HELLO_CAP + 1), "frame_size"),
        (b"GET / HTTP/1.1\r\n\r\n", "frame_size"),
        (HELLO + LENGTH.pack(CLIENT_CAP + 1), "frame_size"),
        (packed({"type": "ping"}), "hello_first"),
        (HELLO + HELLO, "hello_again"),
        (packed({"type": "hello"}), "bad_message"),
        (packed({"type": "hello", "protocol": [True, True]}), "bad_message"),
        (packed({"type": "nonsense"}), "bad_message"),
        (packed([1, 2]), "bad_message"),
        (HELLO + frame(bytes.fromhex("dd7fffffff")), "bad_message"),
        (HELLO + frame(bytes.fromhex("df7fffffff")), "bad_message"),
        (HELLO + frame(bytes.fromhex("c67fffffff")), "bad_message"),
        (HELLO + frame(bytes.fromhex("db7fffffff")), "bad_message"),
        (HELLO + frame(b"\x91" * 1000), "bad_message"),
        (HELLO + frame(bytes.fromhex("8190c0")), "bad_message"),
        (HELLO + frame(bytes.fromhex("810102")), "bad_message"),
        (HELLO + frame(bytes.fromhex("8180c0")), "bad_message"),
        (HELLO + frame(bytes.fromhex("a1ff")), "bad_message"),
        (HELLO + frame(bytes.fromhex("c701ff00")), "bad_message"),
        (HELLO + frame(bytes.fromhex("d40500")), "bad_message"),
        (HELLO + frame(bytes.fromhex("cb7ff8000000000000")), "bad_message"),
        (HELLO + packed({"type": "ping", "n": float("nan")}), "bad_message"),
        (HELLO + packed({"type": "ping", "n": 2.0}), "bad_message"),
        (HELLO + packed({"type": "ping", "n": True}), "bad_message"),
        (HELLO + frame(msgpack.packb({"type": "ping"}) + b"\0"), "bad_message"),
        (HELLO + packed({"type": "ping", "x": [[[[[[[[1]]]]]]]]}), "bad_message"),
        (HELLO + packed({"type": "act", "id": 1, "answers": 1, "action": {"kind": "steal"}}), "bad_message"),
        (HELLO + packed({"type": "join", "name": "x", "token": b"1", "seat": "one"}), "bad_message"),
    ],
)
async def test_A25_A26_faults_31_to_33_are_answered_to_the_sender_alone(tmp_path: Path, data: bytes, code: str) -> None:
    async with running(config(tmp_path)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        before = house.table.state.seq
        last = await ending(house, data)
        assert isinstance(last, msg.Bye)
        assert last.code == code
        assert last.text.endswith(".")
        assert house.table.state.seq == before
        await house.play([ann, ben], 1)


@pytest.mark.parametrize(
    "body", [b"\x91" * 16_000, msgpack.packb({"type": "say", "text": "x" * 2000})], ids=["deep", "long"]
)
async def test_A25_large_frames_are_taken_after_the_handshake_and_answered_as_well(tmp_path: Path, body: bytes) -> None:
    async with running(config(tmp_path)) as house:
        client = await house.connect()
        await client.stream.send_all(frame(body))
        last = await client.to_the_end()
        assert isinstance(last, msg.Bye)
        assert last.code == "bad_message"


async def test_fault_34_unknown_keys_are_ignored(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        client = await house.connect()
        await client.stream.send_all(packed({"type": "ping", "n": 7, "colour": {"of": ["the", "moon"]}}))
        assert (await client.expect(msg.Pong)).n == 7


@pytest.mark.parametrize(("spoken", "remedy"), [((98, 99), "Ask the host"), ((0, 0), "Upgrade your client")])
async def test_fault_34_other_versions_are_told_both_and_the_remedy(
    tmp_path: Path, spoken: tuple[int, int], remedy: str
) -> None:
    async with running(config(tmp_path)) as house:
        last = await ending(house, packed({"type": "hello", "protocol": list(spoken), "client": "old\x1b[2J one"}))
        assert isinstance(last, msg.Refused)
        assert last.code == "version"
        assert last.protocol == PROTOCOL
        assert remedy in last.text
        assert str(spoken[1]) in last.text
        assert "\x1b" not in last.text


async def test_fault_3_single_bytes_are_as_good_as_one_piece(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        client = await house.raw()
        for byte in HELLO + packed({"type": "ping", "n": 3}):
            await client.stream.send_all(bytes([byte]))
        await client.expect(msg.Welcome)
        assert (await client.expect(msg.Pong)).n == 3
        await client.stream.send_all(b"".join(packed({"type": "ping", "n": n}) for n in range(20)))
        assert [(await client.expect(msg.Pong)).n for _ in range(20)] == list(range(20))


@pytest.mark.parametrize("web", ["off", "plain"])
async def test_fault_38_a_flood_ends_the_connection_and_keeps_the_seat(tmp_path: Path, web: WebMode) -> None:
    async with running(replace(config(tmp_path, limits=STRICT), web=web)) as house:
        ann = await house.connect("Ann") if web == "off" else await browser_client(house, "Ann")
        await ann.join()
        await ann.stream.send_all(b"".join(packed({"type": "ping", "n": n}) for n in range(60)))
        last = await ann.to_the_end()
        assert isinstance(last, msg.Bye)
        assert (last.code, last.again) == ("too_fast", True)
        assert [player.name for player in house.table.state.view.players()] == ["Ann"]


@pytest.mark.parametrize("web", ["off", "plain"])
async def test_fault_39_a_chat_flood_is_muted_and_nothing_else(tmp_path: Path, web: WebMode) -> None:
    async with running(replace(config(tmp_path, limits=STRICT), web=web)) as house:
        ann = await house.connect("Ann") if web == "off" else await browser_client(house, "Ann")
        await ann.join()
        for number in range(8):
            await ann.send(msg.Say(f"line {number}"))
        # The refusals may come before the last line that is said, or after it: that one waits for the disk.
        while sum(isinstance(m, msg.Rejected) for m in ann.inbox) < 3 or not any(
            event_text(m).endswith(b"4") for m in ann.inbox
        ):
            await ann.next()
        said = [event for m in ann.inbox if isinstance(m, msg.Events) for event in m.events]
        assert len(said) == 5
        assert [m.code for m in ann.inbox if isinstance(m, msg.Rejected)] == ["muted"] * 3


async def test_trap_A40_coming_and_going_is_limited_like_chat(tmp_path: Path) -> None:
    limits = Limits(rate=1e6, burst=1e6, join_rate=0.001, join_burst=3)
    async with running(config(tmp_path, limits=limits)) as house:
        ann = await house.connect("Ann")
        for _ in range(3):
            await ann.join()
            await ann.until(lambda view: bool(view.players()))
            await ann.send(msg.StandUp())
            await ann.until(lambda view: not view.players())
        before = house.table.state.seq
        for message in (msg.Join("Ann", ann.token), msg.Watch(), msg.Join("Ann", ann.token)):
            await ann.send(message)
            assert (await ann.expect(msg.Rejected)).code == "busy"
        assert house.table.state.seq == before
        assert not house.table.state.view.players()
        await ann.send(msg.Ping(7))
        assert await ann.next() == msg.Pong(7)
        (again,) = await house.seated("Ann")  # the limit is the connection's, so that a lost one costs nobody a seat
        assert again.seat == 1


async def test_fault_40_chat_reaches_others_without_escapes_and_cut(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await ann.send(msg.Say("\x1b]52;c;aGk=\x07hi\u202e there\r\n" + "x" * 300))
        while not any(b"there" in event_text(m) for m in ben.inbox):
            await ben.next()
        (text,) = [event_text(m) for m in ben.inbox if b"there" in event_text(m)]
        assert text.startswith(b"hi there xxx")
        assert len(text) == 200
        assert b"\x1b" not in text
        assert b"52;c" not in ben.received  # numbers may have the byte of an escape, but not the rest of one


def event_text(message: msg.FromServer) -> bytes:
    """What was said in a message."""
    if not isinstance(message, msg.Events):
        return b""
    return b"".join(event.text.encode() for event in message.events if hasattr(event, "text"))


async def test_fault_47_spectators_and_strangers_have_no_say(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        await house.seated("Ann", "Ben")
        spectator = await house.connect("Eve")
        act = msg.Act(1, house.table.state.seq, Action("fold"))
        for message in (act, msg.Say("hello"), msg.SitOut(), msg.StandUp(), msg.TopUp(50), msg.GoOn()):
            await spectator.send(message)
            assert (await spectator.expect(msg.Rejected)).code == "no_table"
        await spectator.watch()
        before = house.table.state.seq
        for message in (act, msg.Say("hello"), msg.SitOut(), msg.StandUp(), msg.TopUp(50), msg.GoOn()):
            await spectator.send(message)
            assert (await spectator.expect(msg.Rejected)).code == "not_seated"
        assert house.table.state.seq == before


async def test_limits_connections_of_one_address(tmp_path: Path) -> None:
    async with running(config(tmp_path, limits=Limits(per_address=2))) as house:
        await house.connect("Ann")
        await house.connect("Ben")
        third = await house.connect("Cho")
        await third.send(msg.Join("Cho", third.token))
        assert (await third.expect(msg.Rejected)).code == "full"
        await house.clients[0].close()
        await trio.testing.wait_all_tasks_blocked(0.05)
        await third.join()


@pytest.mark.parametrize(
    ("begin", "limits", "code"),
    [
        (b"", Limits(hello=0.2), "hello_slow"),
        (HELLO[:7], Limits(hello=0.2), "hello_slow"),
        (HELLO, Limits(idle=0.2), "idle"),
        (HELLO + LENGTH.pack(100) + b"half", Limits(frame=0.2), "frame_slow"),
    ],
    ids=["silent", "half a hello", "idle", "half a frame"],
)
async def test_faults_5_8_silence_ends_a_connection(tmp_path: Path, begin: bytes, limits: Limits, code: str) -> None:
    async with running(config(tmp_path, limits=limits)) as house:
        last = await ending(house, begin)
        assert isinstance(last, msg.Bye)
        assert last.code == code


@pytest.mark.parametrize("web", ["off", "plain"])
async def test_fault_7_a_player_who_does_not_read_is_dropped_and_the_others_play(tmp_path: Path, web: WebMode) -> None:
    limits = Limits(rate=1e6, burst=1e6, out_bytes=20_000, out_frames=64)
    async with running(replace(config(tmp_path, limits=limits), web=web)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        sock = trio.socket.socket()
        sock.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_RCVBUF, 8192)  # else the kernel reads for it for long
        await sock.connect(("127.0.0.1", house.port))
        tcp = trio.SocketStream(sock)
        deaf = WireClient(tcp if web == "off" else await WebSocketStream(tcp).open(house.port), "Eve")
        house.clients.append(deaf)
        await deaf.stream.send_all(HELLO)
        await deaf.expect(msg.Welcome)
        await deaf.join()
        await deaf.send(msg.SitOut())
        for _ in range(60):
            if not house.table.audience.seated.get(deaf.seat):
                break
            with contextlib.suppress(trio.BrokenResourceError):
                await deaf.stream.send_all(200 * packed({"type": "list_tables"}))
            await trio.testing.wait_all_tasks_blocked(0.01)
        assert deaf.seat not in house.table.audience.seated, "the kernel's buffers are full, and then ours"
        assert not house.table.state.view.seat(deaf.seat).online
        await house.play([ann, ben], house.table.state.view.hand)


async def test_a_client_may_ask_for_the_tables_and_change_its_mind(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        client = await house.connect("Ann")
        await client.send(msg.ListTables())
        (table,) = (await client.expect(msg.Tables)).tables
        assert (table.table, table.players) == ("main", ())
        await client.send(msg.Join("Ann", b"1" * 32, "elsewhere"))
        assert (await client.expect(msg.Rejected)).code == "no_table"
        await client.join("main")
        await client.send(msg.Join("Ann", b"2" * 32))
        assert (await client.expect(msg.Rejected)).code == "seated"


async def test_everything_in_one_piece_before_any_answer(tmp_path: Path) -> None:
    """A client that does not wait for answers gets one seat, even while the first join is on its way to the disk."""
    async with running(config(tmp_path)) as house:
        client = await house.raw()
        joins = [packed({"type": "join", "name": f"Ann {n}", "token": bytes([n]) * 32}) for n in range(3)]
        await client.stream.send_all(HELLO + b"".join(joins) + packed({"type": "ping"}))
        await client.expect(msg.Welcome)
        while sum(isinstance(m, msg.Rejected) for m in client.inbox) < 2:
            await client.next()
        assert [m.code for m in client.inbox if isinstance(m, msg.Rejected)] == ["seated", "seated"]
        assert [player.name for player in house.table.state.view.players()] == ["Ann 0"]


async def test_a_client_that_has_gone_before_its_join_was_durable_is_no_ghost(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        others = [await house.connect(name) for name in ("Ann", "Ben")]
        for other in others:
            await other.send(msg.Join(other.name, other.token))
            await trio.aclose_forcefully(other.stream)
        spectator = await house.connect("Eve")
        await spectator.watch()
        await spectator.until(lambda view: not any(seat.online for seat in view.players()))
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert not house.table.audience.seated
        assert all(isinstance(m, msg.Welcome | msg.Snapshot | msg.Events) for m in spectator.inbox)


async def test_fault_92_many_bytes_are_too_fast_however_few_frames_they_are(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with simulated_server(settings(limits=Limits(rate=1.0, burst=20.0))) as here:
        ann = await here.connect("Ann")
        large = frame(msgpack.packb({"type": "ping", "n": 1, "pad": bytes(15_000)}))
        with contextlib.suppress(trio.BrokenResourceError):
            await ann.stream.send_all(large * 15)  # by frames alone it could be 20
        last = await ann.to_the_end()
        assert isinstance(last, msg.Bye)
        assert last.code == "too_fast"


async def test_fault_92_many_small_records_of_tls_are_too_fast(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True, limits=Limits(rate=1.0, burst=20.0))) as house:
        ann = await house.connect("Ann")
        with contextlib.suppress(trio.BrokenResourceError):
            for byte in frame(msgpack.packb({"type": "ping", "n": 1, "pad": bytes(150)})):
                await ann.stream.send_all(bytes([byte]))  # one frame, and few bytes
        last = await ann.to_the_end()
        assert isinstance(last, msg.Bye)
        assert last.code == "too_fast"


async def test_fault_92_the_number_of_an_action_is_not_negative(autojump_clock: trio.testing.MockClock) -> None:
    async with simulated_server(settings(games=("plainrazz",), change="never")) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, lambda view: any(seat.pending for seat in view.seats))
        player = next(player for player in players if player.pending)
        assert player.pending is not None
        before = here.table.state.seq
        await player.send(msg.Act(-1, player.pending[0], Action("fold")))
        refused = await player.expect(msg.Rejected)
        assert (refused.code, here.table.state.seq) == ("illegal", before)
