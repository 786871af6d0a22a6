"""The presenter of a replay: the contents of the screen and the effects of the keys, without a terminal.

The table is that of `client.display.screen`; moves, views and autoplay are those of `replays.navigator`. The terminal
itself (`client.terminal.replay_app`) is behind `TerminalPort`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, assert_never

from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.story_pane import StoryLine
from client.display.text_cells import Line
from client.display.theme import Theme
from client.input.key_labels import key_label
from client.presenter.replay_chances import ReplayChances, worth_lines
from client.presenter.replay_commands import (
    BY_KEY,
    KEY_OF,
    MOVES,
    ONWARD,
    REPLAY_COMMANDS,
    MoveName,
    ReplayCommand,
    ReplayCommandName,
)
from client.presenter.terminal_port import TerminalPort
from protocol.narration import phrases as words
from replays.narration import seen_by, story, why
from replays.navigator import Navigator, plainly
from replays.notes import BadNotes
from replays.recording import Unreadable
from replays.what_if.branch import Branch, find_branch
from replays.what_if.refused import Refused

FOLLOW = 1.0
"""Seconds between looks at a file that may still be growing."""
END = "This is the end of what has been recorded."
_INTERRUPT = ("c-c", "<sigint>", "c-z")
_LONGEST_TYPED = 200
"""Characters of a text that is typed."""
Asked: TypeAlias = Literal["go_to", "search", "note", "what_if"]
"""What a text is typed for."""
ASKS: Mapping[Asked, str] = {
    "go_to": "Go to event, or hand N step N:",
    "search": "Search for:",
    "note": "Note at this step:",
    "what_if": "Play on; your seat, f for fresh cards:",
}


def no_export(navigator: Navigator) -> str:
    """What is said where hands cannot be written."""
    return "Hands cannot be written from here."


class ReplayPresenter:
    """One reader of one recording.

    Args:
        navigator: the recording, the place in it, and the seat that sees it; terminal: the port of the terminal.
        theme: colours and signs; now: seconds on any steady scale.
        export: writes the hand at the navigator's place, as it is seen there; a sentence that says where, or why not.

    Attributes:
        wanted: the step from which the reader wants to play on; the screen has ended then.
    """

    def __init__(
        self,
        navigator: Navigator,
        terminal: TerminalPort,
        theme: Theme,
        now: Callable[[], float],
        export: Callable[[Navigator], str] = no_export,
    ) -> None:
        self._export = export
        self.wanted: Branch | None = None
        self.navigator = navigator
        self.terminal = terminal
        self.theme = theme
        self.now = now
        self.state = ScreenState()
        self._typed: str | None = None  # what is typed for `_asked`
        self._asked: Asked = "go_to"
        self._remarks: tuple[int, str] = (-1, "")  # what was written at that position
        self._due = 0.0  # when autoplay goes on
        self._followed = 0.0  # when the file was last looked at
        self._story: tuple[object, list[StoryLine]] = (None, [])
        self._chances = ReplayChances(navigator)

    # ----------------------------------------------------------------- drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now: `rows` lines of `columns` columns."""
        navigator, state = self.navigator, self.state
        view = navigator.view
        state.seat = navigator.viewpoint if isinstance(navigator.viewpoint, int) else 0
        state.story = self._told()
        state.question, state.hints = self._question(), self._hints()
        remarks = self._written()
        state.preview = [*([remarks] if remarks else []), *self._chances.lines()]
        speed = f"playing, {navigator.speed}" if navigator.playing else ""
        state.status = self.theme.dot.join(part for part in (speed, seen_by(view, navigator.viewpoint)) if part)
        return render(view, state, self.theme, columns, rows)

    def _told(self) -> list[StoryLine]:
        """The story of this hand up to here; the future stays out of it."""
        playback, viewpoint = self.navigator.playback, self.navigator.viewpoint
        place = (playback.position, viewpoint)
        if self._story[0] != place:
            start = max(playback.hand_start() - 1, 0)
            told = story(playback, start, playback.position, viewpoint)
            self._story = (place, [StoryLine(line.sentence, line.chat) for line in told])
        return self._story[1]

    def _question(self) -> str:
        if self._typed is not None:
            return f"{self._prompt()} {self._typed}_"
        navigator = self.navigator
        of_all = "" if navigator.blind else f" of {len(navigator.playback)}"
        parts = [f"event {navigator.playback.position}{of_all}", navigator.time()]
        if navigator.playback.hand_start():
            parts.insert(1, navigator.place())
        return self.theme.dot.join(part for part in parts if part)

    def _prompt(self) -> str:
        """For what a text is typed."""
        seat = self.navigator.viewpoint
        if self._asked != "what_if" or not isinstance(seat, int):
            return ASKS[self._asked]
        return f"Play on as {words.name(self.navigator.view, seat)}; f: with fresh cards:"

    def _hints(self) -> Sequence[Hint]:
        if self._typed is not None:
            return (Hint(key_label("enter"), "go"), Hint(key_label("escape"), "stay"))
        playing, everything = self.navigator.playing, self.navigator.everything
        return [
            _hint("event", "back", "forward"),
            _hint("street", "previous_street", "next_street"),
            _hint("hand", "previous_hand", "next_hand"),
            _hint("decision", "previous_decision", "next_decision"),
            _hint("pause" if playing else "play", "play"),
            _hint("view", "next_view"),
            _hint("hide" if everything else "all cards", "all_cards"),
            _hint("go to", "go_to"),
            _hint("search", "search"),
            _hint("mark", "mark"),
            _hint("note", "note"),
            _hint("worth", "worth"),
            _hint("what if", "what_if"),
            _hint("why", "why"),
            _hint("keys", "help"),
            _hint("quit", "quit"),
        ]

    # -------------------------------------------------------------------- keys

    def press(self, name: str) -> None:
        """A key, by the name that prompt_toolkit gives it."""
        command = BY_KEY.get(name)
        if self._typed is not None and name not in _INTERRUPT:
            self._type(name)
        elif command is not None:
            self.state.note = ""
            self.do(command, name)
        self.terminal.redraw()

    def _ask(self, what: Asked, beginning: str = "") -> None:
        self.navigator.playing = False
        self._asked, self._typed = what, beginning

    def _type(self, name: str) -> None:
        """A key while something is typed."""
        typed = self._typed or ""
        char = " " if name == "space" else name
        if name == "escape":
            self._typed = None
        elif name == "enter":
            self._typed = None
            self._entered(typed)
        elif name == "backspace":
            self._typed = typed[:-1]
        elif len(char) == 1 and char.isprintable():
            self._typed = (typed + char)[:_LONGEST_TYPED]

    def _entered(self, text: str) -> None:
        navigator = self.navigator
        match self._asked:
            case "note":
                self.state.note = self._with_notes(lambda: navigator.write_note(text))
            case "what_if":
                self._play_on(text)
            case "search" if text:
                self.state.note, self.state.scroll = navigator.search(text), 0
            case "go_to" if text:
                self.state.note, self.state.scroll = navigator.go_to(text), 0
            case _:
                pass

    def _ask_what_if(self) -> None:
        """Asks how to play on; where that is not possible, says why."""
        if isinstance(self.navigator.viewpoint, int):
            try:
                find_branch(self.navigator)
            except Refused as refused:
                self.state.note = str(refused)
                return
        self._ask("what_if")

    def _play_on(self, text: str) -> None:
        try:
            self.wanted = find_branch(self.navigator, text)
        except Refused as refused:
            self.state.note = str(refused)
        else:
            self.terminal.exit("left")

    def _with_notes(self, work: Callable[[], str]) -> str:
        """Does something with marks and notes; what came of it, or why it was not possible."""
        self._remarks = (-1, "")
        try:
            return work()
        except BadNotes as error:
            return str(error)

    def _written(self) -> str:
        """The mark of this hand and the note of this step."""
        position = self.navigator.playback.position
        if self._remarks[0] != position:
            text = self._with_notes(self.navigator.remarks)
            self._remarks = (position, text)
        return self._remarks[1]

    def do(self, command: ReplayCommand, argument: str = "") -> None:
        """Carry out a command; `argument`: the digit of a seat."""
        navigator, state = self.navigator, self.state
        match command.name:
            case (
                "forward" | "back" | "next_street" | "previous_street" | "next_hand" | "previous_hand" | "start" | "end"
            ):
                self._move(command.name)
            case "play":
                self._play()
            case "faster" | "slower":
                state.note = navigator.faster(1 if command.name == "faster" else -1)
                self._due = self.now() + navigator.wait()
            case "next_view":
                state.note = navigator.next_viewpoint()
            case "view_of":
                state.note = navigator.look_as(int(argument) or None)
            case "all_cards":
                state.note = navigator.toggle_all()
            case "next_decision" | "previous_decision":
                navigator.playing, state.scroll = False, 0
                state.note = navigator.next_decision(back=command.name == "previous_decision")
            case "go_to" | "search":
                self._ask(command.name)
            case "note":
                self._ask("note", self._with_notes(navigator.note))
            case "what_if":
                self._ask_what_if()
            case "mark":
                state.note = self._with_notes(navigator.mark)
            case "export":
                state.note = self._export(navigator)
            case "why":
                reasons = why(navigator.playback, navigator.viewpoint)
                self._lay_over([("", text) for text in reasons])
            case "worth":
                self._lay_over([("", text) for text in worth_lines(navigator, self._chances, numbers=False)])
            case "suits":
                self.theme = replace(self.theme, symbols=not self.theme.symbols)
            case "help":
                self._lay_over(help_page())
            case "up":
                state.scroll_back(self.terminal.page())
            case "down":
                state.scroll_back(-self.terminal.page())
            case "redraw":
                self.terminal.redraw_all()
            case "suspend":
                self.terminal.suspend()
            case "close":
                state.lay_over([])
            case "quit":
                self.terminal.exit("left")
            case "table" | "where":
                pass  # the screen shows it
            case _:
                assert_never(command.name)

    def _move(self, move: MoveName) -> None:
        self.navigator.playing = False
        self.state.scroll = 0
        self.state.lay_over([])
        if move in ONWARD and self._at_end():
            self.state.note = self.state.note or END
            return
        playback = self.navigator.playback
        MOVES[move](playback)
        if playback.position == 0:
            playback.start()
        here, event = playback.position, self.navigator.event()
        if event is not None and not any(story(playback, here - 1, here, self.navigator.viewpoint)):
            self.state.note = plainly(event, self.navigator.view)  # otherwise the key would look dead

    def _at_end(self) -> bool:
        try:
            return self.navigator.at_end()
        except (Unreadable, OSError, ValueError) as error:
            self.state.note = words.sentence(str(error))
            return True

    def _play(self) -> None:
        navigator = self.navigator
        navigator.playing = not navigator.playing
        if navigator.playing and self._at_end() and not navigator.view.playing:
            navigator.playback.goto(navigator.playback.hand_start())
        self._due = self.now() + navigator.wait()
        self.state.note = "" if navigator.playing else "Paused."

    def _lay_over(self, lines: list[tuple[str, str]]) -> None:
        """Lay (style, text) lines over the story, or take them away where they lie there already."""
        self.state.lay_over([] if list(self.state.overlay) == lines else lines)

    # ---------------------------------------------------------------- autoplay

    def beat(self) -> bool:
        """Go on where autoplay is due, follow a game that is still recorded, and work on the chances.

        Returns whether something changed.
        """
        moved = self._autoplay()
        return self._chances.work() or moved

    def _autoplay(self) -> bool:
        navigator, now = self.navigator, self.now()
        if not navigator.playing:
            return False
        moved = False
        while now >= self._due and navigator.playback.position < len(navigator.playback):
            navigator.playback.forward()
            moved = True
            wait = navigator.wait()
            self._due = now + wait
            if wait:
                break
        if not moved and navigator.playback.position >= len(navigator.playback) and now >= self._followed:
            self._followed = now + FOLLOW
            if self._at_end() and not navigator.view.playing:
                navigator.playing = False
                self.state.note = self.state.note or END
                moved = True
        return moved


def _hint(label: str, *commands: ReplayCommandName) -> Hint:
    """A hint for the keys of one command or two."""
    return Hint(" ".join([key_label(KEY_OF[command]) for command in commands]), label)


def help_page() -> list[tuple[str, str]]:
    """The keys, as (style, text) lines."""
    rows = [f"  {_keys(command):<9}{command.text}" for command in REPLAY_COMMANDS if command.keys]
    return [("class:title", "Replay"), *(("", row) for row in rows)]


def _keys(command: ReplayCommand) -> str:
    """``? F1``, and for the digits ``0-9``"""
    if len(command.keys) > 2:
        return f"{command.keys[0]}-{command.keys[-1]}"
    return " ".join(map(key_label, command.keys))
