"""Where a server listens, and what its guests have to type."""

import contextlib
import errno
import ipaddress
import socket

from server.errors import ConfigError

_BACKLOG = 512


def listen(bind: str, port: int) -> list[socket.socket]:
    """Listening sockets on that address; for an empty one on all addresses of IPv4 and, where there is one, IPv6.

    With port 0 all of them get the same free port. Raises ConfigError: the port is in use, the address is not ours.
    """
    hosts = [bind] if bind else ["0.0.0.0", "::"]
    listeners: list[socket.socket] = []
    try:
        for host in hosts:
            try:
                listeners += _listen(host, port or (listeners[0].getsockname()[1] if listeners else 0))
            except OSError as error:
                if bind or not listeners:
                    raise ConfigError(_sentence(host, port, error)) from None
                # no IPv6 here: IPv4 is enough
    except BaseException:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _listen(host: str, port: int) -> list[socket.socket]:
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
    return [sock]


def _sentence(host: str, port: int, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f"{host!r} is not an address of this machine: {error.strerror}."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use on {host}: another server is running? Choose one with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be used by this user; choose one above 1023 with --port."
    return f"The server cannot listen on {host} port {port}: {error.strerror or error}."


def to_tell(listeners: list[socket.socket]) -> list[str]:
    """HOST:PORT of each way in, as guests may type it; this machine's network addresses first."""
    told: list[str] = []
    for listener in listeners:
        host, port = listener.getsockname()[:2]
        address = ipaddress.ip_address(host.split("%")[0])
        hosts = [host] if not address.is_unspecified else _own_addresses(listener.family)
        told += [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in hosts]
    return list(dict.fromkeys(told))


def _own_addresses(family: int) -> list[str]:
    """The address by which the network knows this machine, then the loopback one."""
    loopback, probe = ("127.0.0.1", "192.0.2.1") if family == socket.AF_INET else ("::1", "2001:db8::1")
    own: list[str] = []
    # Connecting a datagram socket sends nothing; it only asks the routing table.
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect((probe, 9))
        own.append(str(sock.getsockname()[0]))
    if family == socket.AF_INET or not own:
        own.append(loopback)
    return own
