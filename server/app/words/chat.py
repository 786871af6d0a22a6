"""Words about what is said."""

from functools import partial

from protocol.sanitize import clean
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Said, Word
from server.errors import WordRefused


async def _say(host: HostedServer, *words: str) -> Said:
    most = host.config.limits.say_length
    text = clean(" ".join(words), 2 * most)
    if not text:
        raise WordRefused("There is nothing to say.")
    if len(text) > most:
        raise WordRefused(f"That is too long: at most {most} characters are said at once.")
    lines, said = [], []
    for table in host.tables():
        try:
            lines.append(await table.obey(partial(table.host_words.say, text)))
            said.append(table.id)
        except WordRefused as refused:
            lines.append(f"Not said at {table.id}: {refused}")
    return Said("\n".join(lines), {"tables": said})


WORDS: dict[str, Word] = {
    "say": Word("TEXT", "Say something to everybody at every table.", _say),
}
