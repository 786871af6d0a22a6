"""Words about the server's process: its settings, its end."""

from protocol.narration.phrases import counted
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Said, Word
from server.errors import ConfigError, WordRefused

_LONGEST = 24 * 60
"""Minutes after which a server can be said to be back."""


async def _reload(host: HostedServer) -> Said:
    if host.reloader is None:
        raise WordRefused("This server was started without settings that could be read again.")
    try:
        done = await host.reloader.reload()
    except ConfigError as error:
        raise WordRefused(f"{error} Nothing has changed.") from None
    lines = [f"Changed: {', '.join(done.changed)}."] if done.changed else ["Nothing has changed."]
    if any(key.startswith("table.") for key in done.changed):
        lines.append("House rules count when no hand is running.")
    if done.waiting:
        lines.append(f"After a restart: {', '.join(done.waiting)}.")
    return Said("\n".join(lines), {"changed": list(done.changed), "needs_restart": list(done.waiting)})


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
    "reload": Word(
        "", "Read the settings again: limits, log, passwords, house rules change; the rest is named.", _reload
    ),
    "drain": Word("[MINUTES]", "Finish the running hands, deal no more, then stop; back in so many minutes.", _drain),
    "stop": Word("[MINUTES]", "Stop now; hands go on after the next start. Back in so many minutes.", _stop),
}
