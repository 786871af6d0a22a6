"""`docs/faults.md` against the tests: every row has a test that exists, or a reason why it has none."""

import re

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "faults.md"
PROMISED = {*range(1, 86)}
_ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
_NAME = re.compile(r"def (test_\w+)\(")


def rows() -> dict[int, str]:
    """The last column of each row."""
    return {int(number): tests for number, _, tests in _ROW.findall(PAGE.read_text())}


def names() -> set[str]:
    """Every test there is."""
    return {name for file in (ROOT / "tests").rglob("test_*.py") for name in _NAME.findall(file.read_text())}


def test_every_promised_row_has_a_test_or_a_reason() -> None:
    told = rows()
    assert set(told) >= PROMISED
    for number in sorted(PROMISED):
        tests = re.findall(r"`(test_\w+)`", told[number])
        assert tests or re.fullmatch(r"No test: .{20,}", told[number]), f"row {number}"


def test_every_test_that_the_page_names_exists_and_carries_the_number_of_its_row() -> None:
    there = names()
    for number, told in rows().items():
        for name in re.findall(r"`(test_\w+)`", told):
            assert name in there, f"row {number} names {name}"
            assert re.match(rf"test_fault_(\d+_)*0*{number}_", name), f"{name} is not of row {number}"


def test_no_row_is_said_to_have_no_test_that_has_one() -> None:
    there = names()
    for number, told in rows().items():
        if told.startswith("No test"):
            assert not [name for name in there if re.match(rf"test_fault_(\d+_)*0*{number}_", name)], f"row {number}"
