"""How a table that was found is listed, and why nothing was found."""

import pytest

from client.cli.found import FoundTable, as_json, describe, in_container, left_out, why_nothing
from client.connection.address import Address
from client.connection.search import FoundServer, Search
from protocol.wire.discovery import Answer, TableHint

KEY, OTHER = "a" * 52, "b" * 52
SHOWN = "a" * 26
KITCHEN = TableHint("main", "Kitchen table", "Razz", 7, 5)
WHERE = Address("10.0.0.5")


@pytest.mark.parametrize(
    ("known", "elsewhere", "fp", "told"),
    [
        ("", "", KEY, f"key {SHOWN}, new to you"),
        (KEY, "", KEY, f"key {SHOWN}, known"),
        (OTHER, "", KEY, f"key {SHOWN}, NOT the one that you know"),
        ("", "10.0.0.4:7719", KEY, f"key {SHOWN}, known from 10.0.0.4:7719"),
        ("", "", "", "not encrypted (--plain-tcp)"),
        (OTHER, "", "", "NOT the key that you know"),
    ],
)
def test_the_key_is_shown_with_what_is_known_of_it(known: str, elsewhere: str, fp: str, told: str) -> None:
    found = FoundTable(WHERE, fp, KITCHEN, True, "0.1.0", known, elsewhere)
    assert describe(found) == ("Kitchen table · Razz · 5 of 7 seats free", f"10.0.0.5:7719 · {told}")


def test_what_keeps_a_guest_out_is_in_the_list() -> None:
    locked = TableHint("main", "Den", "", 7, 0, password=True, invite=True)
    found = FoundTable(WHERE, KEY, locked, False, "0.9.0", "", "")
    assert describe(found)[0] == "Den · no seat free · password or invitation · another version (0.9.0)"
    assert (as_json(found)["fits"], as_json(found)["known"]) == (False, False)


def test_tables_that_had_no_room_in_the_answer_are_counted() -> None:
    full = Answer(bytes(16), 7719, (1, 1), fp=KEY, tables=(KITCHEN,), more=3)
    servers = [FoundServer(WHERE, full), FoundServer(Address("h", 1), Answer(bytes(16), 1, (1, 1)))]
    assert left_out(servers) == [
        "10.0.0.5:7719 has 3 more tables: ryo join 10.0.0.5:7719",
        "h:1 has no table that is open.",
    ]


def test_why_nothing_was_found() -> None:
    search = Search(asked={"eth0": "10.0.0.9"}, refused={"wlan0": "Operation not permitted"})
    told = why_nothing(search, container=False)
    assert "Probes went out on eth0 (10.0.0.9) and on loopback." in told
    assert "None could be sent on wlan0: Operation not permitted." in told
    assert "UDP port 7719 at the host and UDP port 7720 here" in told
    assert "container" in why_nothing(search, container=True)
    assert "bridge" in why_nothing(Search(asked={"docker0": "172.17.0.1"}), container=False)
    assert "No network interface is up" in why_nothing(Search(), container=False)
    assert in_container({"container": "podman"})
