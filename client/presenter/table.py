"""The presenter of a table: the contents of a player's screen and the effects of their keys, without a terminal.

`TablePresenter` listens to a session, keeps the story, the answer in the making and the notes, and turns keys and typed
lines into calls of the session. It decides no rule: the possible actions come with the request, the facts with the
events. The terminal itself (`client.terminal.table_app`) is behind `TableTerminalPort`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import assert_never

from client.connection.session_port import TableSession, own_seat
from client.display.hand_words import best_fives
from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.text_cells import Line, clean
from client.display.text_cells import plain as line_text
from client.errors import BadSettings
from client.input import preaction
from client.input.card_picker import CardPicker, to_show, why_nothing
from client.input.decision_keys import ANSWER_NAMES, Draft, Key, offer, pressed
from client.input.preaction import PreAction, PreActionKind
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
from client.known_games import title_of
from client.presenter import prompt
from client.presenter.appearance import Appearance
from client.presenter.catch_up import CatchUp
from client.presenter.evening import Evening
from client.presenter.game_card import GameCard
from client.presenter.help_page import WORDS, StyledLine, help_page, text_page, words_page, words_to_type
from client.presenter.missed_clock import MissedClock
from client.presenter.note_line import NoteLine
from client.presenter.options import BotPace, Options
from client.presenter.prompt import Prompt
from client.presenter.queries import NOTHING_TO_EXPLAIN
from client.presenter.result_pause import ResultPause
from client.presenter.reveal import Reveal
from client.presenter.seat_commands import SPECTATOR, SeatCommands
from client.presenter.story_log import StoryLog
from client.presenter.terminal_port import TableTerminalPort
from client.presenter.worth import gives_advice, price_and_chance
from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.narration import phrases as words
from protocol.narration.glossary import words_in
from protocol.narration.spans import Sentence, plain
from protocol.view import TableView

FAR = 1_000_000
"""Lines to one end of the story; drawing pulls it back to what there is."""
HURRY = 5
"""Seconds left, the time bank included, from which the question is marked."""
NOT_OUR_BOTS = "The players here take their own time."
_INTERRUPT = ("c-c", "<sigint>")
_LEAVE_KEYS = ("enter", prompt.LEAVE_KEY)
_NOT_CONNECTED = "No connection: that did nothing."
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
        self.draft = Draft()
        self.preaction: PreAction | None = None
        self.picker: CardPicker | None = None
        self.story = StoryLog(self.state)
        self.reveal = Reveal(options.reveal, now, self._tell)
        self.evening = Evening(session, now)
        self._catch_up = CatchUp(session, self._retell)
        self._net = ""
        self._told = 0  # lines of the story when the last snapshot came
        self.chatting = False
        self._options = options
        self._commands = SeatCommands(session)
        self._asked = 0  # number of the newest request that was shown
        self._ready = 0.0  # when its keys come alive
        self._note = NoteLine(now)
        self._missed_clock = MissedClock()
        self._leaving = False  # whether the player is asked if they want to leave
        self._lost_at: float | None = None  # since when there is no connection
        self._pause = ResultPause(now)
        self._view = session.view
        self._over = False
        self._shown = ""
        self._card = GameCard(session, self.state, options)
        self._drawn: list[Line] = []  # the screen as it was drawn last
        session.on_event.append(self._event)
        session.on_change.append(self._changed)
        session.on_notice.append(self.note)
        self._changed(())  # the session may have a request open already

    # ------------------------------------------------------------------- drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now: `rows` lines of `columns` columns."""
        session, state, looks = self.session, self.state, self.appearance
        self.reveal.go_on()
        shown = self._prompt()
        state.seat = session.seat
        state.clocks = prompt.clocks(session)
        left = state.clocks.get(session.seat)
        state.question, state.hints = shown.question, shown.hints
        state.urgent, state.preview = shown.urgent, shown.preview
        state.hurry = shown.urgent and left is not None and sum(left) <= HURRY
        state.ready = looks.theme.dot.join(self._pause.words(session.view))
        standing_up = self._commands.standing_up
        if self.reveal.view is None:
            self._net = self.evening.label()  # while a showdown is revealed it would tell the end
        status = [self._net, *prompt.status(session, self.keymap, bell=looks.bell, standing_up=standing_up)]
        state.status = looks.theme.dot.join(part for part in status if part)
        state.banner, state.lasting = self._banner(), prompt.lasting(session)
        state.note = self._note.text(hide_cards=self._hides_cards())
        state.keys = self._lasting_keys()
        state.covered, state.covered_note = self._hides_cards(), looks.covered_note
        self._drawn = render(self.reveal.view or session.view, state, looks.theme, columns, rows)
        return self._drawn

    def _banner(self) -> str:
        """The line across the top: what is wrong for as long as it is, or that old boards are looked at."""
        session, dot = self.session, self.appearance.theme.dot
        lost = int(self.now() - self._lost_at) if self._lost_at is not None else 0
        if self.state.before and session.status == "online":
            return prompt.looking_back(self.keymap, dot)
        return prompt.banner(session.status, session.trouble, lost, dot)

    def _lasting_keys(self) -> list[Hint]:
        return (
            prompt.lasting_keys(self.session, self.keys(), self._hint, own_bots=self._options.pace is not None)
            if not self._over
            else []
        )

    def _hides_cards(self) -> bool:
        """Whether there are hidden cards of the player's own that must not stand on the screen now."""
        return bool(self.session.seat) and self.appearance.hides_cards

    def _hint(self, key: str, label: str) -> Hint:
        """A hint for a key by its usual name; a click on it is a press of the key."""
        return Hint(self.keymap.label(key), label, partial(self._click, key)) if key else Hint("", label)

    def _prompt(self) -> Prompt:
        session = self.session
        pending = session.pending
        if self._leaving:
            return prompt.leaving(session, self._hint, kept=self._options.seat_kept)
        if pending is not None and session.status == "online":
            left = prompt.clocks(session).get(session.seat)
            shown = prompt.asked(
                session.view, pending.request, self.draft, self.keys(), left, self.appearance.card_name, self._hint
            )
            if self._options.worth and self.draft == Draft() and pending.request.decision == "bet":
                shown = replace(shown, preview=[plain(line) for line in price_and_chance(session.view, session.seat)])
            if self._hides_cards():
                shown = replace(shown, preview=())
            if self.chatting:
                shown = replace(shown, question=f"{self.keymap.label('escape')}, then: {shown.question}")
            return shown
        if self.reveal.view is not None:
            return prompt.revealing(self._hint)
        if self.picker is not None:
            return prompt.picking(self.picker, self.appearance.card_name, self._hint)
        own = own_seat(session)
        shown = prompt.not_asked(
            session.view,
            session.seat,
            prompt.clocks(session),
            preaction=self.preaction,
            on_its_way=own is not None and own.pending is not None and session.status == "online",
            standing_up=self._commands.standing_up,
            status=session.status,
            hint=self._hint,
        )
        if self._bots_to_hurry() is not None:
            shown = replace(shown, hints=[self._hint(KEY_OF["go_on"], "run to the result"), *shown.hints])
        return shown

    def needs_drawing(self) -> bool:
        """Whether time has changed what is shown since this was last asked: a clock by a second, a note by its end."""
        revealed = self.reveal.go_on()
        clocks = [(seat, left.whole()) for seat, left in prompt.clocks(self.session).items()]
        pause = self._pause.words(self.session.view)
        shown = f"{clocks} {self._banner()} {self._note.text()} {self.appearance.peeking} {pause}"
        changed, self._shown = shown != self._shown or revealed, shown
        return changed

    # ------------------------------------------------------------- from the session

    def _event(self, event: AnyEvent) -> None:
        view = self.session.view
        self._pause.event(event, view)
        if not self.reveal.holds(event, view):
            self._tell(event, view)
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped | ev.HandStarted | ev.HandEnded | ev.HandVoided):
            self.preaction = None
        if isinstance(event, ev.HandStarted):
            self.picker = None
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

    def _retell(self, events: Iterator[tuple[AnyEvent, TableView]], seat: Seat) -> None:
        """What happened in this hand before the snapshot, told above what has been told since."""
        self.story.retell(events, seat, len(self.story.lines) - self._told)
        if self.session.pending is not None:
            self.story.asked()
        self.terminal.redraw()

    def _changed(self, _events: Sequence[AnyEvent]) -> None:
        pending = self.session.pending
        self._card.look()
        if self.session.status != "online":
            self._leaving = False
        if self.session.status != "reconnecting":
            self._lost_at = None
        elif self._lost_at is None:
            self._lost_at = self.now()
            self.state.before = False
            self.reveal.finish()
        if self.session.view is not self._view:  # a snapshot: what was held back belongs to another view
            self._view = self.session.view
            self.reveal.finish()
            self._told = len(self.story.lines)
            self._catch_up.snapshot()
        if pending is None:
            self.draft = Draft()
        elif pending.seq != self._asked:
            self._asked = pending.seq
            self._ready = self.now() + self._options.settle
            self.story.asked()
            self.draft = Draft()
            self._leaving = False
            if self._answered_ahead():
                return
            if self.appearance.bell:
                self.terminal.ring()
                self.terminal.notify("It is your turn.", self._options.notify)
        rules = self.session.view.rules
        name = clean(rules.name) if rules is not None else "Roll Your Own"
        self.terminal.title(f"* your turn - {name}" if pending is not None and self.appearance.bell else name)
        self.terminal.redraw()

    def _answered_ahead(self) -> bool:
        """Carry out the pre-action if the price is still the same; whether that was done."""
        chosen, self.preaction = self.preaction, None
        pending = self.session.pending
        if chosen is None or pending is None:
            return False
        action = chosen.answer(pending.request, self.session.view)
        if action is None:
            self.note("The price has changed, so your choice ahead was dropped.")
            return False
        return not self.session.act(action)

    def session_over(self) -> None:
        """The session ended by itself. The screen stays to be read, unless the player has given the seat back."""
        self._over = True
        self.reveal.finish()
        own = own_seat(self.session)
        if own is not None and not own.name:
            self.terminal.exit("closed")
        self.terminal.redraw()

    # ---------------------------------------------------------------------- keys

    def keys(self) -> tuple[Key, ...]:
        """The keys of the open request; none while there is none."""
        pending = self.session.pending
        if pending is None or self.session.status != "online":
            return ()
        request = pending.request
        cards = [card for card in request.options[0].cards if card is not None] if request.decision == "arrange" else []
        best = best_fives(self.session.view, cards) if gives_advice(self.session.view) else {}
        return offer(request, self.draft, self.appearance.card_name, self._game_name, best)

    def _game_name(self, game: str) -> str:
        return clean(title_of(self.session.view, game))

    def press(self, name: str) -> None:
        """A key at the table, by the name that prompt_toolkit gives it."""
        self._press(name if self._over and name in _LEAVE_KEYS else self.keymap.usual(name))

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
        if not self.chatting:
            self._press(name)

    def _press(self, name: str) -> None:
        """A key by its usual name: of the open request, else of the choice of cards, else of the table.

        While a showdown is being revealed any key shows all of it and does nothing else.
        """
        if self.reveal.view is not None and not self.chatting:
            self.reveal.finish()
            self.terminal.redraw()
            if name not in _INTERRUPT:
                return
        if self._leaving:
            self._decide_to_leave(name)
            self.terminal.redraw()
            return
        overlay = bool(self.state.overlay)
        key = None if self.chatting else pressed(self.keys(), name)
        if key is not None and not (overlay and name == "escape"):  # what lies on top goes first; the draft stays
            self._note.clear()
            self._answer(key)
        elif not overlay and self._picks_card(name):
            self._note.clear()
        elif self._over and name in _LEAVE_KEYS:
            self.leave()
        elif name == KEY_OF["go_on"] and self._card.lies and not self.chatting:
            self._card.put_away()
        elif name in BY_KEY:
            self._note.clear()
            self.do(BY_KEY[name])
        elif self.session.status == "reconnecting" and name in ANSWER_NAMES and not self.chatting:
            self.note(_NOT_CONNECTED)
        self.terminal.redraw()

    def _picks_card(self, name: str) -> bool:
        """Whether the key belonged to the choice of cards to be shown."""
        picker = self.picker
        if picker is None or self.chatting:
            return False
        if name == "enter":
            self.session.show(picker.chosen)
        elif name != "escape":
            self.picker = picker.toggled(name)
            return self.picker is not picker
        self.picker = None
        return True

    def _answer(self, key: Key) -> None:
        self.state.scroll = 0
        if self.now() < self._ready:
            self.note("Not so fast: the question has just changed.")
        elif isinstance(key.answer, Draft):
            self.draft = key.answer
        else:
            refused = self.session.act(key.answer)
            if refused:
                self.note(words.sentence(refused))

    # ------------------------------------------------------------------ commands

    def _open_chat(self, beginning: str) -> None:
        self.chatting = True
        self.terminal.open_chat(beginning)

    def close_chat(self) -> None:
        """The keyboard belongs to the table again; what was typed stays in the chat line."""
        self.chatting = False
        if self.state.overlay == words_to_type(spectator=not self.session.seat):
            self.state.lay_over([])
        self.terminal.close_chat()

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
        elif text:
            self.session.say(text)
        return True

    def do(self, command: AnyCommand, argument: str = "") -> None:
        """Carry out a command of the table."""
        own = own_seat(self.session)
        match command:
            case ScreenCommand() | AppearanceCommand() if command.needs_seat and not self.session.seat:
                self.note(SPECTATOR)
            case SeatCommand(name="go_on") if (pace := self._bots_to_hurry()) is not None:
                pace.run_to_result()
            case ScreenCommand():
                self._do(command)
            case AppearanceCommand():
                self._change_appearance(command, argument)
            case Question() if command.own_cards and self._hides_cards():
                self.note(f"Your cards are face down; {self.keymap.label_of('cover')} turns them up.")
            case Question(name="rules"):
                page = text_page([plain(line) for line in self._commands.do(command)])
                if page[0] in self.state.overlay:
                    self.state.lay_over([])  # the same key takes it away
                else:
                    self._lay_over(page)
            case Question(name="why"):
                reasons = self._commands.do(command)
                self._explain_words([plain(line) for line in reasons if line != NOTHING_TO_EXPLAIN])
            case Question(name="what") if not argument:
                self._explain_words([])
            case Question(name="ask_hand"):
                hand, more = self._commands.do(command), self._commands.do(WORTH)
                self.answered(hand, own_cards=True)
                if more != hand:
                    self.answered(more, own_cards=True)
            case Question():
                self.answered(self._commands.do(command, argument), own_cards=command.own_cards)
            case SeatCommand(name="go_on") if own is not None and prompt.is_broke(self.session.view, own):
                self.session.top_up(prompt.buy_in(self.session.view))
            case _:
                self.state.scroll = 0
                for sentence in self._commands.do(command, argument):
                    self.note(plain(sentence))

    def _bots_to_hurry(self) -> BotPace | None:
        """The pace of the bots, if the player has folded and only these bots play on at their pace."""
        pace, own = self._options.pace, own_seat(self.session)
        folded = own is not None and own.hand == "folded" and self.session.view.playing
        return pace if pace is not None and folded and not pace.hurrying else None

    def _do(self, command: ScreenCommand) -> None:
        state = self.state
        match command.name:
            case "chat":
                self._open_chat("")
            case "command":
                if not state.overlay:
                    state.lay_over(words_to_type(spectator=not self.session.seat))
                self._open_chat("/")
            case "faster" | "slower":
                pace = self._options.pace
                self.note(pace.faster(1 if command.name == "faster" else -1) if pace else NOT_OUR_BOTS)
            case "help":
                page = help_page(self.keys(), self.keymap, spectator=not self.session.seat)
                state.lay_over([] if state.overlay and not self._card.lies else page)
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
                cards = to_show(self.session.view, self.session.seat)
                self.picker = CardPicker(cards) if cards else None
                if not cards:
                    self.note(why_nothing(self.session.view, self.session.seat))
            case "ahead_call":
                self._choose_ahead("call")
            case "ahead_fold":
                self._choose_ahead("fold")
            case "before":
                state.before = not state.before and prompt.has_old_boards(self.session.view)
            case "close":
                self._close()
            case _:
                assert_never(command.name)

    def _lay_over(self, page: Sequence[StyledLine]) -> None:
        self.state.lay_over([*page, ("class:faint", f"{self.keymap.label_of('close')} closes.")])

    def _explain_words(self, reasons: Sequence[str]) -> None:
        """Explain the words that stand on the screen, and give the reasons; the same key takes it away again."""
        screen = "\n".join(map(line_text, self._drawn))
        if ("class:title", WORDS) in self.state.overlay:
            self.state.lay_over([])
        elif reasons or words_in(screen):
            self._lay_over(words_page(screen, reasons))
        else:
            self.note(plain(NOTHING_TO_EXPLAIN))

    def _choose_ahead(self, kind: PreActionKind) -> None:
        self.state.scroll = 0
        self.preaction = preaction.toggled(self.preaction, kind, self.session.view, self.session.seat)

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
            self.preaction = None

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
        if self.chatting:
            self.close_chat()
        if self._over:
            self.leave()
        else:
            self._leaving = True

    def _decide_to_leave(self, name: str) -> None:
        """The answer to the question whether to leave; any other key than those for yes means no, and nothing else."""
        if name in (*_INTERRUPT, prompt.YES):
            self.leave()
        self._leaving = False

    def leave(self) -> None:
        """Hang up and end the screen; the seat is kept."""
        self.session.close()
        self.terminal.exit("closed" if self._over else "left")
