"""The word that may have been meant."""

import pytest

from protocol.near_matches import did_you_mean

KNOWN = ("barneys", "stud8", "razz", "stud", "Anaconda")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("barney", " Did you mean barneys?"),
        ("razzz", " Did you mean razz?"),
        ("ana", " Did you mean Anaconda?"),
        ("anakonda", " Did you mean Anaconda?"),
        ("STUD8", " Did you mean stud8?"),
        ("xyzzy", ""),
        ("", ""),
    ],
)
def test_the_nearest_known_word_is_named(typed: str, said: str) -> None:
    assert did_you_mean(typed, KNOWN) == said
