"""The verbs that sit at a table: ``play``, ``join``, ``watch``, ``bot``; and ``forget``, for a server with a new key.

What takes long to import is imported by the verb that needs it.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client.cli.failures import fail, the_trouble, troubles
from client.cli.preferences import asked_name, is_terminal, options_of, usual_name, wants_lines
from client.profile.settings import Settings, load_settings
from client.profile.settings import data_dir as folder_of

if TYPE_CHECKING:
    from client.cli.server_visit import Visit
    from client.connection.session import ClientSession
    from client.local_game import Evening

HANDS_WITHOUT_TERMINAL = 3


name_option = click.option(
    "--name", metavar="NAME", help="Name to play under. [default: the last one, or that of your account]"
)
plain_option = click.option("--plain", is_flag=True, help="Lines instead of a screen.")
table_option = click.option("--table", metavar="TABLE", default="", help="Which table. [default: the first free seat]")
data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="RYO_DATA_DIR",
    help=f"Where hands and keys are kept. [default: {folder_of()}]",
)
where_argument = click.argument("to", metavar="[HOST[:PORT]|LINK]", default="")
plain_tcp_option = click.option("--plain-tcp", is_flag=True, help="Without encryption, for servers that have none.")
password_file_option = click.option(
    "--password-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the table's password is. [default: RYO_PASSWORD, or it is asked for]",
)


# -------------------------------------------------------------------------- play


@click.command()
@click.option("--game", metavar="GAME", default="barneys", show_default=True, help="What is played; see: ryo rules")
@click.option("--bots", type=click.IntRange(1, 7), default=3, show_default=True, help="How many bots play along.")
@click.option("--hands", type=click.IntRange(1), metavar="N", help="Stop after N hands.")
@click.option("--test", is_flag=True, help="For tests: allows --seed.")
@click.option("--seed", metavar="TEXT", help="Deal the decks of this seed; only with --test.")
@name_option
@plain_option
@data_dir_option
def play(
    game: str,
    bots: int,
    hands: int | None,
    test: bool,
    seed: str | None,
    name: str | None,
    plain: bool,
    data_dir: Path | None,
) -> None:
    """Play against bots, here and now.

    A server runs inside the program while you play, and the hands are recorded. Without a terminal a bot takes your
    seat for three hands, and their story is told.
    """
    if seed is not None and not test:
        raise click.UsageError("--seed makes every deck known beforehand; it is allowed with --test only.")
    with troubles():
        settings = load_settings()
        evening = _evening(game, bots, hands, seed, usual_name(name, settings), data_dir)
        if not is_terminal() and not plain:
            _play_alone(evening)
        elif wants_lines(plain, settings):
            _play_in_lines(evening)
        else:
            _play_on_screen(evening, settings)


def _evening(game: str, bots: int, hands: int | None, seed: str | None, name: str, folder: Path | None) -> "Evening":
    from client.local_game import Evening, most_bots
    from server.engine.games.catalogue import GAMES

    if game not in GAMES:
        raise click.BadParameter(f"there is no game {game!r}; there are {', '.join(GAMES)}.", param_hint="--game")
    if bots > most_bots(game):
        raise click.BadParameter(f"{GAMES[game].title} has room for {most_bots(game)} bots.", param_hint="--bots")
    return Evening(game, bots, name, hands, folder, seed)


def _play_alone(evening: "Evening") -> None:
    import trio

    from client.local_game import Room, tell_hands
    from protocol.narration.phrases import count

    hands = evening.hands or HANDS_WITHOUT_TERMINAL
    room = Room(replace(evening, hands=hands, pace=0.0, autopilot=True))
    many = count(hands, "hand")
    click.echo(f"There is no terminal here: a bot takes the seat of {evening.name} for {many}.")
    trio.run(tell_hands, room, click.echo)
    _tell_journal(room.journal)


def _play_in_lines(evening: "Evening") -> None:
    import trio

    from client.local_game import Room
    from client.terminal.line_mode import run_lines
    from client.terminal.stdin import lines

    room = Room(evening)

    async def person() -> None:
        await run_lines(room.session, lines(sys.stdin.fileno()), click.echo, kept=False)

    trio.run(room.around, person)
    _tell_journal(room.journal)


def _play_on_screen(evening: "Evening", settings: Settings) -> None:
    from client.local_game import Room
    from client.terminal.table_app import run_table

    room = Room(evening)
    run_table(room.session, options_of(settings), around=room.around)
    _tell_journal(room.journal)


def _tell_journal(path: str) -> None:
    click.echo(f"The hands are recorded in {path}")


# ---------------------------------------------------- join, watch, bot and forget


def _visit(to: str, table: str, folder: Path | None, plain_tcp: bool, password_file: Path | None) -> "Visit":
    """The visit that the options of a verb name. Raises click.UsageError."""
    from client.cli.server_visit import Visit

    password = _password(password_file)
    try:
        return Visit(to, folder_of(folder), table=table, plain_tcp=plain_tcp, password=password, notice=_notice)
    except LookupError:
        raise click.UsageError("Where to? Name the server: HOST, HOST:PORT or a join link.") from None
    except ValueError as error:
        raise click.UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


def _password(file: Path | None) -> str:
    """The first line of the file, else what stands in RYO_PASSWORD; empty if there is none."""
    if file is None:
        return os.environ.get("RYO_PASSWORD", "")
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"The password in {file} cannot be read: {reason}.") from None


def _notice(text: str) -> None:
    click.echo(text, err=True)


def _sit(open_session: Callable[[], "ClientSession"], visit: "Visit", plain: bool, settings: Settings) -> None:
    """Show a session on a screen or in lines until it is over; a password is asked for where one is missing."""
    from client.connection.hand_keeper import HandKeeper

    while True:
        session = open_session()
        keeper = HandKeeper(session, visit.hands) if settings.keep_hands else None
        try:
            if wants_lines(plain, settings):
                _show_lines(session)
            else:
                _show_screen(session, visit, settings)
        except (Exception, BaseExceptionGroup) as error:
            trouble = the_trouble(error)
            if getattr(trouble, "code", "") != "bad_password" or not is_terminal():
                raise
            click.echo(str(trouble), err=True)
            visit.password = click.prompt("Password", hide_input=True, err=True)
        else:
            if keeper is not None and keeper.kept is not None:
                _tell_journal(str(keeper.kept))
            return


def _show_lines(session: "ClientSession") -> None:
    import trio

    from client.terminal.line_mode import run_lines
    from client.terminal.stdin import lines

    trio.run(run_lines, session, lines(sys.stdin.fileno()), click.echo)
    if session.trouble:
        fail("", 1)  # said already


def _show_screen(session: "ClientSession", visit: "Visit", settings: Settings) -> None:
    """What there is to say about the server's key is said on the screen, and again when it is gone."""
    from client.terminal.table_app import run_table

    said: list[str] = []

    def notice(text: str) -> None:
        said.append(text)
        for tell in session.on_notice:
            tell(text)

    visit.notice = notice
    try:
        run_table(session, options_of(settings))
    finally:
        for text in said:
            _notice(text)
    if session.trouble:
        fail(session.trouble, 1)


@click.command()
@where_argument
@click.option("--chips", type=click.IntRange(1), help="How many chips to sit down with. [default: as is usual there]")
@name_option
@table_option
@plain_option
@plain_tcp_option
@password_file_option
@data_dir_option
def join(
    to: str,
    chips: int | None,
    name: str | None,
    table: str,
    plain: bool,
    plain_tcp: bool,
    password_file: Path | None,
    data_dir: Path | None,
) -> None:
    """Sit down at a table of a server, or come back to your seat there.

    LINK is what the host reads out: ryo://host:port/table#fp=... Without an address: where you were last.
    """
    with troubles():
        settings = load_settings()
        visit = _visit(to, table, data_dir, plain_tcp, password_file)
        if not to:
            _notice(f"To {visit.to.address}, where you were last; elsewhere with ryo join HOST.")
        visit.name = asked_name(name, settings, visit.last.name)
        _sit(lambda: visit.session(chips=chips or 0), visit, plain, settings)


@click.command()
@where_argument
@table_option
@plain_option
@plain_tcp_option
@password_file_option
@data_dir_option
def watch(to: str, table: str, plain: bool, plain_tcp: bool, password_file: Path | None, data_dir: Path | None) -> None:
    """Follow a table without sitting down."""
    with troubles():
        settings = load_settings()
        visit = _visit(to, table, data_dir, plain_tcp, password_file)
        _sit(visit.watcher, visit, plain, settings)


@click.command()
@click.argument("to", metavar="HOST[:PORT]|LINK")
@click.option("--name", metavar="NAME", default="Bot", show_default=True, help="The bot's name.")
@click.option("--hands", type=click.IntRange(1), metavar="N", help="Give the seat back after N hands.")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.5, show_default=True, help="Seconds for a decision.")
@click.option("--chips", type=click.IntRange(1), help="How many chips to sit down with. [default: as is usual there]")
@table_option
@plain_tcp_option
@password_file_option
@data_dir_option
def bot(
    to: str,
    name: str,
    hands: int | None,
    pace: float,
    chips: int | None,
    table: str,
    plain_tcp: bool,
    password_file: Path | None,
    data_dir: Path | None,
) -> None:
    """Let a bot sit down at a table.

    It is marked as a bot to everybody. Each hand's result is told.
    """
    import trio

    from client.bots.player import choose
    from client.bots.runner import run_bot

    with troubles():
        visit = _visit(to, table, data_dir, plain_tcp, password_file)
        visit.name = usual_name(name, load_settings())
        session = visit.session(chips=chips or 0, bot=True)
        trio.run(run_bot, session, choose, hands, pace, click.echo)
        if session.trouble:
            fail("", 1)  # said already


@click.command()
@click.argument("to", metavar="HOST[:PORT]")
@data_dir_option
def forget(to: str, data_dir: Path | None) -> None:
    """Forget a server's key, when its host says that there is a new one."""
    from client.connection.address import parse_address
    from client.profile.known_servers import KnownServers

    with troubles():
        try:
            where = str(parse_address(to)).lower()
        except ValueError as error:
            raise click.UsageError(f"{error}.") from None
        old = KnownServers(folder_of(data_dir)).forget(where)
        if not old:
            fail(f"No key of {where} is known.", 1)
        click.echo(f"The key of {where} is forgotten; it was {old[:26]}.")
