"""The words by which the host runs a server while people play: `ryo admin WORD`, or the word on the server's terminal.

`WORDS` is the list of them, from the modules of `server.app.words`: a new word is one more entry there, with its
arguments, its help and its function. The functions only find the table and say what happened; what a word does to a
table stands in `server.table.host_words`.
"""

import re
from collections.abc import Sequence

import structlog

from protocol.near_matches import did_you_mean
from server.app.reload import Reloader
from server.app.running_server import RunningServer
from server.app.words import about, bans, chat, hosting, people, process, seats
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Answer, Said, Word
from server.config.config import Config
from server.errors import EXIT_USAGE, WordRefused

EXIT_FAULT = 1
"""Exit code: a fault in the program."""


class Operator:
    """Does the words of the host at one server.

    Attributes:
        hosted: the server, as the words see it.
    """

    def __init__(
        self,
        server: RunningServer,
        config: Config,
        log: structlog.typing.FilteringBoundLogger,
        reloader: Reloader | None = None,
    ) -> None:
        self.hosted = HostedServer(server, config, reloader)
        self._log = log

    async def obey(self, words: Sequence[str], host: HostedServer | None = None) -> Answer:
        """Does a word with its arguments. `host`: as a host who sits at a table sees the server; None: as it is."""
        name, arguments = (words[0], list(words[1:])) if words else ("help", [])
        word = WORDS.get(name)
        if word is not None and host is not None and not word.at_table:
            return Answer(f"The word {name} is for the machine of the server.", EXIT_USAGE)
        if word is None:
            return Answer(f"There is no word {name!r}.{did_you_mean(name, WORDS)} The words: help", EXIT_USAGE)
        if not word.takes(len(arguments)):
            return Answer(f"Say it like this: {usage(name)}", EXIT_USAGE)
        try:
            said = await word.do(host or self.hosted, *arguments)
            answer = _answer(said)
        except WordRefused as refused:
            answer = Answer(str(refused), refused.exit_code)
        except Exception as error:  # our mistake, and this word's alone
            self._log.error("admin.breach", word=name, error=type(error).__name__, exc_info=error)
            return Answer("That is not done, because of a fault in the program; the log has it.", EXIT_FAULT)
        told = {} if word.arguments == "TEXT" or not arguments else {"about": " ".join(arguments)}
        by = {} if host is None else {"by": host.by}
        self._log.info("admin.word", word=name, code=answer.code, **by, **told)  # chat is in no log
        return answer


def _answer(said: Said | str) -> Answer:
    return Answer(said) if isinstance(said, str) else Answer(said.text, data=said.data)


def help_answer() -> Answer:
    """The answer to `help`, which needs no server."""
    return _answer(_help_words())


def _help_words() -> Said:
    words = [{"word": name, "arguments": word.arguments, "help": word.help} for name, word in WORDS.items()]
    return Said(help_text(), {"words": words})


async def _help(host: HostedServer) -> Said:
    return _help_words()


WORDS: dict[str, Word] = {
    "help": Word("", "These words.", _help),
    **about.WORDS,
    **hosting.WORDS,
    **seats.WORDS,
    **people.WORDS,
    **bans.WORDS,
    **chat.WORDS,
    **process.WORDS,
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
