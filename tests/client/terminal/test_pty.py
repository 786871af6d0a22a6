"""The installed program in a real pseudo-terminal; what it draws is read through pyte."""

import os
import re
import signal
import time
from pathlib import Path

import pytest

from tests.support.limits import LIMIT
from tests.support.pty_program import PtyProgram, PtyPrograms
from tests.support.ryo_process import RyoProcesses, address_of, port_of

pytestmark = pytest.mark.slow


def play(programs: PtyPrograms, **extra: str) -> PtyProgram:
    """`ryo play` with bots, in a data directory of its own."""
    folder = str(programs.home / "data")
    return programs(
        ["client", "play", "--game", "stud8", "--bots", "2", "--name", "Zoe", "--data-dir", folder], **extra
    )


def test_a_hand_by_keys_and_leave(programs: PtyPrograms) -> None:
    program = play(programs)
    program.see("3rd")
    end = time.monotonic() + 3 * LIMIT
    while "Space go on" not in program.text():
        assert time.monotonic() < end, program.text()
        program.see_any("Your turn", "Space go on")
        program.read_for(0.4)  # the keys of a new question are dead for a moment
        program.type("b" if "b bring in" in program.text() else "c")
        program.read_for(0.2)
    program.see("hand 1 · pot", "wins")  # with a showdown or without
    program.type("\x03")
    program.see("Leave?")
    program.type("\x03")
    assert program.ended() == 0
    assert program.restored()
    assert "recorded in" in program.text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_restore_the_terminal(programs: PtyPrograms, number: signal.Signals) -> None:
    program = play(programs)
    program.see("3rd")
    program.process.send_signal(number)
    assert program.ended() == 128 + number
    assert program.restored()


def test_sigint_asks_like_ctrl_c(programs: PtyPrograms) -> None:
    program = play(programs)
    program.see("Your turn")  # when it comes, the question whether to leave goes
    program.process.send_signal(signal.SIGINT)
    program.see("Leave?")
    program.process.send_signal(signal.SIGINT)
    assert program.ended() == 0
    assert program.restored()


def test_a_terminal_that_vanishes_ends_the_program(programs: PtyPrograms) -> None:
    program = play(programs)
    program.see("3rd")
    os.close(program.master)
    os.close(program.slave)
    program.master = program.slave = -1
    assert program.process.wait(LIMIT) == 128 + signal.SIGHUP


def test_resize_redraws_and_too_small_loses_nothing(programs: PtyPrograms) -> None:
    program = play(programs)
    program.see("3rd", "Zoe")
    program.resize(120, 40)
    program.see("│")
    program.resize(20, 5)
    program.see("Too small (20x5)")
    program.resize(200, 60)
    program.see("│", "Zoe", "░░░░░")
    program.resize(1, 1)
    program.lose("Zoe")
    program.resize(80, 24)
    program.see("3rd", "Zoe", "░░")
    program.type("/quit\r")
    assert program.ended() == 0


def test_no_color_and_ascii_terminals(programs: PtyPrograms) -> None:
    program = play(programs, NO_COLOR="1", LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    program.see("[3rd]", "Zoe", "----")
    colours = {cell.fg for row in program.pyte.buffer.values() for cell in row.values()}
    assert colours == {"default"}
    assert program.text().isascii()
    program.type("/quit\r")
    assert program.ended() == 0


@pytest.mark.parametrize(("key", "name"), [("z", "ZeroDivisionError"), ("thi\r", "KeyError")])
def test_a_crash_restores_the_terminal_and_is_told(programs: PtyPrograms, key: str, name: str) -> None:
    program = programs(["tests.support.play_local", "stud8", "3", "--crash"], PACE="0.05")
    program.see("3rd")
    program.type(key)
    assert program.ended() == 1
    assert program.restored()
    assert name in program.text()


def own_cards(program: PtyProgram) -> list[str]:
    """The rows with the ranks and with the suits of the own cards, which are seen and stand in boxes."""
    return re.findall(r"│[^│░]{3}│[^│░]{3}│ │[^│░]{3}│", program.text())[:2]


def test_a_killed_server_is_a_banner_and_play_goes_on_where_it_stood(
    programs: PtyPrograms, ryo: RyoProcesses, tmp_path: Path
) -> None:
    stud = ("--plain-tcp", "--game", "stud", "--seats", "2")
    with ryo.serving(tmp_path, *stud) as (server, link):
        where = address_of(link)
        ryo.start(tmp_path / "bot", "bot", where, "--plain-tcp", "--pace", "0.1")
        program = programs(["client", "join", where, "--plain-tcp", "--yes", "--name", "Zoe"])
        program.see("3rd", "Your turn")
        cards = own_cards(program)
        assert len(cards) == 2
        server.kill()
        program.see("NO CONNECTION for")
    with ryo.serving(tmp_path, *stud, port=port_of(link)):
        program.lose("NO CONNECTION")
        program.see("Your turn", *cards)
        program.read_for(0.4)
        program.type(" ")  # the card of the game
        program.type("b" if "b bring in" in program.text() else "c")
        program.see_any("Zoe brings in", "Zoe calls", "Zoe checks")
        program.see("Your turn")  # a note goes with the next event, and none comes now
        program.type("/leave\r")
        program.see("/leave once more")
        program.type("/leave\r")
        assert program.ended() == 0
        assert program.restored()
