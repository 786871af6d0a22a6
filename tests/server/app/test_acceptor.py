"""Errors of accept(2): whatever the system says of one connection, the server takes the next one (fault 86)."""

import errno
import io
import os
import socket
from functools import partial
from pathlib import Path

import pytest
import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from server.app.operator_log import make_log
from server.app.server import Server
from tests.support.limits import LIMIT
from tests.support.loopback_server import WireClient, config


class TroubledListener(socket.socket):
    """A listening socket whose next accepts fail, as those of a kernel in trouble do."""

    troubles: list[int]

    def accept(self) -> tuple[socket.socket, object]:
        if self.troubles:
            number = self.troubles.pop(0)
            raise OSError(number, os.strerror(number))
        return super().accept()


def troubled(*troubles: int) -> TroubledListener:
    listener = TroubledListener()
    listener.troubles = list(troubles)
    listener.setblocking(False)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


LOST = [
    errno.ECONNABORTED, errno.EPERM, errno.EPROTO, errno.ENETDOWN, errno.ENOPROTOOPT, errno.EHOSTDOWN, errno.ENONET,
    errno.EHOSTUNREACH, errno.EOPNOTSUPP, errno.ENETUNREACH,
]  # fmt: skip
PAUSED = [errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.EIO, errno.EINVAL, errno.ENOSYS]


@pytest.mark.parametrize(("troubles", "paused"), [(LOST, 0), (PAUSED, len(PAUSED)), ([errno.EAGAIN, errno.EINTR], 0)])
async def test_fault_86_no_error_of_accept_ends_the_server(tmp_path: Path, troubles: list[int], paused: int) -> None:
    lines = io.StringIO()
    server = Server(config(tmp_path), make_log(lines, "info"))
    listener = troubled(*troubles)
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            await nursery.start(partial(server.run, listeners=[listener]))
            client = WireClient(await trio.open_tcp_stream("127.0.0.1", server.port))
            await client.send(msg.Hello(PROTOCOL))
            await client.expect(msg.Welcome)
            assert listener.troubles == []
            assert lines.getvalue().count("accept.paused") == paused
            await trio.aclose_forcefully(client.stream)
            server.stop()
