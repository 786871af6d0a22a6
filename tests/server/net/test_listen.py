"""The addresses that a host is told are those by which guests come in (trap A33)."""

import pytest

from server.net.own_addresses import in_order
from tests.support.network import in_network

TOLD = """
from server.net.listen import listen, reachable_addresses
sockets = listen({bind!r}, 0)
port = str(sockets[0].getsockname()[1])
for address in reachable_addresses(sockets):
    print(address.replace(port, "PORT"))
"""
WIRE = ("link add d0 type veth peer name d1", "link set d1 up", "link set d0 addrgenmode none", "link set d0 up")
IPV4 = "address add 10.9.8.7/24 dev d0"
IPV6 = "address add fd99::7/64 dev d0 nodad"
LINK_LOCAL = "address add fe80::7/64 dev d0 nodad"
DOWN = ("link add e0 type veth peer name e1", "address add 10.1.1.1/24 dev e0")


@pytest.mark.parametrize(
    ("bind", "setup", "told"),
    [
        ("", (), ["127.0.0.1:PORT", "[::1]:PORT"]),
        ("::", (), ["[::1]:PORT"]),
        ("", (*WIRE, IPV4), ["10.9.8.7:PORT"]),
        ("", (*WIRE, IPV4, *DOWN), ["10.9.8.7:PORT"]),
        ("", (*WIRE, IPV4, LINK_LOCAL), ["10.9.8.7:PORT", "[fe80::7%d0]:PORT"]),
        ("::", (*WIRE, IPV4, LINK_LOCAL, IPV6), ["[fd99::7]:PORT", "[fe80::7%d0]:PORT"]),
        ("fe80::7%d0", (*WIRE, LINK_LOCAL), ["[fe80::7%d0]:PORT"]),
        ("127.0.0.1", (*WIRE, IPV4), ["127.0.0.1:PORT"]),
    ],
)
def test_trap_A33_every_address_that_guests_can_reach_is_told(
    bind: str, setup: tuple[str, ...], told: list[str]
) -> None:
    printed = in_network(*setup, code=TOLD.format(bind=bind)).split()
    assert [line for line in printed if "fe80::" not in line or line in told] == told


JOINED = """
import tempfile
from pathlib import Path
from tests.support.ryo_process import RyoProcess, environment
from tests.support.limits import LIMIT
home = Path(tempfile.mkdtemp())
serve = ("serve", "--bind", "::", "--port", "0", "--data-dir", str(home / "server"))
server = RyoProcess("client", serve, environment(home))
try:
    link = server.line("%d0").split()[-1]
    for written in (link, link.replace("%", "%25")):
        guest = RyoProcess("client", ("watch", "--plain", written), environment(home / "guest"))
        try:
            print(guest.line("you are watching").strip() or "?")
        finally:
            guest.popen.kill()
            guest.popen.wait(LIMIT)
finally:
    server.popen.kill()
    server.popen.wait(LIMIT)
"""


@pytest.mark.slow
def test_trap_A33_a_printed_link_with_a_zone_is_joined() -> None:
    assert len(in_network(*WIRE, LINK_LOCAL, code=JOINED).splitlines()) == 2


def test_link_local_addresses_come_last_and_loopback_never() -> None:
    assert in_order(["fe80::1%eth0", "127.0.0.1", "::1", "10.0.0.1", "fd00::1", "169.254.9.9"]) == [
        "10.0.0.1",
        "fd00::1",
        "fe80::1%eth0",
        "169.254.9.9",
    ]
