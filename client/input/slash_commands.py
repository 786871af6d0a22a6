"""The words that are typed for the commands of the table: behind a slash, and for questions without one too."""

import re
from collections.abc import Mapping

from client.input.command import words_alone, words_before_argument
from client.input.table_commands import COMMANDS, AnyCommand, Question
from protocol.near_matches import did_you_mean

_ALONE = words_alone(COMMANDS)
_WITH_ARGUMENT = words_before_argument(COMMANDS)
# Where two words begin alike, a question comes after every other command.
_BY_BEGINNING = sorted([command for command in COMMANDS if command.words], key=lambda one: isinstance(one, Question))
_SLASHED = tuple(f"/{word}" for command in COMMANDS if command.text for word in command.words if len(word) > 2)
_SEAT = re.compile(r"(?:(?:s|seat) ?|f)(\d{1,2})")
_FUNCTION_KEYS: Mapping[str, str] = {
    **{f"\x1bO{letter}": f"seat {number}" for number, letter in enumerate("PQRS", 1)},
    **{f"\x1b[{code}~": f"seat {number}" for number, code in enumerate((11, 12, 13, 14, 15, 17, 18, 19), 1)},
    **{f"\x1b[[{letter}": f"seat {number}" for number, letter in enumerate("ABCDE", 1)},
}
"""The bytes that terminals send for F1 to F8, and the questions that these keys stand for in the line mode."""


def parse(text: str) -> tuple[AnyCommand, str] | str:
    """(command, argument) for a line that begins with a slash, or a sentence that says why it is no command.

    The beginning of a word is enough, if it has two letters or more.
    """
    typed = text.strip().removeprefix("/")
    found = command_of(typed)
    if found is not None:
        return found
    word, _, argument = typed.partition(" ")
    argument = argument.strip()
    command = _ALONE.get(word.lower()) or _WITH_ARGUMENT.get(word.lower()) or _by_beginning(word.lower())
    if command is None:
        return f"There is no /{word}.{did_you_mean(f'/{word}', _SLASHED)} /help lists what there is."
    if command.needs_argument and not argument:
        return f"/{command.words[0]} needs {command.argument}."
    if argument and not command.argument:
        return f"/{command.words[0]} stands alone."
    return command, argument


def command_of(typed: str) -> tuple[AnyCommand, str] | None:
    """(command, argument) for the full words of a command: ``to call``, ``seat 3``, ``2`` for the second card."""
    typed = _FUNCTION_KEYS.get(typed, typed)
    whole = " ".join(typed.lower().split())
    if found := _SEAT.fullmatch(whole):
        return _WITH_ARGUMENT["seat"], found[1]
    if whole.isascii() and whole.isdecimal() and len(whole) < 3:
        return _WITH_ARGUMENT["card"], whole
    if whole in _ALONE:
        return _ALONE[whole], ""
    word, _, argument = typed.partition(" ")
    command = _WITH_ARGUMENT.get(word.lower())
    return None if command is None or not argument.strip() else (command, argument.strip())


def question_meant(typed: str) -> str:
    """`` Did you mean 'stacks'?`` for words that are no question; empty if none is near."""
    known = [word for command in COMMANDS if isinstance(command, Question) for word in command.words if len(word) > 2]
    return did_you_mean(typed, [*known, "fold", "check", "call", "bet", "raise", "complete", "help", "quit"])


def _by_beginning(beginning: str) -> AnyCommand | None:
    if len(beginning) < 2:
        return None
    return next((command for command in _BY_BEGINNING if command.words[0].startswith(beginning)), None)
