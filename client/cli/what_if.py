"""Playing on from a step of a replay, on the full screen or in lines (`client.what_if_game`)."""

import dataclasses
from collections.abc import AsyncIterable

from client.bots.company import USUAL_MIND
from client.presenter.options import Options
from client.terminal.line_mode import run_lines
from client.terminal.table_app import run_table
from client.what_if_game import what_if_game
from replays.cli.output import echo
from replays.what_if.branch import Branch
from replays.what_if.refused import Refused
from server.errors import ConfigError


def play_on_screen(branch: Branch, looks: Options) -> str:
    """Plays on with these looks until the player leaves. Returns a sentence for the replay: what came of it."""
    try:
        with what_if_game(branch, mind=USUAL_MIND) as game:
            looks = dataclasses.replace(looks, pace=game.pace, seat_kept=False, first_meeting=None, what_if=game)
            run_table(game.session, looks, around=game.host)
            return game.ending()
    except (Refused, ConfigError) as refused:
        return str(refused)


async def play_in_lines(branch: Branch, typed: AsyncIterable[str]) -> str:
    """Plays on with the lines that are typed. Returns a sentence for the replay: what came of it."""
    try:
        with what_if_game(branch, mind=USUAL_MIND) as game:
            echo(f"{game.remark(branch.before)}. Type q to go back to the replay.")

            async def person() -> None:
                await run_lines(game.session, typed, echo, kept=False, what_if=game)

            await game.host(person)
            return game.ending()
    except (Refused, ConfigError) as refused:
        return str(refused)
