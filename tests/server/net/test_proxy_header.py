"""Who a client is, when a proxy in front of the server says it."""

import ipaddress
import socket
from pathlib import Path

import msgspec
import pytest
import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from server.config.limits import Limits
from server.net.proxy_header import (
    HEAD,
    SIGNATURE,
    BadProxyHeader,
    ProxyHeader,
    TrustedProxies,
    decode_proxy_header,
    receive_proxy_header,
)
from tests.support.loopback_server import WireClient, config, running

V4 = SIGNATURE + b"\x21\x11\0\x0c" + bytes([203, 0, 113, 7, 192, 0, 2, 1]) + b"\xc3\x50\x1e\x27"
V6_ENDS = ipaddress.ip_address("2001:db8::7").packed + ipaddress.ip_address("2001:db8::1").packed
V6 = SIGNATURE + b"\x21\x21\0\x24" + V6_ENDS + b"\xc3\x50\x1e\x27"
HEALTH = SIGNATURE + b"\x20\0\0\0"
"""What HAProxy sends when it asks whether the server lives."""
WITH_EXTRAS = V4[:14] + b"\0\x10" + V4[16:] + b"\x04\0\x01x"


@pytest.mark.parametrize(
    ("header", "client", "server"),
    [
        (V4, ("203.0.113.7", 50000), ("192.0.2.1", 7719)),
        (V6, ("2001:db8::7", 50000), ("2001:db8::1", 7719)),
        (WITH_EXTRAS, ("203.0.113.7", 50000), ("192.0.2.1", 7719)),
        (HEALTH, None, None),
    ],
)
async def test_a_header_is_read_and_no_byte_of_the_client(
    header: bytes, client: tuple[str, int] | None, server: tuple[str, int] | None
) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, trio.fail_after(10):
        ours.setblocking(False)
        async with trio.open_nursery() as nursery:

            async def trickle() -> None:
                for byte in header + b"hello":
                    theirs.send(bytes([byte]))
                    await trio.lowlevel.checkpoint()

            nursery.start_soon(trickle)
            assert await receive_proxy_header(ours) == ProxyHeader(client, server)
        assert ours.recv(100) == b"hello"


@pytest.mark.parametrize(
    "bad",
    [
        b"PROXY TCP4 203.0.113.7 192.0.2.1 50000 7719\r\n",  # version 1
        b"\x16\x03\x01\x02\0" + bytes(20),  # a client that comes past the proxy
        SIGNATURE + b"\x21\x11\xff\xff",
        V4[:20],
        b"",
    ],
)
async def test_what_is_no_header_is_refused(bad: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, trio.fail_after(10):
        ours.setblocking(False)
        with theirs:
            theirs.send(bad)
        with pytest.raises((BadProxyHeader, ConnectionError)):
            await receive_proxy_header(ours)


@pytest.mark.parametrize("change", [(12, 0x11), (12, 0x22), (13, 0x12), (13, 0x31), (13, 0x21)])
def test_other_versions_commands_and_families_are_refused(change: tuple[int, int]) -> None:
    damaged = bytearray(V4)
    damaged[change[0]] = change[1]
    with pytest.raises(BadProxyHeader):
        decode_proxy_header(bytes(damaged[:HEAD]), bytes(damaged[HEAD:]))


def test_only_the_proxies_that_the_host_has_named_are_believed() -> None:
    named = TrustedProxies((ipaddress.ip_network("192.0.2.0/24"), ipaddress.ip_network("::1")))
    assert [one for one in ("192.0.2.9", "::ffff:192.0.2.9", "::1", "198.51.100.1", "fe80::1%lo") if one in named] == [
        "192.0.2.9",
        "::ffff:192.0.2.9",
        "::1",
    ]
    assert "127.0.0.1" not in TrustedProxies(())


async def come(port: int, header: bytes) -> WireClient:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    await stream.send_all(header + encode_frame(msg.Hello(PROTOCOL, "test")))
    return WireClient(stream)


def client_at(last: int) -> bytes:
    """The header of a client with that last byte of its address."""
    return V4[:19] + bytes([last]) + V4[20:]


async def test_limits_count_the_clients_and_not_the_proxy(tmp_path: Path) -> None:
    """Two from one address are allowed: so many more may come through one proxy, but no third one from one address."""
    settings = config(tmp_path, limits=Limits(per_address=2))
    settings = msgspec.structs.replace(settings, proxies=("127.0.0.1",))
    async with running(settings) as house:
        for last in range(1, 8):
            client = await come(house.port, client_at(last))
            house.clients.append(client)
            await client.expect(msg.Welcome)
            await client.watch()
        for allowed in (True, False):
            client = await come(house.port, client_at(1))
            house.clients.append(client)
            await client.expect(msg.Welcome)
            await client.send(msg.Watch())
            answer = await client.next()
            assert isinstance(answer, msg.Snapshot) if allowed else isinstance(answer, msg.Rejected)


async def test_a_proxy_that_says_nothing_or_asks_whether_the_server_lives_costs_nothing(tmp_path: Path) -> None:
    settings = config(tmp_path, limits=Limits(hello=0.5))
    settings = msgspec.structs.replace(settings, proxies=("127.0.0.0/8",))
    async with running(settings) as house:
        for header in (HEALTH, b"", V4[:20]):
            async with await trio.open_tcp_stream("127.0.0.1", house.port) as stream:
                await stream.send_all(header)
                assert await stream.receive_some() == b""
        client = await come(house.port, V4)
        house.clients.append(client)
        await client.expect(msg.Welcome)
        assert house.server.lobby.door.inside == 1
        assert house.server.strangers == 2


async def test_a_client_cannot_say_that_it_is_another_one(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house, await trio.open_tcp_stream("127.0.0.1", house.port) as stream:
        await stream.send_all(V4)
        assert await stream.receive_some()  # goodbye: that is no frame
        with pytest.raises(trio.EndOfChannel):
            await WireClient(stream).next()
