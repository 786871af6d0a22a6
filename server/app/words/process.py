"""Words about the end of the server's process."""

from protocol.narration.phrases import counted
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Said, Word
from server.errors import WordRefused

_LONGEST = 24 * 60
"""Minutes after which a server can be said to be back."""


async def _stop(host: HostedServer, minutes: str = "") -> Said:
    host.server.shutdown.stop(_back(minutes))
    return Said("The server stops. Its tables go on where they are when it is started again.")


async def _drain(host: HostedServer, minutes: str = "") -> Said:
    shutdown = host.server.shutdown
    shutdown.drain(_back(minutes))
    playing = shutdown.playing()
    if playing:
        text = f"No more hands are dealt. The server stops after {counted(len(playing), 'hand')}: {', '.join(playing)}."
    else:
        text = "No hand is played; the server stops."
    return Said(text, {"playing": playing})


def _back(minutes: str) -> str:
    """When the server should be up again, for `Shutdown`; empty if nothing was said. Raises WordRefused."""
    if not minutes:
        return ""
    if not (minutes.isascii() and minutes.isdecimal() and 1 <= int(minutes[:9]) <= _LONGEST):
        raise WordRefused(f"MINUTES is how long the server will be away: a whole number from 1 to {_LONGEST}.")
    return f"in about {counted(int(minutes), 'minute')}"


WORDS: dict[str, Word] = {
    "drain": Word("[MINUTES]", "Finish the running hands, deal no more, then stop; back in so many minutes.", _drain),
    "stop": Word("[MINUTES]", "Stop now; hands go on after the next start. Back in so many minutes.", _stop),
}
