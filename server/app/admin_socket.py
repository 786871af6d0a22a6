"""The socket for the words of the host: a Unix socket in the data directory, which only its owner may open.

One connection is one word: the client (`server.app.admin_client`) sends the word and its arguments as a JSON list on
one line, and gets an `Answer` as JSON. A lock says which server has the socket, so one that a killed server has left
behind is replaced.
"""

import contextlib
import errno
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import structlog
import trio

from server.app import admin_client
from server.app.admin_client import FILE, NO_SOCKETS
from server.app.operator import Operator
from server.storage.filesystem import FileSystem

LONGEST = 8192
"""Bytes of a word with its arguments."""
ASK_WITHIN = 5.0
"""Seconds that a client has to send its word."""


@asynccontextmanager
async def listening(
    operator: Operator, folder: Path, log: structlog.typing.FilteringBoundLogger
) -> AsyncIterator[None]:
    """Answers the words of the host while the body runs. Where there can be no socket, the log says why."""
    path = folder / FILE
    with contextlib.ExitStack() as stack:
        try:
            listener = _listen(path, stack)
        except OSError as error:
            log.warning("admin.none", why=_reason(error))
            yield
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(trio.serve_listeners, partial(_serve, operator), [listener]))
            yield
            nursery.cancel_scope.cancel()


def _listen(path: Path, stack: contextlib.ExitStack) -> trio.SocketListener:
    """The socket, listening; its file is removed when the stack is closed. Raises OSError."""
    if sys.platform == "win32" or not admin_client.AVAILABLE:
        raise OSError(errno.EAFNOSUPPORT, NO_SOCKETS)
    fs = FileSystem()
    stack.callback(fs.close, fs.lock(f"{path}.lock"))
    path.unlink(missing_ok=True)
    sock = stack.enter_context(socket.socket(socket.AF_UNIX))
    sock.bind(os.fspath(path))
    stack.callback(path.unlink, missing_ok=True)
    os.chmod(path, 0o600)  # before `listen`: until then nobody can connect
    sock.listen()
    return trio.SocketListener(trio.socket.from_stdlib_socket(sock))


async def _serve(operator: Operator, stream: trio.SocketStream) -> None:
    """One word and its answer."""
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        asked = b""
        with trio.move_on_after(ASK_WITHIN):
            while len(asked) <= LONGEST and not asked.endswith(b"\n"):
                data = await stream.receive_some(LONGEST)
                if not data:
                    break
                asked += data
        try:
            words = msgspec.json.decode(asked, type=list[str])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        await stream.send_all(msgspec.json.encode(await operator.obey(words)))


def _reason(error: OSError) -> str:
    """Why there is no socket."""
    if isinstance(error, BlockingIOError):
        return f"process {error.strerror} uses the same data directory"
    return error.strerror or str(error)  # a path that is too long for a socket has no number of the system
