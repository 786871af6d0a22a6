"""Looking for servers on the local network: probes on every interface, and who answers them.

An answer is only a hint (`protocol.wire.discovery`): it may be forged. What it says is shown, and the key of the server
is checked when somebody connects.
"""

import contextlib
import errno
import ipaddress
import secrets
import socket
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import trio

from client.connection.address import Address
from protocol.wire.codec import BadMessage
from protocol.wire.discovery import (
    ANSWER_PORT,
    DATAGRAM,
    DISCOVERY_PORT,
    GROUP,
    NONCE,
    Answer,
    decode_answer,
    encode_probe,
)
from server.net.own_addresses import InterfaceAddress, host_of, interface_addresses

SECONDS = 1.0
"""How long a search takes: every answer comes within milliseconds, but a sleeping Wi-Fi hears probes late."""
AGAIN = 0.4
"""Seconds after which the probes are sent once more, because one may be lost."""
MOST_PER_HOST = 16
MOST_IN_ALL = 200
"""Servers that are listened to, at one address and in all; a program that forges answers could send thousands."""


class FoundServer(NamedTuple):
    """A server that has answered. `address`: where to connect, made of the datagram's source and the port it says."""

    address: Address
    answer: Answer


@dataclass
class Search:
    """What a search has brought.

    Fields:
        servers: those that have answered; each once, if it can be seen that it is the same.
        asked: the interfaces on which probes were sent, with the addresses there; loopback is not counted.
        refused: the interfaces on which none could be sent, and why.
    """

    servers: list[FoundServer] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


class Target(NamedTuple):
    """Where a probe goes: to everybody at an interface, as a socket address of that family."""

    source: InterfaceAddress
    address: tuple[str | int, ...]


async def search(seconds: float = SECONDS) -> Search:
    """Looks for servers on every interface, loopback included, for that long."""
    nonce = secrets.token_bytes(NONCE)
    own = interface_addresses()
    heard: dict[Address, Answer] = {}
    result = Search()
    with contextlib.ExitStack() as opened, trio.move_on_after(seconds):
        sockets: dict[int, trio.socket.SocketType] = {}
        for family in (socket.AF_INET, socket.AF_INET6):
            with contextlib.suppress(OSError):  # this machine does not have that family
                sockets[family] = opened.enter_context(await _open(family))
        async with trio.open_nursery() as nursery:
            for sock in sockets.values():
                nursery.start_soon(_hear, sock, nonce, heard)
            targets = targets_of(own)
            await _ask(sockets, targets, encode_probe(nonce), result)
            await trio.sleep(AGAIN)
            await _ask(sockets, targets, encode_probe(nonce), result)
    result.servers = each_once([FoundServer(*one) for one in heard.items()], {one.address for one in own})
    return result


def targets_of(addresses: Iterable[InterfaceAddress]) -> list[Target]:
    """Where probes go: the broadcast address of each IPv4 network, and the group on each link with IPv6."""
    targets = []
    for one in addresses:
        if one.family == socket.AF_INET and one.broadcast:
            targets.append(Target(one, (one.broadcast, DISCOVERY_PORT)))
        elif one.family == socket.AF_INET6 and ipaddress.ip_address(one.address.split("%")[0]).is_link_local:
            with contextlib.suppress(OSError):  # it has just gone
                targets.append(Target(one, (GROUP, DISCOVERY_PORT, 0, socket.if_nametoindex(one.interface))))
    return targets


def each_once(servers: Iterable[FoundServer], own: set[str]) -> list[FoundServer]:
    """The servers, each once: one of this machine by its first address, another one by IPv4 rather than by IPv6.

    Nobody else can answer from an address of this machine. Two addresses of IPv4 are never taken for one server: a
    forged answer could hide a true one.

    Args:
        own: the addresses of this machine.
    """

    def kind(server: FoundServer) -> str:
        host = server.address.host
        return "own" if host in own else "v6" if ":" in host else "v4"

    def place(server: FoundServer) -> tuple[int, bool, str, int]:
        return ["own", "v4", "v6"].index(kind(server)), not server.address.host.startswith("127."), *server.address

    kept, told = [], set()
    for server in sorted(servers, key=place):
        looks = server.answer.fp, server.answer.port, server.answer.tables
        if ({"own": "own", "v4": "", "v6": "v4"}[kind(server)], looks) not in told:
            kept.append(server)
        told.add((kind(server), looks))
    return kept


async def _open(family: int) -> trio.socket.SocketType:
    """A socket on the port for answers, or on any port where another program has that one. Raises OSError."""
    sock = trio.socket.socket(family, socket.SOCK_DGRAM)
    try:
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        everywhere = "::" if family == socket.AF_INET6 else "0.0.0.0"
        try:
            await sock.bind((everywhere, ANSWER_PORT))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            await sock.bind((everywhere, 0))
    except BaseException:
        sock.close()
        raise
    return sock


async def _ask(
    sockets: Mapping[int, trio.socket.SocketType], targets: Iterable[Target], probe: bytes, result: Search
) -> None:
    """Sends the probe to each target, and notes where it went."""
    for one, where in targets:
        if one.family in sockets:
            try:
                await sockets[one.family].sendto(probe, where)
            except OSError as error:
                result.refused.setdefault(one.interface, error.strerror or str(error))
            else:
                if not one.is_loopback:
                    result.asked.setdefault(one.interface, one.address)


async def _hear(sock: trio.socket.SocketType, nonce: bytes, heard: dict[Address, Answer]) -> None:
    """Collects the answers. Works until cancelled."""
    from_host: Counter[str] = Counter()
    while True:
        try:
            datagram, source = await sock.recvfrom(DATAGRAM + 1)
            answer, host = decode_answer(datagram, nonce), host_of(source)
        except (OSError, BadMessage):
            continue
        address = Address(host, answer.port)
        if address not in heard and from_host[host] < MOST_PER_HOST and len(heard) < MOST_IN_ALL:
            from_host[host] += 1
            heard[address] = answer
