"""Three seconds of what `make soak` does for ten minutes: random and damaged bytes."""

import pytest

from tests.support.fuzzer import TARGETS, fuzz, seeds


@pytest.mark.slow
def test_fault_32_50_53_damaged_bytes_raise_documented_errors_only() -> None:
    assert "nothing but documented errors" in fuzz(3.0, start=1)


def test_the_bytes_to_be_damaged_are_good() -> None:
    for name, bodies in seeds().items():
        for body in bodies:
            TARGETS[name][0](body)
