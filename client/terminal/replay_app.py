"""A recording on the full screen: the table of `client.display.screen`, moved by keys or by itself.

The keys are those of the field: arrows for events, brackets for streets, up and down for hands, Space to play.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from client.display.screen import Hint, ScreenState, render
from client.display.story_pane import StoryLine
from client.display.text_cells import Line, wrap
from client.display.theme import Theme
from client.terminal import event_loop as host
from client.terminal.full_screen import formatted
from client.terminal.resize import Resizing
from client.terminal.style import style_of
from protocol.narration import phrases as words
from replays.narration import seen_by, story, why
from replays.navigator import Viewer
from replays.playback import Playback
from replays.recording import Unreadable

TICK = 0.05
"""Seconds between looks at the clock of autoplay."""
FOLLOW = 1.0
"""Seconds between looks at a file that may still be growing."""
OVERLAY = 36
"""Columns of the narrowest pane in which help and reasons are shown."""

Deed: TypeAlias = Literal[
    "forward", "back", "next_street", "previous_street", "next_hand", "previous_hand", "start", "end",
    "play", "faster", "slower", "eyes", "all", "go", "why", "suits", "help", "up", "down", "redraw", "close", "quit",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplayKey:
    """A key: `press` as prompt_toolkit names it, `shown` as the help does."""

    press: tuple[str, ...]
    shown: str
    label: str
    deed: Deed


REPLAY_KEYS: tuple[ReplayKey, ...] = (
    ReplayKey(("right", "l"), "Right", "next event", "forward"),
    ReplayKey(("left", "h"), "Left", "one event back", "back"),
    ReplayKey(("]",), "]", "next street", "next_street"),
    ReplayKey(("[",), "[", "back to a street's start", "previous_street"),
    ReplayKey(("down",), "Down", "next hand", "next_hand"),
    ReplayKey(("up",), "Up", "back to a hand's start", "previous_hand"),
    ReplayKey(("home",), "Home", "first event", "start"),
    ReplayKey(("end",), "End", "last event, then follow", "end"),
    ReplayKey((" ",), "Space", "play, pause", "play"),
    ReplayKey(("+", "="), "+", "faster", "faster"),
    ReplayKey(("-",), "-", "slower, to real time", "slower"),
    ReplayKey(("v",), "v 1-9", "whose eyes; 0 spectator", "eyes"),
    ReplayKey(("x",), "x", "down cards: show, hide", "all"),
    ReplayKey(("g",), "g", "go to (hand 41 step 12)", "go"),
    ReplayKey(("w",), "w", "why it is so", "why"),
    ReplayKey(("pageup",), "PageUp", "story back", "up"),
    ReplayKey(("pagedown",), "PageDown", "story forward", "down"),
    ReplayKey(("s",), "s", "suits: letters, signs", "suits"),
    ReplayKey(("?", "f1"), "? F1", "these keys", "help"),
    ReplayKey(("c-l",), "Ctrl+L", "draw again", "redraw"),
    ReplayKey(("escape",), "Esc", "close this", "close"),
    ReplayKey(("q", "c-c", "<sigint>"), "q", "quit", "quit"),
)
"""The one table of keys: it binds them and is the help."""

_DEEDS = {name: key.deed for key in REPLAY_KEYS for name in key.press}
_HINTS = (
    Hint("Left Right", "event"), Hint("[ ]", "street"), Hint("Up Down", "hand"), Hint("Space", "play"),
    Hint("v", "eyes"), Hint("x", "all cards"), Hint("g", "go to"), Hint("w", "why"), Hint("?", "keys"),
    Hint("q", "quit"),
)  # fmt: skip
_MOVES: Mapping[Deed, Callable[[Playback], int]] = {
    "forward": Playback.forward,
    "next_street": Playback.next_street,
    "next_hand": Playback.next_hand,
    "back": Playback.back,
    "previous_street": Playback.previous_street,
    "previous_hand": Playback.previous_hand,
    "start": Playback.start,
    "end": Playback.end,
}
_ONWARD: frozenset[Deed] = frozenset({"forward", "next_street", "next_hand", "end"})
END = "This is the end of what has been recorded."
_DIGITS = "0123456789"
_ENTRY = 40
"""Longest text for `g`."""


class ReplayScreen:
    """The application and what it shows; `press` and `lines` work without a terminal too."""

    def __init__(
        self,
        viewer: Viewer,
        theme: Theme | None = None,
        *,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.viewer = viewer
        self.theme = theme or Theme()
        self.now = now
        self.state = ScreenState()
        self._entry: str | None = None
        self._due = 0.0
        self._followed = 0.0
        self._told: tuple[object, list[StoryLine]] = (None, [])
        self.app = self._application(terminal_input, terminal_output)

    def _application(self, terminal_input: Input | None, terminal_output: Output | None) -> Application[None]:
        bindings = KeyBindings()

        def handle(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            self.press(key.value if isinstance(key, Keys) else key)

        special = {name for name in _DEEDS if len(name) > 1} | {"enter", "backspace"}
        for name in sorted(special):
            bindings.add(name)(handle)
        bindings.add(Keys.Any)(handle)
        bindings.add(Keys.BracketedPaste)(lambda event: None)
        app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._text, show_cursor=False), always_hide_cursor=True)),
            key_bindings=bindings,
            style=DynamicStyle(lambda: style_of(self.theme)),
            full_screen=True,
            input=terminal_input,
            output=terminal_output,
        )
        app.ttimeoutlen = app.timeoutlen = 0.1
        return app

    # ----------------------------------------------------------------- drawing

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        return formatted(self.lines(size.columns, size.rows))

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen's lines as they should be now."""
        viewer, state = self.viewer, self.state
        view = viewer.view
        state.seat = viewer.eyes if isinstance(viewer.eyes, int) else 0
        state.story = self._story()
        state.question, state.hints = self._question(), self._hints()
        speed = f"playing, {viewer.speed}" if viewer.playing else ""
        state.status = self.theme.dot.join(part for part in (speed, seen_by(view, viewer.eyes)) if part)
        return render(view, state, self.theme, columns, rows)

    def _story(self) -> list[StoryLine]:
        """The story of this hand up to here; the future stays out of it."""
        playback, eyes = self.viewer.playback, self.viewer.eyes
        place = (playback.position, eyes)
        if self._told[0] != place:
            start = max(playback.hand_start() - 1, 0)
            told = story(playback, start, playback.position, eyes)
            self._told = (place, [StoryLine(line.text, line.chat) for line in told])
        return self._told[1]

    def _question(self) -> str:
        if self._entry is not None:
            return f"Go to event, or hand N step N: {self._entry}_"
        viewer = self.viewer
        parts = [f"event {viewer.playback.position} of {len(viewer.playback)}", viewer.time()]
        if viewer.playback.hand_start():
            parts.insert(1, viewer.place())
        return self.theme.dot.join(part for part in parts if part)

    def _hints(self) -> Sequence[Hint]:
        if self._entry is not None:
            return (Hint("Enter", "go"), Hint("Esc", "stay"))
        now = {
            "Space": "pause" if self.viewer.playing else "play",
            "x": "hide" if self.viewer.everything else "all cards",
        }
        return [Hint(hint.key, now.get(hint.key, hint.label)) for hint in _HINTS]

    # -------------------------------------------------------------------- keys

    def press(self, name: str) -> None:
        """What a key does, by the name that prompt_toolkit gives it."""
        if self._entry is not None and name not in ("c-c", "<sigint>"):
            self._enter(name)
        elif name in _DEEDS:
            self.state.note = ""
            self._do(_DEEDS[name])
        elif len(name) == 1 and name in _DIGITS:
            self.state.note = self.viewer.look_as(int(name) or None)
        self.app.invalidate()

    def _enter(self, name: str) -> None:
        """A key while the place to go to is typed."""
        entry = self._entry or ""
        if name == "escape":
            self._entry = None
        elif name in ("enter", "c-m", "c-j"):
            self.state.note = self.viewer.go_to(entry) if entry else ""
            self.state.scroll = 0
            self._entry = None
        elif name in ("backspace", "c-h"):
            self._entry = entry[:-1]
        elif len(name) == 1 and name.isprintable():
            self._entry = (entry + name)[:_ENTRY]

    def _do(self, deed: Deed) -> None:
        viewer, state = self.viewer, self.state
        if (move := _MOVES.get(deed)) is not None:
            viewer.playing = False
            self._move(move, onward=deed in _ONWARD)
            return
        match deed:
            case "play":
                self._play()
            case "faster" | "slower":
                state.note = viewer.faster(1 if deed == "faster" else -1)
                self._due = self.now() + viewer.wait()
            case "eyes":
                state.note = viewer.next_eyes()
            case "all":
                state.note = viewer.toggle_all()
            case "go":
                viewer.playing = False
                self._entry = ""
            case "why":
                self._overlay(
                    [("", line) for text in why(viewer.playback, viewer.eyes) for line in wrap(text, OVERLAY)]
                )
            case "suits":
                self.theme = replace(self.theme, symbols=not self.theme.symbols)
            case "help":
                self._overlay([("class:title", "Replay"), *(("", f"  {k.shown:<9}{k.label}") for k in REPLAY_KEYS)])
            case "up" | "down":
                self._scroll(1 if deed == "up" else -1)
            case "redraw":
                self.app.renderer.clear()
            case "close":
                state.overlay = []
            case "quit":
                if self.app.is_running and not self.app.is_done:
                    self.app.exit()
            case _:
                raise AssertionError(deed)  # the moves are in their table

    def _move(self, move: Callable[[Playback], int], *, onward: bool) -> None:
        self.state.scroll = 0
        self.state.overlay = []
        if onward and self._at_end():
            self.state.note = self.state.note or END
            return
        move(self.viewer.playback)
        if self.viewer.playback.position == 0:
            self.viewer.playback.start()

    def _at_end(self) -> bool:
        try:
            return self.viewer.at_end()
        except (Unreadable, OSError, ValueError) as error:
            self.state.note = words.sentence(str(error))
            return True

    def _play(self) -> None:
        viewer = self.viewer
        viewer.playing = not viewer.playing
        if viewer.playing and self._at_end() and not viewer.view.playing:
            viewer.playback.goto(viewer.playback.hand_start())
        self._due = self.now() + viewer.wait()
        self.state.note = "" if viewer.playing else "Paused."

    def _overlay(self, lines: list[tuple[str, str]]) -> None:
        self.state.overlay = [] if list(self.state.overlay) == lines else lines
        self.state.overlay_top = 0

    def _scroll(self, sign: int) -> None:
        lines = sign * max(1, self.app.output.get_size().rows // 4)
        state = self.state
        if state.overlay:
            state.overlay_top = max(0, min(len(state.overlay) - 1, state.overlay_top - lines))
        else:
            state.scroll = max(0, min(state.scroll + lines, len(self._story())))

    # ---------------------------------------------------------------- autoplay

    def beat(self) -> bool:
        """Goes on where autoplay is due, and follows a game that is still recorded; whether something changed."""
        viewer, now = self.viewer, self.now()
        if not viewer.playing:
            return False
        moved = False
        while now >= self._due and viewer.playback.position < len(viewer.playback):
            viewer.playback.forward()
            moved = True
            wait = viewer.wait()
            self._due = now + wait
            if wait:
                break
        if not moved and viewer.playback.position >= len(viewer.playback) and now >= self._followed:
            self._followed = now + FOLLOW
            if self._at_end() and not viewer.view.playing:
                viewer.playing = False
                self.state.note = self.state.note or END
                moved = True
        return moved

    async def tick(self) -> None:
        """The clock of autoplay, beside the application."""
        resizing = Resizing(self.app)
        while True:
            await trio.sleep(TICK)
            resizing.look()
            if self.beat():
                self.app.invalidate()


def run_replay_screen(
    viewer: Viewer,
    theme: Theme | None = None,
    *,
    terminal_input: Input | None = None,
    terminal_output: Output | None = None,
) -> None:
    """Shows a recording until the reader quits. Raises what `client.terminal.event_loop.run` raises."""
    screen = ReplayScreen(viewer, theme, terminal_input=terminal_input, terminal_output=terminal_output)
    host.run(screen.app, screen.tick)
