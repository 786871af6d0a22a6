"""The server's verbs, which `ryo` has, too. A verb itself imports the modules that take long to import."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, NoReturn, get_args

import click
from click.shell_completion import CompletionItem

from protocol.wire.join_links import DEFAULT_PORT
from server.config.durability import Durability
from server.config.log_level import LogFormat, LogLevel
from server.config.web_mode import WebMode
from server.errors import (
    EXIT_CONFIG,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_STORAGE,
    EXIT_USAGE,
    ConfigError,
    ServerError,
)
from server.terminal import ask, give_output_up, put, write_any_text

KNOWS_CARDS = "This machine knows every card that is dealt here. If you play, too, tell the others so."
"""What whoever starts a server reads (fault 83)."""
LONGEST_LINE = 1000
"""Characters of a line of a server's answer."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Host a card room."""
    write_any_text()


@main.command()
@click.option("--bind", metavar="ADDRESS", help="Address to listen on. [default: all]")
@click.option("--port", type=int, metavar="PORT", help=f"TCP port; 0 for any free one. [default: {DEFAULT_PORT}]")
@click.option(
    "--plain-tcp", is_flag=True, default=None, help="Do not encrypt: everybody on the network can see the cards."
)
@click.option(
    "--web",
    type=click.Choice(get_args(WebMode)),
    help="A page for browsers on the same port: with encryption, or without. [default: off]",
)
@click.option(
    "--lan/--no-lan", default=None, help="Answer programs that look for a server on the network. [default: yes]"
)
@click.option("--invite", is_flag=True, help="New players need the join link that is printed.")
@click.option(
    "--password-file",
    metavar="FILE",
    help="New players need the password in the first line of FILE. [default: RYO_PASSWORD, if set]",
)
@click.option("--config", "config_file", metavar="FILE", envvar="RYO_CONFIG", help="Settings (TOML).")
@click.option("--data-dir", metavar="DIR", help="Folder of keys and recorded hands. [default: the user's data folder]")
@click.option("--preset", metavar="NAME", help="Settings for a kind of evening: family, casino, barney.")
@click.option("--game", "games", multiple=True, metavar="GAME", help="A game of the one table; may be repeated.")
@click.option("--seats", type=int, metavar="N", help="Seats of the one table.")
@click.option("--durability", type=click.Choice(get_args(Durability)), help="When an action must be on the disk.")
@click.option("--resume/--no-resume", default=None, help="Continue where the last journals end. [default: yes]")
@click.option("--drain/--no-drain", default=None, help="On SIGTERM finish the running hands first. [default: no]")
@click.option("--accept-loss", is_flag=True, help="Go on although journals have lost what players have seen.")
@click.option(
    "--health", metavar="ADDRESS:PORT", help="Tell there over HTTP how the server is doing. [default: nowhere]"
)
@click.option(
    "--quit-idle", type=click.FloatRange(min=0), metavar="MINUTES", help="Stop when nobody has been there for so long."
)
@click.option("--log-file", metavar="FILE", help="The operator's log. [default: standard error]")
@click.option("--log-level", type=click.Choice(get_args(LogLevel)), help="Lines below this level are not logged.")
@click.option(
    "--log-format", type=click.Choice(get_args(LogFormat)), help="Lines for people, or for programs. [default: text]"
)
@click.option("-v", "--verbose", is_flag=True, help="Log connections, too.")
@click.option("-q", "--quiet", is_flag=True, help="Log warnings and errors only, and print no addresses.")
@click.option("--test", is_flag=True, help="A server for tests: allows --seed. Its decks are not secret.")
@click.option("--seed", metavar="TEXT", help="Deal the decks of this seed; only with --test.")
def serve(config_file: str | None, games: tuple[str, ...], **flags: Any) -> None:
    """Run a server in the foreground.

    Settings come from FILE, then from the environment (RYO_PORT, RYO_TABLE_BUY_IN, ...; ryo config init names them
    all), then from the flags; what none of them sets comes from the preset. Stop it with Ctrl-C or SIGTERM: the tables
    continue when it is started again. While it runs, the words of `ryo admin` can also be typed into its terminal;
    `help` lists them.
    """
    from server.config.config import load

    invite, password_file = flags.pop("invite"), flags.pop("password_file")
    verbose, quiet, test = flags.pop("verbose"), flags.pop("quiet"), flags.pop("test")
    if verbose or quiet:
        flags["log_level"] = "debug" if verbose else "warning"
    accept_loss = flags.pop("accept_loss")

    def settings() -> Any:
        """The settings, from everything that they come from. Raises ConfigError."""
        config, _ = load(config_file, os.environ, {**flags, "games": games or None})
        config = _with_access(config, invite, password_file)
        if config.seed is not None and not test:
            raise ConfigError("With a seed everybody can know every deck; it is allowed with --test only.")
        return config

    try:
        config = settings()
        if accept_loss:
            _accept_loss(str(config.hands_dir))
    except ConfigError as error:
        _fail(str(error), error.exit_code)
    sys.exit(_run(config, settings, quiet=quiet))


def _accept_loss(folder: str) -> None:
    """No receipt from before this start counts any more. Raises ConfigError."""
    from server.storage.filesystem import FileSystem
    from server.storage.receipt_key import renew_receipt_key

    try:
        renew_receipt_key(FileSystem(), folder)
    except OSError as error:
        raise ConfigError(f"The key of the receipts in {folder} cannot be renewed: {error.strerror}.") from None


def _with_access(config: Any, invite: bool, password_file: str | None) -> Any:
    """The settings with the password or an invitation for every table that has none of its own."""
    from msgspec.structs import replace

    password = _password(password_file)
    changes: dict[str, Any] = {"password": _verifier(password)} if password else {}
    if invite:
        changes["invite"] = 1
    tables = [
        replace(table, **{key: value for key, value in changes.items() if not getattr(table, key)})
        for table in config.table
    ]
    return replace(config, table=tuple(tables)) if changes else config


@lru_cache(maxsize=1)
def _verifier(password: str) -> str:
    """The verifier of a password; the same one when the same password is read again."""
    from server.config.passwords import make_verifier

    return make_verifier(password)


def _password(file: str | None) -> str:
    """The password from the first line of the file, or from RYO_PASSWORD; empty without both. Raises ConfigError."""
    from server.config.passwords import problem_of_password
    from server.storage.text_file import read_text

    if file is None:
        password = os.environ.get("RYO_PASSWORD", "")
        if not password:
            return ""
    else:
        try:
            password = read_text(file).partition("\n")[0]
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise ConfigError(f"The password in {file} cannot be read: {reason}.") from None
    if problem := problem_of_password(password):
        raise ConfigError(f"{file or 'RYO_PASSWORD'}: {problem}.")
    return password


@main.command()
@click.option("--password-file", metavar="FILE", help="Take the first line of FILE. [default: ask, or read a pipe]")
def passwd(password_file: str | None) -> None:
    """Turn a table's password into a line for the settings.

    Put the line under [[table]] in the server's settings. Nobody can find out the password from it.
    """
    from server.config.passwords import make_verifier, problem_of_password

    try:
        password = _password(password_file)
    except ConfigError as error:
        _fail(str(error), error.exit_code)
    if not password and sys.stdin is not None and not sys.stdin.isatty():
        password = sys.stdin.readline().rstrip("\r\n").removeprefix("\ufeff")
    elif not password:
        password = ask("Password", hide=True, twice=True)
    if problem := problem_of_password(password):
        _fail(f"{problem.capitalize()}.", EXIT_USAGE)
    put(f'password = "{make_verifier(password)}"')


_settings_file = click.option(
    "--config", "config_file", metavar="FILE", envvar="RYO_CONFIG", help="The server's settings (TOML)."
)


@main.group(invoke_without_command=True)
@_settings_file
@click.pass_context
def config(context: click.Context, config_file: str | None) -> None:
    """Print the settings that ryo serve would use, or write a file to begin with.

    Without another word: as `ryo config show`.
    """
    context.obj = config_file
    if context.invoked_subcommand is None:
        _show_settings(config_file)


@config.command()
@_settings_file
@click.option("--variables", is_flag=True, help="Print the environment variable of each setting, too.")
@click.pass_obj
def show(outer_file: str | None, config_file: str | None, variables: bool) -> None:
    """Print the settings in force, and where each comes from; mistakes are named.

    What was not set is built in and has no remark. Passwords are not printed.
    """
    _show_settings(config_file or outer_file, variables=variables)


def _show_settings(config_file: str | None, *, variables: bool = False) -> None:
    from server.config.config import load
    from server.config.shown import shown

    try:
        settings, origins = load(config_file, os.environ, {})
    except ConfigError as error:
        _fail(str(error), error.exit_code)
    for line in shown(settings, origins, variables=variables):
        put(line)


def _complete_word(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words of the host that begin so."""
    from server.app.operator import WORDS

    said = context.params.get("words") or ()
    return (
        []
        if said
        else [CompletionItem(name, help=word.help) for name, word in WORDS.items() if name.startswith(incomplete)]
    )


@config.command()
@click.argument("file", metavar="[FILE]", default="-")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def init(file: str, force: bool) -> None:
    """Write a file of settings to begin with, to FILE or to the terminal.

    It has every setting with its built-in value, its meaning and its environment variable, and changes nothing yet:
    take away the # in front of what you want to change.
    """
    from server.config.commented_file import commented_file
    from server.storage.atomic_file import write_file

    if file == "-":
        put(commented_file(), nl=False)
        return
    try:
        written = write_file(os.path.abspath(os.path.expanduser(file)), commented_file().encode(), replace=force)
    except OSError as error:
        _fail(f"{file} cannot be written: {error.strerror}.", EXIT_STORAGE)
    if not written:
        _fail(f"{file} is there already; nothing was written. --force replaces it.", EXIT_FAILED)
    put(f"{file} is written. Start the server with: ryo serve --config {file}")


@main.command(context_settings={"ignore_unknown_options": True})  # a word may have an option: ban NAME --address
@click.option("--config", "config_file", metavar="FILE", envvar="RYO_CONFIG", help="The server's settings (TOML).")
@click.option("--data-dir", metavar="DIR", help="The server's data folder. [default: as for ryo serve]")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON: whether it is done, the text, and data.")
@click.argument("words", metavar="[WORD [ARGUMENT]...]", nargs=-1, shell_complete=_complete_word)
def admin(config_file: str | None, data_dir: str | None, as_json: bool, words: tuple[str, ...]) -> None:
    """Say a word to the server that runs on this machine; without a word: which there are.

    Only the user of the server can do it, through a socket in its data folder. A name with spaces stands in quotation
    marks.
    """
    from server.app.admin_client import ask
    from server.app.words.word import Answer
    from server.config.config import load

    try:
        if not words or words == ("help",):
            from server.app.operator import help_answer  # the words are the server's, and all of it is loaded with them

            answer = help_answer()
        else:
            config, _ = load(config_file, os.environ, {"data_dir": data_dir})
            answer = ask(config.base_dir, words)
    except ServerError as error:
        answer = Answer(str(error), error.exit_code)
    if as_json:
        put(json.dumps({"ok": answer.code == 0, "text": answer.text, "data": answer.data}))
    else:
        _show_answer(answer.text, err=answer.code != 0)
    sys.exit(answer.code)


@main.command()
@click.option("--socket", is_flag=True, help="The unit of the port, which systemd then keeps open.")
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True, metavar="PORT")
def unit(socket: bool, port: int) -> None:
    """Print the systemd unit with which a server starts at boot.

    It is a template, ryo@.service: the room ryo@family has its settings in /etc/ryo/family.toml and its data in
    /var/lib/ryo/family. The page on hosting says what else there is to do.
    """
    from server.app import unit_files

    command = unit_files.program()
    if unit_files.in_a_home(command) and not socket:
        put(f"{command} is in a home folder, which the service does not see. Install it in /opt/ryo.", err=True)
    put(unit_files.socket(port) if socket else unit_files.service(command), nl=False)


def _show_answer(text: str, *, err: bool = False) -> None:
    """Shows the host what a server has answered, harmless for the terminal."""
    from protocol.sanitize import clean

    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip(" ")))
        put(indent + clean(line, LONGEST_LINE), err=err)


def _run(config: Any, load: Callable[[], Any], *, quiet: bool) -> int:
    """Serves until SIGINT or SIGTERM, and returns the exit code."""
    import trio

    from server.app.operator_log import OperatorLog
    from server.app.operator_terminal import is_terminal
    from server.app.process import until_signal
    from server.app.server import Server

    def print_join_commands(server: Server) -> None:
        with suppress(OSError):
            if server.key is None:
                put("Connections are not encrypted: everybody on the way can see the cards.", err=True)
        try:
            for command in server.join_commands():
                put(command)
            _print_page_links(server, config)
            put(KNOWS_CARDS, err=True)
            if is_terminal():
                put("Type help for the words that the server obeys.", err=True)
        except OSError as error:
            # A reader that went away (`ryo serve | head -1`) or a full disk does not end the server.
            log.warning("addresses.not_told", why=error.strerror)
            give_output_up()

    def show(text: str) -> None:
        with suppress(OSError):
            _show_answer(text)

    try:
        operator_log = OperatorLog.open(config.log_file, config.log_level, config.log_format)
    except OSError as error:
        return _say(f"The log {config.log_file} cannot be written: {error.strerror}.", EXIT_CONFIG)
    log = operator_log.logger
    try:
        trio.run(until_signal, config, load, operator_log, None if quiet else print_join_commands, show)
    except ServerError as error:
        return _say(str(error), error.exit_code)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _print_page_links(server: Any, config: Any) -> None:
    """The links for browsers, the first one as a picture for a telephone's camera, and what they are worth."""
    from server.app.web_page import WARNINGS, qr_code

    found = server.page_links()
    for link in found:
        put(f"In a browser: {link}")
    if found and sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower():
        put(qr_code(found[0]))
    if found and not config.tls_cert:
        put(WARNINGS[config.web], err=True)


def _say(text: str, code: int) -> int:
    put(text, err=True)
    return code


def _fail(text: str, code: int) -> NoReturn:
    sys.exit(_say(text, code))
