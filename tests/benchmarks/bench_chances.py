"""The chances of a spot by sampling, against poker-equity (Rust) on one thread.

P9: deals a second, from a spot to the share of the pot, heads-up and among four, on two streets of razz and stud/8. The
opponents hold hidden cards, as at a table. Both sides must agree within the sampling error; otherwise the benchmark
stops with an AssertionError.
"""

from collections.abc import Callable
from functools import partial
from math import sqrt

import poker_equity

from replays.chances import batches
from replays.chances.shares import Average
from replays.chances.spot import Spot, spot_of
from server.engine.games.catalogue import GAMES
from tests.benchmarks.harness import Args, Bench, Rows, faster_row, interleaved
from tests.support.seen_tables import live, seen_table

GOAL = 2.5
DEALS = 200_000
AGREE = 4_000_000
"""Deals of the reference with which our share is compared; `LARGEST_GAP` standard errors are allowed between them."""
LARGEST_GAP = 5
VARIANTS = {"plainrazz": "razz", "stud8": "stud_hi_lo"}
SPOTS = {  # the street, and how many players are in
    "third-two": ("As 3c 4d", ("7h",)),
    "fifth-two": ("As 3c 4d 9h Ks", ("5d 6h 8c",)),
    "third-four": ("As 3c 4d", ("7h", "2d", "Kc")),
    "fifth-four": ("As 3c 4d 9h Ks", ("5d 6h 8c", "2d Th Jc", "7c 7d Qh")),
}


def theirs(game: str, own: str, others: tuple[str, ...], deals: int) -> tuple[float, float]:
    """(share, standard error) of the first seat by poker-equity; ``*`` is a card that nobody sees."""
    fields = [own.replace(" ", ""), *["**" + row.replace(" ", "") for row in others]]
    found = poker_equity.chunk_from_text(VARIANTS[game], fields, samples=deals, seed=1, threads=1)
    seat = found["players"][0]
    return seat["equity"], seat["std_error"]


def spot(game: str, own: str, others: tuple[str, ...]) -> Spot:
    """The same spot as our program sees it."""
    held = own.split()
    hands = [live(seat, up=row, hidden=2) for seat, row in enumerate(others, 2)]
    found = spot_of(seen_table(game, live(1, " ".join(held[:2]), " ".join(held[2:])), *hands), 1, GAMES[game])
    assert found is not None
    return found


def ours(here: Spot, deals: int = DEALS) -> Callable[[], Average]:
    """A job that judges the spot with so many deals; the tables from which it draws are made anew each time."""

    def job() -> Average:
        dealt, average = batches.RandomDeals(here), Average()
        while average.count < deals:
            batches.count(here, dealt.next(), average)
        return average

    return job


def agree(game: str, own: str, others: tuple[str, ...]) -> str:
    """Both shares. Raises AssertionError if they are too far apart."""
    share, error = theirs(game, own, others, AGREE)
    average = ours(spot(game, own, others), AGREE)()
    gap = (average.mean(0) - share) / sqrt(error**2 + average.error(0) ** 2)
    assert abs(gap) < LARGEST_GAP, (game, own, others, share, average.mean(0), gap)
    return f"share {average.mean(0):.4f}, poker-equity {share:.4f}: {gap:+.1f} standard errors apart"


def row(name: str, game: str, own: str, others: tuple[str, ...], args: Args) -> Rows:
    """One spot."""
    jobs: dict[str, Callable[[], object]] = {
        "poker-equity": partial(theirs, game, own, others, DEALS),
        "ours": ours(spot(game, own, others)),
    }
    times = interleaved(jobs, args.repeats)
    found = faster_row(
        name, times["poker-equity"], times["ours"], counts=(DEALS, DEALS), peer="poker-equity", goal=GOAL
    )
    found.note += f"; {agree(game, own, others)}"
    yield found


ROWS: dict[str, Bench] = {
    name: partial(row, name, game, own, others)
    for game in VARIANTS
    for where, (own, others) in SPOTS.items()
    for name in [f"p9-{game.removeprefix('plain')}-{where}"]
}
