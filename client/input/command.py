"""The base of all commands, at a table and in a replay: keys, words, and a text for the help."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Command:
    """One entry of a list of commands (`client.input.table_commands`, `client.presenter.replay_commands`).

    Fields:
        name: at the table also what its key is called in the settings.
        text: its line in the help; empty for a command that no help lists.
        keys: its keys on the full screen, as prompt_toolkit names them.
        words: the words that are typed for it, the usual one first.
        argument: the name of the text behind the word; in brackets where it may be left out.
        silent_keys: more keys, which no help lists.
    """

    name: str
    text: str
    keys: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    argument: str = ""
    silent_keys: tuple[str, ...] = ()

    @property
    def needs_argument(self) -> bool:
        """Whether the word means nothing alone."""
        return bool(self.argument) and not self.argument.startswith("[")

    @property
    def usage(self) -> str:
        """``rebuy CHIPS``"""
        return f"{self.words[0]} {self.argument}".rstrip() if self.words else ""


C = TypeVar("C", bound=Command)


def by_key(commands: Sequence[C]) -> Mapping[str, C]:
    """The command of each key."""
    return {key: command for command in commands for key in (*command.keys, *command.silent_keys)}


def words_alone(commands: Sequence[C]) -> Mapping[str, C]:
    """The command of each word that stands alone."""
    return {word: command for command in commands for word in command.words if not command.needs_argument}


def words_before_argument(commands: Sequence[C]) -> Mapping[str, C]:
    """The command of each word with an argument; the same word may mean another command alone."""
    return {word: command for command in commands for word in command.words if command.argument}
