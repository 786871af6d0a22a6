"""The help: the keys and words of the table, from the lists that bind them."""

from collections.abc import Sequence

from client.display.seat_rows import MARKS
from client.input.decision_keys import ANSWER_KEYS, Key
from client.input.keymap import Keymap
from client.input.table_commands import (
    COACH,
    COMMANDS,
    HELP,
    QUIT,
    AnyCommand,
    HostCommand,
    Notice,
    Question,
    SeatCommand,
)
from protocol.narration.glossary import words_in

StyledLine = tuple[str, str]
"""(style, text)"""


def help_page(keys: Sequence[Key], keymap: Keymap, *, spectator: bool = False, host: bool = False) -> list[StyledLine]:
    """The help of the full screen: the keys of the open request, the keys of the table, the marks, the words.

    The page for a spectator has no key and no word that needs a seat; the words of a host are for a host.
    """
    commands = [command for command in COMMANDS if not (spectator and command.needs_seat)]
    return [
        *_answers(keys, keymap, spectator=spectator),
        ("class:title", "At the table"),
        *[_row(one.keys, one.text, keymap) for one in commands if one.keys],
        ("class:title", "Beside a name"),
        *[("", f"  {mark:<13}{text}") for mark, text in (*MARKS, (">", "asked for a decision"))],
        ("", "  cards         hidden ones first, then those face up, in the order turned"),
        *words_to_type(spectator=spectator, host=host),
    ]


def words_to_type(*, spectator: bool = False, host: bool = False) -> list[StyledLine]:
    """The words of the chat line: commands and questions."""
    commands = [command for command in COMMANDS if not (spectator and command.needs_seat)]
    questions = [f"/{one.usage}" for one in commands if isinstance(one, Question)]
    return [
        ("class:title", "In the chat line: commands"),
        *[
            ("", f"  {'/' + one.usage:<30}{one.text}")
            for one in commands
            if one.words and one.text and not isinstance(one, Question | HostCommand)
        ],
        *(_words_of_a_host() if host else []),
        ("class:title", "In the chat line: questions, answered in the story"),
        ("", f"  {', '.join(questions)}"),
    ]


def _words_of_a_host() -> list[StyledLine]:
    words = [one for one in COMMANDS if isinstance(one, HostCommand)]
    return [
        ("class:title", "In the chat line: you are a host of this table"),
        *[("", f"  {'/' + one.usage:<30}{one.text}") for one in words],
    ]


def text_page(lines: Sequence[str]) -> list[StyledLine]:
    """A page of text, such as the rules of a game: its first line and its headings, in capitals, stand out."""
    return [("class:title" if not number or line.isupper() else "", line) for number, line in enumerate(lines)]


WORDS = "WORDS ON THE SCREEN"
"""The first line of the page that explains them."""


def words_page(screen: str, reasons: Sequence[str]) -> list[StyledLine]:
    """The words of the table that stand on the screen, each explained, the lowest one first; then the reasons."""
    rows = [("", f"  {entry.word:<14}  {entry.means}") for entry in words_in(screen)]
    why = [("class:title", "WHY"), *[("", f"  {reason}") for reason in reasons]] if reasons else []
    return [*why, ("class:title", WORDS), *rows]


def _answers(keys: Sequence[Key], keymap: Keymap, *, spectator: bool) -> list[StyledLine]:
    listed = [_row(key.names[:1], key.label, keymap) for key in keys if key.listed]
    if listed:
        return [("class:title", "Now"), *listed]
    if spectator:
        return [("class:faint", "You are watching: nothing is asked of you.")]
    return [
        ("class:faint", "It is not your turn. When it is, the keys stand at the bottom:"),
        *[("class:faint", _row(names, text, keymap)[1]) for names, text in ANSWER_KEYS],
    ]


def _row(keys: Sequence[str], text: str, keymap: Keymap) -> StyledLine:
    return "", f"  {' '.join(map(keymap.label, keys)):<13}{text}"


# ---------------------------------------------------------------- in the line mode


def in_lines(command: AnyCommand) -> bool:
    """Whether the line mode has the command."""
    return isinstance(command, SeatCommand | HostCommand | Question | Notice) or command in (HELP, QUIT, COACH)


def line_help(*, host: bool = False) -> list[str]:
    """The help of the line mode; `host`: with the words of a host of the table."""
    known = [command for command in COMMANDS if command.words and command.text and in_lines(command)]
    questions = ", ".join([one.usage for one in known if isinstance(one, Question)])
    commands = ", ".join([f"/{one.usage}" for one in known if not isinstance(one, Question | HostCommand)])
    hosts = ", ".join([f"/{one.usage}" for one in known if isinstance(one, HostCommand)])
    return [
        "Answers: f fold, c check or call, b bet or bring in, r raise or complete; with an amount where one is needed.",
        "Cards by their numbers; h or l to declare. An empty line does nothing.",
        f"Questions: {questions}.",
        "A number alone asks for that card of yours, and F1 to F8 for a seat.",
        f"Commands: {commands}.",
        "/show is for your cards when the hand is over; /leave gives the seat back, /quit keeps it.",
        *[f"You are a host of this table: {hosts}."] * host,
    ]
