"""Listening sockets of a server, and the addresses under which clients reach it."""

import errno
import ipaddress
import socket

from server.errors import ConfigError
from server.net.own_addresses import host_of, own_addresses

_BACKLOG = 512


def listen(bind: str, port: int, setting: str = "--port") -> list[socket.socket]:
    """Opens listening sockets.

    Args:
        bind: the address; empty for all addresses of IPv4 and, where the machine has it, of IPv6.
        port: 0 for any free port, the same one for all sockets.
        setting: what chooses the port, for messages.

    Raises ConfigError if the port is in use or the address is not one of this machine.
    """
    hosts = [bind] if bind else ["0.0.0.0", "::"]
    listeners: list[socket.socket] = []
    try:
        for host in hosts:
            try:
                listeners.append(_listen(host, port or (listeners[0].getsockname()[1] if listeners else 0)))
            except OSError as error:
                if bind or not listeners:
                    raise ConfigError(_sentence(host, port, error, setting)) from None
                # without IPv6 on this machine IPv4 is enough
    except BaseException:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _listen(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(address)
        sock.listen(_BACKLOG)
    except BaseException:
        sock.close()
        raise
    return sock


def _sentence(host: str, port: int, error: OSError, setting: str) -> str:
    if isinstance(error, socket.gaierror):
        return f"{host!r} is not an address of this machine: {error.strerror}."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use on {host}: is another server running? Choose another port with {setting}."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be used by this user; choose a port above 1023 with {setting}."
    return f"The server cannot listen on {host} port {port}: {error.strerror or error}."


def reachable_addresses(listeners: list[socket.socket]) -> list[str]:
    """HOST:PORT for each address under which clients reach the sockets; loopback only if there is no other one."""
    found: list[tuple[str, int]] = []
    for listener in listeners:
        name = listener.getsockname()
        host, port = name[0], name[1]
        if ipaddress.ip_address(host.split("%")[0]).is_unspecified:
            found += [(own, port) for own in own_addresses(listener.family)]
        else:
            found.append((host_of(name), port))
    network = [(host, port) for host, port in found if not ipaddress.ip_address(host.split("%")[0]).is_loopback]
    places = dict.fromkeys(network or found)
    return [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in places]
