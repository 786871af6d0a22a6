"""Words that are about somebody at a table, whether they have a seat or not."""

from functools import partial

from server.app.words.details import details, table_with
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Word


async def _kick(host: HostedServer, name: str, *words: str) -> str:
    said = details(host, words)
    table = table_with(host, name, said.table)
    return await table.obey(partial(table.removals.kick, name, host.by, said.reason))


WORDS: dict[str, Word] = {
    "kick": Word("NAME [REASON]", "Send somebody away from the table; they may come back.", _kick, True),
}
