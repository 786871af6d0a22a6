"""The file of bans: written whole, edited by hand, and never taken for empty when it is damaged."""

import os
import stat
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.admission.ban import Ban, Person
from server.admission.ban_list import FILE, BanList
from server.errors import ConfigError
from server.storage.filesystem import FileSystem
from server.storage.system import System

UNTIL = datetime(2100, 1, 1, tzinfo=UTC)
WHOLE = Ban(
    name='Ünal "𝔘" \\',
    token=("ab" * 32,),
    address="192.0.2.0/24",
    reason="two\x7f words",
    by="the operator",
    since=datetime(2026, 11, 30, 12, tzinfo=UTC),
    until=UNTIL,
    contact="Ben",
)


def list_in(folder: Path, system: System | None = None) -> BanList:
    return BanList(str(folder), "", system or System())


async def test_what_is_written_is_read_again_and_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    old_mask = os.umask(0)
    try:
        bans = list_in(tmp_path)
        await bans.load()
        assert bans.bans() == []
        await bans.change(lambda old: [*old, WHOLE, Ban(name="Mallory")])
    finally:
        os.umask(old_mask)
    again = list_in(tmp_path)
    await again.load()
    assert again.bans() == bans.bans() == [WHOLE, Ban(name="Mallory")]
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert tomllib.loads((tmp_path / FILE).read_text("utf-8"))["ban"][0]["until"] == UNTIL


async def test_a_ban_by_hand_counts_and_is_kept_by_the_next_word(tmp_path: Path) -> None:
    bans = list_in(tmp_path)
    await bans.change(lambda old: [Ban(name="Mallory")])
    with (tmp_path / FILE).open("a") as file:
        file.write('[[ban]]\nname = "Trudy"\naddress = "10.0.0.0/8"\n')
    await bans.change(lambda old: [*old, Ban(name="Oscar")])
    assert [ban.name for ban in bans.bans()] == ["Mallory", "Trudy", "Oscar"]
    assert bans.against(Person(["Zoe"], address="10.1.2.3")) == Ban(name="Trudy", address="10.0.0.0/8")
    assert bans.against(Person(["Zoe"], address="11.1.2.3")) is None


async def test_a_ban_that_is_over_keeps_nobody_out_and_goes_with_the_next_change(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[[ban]]\nname = "Mallory"\nuntil = 2020-01-01T00:00:00Z\n')
    bans = list_in(tmp_path)
    await bans.load()
    assert bans.against(Person(["Mallory"])) is None
    await bans.change(lambda old: [*old, Ban(name="Trudy")])
    assert "Mallory" not in (tmp_path / FILE).read_text()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff", "it is not UTF-8"),
        (b"[[ban]\n", "line 1"),
        (b'[[ban]]\nname = "Mallory"\n\n[[ban]]\nnam = "Trudy"\n', "line 5: Object contains unknown field `nam`"),
        (b'[[ban]]\nname = "Mallory"\nuntil = "soon"\n', "line 3: Invalid RFC3339 encoded datetime"),
        (b'[[bans]]\nname = "Mallory"\n', "line 1: Object contains unknown field `bans`"),
        (b'[[ban]]\nreason = "rude"\n', "ban number 1: a ban needs a name, a token or an address"),
        (b'[[ban]]\nname = "Mallory"\naddress = "10.0.0.0/33"\n', "'10.0.0.0/33' is no address and no network"),
        (b'[[ban]]\nname = "Mallory"\nuntil = 2100-01-01T00:00:00\n', "needs a Z at its end, for UTC"),
    ],
)
async def test_a_damaged_file_is_refused_with_its_place_and_never_written_over(
    tmp_path: Path, content: bytes, told: str
) -> None:
    bans = list_in(tmp_path)
    await bans.change(lambda old: [Ban(name="Mallory")])
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        await list_in(tmp_path).load()
    assert told in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path / FILE))
    assert "mend the file, or move it away" in str(refused.value)
    with pytest.raises(ConfigError):
        await bans.change(lambda old: [])
    assert (tmp_path / FILE).read_bytes() == content
    assert bans.bans() == [Ban(name="Mallory")]  # what was read before still counts


class FullDisk(FileSystem):
    """No file gets longer."""

    def write(self, fd: int, data: bytes | memoryview) -> int:
        raise OSError(28, "No space left on device")


async def test_fault_66_a_full_disk_leaves_the_old_list_of_bans(tmp_path: Path) -> None:
    await list_in(tmp_path).change(lambda old: [Ban(name="Mallory")])
    before = (tmp_path / FILE).read_bytes()
    bans = list_in(tmp_path, System(FullDisk()))
    with pytest.raises(ConfigError, match="cannot be written: No space left on device"):
        await bans.change(lambda old: [])
    assert (tmp_path / FILE).read_bytes() == before
    assert bans.bans() == [Ban(name="Mallory")]
    assert os.listdir(tmp_path) == [FILE]
