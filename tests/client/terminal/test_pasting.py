"""Pasted text: it is chat or nothing, never a key (docs/traps.md, A32)."""

import os
import sys
from contextlib import aclosing
from pathlib import Path

import pytest
import trio

from client.terminal import stdin
from client.terminal.line_mode import LineMode
from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.limits import LIMIT
from tests.support.local_table import LocalSession, own_turn
from tests.support.terminal import Terminal, show

START, END = "\x1b[200~", "\x1b[201~"
NOTHING_DONE = "taken for a paste"


def at_own_turn(*reads: str, see: str, chat: str = "") -> LocalSession:
    """What a session did when these reads arrived at the player's turn, in the chat line with a draft if `chat`."""
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        if chat:
            terminal.type("t", chat)
            await terminal.see(f"say: {chat}".rstrip())
        for read in reads:
            terminal.paste(read)
        await terminal.see(see)
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script, now=lambda: 1.0)  # so that on a busy machine, too, the reads follow at once
    return session


@pytest.mark.parametrize("line_break", ["\r", "\n", "\r\n"])
def test_trap_A32_of_an_unmarked_paste_the_chat_line_takes_the_first_line(line_break: str) -> None:
    text = line_break.join(["well played", "call me later", ""])
    session = at_own_turn(text, chat="oh, ", see=NOTHING_DONE)
    assert session.said == ["oh, well played"]
    assert session.acted == []


@pytest.mark.parametrize("line_break", ["\r", "\n", "\r\n"])
def test_trap_A32_a_marked_paste_is_one_line_of_chat_and_is_not_sent(line_break: str) -> None:
    text = line_break.join(["well played", "call me later", ""])
    session = at_own_turn(START + text + END, chat="oh, ", see="say: oh, well played call me later")
    assert (session.said, session.acted) == ([], [])


@pytest.mark.parametrize("text", ["fcr", "ccc", "f\r", "well played\rcall me later\r", "/leave\r/leave\r", "4\x03\r"])
def test_trap_A32_a_paste_at_the_table_is_no_key(text: str) -> None:
    session = at_own_turn(text, see=NOTHING_DONE)
    assert (session.said, session.acted) == ([], [])


@pytest.mark.parametrize("text", ["fcr", "c", "well played\rcall me later\r"])
def test_trap_A32_a_marked_paste_at_the_table_is_no_key(text: str) -> None:
    session = at_own_turn(START + text + END, see=NOTHING_DONE)
    assert (session.said, session.acted) == ([], [])


@pytest.mark.parametrize(
    "reads", [("well played\r", "call me later\r"), ("well played\r", "c"), ("well pla", "yed", "\rcall me\r", "c")]
)
def test_trap_A32_a_paste_in_several_reads(reads: tuple[str, ...]) -> None:
    session = at_own_turn(*reads, chat="oh, ", see=NOTHING_DONE)
    assert session.said == ["oh, well played"]
    assert session.acted == []


def test_trap_A32_a_marked_paste_in_several_reads() -> None:
    session = at_own_turn(START + "fc", "c", "r" + END, see=NOTHING_DONE)
    assert session.acted == []


def test_trap_A32_a_pasted_command_waits_for_enter() -> None:
    session = at_own_turn("/say hello\r/say you\r", chat=" ", see="say:  /say hello")
    assert (session.said, session.acted) == ([], [])


def test_words_typed_over_a_slow_line_are_sent_with_their_enter() -> None:
    session = at_own_turn("nice hand\r", chat="oh, ", see="Ann: oh, nice hand")
    assert session.said == ["oh, nice hand"]


async def lines_at_a_terminal(*writes: bytes) -> list[str]:
    """The texts that the line mode gets when these bytes arrive at its terminal, each when the last one was taken."""
    master, slave = os.openpty()
    got: list[str] = []
    try:
        with trio.fail_after(LIMIT):
            async with aclosing(stdin.lines(slave)) as lines:
                for text in writes:
                    os.write(master, text)
                    got.append(await anext(lines))
    finally:
        os.close(master)
        os.close(slave)
    return got


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
async def test_trap_A32_lines_that_arrive_together_at_a_terminal_are_one_text() -> None:
    got = await lines_at_a_terminal(b"well played\ncall\n", b"call\n", b"a\r\nb\rc\n", b"fold\n\n")
    assert got == ["well played\ncall", "call", "a\n\nb\nc", "fold"]


async def test_trap_A32_the_line_mode_does_nothing_with_several_lines() -> None:
    session = own_turn().session(1)
    written: list[str] = []
    mode = LineMode(session, written.append)
    mode.enter("well played\ncall\n")
    assert session.acted == []
    assert NOTHING_DONE in written[-1]


@needs_terminal
def test_trap_A32_a_line_pasted_behind_a_password_answers_no_question(tmp_path: Path) -> None:
    with on_terminal(tmp_path, "passwd") as child:
        child.expect("Password: ")
        child.send("a long secret\na long secret\n")
        child.expect("Repeat for confirmation: ")
        child.sendline("another secret")
        child.expect("do not match")
        for question in ("Password: ", "Repeat for confirmation: "):
            child.expect(question)
            child.sendline("a long secret")
        child.expect("password = ")
        assert ended(child) == 0
