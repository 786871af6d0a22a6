"""The outer skin's counters: connections, frames, chat (`docs/hosting.md`)."""

import pytest

from server.config.limits import Bucket, Door, Limits


def test_a_bucket_gives_its_burst_at_once_and_its_rate_after_that() -> None:
    bucket = Bucket(rate=2.0, burst=3.0, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(100.4)
    assert bucket.take(100.6)
    assert not bucket.take(100.6)


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = Bucket(rate=1.0, burst=2.0, now=0.0)
    assert [bucket.take(1000.0) for _ in range(3)] == [True, True, False]


def test_a_flood_does_not_dig_a_hole_that_takes_time_to_fill() -> None:
    bucket = Bucket(rate=1.0, burst=1.0, now=0.0)
    assert bucket.take(0.0)
    assert not any(bucket.take(0.1) for _ in range(1000))
    assert bucket.take(1.2)


@pytest.mark.parametrize(
    ("limits", "addresses", "greeted"),
    [
        (Limits(connections=3), ["a", "b", "c", "d"], True),
        (Limits(per_address=3), ["a", "a", "a", "a"], True),
        (Limits(greeting=3), ["a", "b", "c", "d"], False),
    ],
    ids=["connections", "per address", "greeting"],
)
def test_the_fourth_of_three_stays_outside_until_one_leaves(
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
