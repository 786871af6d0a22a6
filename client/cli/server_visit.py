"""A visit to a server: where it is, how its key is checked, under which name and with which token one sits there."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from client.connection.address import Address, parse_address
from client.connection.connection import Dial, dialer
from client.connection.session import ClientSession, Place
from client.profile.last_visit import LastVisit, load_last_visit, save_last_visit
from client.profile.seat_keys import load_key, seat_token
from protocol.events import AnyEvent
from protocol.wire.join_links import is_link, parse_link


class Destination(NamedTuple):
    """Where to go, and what the join link says about it; empty strings for what is not known."""

    address: Address
    table: str = ""
    pin: str = ""
    invite: str = ""


def parse_destination(text: str) -> Destination:
    """``HOST[:PORT]`` or a join link. Raises ValueError with a sentence."""
    if is_link(text):
        link = parse_link(text)
        return Destination(Address(link.host, link.port), link.table, link.pin, link.invite)
    return Destination(parse_address(text))


class Visit:
    """A visit to a server.

    Args:
        text: where to; empty for where one was last.
        folder: the player's data directory. table: id of the table; empty for that of the link or of the last visit.
        plain_tcp: do not encrypt. password: of the table. notice: is told about a key that was seen for the first time.

    Attributes:
        name: the name to play under; to be set before `session` is asked for a seat.
        notice: as above; may be set until the session runs.

    Raises ValueError for an address that is none, LookupError where there was no visit before.
    """

    def __init__(
        self,
        text: str,
        folder: Path,
        *,
        table: str = "",
        plain_tcp: bool = False,
        password: str = "",
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.last = load_last_visit(folder)
        if not text and not self.last.address:
            raise LookupError("nowhere was visited before")
        again = not text
        self.to = parse_destination(text or self.last.address)
        self.table = table or self.to.table or (self.last.table if again else "")
        self.plain_tcp = plain_tcp or (again and self.last.plain_tcp)
        if self.plain_tcp and self.to.pin:
            raise ValueError("a link with a fingerprint (fp=) is for encrypted connections; leave out --plain-tcp")
        self.password = password
        self.name = self.last.name
        self._folder = folder
        self.notice = notice

    @property
    def hands(self) -> Path:
        """Where the player's own recordings are."""
        return self._folder / "hands"

    def watcher(self) -> ClientSession:
        """A session that only watches."""
        place = Place("", table=self.table, watch=True, invite=self.to.invite, password=self.password)
        return ClientSession(self._dial()[0], place)

    def session(self, *, chips: int = 0, bot: bool = False) -> ClientSession:
        """A session that sits down; a person's visit is remembered when it has got its seat. Raises BadSettings."""
        dial, server = self._dial()
        key = load_key(self._folder)
        name = self.name

        def token(table: str) -> bytes:
            return seat_token(key, server(), table, name)

        place = Place(name, token, self.table, chips, bot=bot, invite=self.to.invite, password=self.password)
        session = ClientSession(dial, place)
        if not bot:
            self._remember(session)
        return session

    def _dial(self) -> tuple[Dial, Callable[[], str]]:
        """What opens connections, and what names the server once there is one: its key, or else its address."""
        address = self.to.address
        if self.plain_tcp:
            return dialer(address), lambda: str(address)
        from client.connection.tls import TlsDial
        from client.profile.known_servers import KnownServers

        tls = TlsDial(
            address,
            KnownServers(self._folder),
            table=self.table,
            pin=self.to.pin,
            notice=lambda text: self.notice(text),
        )
        return tls, lambda: tls.fingerprint

    def _remember(self, session: ClientSession) -> None:
        def seated(events: Sequence[AnyEvent]) -> None:
            if session.status == "online":
                session.on_change.remove(seated)
                save_last_visit(self._folder, LastVisit(self.name, str(self.to.address), session.table, self.plain_tcp))

        session.on_change.append(seated)
