"""The options of ``ryo play`` for what is played for: ``--stakes 2/4``, ``--limit spread``, ``--ante`` and others."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

SIZES = re.compile(r"(\d{1,6})([/-])(\d{1,6})")


def parse_stakes(context: click.Context, parameter: click.Parameter, value: str | None) -> dict[str, Any]:
    """``2/4`` (the two sizes of fixed limit) or ``1-5`` (the bounds of spread limit) as fields of `Stakes`.

    Raises click.BadParameter.
    """
    if value is None:
        return {}
    found = SIZES.fullmatch(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is neither two sizes (2/4) nor two bounds (1-5).")
    first, second = int(found[1]), int(found[3])
    if found[2] == "/":
        return {"limit": "fixed", "small": first, "big": second}
    return {"limit": "spread", "least": first, "most": second}


def stakes_options(command: F) -> F:
    """Adds the options; `stakes_changes` makes one thing of their values."""
    for decorate in (
        click.option("--cap", type=click.IntRange(0), metavar="N", help="Raises in a round; 0: no cap."),
        click.option("--bring-in", type=click.IntRange(0), metavar="CHIPS", help="The forced bet, in games with one."),
        click.option("--ante", type=click.IntRange(0), metavar="CHIPS", help="What everybody pays before the deal."),
        click.option(
            "--limit", type=click.Choice(["fixed", "spread"]), help="Two sizes of bets, or any within bounds."
        ),
        click.option(
            "--stakes",
            metavar="2/4|1-5",
            callback=parse_stakes,
            help="Sizes of fixed limit, or bounds of spread limit.",
        ),
    ):
        command = decorate(command)
    return command


def stakes_changes(
    stakes: dict[str, Any], limit: str | None, ante: int | None, bring_in: int | None, cap: int | None
) -> dict[str, Any]:
    """What the options change in the stakes of the game. Raises click.UsageError where they contradict each other."""
    changes = dict(stakes)
    if limit is not None and changes.setdefault("limit", limit) != limit:
        raise click.UsageError("--stakes 2/4 is fixed limit and --stakes 1-5 is spread limit; --limit says otherwise.")
    changes |= {key: value for key, value in (("ante", ante), ("bring_in", bring_in)) if value is not None}
    if cap is not None:
        changes["cap"] = cap or None
    return changes
