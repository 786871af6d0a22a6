"""The full-screen table: session, keys and screen put together.

`run_table` shows it until the player leaves. `TableScreen` may also be built alone and run by other means. Nothing in
here decides a rule: what may be done comes with the request, what has happened comes with the events.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias, assert_never

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import KEY_ALIASES, Keys
from prompt_toolkit.layout import BufferControl, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle, Style

from client import host
from client.answering import Draft, Key, offer
from client.cells import clean
from client.keys import TABLE_KEYS, Deed, help_lines, pressed, table_key
from client.prompting import Prompt, asked, clean_note, not_asked
from client.screen import WIDE, ScreenState, render, stage
from client.session import Status
from client.slash import SLASHES, Slash, parse
from client.storyline import Tale
from client.theme import PALETTES, Theme
from protocol import events as ev
from protocol import words
from protocol.actions import Action
from protocol.events import AnyEvent, Chips, Seat
from protocol.story import tell
from protocol.view import Pending, TableView

Exit: TypeAlias = Literal["left", "closed"]
"""Why the screen ended: the player left it (his seat is kept), or the session was over."""

SETTLE = 0.3
"""Seconds after a new request in which its keys do nothing: a key meant for the price before must not pay this one."""
TICK = 0.25
"""Seconds between looks at the clocks."""
NOTE = 6.0
"""Seconds a note stands."""
STORY = 3000
"""Sentences kept for scrolling back."""
_SPECIAL = ("enter", "escape", "backspace", "up", "down", "home", "end", "delete")


class TableSession(Protocol):
    """What the screen needs of a `client.session.ClientSession`; see there."""

    view: TableView
    seat: Seat
    status: Status
    trouble: str
    on_event: list[Callable[[AnyEvent], None]]
    on_change: list[Callable[[Sequence[AnyEvent]], None]]
    on_notice: list[Callable[[str], None]]

    @property
    def pending(self) -> Pending | None: ...
    def seconds_left(self, seat: Seat) -> float | None: ...
    def act(self, action: Action) -> str: ...
    def say(self, text: str) -> None: ...
    def sit_out(self) -> None: ...
    def sit_in(self) -> None: ...
    def stand_up(self) -> None: ...
    def top_up(self, amount: Chips) -> None: ...
    def go_on(self) -> None: ...
    def close(self) -> None: ...
    async def run(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Options:
    """How the screen behaves: its looks, the bell, and `settle` seconds in which the keys of a new request are dead."""

    theme: Theme = field(default_factory=Theme)
    bell: bool = True
    settle: float = SETTLE


_USUAL = Options()


def run_table(
    session: TableSession,
    options: Options = _USUAL,
    *,
    around: Callable[[Callable[[], Awaitable[None]]], Awaitable[None]] | None = None,
    terminal_input: Input | None = None,
    terminal_output: Output | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Exit:
    """Show the table of a session until the player leaves or the session ends.

    `around` is awaited in trio with `session.run` as its argument, for what must live beside it: an embedded server,
    bots. Raises what `session.run` and `around` raise, and see `client.host.run`.
    """
    screen = TableScreen(session, options, terminal_input=terminal_input, terminal_output=terminal_output, now=now)

    async def background() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(screen.tick)
            if around is None:
                await session.run()
            else:
                await around(session.run)
            nursery.cancel_scope.cancel()
        screen.session_over()

    try:
        return host.run(screen.app, background)
    finally:
        screen.restore_title()


class TableScreen:
    """One table on one terminal: the prompt_toolkit application and the state behind it."""

    def __init__(
        self,
        session: TableSession,
        options: Options = _USUAL,
        *,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self.options = options
        self.theme = options.theme
        self.bell = options.bell
        self.now = now
        self.state = ScreenState()
        self.draft = Draft()
        self.tales: list[Tale] = []
        self._asked = 0  # number of the request whose turn was rung in
        self._ready = 0.0  # when its keys come alive
        self._note_until = 0.0
        self._leaving = False
        self._over = False
        self._ticked = ""
        session.on_event.append(self._event)
        session.on_change.append(self._changed)
        session.on_notice.append(self.note)
        self.chat = Buffer(multiline=False, accept_handler=self._said)
        self.app = self._application(terminal_input, terminal_output)
        self._changed(())  # the session may have a request open already

    # ------------------------------------------------------------------- drawing

    def _application(self, keyboard: Input | None, output: Output | None) -> Application[Exit]:
        chat = Window(
            BufferControl(self.chat, input_processors=[BeforeInput("say: ", style="class:key")]),
            height=1,
            dont_extend_height=True,
        )
        self._table_window = Window(FormattedTextControl(self._text, focusable=True), always_hide_cursor=True)
        self._chat_window = chat
        self._chatting = Condition(lambda: self.app.layout.has_focus(self._chat_window))
        app: Application[Exit] = Application(
            layout=Layout(
                HSplit([self._table_window, ConditionalContainer(chat, Condition(lambda: self.chatting))]),
                focused_element=self._table_window,
            ),
            key_bindings=self._bindings(),
            style=DynamicStyle(lambda: Style.from_dict(self.theme.styles())),
            full_screen=True,
            input=keyboard,
            output=output,
        )
        app.ttimeoutlen = app.timeoutlen = 0.1
        return app

    @property
    def chatting(self) -> bool:
        """Whether the chat line has the keyboard."""
        return self.app.layout.current_window is self._chat_window

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        rows = size.rows - (1 if self.chatting else 0)
        text: StyleAndTextTuples = []
        for line in self.lines(size.columns, rows):
            if text:
                text.append(("", "\n"))
            text += line
        return text

    def lines(self, columns: int, rows: int) -> list[list[tuple[str, str]]]:
        """The screen's lines as they should be now."""
        session, state = self.session, self.state
        state.seat = session.seat
        state.tales = self.tales
        state.clocks = {
            seat.seat: left
            for seat in session.view.players()
            if seat.pending is not None and (left := session.seconds_left(seat.seat)) is not None
        }
        prompt = self._prompt()
        state.question, state.hints, state.urgent, state.preview = (
            prompt.question, prompt.hints, prompt.urgent, prompt.preview,
        )  # fmt: skip
        if self.now() > self._note_until:
            state.note = ""
        state.status = self._status()
        state.banner = self._banner()
        return render(session.view, state, self.theme, columns, rows)

    def _prompt(self) -> Prompt:
        session = self.session
        pending = session.pending
        if pending is None or session.status != "online":
            on_its_way = bool(session.seat and _own_pending(session) is not None and session.status == "online")
            return not_asked(
                session.view, session.seat, self.state.clocks, on_its_way=on_its_way, closed=session.status == "closed"
            )
        prompt = asked(
            session.view, pending.request, self.draft, self.keys(), session.seconds_left(session.seat), self.theme.card
        )
        if self.chatting:
            return replace(prompt, question=f"Esc, then: {prompt.question}")
        return prompt

    def _status(self) -> str:
        session = self.session
        if not session.seat:
            return "watching" if session.status == "online" else session.status
        own = session.view.seats[session.seat - 1] if session.seat <= len(session.view.seats) else None
        parts = ["" if self.bell else "bell off", "sitting out" if own is not None and own.away else ""]
        return self.theme.dot.join(part for part in parts if part)

    def _banner(self) -> str:
        session = self.session
        if session.status == "reconnecting":
            return f"Connection lost. {session.trouble} Trying to come back; your seat is kept."
        if session.status == "connecting":
            return "Connecting ..."
        if session.status == "closed":
            return f"Closed. {session.trouble}".strip()
        return ""

    # ------------------------------------------------------------- from the session

    def _event(self, event: AnyEvent) -> None:
        viewer = self.session.seat or None
        chat = isinstance(event, ev.Said)
        lines = tell(event, self.session.view, viewer)
        told = [Tale(text, chat) for text in lines]
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped):
            # The boards stand at the seats already.
            told[0] = Tale(f"{stage(self.session.view).capitalize()}, pot {self.session.view.pot()}", head=True)
        elif isinstance(event, ev.HandStarted):
            told[0] = Tale(lines[0], head=True)
        self.tales += told
        if self.state.scroll:
            self.state.scroll += len(told)  # what the reader looks at stays where it is
        if len(self.tales) > STORY:
            del self.tales[: STORY // 10]
        if isinstance(event, ev.HandStarted):
            self.state.before = False

    def _changed(self, _events: Sequence[AnyEvent]) -> None:
        pending = self.session.pending
        if pending is not None and pending.seq != self._asked:
            self._asked = pending.seq
            self._ready = self.now() + self.options.settle
            self.draft = Draft()
            self._ring()
        elif pending is None:
            self.draft = Draft()
        self._title(pending is not None)
        self.app.invalidate()

    def _ring(self) -> None:
        if self.bell and self.app.is_running:
            self.app.output.bell()
            self.app.output.flush()

    def _title(self, own_turn: bool) -> None:
        if not self.app.is_running:
            return
        name = clean(self.session.view.rules.name) if self.session.view.rules is not None else "Roll Your Own"
        self.app.output.set_title(f"* your turn - {name}" if own_turn and self.bell else name)

    def restore_title(self) -> None:
        """Give the terminal its own title back."""
        self.app.output.clear_title()
        self.app.output.flush()

    def note(self, text: str) -> None:
        """Show a sentence on the last line for a while."""
        self.state.note = text
        self._note_until = self.now() + NOTE
        self.app.invalidate()

    async def tick(self) -> None:
        """Draw again whenever a clock on the screen shows another second, or a note has stood long enough."""
        while True:
            await trio.sleep(TICK)
            view = self.session.view
            left = [self.session.seconds_left(seat.seat) for seat in view.players() if seat.pending is not None]
            shown = f"{[None if s is None else int(s) for s in left]} {self.now() > self._note_until}"
            if shown != self._ticked:
                self._ticked = shown
                self.app.invalidate()

    def session_over(self) -> None:
        """The session has ended by itself: the screen stays, so that the last hand can be read."""
        self._over = True
        if self._stood_up() and self.app.is_running and not self.app.is_done:
            self.app.exit(result="closed")
        self.app.invalidate()

    def _stood_up(self) -> bool:
        session = self.session
        return bool(session.seat) and not session.trouble

    # ---------------------------------------------------------------------- keys

    def keys(self) -> tuple[Key, ...]:
        """The keys of the open request; none while there is none."""
        pending = self.session.pending
        if pending is None or self.session.status != "online":
            return ()
        return offer(pending.request, self.draft, self.theme.card)

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        at_table = Condition(lambda: not self.chatting)
        always = {"c-c", "<sigint>", "c-l", "f1", "pageup", "pagedown"}
        special = {name for key in TABLE_KEYS for name in key.press if len(name) > 1} | set(_SPECIAL)

        def handle(event: KeyPressEvent) -> None:
            self.press(_key_name(event))

        for name in sorted(special):
            if name in always:
                bindings.add(name)(handle)
            else:
                bindings.add(name, filter=at_table)(handle)
        bindings.add(Keys.Any, filter=at_table)(handle)
        bindings.add(Keys.BracketedPaste, filter=at_table)(lambda event: None)  # a paste is never an action
        bindings.add("escape", filter=~at_table)(lambda event: self._leave_chat())
        bindings.add("tab", filter=~at_table)(lambda event: self._leave_chat())
        return bindings

    def press(self, name: str) -> None:
        """What a key does at the table, by the name that prompt_toolkit gives it."""
        if name not in ("c-c", "<sigint>"):
            self._leaving = False
        key = None if self.chatting else pressed(self.keys(), name)
        if key is not None:
            self._answer(key)
        else:
            of_table = table_key(name)
            if of_table is not None:
                self._do(of_table.deed)
            elif self._over and name in ("enter", "q"):
                self._leave()
        self.app.invalidate()

    def _answer(self, key: Key) -> None:
        if self.now() < self._ready:
            self.note("Not so fast: the question has just changed.")
            return
        if isinstance(key.step, Draft):
            self.draft = key.step
            return
        refused = self.session.act(key.step)
        if refused:
            self.note(words.sentence(refused))
        else:
            self.draft = Draft()

    def _do(self, deed: Deed) -> None:
        state, session = self.state, self.session
        match deed:
            case "chat" | "command":
                if deed == "command" and not self.chat.text:
                    self.chat.insert_text("/")
                self.app.layout.focus(self._chat_window)
            case "help":
                self._overlay([] if state.overlay else help_lines(self.keys()) + _slash_lines())
            case "redraw":
                self.app.renderer.clear()
            case "leave":
                self._ask_to_leave()
            case "up":
                self._scroll(self._page())
            case "down":
                self._scroll(-self._page())
            case "top":
                self._scroll(10 * STORY)
            case "bottom":
                self._scroll(-10 * STORY)
            case "go_on":
                own = session.view.seat(session.seat) if session.seat else None
                if own is not None and not session.view.playing and not own.went_on:
                    session.go_on()
            case "before":
                state.before = not state.before
                if state.before and not any(seat.before for seat in session.view.seats):
                    state.before = False
                    self.note("Nothing has been brought back in this hand.")
            case "cover":
                state.covered = not state.covered
            case "why":
                self.note(self._why())
            case "away":
                self._sit(out=not (session.seat and session.view.seat(session.seat).away))
            case "bell":
                self.bell = not self.bell
                self.note(f"Bell and title on your turn: {'on' if self.bell else 'off'}.")
            case "suits":
                self.theme = replace(self.theme, symbols=not self.theme.symbols)
            case "close":
                self._overlay([])
                state.before = False
            case _:
                assert_never(deed)

    def _overlay(self, lines: list[tuple[str, str]]) -> None:
        self.state.overlay = lines
        self.state.overlay_top = 0

    def _page(self) -> int:
        size = self.app.output.get_size()
        wide = size.columns >= WIDE[0] and size.rows >= WIDE[1]
        return max(1, size.rows // (2 if wide else 4))

    def _scroll(self, lines: int) -> None:
        state = self.state
        if state.overlay:
            state.overlay_top = max(0, min(len(state.overlay) - 1, state.overlay_top - lines))
        else:
            state.scroll = max(0, min(state.scroll + lines, len(self.tales)))

    def _sit(self, *, out: bool) -> None:
        if not self.session.seat:
            self.note("You are only watching.")
        elif out:
            self.session.sit_out()
            self.note("You sit out from the next hand on; z brings you back.")
        else:
            self.session.sit_in()
            self.note("You are dealt in again with the next hand.")

    def _why(self) -> str:
        view = self.session.view
        pending = self.session.pending
        parts = [words.sentence(words.fill(view.why, view))] if view.why else []
        if pending is not None and pending.request.note:
            parts.append(words.sentence(clean_note(pending.request, view)))
        parts += [words.sentence(words.fill(award.why, view)) for award in view.awards if award.why]
        return " ".join(parts) or "Nothing to explain just now."

    # ------------------------------------------------------------------- leaving

    def _ask_to_leave(self) -> None:
        if self.chatting and not self._leaving:
            self._leave_chat()
        if self._leaving or self._over:
            self._leave()
            return
        self._leaving = True
        self.note("Ctrl+C once more leaves the screen; your seat is kept.")

    def _leave(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.session.close()
            self.app.exit(result="closed" if self._over else "left")

    # ---------------------------------------------------------------------- chat

    def _leave_chat(self) -> None:
        """Back to the table; what was typed stays as a draft."""
        if self.chat.text == "/":
            self.chat.reset()
        self.app.layout.focus(self._table_window)

    def _said(self, buffer: Buffer) -> bool:
        text = buffer.text.strip()
        self.app.layout.focus(self._table_window)
        if text.startswith("/"):
            parsed = parse(text)
            if isinstance(parsed, str):
                self.note(parsed)
            else:
                self._order(*parsed)
        elif text:
            self.session.say(text)
        return False

    def _order(self, slash: Slash, rest: str) -> None:
        match slash.order:
            case "quit":
                self._leave()
            case "leave":
                self.session.stand_up()
                self.note("You give your seat back when the hand is over for you.")
            case "away" | "back":
                self._sit(out=slash.order == "away")
            case "rebuy":
                if rest.isascii() and rest.isdigit() and 0 < len(rest) < 10:
                    self.session.top_up(int(rest))
                else:
                    self.note("/rebuy needs a number of chips.")
            case "colours":
                palette = next((name for name in PALETTES if name == rest), None)
                if palette is None:
                    self.note(f"Colours: {', '.join(PALETTES)}.")
                else:
                    self.theme = replace(self.theme, palette=palette)
            case "say":
                self.session.say(rest)
            case "why" | "help" | "bell" | "suits":
                self._do(slash.order)
            case _:
                assert_never(slash.order)


def _own_pending(session: TableSession) -> Pending | None:
    """The own open request as the table has it, whether or not an answer is on its way."""
    return session.view.seats[session.seat - 1].pending if session.seat <= len(session.view.seats) else None


_NAMES = {code: name for name, code in KEY_ALIASES.items() if not name.startswith("s-")} | {
    "c-j": "enter",
    " ": "space",
}


def _key_name(event: KeyPressEvent) -> str:
    """The key as our tables name it: ``enter`` rather than ``c-m``."""
    key = event.key_sequence[0].key
    code = key.value if isinstance(key, Keys) else key
    return _NAMES.get(code, code)


def _slash_lines() -> list[tuple[str, str]]:
    return [
        ("class:title", "In the chat line"),
        *(("", f"  {f'{slash.word} {slash.more}'.strip():<28}{slash.text}") for slash in SLASHES),
    ]
