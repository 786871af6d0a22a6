"""A connection that is made again when it breaks, for as long as its user wants it."""

from collections.abc import Sequence
from typing import Protocol

import trio

from client.connection.connection import Connection, Dial, connect
from client.errors import CannotConnect, ClientError, ConnectionLost
from protocol.wire.messages import FromClient, FromServer

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds before each attempt to connect again; the last one repeats."""
SILENCE = 25.0
"""Seconds without a message after which the connection counts as broken."""
STEADY = 5.0
"""Seconds after which a connection counts as a good one, and the pauses begin again at the first."""
_QUEUE = 64
"""Messages that may wait to be sent; more only pile up when the connection is stuck."""


class ConnectionUser(Protocol):
    """Who uses a `Reconnector`. All methods are called inside the task of `Reconnector.run`."""

    async def take_seat(self, connection: Connection) -> None:
        """Asks for the seat on a fresh connection, before anything else is sent. May raise a ClientError."""

    def received(self, message: FromServer) -> None:
        """A message came. Raises ConnectionLost if it cannot be true, another ClientError to end it all."""

    def lost(self, reason: str) -> None:
        """The connection broke, and another one is tried after a pause; `reason` is a sentence."""


class Reconnector:
    """Keeps one connection to the server.

    Attributes:
        accepted: whether the server has given the seat on the present connection; the user sets it.
        end_by: the time (`trio.current_time`) at which `run` returns at the latest; None for no such time. From then on
            no other connection is tried.
    """

    def __init__(self, dial: Dial, user: ConnectionUser, pauses: Sequence[float]) -> None:
        self.accepted = False
        self.end_by: float | None = None
        self._dial = dial
        self._user = user
        self._pauses = pauses
        self._stopped = False
        self._scope = trio.CancelScope()
        self._queue: trio.MemorySendChannel[FromClient] | None = None

    def stop(self) -> None:
        """`run` returns when the message that is being handled has been handled."""
        self._stopped = True

    def close(self) -> None:
        """`run` returns at once."""
        self._stopped = True
        self._scope.cancel()

    def send(self, message: FromClient) -> str:
        """Queues a message. Returns why that is not possible now, in a sentence, or ""."""
        try:
            if self._queue is None:
                return "Not connected; that was not sent."
            self._queue.send_nowait(message)
        except trio.WouldBlock:
            return "The connection is stuck; that was not sent."
        except trio.BrokenResourceError:
            return "Not connected; that was not sent."
        return ""

    async def run(self) -> None:
        """Connects, and connects again after a break, with pauses that grow, until it is stopped or closed.

        Raises CannotConnect if it breaks before the server has accepted the user for the first time, and every other
        ClientError of the user.
        """
        failures = 0
        ever_accepted = False
        with self._scope:
            while not self._stopped:
                self.accepted = False
                began = trio.current_time()
                try:
                    await self._one_connection()
                except CannotConnect as error:
                    if self.end_by is not None:
                        return
                    ever_accepted = ever_accepted or self.accepted
                    if not ever_accepted:
                        raise
                    # A server that accepts the user and drops the connection at once is not asked more often than one
                    # that does not answer.
                    steady = self.accepted and trio.current_time() - began > STEADY
                    failures = 0 if steady else failures + 1
                    self._user.lost(str(error))
                    await trio.sleep(self._pauses[min(max(failures - 1, 0), len(self._pauses) - 1)])

    async def _one_connection(self) -> None:
        connection = await connect(self._dial)
        trouble: ClientError | None = None
        try:
            await self._user.take_seat(connection)
            self._queue, queued = trio.open_memory_channel[FromClient](_QUEUE)
            with self._queue, queued:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(connection.pump, queued)
                    try:
                        await self._read(connection)
                    except ClientError as error:
                        trouble = error  # raised outside, where no nursery wraps it in a group
                    nursery.cancel_scope.cancel()
        finally:
            self._queue = None
            await connection.aclose()
        if trouble is not None:
            raise trouble

    async def _read(self, connection: Connection) -> None:
        while not self._stopped:
            with trio.move_on_after(SILENCE) as limit:
                if self.end_by is not None:
                    limit.deadline = self.end_by
                message = await connection.receive()
            if limit.cancelled_caught:
                if self.end_by is not None:
                    self._stopped = True
                    return
                raise ConnectionLost("The server has sent nothing for a while.")
            self._user.received(message)
