"""What a server answers to a program that looks for one on the network, and to whom."""

import contextlib
import re
import socket
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.wire.discovery import DATAGRAM, DISCOVERY_PORT, TableHint, decode_answer, encode_probe
from server.app.beacon import Beacon, is_near
from server.app.operator import Operator
from server.app.operator_log import silent
from server.config.passwords import make_verifier
from tests.support.loopback_server import RunningServer, config, running
from tests.support.network import in_network

NONCE = bytes(range(16))
KEY = "a" * 52


def asked(house: RunningServer, datagram: bytes, source: str = "192.168.1.7") -> bytes | None:
    return Beacon(house.server.lobby, KEY, house.port, silent()).answer(datagram, source)


async def test_an_answer_says_what_a_stranger_may_know(tmp_path: Path) -> None:
    verifier = make_verifier("secret word")
    settings = config(tmp_path, games=("stud8", "razz"), name="Kitchen\x07 table", password=verifier)
    async with running(settings) as house:
        datagram = asked(house, encode_probe(NONCE))
        assert datagram is not None
        answer = decode_answer(datagram, NONCE)
        assert (answer.port, answer.fp, answer.more) == (house.port, KEY, 0)
        (table,) = answer.tables
        assert table.name == "Kitchen table"
        assert (table.seats, table.free, table.password, table.invite) == (8, 8, True, False)
        assert b"secret" not in datagram


async def test_seats_that_somebody_has_are_not_free(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("razz",), seats=4)) as house:
        await house.seated("Ann")
        datagram = asked(house, encode_probe(NONCE))
        assert datagram is not None
        assert b"Ann" not in datagram
        assert decode_answer(datagram, NONCE).tables == (
            TableHint("main", "main", "Razz roll your own", 4, 3, stakes="ante 1, limits 2/4", buy_in=100),
        )


async def test_what_is_no_probe_gets_no_answer(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        for datagram in (b"", b"\0" * DATAGRAM, encode_probe(NONCE)[:-1], encode_probe(NONCE) + b"\0"):
            assert asked(house, datagram) is None


async def test_fault_16_addresses_of_the_internet_get_no_answer(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        assert asked(house, encode_probe(NONCE), "8.8.8.8") is None
        assert asked(house, encode_probe(NONCE), "fe80::1%eth0") is not None


@pytest.mark.parametrize(
    ("source", "near"),
    [
        ("127.0.0.1", True), ("10.1.2.3", True), ("192.168.0.9", True), ("172.16.3.4", True), ("169.254.1.1", True),
        ("100.64.0.1", True), ("fe80::1%eth0", True), ("fd00::1", True), ("::1", True),
        ("8.8.8.8", False), ("2606:4700::1111", False), ("nonsense", False),
    ],
)  # fmt: skip
def test_near_are_the_addresses_of_local_networks(source: str, near: bool) -> None:
    assert is_near(source) == near


LATER = """
import socket, subprocess
from protocol.wire.discovery import DISCOVERY_PORT, GROUP
from server.net.discovery_sockets import join_group, open_discovery_sockets
from server.net.listen import listen
listeners = listen("::", 0)
(way,) = open_discovery_sockets(listeners)
join_group([way])
subprocess.run("ip link add d0 type veth peer name d1 && ip link set d1 addrgenmode none && ip link set d0 up"
    " && ip link set d1 up && ip address add fe80::1/64 dev d1 nodad", shell=True, check=True)
asks = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
asks.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
way.hears.setblocking(True)
for joined in (False, True):
    if joined:
        join_group([way])
    asks.sendto(b"who is there", (GROUP, DISCOVERY_PORT, 0, socket.if_nametoindex("d1")))
    way.hears.settimeout(20.0 if joined else 0.2)
    try:
        print(way.hears.recv(99).decode())
    except TimeoutError:
        print("nothing")
"""


def test_fault_15_the_group_is_joined_on_an_interface_that_comes_later() -> None:
    assert in_network(code=LATER).splitlines() == ["nothing", "who is there"]


@pytest.mark.parametrize("way", ["lan", "no lan", "taken"])
async def test_the_status_says_whether_a_search_finds_the_server(tmp_path: Path, way: str) -> None:
    settings = replace(config(tmp_path), lan=way != "no lan")
    with contextlib.ExitStack() as stack:
        if way == "taken":  # by a program that shares the port with nobody
            taken = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            taken.bind(("", DISCOVERY_PORT))
        async with running(settings) as house:
            answer = await Operator(house.server, settings, silent()).obey(["status"])
    line = answer.text.splitlines()[3]
    if way == "lan":
        assert re.fullmatch(r"ryo find finds it on lo\d* \(UDP port 7719\)", line)
        assert answer.data["found_on"] in (["lo"], ["lo0"])
    elif way == "no lan":
        assert line == (
            "ryo find does not find it: that is switched off (lan = false, --no-lan); guests need the line below"
        )
    else:
        assert line.startswith("ryo find does not find it: UDP port 7719 cannot be had (")
        assert answer.data["found_on"] == []
