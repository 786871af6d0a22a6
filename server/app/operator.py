"""The words by which the host runs a server while people play: `ryo admin WORD`, or the word on the server's terminal.

`WORDS` is the list of them: a new word is one more entry with its arguments, its help and its function. The functions
only find the table and say what happened; what a word does to a table stands in `server.table.host_words`.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog
import trio

from protocol.narration.phrases import counted
from protocol.near_matches import did_you_mean
from protocol.sanitize import clean
from protocol.versions import PROGRAM
from server.app.server import Server
from server.config.config import Config
from server.errors import EXIT_USAGE, WordRefused
from server.table.pipeline import WHY_HALTED
from server.table.table import Table

EXIT_FAULT = 1
"""Exit code: a fault in the program."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a word has done, in lines for the host, and the exit code of `ryo admin`."""

    text: str
    code: int = 0


@dataclass(frozen=True, slots=True)
class Word:
    """One word.

    Fields:
        arguments: their names, those that may be left out in brackets; TEXT takes all that follows.
        help: what the word does, in a line.
        do: is given the operator and the arguments. Raises WordRefused.
    """

    arguments: str
    help: str
    do: "Callable[..., Awaitable[str]]"

    def takes(self, count: int) -> bool:
        """Whether the word can be given so many arguments."""
        names = self.arguments.split()
        least = sum(not name.startswith("[") for name in names)
        return least <= count and (count <= len(names) or "TEXT" in names)


class Operator:
    """Does the words of the host at one server.

    Attributes:
        server: the server.
        config: its settings.
    """

    def __init__(self, server: Server, config: Config, log: structlog.typing.FilteringBoundLogger) -> None:
        self.server, self.config = server, config
        self._log = log
        self._began = trio.current_time()

    async def obey(self, words: Sequence[str]) -> Answer:
        """Does a word with its arguments."""
        if not words:
            return Answer(help_text())
        name, arguments = words[0], list(words[1:])
        word = WORDS.get(name)
        if word is None:
            return Answer(f"There is no word {name!r}.{did_you_mean(name, WORDS)} The words: help", EXIT_USAGE)
        if not word.takes(len(arguments)):
            return Answer(f"Say it like this: {usage(name)}", EXIT_USAGE)
        try:
            answer = Answer(await word.do(self, *arguments))
        except WordRefused as refused:
            answer = Answer(str(refused), refused.exit_code)
        except Exception as error:  # our mistake, and this word's alone
            self._log.error("admin.breach", word=name, error=type(error).__name__, exc_info=error)
            return Answer("That is not done, because of a fault in the program; the log has it.", EXIT_FAULT)
        told = {} if word.arguments == "TEXT" or not arguments else {"about": " ".join(arguments)}
        self._log.info("admin.word", word=name, code=answer.code, **told)  # chat is in no log
        return answer

    def uptime(self) -> float:
        """Seconds since the server began to listen."""
        return trio.current_time() - self._began

    def tables(self, name: str = "") -> list[Table]:
        """All tables, or the one of that id. Raises WordRefused."""
        tables = self.server.lobby.tables
        if not name:
            return list(tables.values())
        if name not in tables:
            hint = did_you_mean(name, tables) or " A name with spaces stands in quotation marks."
            raise WordRefused(f"There is no table {name}.{hint}")
        return [tables[name]]

    def table_of(self, player: str, name: str) -> Table:
        """The table of that id, or without an id the only one where the player is known. Raises WordRefused."""
        tables = self.tables(name)
        if len(tables) > 1:
            there = [table for table in tables if table.has_player(player)]
            if len(there) > 1:
                ids = " and ".join(table.id for table in there)
                raise WordRefused(f"{player} is at {ids}: say at which table.")
            known = [name for table in tables for name in table.host_words.names()]
            if not there:
                raise WordRefused(f"There is no {player} at any table.{did_you_mean(player, known)}")
            tables = there
        return tables[0]


# ------------------------------------------------------------------------ the words


async def _help(operator: Operator) -> str:
    return help_text()


async def _status(operator: Operator) -> str:
    server = operator.server
    door, tables = server.lobby.door, server.lobby.tables.values()
    halted = sum(table.halted is not None for table in tables)
    minutes = int(operator.uptime() // 60)
    return "\n".join(
        [
            f"ryo {PROGRAM}, port {server.port}, up for {minutes // 60} h {minutes % 60} min",
            f"data in {operator.config.base_dir}",
            f"{counted(len(tables), 'table')}, {halted or 'none'} stopped; "
            f"{counted(door.inside, 'connection')}, {door.waiting} of them not let in yet",
            *server.join_commands(),
        ]
    )


async def _tables(operator: Operator) -> str:
    lines = []
    for table in operator.tables():
        view, info = table.state.view, table.info()
        hand = f"hand {view.hand}{' is played' if view.playing else ''}" if view.hand else "no hand yet"
        seats = f"{len(info.players)} of {info.rules.seats} seats taken, {info.watching} watching"
        halted = "" if table.halted is None else f"; {WHY_HALTED[table.halted]}"
        lines.append(f"{table.id} ({info.rules.name}): {seats}, {hand}{halted}")
    return "\n".join(lines)


async def _players(operator: Operator, table: str = "") -> str:
    lines = []
    for one in operator.tables(table):
        lines += [f"{one.id}:", *(one.host_words.players() or ["  nobody"])]
    return "\n".join(lines)


async def _free(operator: Operator, name: str, table: str = "") -> str:
    place = operator.table_of(name, table)
    return await place.obey(partial(place.host_words.free, name))


async def _give_back(operator: Operator, name: str, table: str = "") -> str:
    place = operator.table_of(name, table)
    return await place.obey(partial(place.host_words.give_back, name))


async def _pass(operator: Operator, name: str, table: str = "") -> str:
    place = operator.table_of(name, table)
    return await place.obey(partial(place.host_words.pass_over, name))


async def _say(operator: Operator, *words: str) -> str:
    most = operator.config.limits.say_length
    text = clean(" ".join(words), 2 * most)
    if not text:
        raise WordRefused("There is nothing to say.")
    if len(text) > most:
        raise WordRefused(f"That is too long: at most {most} characters are said at once.")
    said = []
    for table in operator.tables():
        try:
            said.append(await table.obey(partial(table.host_words.say, text)))
        except WordRefused as refused:
            said.append(f"Not said at {table.id}: {refused}")
    return "\n".join(said)


WORDS: dict[str, Word] = {
    "help": Word("", "These words.", _help),
    "status": Word("", "The server: version, port, connections, and how guests come in.", _status),
    "tables": Word("", "Each table: seats, spectators, the hand, and why it has stopped.", _tables),
    "players": Word("[TABLE]", "Who sits where, with which chips, and who is not there.", _players),
    "free": Word("NAME [TABLE]", "Free the seat of a player who is not there; the chips are kept for them.", _free),
    "give-back": Word(
        "NAME [TABLE]", "Give seat or kept chips back to a player who has lost the key: they type a word.", _give_back
    ),
    "pass": Word("NAME [TABLE]", "Decide for a player whom no clock passes over: as if time had run out.", _pass),
    "say": Word("TEXT", "Say something to everybody at every table.", _say),
}
"""The words of the host, in the order of the help."""


def usage(name: str) -> str:
    """A word with its arguments."""
    return f"{name} {WORDS[name].arguments}".rstrip()


def help_text() -> str:
    """All words, a line for each."""
    width = max(len(usage(name)) for name in WORDS)
    return "\n".join(f"{usage(name):{width}}  {word.help}" for name, word in WORDS.items())


def split(line: str) -> list[str]:
    """A line that was typed, as a word and its arguments; a name with spaces stands in quotation marks."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]
