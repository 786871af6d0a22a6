"""How fast hands are ranked: one by one and in batches, against eval7 (a C extension).

P2: one seven-card hand at a time over 200,000 different hands, from our card
integers, against `eval7.evaluate` on ready-made `eval7.Card` lists.
P3: batches against an eval7 loop that starts from card integers as well.
With ``--long``: all 133,784,560 seven-card hands and the exact count of each category.
"""

import random
from collections.abc import Callable, Sequence
from itertools import combinations

import eval7
import numpy as np
from numpy.typing import NDArray

from protocol.cards import DECK, TEXTS, Card
from server.engine.ranking import batch, strength
from tests.benchmarks.harness import Args, Bench, Row, Rows, elsewhere, faster_row, interleaved, seconds, spread

HANDS = 200_000
BATCH = 1_000_000
EVAL7_CARDS = [eval7.Card(text) for text in TEXTS]

SINGLE: dict[str, tuple[Callable[[Sequence[Card]], int], float]] = {
    "high": (strength.high, 1.2),
    "a5": (strength.ace_to_five, 1.7),
    "8low": (strength.eight_or_better, 2.5),
    "a6": (strength.ace_to_six, 1.2),
}
MANY: dict[str, tuple[Callable[[batch.Hands], batch.Strengths], float]] = {
    "high": (batch.high_batch, 30),
    "a5": (batch.ace_to_five_batch, 60),
    "8low": (batch.eight_or_better_batch, 60),
    "a6": (batch.ace_to_six_batch, 25),
}

CATEGORIES = {  # classes of five-card strength, and the seven-card hands whose best is one of them
    "high card": (1277, 23_294_460),
    "one pair": (2860, 58_627_800),
    "two pair": (858, 31_433_400),
    "three of a kind": (858, 6_461_620),
    "straight": (10, 6_180_020),
    "flush": (1277, 4_047_644),
    "full house": (156, 3_473_184),
    "four of a kind": (156, 224_848),
    "straight flush": (10, 41_584),
}


def deals(count: int) -> list[tuple[Card, ...]]:
    """Different random hands."""
    rng = random.Random(7)
    found: dict[frozenset[Card], tuple[Card, ...]] = {}
    while len(found) < count:
        hand = tuple(rng.sample(DECK, 7))
        found[frozenset(hand)] = hand
    return [tuple(hand) for hand in map(list, found.values())]


def each(function: Callable[[Sequence[Card]], int], hands: Sequence[Sequence[Card]]) -> Callable[[], None]:
    """A job that calls the function on every hand."""

    def job() -> None:
        for hand in hands:
            function(hand)

    return job


def one_by_one(args: Args) -> Rows:
    """P2."""
    hands = deals(HANDS)
    jobs = {"eval7": each(eval7.evaluate, [[EVAL7_CARDS[card] for card in hand] for hand in hands])}
    jobs |= {name: each(function, hands) for name, (function, _) in SINGLE.items()}
    times = interleaved(jobs, args.repeats)
    for name, (_, goal) in SINGLE.items():
        yield faster_row(f"p2-{name}", times["eval7"], times[name], counts=(HANDS, HANDS), peer="eval7", goal=goal)


def in_batches(args: Args) -> Rows:
    """P3, from card integers, and beside it from packed hands."""
    hands = np.random.default_rng(3).random((BATCH, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    packed = batch.packed(hands)
    rows = hands[:HANDS].tolist()

    def eval7_loop() -> None:
        ready = EVAL7_CARDS
        for a, b, c, d, e, f, g in rows:
            eval7.evaluate([ready[a], ready[b], ready[c], ready[d], ready[e], ready[f], ready[g]])

    def run(many: Callable[[batch.Hands], batch.Strengths], array: batch.Hands) -> Callable[[], object]:
        return lambda: many(array)

    jobs: dict[str, Callable[[], object]] = {"eval7": eval7_loop}
    for name, (many, _) in MANY.items():
        jobs[name] = run(many, hands)
        jobs[f"{name}-packed"] = run(many, packed)
    times = interleaved(jobs, args.repeats)
    for name in jobs:
        if name != "eval7":
            goal = MANY[name][1] if name in MANY else None
            yield faster_row(f"p3-{name}", times["eval7"], times[name], counts=(HANDS, BATCH), peer="eval7", goal=goal)


def all_hands() -> NDArray[np.int64]:
    """How often each high strength occurs among all seven-card hands.

    The four highest cards of a hand run over a prefix of one array sorted by their
    lowest card; the three others over a loop.
    """
    lanes = batch.packed(np.array([[card] for card in DECK], dtype=np.uint8))
    fours = np.array(list(combinations(range(51, -1, -1), 4)), dtype=np.uint8)
    fours = fours[np.argsort(-fours[:, 3].astype(int), kind="stable")]
    packed = batch.packed(fours)
    above = [int((fours[:, 3] > card).sum()) for card in DECK]
    counts = np.zeros(7463, dtype=np.int64)
    for a, b, c in combinations(range(48), 3):
        hands = packed[: above[c]] | (lanes[a] | lanes[b] | lanes[c])
        counts += np.bincount(batch.high_batch(hands), minlength=len(counts))
    return counts


def exhaustive(args: Args) -> Rows:
    """All hands, once. Raises AssertionError if a category's count is wrong."""
    name = "p3-all-hands"
    if not args.long:
        yield elsewhere(name, "all 133,784,560 hands with the count of each category: make bench-long")
        return
    found: list[NDArray[np.int64]] = []
    took = seconds(lambda: found.append(all_hands()))
    first = 1
    for category, (classes, expected) in CATEGORIES.items():
        count = int(found[0][first : first + classes].sum())
        first += classes
        assert count == expected, (category, count, expected)
    assert int(found[0].sum()) == 133_784_560
    yield Row(name=name, unit="s", value=spread([took]), note="the count of every category is exact")


ROWS: dict[str, Bench] = {"p2": one_by_one, "p3": in_batches, "p3-all-hands": exhaustive}
