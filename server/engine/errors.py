"""A wish that the rules refuse."""


class IllegalAction(Exception):
    """Nothing has changed; `text` is the sentence for the player, `code` a word for his client."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
