"""A log line never ends a server and is never waited for (trap A30)."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from server.app.log_file import LogFile
from server.app.operator_log import make_log
from tests.support.limits import LIMIT
from tests.support.paths import ROOT

needs_dev_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def pipe() -> tuple[int, int]:
    return os.pipe()


def test_trap_A30_lines_after_the_reader_went_away_are_dropped_and_counted() -> None:
    reader, writer = pipe()
    log = LogFile(writer)
    os.close(reader)
    for number in range(3):
        log.write(f"line {number}\n")
    assert log.dropped == 3
    os.close(writer)


def test_trap_A30_the_next_line_that_gets_out_says_how_many_were_lost() -> None:
    reader, writer = pipe()
    log = LogFile(writer)
    while not log.dropped:  # nobody reads: the pipe is full at some time, and nothing waits
        log.write("x" * 999 + "\n")
    log.write("y\n")
    assert log.dropped == 2
    os.read(reader, 1 << 20)
    log.write("again\n")
    assert os.read(reader, 1 << 20) == b"2 lines of this log could not be written\nagain\n"
    assert log.dropped == 0
    for end in (reader, writer):
        os.close(end)


@needs_dev_full
def test_trap_A30_a_full_disk_drops_lines() -> None:
    log = LogFile.open("/dev/full")
    log.write("one\n")
    log.write("two\n")
    assert log.dropped == 2


def test_trap_A30_a_log_without_a_file_drops_lines() -> None:
    log = LogFile(None)
    make_log(log, "info").info("server.listening", port=1)
    assert log.dropped == 1


def test_trap_A30_half_a_line_is_ended_before_the_next_one(tmp_path: Path) -> None:
    """What a disk that filled up took of a line stays; the next line is a line of its own."""
    file = tmp_path / "log"
    code = (
        "import resource, signal, sys; from server.app.log_file import LogFile;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "log = LogFile.open(sys.argv[1]); log.write('a' * 20 + '\\n');"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (30, resource.RLIM_INFINITY)); log.write('b' * 20 + '\\n');"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (900, resource.RLIM_INFINITY)); log.write('c\\n')"
    )
    subprocess.run([sys.executable, "-c", code, str(file)], cwd=ROOT, check=True, timeout=LIMIT)
    assert file.read_text().splitlines() == [
        "a" * 20, "b" * 9, "1 line of this log could not be written", "c",
    ]  # fmt: skip


def test_a_line_is_cut_at_what_a_pipe_takes_at_once_and_is_for_the_owner_only(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        log = LogFile.open(str(tmp_path / "log"))
    finally:
        os.umask(mask)
    log.write("z" * 10_000 + "\n")
    text = (tmp_path / "log").read_text()
    assert len(text) == 4096
    assert text.endswith("z\n")
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_a_file_that_was_moved_or_removed_is_opened_again_at_the_next_line(tmp_path: Path) -> None:
    file, old = tmp_path / "log", tmp_path / "log.1"
    log = LogFile.open(str(file))
    log.write("one\n")
    file.rename(old)
    log.write("two\n")
    assert (old.read_text(), file.read_text()) == ("one\n", "two\n")
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    log.write("three\n")
    assert file.read_text() == "three\n"
    old.rename(file)  # another file under the name is the log from now on
    log.write("four\n")
    assert file.read_text() == "one\nfour\n"


def test_a_file_that_was_copied_and_emptied_is_written_from_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "log"
    log = LogFile.open(str(file))
    log.write("one\n")
    os.truncate(file, 0)
    log.write("two\n")
    assert file.read_text() == "two\n"


def test_where_no_new_file_can_be_made_the_old_one_is_written_on(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    log = LogFile.open(str(folder / "log"))
    folder.rename(tmp_path / "moved")
    log.write("one\n")
    log.write("two\n")
    assert ((tmp_path / "moved" / "log").read_text(), log.dropped) == ("one\ntwo\n", 0)
    folder.mkdir()
    log.write("three\n")
    assert (folder / "log").read_text() == "three\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "redirect",
    ["2>/dev/full", "2>&-", ">/dev/full", ">&-", "--log-file /dev/full", "2> >(exec sleep 0)", "> >(exec true)"],
)
def test_trap_A30_a_server_serves_whatever_becomes_of_its_log(tmp_path: Path, redirect: str) -> None:
    """It answers on its port, and SIGTERM ends it with 0."""
    if "/dev/full" in redirect and not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    journal = tmp_path / "data" / "hands"
    command = f'exec "$0" -m server serve --bind 127.0.0.1 --port 0 -v --data-dir "{tmp_path / "data"}" {redirect}'
    with subprocess.Popen(["bash", "-c", command, sys.executable], cwd=ROOT) as process:
        watchdog = threading.Timer(LIMIT, process.kill)
        watchdog.start()
        try:
            while not list(journal.glob("*.ryo")):
                assert process.poll() is None
                threading.Event().wait(0.05)
            for _ in range(3):
                threading.Event().wait(0.1)
                assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            assert process.wait(LIMIT) == 0
        finally:
            watchdog.cancel()
            process.kill()
