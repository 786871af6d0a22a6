"""Which of the tables that were found is offered as the usual answer."""

import pytest

from client.cli.find import place_of
from client.cli.found import FoundTable
from client.connection.address import parse_address
from client.profile.last_visit import LastVisit
from protocol.wire.discovery import TableHint

KEY = "a" * 52


def at(address: str, table: str = "main", elsewhere: str = "") -> FoundTable:
    return FoundTable(parse_address(address), KEY, TableHint(table), True, "0.1.0", "", elsewhere)


@pytest.mark.parametrize(
    ("offered", "place"),
    [
        ([at("10.0.0.5")], 0),
        ([at("10.0.0.5"), at("10.0.0.4")], 2),
        ([at("10.0.0.4", "den"), at("10.0.0.4")], 2),
        ([at("10.0.0.4", "den")], 0),
        ([at("10.0.0.4:7800")], 0),
        ([at("10.0.0.5"), at("10.0.0.6", elsewhere="10.0.0.4:7719")], 2),
        # Who forges the key of a server comes after the address at which the server is known.
        ([at("10.0.0.3", elsewhere="10.0.0.4:7719"), at("10.0.0.4")], 2),
    ],
)
def test_the_usual_answer_is_the_table_of_the_last_visit(offered: list[FoundTable], place: int) -> None:
    assert place_of(LastVisit("Ann", "10.0.0.4:7719", "main"), offered) == place


def test_without_a_last_visit_there_is_none() -> None:
    assert place_of(LastVisit(), [at("10.0.0.5")]) == 0
