"""Where probes go, and which of several answers are one server."""

import socket

from msgspec.structs import replace

from client.connection.address import Address
from client.connection.search import FoundServer, each_once, targets_of
from protocol.wire.discovery import Answer, TableHint
from server.net.own_addresses import InterfaceAddress

ANSWER = Answer(bytes(16), 7719, (1, 1), "0.1.0", "a" * 52, (TableHint("main"),))
OWN = {"127.0.0.1", "10.0.0.9", "172.17.0.1", "fe80::9%eth0"}


def at(*hosts: str, answer: Answer = ANSWER) -> list[FoundServer]:
    return [FoundServer(Address(host, answer.port), answer) for host in hosts]


def test_probes_go_to_the_broadcast_address_of_every_network_and_to_the_group_on_every_link() -> None:
    (lo,) = [name for _, name in socket.if_nameindex() if name.startswith("lo")][:1]
    targets = targets_of(
        [
            InterfaceAddress(lo, socket.AF_INET, "127.0.0.1", "127.255.255.255"),
            InterfaceAddress("eth0", socket.AF_INET, "10.0.0.9", "10.0.0.255"),
            InterfaceAddress("tun0", socket.AF_INET, "10.9.9.9"),
            InterfaceAddress(lo, socket.AF_INET6, "::1"),
            InterfaceAddress(lo, socket.AF_INET6, f"fe80::9%{lo}"),
            InterfaceAddress("gone0", socket.AF_INET6, "fe80::9%gone0"),
        ]
    )
    assert [target.address for target in targets] == [
        ("127.255.255.255", 7719),
        ("10.0.0.255", 7719),
        ("ff12::8000:7719", 7719, 0, socket.if_nametoindex(lo)),
    ]


def test_a_server_of_this_machine_is_one_by_whatever_address_it_answers() -> None:
    assert each_once(at("172.17.0.1", "fe80::9%eth0", "127.0.0.1", "10.0.0.9"), OWN) == at("127.0.0.1")
    assert each_once(at("10.0.0.9", "172.17.0.1"), OWN) == at("10.0.0.9")
    other = replace(ANSWER, port=7800)
    assert len(each_once([*at("127.0.0.1"), *at("127.0.0.1", answer=other)], OWN)) == 2


def test_another_server_is_named_by_ipv4_rather_than_by_ipv6() -> None:
    assert each_once(at("fe80::5%eth0", "10.0.0.5"), OWN) == at("10.0.0.5")
    assert each_once(at("fe80::5%eth0"), OWN) == at("fe80::5%eth0")


def test_a_forged_answer_hides_no_server_of_the_network() -> None:
    assert each_once(at("10.0.0.66", "10.0.0.5"), OWN) == at("10.0.0.5", "10.0.0.66")
    assert each_once(at("10.0.0.5", "127.0.0.1"), OWN) == at("127.0.0.1", "10.0.0.5")
    assert each_once(at("fe80::66%eth0", "10.0.0.5"), OWN) == at("10.0.0.5")
