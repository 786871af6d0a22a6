"""Characters of other people that the terminal does not have (docs/traps.md, A34; docs/faults.md, 96)."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from client.display.text_cells import clean, fit, width
from client.terminal.full_screen import formatted
from replays.cli.failures import fail
from tests.support.limits import LIMIT
from tests.support.paths import ROOT
from tests.support.ryo_process import environment


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_trap_A34_a_wide_character_without_a_sign_keeps_its_columns(encoding: str) -> None:
    line = fit(clean("日本 e\u0301😀|"), 12)
    shown = "".join(fragment[1] for fragment in formatted([[("", line + "#")]], encoding))
    assert len(shown) == width(shown) == 13
    assert shown.startswith("???? " + ("é" if encoding == "latin-1" else "?") + "??|")


def test_trap_A34_selectors_and_skin_tones_do_not_move_columns() -> None:
    assert clean("❤\ufe0f👍\U0001f3fd") == "❤👍"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_trap_A34_a_foreign_word_does_not_end_a_verb(tmp_path: Path, encoding: str) -> None:
    data = ["--data-dir", str(tmp_path / "日本😀")]
    for verb in (["replay", *data], ["hands", *data], ["verify", "日本😀"], ["export", *data]):
        done = subprocess.run(
            [sys.executable, "-m", "client", *verb], cwd=ROOT, timeout=LIMIT, capture_output=True, check=False,
            stdin=subprocess.DEVNULL, env=environment(tmp_path, PYTHONIOENCODING=f"{encoding}:strict", PYTHONUTF8="0"),
        )  # fmt: skip
        assert b"Traceback" not in done.stderr
        if encoding == "latin-1":  # click writes UTF-8 where it is told ASCII
            assert b"??" in done.stdout + done.stderr


def test_fault_96_a_sentence_of_a_server_is_harmless_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(click.exceptions.Exit):
        fail("refused: \x1b[2J\x1b]52;c;eA==\x07\u202eno\x9b31m\rway\nthere", 3)
    assert capsys.readouterr().err == "Error: refused: no way there\n"
