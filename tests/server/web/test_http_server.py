"""The small HTTP server: what it answers, and what slow and hostile clients get."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import structlog
import trio
from trio.testing import MemoryReceiveStream, MockClock, memory_stream_pair

from server.app.operator_log import silent
from server.web.http_server import AT_ONCE, LONGEST_HEAD, WITHIN, HttpServer, Request, Response
from tests.support.limits import LIMIT

Pair = trio.StapledStream[trio.abc.SendStream, MemoryReceiveStream]


async def respond(request: Request) -> Response:
    await trio.lowlevel.checkpoint()
    if request.path == "/broken":
        raise ValueError
    return Response(200, f"{request.path} {request.headers.get('x-who', 'nobody')}\n".encode())


@asynccontextmanager
async def serving(server: HttpServer | None = None) -> AsyncIterator[trio.Nursery]:
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            yield nursery
            nursery.cancel_scope.cancel()


async def exchange(server: HttpServer, *pieces: bytes) -> bytes:
    """Everything that a client is sent that sends these pieces."""
    async with serving() as nursery:
        ours, theirs = memory_stream_pair()
        nursery.start_soon(server.serve, theirs)
        for piece in pieces:
            await ours.send_all(piece)
            await trio.testing.wait_all_tasks_blocked()
        answer = b""
        while data := await ours.receive_some():
            answer += data
            if b"\r\n\r\n" in answer:
                await ours.send_eof()
        return answer


@pytest.mark.parametrize(
    ("sent", "status", "body"),
    [
        (b"GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-Who: Ann\r\n\r\n", b"200", b"/a Ann\n"),
        (b"GET /a HTTP/1.0\r\n\r\n", b"200", b"/a nobody\n"),
        (b"HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n", b"200", b""),
        (b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", b"405", b"Only GET is answered here.\n"),
        (b"GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n", b"200", b"/a nobody\n"),
        (b"GET /a HTTP/1.1\r\n\r\n", b"400", b"This is no request of HTTP.\n"),
        (b"\x16\x03\x01 what is this\r\n\r\n", b"400", b"This is no request of HTTP.\n"),
        (b"GET /" + b"a" * 2 * LONGEST_HEAD, b"431", b"This is no request of HTTP.\n"),
    ],
)
async def test_what_is_answered(sent: bytes, status: bytes, body: bytes) -> None:
    answer = await exchange(HttpServer(respond, silent()), sent)
    head, _, told = answer.partition(b"\r\n\r\n")
    assert head.split()[:2] == [b"HTTP/1.1", status]
    assert b"connection: close" in head.lower()
    assert told == body


async def test_a_request_in_pieces_is_one_request() -> None:
    request = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
    answer = await exchange(HttpServer(respond, silent()), *[request[at : at + 1] for at in range(len(request))])
    assert answer.endswith(b"\r\n\r\n/a nobody\n")


async def drip(stream: trio.abc.SendStream, drop: bytes) -> None:
    """Sends a little every second."""
    with suppress(trio.BrokenResourceError):
        while True:
            await stream.send_all(drop)
            await trio.sleep(1)


async def test_who_says_nothing_or_never_ends_is_cut_off(autojump_clock: MockClock) -> None:
    server = HttpServer(respond, silent())
    async with serving() as nursery:
        for drop in (b"", b"G"):
            ours, theirs = memory_stream_pair()
            began = trio.current_time()
            nursery.start_soon(server.serve, theirs)
            nursery.start_soon(drip, ours, drop)
            assert await ours.receive_some() == b""
            assert WITHIN <= trio.current_time() - began <= WITHIN + 1


async def test_a_crowd_pushes_out_its_own_oldest_and_others_are_answered(autojump_clock: MockClock) -> None:
    server = HttpServer(respond, silent())
    async with serving() as nursery:
        crowd = []
        for _ in range(3 * AT_ONCE):
            ours, theirs = memory_stream_pair()
            crowd.append(ours)
            nursery.start_soon(server.serve, theirs)
            await trio.testing.wait_all_tasks_blocked()
        assert len(server._open) == AT_ONCE
        assert b"/a nobody" in await exchange(server, b"GET /a HTTP/1.0\r\n\r\n")


async def test_a_client_that_goes_in_the_middle_and_a_mistake_of_ours_end_one_connection(
    autojump_clock: MockClock,
) -> None:
    with structlog.testing.capture_logs() as lines:
        server = HttpServer(respond, structlog.get_logger())
        async with serving() as nursery:
            ours, theirs = memory_stream_pair()
            nursery.start_soon(server.serve, theirs)
            await ours.send_all(b"GET /a HT")
            await ours.aclose()
            await trio.testing.wait_all_tasks_blocked()
        assert await exchange(server, b"GET /broken HTTP/1.0\r\n\r\n") == b""
        assert b"200" in await exchange(server, b"GET /a HTTP/1.0\r\n\r\n")
    assert [line["event"] for line in lines] == ["http.breach"]
