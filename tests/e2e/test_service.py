"""The program as a service: news for systemd, sockets that it is handed, process number 1, restrictions."""

import socket
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from tests.support.limits import LIMIT
from tests.support.loopback_server import WireClient
from tests.support.server_process import ServerProcess
from tests.support.systemd import Listener, handing_over

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="services of POSIX"),
]

QUICK = """
plain_tcp = true
[limits]
rate = 1e6
burst = 1e6
[[table]]
id = "main"
games = ["plainrazz"]
change = "never"
start = 0.0
[table.clocks]
result = 0
"""


async def play(port: int, hands: int, names: tuple[str, ...] = ("Ann", "Ben")) -> None:
    """They come, or come back, play until that many hands are over, and hang up."""
    async with AsyncExitStack() as stack:
        players = []
        for name in names:
            stream = await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port))
            players.append(WireClient(stream, name))
        for player in players:
            await player.send(msg.Hello(PROTOCOL, "test"))
            await player.expect(msg.Welcome)
            await player.join()
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.play, hands)


async def test_guests_who_come_while_the_server_starts_again_wait_at_the_socket_of_systemd(tmp_path: Path) -> None:
    systemd = Listener(tmp_path / "notify")
    with trio.fail_after(LIMIT), socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        one = ServerProcess(
            tmp_path / "data",
            QUICK,
            environment={"NOTIFY_SOCKET": str(systemd.path), "WATCHDOG_USEC": "3000000"},
            wrapper=handing_over(listening),
            handed_over=[listening.fileno()],
        )
        try:
            assert await one.start() == port
            await systemd.until("READY=1")
            await systemd.until("WATCHDOG=1")
            await play(port, 1)
            assert await one.stop() == 0
            assert "STOPPING=1" in systemd.read()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play, port, 2)  # the system lets them in, and they are answered later
                await one.start()
        finally:
            await one.clean_up()
            systemd.close()
