"""What can go wrong for a player, as errors whose text is the sentence he reads.

Each class carries the exit code of the command that ends with it (docs: exit codes).
"""

from protocol.sanitize import clean

LONGEST = 1000
"""Characters of a sentence; some of them come from a server that may be anybody's."""


class ClientError(Exception):
    """A trouble that is told in one sentence, on one line, without controls; never a reason for a traceback."""

    exit_code = 1

    def __init__(self, text: str) -> None:
        super().__init__(clean(text, LONGEST))


class CannotConnect(ClientError):
    """Nobody answers at the address, or what answers is not a card room."""

    exit_code = 3


class ConnectionLost(CannotConnect):
    """The line broke: the stream ended, was reset, or carried something that is not this protocol."""


class WrongKey(ClientError):
    """Who answers has another key than expected. Trying again would not help, so this is not a `CannotConnect`."""

    exit_code = 3


class VersionMismatch(ClientError):
    """Server and client have no protocol version in common; the server's sentence names both and the remedy."""

    exit_code = 4


class JoinRefused(ClientError):
    """The server does not give the seat. `code` is its short word."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class BadSettings(ClientError):
    """A file of settings or keys cannot be used as it is."""

    exit_code = 78
