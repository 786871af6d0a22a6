"""Refusals."""

from protocol.commands import RefusalCode


class IllegalAction(Exception):
    """A command that the rules refuse; nothing has changed.

    Fields:
        code: a word for the client (`protocol.wire.messages.Rejected`).
        text: a sentence for the player.
    """

    def __init__(self, code: RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
