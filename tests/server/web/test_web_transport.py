"""Browsers at the port: HTTP for the page, a WebSocket for the table, beside our own clients on the same port."""

import contextlib
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from wsproto.events import BytesMessage, Ping, TextMessage

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import CLIENT_CAP, encode_frame
from protocol.wire.join_links import fingerprint
from server.admission.server_key import load_or_create, page_context
from server.config.config import Config
from server.config.web_mode import WebMode
from tests.support.dated_key import dated_pem
from tests.support.limits import LIMIT
from tests.support.loopback_server import FAST, WireClient, config, running
from tests.support.web_socket import WebSocketStream, browser_client, browser_stream, fetch, web_socket


def with_page(folder: Path, web: WebMode, *, tls: bool = True, **table: Any) -> Config:
    return msgspec.structs.replace(config(folder, tls=tls, **table), web=web).check()


@pytest.mark.parametrize(("web", "tls"), [("plain", False), ("plain", True), ("tls", True), ("tls", False)])
async def test_browsers_and_our_clients_play_at_one_table_through_one_port(
    tmp_path: Path, web: WebMode, tls: bool
) -> None:
    async with running(with_page(tmp_path, web, tls=tls, games=("stud8",))) as house:
        (ann,) = await house.seated("Ann")
        ben = await browser_client(house, "Ben", tls=web == "tls")
        await ben.join()
        await house.play([ann, ben], 3)
        assert ben.view.hand >= 3
        assert [seat.chips for seat in ben.view.seats] == [seat.chips for seat in ann.view.seats]


@pytest.mark.parametrize("web", ["plain", "tls"])
async def test_the_page_is_handed_out_with_a_policy_that_allows_nothing_foreign(tmp_path: Path, web: WebMode) -> None:
    async with running(with_page(tmp_path, web)) as house:
        stream = await browser_stream(house, tls=web == "tls")
        status, headers, body = await fetch(stream)
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "set-cookie" not in headers
        again, _, nothing = await fetch(stream, headers=[("If-None-Match", headers["etag"])])
        assert (again, nothing) == (304, b"")
        _, head, nothing = await fetch(stream, method="HEAD")
        assert (head["content-length"], nothing) == (str(len(body)), b"")
        assert (await fetch(stream, "/play.js"))[1]["content-type"] == "text/javascript; charset=utf-8"


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Origin": "http://127.0.0.1",
}


def but(**changes: str | None) -> dict[str, str]:
    """The headers of an upgrade, with changes; None leaves one out."""
    merged = {**UPGRADE, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return {name: value for name, value in merged.items() if value is not None}


@pytest.mark.parametrize(
    ("target", "method", "headers", "status"),
    [
        ("/nothing", "GET", {}, 404),
        ("/../pyproject.toml", "GET", {}, 404),
        ("/%2e%2e/site.py", "GET", {}, 404),
        ("/", "POST", {}, 405),
        ("/play", "GET", {}, 426),
        ("/play", "POST", UPGRADE, 405),
        ("/play", "GET", but(Sec_WebSocket_Version="8"), 426),
        ("/play", "GET", but(Sec_WebSocket_Key=None), 400),
        ("/play", "GET", but(Upgrade="h2c"), 426),
        ("/play", "GET", but(Connection="close"), 426),
        ("/play", "GET", but(Origin="http://evil.example"), 403),
        ("/play", "GET", but(Origin="null"), 403),
        ("/play", "GET", but(Origin=None), 403),
        ("/play", "GET", but(Origin="https://127.0.0.1"), 101),  # a proxy encrypts
        ("/play", "GET", but(Origin="ftp://127.0.0.1"), 403),
        ("/play", "GET", but(Origin="http://127.0.0.1:1"), 403),
        ("/play", "GET", but(Origin="http://evil.example", Host="evil.example"), 403),
        ("/play", "GET", but(Origin="http://127.0.0.1.evil.example", Host="127.0.0.1.evil.example"), 403),
        ("/play", "GET", UPGRADE, 101),
        ("/play?x=1", "GET", UPGRADE, 101),
        ("/play", "GET", but(Origin="http://[::1]:9", Host="[::1]:9"), 101),
        ("/play", "GET", but(Origin="http://LOCALHOST:9", Host="localhost:9"), 101),
        ("/play", "GET", but(Origin="http://cards.example", Host="cards.example"), 101),
    ],
)
async def test_every_request_has_one_answer_in_one_sentence(
    tmp_path: Path, target: str, method: str, headers: dict[str, str], status: int
) -> None:
    settings = msgspec.structs.replace(with_page(tmp_path, "plain"), web_names=("cards.example",))
    async with running(settings) as house:
        stream = await browser_stream(house)
        found, _, body = await fetch(stream, target, method=method, headers=headers.items())
        assert found == status
        if status >= 400:
            assert body.endswith(b".\n")
            assert body.count(b"\n") == 1
            assert await stream.receive_some(1) == b"", "an answer like this ends the connection"


async def test_an_encrypted_page_is_the_only_one_that_may_use_its_web_socket(tmp_path: Path) -> None:
    async with running(with_page(tmp_path, "tls")) as house:
        stream = await browser_stream(house, tls=True)
        assert (await fetch(stream, "/play", headers=UPGRADE.items()))[0] == 403
        stream = await browser_stream(house, tls=True)
        assert (await fetch(stream, "/play", headers=but(Origin="https://127.0.0.1").items()))[0] == 101


async def test_without_encryption_a_browser_is_sent_to_the_encrypted_page(tmp_path: Path) -> None:
    async with running(with_page(tmp_path, "tls")) as house:
        stream = await browser_stream(house)
        status, headers, _ = await fetch(stream, headers=[("Host", "cards.local:7719")])
        assert (status, headers["location"]) == (301, "https://cards.local:7719/")
        assert (await fetch(stream, headers=[("Host", "a b")]))[0] == 400


@pytest.mark.parametrize("tls", [False, True])
async def test_a_page_that_is_off_answers_nothing(tmp_path: Path, tls: bool) -> None:
    async with running(config(tmp_path, tls=True)) as house:
        stream = await browser_stream(house, tls=tls)
        with pytest.raises((trio.EndOfChannel, trio.BrokenResourceError)):
            await fetch(stream)
        assert house.server.strangers == 1


async def test_the_pinned_key_of_our_own_clients_stays_beside_a_certificate_of_a_name(tmp_path: Path) -> None:
    other = tmp_path / "page.pem"
    other.write_bytes(dated_pem(2020, 2040))
    settings = msgspec.structs.replace(with_page(tmp_path, "tls"), tls_cert=str(other))
    async with running(settings) as house:
        own, web = (await house.raw()).stream, await browser_stream(house, tls=True)
        assert isinstance(own, trio.SSLStream)
        assert isinstance(web, trio.SSLStream)
        assert own.getpeercert(binary_form=True) != web.getpeercert(binary_form=True)
        assert house.server.key is not None
        certificate = own.getpeercert(binary_form=True)
        assert certificate is not None
        assert fingerprint(certificate) == house.server.key.fingerprint


async def refused(stream: WebSocketStream) -> None:
    """The server ends the connection, whatever it says before."""
    with trio.fail_after(LIMIT), contextlib.suppress(trio.BrokenResourceError):
        while await stream.receive_some():
            pass


def masked(head: int, payload: bytes, length: bytes | None = None) -> bytes:
    """A frame of a browser: first byte, length, a mask of zeros, payload."""
    size = bytes([0x80 | len(payload)]) if length is None else length
    return bytes([head]) + size + bytes(4) + payload


TOO_LONG = (CLIENT_CAP + 100).to_bytes(2, "big")
ATTACKS: dict[str, Callable[[WebSocketStream], bytes]] = {
    "text": lambda s: s.socket.send(TextMessage("hello")),
    "compressed": lambda s: masked(0xC2, b"abc"),
    "no mask": lambda s: b"\x82\x01a",
    "a message over the cap": lambda s: masked(0x82, bytes(CLIENT_CAP + 100), b"\xfe" + TOO_LONG),
    "fragments over the cap": lambda s: masked(0x02, bytes(100)) + b"".join(
        [masked(0x00, bytes(125)) for _ in range(CLIENT_CAP // 100)]
    ),
    "empty frames": lambda s: masked(0x02, b"") + masked(0x00, b"") * 5000,
    "pings": lambda s: b"".join([s.socket.send(Ping(b"x" * 125)) for _ in range(5000)]),
    "a long control frame": lambda s: masked(0x89, bytes(200), b"\xfe\x00\xc8"),
    "an unknown kind of frame": lambda s: masked(0x83, b""),
    "a length of eight bytes": lambda s: masked(0x82, b"", b"\xff" + bytes([0x80]) + bytes(7)),
    "no frame of ours": lambda s: s.socket.send(BytesMessage(b"\xff\xff\xff\xff")),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
async def test_fault_98_an_attack_through_the_page_disturbs_no_table(tmp_path: Path, attack: str) -> None:
    settings = with_page(tmp_path, "plain", games=("razz",))
    async with running(settings) as house:
        (ann,) = await house.seated("Ann")
        ben = await browser_client(house, "Ben")
        await ben.join()
        mallory = await web_socket(house)
        with contextlib.suppress(trio.BrokenResourceError):
            await mallory.send_raw(ATTACKS[attack](mallory))
        await refused(mallory)
        await house.play([ann, ben], 1)


@pytest.mark.slow
async def test_fault_98_headers_that_do_not_end_and_requests_that_never_stop(tmp_path: Path) -> None:
    async with running(with_page(tmp_path, "plain")) as house:
        long = await browser_stream(house)
        await long.send_all(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9000)
        answer = b""
        while part := await long.receive_some():
            answer += part
        assert answer.startswith(b"HTTP/1.1 431 ")
        many = await browser_stream(house)
        asked = b"GET /msgpack.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100_000
        with pytest.raises(trio.BrokenResourceError):  # answers that nobody reads do not pile up
            await many.send_all(asked)


async def test_bytes_come_in_any_pieces(tmp_path: Path) -> None:
    async with running(with_page(tmp_path, "plain")) as house:
        stream = await web_socket(house)
        client = WireClient(stream)
        hello = encode_frame(msg.Hello(PROTOCOL, "page"))
        for byte in hello[:7]:
            await stream.send_all(bytes([byte]))
        for byte in stream.socket.send(BytesMessage(hello[7:])):
            await stream.send_raw(bytes([byte]))
        await client.expect(msg.Welcome)
        joined = encode_frame(msg.ListTables()) + encode_frame(msg.Ping(5))
        await stream.send_all(joined)
        await client.expect(msg.Tables)
        assert (await client.expect(msg.Pong)).n == 5


async def test_who_stands_at_the_port_and_asks_for_nothing_is_sent_away(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(FAST, hello=0.5)
    async with running(msgspec.structs.replace(with_page(tmp_path, "plain"), limits=limits)) as house:
        quiet = await browser_stream(house)
        status, _, _ = await fetch(quiet)
        assert status == 200
        assert await quiet.receive_some(1) == b""
        socket = await web_socket(house)
        await refused(socket)


def test_tls_of_a_browser_is_no_older_than_ours(tmp_path: Path) -> None:
    load_or_create(tmp_path)
    assert page_context(tmp_path, "", "").minimum_version is ssl.TLSVersion.TLSv1_3
