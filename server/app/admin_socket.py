"""The socket for the words of the host: a Unix socket in the data directory, which only its owner may open.

One connection is one word: the client sends the word and its arguments as a JSON list on one line, and gets an `Answer`
as JSON. A lock says which server has the socket, so one that a killed server has left behind is replaced.
"""

import contextlib
import errno
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import structlog
import trio

from server.app.operator import Answer, Operator
from server.errors import EXIT_CANNOT_CONNECT, ServerError
from server.storage.filesystem import FileSystem

FILE = "admin.sock"
LONGEST = 8192
"""Bytes of a word with its arguments."""
ASK_WITHIN = 5.0
"""Seconds that a client has to send its word."""
ANSWER_WITHIN = 30.0
"""Seconds after which a client waits no longer for the answer."""
AVAILABLE = hasattr(socket, "AF_UNIX")
NO_SOCKETS = "this system has no Unix sockets, and so no ryo admin"


class NoServer(ServerError):
    """There is no server that could be asked."""

    exit_code = EXIT_CANNOT_CONNECT


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
    if sys.platform == "win32" or not AVAILABLE:
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


# ----------------------------------------------------------------- who asks a server


def ask(folder: Path, words: Sequence[str]) -> Answer:
    """The answer of the server that works in that data directory. Raises NoServer."""
    if sys.platform == "win32" or not AVAILABLE:
        raise NoServer(f"{NO_SOCKETS[0].upper()}{NO_SOCKETS[1:]}.")
    path = folder / FILE
    try:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(ANSWER_WITHIN)
            sock.connect(os.fspath(path))
            sock.sendall(msgspec.json.encode(list(words)) + b"\n")
            with sock.makefile("rb") as answer:
                return msgspec.json.decode(answer.read(), type=Answer)
    except (FileNotFoundError, ConnectionRefusedError):
        raise NoServer(f"No server runs with the data in {folder}. Say where its data is: --data-dir DIR") from None
    except TimeoutError:
        raise NoServer(f"The server has not answered within {ANSWER_WITHIN:.0f} seconds.") from None
    except OSError as error:
        raise NoServer(f"The server cannot be asked through {path}: {error.strerror or error}.") from None
    except msgspec.DecodeError:
        raise NoServer("The server has gone before it answered.") from None


def _reason(error: OSError) -> str:
    """Why there is no socket."""
    if isinstance(error, BlockingIOError):
        return f"process {error.strerror} uses the same data directory"
    return error.strerror or str(error)  # a path that is too long for a socket has no number of the system
