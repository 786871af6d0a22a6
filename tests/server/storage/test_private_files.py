"""What the server keeps belongs to its user alone: folders, key, journals and log (fault 91; row 61 for journals)."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.admission.server_key import load_or_create
from server.app.log_file import LogFile
from server.errors import ConfigError
from server.storage.filesystem import FileSystem
from server.storage.journal_errors import Unsafe
from server.storage.journal_file import Journal
from tests.support.loopback_server import config, running

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")
needs_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
NOBODY = 65534


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def journal_in(folder: Path) -> Path:
    Journal.create(folder, "a.ryo", b"header").close()
    return folder / "a.ryo"


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_fault_91_what_the_server_makes_is_private_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    base = tmp_path / "a" / "b" / "data"
    with umask(mask):
        load_or_create(base)
        journal_in(base / "x" / "hands")
        LogFile.open(str(base / "log")).write("a line\n")
    for folder in (tmp_path / "a", tmp_path / "a" / "b", base, base / "x", base / "x" / "hands"):
        assert mode(folder) == 0o700, folder
    files = [path for path in base.rglob("*") if path.is_file()]
    assert len(files) == 4  # key, journal, its lock, log
    assert [mode(path) for path in files] == [0o600] * 4


def test_fault_91_a_folder_that_others_own_or_may_write_is_refused_when_a_table_goes_on(tmp_path: Path) -> None:
    path = journal_in(tmp_path / "hands")
    path.parent.chmod(0o777)
    with pytest.raises(Unsafe, match="chmod 700"):
        Journal.open(path)
    path.parent.chmod(0o755)
    Journal.open(path)[0].close()


@needs_root
def test_fault_91_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    path = journal_in(tmp_path / "hands")
    os.chown(path.parent, NOBODY, NOBODY)
    with pytest.raises(Unsafe, match="belongs to user 65534"):
        Journal.open(path)
    with pytest.raises(Unsafe, match="belongs to user 65534"):
        Journal.create(path.parent, "b.ryo", b"header")


@pytest.mark.parametrize("mask", [0o002, 0o020])
async def test_fault_91_a_data_folder_that_others_may_write_ends_the_start(tmp_path: Path, mask: int) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o700 | mask)
    for tls in (True, False):
        with pytest.RaisesGroup(pytest.RaisesExc((ConfigError, Unsafe), match="chmod 700"), allow_unwrapped=True):
            async with running(config(tmp_path / "data", tls=tls)):
                pass
    assert list((tmp_path / "data").iterdir()) == []


def symbolic(key: Path, elsewhere: Path) -> None:
    key.rename(elsewhere)
    key.symlink_to(elsewhere)


def dangling(key: Path, elsewhere: Path) -> None:
    key.unlink()
    key.symlink_to(elsewhere)


def hard(key: Path, elsewhere: Path) -> None:
    os.link(key, elsewhere)


@pytest.mark.parametrize("link", [symbolic, dangling, hard])
def test_fault_91_a_key_that_is_a_link_is_refused(tmp_path: Path, link: object) -> None:
    assert callable(link)
    load_or_create(tmp_path / "data")
    (tmp_path / "other").mkdir()
    link(tmp_path / "data" / "identity.pem", tmp_path / "other" / "stolen.pem")
    with pytest.raises(ConfigError, match="not safe") as refused:
        load_or_create(tmp_path / "data")
    assert refused.value.exit_code == 78
    assert link is not dangling or not (tmp_path / "other" / "stolen.pem").exists()


def test_fault_91_a_second_name_beside_it_is_what_a_crash_leaves(tmp_path: Path) -> None:
    first = load_or_create(tmp_path)
    os.link(tmp_path / "identity.pem", tmp_path / ".identity.pem.1.00")
    assert load_or_create(tmp_path).fingerprint == first.fingerprint


@needs_root
def test_fault_91_a_key_of_another_user_is_refused(tmp_path: Path) -> None:
    load_or_create(tmp_path)
    os.chown(tmp_path / "identity.pem", NOBODY, NOBODY)
    with pytest.raises(ConfigError, match="belongs to user 65534"):
        load_or_create(tmp_path)


def test_fault_91_a_journal_with_a_name_elsewhere_is_refused(tmp_path: Path) -> None:
    path = journal_in(tmp_path / "hands")
    os.link(path, tmp_path / "copy")
    with pytest.raises(Unsafe, match="hard link"):
        Journal.open(path)
    with pytest.raises(OSError, match="not a folder"):
        FileSystem().check_dir(str(path))
