"""The last address, in a directory of the test's own."""

from pathlib import Path

from client.profile.last_visit import LastVisit, load_last_visit, save_last_visit


def test_the_last_address_is_remembered_and_a_damaged_file_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    assert load_last_visit(folder) == LastVisit()
    save_last_visit(folder, LastVisit("Ann", "kitchen:7719", "main"))
    assert load_last_visit(folder) == LastVisit("Ann", "kitchen:7719", "main")
    (folder / "last.json").write_text("{")
    assert load_last_visit(folder) == LastVisit()


def test_a_directory_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    save_last_visit(blocked / "data", LastVisit("Ann"))
    assert load_last_visit(blocked / "data") == LastVisit()
