"""`docs/traps.md` against the tests: every trap has a test that carries its number, and every number is on the page."""

import re

from tests.support.paths import DOCS, ROOT

_ON_PAGE = re.compile(r"^\*\*(A\d\d) ·", re.MULTILINE)
_IN_TESTS = re.compile(r"def test_trap_((?:A\d\d_)+)")


def on_the_page() -> list[str]:
    """The traps, in the order of the page."""
    return _ON_PAGE.findall((DOCS / "traps.md").read_text("utf-8"))


def in_tests() -> set[str]:
    """The traps that names of tests carry; a name may carry several (``test_trap_A16_A19_...``)."""
    files = (ROOT / "tests").rglob("test_*.py")
    names = [name for file in files for name in _IN_TESTS.findall(file.read_text("utf-8"))]
    return {trap for name in names for trap in name.strip("_").split("_")}


def test_every_trap_has_a_test_and_every_test_names_a_trap_of_the_page() -> None:
    assert set(on_the_page()) == in_tests()


def test_traps_stand_in_their_order() -> None:
    assert on_the_page() == sorted(set(on_the_page()))
