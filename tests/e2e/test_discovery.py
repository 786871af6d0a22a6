"""Two machines on a network of their own: servers in one, `ryo find` and `ryo join` in the other."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from protocol.wire.discovery import ANSWER_PORT, DATAGRAM, DISCOVERY_PORT
from server.app.beacon import RATE
from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.limits import LIMIT
from tests.support.network import GUEST, HOST, Host, join_hosts, two_hosts
from tests.support.ryo_process import RyoProcess, RyoProcesses, quick_table

pytestmark = [pytest.mark.slow, needs_terminal]

TWO_TABLES = """
port = 7800
[[table]]
id = "den"
name = "The den"
games = ["razz"]
seats = 3
[[table]]
id = "cellar"
games = ["stud8"]
invite = 1
"""
EVENING = """
[[table]]
id = "main"
games = ["razz"]
first_is_host = true
start = 0.0
[table.clocks]
result = 600
"""
TAKES_THE_PORT = """
import socket, sys
taken = socket.socket(type=socket.SOCK_DGRAM)
taken.bind(("", int(sys.argv[1])))
print("taken", flush=True)
taken.recv(1)
while True:
    taken.recv(1)
"""
FLOODS = """
import socket, sys, time
from protocol.wire.discovery import DISCOVERY_PORT, encode_probe
asks = socket.socket(type=socket.SOCK_DGRAM)
asks.settimeout(1.0)
begun, answers, longest = time.monotonic(), 0, 0
for _ in range(3000):
    asks.sendto(encode_probe(bytes(16)), (sys.argv[1], DISCOVERY_PORT))
print("sent", flush=True)
while True:
    try:
        longest = max(longest, len(asks.recv(4096)))
    except TimeoutError:
        break
    answers += 1
print(3000, answers, time.monotonic() - begun, longest, flush=True)
"""
FORGES = """
import socket
from msgspec.structs import replace
from protocol.wire.codec import encode_value
from protocol.wire.discovery import Answer, TableHint, DISCOVERY_PORT, decode_probe
hears = socket.socket(type=socket.SOCK_DGRAM)
hears.bind(("", DISCOVERY_PORT))
print("ready", flush=True)
while True:
    datagram, source = hears.recvfrom(513)
    nonce = decode_probe(datagram).nonce
    table = TableHint("main", "\\x1b[2JKitchen\\u202e table", "Razz\\x07", 7, 2)
    good = Answer(nonce, 1, (1, 1), "0.1.0", "a" * 52, (table,))
    forged = [
        replace(good, nonce=bytes(16), port=2), replace(good, port=70000), replace(good, fp="short", port=3),
        replace(good, port=4, tables=(replace(table, table="../../etc"),)), replace(good, port=5, server="x" * 600),
    ]
    for answer in [*map(encode_value, forged), b"", b"\\x00" * 400, encode_value(good)[:-4], encode_value(good)]:
        hears.sendto(answer, source)
"""
LOOKING = {"RYO_LAN": "true"}


@pytest.fixture
def hosts() -> Iterator[tuple[Host, Host]]:
    with two_hosts() as both:
        yield both


def serve(ryo: RyoProcesses, host: Host, home: Path, *arguments: str) -> tuple[RyoProcess, str]:
    """A server that listens, and its first join link."""
    server = ryo.start(home, "serve", *arguments, inside=host.inside, **LOOKING)
    return server, server.line("ryo join ").removeprefix("ryo join ").strip().strip('"')


def find(ryo: RyoProcesses, host: Host, home: Path) -> list[dict[str, Any]]:
    """What a search finds there."""
    done = ryo.run(home, "find", "--format", "json", inside=host.inside)
    assert done.code == (0 if done.out.strip() != "[]" else 1), done
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


def found_at(ryo: RyoProcesses, host: Host, home: Path) -> set[tuple[str, str]]:
    """Address and table of everything that a search finds there."""
    return {(one["address"], one["table"]) for one in find(ryo, host, home)}


def test_ux_4_3_every_table_of_every_server_is_found(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    (tmp_path / "two.toml").write_text(TWO_TABLES)
    _, link = serve(ryo, host, tmp_path / "a")
    serve(ryo, host, tmp_path / "b", "--config", str(tmp_path / "two.toml"))
    serve(ryo, host, tmp_path / "c", "--port", "7801", "--no-lan")
    tables = {(7719, "main"), (7800, "den"), (7800, "cellar")}
    found = find(ryo, guest, tmp_path / "guest")
    assert {(one["address"], one["table"]) for one in found} == {(f"{HOST}:{port}", table) for port, table in tables}
    shown = {one["table"]: one for one in found}
    assert link.endswith(shown["main"]["fingerprint"][:26])
    assert (shown["den"]["name"], shown["den"]["free"], shown["den"]["seats"]) == ("The den", 3, 3)
    assert (shown["den"]["invite"], shown["cellar"]["invite"], shown["cellar"]["password"]) == (False, True, False)
    assert all(one["fits"] and not one["known"] for one in found)
    own = found_at(ryo, host, tmp_path / "guest")
    assert own == {(f"127.0.0.1:{port}", table) for port, table in tables}, "once, by loopback"
    host.run("ip address del 10.9.8.1/24 dev net0")
    assert found_at(ryo, guest, tmp_path / "guest") == {
        (f"[fe80::a09:801%net0]:{port}", table) for port, table in tables
    }  # fmt: skip


def test_a_found_server_is_joined_without_an_address(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    _, link = serve(ryo, host, tmp_path / "a")
    key = link.partition("fp=")[2]
    join = ("join", "--plain", "--name", "Ann")
    with on_terminal(tmp_path, *join, inside=guest.inside, **LOOKING) as child:
        child.expect(f" 1 main .* 8 of 8 seats free.*{HOST}:7719 .* key {key}, new to you")
        child.expect(r"Which one \[1\]")
        child.sendline("2")
        child.expect("A number from 1 to 1")
        child.sendline("")
        child.expect(f"First visit to {HOST}:7719. Its key begins with[ \r\n]+{key}")
        child.expect(r"Sit down with 100 chips, as Ann\?")
        child.sendline("")
        child.expect("you are Ann in seat 1")
        child.sendline("/quit")
        assert ended(child) == 0
    with on_terminal(tmp_path, *join, inside=guest.inside, **LOOKING) as child:
        child.expect(f"To {HOST}:7719, where you were last")  # the only one that there is
        child.expect("you are Ann in seat 1")
        child.sendline("/quit")
        assert ended(child) == 0
    serve(ryo, host, tmp_path / "b", "--port", "7800")
    with on_terminal(tmp_path, *join, inside=guest.inside, **LOOKING) as child:
        child.expect(f"{HOST}:7719 .* known, where you were last.*{HOST}:7800 .* new to you")
        child.expect(r"Which one \[1\]")
        child.sendline("")
        child.expect("you are Ann in seat 1")
        child.sendline("/quit")
        assert ended(child) == 0


def test_two_machines_play_and_nobody_types_an_address(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    serve(ryo, host, tmp_path / "a", *quick_table(tmp_path, "razz"))
    ann = on_terminal(tmp_path / "ann", "join", "--plain", "--yes", "--name", "Ann", inside=guest.inside, **LOOKING)
    ben = on_terminal(tmp_path / "ben", "join", "--plain", "--yes", "--name", "Ben", inside=host.inside, **LOOKING)
    with ann as guest_screen, ben as host_screen:
        for screen, address in ((guest_screen, HOST), (host_screen, "127.0.0.1")):
            screen.expect(f"{address}:7719 .* new to you")
            screen.expect(r"Which one \[1\]")
            screen.sendline("")
        for screen in (guest_screen, host_screen):
            screen.expect("Hand 1")
            screen.sendline("/quit")
            assert ended(screen) == 0


def test_two_machines_play_an_evening_with_a_pause_and_nobody_types_an_address(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    """Two whole hands through the real programs; the first player is the host, and pauses the table between them."""
    host, guest = hosts
    settings = tmp_path / "evening.toml"
    settings.write_text(EVENING)
    serve(ryo, host, tmp_path / "a", "--config", str(settings))
    ann = on_terminal(tmp_path / "ann", "join", "--plain", "--yes", "--name", "Ann", inside=host.inside, **LOOKING)
    ben = on_terminal(tmp_path / "ben", "join", "--plain", "--yes", "--name", "Ben", inside=guest.inside, **LOOKING)
    with ann as first, ben as second:
        for screen, seat in ((first, "Ann in seat 1"), (second, "Ben in seat 2")):
            screen.expect(r"Which one \[1\]")
            screen.sendline("")
            screen.expect(f"you are {seat}")
        play_hand(first, second)
        first.sendline("/pause dinner")
        second.expect("Ann pauses the table: dinner")
        first.sendline("/resume")
        for screen in (first, second):
            screen.expect("Ann lets the table go on")
            screen.sendline("/next")
        play_hand(first, second)
        for screen in (first, second):
            screen.sendline("/quit")
            screen.expect("Tonight: 2 hands")
            assert ended(screen) == 0
    for home in ("ann", "ben"):
        told = ryo.run(tmp_path / home, "hands", "--format", "json")
        assert len(told.out.splitlines()) == 2, told
    told = ryo.run(tmp_path / "a", "ledger", "--format", "json")
    assert sum(account["net"] for account in json.loads(told.out)["accounts"]) == 0


def play_hand(*screens: "pexpect.spawn[str]") -> None:
    """One hand to its end: everybody turns up the first card, and checks or calls."""
    must, may, chooses, over = (
        r"Your turn: b bring in",
        "Your turn: ",
        "Choose a card to turn up",
        r"You: [+-]?\d+, you",
    )
    waiting, end = list(screens), time.monotonic() + 3 * LIMIT
    while waiting:
        assert time.monotonic() < end, [screen.before for screen in waiting]
        for screen in list(waiting):
            match screen.expect([pexpect.TIMEOUT, over, chooses, must, may], timeout=0.2):
                case 1:
                    waiting.remove(screen)
                case 0:
                    pass
                case asked:
                    screen.sendline("1bc"[asked - 2])


def test_a_server_that_has_moved_is_known_by_its_key_and_keeps_the_seat(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    server, link = serve(ryo, host, tmp_path / "a")
    ryo.run(tmp_path / "guest", "join", link, "--plain", "--name", "Ann", "--chips", "77", inside=guest.inside)
    server.kill()
    host.run("ip address del 10.9.8.1/24 dev net0", "ip address add 10.9.8.9/24 brd + dev net0")
    serve(ryo, host, tmp_path / "a")
    with on_terminal(tmp_path / "guest", "join", "--plain", inside=guest.inside, **LOOKING) as child:
        child.expect(f"10.9.8.9:7719 .* known from[ \r\n]+{HOST}:7719, where you were last")
        child.expect(r"Which one \[1\]")
        child.sendline("")
        child.expect(f"has the key of[ \r\n]+{HOST}:7719, which you know")
        child.expect("you are Ann in seat 1")
        child.expect("Ann 77")
        child.sendline("/quit")
        assert ended(child) == 0


def test_fault_15_without_a_network_the_reason_is_said(ryo: RyoProcesses, tmp_path: Path) -> None:
    with two_hosts(joined=False) as (alone, _):
        done = ryo.run(tmp_path, "find", inside=alone.inside)
        assert done.code == 1
        assert "No network interface is up" in done.err
        assert "join line" in done.err
        with on_terminal(tmp_path, "join", inside=alone.inside, **LOOKING) as child:
            child.expect("Where to.*No server answered")
            assert ended(child) == 2


def test_fault_15_an_interface_that_comes_later_needs_no_new_start(ryo: RyoProcesses, tmp_path: Path) -> None:
    with two_hosts(joined=False) as (host, guest):
        serve(ryo, host, tmp_path / "a")
        assert found_at(ryo, host, tmp_path) == {("127.0.0.1:7719", "main")}
        join_hosts(host, guest)
        assert found_at(ryo, guest, tmp_path) == {(f"{HOST}:7719", "main")}


def test_fault_15_a_firewall_at_the_guest_needs_one_rule(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    _, link = serve(ryo, host, tmp_path / "a")
    guest.drop_udp("net0")
    done = ryo.run(tmp_path, "find", inside=guest.inside)
    assert (done.code, done.out) == (1, "")
    assert f"Probes went out on net0 ({GUEST})" in done.err
    guest.run(f"ip rule add pref 40 iif net0 ipproto udp dport {ANSWER_PORT} lookup local")
    assert found_at(ryo, guest, tmp_path) == {(f"{HOST}:7719", "main")}
    assert ryo.run(tmp_path, "watch", link, "--plain", inside=guest.inside).code == 0


def test_fault_15_where_no_probe_can_be_sent_the_systems_reason_is_said(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    serve(ryo, host, tmp_path / "a")
    for ip in ("ip", "ip -6"):
        guest.run(f"{ip} rule add pref 100 lookup local", f"{ip} rule del pref 0", f"{ip} rule add pref 50 prohibit")
    done = ryo.run(tmp_path, "find", inside=guest.inside)
    assert (done.code, done.out) == (1, "")
    assert "None could be sent on net0: " in done.err


def test_fault_15_a_firewall_at_the_host_leaves_the_join_line(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    _, link = serve(ryo, host, tmp_path / "a")
    host.drop_udp("net0")
    assert find(ryo, guest, tmp_path) == []
    assert ryo.run(tmp_path, "watch", link, "--plain", inside=guest.inside).code == 0


def test_fault_14_a_port_that_another_program_keeps_costs_the_search_only(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    with host.python(TAKES_THE_PORT, str(DISCOVERY_PORT)):
        server, link = serve(ryo, host, tmp_path / "a")
        assert find(ryo, guest, tmp_path) == []
        assert ryo.run(tmp_path, "watch", link, "--plain", inside=guest.inside).code == 0
        server.popen.terminate()
        assert server.finish() == 0
    assert "lan.none" in server.err


def test_fault_16_a_flood_of_probes_gets_twenty_answers_a_second_and_stops_nobody(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    _, link = serve(ryo, host, tmp_path / "a")
    with guest.python(FLOODS, HOST) as flood:
        assert ryo.run(tmp_path, "watch", link, "--plain", inside=guest.inside).code == 0
        assert flood.stdout is not None
        sent, answers, seconds, longest = map(float, flood.stdout.readline().split())
    assert sent == 3000
    assert 1 <= answers <= RATE + RATE * seconds + 1
    assert longest <= DATAGRAM
    assert found_at(ryo, guest, tmp_path) == {(f"{HOST}:7719", "main")}


def test_fault_16_forged_and_damaged_answers_are_hints_or_nothing(
    hosts: tuple[Host, Host], ryo: RyoProcesses, tmp_path: Path
) -> None:
    host, guest = hosts
    with host.python(FORGES):
        done = ryo.run(tmp_path, "find", inside=guest.inside)
        assert done.code == 0
        assert "\x1b" not in done.out
        assert [line for line in done.out.splitlines() if "seats" in line] == [
            "Kitchen table · Razz · 2 of 7 seats free"
        ]
        with on_terminal(tmp_path, "join", "--plain", "--name", "Ann", inside=guest.inside, **LOOKING) as child:
            child.expect(r"Which one \[1\]")
            child.sendline("")
            child.expect(f"Cannot connect to {HOST}:1: nobody listens there")
            assert ended(child) == 3
