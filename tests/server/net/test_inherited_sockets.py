"""Sockets that were opened for the server: taken if they listen, else refused with a sentence."""

import os
import sys

import pytest

from server.net.inherited_sockets import inherited_sockets
from tests.support.child_python import in_child

IN_CHILD = """
import os, socket
from server.errors import ConfigError
from server.net.inherited_sockets import inherited_sockets
{setup}
os.dup2(sock.fileno(), 3)
environment = {{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "ryo.socket"}}
try:
    (taken,) = inherited_sockets(environment)
    print(taken.getsockname() == sock.getsockname(), taken.getblocking(), taken.get_inheritable(), environment)
except ConfigError as error:
    print(error)
"""
LISTENING = 'sock = socket.create_server(("127.0.0.1", 0))'
V6 = "sock = socket.socket(socket.AF_INET6); sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, {only}); "
V6 += 'sock.bind(("::", 0)); sock.listen()'


@pytest.mark.skipif(sys.platform == "win32", reason="Windows hands over no sockets like this")
@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (LISTENING, "True False False {}"),
        (V6.format(only=1), "True False False {}"),
        (
            V6.format(only=0),
            "The socket that was handed over as file descriptor 3 takes IPv6 and IPv4: the socket unit needs "
            "BindIPv6Only=ipv6-only and a line for each.",
        ),
        (
            "sock = socket.socket()",
            "The socket that was handed over as file descriptor 3 does not listen: the socket unit needs Accept=no.",
        ),
        (
            "sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
            "The socket that was handed over as file descriptor 3 is not one for TCP.",
        ),
        (
            'sock = open(os.devnull, "rb")',
            "File descriptor 3, which was handed over, is no socket: Socket operation on non-socket.",
        ),
    ],
    ids=["IPv4", "IPv6", "both", "not listening", "UDP", "a file"],
)
def test_a_socket_that_was_handed_over(setup: str, said: str) -> None:
    assert in_child(IN_CHILD.format(setup=setup)) == [said]


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LISTEN_PID": str(os.getpid())},
        {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "0"},
        {"LISTEN_PID": str(os.getpid() + 1), "LISTEN_FDS": "1"},
        {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "many"},
    ],
)
def test_what_was_not_handed_over_to_us_is_not_ours(environment: dict[str, str]) -> None:
    assert inherited_sockets(environment) is None
    assert environment == {}
