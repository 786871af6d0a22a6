"""The addresses by which guests reach this machine: those of its network interfaces that are up."""

import ipaddress
import socket
from collections.abc import Iterable

import psutil


def own_addresses(family: int) -> list[str]:
    """This machine's addresses of one family (``AF_INET``, ``AF_INET6``), the most useful first.

    Link-local IPv6 addresses carry their zone (``fe80::1%eth0``). Loopback is there only if nothing else is.
    """
    stats = psutil.net_if_stats()
    found = [
        address.address
        for name, addresses in psutil.net_if_addrs().items()
        if name in stats and stats[name].isup
        for address in addresses
        if address.family == family
    ]
    return in_order(found) or ["127.0.0.1" if family == socket.AF_INET else "::1"]


def in_order(addresses: Iterable[str]) -> list[str]:
    """Addresses that guests can use, those that work everywhere first and link-local ones last; no loopback."""
    parsed = {address: ipaddress.ip_address(address.split("%")[0]) for address in addresses}
    usable = [text for text, address in parsed.items() if not (address.is_loopback or address.is_unspecified)]
    return sorted(usable, key=lambda text: parsed[text].is_link_local)
