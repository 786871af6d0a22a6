"""How a client of the lobby comes to a table: which table it is, and whether it is open to this client.

The owner of a seat only needs the seat's token, or the word by which the host gives the seat back. Everybody else needs
the password or the invitation of a table that has one. A password is checked in a worker thread, while other messages
of the same client are handled.
"""

from functools import partial
from typing import Protocol

import structlog

from protocol.wire.frames import encode_frame
from protocol.wire.messages import Join, Rejected, Watch
from server.admission.door import Visitor
from server.admission.table_access import TOO_MANY_TRIES
from server.app.lobby import Lobby
from server.app.rare_line import RareLine
from server.net.outbox import StartTask
from server.table.guest import Guest
from server.table.table import Table


class Newcomer(Guest, Visitor, Protocol):
    """A guest who asks to come in."""


class Entrance:
    """The way from the lobby to the tables, for all connections of a server.

    Args:
        start: starts a task, for the check of a password.

    Attributes:
        full_line: the line of the log about clients for whom there was no room.
        refused: how many attempts to come to a table were refused here.
    """

    def __init__(self, lobby: Lobby, log: structlog.typing.FilteringBoundLogger, start: StartTask) -> None:
        self._lobby, self._log, self._start = lobby, log, start
        self.full_line = RareLine(log, "connection.refused")
        self.refused = 0
        self._checking: set[Newcomer] = set()

    def enter(self, client: Newcomer, message: Join | Watch) -> None:
        """Brings the client to the table that it asks for; or tells it why not."""
        if client.seat is not None:
            self._refuse(client, Rejected.of("seated", "You are at a table already; stand up first."))
            return
        table = self._lobby.find(message.table, to_sit=isinstance(message, Join))
        if table is None and isinstance(message, Join) and message.wait:
            table = self._lobby.find(message.table, to_sit=False)
        if table is None:
            text = "There is no table of that name here." if message.table else "There is no free seat here."
            self._refuse(client, Rejected.of("no_table", text))
            return
        access = self._lobby.access
        if isinstance(message, Join) and (table.knows(message, client.channel) or table.promised(message)):
            self._come_in(client, table, message, owner=True)
        elif self._lobby.closing and isinstance(message, Join):
            self._refuse(client, Rejected.of("stopping", self._lobby.closing))
        elif why := self._lobby.door.admit(client):
            self.full_line.note(client.address, why)
            self._refuse(client, Rejected.of("full", why))
        elif (
            isinstance(message, Join)
            and table.has_player(message.name)
            and not access.count_wrong_token(client.address)
        ):
            self._refuse(client, TOO_MANY_TRIES)
        elif access.is_open(table.id):
            self._come_in(client, table, message)
        elif client in self._checking:
            self._refuse(client, Rejected.of("knocking", "Your last try is still being checked."))
        else:
            self._checking.add(client)
            self._start(partial(self._check, client, table, message))

    def breach(self, client: Visitor, error: Exception) -> None:
        """Reports a mistake of ours that concerns one connection."""
        self._log.error("connection.breach", address=client.address, error=type(error).__name__, exc_info=error)

    async def _check(self, client: Newcomer, table: Table, message: Join | Watch) -> None:
        """Lets the client in if its invitation or its password is right."""
        try:
            refusal = await self._lobby.access.check(client.address, table.id, message.invite, message.password)
        except Exception as error:  # our mistake, and this connection's alone
            self.breach(client, error)
            client.part("breach", "Your password cannot be checked at the moment. Try again later.", again=True)
            return
        finally:
            self._checking.discard(client)
        if client.closed is not None or client.seat is not None:
            return
        if refusal is None:
            self._come_in(client, table, message)
        else:
            self._log.info("table.not_open", table=table.id, address=client.address, why=refusal.code)
            self._refuse(client, refusal)

    def _come_in(self, client: Newcomer, table: Table, message: Join | Watch, *, owner: bool = False) -> None:
        """Hands a client to a table that is open to it, unless it is banned. `owner`: a seat or chips are theirs."""
        ban = self._lobby.bans.against(table.person(client, message))
        if ban is not None:
            self._log.info("table.kept_out", table=table.id, player=ban.name)
            self._refuse(client, Rejected.of("banned", self._lobby.bans.told(ban)))
            return
        if owner:
            self._lobby.door.admit_player(client)
        if client.table != table.id:
            before = self._lobby.table_of(client)
            if before is not None:
                before.gone(client)
            client.table = None
        if isinstance(message, Join):
            table.join(client, message)
        else:
            table.watch(client, message)

    def _refuse(self, client: Newcomer, message: Rejected) -> None:
        self.refused += 1
        client.send(encode_frame(message))
