"""The full-screen table on a terminal: `client.presenter.table` behind a prompt_toolkit application.

`run_table` shows it until the player leaves.
"""

import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, ConditionalContainer, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput, Processor, Transformation, TransformationInput
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from client.connection.session_port import TableSession
from client.input.table_commands import BY_KEY
from client.presenter.options import Notify, Options
from client.presenter.table import TablePresenter
from client.presenter.terminal_port import Exit
from client.terminal import event_loop
from client.terminal.full_screen import ESCAPE, FullScreen, key_name
from client.terminal.keyboard import Keyboard, Together
from client.terminal.lines_window import LinesWindow
from client.terminal.resize import Resizing
from client.terminal.style import style_of

TICK = 0.25
"""Seconds between looks at the clocks."""
HANGUP = 1
"""The number of SIGHUP: a terminal that has vanished is treated as this signal."""
GRACE = 3.0
"""Seconds in which the session and the tasks around it may end in order when the player leaves the screen."""
REDRAW = 0.02
"""The least number of seconds between two drawings; faster changes are drawn together."""
WHEEL = 3
"""Lines that the story scrolls with one step of the mouse wheel."""
CHAT_LIMIT = 300
"""Characters of a chat line."""
_SPECIAL = ("enter", "escape", "backspace", "up", "down", "home", "end")
"""Named keys that answers use."""
_ALWAYS = ("c-c", "<sigint>", "c-l", "c-z", "f1", "pageup", "pagedown")
"""Named keys that work while the chat line has the keyboard."""


def run_table(
    session: TableSession,
    options: Options | None = None,
    *,
    around: Callable[[Callable[[], Awaitable[None]]], Awaitable[None]] | None = None,
    terminal_input: Input | None = None,
    terminal_output: Output | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Exit:
    """Show the table of a session until the player leaves or the session ends.

    `around` is awaited in trio with `session.run` as its argument; it runs other tasks beside it: an embedded server,
    bots. Raises what `session.run` and `around` raise (a single error comes out as itself), and
    `client.terminal.event_loop.Signalled` when the program is told to end or its terminal vanishes.
    """
    table = TableApp(session, options or Options(), terminal_input, terminal_output, now)

    async def background() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.tick)  # until the screen ends: notes also go away after the session
            await (session.run() if around is None else around(session.run))
            table.presenter.session_over()

    try:
        return event_loop.run(table.app, background, grace=GRACE)
    except EOFError:
        raise event_loop.Signalled(HANGUP) from None
    finally:
        table.restore_title()


class HiddenKey(Processor):
    """Shows stars in place of the host key that is typed behind ``/claim``."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """See `Processor`."""
        typed = transformation_input.document.text
        if not typed.lower().startswith("/claim "):
            return Transformation(transformation_input.fragments)
        shown = len("/claim ")
        return Transformation([("", typed[:shown] + "*" * (len(typed) - shown))])


class TableApp(FullScreen):
    """One terminal at one table: draws the presenter's lines, gives it the keys, and holds the chat line."""

    def __init__(
        self,
        session: TableSession,
        options: Options,
        keyboard: Input | None,
        output: Output | None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.chat = Buffer(multiline=False, accept_handler=self._entered)
        self._table_window = LinesWindow(
            lambda columns, rows: self.presenter.lines(columns, rows),
            lambda: self.app.output.encoding(),
            lambda steps: self.presenter.state.scroll_back(steps * WHEEL),
        )
        self._chat_window = Window(
            BufferControl(self.chat, input_processors=[HiddenKey(), BeforeInput("say: ", style="class:key")]),
            height=1,
            dont_extend_height=True,
        )
        chat_line = ConditionalContainer(self._chat_window, Condition(lambda: self.presenter.mode.chatting))
        self.app: Application[Exit] = Application(
            layout=Layout(HSplit([self._table_window, chat_line]), focused_element=self._table_window),
            key_bindings=self._bindings(),
            style=DynamicStyle(lambda: style_of(self.presenter.appearance.theme, self.app.color_depth)),
            full_screen=True,
            mouse_support=options.mouse,
            min_redraw_interval=REDRAW,
            input=Keyboard(keyboard or create_input(), now),
            output=output,
        )
        self.app.ttimeoutlen = self.app.timeoutlen = ESCAPE
        self.presenter = TablePresenter(session, self, options, now)

    async def tick(self) -> None:
        """Draw again whenever time alone has changed the screen, and once more after a resize."""
        resizing = Resizing(self.app)
        while not self.left:
            await trio.sleep(TICK)
            resizing.look()
            if self.presenter.needs_drawing():
                self.app.invalidate()

    # ---------------------------------------------------------------------- keys

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        at_table = Condition(lambda: not self.presenter.mode.chatting)

        def handle(event: KeyPressEvent) -> None:
            self.presenter.press(key_name(event))

        def back(event: KeyPressEvent) -> None:
            self.presenter.close_chat()

        named = {name for name in BY_KEY if len(name) > 1} | set(_SPECIAL)
        for name in sorted(named):
            bindings.add(name, filter=True if name in _ALWAYS else at_table)(handle)
        bindings.add(Keys.Any, filter=at_table)(handle)
        bindings.add(Keys.BracketedPaste)(self._pasted)
        bindings.add("escape", filter=~at_table)(back)
        bindings.add("tab", filter=~at_table)(self._tab)
        return bindings

    def _tab(self, event: KeyPressEvent) -> None:
        """Completes a command that is typed; behind anything else the table has the keyboard again."""
        if not self.chat.text.startswith("/"):
            self.presenter.close_chat()
        elif self.chat.document.is_cursor_at_the_end:
            line = self.presenter.completed(self.chat.text)
            self.chat.document = Document(line)

    def _entered(self, buffer: Buffer) -> bool:
        return not self.presenter.entered(buffer.text[:CHAT_LIMIT])  # true: the text stays

    def _pasted(self, event: KeyPressEvent) -> None:
        """A paste is never an action: at the table it does nothing, in the chat line it is text."""
        press = event.key_sequence[0]
        if not self.presenter.mode.chatting:
            self.presenter.pasted(press.data)
            return
        first, *rest = re.split(r"\r\n|\r|\n", press.data)
        if not isinstance(press, Together):
            self.chat.insert_text(_one_line(press.data))
            return
        self.chat.insert_text(_one_line(first))
        if not rest or self.chat.text.lstrip().startswith("/"):  # a command waits for an Enter of its own
            return
        self.chat.validate_and_handle()
        self.presenter.pasted("".join(rest))

    # ------------------------------------------------- what the presenter asks for

    def ring(self) -> None:
        """See `client.presenter.terminal_port.TableTerminalPort`."""
        if self.app.is_running:
            self.app.output.bell()
            self.app.output.flush()

    def notify(self, text: str, how: Notify) -> None:
        """See `client.presenter.terminal_port.TableTerminalPort`; `text` has no control characters."""
        if self.app.is_running and how != "off":
            start = "9;" if how == "osc9" else "777;notify;Roll Your Own;"
            self.app.output.write_raw(f"\x1b]{start}{text.replace(';', ',')}\x1b\\")
            self.app.output.flush()

    def title(self, text: str) -> None:
        """See `client.presenter.terminal_port.TableTerminalPort`."""
        if self.app.is_running:
            self.app.output.set_title(text)
            self.app.output.flush()

    def restore_title(self) -> None:
        """Give the terminal its own title back, if it is still there."""
        with suppress(OSError):
            self.app.output.clear_title()
            self.app.output.flush()

    def open_chat(self, beginning: str) -> None:
        """See `client.presenter.terminal_port.TableTerminalPort`; a draft that was left stays."""
        if beginning and not self.chat.text:
            self.chat.insert_text(beginning)
        self.app.layout.focus(self._chat_window)

    def close_chat(self) -> None:
        """See `client.presenter.terminal_port.TableTerminalPort`."""
        if self.chat.text == "/":
            self.chat.reset()
        self.app.layout.focus(self._table_window)


def _one_line(text: str) -> str:
    return re.sub(r"\r\n|[\r\n\t]", " ", text)
