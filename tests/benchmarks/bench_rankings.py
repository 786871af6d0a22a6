"""How fast hands are ranked: one by one and in batches, against eval7 (a C extension).

P2: one seven-card hand at a time over 200,000 different hands, from our card
integers, against `eval7.evaluate` on ready-made `eval7.Card` lists.
P3: batches against an eval7 loop that starts from card integers as well.
P8: importing the rankings against importing pokerkit, in fresh processes.
With ``--long``: all 133,784,560 seven-card hands and the exact count of each category.
"""

import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import combinations

import eval7
import numpy as np
from numpy.typing import NDArray

from protocol.cards import DECK, TEXTS, Card
from server.engine.ranking import batch, strength
from tests.benchmarks.harness import RANKINGS, Args, interleaved, report, seconds, title

HANDS = 200_000
BATCH = 1_000_000
EVAL7_CARDS = [eval7.Card(text) for text in TEXTS]

SINGLE: dict[str, tuple[Callable[[Sequence[Card]], int], float]] = {
    "high": (strength.high, 1.1),
    "A-5 low": (strength.ace_to_five, 1.5),
    "eight-or-better": (strength.eight_or_better, 1.5),
    "A-6 low": (strength.ace_to_six, 1.0),
}
MANY: dict[str, tuple[Callable[[batch.Hands], batch.Strengths], float]] = {
    "high": (batch.high_batch, 20),
    "A-5 low": (batch.ace_to_five_batch, 50),
    "eight-or-better": (batch.eight_or_better_batch, 50),
    "A-6 low": (batch.ace_to_six_batch, 14),
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


def one_by_one(args: Args) -> None:
    """P2."""
    title("P2: one hand at a time, 200,000 different hands")
    hands = deals(HANDS)
    jobs = {"eval7": each(eval7.evaluate, [[EVAL7_CARDS[card] for card in hand] for hand in hands])}
    jobs |= {name: each(function, hands) for name, (function, _) in SINGLE.items()}
    medians = interleaved(jobs, args.repeats)
    report("eval7 high", medians["eval7"] / HANDS)
    for name, (_, goal) in SINGLE.items():
        report(name, medians[name] / HANDS, medians["eval7"] / medians[name], goal)


def in_batches(args: Args) -> None:
    """P3."""
    title("P3: a million hands in a batch, against an eval7 loop from card integers")
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
        jobs[f"{name}, packed"] = run(many, packed)
    medians = interleaved(jobs, args.repeats)
    reference = medians["eval7"] / HANDS
    report("eval7 high", reference)
    for name, (_, goal) in MANY.items():
        report(name, medians[name] / BATCH, reference * BATCH / medians[name], goal)
        alone = medians[f"{name}, packed"] / BATCH
        report(f"{name}, packed", alone, reference / alone)


def importing(args: Args) -> None:
    """P8, as far as the rankings go."""
    title("P8: importing the rankings, each time in a fresh process")
    timed = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
    times: dict[str, list[float]] = {"pokerkit": [], RANKINGS: []}
    for _ in range(args.repeats + 1):
        for module, measured in times.items():
            command = [sys.executable, "-c", timed.format(module)]
            measured.append(float(subprocess.run(command, check=True, timeout=60, capture_output=True).stdout))
    theirs, ours = (statistics.median(measured[1:]) for measured in times.values())
    verdict = "reached" if ours < 0.2 * theirs else "MISSED"
    print(f"rankings {ours * 1e3:.0f} ms, pokerkit {theirs * 1e3:.0f} ms")
    print(f"ratio {ours / theirs:.2f}   goal below 0.2: {verdict}")


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


def exhaustive() -> None:
    """All hands, once. Raises AssertionError if a category's count is wrong."""
    title("P3: all 133,784,560 seven-card hands, high")
    found: list[NDArray[np.int64]] = []
    took = seconds(lambda: found.append(all_hands()))
    report("high, packed, with counting", took / 133_784_560)
    first = 1
    for name, (classes, expected) in CATEGORIES.items():
        count = int(found[0][first : first + classes].sum())
        first += classes
        print(f"{name:<18}{count:>12,}  {'exact' if count == expected else f'WRONG, expected {expected:,}'}")
        assert count == expected, name
    assert int(found[0].sum()) == 133_784_560


def main(args: Args) -> None:
    """Print the tables."""
    one_by_one(args)
    in_batches(args)
    importing(args)
    if args.long:
        exhaustive()
