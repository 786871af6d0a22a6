"""What a client is sent while its transport takes all, some or nothing of it (fault 7, `docs/hosting.md`)."""

import trio
import trio.testing

from server.config.limits import Limits
from server.net.outbox import CatchUp, Outbox
from server.net.transport import TransportBroken


class NarrowTransport:
    """A transport that takes `room` bytes, and more when the test gives it room."""

    address = "narrow"

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = b""
        self.finished = self.broken = False
        self._more = trio.Event()

    def send_now(self, data: bytes) -> int:
        if self.broken:
            raise TransportBroken("gone")
        sent = min(self.room, len(data))
        self.room -= sent
        self.taken += data[:sent]
        return sent

    def give(self, room: int) -> None:
        self.room += room
        self._more.set()

    async def wait_writable(self) -> None:
        while not self.room and not self.broken:
            self._more = trio.Event()
            await self._more.wait()
        await trio.lowlevel.checkpoint()

    async def receive(self) -> bytes:
        await trio.sleep_forever()
        raise AssertionError

    def finish(self) -> None:
        self.finished = True

    def close(self) -> None:
        self.broken = True
        self._more.set()


async def test_what_fits_is_sent_at_once_without_any_task(nursery: trio.Nursery) -> None:
    transport = NarrowTransport(100)
    outbox = Outbox(transport, Limits(), nursery.start_soon, lambda failure: None)
    outbox.send(b"a" * 60)
    outbox.send(b"b" * 40)
    assert transport.taken == b"a" * 60 + b"b" * 40
    assert not nursery.child_tasks


async def test_the_rest_follows_in_order_when_there_is_room(nursery: trio.Nursery) -> None:
    transport = NarrowTransport(5)
    outbox = Outbox(transport, Limits(), nursery.start_soon, lambda failure: None)
    for letter in b"abcd":
        outbox.send(bytes([letter]) * 4)
    outbox.finish()
    outbox.send(b"too late")
    for _ in range(16):
        transport.give(1)
        await trio.testing.wait_all_tasks_blocked()
    assert transport.taken == b"aaaabbbbccccdddd"
    assert transport.finished
    assert outbox.waiting == 0


async def test_fault_7_a_client_that_does_not_read_is_dropped_at_the_limit_of_bytes(nursery: trio.Nursery) -> None:
    failures: list[str] = []
    outbox = Outbox(NarrowTransport(0), Limits(out_bytes=1000, out_frames=1000), nursery.start_soon, failures.append)
    for _ in range(10):
        outbox.send(b"x" * 100)
    assert not failures
    outbox.send(b"x")
    outbox.send(b"x" * 100)
    assert failures == ["slow"]
    assert outbox.waiting == 0


async def test_fault_7_or_at_the_limit_of_frames(nursery: trio.Nursery) -> None:
    failures: list[str] = []
    outbox = Outbox(NarrowTransport(0), Limits(out_frames=3), nursery.start_soon, failures.append)
    for _ in range(4):
        outbox.send(b"x")
    assert failures == ["slow"]


async def test_a_line_that_takes_nothing_is_stuck_after_its_time(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    transport = NarrowTransport(1)
    outbox = Outbox(transport, Limits(write=10.0), nursery.start_soon, lambda failure: None)
    outbox.send(b"xyz")
    await trio.sleep(9)
    assert not outbox.stuck(trio.current_time())
    transport.give(1)
    await trio.sleep(9)
    assert not outbox.stuck(trio.current_time())
    await trio.sleep(2)
    assert outbox.stuck(trio.current_time())
    transport.give(1)
    await trio.testing.wait_all_tasks_blocked()
    assert not outbox.stuck(trio.current_time())


async def test_a_broken_transport_is_reported_once(nursery: trio.Nursery) -> None:
    failures: list[str] = []
    transport = NarrowTransport(1)
    outbox = Outbox(transport, Limits(), nursery.start_soon, failures.append)
    outbox.send(b"xyz")
    transport.close()
    await trio.testing.wait_all_tasks_blocked()
    outbox.send(b"more")
    assert failures == ["broken"]


async def test_fault_9_a_spectator_who_falls_behind_continues_from_a_snapshot(nursery: trio.Nursery) -> None:
    failures: list[str] = []
    transport = NarrowTransport(2)
    fresh: list[CatchUp] = [lambda: outbox.send(b"[snapshot]")]
    outbox = Outbox(transport, Limits(out_frames=3), nursery.start_soon, failures.append, lambda: fresh[0])
    for number in range(9):
        outbox.send(b"<%d>" % number)
    transport.give(100)
    await trio.testing.wait_all_tasks_blocked()
    outbox.send(b"<9>")
    assert transport.taken == b"<0>[snapshot]<9>", "frames are whole, nothing is sent twice, the backlog is not sent"
    assert not failures
