"""The server over TLS on loopback sockets: whole games, strangers at the port, clients that do not read."""

import contextlib
import io
import socket
import ssl
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol.versions import PROTOCOL
from protocol.view import hide
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame
from server.app.connection import Connection
from server.app.operator_log import make_log
from server.config.limits import Limits
from tests.support.loopback_server import FAST, RunningServer, WireClient, client_context, config, running

QUICK = Limits(hello=0.4)
"""Half a second stands for the five that a client has."""


async def slow_reader(house: RunningServer) -> WireClient:
    """A client with as little room for what it is sent as the system allows."""
    sock = trio.socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await sock.connect(("127.0.0.1", house.port))
    stream = trio.SSLStream(trio.SocketStream(sock), client_context(), https_compatible=True)
    await stream.do_handshake()
    player = WireClient(stream, "Slo")
    house.clients.append(player)
    await player.send(msg.Hello(PROTOCOL))
    await player.expect(msg.Welcome)
    return player


async def to_the_end(stream: trio.abc.Stream) -> bytes:
    """Everything until the server closes, in whatever way."""
    got = bytearray()
    try:
        while data := await stream.receive_some(4096):
            got += data
    except trio.BrokenResourceError:
        pass
    await trio.aclose_forcefully(stream)
    return bytes(got)


async def test_a_whole_evening_over_tls(tmp_path: Path) -> None:
    games = ("barneys", "stud8", "razz")
    async with running(config(tmp_path, games=games, change="hand", players=3, tls=True)) as house:
        players = await house.seated("Ann", "Ben", "Cho")
        spectator = await house.connect("Eve")
        await spectator.watch()
        await house.play(players, hands=3)
        await house.settle([spectator])
        view = house.table.state.view
        assert view.hand == 3
        assert view.chips() == 300
        for player in players:
            assert player.view == hide(view, player.seat)
        assert spectator.view == hide(view, None)
        assert house.server.strangers == 0


async def test_what_is_spoken(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        stream = await house.open()
        assert isinstance(stream, trio.SSLStream)
        assert stream.version() == "TLSv1.3"
        assert stream.selected_alpn_protocol() == "ryo/1"
        assert not stream.session_reused
        await stream.aclose()


@pytest.mark.parametrize("name", ["main", "no-such-table", "xn--nonsense", None])
async def test_the_server_name_may_be_anything(tmp_path: Path, name: str | None) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        tcp = await trio.open_tcp_stream("127.0.0.1", house.port)
        stream = trio.SSLStream(tcp, client_context(), server_hostname=name, https_compatible=True)
        await stream.send_all(encode_frame(msg.Hello(PROTOCOL)))
        (body,) = FrameDecoder(SERVER_CAP).feed(bytes(await stream.receive_some(4096)))
        assert isinstance(decode_from_server(body), msg.Welcome)
        await stream.aclose()


STRANGERS = {
    "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.2\r\n",
    "zeros": bytes(64),
    "half a record": b"\x16\x03\x01\x02",
    "a record of nonsense": b"\x16\x03\x01\x00\x20" + bytes(range(32)),
    "records without an end": b"\x16\x03\x01\x40\x00" * 8000,
    "nothing": b"",
}


@pytest.mark.parametrize("name", STRANGERS)
async def test_fault_17_strangers_are_closed_counted_and_logged_once(tmp_path: Path, name: str) -> None:
    out = io.StringIO()
    log = make_log(out, "info")
    async with running(config(tmp_path, tls=True, limits=QUICK), log) as house:
        stream = await trio.open_tcp_stream("127.0.0.1", house.port)
        if STRANGERS[name]:
            await stream.send_all(STRANGERS[name])
        answer = await to_the_end(stream)
        assert b"type" not in answer  # at most an alert of TLS
        await wait_all_tasks_blocked()
        assert house.server.lobby.door.inside == 0
        assert house.server.strangers == 1
        assert out.getvalue().count("connection.stranger") == 1
        (ann,) = await house.seated("Ann")
        assert ann.seat == 1


async def test_fault_17_a_client_of_ours_without_encryption_is_told_so(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        stream = await trio.open_tcp_stream("127.0.0.1", house.port)
        await stream.send_all(encode_frame(msg.Hello(PROTOCOL)))
        (body,) = FrameDecoder(SERVER_CAP).feed(await to_the_end(stream))
        answer = decode_from_server(body)
        assert isinstance(answer, msg.Refused)
        assert answer.code == "tls"
        assert "--plain-tcp" in answer.text


@pytest.mark.parametrize("wrong", ["tls 1.2", "no alpn", "other alpn"])
async def test_other_clients_of_tls_are_turned_away(tmp_path: Path, wrong: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if wrong == "tls 1.2":
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    if wrong == "other alpn":
        context.set_alpn_protocols(["h2"])
    async with running(config(tmp_path, tls=True)) as house:
        tcp = await trio.open_tcp_stream("127.0.0.1", house.port)
        stream = trio.SSLStream(tcp, context, https_compatible=True)
        with contextlib.suppress(trio.BrokenResourceError):
            await stream.send_all(encode_frame(msg.Hello(PROTOCOL)))
        assert await to_the_end(stream) == b""
        await wait_all_tasks_blocked()
        assert house.server.lobby.door.inside == 0
        assert house.server.strangers == 1


async def test_fault_18_unfinished_handshakes_do_not_keep_real_clients_out(tmp_path: Path) -> None:
    limits = Limits(hello=1.0, greeting=64, per_address=1000, rate=FAST.rate, burst=FAST.burst)
    async with running(config(tmp_path, tls=True, limits=limits)) as house:
        half = ssl.MemoryBIO()
        with pytest.raises(ssl.SSLWantReadError):
            client_context().wrap_bio(ssl.MemoryBIO(), half).do_handshake()
        hello = half.read()
        crowd = [await trio.open_tcp_stream("127.0.0.1", house.port) for _ in range(200)]
        for number, stream in enumerate(crowd):
            with contextlib.suppress(trio.BrokenResourceError):  # 136 of them had to make room
                await stream.send_all(hello[: number % len(hello) or 1])
        assert house.server.lobby.door.waiting <= 64
        (ann,) = await house.seated("Ann")  # while they are all there
        assert ann.seat == 1
        async with trio.open_nursery() as nursery:
            for stream in crowd:
                nursery.start_soon(to_the_end, stream)
        await wait_all_tasks_blocked()
        assert house.server.lobby.door.inside == 1
        (ben,) = await house.seated("Ben")
        assert ben.seat == 2


@pytest.mark.slow
async def test_fault_07_a_client_that_does_not_read_is_dropped_and_the_others_go_on(tmp_path: Path) -> None:
    limits = Limits(rate=FAST.rate, burst=FAST.burst, say_rate=1e6, say_burst=1e6, say_length=1000, out_bytes=64 * 1024)
    async with running(config(tmp_path, tls=True, limits=limits, games=("stud8",), players=3)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        slow = await slow_reader(house)
        await slow.join()
        connection = house.table.audience.seated[slow.seat]
        assert isinstance(connection, Connection)
        text = "x" * 1000
        said = 0
        while connection.closed != "slow":
            for _ in range(20):
                await ann.send(msg.Say(text))
            said += 20
            await ann.until(lambda view: view.seq >= house.table.state.seq)
            await ben.until(lambda view: view.seq >= house.table.state.seq)
        assert said < 20_000
        await ann.until(lambda view: not view.seat(slow.seat).online)
        # What it did get is whole: every event up to some point, and nothing out of order.
        try:
            while True:
                await slow.next()
        except (trio.EndOfChannel, trio.BrokenResourceError):
            pass
        assert 0 < slow.view.seq < house.table.state.seq
        await house.settle([ann, ben])
        assert ann.view.seq == ben.view.seq == house.table.state.seq


async def test_a_goodbye_arrives_even_if_the_client_goes_on_talking(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        ann = await house.connect("Ann")
        await ann.stream.send_all(b"\xff\xff\xff\xff" + bytes(200_000))
        last = await ann.to_the_end()
        assert isinstance(last, msg.Bye)
        assert last.code == "frame_size"


async def test_fault_12_damaged_bytes_end_this_connection_and_no_other(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        (ann,) = await house.seated("Ann")
        ben = await house.connect("Ben")
        assert isinstance(ben.stream, trio.SSLStream)
        await ben.stream.transport_stream.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
        await to_the_end(ben.stream)
        assert house.server.strangers == 0
        await ann.send(msg.Ping(1))
        assert await ann.expect(msg.Pong) == msg.Pong(1)


async def test_fault_11_a_new_connection_with_the_token_takes_the_seat_over_tls(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        (old,) = await house.seated("Ann")
        new = await house.connect("Ann")
        await new.join(seen=old.view.seq)
        assert new.seat == old.seat
        last = await old.to_the_end()
        assert isinstance(last, msg.Bye)
        assert last.code == "replaced"
