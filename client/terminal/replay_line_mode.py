"""A recording in lines that are only ever added: for screen readers, pipes and plain terminals.

Every step tells the events that it passes; everything else is told on request. Commands are letters or words, one on a
line. An empty line is the next event.
"""

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TypeAlias, assert_never

import trio

from client.presenter.replay import no_export
from client.presenter.replay_chances import ReplayChances, worth_lines
from client.presenter.replay_commands import MOVES, REPLAY_COMMANDS, MoveName, ReplayCommand, parse
from client.terminal.line_mode import SEVERAL_LINES
from protocol import events as ev
from protocol.narration.phrases import counted
from protocol.sanitize import clean
from replays.narration import clock, describe, story, table_line, where, why
from replays.navigator import Navigator, plainly
from replays.notes import BadNotes
from replays.recording import Unreadable
from replays.what_if.branch import Branch, find_branch
from replays.what_if.refused import Refused

PlayOn: TypeAlias = Callable[[Branch, AsyncIterable[str]], Awaitable[str]]
LINE_LIMIT = 1000
"""Characters in a line that is written; longer ones are cut."""


class ReplayLineMode:
    """A recording in lines.

    Args:
        navigator: the recording, the place in it, and the seat that sees it.
        write: gets one line without its end at a time.
        export: writes the hand at the navigator's place; a sentence that says where, or why not.

    Attributes:
        wanted: the step from which the reader wants to play on; None while there is none.
        done: whether the reader has quit; then nothing more must be typed.
    """

    def __init__(
        self,
        navigator: Navigator,
        write: Callable[[str], object],
        export: Callable[[Navigator], str] = no_export,
    ) -> None:
        self.navigator = navigator
        self._export = export
        self._chances = ReplayChances(navigator)
        self.done = False
        self.wanted: Branch | None = None
        self._write = write

    def begin(self) -> None:
        """Name the recording and tell the event at which it begins."""
        navigator = self.navigator
        events, hands = len(navigator.playback), navigator.playback.hand_count
        length = counted(hands, "hand") if navigator.blind else f"{counted(events, 'event')}, {counted(hands, 'hand')}"
        self._say(f"{navigator.recording.path.name}: {length}.")
        self._say_where()
        self._tell(navigator.playback.position - 1)
        self._say("Type ? for help; an empty line is the next event.")

    def enter(self, text: str) -> None:
        """Carry out one typed line. A text of several lines was pasted: it does nothing."""
        if "\n" in text.strip():
            self._say(SEVERAL_LINES)
            return
        parsed = parse(text)
        if parsed is None:
            self._not_understood(text)
        else:
            self._do(*parsed)

    def _do(self, command: ReplayCommand, argument: str) -> None:
        navigator = self.navigator
        match command.name:
            case "forward" | "next_street" | "next_hand":
                self._forward(command.name)
            case "back" | "previous_street" | "previous_hand":
                self._back(command.name)
            case "start" | "end":
                MOVES[command.name](navigator.playback)
                self._arrive()
            case "next_decision" | "previous_decision":
                self._say_or_arrive(navigator.next_decision(back=command.name == "previous_decision"))
            case "search":
                self._say_or_arrive(navigator.search(argument))
            case "mark":
                self._say(self._with_notes(navigator.mark))
            case "note" if argument:
                self._say(self._with_notes(lambda: navigator.write_note(argument)))
            case "note":
                self._say(self._with_notes(navigator.note) or "There is no note here.")
            case "what_if":
                self._play_on(argument)
            case "export":
                self._say(self._export(navigator))
            case "go_to":
                self._say_or_arrive(navigator.go_to(argument))
            case "next_view":
                self._say(navigator.next_viewpoint())
            case "view_of" if argument.isascii() and argument.isdecimal() and len(argument) < 3:
                self._say(navigator.look_as(int(argument) or None))
            case "all_cards":
                self._say(navigator.toggle_all())
            case "table":
                self._say_all(describe(navigator.view))
            case "where":
                self._say_where()
                self._say(f"To come back here: g {navigator.place()}")
            case "why":
                self._say_all(why(navigator.playback, navigator.viewpoint))
            case "worth":
                self._say_all(worth_lines(navigator, self._chances))
            case "help":
                self._help()
            case "quit":
                self.done = True
            case "view_of" | "play" | "faster" | "slower" | "up" | "down" | "suits" | "redraw" | "suspend" | "close":
                self._not_understood(f"{command.usage} {argument}")  # these have no words
            case _:
                assert_never(command.name)

    def _play_on(self, how: str) -> None:
        try:
            self.wanted = find_branch(self.navigator, how)
        except Refused as refused:
            self._say(str(refused))

    def back(self, told: str) -> None:
        """Say what came of playing on, and the place where the reader is again."""
        self.wanted = None
        self._say(told)
        self._say_where()

    # ------------------------------------------------------------------- moves

    def _forward(self, move: MoveName) -> None:
        if self._at_end():
            return
        before = self.navigator.playback.position
        MOVES[move](self.navigator.playback)
        self._tell(before)

    def _at_end(self) -> bool:
        try:
            over = self.navigator.at_end()
        except (Unreadable, OSError, ValueError) as error:
            self._say(f"The file can no longer be read: {error}")
            return True
        if over:
            running = self.navigator.view.playing
            self._say("Nothing more is recorded yet." if running else "That is all that has been recorded.")
        return over

    def _back(self, move: MoveName) -> None:
        playback = self.navigator.playback
        if playback.position <= 1:
            self._say("This is the first event.")
            return
        MOVES[move](playback)
        if move == "back":
            self._tell(playback.position - 1)
        else:
            self._arrive()

    def _say_or_arrive(self, refused: str) -> None:
        """Say why a jump was not possible, or where it has led."""
        if refused:
            self._say(refused)
        else:
            self._arrive()

    def _with_notes(self, work: Callable[[], str]) -> str:
        try:
            return work()
        except BadNotes as error:
            return str(error)

    def _arrive(self) -> None:
        """Say the place after a jump, the street, and the event before it."""
        playback = self.navigator.playback
        self._say_where()
        line = table_line(self.navigator.view)
        if line:
            self._say(line)
        self._tell(playback.position - 1)

    def _tell(self, after: int) -> None:
        """The story from a position to here; at least one line."""
        playback, viewpoint = self.navigator.playback, self.navigator.viewpoint
        told = list(story(playback, after, playback.position, viewpoint))
        for line in told:
            self._say(f"{clock(line.at)}  {line.text}")
        event = self.navigator.event()
        if not told and event is not None:
            self._say(f"{self.navigator.time()}  {plainly(event, self.navigator.view)}")
        if isinstance(event, ev.ActionRequested) and event.seat == viewpoint:
            self._say_all(self._chances.finished_lines())

    # ------------------------------------------------------------------- words

    def _not_understood(self, text: str) -> None:
        self._say(f"Not understood: {clean(' '.join(text.split()), 40)}. Type ? for help.")

    def _help(self) -> None:
        for command in REPLAY_COMMANDS:
            if command.words:
                words = [f"{word} {command.argument}".rstrip() for word in command.words if word]
                self._say(f"{', '.join(words)}: {command.line_text}")

    def _say_where(self) -> None:
        navigator = self.navigator
        self._say(where(navigator.playback, navigator.viewpoint, blind=navigator.blind))
        if remarks := self._with_notes(navigator.remarks):
            self._say(remarks[:1].upper() + remarks[1:])

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)

    def _say(self, line: str) -> None:
        self._write(clean(line, LINE_LIMIT))


async def run_replay_lines(
    navigator: Navigator,
    typed: AsyncIterable[str],
    write: Callable[[str], object],
    export: Callable[[Navigator], str] = no_export,
    play_on: PlayOn | None = None,
) -> None:
    """Step through a recording until `typed` ends or says quit.

    Args:
        export: writes a hand.
        play_on: plays on from a step with the lines that are typed from then on; a sentence that says what came of it.
    """
    mode = ReplayLineMode(navigator, write, export)
    mode.begin()
    async with trio.open_nursery() as nursery:
        shared = _SharedLines()
        nursery.start_soon(shared.read, typed)
        async for text in shared:
            mode.enter(text)
            if mode.wanted is not None and play_on is not None:
                mode.back(await play_on(mode.wanted, shared))
            if mode.done:
                break
        nursery.cancel_scope.cancel()


class _SharedLines:
    """Typed lines for several readers in turn: a game, when it is over, must not cancel the reading of the input.

    A line is read when somebody wants one; when they have gone by then, it is for the next reader.
    """

    def __init__(self) -> None:
        self._want, self._wanted = trio.open_memory_channel[None](1)
        self._give, self._given = trio.open_memory_channel[str](1)
        self._waits = False

    async def read(self, typed: AsyncIterable[str]) -> None:
        """Reads `typed` to its end."""
        rows = aiter(typed)
        async with self._give:
            async for _ in self._wanted:
                try:
                    await self._give.send(await anext(rows))
                except StopAsyncIteration:
                    return

    def __aiter__(self) -> "_SharedLines":
        return self

    async def __anext__(self) -> str:
        if not self._waits:
            self._waits = True
            with suppress(trio.BrokenResourceError):
                self._want.send_nowait(None)
        try:
            text = await self._given.receive()
        except trio.EndOfChannel:
            raise StopAsyncIteration from None
        self._waits = False
        return text
