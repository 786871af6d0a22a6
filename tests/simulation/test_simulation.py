"""Whole sessions with crashes, cuts and late messages. A failure names its seed: `simulate(seed)` shows it again."""

import random
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.simulation.oracles import Violation
from tests.simulation.planted import PLANTED
from tests.simulation.world import simulate
from tests.support.child_python import in_child
from tests.support.limits import length

FIXED = length(20, 60)
FRESH = length(10, 30)
FOUND_WITHIN = 60


def _run(seeds: range) -> None:
    for seed in seeds:
        simulate(seed)


@pytest.mark.slow
def test_fault_1_25_26_36_67_80_fixed_seeds() -> None:
    """Nothing shown is taken back, no gap, nothing done twice, no secret at the wrong client, chips conserved."""
    worlds = [simulate(seed) for seed in range(FIXED)]
    stats = [world.stats for world in worlds]
    # They are worth something only if it was not calm.
    assert sum(one.kills for one in stats) > FIXED / 3
    assert sum(one.cuts_of_power for one in stats) > FIXED / 3
    assert sum(one.lines_cut for one in stats) > FIXED / 3
    assert sum(one.rivals for one in stats) > FIXED / 5
    assert sum(one.resumed_in_hand for one in stats) > FIXED / 3
    assert sum(one.rotations for one in stats) > FIXED / 5
    assert sum(one.actions for one in stats) > 10 * FIXED
    assert sum(one.pauses for one in stats) > FIXED / 3
    assert sum(one.void_hands for one in stats) > FIXED / 20
    assert any(one.corrections for one in stats)


@pytest.mark.slow
def test_fault_1_25_26_36_67_80_fresh_seeds() -> None:
    start = secrets.randbits(40)
    _run(range(start, start + FRESH))


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: str(planted.__name__))
def test_planted_mistake_is_found(planted: Callable[[], AbstractContextManager[None]]) -> None:
    """A simulation that finds nothing proves nothing."""
    with planted(), pytest.raises(Violation, match="seed"):
        _run(range(FOUND_WITHIN))


@pytest.mark.slow
def test_same_seed_gives_the_same_trace_in_any_process() -> None:
    seed = random.Random(0).randrange(1 << 30)
    here = simulate(seed).trace.hexdigest()
    code = f"from tests.simulation.world import simulate; print(simulate({seed}).trace.hexdigest())"
    for hash_seed in ("1", "2"):
        assert in_child(code, PYTHONHASHSEED=hash_seed) == [here]


@pytest.mark.slow
def test_other_seeds_give_other_traces() -> None:
    assert simulate(1).trace.hexdigest() != simulate(2).trace.hexdigest()
