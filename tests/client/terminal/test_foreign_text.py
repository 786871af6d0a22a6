"""Characters of other people that the terminal does not have (docs/traps.md, A34; docs/faults.md, 96)."""

import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pyte
import pytest

from client.display.text_cells import clean, fit, width
from client.terminal.lines_window import cells_of
from protocol.events import AnyEvent, PlayerSeated, Said
from replays.cli.failures import fail
from tests.support import sample_session
from tests.support.limits import LIMIT
from tests.support.paths import ROOT
from tests.support.ryo_process import RyoProcesses, environment


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_trap_A34_a_wide_character_without_a_sign_keeps_its_columns(encoding: str) -> None:
    line = fit(clean("日本 e\u0301😀|"), 12)
    shown = "".join(cell.char for cell in cells_of((("", line + "#"),), encoding).values())
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
        assert b"??" in done.stdout + done.stderr


PEOPLE = {"Ann": "李小龙", "Ben": "Zoë", "Cai": "a\u200db\ue000\u0378👍\U0001f3fd"}
"""Wide letters, one of Latin-1, and what nobody has a sign for: a joiner, a private and an unassigned character."""


def foreign_evening() -> list[list[AnyEvent]]:
    """The sample session with other names and other chat."""
    changed: list[list[AnyEvent]] = []
    for row in sample_session.EVENING:
        changed.append([])
        for event in row:
            if isinstance(event, PlayerSeated | Said):
                event = msgspec.structs.replace(event, name=PEOPLE[event.name])
            if isinstance(event, Said):
                event = msgspec.structs.replace(event, text="日本 \U0001f469\u200d\U0001f680 é")
            changed[-1].append(event)
    return changed


VERBS = [
    ["replay", "h-1"], ["replay", "h-2", "--all"], ["hands"], ["hands", "--player", "Zoë"], ["export", "h-1"],
    ["verify", "李小龙.ryo"], ["rules", "barneys"], ["rules"],
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_trap_A34_every_verb_writes_in_the_encoding_of_the_output(tmp_path: Path, verb: list[str]) -> None:
    path = sample_session.write(tmp_path / "data" / "hands" / "a.ryo", sample_session.steps(foreign_evening()))
    path.with_name("李小龙.ryo").write_bytes(b"no recording")
    told: dict[str, tuple[bytes, bytes]] = {}
    for encoding in ("utf-8", "latin-1", "ascii"):
        arguments = [str(path.with_name(word)) if word.endswith(".ryo") else word for word in verb]
        done = subprocess.run(
            [sys.executable, "-m", "client", *arguments], cwd=ROOT, timeout=LIMIT, capture_output=True, check=False,
            stdin=subprocess.DEVNULL,
            env=environment(tmp_path, PYTHONIOENCODING=f"{encoding}:strict", RYO_DATA_DIR=str(tmp_path / "data")),
        )  # fmt: skip
        told[encoding] = done.stdout, done.stderr
    assert b"Traceback" not in told["utf-8"][1]
    for encoding in ("latin-1", "ascii"):
        for here, everywhere in zip(told[encoding], told["utf-8"], strict=True):
            # Columns are filled for the characters that are shown: a question mark is narrower than what it stands for.
            assert here.split() == everywhere.decode().encode(encoding, "replace").split()


@pytest.mark.slow
def test_trap_A34_a_table_in_lines_writes_in_the_encoding_of_the_output(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path) as (_, link):
        ryo.run(tmp_path / "one", "join", link, "--name", "李小龙", "--plain")
        for encoding, name in (("ascii", "???"), ("latin-1", "???"), ("utf-8", "李小龙")):
            watching = ryo.run(
                tmp_path / "two", "watch", link, "--plain", typed="stacks\n", PYTHONIOENCODING=f"{encoding}:strict"
            )
            assert watching.code == 0, watching
            assert f"Stacks: {name} " in watching.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("name", PEOPLE.values())
def test_trap_A34_whatever_a_name_has_keeps_the_columns(encoding: str, name: str) -> None:
    """On the screen and in lists: as many columns as the terminal gives it, by its own table of widths."""
    line = fit(clean(name), 10)
    shown = "".join(cell.char for cell in cells_of((("", line + "#"),), encoding).values())
    terminal = pyte.Screen(20, 1)
    pyte.Stream(terminal).feed(shown)
    assert terminal.buffer[0][10].data == "#"
    assert shown.encode(encoding)


def test_fault_96_a_sentence_of_a_server_is_harmless_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(click.exceptions.Exit):
        fail("refused: \x1b[2J\x1b]52;c;eA==\x07\u202eno\x9b31m\rway\nthere", 3)
    assert capsys.readouterr().err == "Error: refused: no way there\n"
