"""Words that run a table: pause it, stop it, declare a hand void, correct a stack, name a host."""

import re
from functools import partial

from protocol.sanitize import clean
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Word
from server.errors import WordRefused

LONGEST_REASON = 120
"""Characters of a reason."""
LONGEST_BREAK = 720
"""Minutes of a break."""
_CHIPS = re.compile(r"[+-]\d{1,9}")


def reason(words: list[str]) -> str:
    """The reason that stands behind a word, as a clause."""
    return clean(" ".join(words), LONGEST_REASON).strip().rstrip(".")


async def _pause(host: HostedServer, *words: str) -> str:
    table, rest = host.place(words)
    return await table.obey(partial(table.running_words.pause, host.by, reason(rest)))


async def _last_hand(host: HostedServer, *words: str) -> str:
    table, rest = host.place(words)
    if rest[:3] == ["after", "this", "hand"]:
        rest = rest[3:]
    return await table.obey(partial(table.running_words.last_hand, host.by, reason(rest)))


async def _resume(host: HostedServer, *words: str) -> str:
    table, rest = host.place(words)
    if rest:
        raise WordRefused("Say it like this: resume [at TABLE]")
    return await table.obey(partial(table.running_words.resume, host.by))


async def _break(host: HostedServer, *words: str) -> str:
    table, rest = host.place(words)
    minutes = rest[0].removesuffix("min") if rest else ""
    if not (minutes.isascii() and minutes.isdecimal() and 0 < int(minutes[:4]) <= LONGEST_BREAK):
        raise WordRefused(f"Say it like this: break 10 REASON, for 1 to {LONGEST_BREAK} minutes")
    why = rest[2:] if rest[1:2] in (["min"], ["minutes"]) else rest[1:]
    return await table.obey(partial(table.running_words.take_break, host.by, int(minutes), reason(why)))


async def _void(host: HostedServer, *words: str) -> str:
    table, rest = host.place(words)
    return await table.obey(partial(table.running_words.void, host.by, reason(rest)))


async def _open(host: HostedServer, *words: str) -> str:
    return await _spectators(host, words, opened=True)


async def _close(host: HostedServer, *words: str) -> str:
    return await _spectators(host, words, opened=False)


async def _spectators(host: HostedServer, words: tuple[str, ...], *, opened: bool) -> str:
    table, rest = host.place(words)
    if rest != ["spectators"]:
        raise WordRefused(f"Say it like this: {'open' if opened else 'close'} [at TABLE] spectators")
    return await table.obey(partial(table.house_rules.open_spectators, opened=opened))


async def _stack(host: HostedServer, name: str, chips: str, *words: str) -> str:
    if not _CHIPS.fullmatch(chips) or not int(chips):
        raise WordRefused("Say it like this: stack NAME +20 REASON, or stack NAME -20 REASON")
    table = host.table_of(name, "")
    return await table.obey(partial(table.running_words.correct, host.by, name, int(chips), reason(list(words))))


async def _host(host: HostedServer, name: str, table: str = "") -> str:
    place = host.table_of(name, table)
    return await place.obey(partial(place.running_words.name_host, host.by, name))


async def _unhost(host: HostedServer, name: str, table: str = "") -> str:
    place = host.table_of(name, table)
    return await place.obey(partial(place.running_words.unname_host, host.by, name))


WORDS: dict[str, Word] = {
    "pause": Word("[at TABLE] [REASON]", "Stop the clocks; nobody can act until resume.", _pause, True),
    "last-hand": Word("[at TABLE] [REASON]", "Deal no more hands after this one, until resume.", _last_hand, True),
    "resume": Word("[at TABLE]", "Let the table go on.", _resume, True),
    "break": Word("MINUTES [REASON]", "A break after the running hand; it ends by itself, or by resume.", _break, True),
    "void": Word("[at TABLE] [REASON]", "The running hand does not count: everybody has the chips back.", _void, True),
    "stack": Word(
        "NAME ±CHIPS REASON", "Correct a player's chips between two hands: stack Ann +20 REASON.", _stack, True
    ),
    "open": Word(
        "[at TABLE] spectators", "From the next hand on spectators see every card, when a hand is over.", _open, True
    ),
    "close": Word("[at TABLE] spectators", "Spectators see what is open at the table, no more.", _close, True),
    "host": Word("NAME [TABLE]", "Make a player a host; a host at the table hands the role over.", _host, True),
    "unhost": Word("NAME [TABLE]", "Take the role of a host from a player.", _unhost, True),
}
