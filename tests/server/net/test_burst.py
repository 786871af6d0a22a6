"""Bursts: what is sent while connections are served goes out at the end, in its order, and nothing is lost."""

from server.config.limits import Limits
from server.net.burst import Burst
from server.net.outbox import Outbox
from server.net.transport import TransportBroken


class Wire:
    """A transport that notes what it was given, under its name, in one list for all; a broken one takes nothing."""

    address = "memory"

    def __init__(self, name: str, calls: list[str], broken: bool = False) -> None:
        self._name, self._calls, self._broken = name, calls, broken

    def send_now(self, data: bytes) -> int:
        if self._broken:
            raise TransportBroken("gone")
        self._calls.append(f"{self._name} {data.decode()}")
        return len(data)

    async def wait_writable(self) -> None: ...

    async def receive(self) -> bytes:
        return b""

    def finish(self) -> None:
        self._calls.append(f"{self._name} ends")

    def close(self) -> None: ...


def never(_job: object) -> None:
    raise AssertionError("everything is taken at once, so no task is started")


def outbox(wire: Wire, burst: Burst) -> Outbox:
    return Outbox(wire, Limits(), never, lambda failure: None, burst=burst)


def test_what_is_sent_in_a_burst_goes_out_at_its_end_in_its_order() -> None:
    calls: list[str] = []
    burst = Burst()
    ann, bob = outbox(Wire("ann", calls), burst), outbox(Wire("bob", calls), burst)
    with burst:
        ann.send(b"1")
        bob.send(b"1")
        ann.send(b"2")
        assert calls == []
    assert calls == ["ann 1", "bob 1", "ann 2"]
    bob.send(b"2")
    assert calls[3:] == ["bob 2"], "without a burst it is sent at once"


def test_a_connection_that_ends_in_a_burst_is_sent_its_last_words_first() -> None:
    calls: list[str] = []
    burst = Burst()
    ann, bob = outbox(Wire("ann", calls), burst), outbox(Wire("bob", calls), burst)
    with burst:
        bob.send(b"hello")
        ann.send(b"goodbye")
        ann.finish()
        ann.send(b"never")
        assert calls == ["bob hello", "ann goodbye", "ann ends"]
    assert calls == ["bob hello", "ann goodbye", "ann ends"]


def test_what_a_failure_causes_comes_after_what_was_sent_before_it() -> None:
    calls: list[str] = []
    burst = Burst()
    bob = outbox(Wire("bob", calls), burst)
    ann = Outbox(
        Wire("ann", calls, broken=True), Limits(), never, lambda failure: bob.send(b"ann has gone"), burst=burst
    )
    with burst:
        ann.send(b"1")
        bob.send(b"1")
    assert calls == ["bob 1", "bob ann has gone"]
