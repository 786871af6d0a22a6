"""The verbs that go to a server: ``join``, ``watch``, ``bot``; and ``forget``, for a server with a new key.

What takes long to import is imported by the function that needs it.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client.bots.characters import LEVELS
from client.cli.completion import minds
from client.cli.failures import exit_on_errors, root_error
from client.cli.options import (
    chips_option,
    data_dir_option,
    host_key_file_option,
    look_options,
    name_option,
    password_file_option,
    plain_option,
    plain_tcp_option,
    read_host_key,
    read_password,
    server_argument,
    table_option,
)
from client.cli.preferences import (
    ask_name,
    default_name,
    first_meeting,
    is_terminal,
    player_settings,
    screen_options,
    wants_line_mode,
)
from client.profile.settings import Settings
from replays.cli.failures import fail
from replays.cli.output import echo
from replays.narration import safe
from server.errors import EXIT_FAILED
from server.storage.folders import data_folder
from server.terminal import ask

if TYPE_CHECKING:  # at run time `ryo join --help` would pay for the import of trio
    from client.cli.session_factory import SessionFactory
    from client.connection.session import ClientSession


@click.command()
@server_argument
@chips_option
@click.option("--yes", "-y", is_flag=True, help="Sit down without looking at the house rules first.")
@click.option("--seat", type=click.IntRange(1, 8), metavar="N", help="Which seat. [default: any that is free]")
@name_option
@table_option
@plain_option
@look_options
@plain_tcp_option
@password_file_option
@host_key_file_option
@data_dir_option
def join(
    server: str,
    yes: bool,
    chips: int | None,
    seat: int | None,
    name: str | None,
    table: str,
    plain: bool,
    plain_tcp: bool,
    password_file: Path | None,
    host_key_file: Path | None,
    data_dir: Path | None,
) -> None:
    """Sit down at a table of a server, or come back to your seat there.

    At a terminal you see first what is played there and by which house rules, and are asked whether you want to sit
    down.

    LINK is what the host reads out: ryo://host:port/table#fp=... Without an address: the server where you
    were last, or one of those that are found on the network (ryo find).
    Where every seat is taken you watch, and sit down when it is your turn for a free one.
    """
    with exit_on_errors():
        settings = player_settings()
        factory = _factory(server, table, data_dir, plain_tcp, password_file)
        if not server and not factory.destination.found:
            _notice(f"To {factory.destination.address}, where you were last. To another server: ryo join HOST")
        factory.name = ask_name(name, settings, factory.last.name)
        factory.host_key = read_host_key(host_key_file)
        if is_terminal() and not yes:
            from client.cli.before_sitting import wants_to_sit

            if not wants_to_sit(factory, chips or 0):
                return
        _show(lambda: factory.player_session(chips=chips or 0, seat=seat or 0), factory, plain, settings)


@click.command()
@server_argument
@click.option("--name", metavar="NAME", default="", help="Name under which you are seen. [default: without a name]")
@table_option
@plain_option
@look_options
@plain_tcp_option
@password_file_option
@data_dir_option
def watch(
    server: str, name: str, table: str, plain: bool, plain_tcp: bool, password_file: Path | None, data_dir: Path | None
) -> None:
    """Follow a table without sitting down."""
    with exit_on_errors():
        settings = player_settings()
        factory = _factory(server, table, data_dir, plain_tcp, password_file)
        factory.name = name
        _show(factory.spectator_session, factory, plain, settings)


@click.command()
@click.argument("server", metavar="HOST[:PORT]|LINK")
@click.option("--name", metavar="NAME", default="Bot", show_default=True, help="The bot's name.")
@click.option("--hands", type=click.IntRange(1), metavar="N", help="Give the seat back after N hands.")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.5, show_default=True, help="Seconds for a decision.")
@click.option("--level", type=click.Choice(list(LEVELS)), help="How well it plays.  [default: the quick house bot]")
@click.option("--mind", metavar="MIND", help="How it decides (see ryo arena).", shell_complete=minds)
@chips_option
@table_option
@plain_tcp_option
@password_file_option
@data_dir_option
def bot(
    server: str,
    name: str,
    hands: int | None,
    pace: float,
    level: str | None,
    mind: str | None,
    chips: int | None,
    table: str,
    plain_tcp: bool,
    password_file: Path | None,
    data_dir: Path | None,
) -> None:
    """Let a bot sit down at a table.

    Everybody sees that it is a bot. It prints the result of each hand.
    """
    import trio

    from client.bots.minds import Careful, mind_maker
    from client.bots.runner import run_bot

    if level and mind:
        raise click.UsageError("A level is a mind: name one of the two.")
    with exit_on_errors():
        thinking = Careful(mind_maker(level or mind or "house")(), echo)
        factory = _factory(server, table, data_dir, plain_tcp, password_file)
        factory.name = default_name(name, player_settings())
        session = factory.player_session(chips=chips or 0, bot=True)
        trio.run(run_bot, session, thinking, hands, pace, echo)
        if session.trouble:
            fail("", EXIT_FAILED)  # it has been told as a notice


@click.command()
@click.argument("server", metavar="HOST[:PORT]")
@data_dir_option
def forget(server: str, data_dir: Path | None) -> None:
    """Forget a server's key, when its host says that there is a new one."""
    from client.connection.address import parse_address
    from client.profile.known_servers import KnownServers

    with exit_on_errors():
        try:
            address = str(parse_address(server)).lower()
        except ValueError as error:
            raise click.UsageError(f"{error}.") from None
        old = KnownServers(data_folder(data_dir)).forget(address)
        if not old:
            fail(f"No key of {address} is known.", EXIT_FAILED)
        echo(f"The key of {address} is forgotten; it was {old[:26]}.")


# ------------------------------------------------------------------- the session


def _factory(
    server: str, table: str, data_dir: Path | None, plain_tcp: bool, password_file: Path | None
) -> "SessionFactory":
    """The session factory for the options of a verb. Raises click.UsageError."""
    from client.cli.find import choose_destination
    from client.cli.session_factory import SessionFactory

    password = read_password(password_file)
    folder = data_folder(data_dir)
    found = choose_destination(folder, plain_tcp=plain_tcp) if not server and is_terminal() else None
    try:
        return SessionFactory(
            found or server, folder, table=table, plain_tcp=plain_tcp, password=password, notice=_notice
        )
    except LookupError:
        raise click.UsageError(
            "Where to? Name the server: HOST, HOST:PORT or a join link. ryo find lists those on your network."
        ) from None
    except ValueError as error:
        raise click.UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


def _notice(text: str) -> None:
    echo(safe(text, 1000), err=True)


def _show(
    make_session: Callable[[], "ClientSession"], factory: "SessionFactory", plain: bool, settings: Settings
) -> None:
    """Shows a session on a screen or in lines until it is over. A missing password is asked for."""
    from client.connection.hand_keeper import HandKeeper
    from client.presenter.evening import Evening

    while True:
        session = make_session()
        evening = Evening(session, time.monotonic)
        keeper = HandKeeper(session, factory.hands) if settings.keep_hands else None
        try:
            if wants_line_mode(plain, settings):
                _show_in_lines(session, first_meeting(settings, factory.folder), settings.worth)
            else:
                _show_on_screen(session, factory, settings)
        except (Exception, BaseExceptionGroup) as raised:
            error = root_error(raised)
            if getattr(error, "code", "") != "bad_password" or not is_terminal():
                raise
            _notice(str(error))
            factory.password = ask("Password", hide=True)
        else:
            kept = keeper.kept if keeper is not None else None
            if summary := evening.summary(look_back=kept is not None):
                echo(summary)
            if session.trouble:
                told = wants_line_mode(plain, settings)  # in lines
                fail("" if told else session.trouble, EXIT_FAILED)
            if kept is not None:
                echo(f"The hands are recorded in {kept}")
            return


def _show_in_lines(session: "ClientSession", first_meeting: Callable[[str], bool] | None, worth: bool) -> None:
    import trio

    from client.terminal.line_mode import run_lines
    from client.terminal.stdin import lines, show_typing

    typed = lines(sys.stdin.fileno())
    try:
        trio.run(
            partial(run_lines, session, typed, echo, first_meeting=first_meeting, worth=worth, show_typing=show_typing)
        )
    finally:
        show_typing(True)


def _show_on_screen(session: "ClientSession", factory: "SessionFactory", settings: Settings) -> None:
    """Notices about the server's key are told on the screen, and once more when the screen is gone."""
    from client.presenter.goodbye import goodbye
    from client.terminal.table_app import run_table

    notices: list[str] = []

    def notice(text: str) -> None:
        notices.append(text)
        for tell in session.on_notice:
            tell(text)

    factory.notice = notice
    try:
        run_table(session, screen_options(settings, factory.folder))
    finally:
        for text in notices:
            _notice(text)
    if not session.trouble:
        echo(goodbye(session, kept=True))
