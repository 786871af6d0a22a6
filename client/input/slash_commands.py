"""Words that begin with a slash, typed into the chat line, as data."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocol.versions import PROGRAM, PROTOCOL

Order: TypeAlias = Literal[
    "quit", "leave", "away", "back", "rebuy", "next", "show", "muck", "why", "rules", "help", "who", "msg", "ping",
    "version", "bell", "colours", "background", "suits", "theme", "say",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slash:
    """A command: its word, what must follow (in brackets: may), and what it does."""

    word: str
    more: str
    text: str
    order: Order

    @property
    def needs_more(self) -> bool:
        """Whether it means nothing alone."""
        return bool(self.more) and not self.more.startswith("[")


VERSION = f"Roll Your Own {PROGRAM}, protocol {PROTOCOL[1]}."
NO_HOST = "Nobody at the table is its host: nobody can stop the game or put a player out. To sit out yourself: /away."
_OF_HOSTS = ("/host", "/kick", "/pause")
NO_NOTES = "There are no secret notes at a card table. What you say is for all: /say TEXT."

SLASHES: tuple[Slash, ...] = (
    Slash("/help", "", "the keys and these words", "help"),
    Slash("/why", "", "who opens and why, what is missing", "why"),
    Slash("/rules", "", "the rules of this game", "rules"),
    Slash("/away", "", "sit out from the next hand on", "away"),
    Slash("/back", "", "be dealt in again", "back"),
    Slash("/rebuy", "CHIPS", "buy chips; they arrive between hands", "rebuy"),
    Slash("/next", "", "go on, once the result has been read", "next"),
    Slash("/show", "[CARDS]", "after a hand: show all your hidden cards, or those named", "show"),
    Slash("/muck", "", "show nothing; that is what happens anyway", "muck"),
    Slash("/who", "", "who is at the table", "who"),
    Slash("/msg", "[NAME TEXT]", "there are no secret notes here; /say is for all", "msg"),
    Slash("/ping", "", "how long the way to the server takes", "ping"),
    Slash("/version", "", "which version this is", "version"),
    Slash("/bell", "", "bell on your turn: on or off", "bell"),
    Slash("/colours", "four|two|blind|none", "colours of the suits", "colours"),
    Slash("/background", "", "colours for a light or a dark background", "background"),
    Slash("/suits", "", "suits as letters or as signs", "suits"),
    Slash("/theme", "", "read colours and theme from your files again", "theme"),
    Slash("/say", "TEXT", "chat that begins with a slash", "say"),
    Slash("/quit", "", "leave the screen; the seat is kept", "quit"),
    Slash("/leave", "", "give the seat back for good; asks once more", "leave"),
)


def parse(text: str) -> tuple[Slash, str] | str:
    """(command, what follows) for a line that begins with a slash, or a sentence on why it is none."""
    word, _, rest = text.strip().partition(" ")
    found = [slash for slash in SLASHES if slash.word == word.lower()]
    found = found or [slash for slash in SLASHES if len(word) > 2 and slash.word.startswith(word.lower())]
    if not found and word.lower() in _OF_HOSTS:
        return NO_HOST
    if not found:
        return f"There is no {word}; /help lists what there is."
    slash = found[0]
    rest = rest.strip()
    if slash.needs_more and not rest:
        return f"{slash.word} needs {slash.more}."
    if not slash.more and rest:
        return f"{slash.word} stands alone."
    return slash, rest


def slash_lines() -> list[tuple[str, str]]:
    """The commands for the help, as (style, text) lines."""
    return [
        ("class:title", "In the chat line"),
        *(("", f"  {f'{slash.word} {slash.more}'.strip():<30}{slash.text}") for slash in SLASHES),
        ("", "  /pot /stacks /up /last /time  questions, answered in the story"),
    ]
