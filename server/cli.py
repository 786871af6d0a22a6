"""The server's verbs. `ryo` has the same ones; what takes long to import is imported by the verb that needs it."""

import os
import sys
from typing import Any

import click

LEVELS = ("debug", "info", "warning", "error")
EXIT_INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Host a card room."""


@main.command()
@click.option("--bind", metavar="ADDRESS", help="Address to listen on. [default: all]")
@click.option("--port", type=int, metavar="PORT", help="TCP port; 0 for any free one. [default: 7719]")
@click.option("--plain-tcp", is_flag=True, default=None, help="Do not encrypt: everybody on the way can see the cards.")
@click.option("--config", "config_file", metavar="FILE", envvar="RYO_CONFIG", help="Settings (TOML).")
@click.option("--data-dir", metavar="DIR", help="Where the hands are kept. [default: the user's data directory]")
@click.option("--game", "games", multiple=True, metavar="GAME", help="What the one table plays; may be repeated.")
@click.option("--seats", type=int, metavar="N", help="Seats of the one table.")
@click.option("--durability", type=click.Choice(["action", "hand", "none"]), help="When the disk must have an action.")
@click.option("--resume/--no-resume", default=None, help="Go on where the last journals were left. [default: yes]")
@click.option("--log-file", metavar="FILE", help="The operator's log. [default: standard error]")
@click.option("--log-level", type=click.Choice(LEVELS), help="The least of what is logged.")
@click.option("-v", "--verbose", is_flag=True, help="Log connections, too.")
@click.option("-q", "--quiet", is_flag=True, help="Log warnings and errors only, and print no addresses.")
@click.option("--test", is_flag=True, help="A server for tests: allows --seed. Its decks are no secret.")
@click.option("--seed", metavar="TEXT", help="Deal the decks of this seed; only with --test.")
def serve(config_file: str | None, games: tuple[str, ...], seats: int | None, **flags: Any) -> None:
    """Run a server in the foreground.

    Settings come from FILE, then from the environment (RYO_PORT, RYO_BIND, RYO_DATA_DIR, RYO_LOG_FILE, ...), then from
    the flags. Stop it with Ctrl-C or SIGTERM: tables go on where they were when it is started again.
    """
    from server.config import ConfigError, load

    verbose, quiet, test = flags.pop("verbose"), flags.pop("quiet"), flags.pop("test")
    if verbose or quiet:
        flags["log_level"] = "debug" if verbose else "warning"
    durability = flags.pop("durability")
    try:
        config, _ = load(config_file, os.environ, flags)
        config = _with_table_flags(config, games, seats, durability)
        if config.seed is not None and not test:
            raise ConfigError("A seed makes every deck known beforehand; it is allowed with --test only.")
    except ConfigError as error:
        _fail(str(error), error.exit_code)
    sys.exit(_run(config, quiet=quiet))


def _with_table_flags(config: Any, games: tuple[str, ...], seats: int | None, durability: str | None) -> Any:
    """Flags about tables: games and seats for the only one, durability for all."""
    from msgspec.structs import replace

    from server.config import ConfigError

    if (games or seats) and len(config.table) > 1:
        raise ConfigError("--game and --seats are for a server with one table; this one has several.")
    tables = []
    for table in config.table:
        if games:
            table = replace(table, games=games)
        if seats:
            table = replace(table, seats=seats)
        if durability:
            table = replace(table, durability=durability)
        tables.append(table)
    return replace(config, table=tuple(tables)).check()


def _run(config: Any, *, quiet: bool) -> int:
    """Serves until SIGINT or SIGTERM; the exit code."""
    import trio

    from server.config import ConfigError
    from server.journal import JournalError
    from server.oplog import open_log
    from server.running import until_signal
    from server.serve import Server

    def tell(server: Server) -> None:
        if server.identity is None:
            click.echo("Connections are not encrypted: everybody on the way can see the cards.", err=True)
        for command in server.invitations():
            click.echo(command)

    try:
        log = open_log(config.log_file, config.log_level)
    except OSError as error:
        return _say(f"The log {config.log_file} cannot be written: {error.strerror}.", 78)
    try:
        trio.run(until_signal, config, log, None if quiet else tell)
    except (ConfigError, JournalError) as error:
        return _say(str(error), error.exit_code)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _say(text: str, code: int) -> int:
    click.echo(text, err=True)
    return code


def _fail(text: str, code: int) -> None:
    sys.exit(_say(text, code))
