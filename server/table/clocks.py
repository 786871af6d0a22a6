"""The clocks of a table: how long each seat has for its decision, and what its time bank adds (`rules.md` 10).

The time bank is for players who are there: one who is absent holds the table for no longer than one clock.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, inf

from protocol.events import ActionRequested, Seat
from protocol.table_rules import BANKED, Clocks


@dataclass(slots=True)
class Running:
    """The clock of one open request.

    Fields:
        seq: event number of the request.
        seconds: the time for the decision, without the bank.
        paid: from then on the clock runs on the time bank.
        full: then the time bank is used up, too.
        absent: then the time is over because the player is not there; infinite while they are.
        told: whether everybody has been told that it runs on the time bank.
    """

    seq: int
    seconds: float
    paid: float
    full: float
    absent: float = inf
    told: bool = False

    @property
    def ends(self) -> float:
        """When the time is over."""
        return self.full if self.full < self.absent else self.absent

    def wakes(self) -> float:
        """When something has to be done about it."""
        ends = self.ends
        return ends if self.told or self.paid >= ends else self.paid


class TableClocks:
    """The clocks of a table by seat. All times are seconds of one monotonic clock, which the caller reads.

    Attributes:
        rules: the seconds of each decision.
        wake: when the first clock runs out or begins to run on the time bank.
    """

    def __init__(self, rules: Clocks) -> None:
        self.rules = rules
        self._running: dict[Seat, Running] = {}
        self._bank: dict[Seat, float] = {}
        self._absent: frozenset[Seat] = frozenset()
        self._bank_used = False
        self.wake = inf

    @property
    def next(self) -> float:
        """When the first clock runs out."""
        return min([clock.ends for clock in self._running.values()], default=inf)

    def follow(self, asked: dict[Seat, int], request: Callable[[Seat], ActionRequested], now: float) -> None:
        """Stops the clocks of requests that are no longer open and starts those of new ones.

        Args:
            asked: event number of the open request of each seat that has one.
            request: finds the request of a seat.
        """
        running = self._running
        if len(asked) == 1 and len(running) <= 1:  # betting: one seat has answered, the next is asked
            ((seat, seq),) = asked.items()
            for old, clock in running.items():
                if clock.seq == seq:
                    return
                self._stopped(old, clock, now)
            running.clear()
            self._start(seat, seq, request(seat), now)
            self.wake = running[seat].wakes()
            return
        for seat in [seat for seat, clock in running.items() if asked.get(seat) != clock.seq]:
            self._stopped(seat, running.pop(seat), now)
        for seat, seq in asked.items():
            if seat not in running:
                self._start(seat, seq, request(seat), now)
        self._find_wake()

    def _stopped(self, seat: Seat, clock: Running, now: float) -> None:
        if now > clock.paid:
            self._bank[seat] = max(0.0, clock.full - now)
            self._bank_used = True

    def _start(self, seat: Seat, seq: int, request: ActionRequested, now: float, extra: float = 0.0) -> None:
        if request.seconds is None:
            self._running[seat] = Running(seq, inf, inf, inf)
            return
        paid = now + request.seconds + extra
        bank = self._bank.get(seat, float(self.rules.bank)) if request.decision in BANKED else 0.0
        self._running[seat] = Running(seq, request.seconds, paid, paid + bank, paid if seat in self._absent else inf)

    def presence(self, absent: Iterable[Seat], now: float) -> bool:
        """These players are not there; whether that changes when a running clock ends.

        A player who is lost in the middle of a decision keeps the rest of their time, but no more than one clock from
        now on: enough to come back. When they are back, their time bank is theirs again.
        """
        before = self._absent
        self._absent = frozenset(absent)
        changed = False
        for seat in before ^ self._absent:
            clock = self._running.get(seat)
            if clock is not None and clock.full < inf:
                ends = clock.ends
                clock.absent = now + clock.seconds if seat in self._absent else inf
                changed = changed or clock.ends != ends
        if changed:
            self._find_wake()
        return changed

    def restart(self, asked: dict[Seat, int], request: Callable[[Seat], ActionRequested], now: float) -> None:
        """After a restart of the server every open request has its full time again, and the grace on top of it."""
        self._running.clear()
        for seat, seq in asked.items():
            self._start(seat, seq, request(seat), now, float(self.rules.grace))
        self._find_wake()

    def shift(self, seconds: float) -> None:
        """The clocks stood still for so long."""
        for clock in self._running.values():
            clock.paid += seconds
            clock.full += seconds
            clock.absent += seconds
        self._find_wake()

    def due(self, now: float) -> list[tuple[Seat, int]]:
        """(seat, event number of the request) of every clock that has run out."""
        return [(seat, clock.seq) for seat, clock in self._running.items() if clock.ends <= now]

    def overtime(self, now: float) -> bool:
        """Whether a clock has begun to run on its time bank since this was last asked."""
        over = [clock for clock in self._running.values() if clock.paid <= now < clock.ends and not clock.told]
        for clock in over:
            clock.told = True
        if over:
            self._find_wake()
        return bool(over)

    def stop(self, seat: Seat) -> None:
        """Forgets the clock of a request that will not be asked about again."""
        if seat in self._running:
            self._running[seat] = Running(self._running[seat].seq, inf, inf, inf)
            self._find_wake()

    def leave(self, seats: Iterable[Seat]) -> None:
        """These seats were given back: whoever sits down there next has a full time bank."""
        for seat in seats:
            self._bank.pop(seat, None)

    def take_bank(self, seat: Seat) -> float | None:
        """The seconds left of the time bank of a player who moves away from that seat; None if it is full."""
        return self._bank.pop(seat, None)

    def give_bank(self, seat: Seat, left: float | None) -> None:
        """The player has that seat now. `left`: as `take_bank` has told it."""
        if left is not None:
            self._bank[seat] = left
            self._bank_used = True  # so that everybody is told

    def left(self, now: float) -> tuple[tuple[Seat, int], ...]:
        """(seat, tenths of a second left) of every running clock; the time bank is included."""
        return tuple(
            [(seat, _tenths(clock.ends - now)) for seat, clock in sorted(self._running.items()) if clock.ends < inf]
        )

    def banks(self, now: float) -> tuple[tuple[Seat, int], ...]:
        """(seat, tenths of a second left) of every time bank that is not full any more."""
        running = {seat: clock.full - now for seat, clock in self._running.items() if clock.paid < now}
        return tuple([(seat, _tenths(left)) for seat, left in sorted((self._bank | running).items())])

    def bank_used(self) -> bool:
        """Whether a clock that ran on its time bank was stopped since this was last asked."""
        used, self._bank_used = self._bank_used, False
        return used

    def _find_wake(self) -> None:
        self.wake = min([clock.wakes() for clock in self._running.values()], default=inf)


def _tenths(seconds: float) -> int:
    return max(0, ceil(seconds * 10))
