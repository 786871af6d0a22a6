"""Listening sockets that systemd has opened for the server (`sd_listen_fds(3)`).

With them a port below 1024 needs no rights, and guests who come while the server starts again wait for it.
"""

import os
import socket
from collections.abc import MutableMapping

from server.errors import ConfigError

FIRST = 3
"""File descriptor of the first one."""
_VARIABLES = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


def inherited_sockets(environment: MutableMapping[str, str]) -> list[socket.socket] | None:
    """The sockets that this process was given, None if none were; what says so is taken out of the environment.

    Raises ConfigError for sockets with which the server cannot work.
    """
    pid, count, _ = (environment.pop(name, "") for name in _VARIABLES)
    if pid != str(os.getpid()) or not count.isdecimal() or count == "0":
        return None
    sockets: list[socket.socket] = []
    try:
        for number in range(FIRST, FIRST + int(count)):
            sockets.append(_adopt(number))
    except BaseException:
        for sock in sockets:
            sock.close()
        raise
    return sockets


def _adopt(number: int) -> socket.socket:
    try:
        sock = socket.socket(fileno=number)
    except OSError as error:
        raise ConfigError(f"File descriptor {number}, which was handed over, is no socket: {error.strerror}.") from None
    try:
        if why := _unusable(sock):
            raise ConfigError(f"The socket that was handed over as file descriptor {number} {why}.")
        sock.setblocking(False)
        sock.set_inheritable(False)
    except BaseException:
        sock.close()
        raise
    return sock


def _unusable(sock: socket.socket) -> str:
    """Why the server cannot listen there; empty if it can."""
    if sock.family not in (socket.AF_INET, socket.AF_INET6) or sock.type != socket.SOCK_STREAM:
        return "is not one for TCP"
    if not sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        return "does not listen: the socket unit needs Accept=no"
    if sock.family == socket.AF_INET6 and not sock.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        return "takes IPv6 and IPv4: the socket unit needs BindIPv6Only=ipv6-only and a line for each"
    return ""
