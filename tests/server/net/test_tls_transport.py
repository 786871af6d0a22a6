"""TLS over a transport in memory that takes as little as the test wants."""

import contextlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from math import inf
from pathlib import Path

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from server.admission.server_key import ServerKey, load_or_create
from server.app.operator_log import silent
from server.app.server import Server
from server.config.limits import Limits
from server.net.outbox import Outbox, SendFailure
from server.net.tls_transport import RECORD, TlsTransport
from server.net.transport import TransportBroken
from tests.support.limits import LIMIT
from tests.support.loopback_server import client_context, config


@pytest.fixture(scope="module")
def server_key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return load_or_create(tmp_path_factory.mktemp("server_key"))


class MemoryTransport:
    """The server's end of a wire: `out` is what it has taken, `room` how much more it takes."""

    def __init__(self) -> None:
        self.address = "memory"
        self.out = bytearray()
        self.room: float = inf
        self.finished = self.closed = False
        self.arrive, self._arrived = trio.open_memory_channel[bytes](inf)
        self._roomy = trio.Event()

    def send_now(self, data: bytes) -> int:
        if self.closed or self.finished:
            raise TransportBroken("closed")
        taken = int(min(len(data), self.room))
        self.room -= taken
        self.out += data[:taken]
        return taken

    def make_room(self, size: float) -> None:
        self.room += size
        self._roomy.set()
        self._roomy = trio.Event()

    async def wait_writable(self) -> None:
        while not self.room:
            await self._roomy.wait()
        await trio.lowlevel.checkpoint()

    async def receive(self) -> bytes:
        try:
            return await self._arrived.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            return b""

    def finish(self) -> None:
        self.finished = True

    def close(self) -> None:
        self.closed = True
        self.arrive.close()
        self._arrived.close()


class TlsPair:
    """A TlsTransport whose handshake is done, and the client's half of the TLS."""

    def __init__(self, server_key: ServerKey) -> None:
        self.memory = MemoryTransport()
        self.strange: list[str] = []
        self.received = bytearray()
        self.broken = False
        self.transport = TlsTransport(self.memory, server_key.context, self.strange.append)
        self._incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = client_context().wrap_bio(self._incoming, self.outgoing)

    def flush(self, pieces: int = 1 << 20) -> None:
        """Sends what the client has written, in pieces of that many bytes."""
        data = self.outgoing.read()
        for at in range(0, len(data), pieces):
            self.memory.arrive.send_nowait(data[at : at + pieces])

    def deliver(self) -> None:
        """Hands to the client what the transport has taken."""
        self._incoming.write(bytes(self.memory.out))
        self.memory.out.clear()

    def read(self) -> bytes:
        """Everything that has reached the client."""
        self.deliver()
        got = bytearray()
        while True:
            try:
                data = self.client.read(1 << 16)
            except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
                return bytes(got)
            if not data:
                return bytes(got)
            got += data

    async def shake_hands(self, nursery: trio.Nursery, pieces: int) -> None:
        """Does both halves of the handshake; the transport keeps receiving into `received`."""

        async def receive() -> None:
            try:
                while data := await self.transport.receive():
                    self.received += data
            except TransportBroken:
                self.broken = True

        nursery.start_soon(receive)
        for _ in range(3):
            with contextlib.suppress(ssl.SSLWantReadError):
                self.client.do_handshake()
            self.flush(pieces)
            await wait_all_tasks_blocked()
            self.deliver()
        assert self.client.version() == "TLSv1.3"


@asynccontextmanager
async def open_wire(server_key: ServerKey, pieces: int = 1 << 20) -> AsyncIterator[TlsPair]:
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            wire = TlsPair(server_key)
            await wire.shake_hands(nursery, pieces)
            yield wire
            nursery.cancel_scope.cancel()
            wire.transport.close()


@pytest.mark.parametrize("pieces", [1, 7, 1 << 20])
async def test_fault_03_pieces_of_any_size_are_the_same(server_key: ServerKey, pieces: int) -> None:
    async with open_wire(server_key, pieces) as wire:
        for text in (b"one", b"two" * 5000, b"three"):
            wire.client.write(text)
        wire.flush(pieces)
        await wait_all_tasks_blocked()
        assert wire.received == b"one" + b"two" * 5000 + b"three"


@given(
    messages=st.lists(st.integers(1, 3 * RECORD), min_size=1, max_size=6),
    rooms=st.lists(st.integers(1, 2 * RECORD), max_size=12),
)
@settings(max_examples=60, deadline=None)
def test_what_is_taken_piecemeal_arrives_whole_and_in_order(
    server_key: ServerKey, messages: list[int], rooms: list[int]
) -> None:
    async def main() -> None:
        async with open_wire(server_key) as wire:
            wire.memory.room = 0
            data = b"".join([bytes([number]) * size for number, size in enumerate(messages)])
            at, got = 0, bytearray()
            for room in [*rooms, *[RECORD] * (2 * len(data) // RECORD + 2)]:
                wire.memory.make_room(room)
                taken = wire.transport.send_now(data[at:]) if at < len(data) else 0
                at += taken
                got += wire.read()
                assert len(got) >= at, "it counts what has not gone out"
            assert at == len(data)
            assert bytes(got) == data

    trio.run(main)


async def test_an_outbox_keeps_its_limits_over_a_transport_that_takes_nothing(server_key: ServerKey) -> None:
    async with open_wire(server_key) as wire, trio.open_nursery() as nursery:
        wire.memory.room = 100
        failures: list[SendFailure] = []
        outbox = Outbox(wire.transport, Limits(out_bytes=50_000), nursery.start_soon, failures.append)
        outbox.send(b"a" * 300)
        assert outbox.waiting == 300  # encrypted, half out, and still on the account
        for _ in range(49):
            outbox.send(b"b" * 1000)
        assert outbox.waiting == 49_300
        assert not failures
        outbox.send(b"c" * 1000)
        assert failures == ["slow"]
        assert outbox.waiting == 0
        nursery.cancel_scope.cancel()


async def test_an_outbox_sends_the_rest_when_there_is_room_and_then_ends_the_stream(server_key: ServerKey) -> None:
    async with open_wire(server_key) as wire, trio.open_nursery() as nursery:
        wire.memory.room = 100
        outbox = Outbox(wire.transport, Limits(), nursery.start_soon, lambda failure: None)
        outbox.send(b"a" * 300)
        outbox.send(b"b" * 20_000)
        outbox.finish()
        got = bytearray()
        while outbox.waiting:
            wire.memory.make_room(5_000)
            await wait_all_tasks_blocked()
            got += wire.read()
        assert got == b"a" * 300 + b"b" * 20_000
        assert wire.memory.finished
        assert wire.client.read(10) == b""  # TLS's own end of the stream: nothing was cut off


async def test_nothing_is_said_before_the_handshake(server_key: ServerKey) -> None:
    transport = TlsTransport(MemoryTransport(), server_key.context, lambda why: None)
    with pytest.raises(TransportBroken):
        transport.send_now(b"a secret")


async def test_fault_12_damaged_bytes_end_the_transport(server_key: ServerKey) -> None:
    async with open_wire(server_key) as wire:
        wire.client.write(b"a wish")
        damaged = bytearray(wire.outgoing.read())
        damaged[-1] ^= 1
        wire.memory.arrive.send_nowait(bytes(damaged))
        await wait_all_tasks_blocked()
        assert wire.received == b""
        assert wire.broken


@pytest.mark.parametrize("pause", [0.05, 0.5, 100.0], ids=["trickles", "drips", "is silent"])
async def test_fault_17_a_peer_that_takes_too_long_is_closed_after_five_seconds(
    server_key: ServerKey, tmp_path: Path, mock_clock: trio.testing.MockClock, pause: float
) -> None:
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            server = Server(config(tmp_path), silent())
            await nursery.start(partial(server.run, listeners=[]))
            mock_clock.autojump_threshold = 0  # not before: the clock would not wait for the disk's thread
            wire = TlsPair(server_key)
            with pytest.raises(ssl.SSLWantReadError):
                wire.client.do_handshake()
            hello = wire.outgoing.read()[:150]
            began = trio.current_time()

            async def trickle() -> None:
                for byte in hello:
                    if wire.memory.closed:
                        return
                    wire.memory.arrive.send_nowait(bytes([byte]))
                    await trio.sleep(pause)

            nursery.start_soon(trickle)
            await server.connect(wire.transport)
            assert 5.0 <= trio.current_time() - began <= 6.0
            assert wire.memory.closed
            assert wire.strange == ["no handshake in time"]
            assert not wire.memory.out
            mock_clock.autojump_threshold = inf
            server.stop()
            await server.stopped.wait()
            nursery.cancel_scope.cancel()


async def test_after_the_goodbye_everything_received_is_thrown_away(server_key: ServerKey) -> None:
    async with open_wire(server_key) as wire:
        wire.transport.finish()
        wire.client.write(b"late")
        wire.flush()
        wire.memory.arrive.send_nowait(b"not even TLS")
        wire.memory.arrive.close()
        await wait_all_tasks_blocked()
        assert wire.received == b""
        assert not wire.strange
