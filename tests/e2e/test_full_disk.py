"""`ryo play` on a disk that has no room for a hand."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.limits import LIMIT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux's")
def test_trap_A36_play_without_a_terminal_ends_with_an_error_on_a_full_disk(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "ryo", small], check=False).returncode:
        pytest.skip("mounting a tmpfs is not allowed here")
    try:
        command = [sys.executable, "-m", "client", "play", "--hands", "1", "--data-dir", str(small)]
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    finally:
        subprocess.run(["umount", small], check=True)
    assert ended.returncode == 74, ended.stderr
    assert "disk takes no more" in ended.stderr
    assert "Traceback" not in ended.stderr
