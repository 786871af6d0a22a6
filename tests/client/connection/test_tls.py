"""The client's side of TLS against real sockets: the key decides, and a server with a wrong one is told nothing."""

import shutil
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from client.connection.address import Address
from client.connection.connection import Dial, connect, dialer
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.connection.tls import TlsDial
from client.errors import CannotConnect, WrongKey
from client.profile.known_servers import KnownServers
from client.profile.seat_keys import load_key, seat_token
from protocol.wire.join_links import LEAST_PIN
from server.admission.server_key import ServerKey, load_or_create
from server.storage.atomic_file import write_file
from tests.support.dated_key import dated_pem
from tests.support.limits import LIMIT
from tests.support.loopback_server import config, running

Handler = Callable[[trio.SocketStream], Awaitable[None]]


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    return KnownServers(tmp_path / "client")


@asynccontextmanager
async def listening(handler: Handler) -> AsyncIterator[Address]:
    """A server of any kind on the loopback address."""
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
            nursery.start_soon(trio.serve_listeners, handler, [listener])
            yield Address("127.0.0.1", listener.socket.getsockname()[1])
            nursery.cancel_scope.cancel()


class Impostor:
    """A server with a key of its own that records the bytes it gets from the client."""

    def __init__(self, identity: ServerKey) -> None:
        self.context = identity.context
        self.seen = b""
        self.ended = trio.Event()

    async def __call__(self, tcp: trio.SocketStream) -> None:
        stream = trio.SSLStream(tcp, self.context, server_side=True, https_compatible=True)
        try:
            while data := await stream.receive_some(4096):
                self.seen += data
        except trio.BrokenResourceError:
            pass
        await trio.aclose_forcefully(stream)
        self.ended.set()


async def test_first_contact_is_shown_once_and_remembered(tmp_path: Path, known: KnownServers) -> None:
    told: list[str] = []
    async with running(config(tmp_path, tls=True)) as house:
        address = Address("127.0.0.1", house.port)
        assert house.server.key is not None
        for _ in range(2):
            dial = TlsDial(address, known, table="main", notice=told.append)
            connection = await connect(dial)
            assert dial.fingerprint == house.server.key.fingerprint
            await connection.aclose()
        assert known.fingerprint(str(address)) == house.server.key.fingerprint
        assert len(told) == 1
        assert house.server.key.fingerprint[:LEAST_PIN] in told[0]


async def test_a_pin_from_a_link_needs_no_first_contact(tmp_path: Path, known: KnownServers) -> None:
    told: list[str] = []
    async with running(config(tmp_path, tls=True)) as house:
        assert house.server.key is not None
        address = Address("127.0.0.1", house.port)
        for length in (LEAST_PIN, 40, 52):
            pin = house.server.key.fingerprint[:length]
            connection = await connect(TlsDial(address, known, pin=pin, notice=told.append))
            await connection.aclose()
        assert told == []
        assert known.fingerprint(str(address)) == house.server.key.fingerprint


async def test_fault_19_a_changed_key_is_refused_before_a_byte_is_sent(tmp_path: Path, known: KnownServers) -> None:
    identity = load_or_create(tmp_path / "server")
    impostor = Impostor(identity)
    async with listening(impostor) as address:
        known.remember(str(address), "a" * 52)
        with pytest.raises(WrongKey) as refused:
            await connect(TlsDial(address, known))
        await impostor.ended.wait()
    assert impostor.seen == b""
    assert refused.value.exit_code == 3
    text = str(refused.value)
    assert "a" * LEAST_PIN in text
    assert identity.fingerprint[:LEAST_PIN] in text
    assert f"ryo forget {address}" in text
    assert known.fingerprint(str(address)) == "a" * 52


@pytest.mark.parametrize("pin", ["a" * 26, "a" * 52])
async def test_fault_20_a_wrong_pin_is_refused_before_a_byte_is_sent(
    tmp_path: Path, known: KnownServers, pin: str
) -> None:
    impostor = Impostor(load_or_create(tmp_path / "server"))
    async with listening(impostor) as address:
        with pytest.raises(WrongKey, match="link"):
            await connect(TlsDial(address, known, pin=pin))
        await impostor.ended.wait()
    assert impostor.seen == b""
    assert known.fingerprint(str(address)) == ""


def off_by_one(fingerprint: str, length: int) -> str:
    """The beginning of a fingerprint, with another last character."""
    return fingerprint[: length - 1] + ("a" if fingerprint[length - 1] != "a" else "b")


@pytest.mark.parametrize("length", [LEAST_PIN, 40, 52])
async def test_fault_20_a_pin_counts_to_its_last_character(tmp_path: Path, known: KnownServers, length: int) -> None:
    identity = load_or_create(tmp_path / "server")
    impostor = Impostor(identity)
    async with listening(impostor) as address:
        with pytest.raises(WrongKey, match="link"):
            await connect(TlsDial(address, known, pin=off_by_one(identity.fingerprint, length)))
        await impostor.ended.wait()
    assert impostor.seen == b""
    assert known.fingerprint(str(address)) == ""


async def test_fault_19_a_remembered_key_counts_to_its_last_character(tmp_path: Path, known: KnownServers) -> None:
    identity = load_or_create(tmp_path / "server")
    impostor = Impostor(identity)
    almost = off_by_one(identity.fingerprint, 52)
    async with listening(impostor) as address:
        dial = TlsDial(address, known)
        dial.fingerprint = almost  # of the connection before
        with pytest.raises(WrongKey, match="a moment ago"):
            await connect(dial)
        known.remember(str(address), almost)
        with pytest.raises(WrongKey, match="ryo forget"):
            await connect(TlsDial(address, known))
        await impostor.ended.wait()
    assert impostor.seen == b""
    assert known.fingerprint(str(address)) == almost


async def test_fault_19_a_link_does_not_overrule_a_remembered_key(tmp_path: Path, known: KnownServers) -> None:
    identity = load_or_create(tmp_path / "server")
    impostor = Impostor(identity)
    async with listening(impostor) as address:
        known.remember(str(address), "a" * 52)
        with pytest.raises(WrongKey, match="ryo forget"):
            await connect(TlsDial(address, known, pin=identity.fingerprint))
        await impostor.ended.wait()
    assert impostor.seen == b""


async def test_fault_19_a_key_that_changes_during_the_game_ends_the_session(
    tmp_path: Path, known: KnownServers
) -> None:
    async with running(config(tmp_path / "one", tls=True)) as one, running(config(tmp_path / "two", tls=True)) as two:
        ports = iter([one.port, two.port])

        async def first_one_then_two() -> trio.abc.Stream:
            return await trio.open_tcp_stream("127.0.0.1", next(ports))

        dial = TlsDial(Address("kitchen"), known, dial=first_one_then_two)
        session = ClientSession(dial, SeatRequest("Ann", lambda table: b"t" * 32), pauses=[0.0])

        when_seated(session, one.server.stop)
        with pytest.raises(WrongKey):
            await session.run()
        assert not two.table.state.view.players()


async def plain_server(stream: trio.SocketStream) -> None:
    """What a server without TLS answers to the beginning of TLS."""
    await stream.receive_some(4096)
    await stream.send_all(b"\x00\x00\x00\x20\x83\xa4type\xa3bye\xa4code")


async def web_server(stream: trio.SocketStream) -> None:
    await stream.receive_some(4096)
    await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def server_that_hangs_up(stream: trio.SocketStream) -> None:
    await stream.receive_some(1)


@pytest.mark.parametrize(
    ("handler", "sentence"), [(plain_server, "--plain-tcp"), (web_server, "encrypt"), (server_that_hangs_up, "hung up")]
)
async def test_a_server_that_is_not_an_encrypted_card_room_is_one_sentence(
    known: KnownServers, handler: Handler, sentence: str
) -> None:
    async with listening(handler) as address:
        with trio.fail_after(LIMIT), pytest.raises(CannotConnect, match=sentence) as refused:
            await connect(TlsDial(address, known))
    assert refused.value.exit_code == 3
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("remembered", [True, False])
async def test_nobody_is_advised_to_follow_a_server_that_stopped_encrypting(
    known: KnownServers, remembered: bool
) -> None:
    async with listening(plain_server) as address:
        if remembered:
            known.remember(str(address), "a" * 52)
        with pytest.raises(CannotConnect, match="in between") as refused:
            await connect(TlsDial(address, known, pin="" if remembered else "a" * 52))
        assert "--plain-tcp" not in str(refused.value)


async def test_a_plain_client_at_an_encrypted_server_is_told(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        with trio.fail_after(LIMIT), pytest.raises(CannotConnect, match="without --plain-tcp"):
            await connect(dialer(Address("127.0.0.1", house.port)))


@pytest.mark.parametrize(("table", "name"), [("main", "main"), ("", None)])
async def test_the_table_is_named_to_a_proxy(tmp_path: Path, known: KnownServers, table: str, name: str | None) -> None:
    names: list[str | None] = []
    identity = load_or_create(tmp_path / "server")

    def note(tls: ssl.SSLObject | ssl.SSLSocket, server_name: str | None, context: ssl.SSLContext) -> None:
        names.append(server_name)

    identity.context.sni_callback = note
    impostor = Impostor(identity)
    async with listening(impostor) as address:
        stream = await TlsDial(address, known, table=table)()
        await trio.aclose_forcefully(stream)
    assert names == [name]


async def test_reliability_3_the_token_belongs_to_the_servers_key(tmp_path: Path, known: KnownServers) -> None:
    """The same server under another address is the same seat; another server never sees a token that it can use."""
    key = load_key(tmp_path / "client")
    async with running(config(tmp_path, tls=True)) as house:
        seats = []
        for host in ("127.0.0.1", "localhost"):
            address = Address(host, house.port)

            async def tcp() -> trio.abc.Stream:
                return await trio.open_tcp_stream("127.0.0.1", house.port)

            dial = TlsDial(address, known, dial=tcp)
            session = session_of(dial, key)
            when_seated(session, session.close)
            await session.run()
            seats.append(session.seat)
        assert seats == [1, 1]


VISIT = """
import sys, trio
from pathlib import Path
from client.connection.address import Address
from client.profile.known_servers import KnownServers
from client.connection.connection import connect
from client.connection.tls import TlsDial
async def main():
    connection = await connect(TlsDial(Address("127.0.0.1", int(sys.argv[1])), KnownServers(Path(sys.argv[2]))))
    print(connection.server)
    await connection.aclose()
trio.run(main)
"""


@pytest.mark.skipif(shutil.which("faketime") is None, reason="libfaketime is not installed")
@pytest.mark.parametrize("clock", ["1975-01-01 00:00:00", "2036-01-01 00:00:00"])
async def test_fault_23_a_client_whose_clock_is_wrong_still_connects(tmp_path: Path, clock: str) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        command = ["faketime", clock, sys.executable, "-c", VISIT, str(house.port), str(tmp_path / "client")]
        done = await trio.run_process(command, capture_stdout=True)
        assert done.stdout.startswith(b"rollyourown ")


@pytest.mark.parametrize(("first", "last"), [(1990, 1999), (2900, 2999)], ids=["long over", "not yet"])
async def test_fault_23_the_dates_of_a_certificate_keep_nobody_away(
    tmp_path: Path, known: KnownServers, first: int, last: int
) -> None:
    (tmp_path / "server").mkdir(mode=0o700)
    write_file(tmp_path / "server" / "identity.pem", dated_pem(first, last))
    identity = load_or_create(tmp_path / "server")
    server = Impostor(identity)
    async with listening(server) as address:
        for pin in (identity.fingerprint, ""):  # by a link, and then as a known server
            stream = await TlsDial(address, known, pin=pin)()
            await stream.send_all(b"hello")
            await stream.aclose()
            await server.ended.wait()
            server.ended = trio.Event()
    assert server.seen == b"hello" * 2


def when_seated(session: ClientSession, do: Callable[[], None]) -> None:
    """Does that as soon as the session has its seat."""
    session.on_change.append(lambda events: do() if session.seat and session.view.players() else None)


def session_of(dial: TlsDial, key: bytes) -> ClientSession:
    return ClientSession(dial, SeatRequest("Ann", lambda table: seat_token(key, dial.fingerprint, table, "Ann")))


def test_dials_are_dials() -> None:
    dial: Dial = TlsDial(Address("kitchen"), KnownServers(Path()))
    assert callable(dial)


async def test_fault_16_a_server_without_the_key_of_its_answer_is_refused_before_a_byte_is_sent(
    tmp_path: Path, known: KnownServers
) -> None:
    impostor = Impostor(load_or_create(tmp_path))
    async with listening(impostor) as address:
        with pytest.raises(WrongKey, match="is not the one that was found"):
            await TlsDial(address, known, pin="a" * 52, hint=True)()
        await impostor.ended.wait()
    assert impostor.seen == b""
    assert known.addresses() == []


async def test_fault_16_a_forged_answer_never_replaces_a_known_key(tmp_path: Path, known: KnownServers) -> None:
    told: list[str] = []
    async with running(config(tmp_path / "true", tls=True)) as house:
        assert house.server.key is not None
        address, key = Address("127.0.0.1", house.port), house.server.key.fingerprint
        known.remember(str(address), key)
        # A forged answer for the address of a true server says another key: the known one decides.
        connection = await connect(TlsDial(address, known, pin="a" * 52, hint=True, notice=told.append))
        await connection.aclose()
        assert known.fingerprint(str(address)) == key
    assert told == []
    impostor = Impostor(load_or_create(tmp_path / "false"))
    async with listening(impostor) as address:
        known.remember(str(address), key)
        with pytest.raises(WrongKey, match="is not the one you know"):
            await TlsDial(address, known, pin=load_or_create(tmp_path / "false").fingerprint, hint=True)()
        await impostor.ended.wait()
    assert impostor.seen == b""
    assert known.fingerprint(str(address)) == key


async def test_a_found_server_is_remembered_and_its_key_is_told_because_anybody_can_answer(
    tmp_path: Path, known: KnownServers
) -> None:
    told: list[str] = []
    async with running(config(tmp_path, tls=True)) as house:
        assert house.server.key is not None
        key = house.server.key.fingerprint
        for host in ("127.0.0.1", "127.0.0.1", "localhost"):
            connection = await connect(
                TlsDial(Address(host, house.port), known, pin=key, hint=True, notice=told.append)
            )
            await connection.aclose()
            assert known.fingerprint(f"{host}:{house.port}") == key
        assert [f"First visit to 127.0.0.1:{house.port}" in told[0], key[:LEAST_PIN] in told[0]] == [True, True]
        assert told[1:] == [
            f"The server at localhost:{house.port} has the key of 127.0.0.1:{house.port}, which you know."
        ]
