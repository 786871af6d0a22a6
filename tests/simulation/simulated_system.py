"""What is under a simulated server, and what is counted."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import trio

from server.storage.system import System, Worker
from tests.support.simulated_disk import SimDisk

T = TypeVar("T")
EPOCH = 1_700_000_000_000


class SimulatedSystem(System):
    """A system whose work takes virtual time and whose wall clock is not to be trusted."""

    def __init__(self, disk: SimDisk, rng: random.Random) -> None:
        super().__init__(disk)
        self._rng = rng
        self._slow = rng.choice([0.002, 0.002, 0.1])
        self.skew = 0

    def wall_clock(self) -> int:
        return EPOCH + self.skew + int(trio.current_time() * 1000)

    async def work(self, job: Callable[[], T]) -> T:
        await trio.sleep(self._rng.expovariate(1 / self._slow))
        done = job()
        await trio.sleep(self._rng.expovariate(1 / self._slow))
        return done

    @contextmanager
    def own_thread(self) -> Iterator[Worker]:
        yield self


@dataclass
class Stats:
    """What has happened: for the summary, and for tests that want to see that it did."""

    lives: int = 0
    kills: int = 0
    cuts_of_power: int = 0
    stops: int = 0
    failures: int = 0
    lines_cut: int = 0
    actions: int = 0
    hands: int = 0
    files: int = 0
    events_seen: int = 0
    rivals: int = 0
    resumed_in_hand: int = 0
    rotations: int = 0
    pauses: int = 0
    void_hands: int = 0
    corrections: int = 0
    decisions: set[str] = field(default_factory=set)
