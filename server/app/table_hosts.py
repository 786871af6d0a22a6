"""What hosts at the tables say: the words of `server.app.operator`, and the host key that makes a player a host."""

from collections.abc import Awaitable, Callable
from functools import partial

import structlog
import trio

from protocol.wire.frames import encode_frame
from protocol.wire.messages import ClaimHost, HostAnswer, HostWord
from server.admission.table_access import TryLimit
from server.app.entrance import Newcomer
from server.app.operator import Operator, split
from server.app.running_server import RunningServer
from server.config.config import Config
from server.config.passwords import verify
from server.errors import WordRefused
from server.net.outbox import StartTask
from server.table.table import Table

NOT_HOST = "Only a host of this table can do that; whoever runs the server names one."
NO_KEY = "This server has no host key; whoever runs it names the hosts."
WRONG_KEY = "That is not the host key."
TOO_MANY_TRIES = "Too many wrong tries. Wait a minute."
CHECKING = "Your last try is still being checked."


class TableHosts:
    """Does the words of hosts at the tables of a server, and checks the host key.

    Args:
        start: starts a task; a word may wait for the disk, and the check of a key takes a while.

    Attributes:
        config: the settings in force.
    """

    def __init__(
        self, server: RunningServer, config: Config, log: structlog.typing.FilteringBoundLogger, start: StartTask
    ) -> None:
        self.config = config
        self._server, self._log, self._start = server, log, start
        self._tries = TryLimit()
        self._checks = trio.CapacityLimiter(1)
        self._busy: set[Newcomer] = set()

    def word(self, client: Newcomer, table: Table, message: HostWord) -> None:
        """Does the word of a client at that table, if they are a host there; tells them what it has done."""
        if not self._is_host(client, table):
            _tell(client, NOT_HOST)
        elif client not in self._busy:
            self._run(client, partial(self._obey, client, table, message.text))

    def claim(self, client: Newcomer, table: Table, message: ClaimHost) -> None:
        """Makes a client at that table a host if they know the key."""
        if not self.config.host_key:
            _tell(client, NO_KEY)
        elif client in self._busy:
            _tell(client, CHECKING)
        elif not self._tries.take(client.address):
            _tell(client, TOO_MANY_TRIES)
        else:
            self._run(client, partial(self._check, client, table, message.key))

    def _run(self, client: Newcomer, job: Callable[[], Awaitable[None]]) -> None:
        self._busy.add(client)
        self._start(partial(self._alone, client, job))

    async def _alone(self, client: Newcomer, job: Callable[[], Awaitable[None]]) -> None:
        """One job of a client at a time."""
        try:
            await job()
        except Exception as error:  # our mistake, and this connection's alone
            self._log.error("host.breach", address=client.address, error=type(error).__name__, exc_info=error)
            client.part("breach", "That is not done, because of a fault in the program.", again=True)
        finally:
            self._busy.discard(client)

    async def _obey(self, client: Newcomer, table: Table, text: str) -> None:
        seat = client.seat
        if seat is None or not self._is_host(client, table):  # they have left before this job began
            _tell(client, NOT_HOST)
            return
        operator = Operator(self._server, self.config, self._log)
        host = operator.hosted.at_table(table, table.state.view.name(seat))
        answer = await operator.obey(split(text), host)
        _tell(client, answer.text, done=answer.code == 0)

    async def _check(self, client: Newcomer, table: Table, key: str) -> None:
        right = await trio.to_thread.run_sync(verify, key, self.config.host_key, limiter=self._checks)
        seat = client.seat
        if not right:
            self._log.warning("host.wrong_key", address=client.address, table=table.id)
            _tell(client, WRONG_KEY)
        elif seat is not None and table.audience.seated.get(seat) is client:
            self._tries.give_back(client.address)
            self._log.info("host.claimed", address=client.address, table=table.id, seat=seat)
            try:
                await table.obey(partial(table.running_words.claimed, seat))
            except WordRefused as refused:
                _tell(client, str(refused))

    @staticmethod
    def _is_host(client: Newcomer, table: Table) -> bool:
        return client.seat is not None and table.state.view.is_host(client.seat)


def _tell(client: Newcomer, text: str, *, done: bool = False) -> None:
    client.send(encode_frame(HostAnswer(text, done)))
