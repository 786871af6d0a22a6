"""Trap A35: seats at a server with another address, on another machine, or with another key; tokens go nowhere else."""

import secrets
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from client.cli.session_factory import SessionFactory
from client.errors import JoinRefused, WrongKey
from client.profile.known_servers import KnownServers
from client.profile.plain_servers import FILE as PLAIN_SERVERS
from client.profile.seat_keys import load_key, seat_token
from protocol.commands import SitDown
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_client
from protocol.wire.frames import CLIENT_CAP, FrameDecoder
from protocol.wire.token_proofs import MOST_PROOFS, channel, token_proof
from server.admission.seat_tokens import token_digest
from server.app.plain_hello import FILE
from server.config.passwords import make_verifier
from server.table.pipeline import Pipeline
from tests.support.limits import LIMIT
from tests.support.loopback_server import RunningServer, WireClient, config, running
from tests.support.memory_guest import MemoryGuest
from tests.support.simulated_server import settings, simulated_server
from tests.support.single_table import SingleTable


async def sit(folder: Path, address: str, *, tls: bool = False, password: str = "") -> int:
    """The seat that our client is given when its user types that address. Raises JoinRefused, WrongKey."""
    factory = SessionFactory(address, folder, plain_tcp=not tls, password=password)
    factory.name = "Ann"
    session = factory.player_session()
    seats: list[int] = []

    def changed(events: object) -> None:
        if session.status == "online" and session.seat:
            seats.append(session.seat)
            session.close()

    session.on_change.append(changed)
    with trio.fail_after(LIMIT):
        await session.run()
    return seats[0]


def word_in(said: str) -> str:
    """The word by which the host gives a seat back, in what the host reads."""
    return next(word for word in said.split() if word[4:5] == "-")


async def test_trap_A35_a_player_comes_back_by_every_address_of_the_server(tmp_path: Path) -> None:
    settings = config(tmp_path / "server", games=("plainrazz",), players=3)
    async with running(settings) as house:
        me = tmp_path / "me"
        for address in ("127.0.0.1", "localhost", "LOCALHOST", "127.1", "127.0.0.1"):
            assert await sit(me, f"{address}:{house.port}") == 1
        with pytest.raises(JoinRefused) as refused:
            await sit(tmp_path / "somebody else", f"127.0.0.1:{house.port}")
        assert refused.value.code == "name_taken"


async def test_trap_A35_a_data_directory_that_was_copied_plays_on_without_encryption_too(tmp_path: Path) -> None:
    old, new, me = tmp_path / "old", tmp_path / "new", tmp_path / "me"
    async with running(config(old, games=("plainrazz",), players=3)) as house:
        assert await sit(me, f"127.0.0.1:{house.port}") == 1
    shutil.copytree(old, new)
    async with running(config(new, games=("plainrazz",), players=3)) as house:  # another port is another address
        assert await sit(me, f"localhost:{house.port}") == 1
        assert len(house.table.state.view.players()) == 1


async def test_trap_A35_without_its_id_a_server_is_another_one_and_the_host_gives_the_seat_back(tmp_path: Path) -> None:
    old, new, me = tmp_path / "old", tmp_path / "new", tmp_path / "me"
    async with running(config(old, games=("plainrazz",), players=3)) as house:
        await sit(me, f"127.0.0.1:{house.port}")
    shutil.copytree(old, new)
    (new / FILE).unlink()
    async with running(config(new, games=("plainrazz",), players=3)) as house:
        with pytest.raises(JoinRefused) as refused:
            await sit(me, f"localhost:{house.port}")
        assert refused.value.code == "name_taken"
        said = await house.table.obey(partial(house.table.host_words.give_back, "Ann"))
        assert await sit(me, f"localhost:{house.port}", password=word_in(said)) == 1
        assert await sit(me, f"localhost:{house.port}") == 1


async def test_trap_A35_a_new_key_of_the_server_costs_a_word_of_the_host_and_nothing_else(tmp_path: Path) -> None:
    data, me = tmp_path / "server", tmp_path / "me"
    async with running(config(data, tls=True, games=("plainrazz",), players=3)) as house:
        assert await sit(me, f"127.0.0.1:{house.port}", tls=True) == 1
        port = house.port
    (data / "identity.pem").unlink()
    again = replace(config(data, tls=True, games=("plainrazz",), players=3), port=port)
    async with running(again) as house:
        with pytest.raises(WrongKey):
            await sit(me, f"127.0.0.1:{port}", tls=True)
        assert KnownServers(me).forget(f"127.0.0.1:{port}")
        with pytest.raises(JoinRefused) as refused:
            await sit(me, f"127.0.0.1:{port}", tls=True)
        assert refused.value.code == "name_taken"
        said = await house.table.obey(partial(house.table.host_words.give_back, "Ann"))
        assert await sit(me, f"127.0.0.1:{port}", tls=True, password=word_in(said)) == 1
        assert await sit(me, f"127.0.0.1:{port}", tls=True) == 1
        assert house.table.state.view.chips() == 100


async def hand_on(port: int, heard: bytearray, stream: trio.SocketStream) -> None:
    """What a server does that tells the id and the nonce of another one and hands on whatever it hears."""

    async def pump(source: trio.SocketStream, target: trio.SocketStream, kept: bytearray) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in source:
                kept += data
                await target.send_all(data)
            await target.send_eof()

    async with stream, await trio.open_tcp_stream("127.0.0.1", port) as further, trio.open_nursery() as nursery:
        nursery.start_soon(pump, stream, further, heard)
        nursery.start_soon(pump, further, stream, bytearray())


async def test_trap_A35_a_server_with_a_foreign_id_gets_nothing_that_it_could_use(tmp_path: Path) -> None:
    me = tmp_path / "me"
    async with running(config(tmp_path / "server", games=("plainrazz",), players=3)) as house:
        here = f"127.0.0.1:{house.port}"
        assert await sit(me, here) == 1
        heard = bytearray()
        async with trio.open_nursery() as nursery:
            listeners = await nursery.start(
                partial(trio.serve_tcp, partial(hand_on, house.port, heard), 0, host="127.0.0.1")
            )
            there = f"127.0.0.1:{listeners[0].socket.getsockname()[1]}"
            with pytest.raises(JoinRefused) as refused:
                await sit(me, there)
            assert refused.value.code == "name_taken"
            nursery.cancel_scope.cancel()
        key = load_key(me)
        tokens = [seat_token(key, address, "main", "Ann") for address in (here, there)]
        assert tokens[1] in heard, "the token for the address that was typed is sent, as ever"
        assert tokens[0] not in heard
        assert token_digest(tokens[0]) not in heard
        # What it has heard is worth nothing on a connection of its own either.
        join = next(body for body in FrameDecoder(CLIENT_CAP).feed(bytes(heard)) if b"proofs" in body)
        message = decode_from_client(join)
        assert isinstance(message, msg.Join)
        assert len(message.proofs) == 1
        thief = await house.connect("Ann", message.token)
        await thief.send(message)
        assert (await thief.expect(msg.Rejected)).code == "name_taken"


async def proving(house: RunningServer, token: bytes, table: str = "main") -> tuple[WireClient, bytes]:
    """A client with another token, and the proof of that one for its connection."""
    client = await house.raw("Ann", secrets.token_bytes(32))
    await client.send(msg.Hello(PROTOCOL))
    welcome = await client.expect(msg.Welcome)
    assert isinstance(client.stream, trio.SocketStream)
    own, peer = client.stream.socket.getsockname(), client.stream.socket.getpeername()
    return client, token_proof(token_digest(token), table, channel(welcome.nonce, own, peer))


async def test_trap_A35_a_proof_counts_for_its_table_and_connection_only(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("plainrazz",), players=4)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        client, proof = await proving(house, ann.token)
        other, foreign = await proving(house, ann.token)
        _, elsewhere = await proving(house, ann.token, "den")
        junk = (b"", b"x" * 32, proof[:-1], foreign, elsewhere, ann.token, token_digest(ann.token))
        many = (b"x" * 32,) * MOST_PROOFS
        for proofs in ((), junk[:4], junk[4:], (*many, proof)):
            await client.send(msg.Join("Ann", client.token, "main", proofs=proofs))
            assert (await client.expect(msg.Rejected)).code == "name_taken"
        await client.send(msg.Join("Whatever", client.token, "main", proofs=(*many[1:], proof)))
        assert (await client.expect(msg.Joined)).seat == ann.seat
        assert house.table.state.tokens[ann.seat] == token_digest(ann.token), "the seat stays with its token"
        await other.send(msg.Join("Ann", ben.token, "main", proofs=(foreign,)))
        assert (await other.expect(msg.Joined)).seat == ben.seat, "a token goes before a proof"


async def test_trap_A35_a_proof_opens_a_table_with_a_password_as_a_token_does(tmp_path: Path) -> None:
    verifier = make_verifier("open sesame")
    async with running(config(tmp_path, games=("plainrazz",), players=4, password=verifier)) as house:
        ann = await house.connect("Ann")
        await ann.send(msg.Join("Ann", ann.token, "main", password="open sesame"))
        await ann.expect(msg.Joined)
        client, proof = await proving(house, ann.token)
        await client.send(msg.Join("Ann", client.token, "main"))
        assert (await client.expect(msg.Rejected)).code == "bad_password"
        await client.send(msg.Join("Ann", client.token, "main", proofs=(proof,)))
        await client.expect(msg.Joined)


async def test_trap_A35_kept_chips_come_back_by_a_proof(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("plainrazz",), players=4)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await ann.close()
        await ben.until(lambda view: bool(view.seats) and not view.seat(1).online)
        await house.table.obey(partial(house.table.host_words.free, "Ann"))
        client, proof = await proving(house, ann.token)
        await client.send(msg.Join("Ann", client.token, "main", proofs=(proof,)))
        assert (await client.expect(msg.Joined)).seat == 1
        assert not house.table.state.kept


async def test_trap_A35_with_encryption_the_key_says_who_the_server_is(tmp_path: Path) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        client = await house.raw("Ann")
        await client.send(msg.Hello(PROTOCOL))
        welcome = await client.expect(msg.Welcome)
        assert (welcome.server_id, welcome.nonce) == (b"", b"")
    assert not (tmp_path / FILE).exists()


async def test_the_id_is_kept_and_nonces_are_new(tmp_path: Path) -> None:
    told: list[msg.Welcome] = []
    for _ in range(2):
        async with running(config(tmp_path)) as house:
            for _ in range(2):
                client = await house.raw("Ann")
                await client.send(msg.Hello(PROTOCOL))
                told.append(await client.expect(msg.Welcome))
    assert {welcome.server_id for welcome in told} == {(tmp_path / FILE).read_bytes()}
    assert len({welcome.nonce for welcome in told}) == 4
    assert {len(welcome.nonce) for welcome in told} == {16}


async def test_a_server_whose_id_cannot_be_kept_plays_without_one(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir(parents=True)
    async with running(config(tmp_path, games=("plainrazz",), players=3)) as house:
        me = tmp_path / "me"
        assert await sit(me, f"127.0.0.1:{house.port}") == 1
        assert await sit(me, f"127.0.0.1:{house.port}") == 1
        assert not (me / PLAIN_SERVERS).exists()


async def test_trap_A35_without_a_channel_no_proof_counts(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(games=("plainrazz",), change="never", players=3)) as here:
        (ann,) = await here.seated("Ann")
        client = await here.connect("Ann", b"\7" * 32)
        await client.send(
            msg.Join("Ann", client.token, "main", proofs=(token_proof(token_digest(ann.token), "main", b""),))
        )
        assert (await client.expect(msg.Rejected)).code == "name_taken"


def seat_without_token(pipeline: Pipeline) -> None:
    """A player as in an imported session."""
    pipeline.decide(SitDown("Ann", 100, b""))


async def test_trap_A35_a_seat_without_a_token_is_nobodys(tmp_path: Path) -> None:
    place = SingleTable(tmp_path, games=("stud8",))
    pipeline = place.table.pipeline
    pipeline.do(seat_without_token, pipeline)
    guest = MemoryGuest("Ann")
    guest.channel = b"some connection"
    place.table.join(guest, msg.Join("Ann", guest.token, proofs=(token_proof(b"", "main", guest.channel),)))
    (answer,) = guest.inbox
    assert isinstance(answer, msg.Rejected)
    assert answer.code == "name_taken"
