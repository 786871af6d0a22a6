"""What can go wrong for a player, as errors whose text is the sentence that the player reads.

Each class has the exit code of the command that ends with it (`client.cli.main` lists them).
"""

from protocol.sanitize import clean
from server.errors import EXIT_CANNOT_CONNECT, EXIT_CONFIG, EXIT_FAILED, EXIT_VERSION

LONGEST = 1000
"""Characters of a sentence; some sentences come from a server that nobody has to trust."""


class ClientError(Exception):
    """An error that is reported as one sentence, on one line, without control characters; never as a traceback."""

    exit_code = EXIT_FAILED

    def __init__(self, text: str) -> None:
        super().__init__(clean(text, LONGEST))


class CannotConnect(ClientError):
    """Nothing answers at the address, or what answers is not a card room."""

    exit_code = EXIT_CANNOT_CONNECT


class ConnectionLost(CannotConnect):
    """The connection broke: the stream ended, was reset, or carried something that is not this protocol."""


class WrongKey(ClientError):
    """The server has another key than expected. Trying again would not help, so this is not a `CannotConnect`."""

    exit_code = EXIT_CANNOT_CONNECT


class VersionMismatch(ClientError):
    """Server and client have no protocol version in common; the sentence names both and says what to update."""

    exit_code = EXIT_VERSION


class JoinRefused(ClientError):
    """The server does not give the seat. `code` is its reason in one word (`RejectCode`, `ByeCode`)."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class BadSettings(ClientError):
    """A file of settings or keys cannot be used as it is."""

    exit_code = EXIT_CONFIG
