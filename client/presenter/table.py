"""The presenter of a table: the contents of a player's screen and the effects of their keys, without a terminal.

`TablePresenter` listens to a session, keeps the story, the answer in the making and the notes, and turns keys and typed
lines into calls of the session. It decides no rule: the possible actions come with the request, the facts with the
events. The terminal itself (`client.terminal.table_app`) is behind `TableTerminalPort`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import assert_never

from client.connection.catch_up import CatchUp
from client.connection.session_port import TableSession, may_talk, own_seat
from client.display.screen_state import Hint, ScreenState
from client.display.text_cells import Line, clean
from client.errors import BadSettings
from client.input.completion import completed
from client.input.decision_keys import ANSWER_NAMES
from client.input.slash_commands import parse
from client.input.table_commands import (
    BY_KEY,
    KEY_OF,
    WORTH,
    AnyCommand,
    AppearanceCommand,
    Question,
    ScreenCommand,
    SeatCommand,
)
from client.presenter import prompt
from client.presenter.appearance import Appearance
from client.presenter.evening import Evening
from client.presenter.game_card import GameCard
from client.presenter.missed_clock import MissedClock
from client.presenter.note_line import NoteLine
from client.presenter.options import NO_COACH, Options
from client.presenter.overlay import Overlay
from client.presenter.own_answer import OwnAnswer
from client.presenter.queries import NOTHING_TO_EXPLAIN
from client.presenter.result_pause import ResultPause
from client.presenter.reveal import Reveal
from client.presenter.seat_commands import SPECTATOR, SeatCommands, is_refused, say
from client.presenter.story_log import StoryLog
from client.presenter.table_screen import Mode, TableScreen
from client.presenter.terminal_port import TableTerminalPort
from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.narration.spans import Sentence, plain
from protocol.view import TableView

FAR = 1_000_000
"""Lines to one end of the story; drawing pulls it back to what there is."""
HURRY = 5
"""Seconds left, the time bank included, from which the question is marked."""
NOT_OUR_BOTS = "The players here take their own time."
TWICE = 5.0
"""Seconds within which Ctrl+C a second time leaves."""
_INTERRUPT = ("c-c", "<sigint>")
_LEAVE_KEYS = ("enter", prompt.LEAVE_KEY)
_NOT_CONNECTED = "No connection: that did nothing."
_PAUSED = "The table is paused: that did nothing."
_BESIDE_THE_HAND = (ev.Said, ev.WentOn, ev.ConnectionChanged)
"""Events that leave everything on the table as it was."""


class TablePresenter:
    """One player (or spectator) at one table.

    Args:
        session: the connection to the table; terminal: the port of the terminal.
        options: its looks and behaviour.
        now: seconds on any steady scale.
    """

    def __init__(
        self, session: TableSession, terminal: TableTerminalPort, options: Options, now: Callable[[], float]
    ) -> None:
        self.session = session
        self.terminal = terminal
        self.keymap = options.keymap
        self.appearance = Appearance(options, now)
        self.now = now
        self.state = ScreenState()
        self.mode = Mode()
        self.answer = OwnAnswer(session, self.appearance, options.settle, now, self.note)
        self.story = StoryLog(self.state)
        self.reveal = Reveal(options.reveal, now, self._tell)
        self.evening = Evening(session, now)
        self._catch_up = CatchUp(session, self._retell)
        self._told = 0  # lines of the story when the last snapshot came
        self._options = options
        self._commands = SeatCommands(session)
        self._note = NoteLine(now)
        self._missed_clock = MissedClock()
        self._pause = ResultPause(now)
        self._view = session.view
        self._shown = ""
        self._interrupted = -inf  # when Ctrl+C was pressed last
        self._card = GameCard(session, self.state, options)
        self._overlay = Overlay(self.state, self.keymap, self._card, self.note)
        self.screen = TableScreen(
            session, options, self.appearance, self.state, self.mode, self.answer, self._commands, self._note,
            self.reveal, self.evening, self._pause, self._hint, now,
        )  # fmt: skip
        session.on_event.append(self._event)
        session.on_change.append(self._changed)
        session.on_notice.append(self.note)
        if options.coach is not None:
            options.coach.on_line.append(self._coached)
        self._changed(())  # the session may have a request open already

    # ------------------------------------------------------------------- drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now: `rows` lines of `columns` columns."""
        return self.screen.lines(columns, rows)

    def _hint(self, key: str, label: str) -> Hint:
        """A hint for a key by its usual name; a click on it is a press of the key."""
        return Hint(self.keymap.label(key), label, partial(self._click, key)) if key else Hint("", label)

    def needs_drawing(self) -> bool:
        """Whether time has changed what is shown since this was last asked: a clock by a second, a note by its end."""
        revealed = self.reveal.go_on()
        shown = self.screen.changing()
        changed, self._shown = shown != self._shown or revealed, shown
        return changed

    # ------------------------------------------------------------- from the session

    def _event(self, event: AnyEvent) -> None:
        view = self.session.view
        if self._options.what_if is not None and isinstance(event, ev.ConnectionChanged):
            return  # the bots have come
        self._pause.event(event, view)
        if isinstance(event, ev.HandStarted) and self.screen.coached:
            self.story.answer([(self.screen.coached,)], own_cards=True)
            self.screen.coached = ""
        if not self.reveal.holds(event, view):
            self._tell(event, view)
        self.answer.event(event)
        if isinstance(event, ev.HandStarted):
            self.state.scroll = 0
        if not isinstance(event, _BESIDE_THE_HAND):
            self._note.outdated()
            if missed := self._missed_clock.sentence(event, self.session.view, self.session.seat):
                self.note(missed)
                self.story.answer([(missed,)])
            if not isinstance(event, ev.ChoiceMade):
                self.state.before = False

    def _tell(self, event: AnyEvent, view: TableView) -> None:
        """The event becomes part of the story; `view` stands directly behind it."""
        self.story.add(event, view, self.session.seat)

    def _coached(self, line: str) -> None:
        """The coach speaks of the hand that is over: above the question, and from the next hand on in the story."""
        self.screen.coached = line
        self.terminal.redraw()

    def _retell(self, events: Iterator[tuple[AnyEvent, TableView]], seat: Seat) -> None:
        """What happened in this hand before the snapshot, told above what has been told since."""
        self.story.retell(events, seat, len(self.story.lines) - self._told)
        if self.session.pending is not None:
            self.story.asked()
        self.terminal.redraw()

    def _changed(self, _events: Sequence[AnyEvent]) -> None:
        session, mode = self.session, self.mode
        self._card.look()
        if session.status != "online":
            mode.leaving = False
        if session.status != "reconnecting":
            mode.lost_at = None
        elif mode.lost_at is None:
            mode.lost_at = self.now()
            self.state.before = False
            self.reveal.finish()
        if session.view is not self._view:  # a snapshot: what was held back belongs to another view
            self._view = session.view
            self.reveal.finish()
            self._told = len(self.story.lines)
            self._catch_up.snapshot()
        if self.answer.newly_asked():
            self.story.asked()
            mode.leaving = False
            if self.answer.answered_ahead():
                return
            if self.appearance.bell:
                self.terminal.ring()
                self.terminal.notify("It is your turn.", self._options.notify)
        rules = session.view.rules
        name = clean(rules.name) if rules is not None else "Roll Your Own"
        turn = session.pending is not None and self.appearance.bell
        self.terminal.title(f"* your turn - {name}" if turn else name)
        self.terminal.redraw()

    def session_over(self) -> None:
        """The session ended by itself. The screen stays to be read, unless the player has given the seat back."""
        self.mode.over = True
        self.reveal.finish()
        own = own_seat(self.session)
        if own is not None and not own.name:
            self.terminal.exit("closed")
        self.terminal.redraw()

    # ---------------------------------------------------------------------- keys

    def press(self, name: str) -> None:
        """A key at the table, by the name that prompt_toolkit gives it."""
        self._press(name if self.mode.over and name in _LEAVE_KEYS else self.keymap.usual(name))

    def pasted(self, text: str) -> None:
        """Text that arrived at once, at the table or behind a chat line: it does nothing, and a note says so.

        Only the key for looking at one's own cards may repeat itself: it is held down.
        """
        if set(text) == {self.keymap.label_of("peek")}:
            self._press(KEY_OF["peek"])
        elif text.strip():
            self.note("Several keys at once are taken for a paste: nothing was done.")

    def _click(self, name: str) -> None:
        """A click on the key of that usual name. While the chat has the keyboard nothing is pressed."""
        if not self.mode.chatting:
            self._press(name)

    def _press(self, name: str) -> None:
        """A key by its usual name: of the open request, else of the choice of cards, else of the table.

        While a showdown is being revealed any key shows all of it and does nothing else.
        """
        if self.reveal.view is not None and not self.mode.chatting:
            self.reveal.finish()
            self.terminal.redraw()
            if name not in _INTERRUPT:
                return
        if name in _INTERRUPT:
            twice, self._interrupted = self.now() - self._interrupted < TWICE, self.now()
            if twice:  # whatever has come between: the question whether to leave goes when the turn comes
                self.leave()
                return
        if self.mode.leaving:
            self._decide_to_leave(name)
            self.terminal.redraw()
            return
        overlay = bool(self.state.overlay)
        key = None if self.mode.chatting else self.answer.key(name)
        if key is not None and not (overlay and name == "escape"):  # what lies on top goes first; the draft stays
            self._note.clear()
            self.state.scroll = 0
            self.answer.press(key)
        elif not (overlay or self.mode.chatting) and self.answer.picks_card(name):
            self._note.clear()
        elif self.mode.over and name in _LEAVE_KEYS:
            self.leave()
        elif name == KEY_OF["go_on"] and self._card.lies and not self.mode.chatting:
            self._card.put_away()
        elif name in BY_KEY:
            self._note.clear()
            self.do(BY_KEY[name])
        elif name == "enter" and not self.mode.chatting and (why := self.answer.why_not_entered()):
            self.note(why)
        elif self.session.status == "reconnecting" and name in ANSWER_NAMES and not self.mode.chatting:
            self.note(_NOT_CONNECTED)
        elif self.session.view.stands_still and name in ANSWER_NAMES and not self.mode.chatting:
            self.note(_PAUSED)
        self.terminal.redraw()

    # ------------------------------------------------------------------ commands

    @property
    def _is_host(self) -> bool:
        return self.session.view.is_host(self.session.seat)

    def _open_chat(self, beginning: str) -> None:
        self.mode.chatting = True
        self.terminal.open_chat(beginning)

    def close_chat(self) -> None:
        """The keyboard belongs to the table again; what was typed stays in the chat line."""
        self.mode.chatting = False
        self._overlay.commands_typed(spectator=not self.session.seat, host=self._is_host)
        self.terminal.close_chat()

    def completed(self, text: str) -> str:
        """A line that begins with a slash, with the rest of its word or name; a note says what it may be."""
        session = self.session
        names = [*(player.name for player in session.view.players()), *session.spectators]
        line, choices = completed(text, names, spectator=not session.seat, host=self._is_host)
        if choices:
            self.note(clean("  ".join(choices)))
        return line

    def entered(self, text: str) -> bool:
        """A line was entered in the chat line: a command if it begins with a slash, or something to say.

        False if it could not be sent now and should be kept.
        """
        self.close_chat()
        self._commands.line_typed()
        text = text.strip()
        if text.startswith("/"):
            parsed = parse(text)
            if isinstance(parsed, str):
                self.note(parsed)
            else:
                self.do(*parsed)
        elif text and self.session.status != "online":
            self.note("Not connected; your words are kept in the chat line.")
            return False
        elif text and not may_talk(self.session):
            self.note(SPECTATOR)
        elif text and (told := say(self.session, text)):
            self.note(told)
        return True

    def do(self, command: AnyCommand, argument: str = "") -> None:
        """Carry out a command of the table."""
        own = own_seat(self.session)
        match command:
            case ScreenCommand() | AppearanceCommand() if is_refused(command, self.session):
                self.note(SPECTATOR)
            case SeatCommand(name="go_on") if (pace := self.screen.bots_to_hurry()) is not None:
                pace.run_to_result()
            case ScreenCommand():
                self._do(command)
            case AppearanceCommand():
                self._change_appearance(command, argument)
            case Question() if command.own_cards and self.screen.hides_cards():
                self.note(f"Your cards are face down; {self.keymap.label_of('cover')} turns them up.")
            case Question(name="rules" | "house"):
                self._overlay.rules([plain(line) for line in self._commands.do(command)])
            case Question(name="why"):
                reasons = self._commands.do(command)
                told = [plain(line) for line in reasons if line != NOTHING_TO_EXPLAIN]
                self._overlay.explain(self.screen.text(), told)
            case Question(name="what") if not argument:
                self._overlay.explain(self.screen.text(), [])
            case Question(name="ask_hand"):
                hand, more = self._commands.do(command), self._commands.do(WORTH)
                self.answered([*hand, *(more if more != hand else [])], own_cards=True)
            case Question():
                self.answered(self._commands.do(command, argument), own_cards=command.own_cards)
            case SeatCommand(name="go_on") if own is not None and prompt.is_broke(self.session.view, own):
                self.session.top_up(prompt.buy_in(self.session.view))
            case _:
                self.state.scroll = 0
                for sentence in self._commands.do(command, argument):
                    self.note(plain(sentence))

    def _do(self, command: ScreenCommand) -> None:
        state = self.state
        match command.name:
            case "chat":
                self._open_chat("")
            case "command":
                self._overlay.commands(spectator=not self.session.seat, host=self._is_host)
                self._open_chat("/")
            case "faster" | "slower":
                pace = self._options.pace
                self.note(pace.faster(1 if command.name == "faster" else -1) if pace else NOT_OUR_BOTS)
            case "coach":
                coach = self._options.coach
                self.note(coach.toggle() if coach is not None else NO_COACH)
            case "help":
                self._overlay.help(self.answer.keys(), spectator=not self.session.seat, host=self._is_host)
            case "redraw":
                self.terminal.redraw_all()
            case "suspend":
                self.terminal.suspend()
            case "ask_to_quit":
                self._ask_to_leave()
            case "quit":
                self.leave()
            case "up":
                state.scroll_back(self.terminal.page())
            case "down":
                state.scroll_back(-self.terminal.page())
            case "top":
                state.scroll_back(FAR)
            case "bottom":
                state.scroll_back(-FAR)
            case "show":
                self.answer.pick_cards()
            case "ahead_call" | "ahead_fold":
                state.scroll = 0
                self.answer.choose_ahead("call" if command.name == "ahead_call" else "fold")
            case "before":
                state.before = not state.before and prompt.has_old_boards(self.session.view)
            case "close":
                self._close()
            case _:
                assert_never(command.name)

    def _change_appearance(self, command: AppearanceCommand, argument: str) -> None:
        try:
            told = self.appearance.do(command, argument)
        except BadSettings as error:
            self.answered([(str(error),)])  # it names a file and may be long
        else:
            if told:
                self.note(told)

    def _close(self) -> None:
        if self.state.overlay:
            self.state.lay_over([])
        else:
            self.state.before = False
            self.answer.preaction = None

    def answered(self, lines: Sequence[Sentence], *, own_cards: bool = False) -> None:
        """An answer to the reader alone: a short one on the last line, too, and all of it in the story."""
        if len(lines) == 1:
            self._note.say(plain(lines[0]), answer=True, own_cards=own_cards)
        elif lines:
            self.state.lay_over([])  # the answer stands in the story
        self.story.answer(lines, own_cards=own_cards)

    def note(self, text: str) -> None:
        """Show a sentence about this moment on the last line."""
        self._note.say(text)
        self.terminal.redraw()

    # ------------------------------------------------------------------- leaving

    def _ask_to_leave(self) -> None:
        if self.mode.chatting:
            self.close_chat()
        if self.mode.over or self._options.what_if is not None:
            self.leave()
        else:
            self.mode.leaving = True

    def _decide_to_leave(self, name: str) -> None:
        """The answer to the question whether to leave; any other key than those for yes means no, and nothing else."""
        if name in (*_INTERRUPT, prompt.YES):
            self.leave()
        self.mode.leaving = False

    def leave(self) -> None:
        """Hang up and end the screen; the seat is kept."""
        self.session.close()
        self.terminal.exit("closed" if self.mode.over else "left")
