"""The list of rooms: which tables are told, and that the file may change or go while the server runs."""

import io
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.wire import messages as msg
from server.app.operator_log import make_log
from server.app.room_list import MOST, RoomList, ids_in
from tests.support.loopback_server import config, running


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("friday room1\nsunday room2\n", ("friday", "sunday")),
        ("# all of them\n\n  friday\troom1 # the first\nfriday room3\n", ("friday",)),
        ("NOT-AN-ID room1\n../etc room2\n\x1b[2J room3\na-2 room\n", ("a-2",)),
        ("", ()),
    ],
)
def test_the_first_word_of_a_line_is_a_table(text: str, ids: tuple[str, ...]) -> None:
    assert ids_in(text) == ids


def test_a_long_list_is_cut() -> None:
    assert len(ids_in("".join(f"t{number} room\n" for number in range(2 * MOST)))) == MOST


def test_the_file_is_read_again_when_it_has_changed_and_kept_when_it_is_gone(tmp_path: Path) -> None:
    out = io.StringIO()
    file = tmp_path / "rooms.map"
    rooms = RoomList(str(file), make_log(out, "info"))
    assert rooms.tables() == ()
    assert rooms.tables() == ()
    assert out.getvalue().count("rooms.unreadable") == 1
    file.write_text("friday room1\n")
    assert rooms.tables() == ("friday",)
    file.write_text("friday room1\nsunday room2\n")
    os.utime(file, (1, 1))
    assert rooms.tables() == ("friday", "sunday")
    file.unlink()
    assert rooms.tables() == ("friday", "sunday")
    assert RoomList("", make_log(out, "info")).tables() == ()


async def test_a_guest_is_told_the_tables_of_the_other_rooms(tmp_path: Path) -> None:
    file = tmp_path / "rooms.map"
    file.write_text("main here\nsunday there\n")
    async with running(replace(config(tmp_path), rooms=str(file))) as house:
        guest = await house.connect()
        await guest.send(msg.ListTables())
        told = await guest.expect(msg.Tables)
        assert [info.table for info in told.tables] == ["main"]
        assert told.rooms == ("sunday",)
