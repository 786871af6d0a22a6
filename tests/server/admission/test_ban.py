"""What a ban is about, and what the banned read."""

from datetime import UTC, datetime, timedelta

import pytest

from server.admission.ban import Ban, Person, duration

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
TOKEN = b"\7" * 32


@pytest.mark.parametrize(
    ("ban", "person", "about"),
    [
        (Ban(name="Mallory"), Person(["Mallory"]), True),
        (Ban(name="Mallory"), Person(["mallory"]), True),
        (Ban(name="Mallory"), Person(["Ma1lory"]), True),  # the digit one
        (Ban(name="Mallory"), Person(["Мallory"]), True),  # the first letter is Cyrillic
        (Ban(name="Mallory"), Person(["Malory"]), False),
        (Ban(name="Mallory"), Person(["Ann", "Mallory"]), True),
        (Ban(name="Mallory"), Person(address="192.0.2.1"), False),
        (Ban(token=(TOKEN.hex(),)), Person(["Ann"], [TOKEN]), True),
        (Ban(token=(TOKEN.hex(),)), Person(["Ann"], [b"\x08" * 32]), False),
        (Ban(address="192.0.2.1"), Person(address="192.0.2.1"), True),
        (Ban(address="192.0.2.1"), Person(address="::ffff:192.0.2.1"), True),
        (Ban(address="192.0.2.1"), Person(address="192.0.2.2"), False),
        (Ban(address="192.0.2.0/24"), Person(address="192.0.2.2"), True),
        (Ban(address="2001:db8::/64"), Person(address="2001:db8::17"), True),
        (Ban(address="2001:db8::17"), Person(address="2001:db8::18%eth0"), True),  # one machine has 64 bits to itself
        (Ban(address="2001:db8::17"), Person(address="2001:db8:0:1::17"), False),
        (Ban(address="192.0.2.1"), Person(address="2001:db8::17"), False),
        (Ban(address="192.0.2.1"), Person(address="in memory"), False),
        (Ban(name="Mallory"), Person(), False),
    ],
)
def test_whom_a_ban_keeps_out(ban: Ban, person: Person, about: bool) -> None:
    assert ban.is_about(person) is about


@pytest.mark.parametrize(
    ("ban", "problem"),
    [
        (Ban(name="Mallory"), ""),
        (Ban(reason="rude"), "a ban needs a name, a token or an address"),
        (Ban(token=("xyz",)), "a token is the digest of one, in hexadecimal digits"),
        (Ban(address="the cellar"), "'the cellar' is no address and no network"),
        (Ban(name="Mallory", until=datetime(2026, 12, 1)), "until = 2026-12-01T00:00:00 needs a Z at its end, for UTC"),
    ],
)
def test_what_makes_no_sense_is_named(ban: Ban, problem: str) -> None:
    assert ban.problem() == problem


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "0 min"), (5, "5 min"), (60, "1 h"), (125, "2 h 5 min"), (1440, "1 day"), (2880 + 185, "2 days 3 h")],
)
def test_a_duration_in_its_two_largest_units(minutes: int, words: str) -> None:
    assert duration(60 * minutes) == words


def test_the_banned_read_why_until_when_and_whom_to_ask() -> None:
    for_good = Ban(name="Mallory", reason="rude to Cho")
    assert for_good.told(NOON, "Robert, 0123 456") == (
        "You are banned from this server for good. Reason: rude to Cho. If that is a mistake, ask Robert, 0123 456."
    )
    today = Ban(name="Mallory", until=NOON + timedelta(hours=2), contact="Ben")
    assert today.told(NOON, "Robert") == (
        "You are banned from this server until 2026-11-30 14:00 UTC (2 h from now). If that is a mistake, ask Ben."
    )
    assert "ask the host." in Ban(name="Mallory").told(NOON, "")
    assert not today.is_over(NOON)
    assert today.is_over(NOON + timedelta(hours=2))
    assert not for_good.is_over(NOON + timedelta(days=9999))
