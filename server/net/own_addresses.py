"""The addresses by which guests reach this machine: those of its network interfaces that are up."""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any, NamedTuple


class InterfaceAddress(NamedTuple):
    """An address of a network interface that is up.

    Fields:
        interface: name of the interface.
        family: ``AF_INET`` or ``AF_INET6``.
        address: a link-local IPv6 address carries its zone (``fe80::1%eth0``).
        broadcast: address of everybody on its network; empty where there is none, and for IPv6.
    """

    interface: str
    family: int
    address: str
    broadcast: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine itself can be reached from there."""
        return ipaddress.ip_address(self.address.split("%")[0]).is_loopback


def interface_addresses() -> list[InterfaceAddress]:
    """Every IPv4 and IPv6 address of the interfaces that are up."""
    import psutil  # PERF: a server that is bound to one address starts without it

    addresses_of = psutil.net_if_addrs()
    try:
        up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    except OSError:  # a service may not see /proc/net
        up = set(addresses_of)
    return [
        InterfaceAddress(name, address.family, address.address, _broadcast(address.address, address.netmask))
        if address.family == socket.AF_INET and address.ptp is None
        else InterfaceAddress(name, address.family, address.address)
        for name, addresses in addresses_of.items()
        if name in up
        for address in addresses
        if address.family in (socket.AF_INET, socket.AF_INET6)
    ]


def _broadcast(address: str, netmask: str | None) -> str:
    """Not every system tells it, and none does for loopback."""
    network = ipaddress.IPv4Network((address, netmask or 32), strict=False)
    return str(network.broadcast_address) if network.prefixlen < 31 else ""


def host_of(address: tuple[Any, ...]) -> str:
    """The host of a socket address; a link-local IPv6 address carries its zone. Raises OSError if the zone is gone."""
    host, scope = str(address[0]), address[3] if len(address) == 4 else 0
    return f"{host}%{socket.if_indextoname(scope)}" if scope and "%" not in host else host


def own_addresses(family: int) -> list[str]:
    """This machine's addresses of one family (``AF_INET``, ``AF_INET6``), the most useful first.

    Link-local IPv6 addresses carry their zone (``fe80::1%eth0``). Loopback is there only if nothing else is.
    """
    found = [one.address for one in interface_addresses() if one.family == family]
    return in_order(found) or ["127.0.0.1" if family == socket.AF_INET else "::1"]


def in_order(addresses: Iterable[str]) -> list[str]:
    """Addresses that guests can use, those that work everywhere first and link-local ones last; no loopback."""
    parsed = {address: ipaddress.ip_address(address.split("%")[0]) for address in addresses}
    usable = [text for text, address in parsed.items() if not (address.is_loopback or address.is_unspecified)]
    return sorted(usable, key=lambda text: parsed[text].is_link_local)
