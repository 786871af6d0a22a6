"""The PROXY protocol, version 2: how a proxy in front of the server says who its client is.

    signature(12) | version and command(1) | family(1) | length(2) | addresses and extras(length)

It stands before the first byte of the client, encrypted or not. Only a proxy that the host has named is believed
(`proxies`): everybody else could say any address. https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt
"""

import ipaddress
import socket
from typing import NamedTuple

import trio

from server.net.transport import End

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
HEAD = 16
LONGEST = 1024
"""Bytes of addresses and extras; a proxy sends 12 to about 100."""
_LOCAL, _PROXY = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21


class BadProxyHeader(Exception):
    """The bytes are no header of this protocol."""


class ProxyHeader(NamedTuple):
    """Who is connected to the proxy, and where. Without `client` the proxy itself asks whether the server lives."""

    client: End | None = None
    server: End | None = None


class TrustedProxies:
    """The proxies that are believed: those with an address in one of the networks."""

    def __init__(self, networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]) -> None:
        self._networks = networks

    def __contains__(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            found = ipaddress.ip_address(address.split("%")[0])
        except ValueError:
            return False
        mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
        return any((mapped or found) in network for network in self._networks)


async def receive_proxy_header(sock: socket.socket) -> ProxyHeader:
    """Reads the header, and no byte more. Raises BadProxyHeader, OSError."""
    head = await _exactly(sock, HEAD)
    length = int.from_bytes(head[14:], "big")
    if not head.startswith(SIGNATURE) or length > LONGEST:
        raise BadProxyHeader("the proxy does not say who its client is")
    return decode_proxy_header(head, await _exactly(sock, length))


def decode_proxy_header(head: bytes, rest: bytes) -> ProxyHeader:
    """The header whose first 16 bytes are `head`. Raises BadProxyHeader."""
    if head[12] == _LOCAL:
        return ProxyHeader()
    size = {_TCP4: 4, _TCP6: 16}.get(head[13])
    if head[12] != _PROXY or size is None or len(rest) < 2 * size + 4:
        raise BadProxyHeader("the proxy's client has no address that is known here")
    hosts = [str(ipaddress.ip_address(rest[at : at + size])) for at in (0, size)]
    ports = [int.from_bytes(rest[at : at + 2], "big") for at in (2 * size, 2 * size + 2)]
    return ProxyHeader((hosts[0], ports[0]), (hosts[1], ports[1]))


async def _exactly(sock: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        await trio.lowlevel.wait_readable(sock)
        try:
            more = sock.recv(count - len(data))
        except (BlockingIOError, InterruptedError):
            continue
        if not more:
            raise BadProxyHeader("the proxy hung up before it said who its client is")
        data += more
    return data
