"""The pictures in docs/screens.md and README.md are what is drawn.

Where the screen is meant to look different, `python -m tests.support.scenes` writes them anew.
"""

import pytest

from tests.support.scenes import BLOCK, PAGE, README, first_picture, pictures

PICTURES = pictures()
RENEW = "if the screen is meant to look like this now: python -m tests.support.scenes"


@pytest.mark.parametrize("heading", PICTURES)
def test_a_picture_of_the_page_is_what_is_drawn(heading: str) -> None:
    section = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    assert BLOCK.findall(section) == [PICTURES[heading] + "\n"], RENEW


def test_the_page_has_no_other_picture() -> None:
    assert len(BLOCK.findall(PAGE.read_text("utf-8"))) == len(PICTURES) >= 6


def test_the_picture_of_the_readme_is_what_is_drawn() -> None:
    assert BLOCK.findall(README.read_text("utf-8")) == [first_picture() + "\n"], RENEW
