"""From the options of ``join``, ``watch`` and ``bot`` to a session: the server, the check of its key, the token."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from client.connection.address import Address, parse_address
from client.connection.connection import Dial, connect, dialer
from client.connection.plain_tokens import PlainTokens
from client.connection.seat_request import SeatRequest, look_at_table
from client.connection.session import ClientSession
from client.profile.last_visit import LastVisit, load_last_visit, save_last_visit
from client.profile.seat_keys import load_key, seat_token
from protocol.events import AnyEvent
from protocol.wire.join_links import is_link, parse_link
from protocol.wire.messages import TableInfo
from server.storage.folders import hands_folder


class Destination(NamedTuple):
    """A server, and what the join link says about it; empty strings for what is not known.

    `found`: it has answered a search on the network, and what is known is what that answer says.
    """

    address: Address
    table: str = ""
    pin: str = ""
    invite: str = ""
    found: bool = False


def parse_destination(text: str) -> Destination:
    """The destination in ``HOST[:PORT]`` or in a join link. Raises ValueError with a sentence."""
    if is_link(text):
        link = parse_link(text)
        return Destination(Address(link.host, link.port), link.table, link.pin, link.invite)
    return Destination(parse_address(text))


class SessionFactory:
    """Makes the sessions of one player at one server.

    Args:
        server: address or join link, or the destination itself; empty for the server of the last visit.
        folder: the player's data directory.
        table: id of the table; empty for that of the link or of the last visit.
        plain_tcp: do not encrypt.
        password: of the table.
        notice: is told, in a sentence, about a key that was seen for the first time.

    Attributes:
        destination: the server as it was understood.
        last: the last visit.
        name: the name to play under; to be set before `player_session` is called.
        folder: the player's data directory; hands: the directory of the player's own recordings.
        password, notice: as above; may be changed at any time.
        host_key: with it a player becomes a host when they have sat down; empty for a usual player.

    Raises ValueError for something that is not an address, LookupError if the last visit is not known.
    """

    def __init__(
        self,
        server: str | Destination,
        folder: Path,
        *,
        table: str = "",
        plain_tcp: bool = False,
        password: str = "",
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.last = load_last_visit(folder)
        if not server and not self.last.address:
            raise LookupError("no server was visited before")
        again = not server
        self.destination = server if isinstance(server, Destination) else parse_destination(server or self.last.address)
        self._table = table or self.destination.table or (self.last.table if again else "")
        self._plain_tcp = plain_tcp or (again and self.last.plain_tcp)
        if self._plain_tcp and self.destination.pin:
            raise ValueError("a link with a fingerprint (fp=) is for encrypted connections; leave out --plain-tcp")
        self.password = password
        self.host_key = ""
        self.name = self.last.name
        self.notice = notice
        self.folder = folder
        self.hands = hands_folder(folder)

    async def look(self) -> TableInfo:
        """What the server tells of the table to which the player is about to come; from then on it is that table.

        Raises what a session raises that cannot connect.
        """
        dial, _ = self._dial()
        connection = await connect(dial)
        try:
            info = await look_at_table(connection, SeatRequest(self.name, table=self._table))
        finally:
            await connection.aclose()
        self._table = info.table
        return info

    def spectator_session(self) -> ClientSession:
        """A session that only watches, under `name` or without one."""
        dial, _ = self._dial()
        invite = self.destination.invite
        request = SeatRequest(self.name, table=self._table, watch=True, invite=invite, password=self.password)
        return ClientSession(dial, request)

    def player_session(self, *, chips: int = 0, seat: int = 0, bot: bool = False) -> ClientSession:
        """A session that sits down. A person's visit is remembered when the seat has been given. Raises BadSettings."""
        dial, server_id = self._dial()
        key = load_key(self.folder)
        name = self.name

        def token(server: str, table: str) -> bytes:
            return seat_token(key, server, table, name)

        plain = PlainTokens(self.folder, str(self.destination.address), token)

        def seated(session: ClientSession) -> None:
            plain.seated()
            if not bot:
                visit = LastVisit(self.name, str(self.destination.address), session.table, self._plain_tcp)
                save_last_visit(self.folder, visit)

        request = SeatRequest(
            name, lambda table: token(server_id(), table), self._table, chips, seat, bot,
            wait=not bot, invite=self.destination.invite, password=self.password, proofs=plain.proofs,
        )  # fmt: skip
        session = ClientSession(dial, request)
        _when_seated(session, seated)
        if self.host_key:
            _claim_when_seated(session, self.host_key)
        return session

    def _dial(self) -> tuple[Dial, Callable[[], str]]:
        """What opens connections, and what then names the server: the fingerprint of its key, or its address."""
        address = self.destination.address
        if self._plain_tcp:
            return dialer(address), lambda: str(address)
        from client.connection.tls import TlsDial
        from client.profile.known_servers import KnownServers

        tls = TlsDial(
            address,
            KnownServers(self.folder),
            table=self._table,
            pin=self.destination.pin,
            hint=self.destination.found,
            notice=lambda text: self.notice(text),
        )
        return tls, lambda: tls.fingerprint


def _when_seated(session: ClientSession, then: Callable[[ClientSession], None]) -> None:
    """Calls `then` once, when the server has given the seat."""

    def changed(events: Sequence[AnyEvent]) -> None:
        if session.status == "online":
            session.on_change.remove(changed)
            then(session)

    session.on_change.append(changed)


def _claim_when_seated(session: ClientSession, host_key: str) -> None:
    """Claims once to be a host, when the player has a seat and is no host yet."""

    def changed(events: Sequence[AnyEvent]) -> None:
        if session.status == "online" and session.seat:
            session.on_change.remove(changed)
            if not session.view.is_host(session.seat):
                session.claim_host(host_key)

    session.on_change.append(changed)
