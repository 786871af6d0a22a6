"""A terminal in memory: what is typed goes to the application, what it draws goes through pyte.

A test's script is a trio task beside the session; it waits for texts on the screen, never for time.
"""

import re
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pyte
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.output.vt100 import Vt100_Output

from client.display.theme import Theme
from client.presenter.options import Options
from client.presenter.terminal_port import Exit
from client.terminal.keyboard import WrappedInput
from client.terminal.table_app import run_table
from tests.support.limits import LIMIT
from tests.support.local_table import LocalSession

KEYS = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "backspace": "\x7f",
    "ctrl-c": "\x03",
    "ctrl-l": "\x0c",
    "f1": "\x1bOP",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "home": "\x1b[H",
    "end": "\x1b[F",
}


_ONE_KEY = re.compile(r"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-9;<]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)


class Typist(WrappedInput):
    """A keyboard whose keys arrive one by one, as from fingers; the next is pressed when the last one was read.

    Attributes:
        idle: set as soon as every key that was typed has been read.
    """

    def __init__(self, pipe: PipeInput) -> None:
        super().__init__(pipe)
        self._pipe = pipe
        self._waiting: list[str] = []
        self._pressed = False
        self.idle = trio.Event()

    def type(self, text: str) -> None:
        """Press the keys of a text one after the other."""
        for key in _ONE_KEY.findall(text):
            self.paste(key)

    def paste(self, text: str) -> None:
        """Let a text arrive in one read."""
        self._waiting.append(text)
        if not self._pressed:
            self.idle = trio.Event()
            self._press()

    def _press(self) -> None:
        self._pressed = bool(self._waiting)
        if self._waiting:
            self._pipe.send_text(self._waiting.pop(0))
        else:
            self.idle.set()

    def read_keys(self) -> list[KeyPress]:
        """See `prompt_toolkit.input.Input`."""
        keys = super().read_keys()
        self._press()
        return keys


class _Bells(pyte.Screen):
    """A screen that counts its bells."""

    bells = 0

    def bell(self, *_: Any) -> None:
        self.bells += 1


class Terminal:
    """Keyboard and screen; the file-like half is what prompt_toolkit writes to."""

    encoding = "utf-8"

    def __init__(self, keyboard: Typist, columns: int = 80, rows: int = 24) -> None:
        self.keyboard = keyboard
        self.pyte = _Bells(columns, rows)
        self._stream = pyte.Stream(self.pyte)
        self._changed = trio.Event()
        self.raw = ""
        self.output = Vt100_Output(self, self._size, term="xterm-256color", enable_cpr=False)  # type: ignore[arg-type]

    def _size(self) -> Size:
        return Size(rows=self.pyte.lines, columns=self.pyte.columns)

    # ------------------------------------------------------- the file it writes to

    def write(self, text: str) -> int:
        self.raw += text
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def isatty(self) -> bool:
        return True

    # ---------------------------------------------------------------- for the test

    def type(self, *keys: str) -> None:
        """Type texts and named keys."""
        self.keyboard.type("".join(KEYS.get(key, key) for key in keys))

    def paste(self, text: str) -> None:
        """Let a text arrive in one read, without the marks of a bracketed paste."""
        self.keyboard.paste(text)

    async def typed(self) -> None:
        """Wait until the application has read every key."""
        with trio.fail_after(LIMIT):
            await self.keyboard.idle.wait()

    def resize(self, columns: int, rows: int) -> None:
        """Make the window another size; the application hears of it as after a SIGWINCH."""
        self.pyte.resize(rows, columns)

    def text(self) -> str:
        """The screen as lines."""
        lines: list[str] = list(self.pyte.display)
        return "\n".join(line.rstrip() for line in lines)

    async def changed(self) -> None:
        """Wait until something has been drawn."""
        await self._changed.wait()

    async def see(self, *texts: str) -> None:
        """Wait until all these texts are on the screen."""
        with trio.move_on_after(LIMIT) as scope:
            while not all(text in self.text() for text in texts):
                await self._changed.wait()
        assert not scope.cancelled_caught, f"never saw {texts}:\n{self.text()}"

    async def lose(self, text: str) -> None:
        """Wait until the text is gone."""
        with trio.move_on_after(LIMIT) as scope:
            while text in self.text():
                await self._changed.wait()
        assert not scope.cancelled_caught, f"{text!r} stays:\n{self.text()}"


Script = Callable[[Terminal], Awaitable[None]]


def show(
    session: LocalSession,
    script: Script,
    *,
    columns: int = 80,
    rows: int = 24,
    options: Options | None = None,
    now: Callable[[], float] = time.monotonic,
    also: Sequence[Callable[[], Awaitable[None]]] = (),
) -> tuple[Exit, Terminal]:
    """Run the table screen over `session` while `script` types and looks; how it ended, and the terminal after it."""
    options = options or Options(theme=Theme(palette="none"), settle=0, reveal=0)
    with create_pipe_input() as pipe:
        keyboard = Typist(pipe)
        terminal = Terminal(keyboard, columns, rows)

        async def around(run: Callable[[], Awaitable[None]]) -> None:
            with trio.fail_after(2 * LIMIT):
                async with trio.open_nursery() as nursery:
                    for task in also:
                        nursery.start_soon(task)
                    nursery.start_soon(script, terminal)
                    await run()

        ended = run_table(
            session, options, around=around, terminal_input=keyboard, terminal_output=terminal.output, now=now
        )
    return ended, terminal
