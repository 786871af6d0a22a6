"""A command that the rules refuse."""

from protocol.commands import RefusalCode


class IllegalAction(Exception):
    """Nothing has changed; `text` is the sentence for the player, `code` a word for their client."""

    def __init__(self, code: RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
