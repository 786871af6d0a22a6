"""The limits on connections (`docs/hosting.md`)."""

import pytest

from server.admission.door import Door
from server.config.limits import Limits


class Caller:
    """A connection from that address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.gone = False

    def make_room(self) -> None:
        self.gone = True


def arrived(door: Door, *addresses: str) -> list[Caller]:
    callers = [Caller(address) for address in addresses]
    for caller in callers:
        door.arrive(caller)
    return callers


@pytest.mark.parametrize(
    ("limits", "addresses"),
    [
        (Limits(connections=3), ["a", "b", "c", "d"]),
        (Limits(per_address=3), ["a", "a", "a", "a"]),
        (Limits(per_address=3), ["2001:db8::1", "2001:db8::2", "2001:db8::3%eth0", "2001:db8:0:0:ffff::4"]),
        (Limits(per_address=3), ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1", "::ffff:c000:201"]),
    ],
    ids=["connections", "per address", "neighbours", "the same address written otherwise"],
)
def test_a_fourth_connection_waits_until_one_of_three_leaves(limits: Limits, addresses: list[str]) -> None:
    door = Door(limits)
    callers = []
    for address in addresses[:3]:
        callers += arrived(door, address)
        assert door.admit(callers[-1]) == ""
    (fourth,) = arrived(door, addresses[3])
    assert door.admit(fourth).endswith(".")
    assert (door.inside, door.waiting) == (4, 1)
    door.leave(callers[0])
    assert door.admit(fourth) == ""
    assert door.admit(fourth) == ""
    assert (door.inside, door.waiting) == (3, 0)


def test_a_network_that_has_left_is_forgotten() -> None:
    door = Door(Limits(per_address=1))
    for _ in range(3):
        (caller,) = arrived(door, "2001:db8::1")
        assert door.admit(caller) == ""
        door.leave(caller)
        door.leave(caller)
    assert (door.inside, door.waiting) == (0, 0)


def test_fault_87_a_player_with_a_seat_comes_in_when_the_server_is_full() -> None:
    door = Door(Limits(connections=2, per_address=2))
    one, two, player = arrived(door, "a", "a", "a")
    assert one.gone
    assert door.admit(two) == ""
    (other,) = arrived(door, "b")
    assert door.admit(other) == ""
    assert door.admit(player) != ""
    door.admit_player(player)
    assert not door.waits(player)
    assert (door.inside, door.waiting) == (3, 0)


def test_fault_87_a_network_that_is_crowded_pushes_out_its_own_and_nobody_else() -> None:
    door = Door(Limits(greeting=64, per_address=2))
    strangers = arrived(door, "a", "a")
    crowd = arrived(door, "b", "b", "b")
    assert [one.gone for one in strangers] == [False, False]
    assert [one.gone for one in crowd] == [True, False, False]


def test_fault_87_the_oldest_of_the_most_crowded_network_makes_room() -> None:
    door = Door(Limits(greeting=4, per_address=10))
    guest, *crowd = arrived(door, "guest", "2001:db8::1", "2001:db8::2", "2001:db8::3", "other")
    assert [guest.gone, *[one.gone for one in crowd]] == [False, True, False, False, False]
    arrived(door, "2001:db8::5")
    assert [one.gone for one in crowd] == [True, True, False, False]
    assert not guest.gone
    assert door.waiting == 4


def test_fault_87_one_network_never_has_more_than_its_share_of_the_waiting() -> None:
    door = Door(Limits(greeting=64, per_address=3))
    crowd = arrived(door, *["a"] * 5)
    assert [one.gone for one in crowd] == [True, True, False, False, False]


def test_fault_87_the_first_time_limit_is_shorter_under_pressure() -> None:
    door = Door(Limits(greeting=4, hello=5.0))
    arrived(door, "a", "b")
    assert door.patience == 5.0
    arrived(door, "c")
    assert door.patience == 2.0
