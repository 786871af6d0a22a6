"""What a ban is, and whom it is about.

A ban names a person by a name (names that look alike count), by the seat tokens that they have had here, and, only
where the host asks for it, by an address: in one house all guests may come from the same one.
"""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import msgspec

from protocol.narration.phrases import counted
from server.admission.player_names import taken_by
from server.net.networks import network_of


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of somebody who comes or is here.

    Fields:
        names: what they call themselves, and the name of a seat that is theirs.
        tokens: digests of seat tokens that they have.
        address: of their connection; empty if they have none.
        table: id of the table to which they come.
    """

    names: Collection[str] = ()
    tokens: Collection[bytes] = ()
    address: str = ""
    table: str = ""


class Ban(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One ban.

    Fields:
        name: of the player; empty where nobody has to have a name.
        token: hexadecimal digests of the seat tokens that the player has had.
        address: an address or a network; empty for any.
        table: id of the only table where the ban counts; empty for all.
        chat: whether the ban is one from talking alone; they may play.
        reason: for everybody to read.
        by: who has banned them; since: when.
        until: when the ban ends; None for never.
        contact: whom the banned may ask; empty for the contact of the settings.
    """

    name: str = ""
    token: tuple[str, ...] = ()
    address: str = ""
    table: str = ""
    chat: bool = False
    reason: str = ""
    by: str = ""
    since: datetime | None = None
    until: datetime | None = None
    contact: str = ""

    def problem(self) -> str:
        """What makes no sense about it; empty if it is right."""
        if not (self.name or self.token or self.address):
            return "a ban needs a name, a token or an address"
        if self.until is not None and self.until.tzinfo is None:
            return f"until = {self.until.isoformat()} needs a Z at its end, for UTC"
        try:
            [bytes.fromhex(token) for token in self.token]
        except ValueError:
            return "a token is the digest of one, in hexadecimal digits"
        try:
            ipaddress.ip_network(self.address or "::", strict=False)
        except ValueError:
            return f"{self.address!r} is no address and no network"
        return ""

    def is_over(self, now: datetime) -> bool:
        """Whether it has ended."""
        return self.until is not None and self.until <= now

    def is_about(self, person: Person) -> bool:
        """Whether it keeps that person out."""
        if self.table and self.table != person.table:
            return False
        if self.name and taken_by(self.name, person.names) is not None:
            return True
        if any(bytes.fromhex(token) in person.tokens for token in self.token):
            return True
        return bool(self.address and person.address) and _within(person.address, self.address)

    def who(self) -> str:
        """Whom it is about, in a few words."""
        return self.name or (f"everybody from {self.address}" if self.address else "the owner of a token")

    def ends(self, now: datetime) -> str:
        """When it ends, in words that mean the same in every time zone."""
        if self.until is None:
            return "for good"
        return f"until {self.until:%Y-%m-%d %H:%M} UTC ({duration((self.until - now).total_seconds())} from now)"

    def told(self, now: datetime, contact: str) -> str:
        """What the banned read. `contact`: of the settings; empty for none."""
        reason = f" Reason: {self.reason}." if self.reason else ""
        whom = self.contact or contact or "the host"
        if self.chat:
            where = "muted at this table" if self.table else "muted on this server"
        else:
            where = "banned from this table" if self.table else "banned from this server"
        return f"You are {where} {self.ends(now)}.{reason} If that is a mistake, ask {whom}."


def duration(seconds: float) -> str:
    """A time in its two largest units: ``2 h 5 min``."""
    minutes = round(seconds / 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return counted(days, "day") + (f" {hours} h" if hours else "")
    return f"{hours} h {minutes} min" if hours and minutes else f"{hours} h" if hours else f"{minutes} min"


def _within(address: str, network: str) -> bool:
    """Whether an address, or its network of IPv6, lies in a network."""
    try:
        own, other = ipaddress.ip_network(network_of(address)), ipaddress.ip_network(network, strict=False)
    except ValueError:  # a connection in memory has no address of the internet
        return address == network
    if isinstance(own, ipaddress.IPv4Network):
        return isinstance(other, ipaddress.IPv4Network) and own.subnet_of(other)
    return isinstance(other, ipaddress.IPv6Network) and (own.subnet_of(other) or other.subnet_of(own))
