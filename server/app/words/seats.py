"""Words about the seat of one player."""

from functools import partial

from server.app.words.hosted_server import HostedServer
from server.app.words.word import Said, Word


async def _free(host: HostedServer, name: str, table: str = "") -> Said:
    place = host.table_of(name, table)
    return Said(await place.obey(partial(place.host_words.free, name)), {"table": place.id, "player": name})


async def _give_back(host: HostedServer, name: str, table: str = "") -> Said:
    place = host.table_of(name, table)
    return Said(await place.obey(partial(place.host_words.give_back, name)), {"table": place.id, "player": name})


async def _pass(host: HostedServer, name: str, table: str = "") -> Said:
    place = host.table_of(name, table)
    return Said(await place.obey(partial(place.host_words.pass_over, name)), {"table": place.id, "player": name})


WORDS: dict[str, Word] = {
    "free": Word(
        "NAME [TABLE]", "Free the seat of a player who is not there; the chips are kept for them.", _free, True
    ),
    "give-back": Word(
        "NAME [TABLE]",
        "Give seat or kept chips back to a player who has lost the key: they type a word.",
        _give_back,
        True,
    ),
    "pass": Word("NAME [TABLE]", "Decide for a player whom no clock passes over: as if time had run out.", _pass, True),
}
