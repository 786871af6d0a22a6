"""Addresses as people write them: ``host``, ``host:port``, ``[v6]:port``, and a bare IPv6 address."""

from typing import NamedTuple

from protocol.wire.join_links import DEFAULT_PORT, plain_zone


class Address(NamedTuple):
    """A host name or IP address, and a TCP port."""

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """The address in ``host[:port]``, ``[v6][:port]`` or a bare IPv6 address. Raises ValueError with a sentence."""
    text = text.strip()
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise ValueError(f"{text!r} is not an address; an IPv6 address with a port is written [::1]:7719")
        port = rest[1:]
        named = rest != ""
    elif text.count(":") > 1:
        host, port, named = text, "", False
    else:
        host, colon, port = text.partition(":")
        named = colon != ""
    if not host or any(char.isspace() or char in "/@" for char in host):
        raise ValueError(f"{text!r} is not an address; write host or host:port")
    host = plain_zone(host)
    if not named:
        return Address(host)
    # isdecimal alone would take digits of other scripts.
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(f"{port!r} is not a port; ports are 1 to 65535")
    return Address(host, int(port))
