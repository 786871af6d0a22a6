"""The UDP sockets through which a server hears probes and answers them."""

import contextlib
import ipaddress
import socket
import sys
from typing import NamedTuple

from protocol.wire.discovery import DISCOVERY_PORT, GROUP

_BUFFER = 16 * 1024
"""Bytes that wait for the server. Few, so that after a flood no probe is answered long after its sender has gone."""


class DiscoverySocket(NamedTuple):
    """`hears` receives the probes of one family, and `answers` sends from the address that guests connect to."""

    hears: socket.socket
    answers: socket.socket

    def close(self) -> None:
        """Closes both; they may be one."""
        self.hears.close()
        self.answers.close()


def open_discovery_sockets(listeners: list[socket.socket]) -> list[DiscoverySocket]:
    """For each listening TCP socket the way by which its server is found. Raises OSError."""
    with contextlib.ExitStack() as opened:
        found = []
        for listener in listeners:
            found.append(_open(listener))
            opened.callback(found[-1].close)
        opened.pop_all()
    return found


def join_group(ways: list[DiscoverySocket]) -> None:
    """Joins the IPv6 group on every interface; to be repeated, because interfaces come later (fault 15)."""
    for hears, _ in ways:
        if hears.family == socket.AF_INET6:
            for index, _ in socket.if_nameindex():
                request = socket.inet_pton(socket.AF_INET6, GROUP) + index.to_bytes(4, sys.byteorder)
                with contextlib.suppress(OSError):  # already joined, or the interface takes no groups
                    hears.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, request)


def _open(listener: socket.socket) -> DiscoverySocket:
    family, name = listener.family, listener.getsockname()
    # A socket that is bound to one address hears no broadcast.
    hears = _bound(family, ("" if family == socket.AF_INET else "::", DISCOVERY_PORT), shared=True)
    if ipaddress.ip_address(name[0].split("%")[0]).is_unspecified:
        return DiscoverySocket(hears, hears)
    try:
        return DiscoverySocket(hears, _bound(family, (name[0], 0, *name[2:])))
    except BaseException:
        hears.close()
        raise


def _bound(family: int, address: tuple[str | int, ...], *, shared: bool = False) -> socket.socket:
    """A UDP socket; a `shared` port belongs to all servers of this machine, and each of them hears a broadcast."""
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if shared:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if sys.platform not in ("linux", "win32"):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(address)
    except BaseException:
        sock.close()
        raise
    return sock
