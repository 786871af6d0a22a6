"""The limits on connections (`docs/hosting.md`)."""

import pytest

from server.admission.door import Door
from server.config.limits import Limits


@pytest.mark.parametrize(
    ("limits", "addresses", "greeted"),
    [
        (Limits(connections=3), ["a", "b", "c", "d"], True),
        (Limits(per_address=3), ["a", "a", "a", "a"], True),
        (Limits(greeting=3), ["a", "b", "c", "d"], False),
    ],
    ids=["connections", "per address", "greeting"],
)
def test_a_fourth_connection_is_refused_until_one_of_three_leaves(
    limits: Limits, addresses: list[str], greeted: bool
) -> None:
    door = Door(limits)
    for address in addresses[:3]:
        assert door.admit(address) == ""
        if greeted:
            door.greeted()
    refusal = door.admit(addresses[3])
    assert refusal.endswith(".")
    assert door.inside == 3
    door.leave(addresses[0], greeted)
    assert door.admit(addresses[3]) == ""


def test_an_address_that_has_left_is_forgotten() -> None:
    door = Door(Limits(per_address=1))
    for _ in range(3):
        assert door.admit("2001:db8::1") == ""
        door.leave("2001:db8::1", greeted=False)
    assert (door.inside, door.greeting) == (0, 0)
