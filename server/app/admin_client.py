"""Who says a word of the host from another process: through the socket in the data directory, and for one answer.

Nothing of the running server is loaded for it, so that `ryo admin` answers at once.
"""

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from server.app.words.word import Answer
from server.errors import EXIT_CANNOT_CONNECT, ServerError

FILE = "admin.sock"
ANSWER_WITHIN = 30.0
"""Seconds after which a client waits no longer for the answer."""
AVAILABLE = hasattr(socket, "AF_UNIX")
NO_SOCKETS = "this system has no Unix sockets, and so no ryo admin"


class NoServer(ServerError):
    """There is no server that could be asked."""

    exit_code = EXIT_CANNOT_CONNECT


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
