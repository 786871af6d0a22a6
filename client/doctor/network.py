"""The port of a server, the ways to it, firewalls, and finding each other."""

import errno
import ipaddress
import os
import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import trio

from client.connection.search import search
from client.doctor.finding import Finding
from protocol.narration.phrases import counted
from protocol.wire.discovery import ANSWER_PORT, DISCOVERY_PORT
from protocol.wire.join_links import ALPN
from server.config.config import Config
from server.net.own_addresses import InterfaceAddress, interface_addresses

_PATIENCE = 2.0
"""Seconds that a connection on this machine may take."""
_SEARCH = 0.8
"""Seconds for which servers are looked for."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that runs here: its port, whether it encrypts, and whether it answers those who look for one."""

    port: int
    encrypted: bool
    lan: bool


def network(config: Config, running: RunningServer | None) -> Iterator[Finding]:
    """Everything about the network. `running`: the server that runs with this data; None if none does."""
    port = config.port if running is None else running.port
    yield _port(config, running)
    yield _interfaces(None if config.bind else running)
    yield firewall(Path("/etc/ufw/ufw.conf"), Path("/run/firewalld"), port)
    yield _discovery(config, running)


def _port(config: Config, running: RunningServer | None) -> Finding:
    """Whether a server can have its port."""
    if running is not None:
        text = f"A server of yours runs with these settings, on port {running.port}."
        return Finding("port", "ok", text, fact=f"{running.port}, a server runs")
    try:
        where = socket.getaddrinfo(config.bind or "0.0.0.0", config.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(where[0]) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(where[4])
    except OSError as error:
        return _taken(config, error)
    return Finding("port", "ok", f"Port {config.port} is free for a server.", fact=f"{config.port} free")


def _taken(config: Config, error: OSError) -> Finding:
    if error.errno != errno.EADDRINUSE:
        text = f"A server cannot listen on {config.bind or 'all addresses'}, port {config.port}: {error.strerror}."
        advice = "Choose another address or port: ryo serve --bind, --port."
        return Finding("port", "fault", text, advice, f"{config.port}: {error.strerror}")
    who = _owner(config.port)
    text = f"Port {config.port} is in use{f' by {who}' if who else ' by another program'}."
    return Finding(
        "port", "fault", text, "End that program, or choose another port: ryo serve --port.", f"{config.port} in use"
    )


def _owner(port: int) -> str:
    """Which program listens on that port, as far as the system tells this user."""
    with suppress(psutil.Error, OSError):
        for one in psutil.net_connections("tcp"):
            if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port and one.pid:
                return f"{psutil.Process(one.pid).name()} (process {one.pid})"
    return ""


def _interfaces(running: RunningServer | None) -> Finding:
    """The addresses of this machine, and whether a running server answers at each."""
    own = interface_addresses()
    kinds = Counter(_kind(one) for one in own)
    fact = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    outside = [one for one in own if not one.is_loopback]
    if not outside:
        advice = "Join a network (Wi-Fi, cable); alone, and with bots, you can play without."
        return Finding("addresses", "warning", "This machine is on no network.", advice, fact or "none")
    silent = [one.address for one in outside if running and not _connects(one, running)]
    if silent:
        text = f"The server does not answer at {', '.join(silent)}."
        return Finding(
            "addresses", "warning", text, "Look at the firewall of this machine.", f"{fact}; {len(silent)} silent"
        )
    shown = (
        ", ".join(dict.fromkeys(one.address for one in outside if one.family == socket.AF_INET)) or outside[0].address
    )
    told = " The server answers at each." if running else ""
    return Finding("addresses", "ok", f"Guests reach this machine at {shown}.{told}", fact=fact)


def _kind(one: InterfaceAddress) -> str:
    address = ipaddress.ip_address(one.address.split("%")[0])
    family = f"IPv{address.version}"
    if address.is_loopback:
        return f"{family} loopback"
    if address.is_link_local:
        return f"{family} link-local"
    return f"{family} {'private' if address.is_private else 'public'}"


def _connects(one: InterfaceAddress, running: RunningServer) -> bool:
    """Whether the server answers there; as a client does it, so that it notes no stranger."""
    with suppress(OSError), socket.create_connection((one.address, running.port), _PATIENCE) as sock:
        if running.encrypted:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = (
                False,
                ssl.CERT_NONE,
            )  # nothing is sent, no key has to be right
            context.set_alpn_protocols([ALPN])
            context.wrap_socket(sock).close()
        return True
    return one.family == socket.AF_INET6  # a server on a machine without routes of IPv6 may have IPv4 only


def firewall(ufw: Path, firewalld: Path, port: int) -> Finding:
    """What is known of a firewall, from the files that its users' tools keep."""
    with suppress(OSError):
        if "ENABLED=yes" in ufw.read_text():
            text = "A firewall is on (ufw); it may keep guests out."
            advice = f"sudo ufw allow {port}/tcp; for ryo find also {DISCOVERY_PORT}:{ANSWER_PORT}/udp."
            return Finding("firewall", "warning", text, advice, "ufw")
    if firewalld.exists():
        text = "A firewall is on (firewalld); it may keep guests out."
        advice = f"sudo firewall-cmd --permanent --add-port={port}/tcp --add-port={DISCOVERY_PORT}-{ANSWER_PORT}/udp"
        return Finding("firewall", "warning", text, advice, "firewalld")
    text = "Neither ufw nor firewalld is on; other firewalls were not looked for."
    return Finding("firewall", "ok", text, fact="no ufw, no firewalld")


def _discovery(config: Config, running: RunningServer | None) -> Finding:
    """Whether servers on the network are found, the one of this machine among them."""
    if os.environ.get("RYO_LAN", "").lower() in ("0", "false") or not (running or config).lan:
        text = "Finding each other on the network is switched off (lan)."
        return Finding("discovery", "ok", text, fact="off")
    found = trio.run(search, _SEARCH)
    fact = f"asked on {len(found.asked)}, refused on {len(found.refused)}, {counted(len(found.servers), 'answer')}"
    own = {one.address for one in interface_addresses()}
    if running is not None:
        if any(one.answer.port == running.port and one.address.host in own for one in found.servers):
            return Finding("discovery", "ok", "The server answers those who look for one.", fact=f"{fact}, own one")
        advice = f"Guests can use the printed join line; a firewall must let UDP {DISCOVERY_PORT} in."
        return Finding("discovery", "warning", "The server does not answer those who look for one.", advice, fact)
    if found.refused and not found.asked:
        why = "; ".join(f"{name}: {reason}" for name, reason in found.refused.items())
        return Finding("discovery", "warning", f"Nobody can be asked ({why}).", "Use the host's join line.", fact)
    return Finding("discovery", "ok", f"{counted(len(found.servers), 'server')} answered.", fact=fact)
