"""Versions: the newest both speak, or a sentence with both and the remedy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.versions import PROGRAM, PROTOCOL, choose, mismatch

RANGES = st.tuples(st.integers(1, 20), st.integers(0, 5)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@pytest.mark.parametrize(
    ("ours", "theirs", "spoken"),
    [
        ((1, 1), (1, 1), 1),
        ((1, 2), (1, 1), 1),
        ((2, 3), (1, 2), 2),
        ((2, 3), (1, 9), 3),
        ((2, 3), (1, 1), None),
        ((1, 1), (2, 2), None),
        ((1, 1), (2, 1), None),
        ((1, 3), (3, 1), None),
    ],
)
def test_the_newest_that_both_speak(ours: tuple[int, int], theirs: tuple[int, int], spoken: int | None) -> None:
    assert choose(ours, theirs) == spoken


@given(RANGES, RANGES)
def test_choosing_is_fair_and_right(ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    both = set(range(ours[0], ours[1] + 1)) & set(range(theirs[0], theirs[1] + 1))
    assert choose(ours, theirs) == choose(theirs, ours) == max(both, default=None)


@given(st.integers(-(2**63), 2**64), st.integers(-(2**63), 2**64))
def test_any_range_a_client_may_send_is_answered(oldest: int, newest: int) -> None:
    spoken = choose(PROTOCOL, (oldest, newest))
    assert spoken is None or PROTOCOL[0] <= spoken <= PROTOCOL[1]


def test_fault_34_a_mismatch_names_both_versions_and_the_remedy() -> None:
    old = mismatch((2, 3), (1, 1), "ryo 0.1.0")
    assert "protocol 2 to 3" in old
    assert "protocol 1 (ryo 0.1.0)" in old
    assert f"version {PROGRAM}" in old
    assert old.endswith("Upgrade your client to the server's version.")
    new = mismatch((1, 1), (2, 3))
    assert "protocol 1 (version" in new
    assert "your client speaks protocol 2 to 3" in new
    assert "Ask the host to upgrade" in new


def test_fault_34_a_client_names_the_servers_program_as_the_server_does() -> None:
    assert "speaks protocol 7 (ryo 3.1.0);" in mismatch((7, 7), (1, 1), "ryo 0.1.0", server_program="ryo 3.1.0")
    assert "speaks protocol 7; your" in mismatch((7, 7), (1, 1), "ryo 0.1.0", server_program="")
