"""``ryo arena``: minds play duplicate deals against each other."""

import sys
from typing import Any

import click

from client.cli.completion import minds as completed_minds
from client.cli.failures import exit_on_errors
from replays.cli.completion import games
from replays.cli.output import echo

MOST_SEATS = 8


@click.command()
@click.argument("minds", metavar="MIND MIND...", nargs=-1, required=True, shell_complete=completed_minds)
@click.option(
    "--game", metavar="GAME", default="stud8", show_default=True, help="What is played.", shell_complete=games
)
@click.option("--hands", type=click.IntRange(2), default=200, show_default=True, help="How many deals.")
@click.option("--seats", type=click.IntRange(2, MOST_SEATS), help="Players of a hand. [default: 6, or fewer]")
@click.option("--seed", metavar="TEXT", default="arena", show_default=True, help="The deals follow from it.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def arena(minds: tuple[str, ...], game: str, hands: int, seats: int | None, seed: str, as_json: bool) -> None:
    """Let minds play against each other, and see which is worth more.

    Every deal is played once for each MIND, with all of them moved on by one seat, so that the cards count for nothing.
    Chips a hand, with the 95 % interval, as they were won, and without the luck of the cards that were dealt in the
    course of a hand; points like Elo's, from how often a mind did better than another one; milliseconds of processor
    time for a decision.

    The levels `easy`, `usual` and `strong`, the characters (ryo play --help), the quick `house`, and `caller`, `rock`
    and `raiser` are always there; other packages can bring more (docs/minds.md).
    """
    from client.bots.arena import Arena
    from client.bots.minds import mind_maker
    from protocol.near_matches import did_you_mean
    from server.engine.games.catalogue import GAMES

    if len(minds) < 2:
        raise click.UsageError("Name two minds or more.")
    if game not in GAMES:
        raise click.BadParameter(f"there is no game {game!r};{did_you_mean(game, GAMES)}", param_hint="--game")
    room = GAMES[game].most_players
    if seats is not None and not len(minds) <= seats <= room:
        raise click.BadParameter(f"{len(minds)} to {room} for these minds and this game.", param_hint="--seats")
    if len(minds) > room:
        raise click.UsageError(f"{GAMES[game].title} has room for {room} minds.")
    with exit_on_errors():
        named = [(_named(minds, at), mind_maker(name)) for at, name in enumerate(minds)]
        made = Arena(named, GAMES[game], seats or max(len(minds), min(6, room)), seed)
        with click.progressbar(length=hands, label="Playing", file=sys.stderr) as bar:
            made.play(hands, lambda done: bar.update(1))
        _show(made, as_json)


def _named(minds: tuple[str, ...], at: int) -> str:
    """The name of one of them; the second one of the same name is ``house 2``."""
    before = minds[:at].count(minds[at])
    return f"{minds[at]} {before + 1}" if before else minds[at]


def _show(made: Any, as_json: bool) -> None:
    import json

    from client.bots.arena import ratings

    rows = sorted(zip(made.scores, ratings(made.scores), strict=True), key=lambda row: -row[0].adjusted.mean)
    if as_json:
        for score, points in rows:
            row = {
                "mind": score.name, "chips": round(score.chips.mean, 4), "error": round(score.chips.error, 4),
                "adjusted": round(score.adjusted.mean, 4), "adjusted_error": round(score.adjusted.error, 4),
                "points": points,
                "hands": score.hands, "illegal": score.illegal, "slow": score.slow,
                "milliseconds": round(1000 * score.seconds / max(score.decisions, 1), 3),
                "longest": round(1000 * score.longest, 3),
            }  # fmt: skip
            echo(json.dumps(row))
        return
    width = max(len(score.name) for score, _ in rows)
    echo(f"{'mind':{width}}  chips a hand    luck-adjusted    points  hands  ms (longest)")
    for score, points in rows:
        took = f"{1000 * score.seconds / max(score.decisions, 1):.1f} ({1000 * score.longest:.0f})"
        chips, adjusted = f"{score.chips}", f"{score.adjusted}"
        echo(f"{score.name:{width}}  {chips:14}  {adjusted:14} {points:>+7}  {score.hands:5}  {took}{_faults(score)}")


def _faults(score: Any) -> str:
    told = [f"{score.illegal} not allowed"] * bool(score.illegal) + [f"{score.slow} too slow"] * bool(score.slow)
    return f"  ({', '.join(told)})" if told else ""
