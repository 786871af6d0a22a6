"""The one command, ``ryo``: its verbs, each imported when it runs.

Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 cannot connect, 4 version mismatch, 5 does not verify, 74 storage failed,
78 bad configuration, 130 interrupted. A user's mistake is reported in a sentence, never as a traceback.
"""

from typing import Any

import click

from client.cli.failures import exit_on_errors
from client.cli.standard_streams import open_closed_ones, output_that_may_fail
from protocol.versions import JOURNAL_FORMAT, PROGRAM, PROTOCOL, RULES
from replays.cli.lazy_group import LazyGroup
from server.terminal import put, write_any_text

VERBS: dict[str, tuple[str, str]] = {
    "play": ("client.cli.play", "Play against bots, here and now."),
    "join": ("client.cli.join", "Sit down at a table of a server."),
    "find": ("client.cli.find", "Find servers on your network."),
    "watch": ("client.cli.join", "Follow a table without sitting down."),
    "bot": ("client.cli.join", "Let a bot sit down at a table."),
    "arena": ("client.cli.arena", "Let bots play duplicate deals against each other."),
    "forget": ("client.cli.join", "Forget a server's key."),
    "serve": ("server.cli", "Run a server in the foreground."),
    "config": ("server.cli", "Print the settings of the server, or write a file of them."),
    "admin": ("server.cli", "Say a word to the server that runs on this machine."),
    "unit": ("server.cli", "Print the systemd unit with which a server starts at boot."),
    "doctor": ("client.cli.doctor", "Look at this machine: network, disk, clocks, terminal; say what to do."),
    "passwd": ("server.cli", "Turn a table's password into a line of the settings."),
    "hands": ("replays.cli.lists", "List the recorded hands."),
    "stats": ("replays.cli.lists", "Count what the players did."),
    "ledger": ("replays.cli.lists", "Say who owes whom."),
    "replay": ("client.cli.replay", "Step through a recorded hand."),
    "review": ("client.cli.review", "See what your decisions gave up."),
    "drill": ("client.cli.drill", "Do your costliest decisions again."),
    "verify": ("replays.cli.verbs", "Check a recording against its chain and the rules."),
    "import": ("replays.cli.importing", "Play the hands of other programs by the rules and record them."),
    "export": ("replays.cli.exporting", "Write recorded hands for other programs."),
    "rules": ("client.cli.rules", "Print the rules of a game."),
    "completion": ("client.cli.completion", "Let your shell complete verbs, games and recordings."),
}
"""Verb to the module that has a command of that name, and the verb's line in the help."""


COMPLETE = "_RYO_COMPLETE"
"""The variable through which the shell asks what could come next (`client.cli.completion`)."""


class Verbs(LazyGroup):
    """The verbs of `ryo`."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the command line, whatever the standard streams are."""
        kwargs.setdefault("complete_var", COMPLETE)  # under whatever name the program was started
        open_closed_ones()
        with output_that_may_fail():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> object:
        """Runs a verb; an error that has an exit code ends it with one sentence."""
        with exit_on_errors():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs in the help, without importing any."""
        rows = [(verb, text) for verb, (_, text) in VERBS.items()]
        rows += [(name, command.get_short_help_str()) for name, command in self.commands.items()]
        with formatter.section("Verbs"):
            formatter.write_dl(rows)


VERSION = (
    f"ryo {PROGRAM} (protocol {PROTOCOL[0]} to {PROTOCOL[1]}, journal format {JOURNAL_FORMAT}, rules {RULES})"
)  # fmt: skip


@click.group(
    cls=Verbs,
    modules={verb: module for verb, (module, _) in VERBS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="VERB ...",
)
@click.version_option(PROGRAM, message=VERSION)
def main() -> None:
    """Roll Your Own: a card room for stud games on your own network."""
    write_any_text()


@main.command(name="help")
@click.argument("verb", required=False)
@click.pass_context
def help_(context: click.Context, verb: str | None) -> None:
    """Print this help, or that of a verb."""
    group = context.find_root()
    if verb is None:
        put(group.get_help())
        return
    name, command, _ = main.resolve_command(group, [verb])
    if command is not None:
        put(command.get_help(click.Context(command, group, info_name=name)))


@main.command()
def version() -> None:
    """Print the versions."""
    put(VERSION)
