"""The calls of the real disk: each one asks the kernel, whose errors are the proof."""

import errno
import os
from collections.abc import Callable, Iterator

import pytest

from server.storage.filesystem import FileSystem, SyncError, synced
from tests.support.journals import posix_only

Sync = Callable[[int], None]


@pytest.fixture
def pipe() -> Iterator[int]:
    """A descriptor that the kernel cannot bring to a disk."""
    reader, writer = os.pipe()
    yield writer
    os.close(reader)
    os.close(writer)


@posix_only
@pytest.mark.parametrize("sync", [FileSystem().fdatasync, FileSystem().sync_dir], ids=["fdatasync", "sync_dir"])
def test_fault_56_every_sync_reaches_the_kernel(pipe: int, sync: Sync) -> None:
    with pytest.raises(OSError, match=r"Invalid|not supported") as caught:
        sync(pipe)
    assert caught.value.errno in (errno.EINVAL, errno.ENOTSUP)
    with pytest.raises(SyncError):
        synced(lambda: sync(pipe))
