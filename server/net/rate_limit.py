"""Rate limit: a token bucket."""


class TokenBucket:
    """`burst` tokens at once, `rate` tokens a second after that. Times are seconds of one clock, which is handed in."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst, self._left, self._at = rate, burst, burst, now

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Takes one token, or that many; False if there are not enough."""
        left = self._left + (now - self._at) * self._rate
        self._at = now
        if left > self._burst:
            left = self._burst
        if left < amount:
            self._left = left
            return False
        self._left = left - amount
        return True

    def give_back(self) -> None:
        """Puts back the token that was taken last."""
        self._left = min(self._left + 1.0, self._burst)
