"""What stands on the screen of a table: the state of everything that a presenter knows, as lines."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from client.connection.session_port import TableSession, own_seat
from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.text_cells import Line, wrap
from client.display.text_cells import plain as line_text
from client.input.decision_keys import Draft
from client.input.table_commands import KEY_OF
from client.presenter import prompt
from client.presenter.appearance import Appearance
from client.presenter.evening import Evening
from client.presenter.note_line import NoteLine
from client.presenter.options import BotPace, Options
from client.presenter.own_answer import OwnAnswer
from client.presenter.prompt import HintMaker, Prompt
from client.presenter.result_pause import ResultPause
from client.presenter.reveal import Reveal
from client.presenter.seat_commands import SeatCommands
from client.presenter.worth import price_and_chance
from protocol.narration.spans import plain

HURRY = 5
"""Seconds left, the time bank included, from which the question is marked."""


@dataclass(slots=True)
class Mode:
    """What the screen is busy with besides the game.

    Fields:
        chatting: the chat line has the keyboard.
        leaving: the player is asked whether they want to leave.
        lost_at: since when there is no connection; None while there is one.
        over: the session has ended by itself.
    """

    chatting: bool = False
    leaving: bool = False
    lost_at: float | None = None
    over: bool = False


@dataclass(slots=True)
class TableScreen:
    """Draws what the parts of a presenter know. `now`: seconds on any steady scale; `hint` makes hints of keys.

    `coached`: what the coach has said about the hand that is over.
    """

    session: TableSession
    options: Options
    appearance: Appearance
    state: ScreenState
    mode: Mode
    answer: OwnAnswer
    commands: SeatCommands
    note: NoteLine
    reveal: Reveal
    evening: Evening
    pause: ResultPause
    hint: HintMaker
    now: Callable[[], float]
    coached: str = field(default="", init=False)
    _net: str = field(default="", init=False)
    _drawn: list[Line] = field(default_factory=list, init=False)

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now: `rows` lines of `columns` columns."""
        session, state, looks = self.session, self.state, self.appearance
        self.reveal.go_on()
        shown = self.prompt()
        state.seat = session.seat
        state.clocks = prompt.clocks(session)
        left = state.clocks.get(session.seat)
        state.question, state.hints = shown.question, shown.hints
        state.urgent, state.preview = shown.urgent, shown.preview
        if self.coached and self.reveal.view is None and not self.hides_cards():
            state.preview = wrap(self.coached, columns, "  ")
        state.hurry = shown.urgent and left is not None and sum(left) <= HURRY
        state.ready = looks.theme.dot.join(self.pause.words(session.view))
        standing_up = self.commands.standing_up
        if self.reveal.view is None:
            self._net = self.evening.label()  # while a showdown is revealed it would tell the end
        status = [self._net, *prompt.status(session, self.options.keymap, bell=looks.bell, standing_up=standing_up)]
        state.status = looks.theme.dot.join(part for part in status if part)
        state.banner, state.lasting = self.banner(), prompt.lasting(session)
        state.note = self.note.text(hide_cards=self.hides_cards())
        state.keys = self._lasting_keys()
        state.covered, state.covered_note = self.hides_cards(), looks.covered_note
        self._drawn = render(self.reveal.view or session.view, state, looks.theme, columns, rows)
        return self._drawn

    def text(self) -> str:
        """The screen as it was drawn last, as text."""
        return "\n".join(map(line_text, self._drawn))

    def changing(self) -> str:
        """What time alone changes on the screen: clocks by the second, a note by its end, the parts of the result."""
        clocks = [(seat, left.whole()) for seat, left in prompt.clocks(self.session).items()]
        pause = self.pause.words(self.session.view)
        lasting = prompt.lasting(self.session)
        return f"{clocks} {lasting} {self.banner()} {self.note.text()} {self.appearance.peeking} {pause}"

    def banner(self) -> str:
        """The line across the top: that the table is not the record, and what is wrong or paused as long as it is."""
        what_if = self.options.what_if
        if what_if is None:
            return self._trouble()
        remark = what_if.remark(self.reveal.view or self.session.view)
        if self.mode.over and not self.session.trouble:
            return remark
        return self.appearance.theme.dot.join(part for part in (remark, self._trouble()) if part)

    def _trouble(self) -> str:
        """What is wrong or paused for as long as it is, or that old boards are looked at."""
        session, dot = self.session, self.appearance.theme.dot
        lost = int(self.now() - self.mode.lost_at) if self.mode.lost_at is not None else 0
        if self.state.before and session.status == "online":
            return prompt.looking_back(self.options.keymap, dot)
        if session.status == "online" and session.view.stands_still:
            return prompt.standing(session, dot)
        return prompt.banner(session.status, session.trouble, lost, dot)

    def hides_cards(self) -> bool:
        """Whether there are hidden cards of the player's own that must not stand on the screen now."""
        return bool(self.session.seat) and self.appearance.hides_cards

    def bots_to_hurry(self) -> BotPace | None:
        """The pace of the bots, if the player has folded and only these bots play on at their pace."""
        pace, own = self.options.pace, own_seat(self.session)
        folded = own is not None and own.hand == "folded" and self.session.view.playing
        return pace if pace is not None and folded and not pace.hurrying else None

    def _lasting_keys(self) -> list[Hint]:
        if self.mode.over:
            return []
        own_bots = self.options.pace is not None
        return prompt.lasting_keys(self.session, self.answer.keys(), self.hint, own_bots=own_bots)

    def prompt(self) -> Prompt:
        """The question to the player, or what the table waits for, with the keys for it."""
        if self.mode.leaving:
            return prompt.leaving(self.session, self.hint, kept=self.options.seat_kept)
        if self.session.pending is not None and self.session.status == "online":
            return self._asked()
        if self.reveal.view is not None:
            return prompt.revealing(self.hint)
        if self.answer.picker is not None:
            return prompt.picking(self.answer.picker, self.appearance.card_name, self.hint)
        return self._not_asked()

    def _asked(self) -> Prompt:
        session, draft = self.session, self.answer.draft
        pending = session.pending
        assert pending is not None
        left = prompt.clocks(session).get(session.seat)
        shown = prompt.asked(
            session.view, pending.request, draft, self.answer.keys(), left, self.appearance.card_name, self.hint
        )
        if self.options.worth and draft == Draft() and pending.request.decision == "bet":
            shown = replace(shown, preview=[plain(line) for line in price_and_chance(session.view, session.seat)])
        if self.hides_cards():
            shown = replace(shown, preview=())
        if self.mode.chatting:
            shown = replace(shown, question=f"{self.options.keymap.label('escape')}, then: {shown.question}")
        return shown

    def _not_asked(self) -> Prompt:
        session, own = self.session, own_seat(self.session)
        shown = prompt.not_asked(
            session.view,
            session.seat,
            prompt.clocks(session),
            preaction=self.answer.preaction,
            on_its_way=own is not None
            and own.pending is not None
            and session.status == "online"
            and not session.view.stands_still,
            standing_up=self.commands.standing_up,
            status=session.status,
            hint=self.hint,
        )
        if self.options.what_if is not None and self.mode.over:
            shown = prompt.what_if_over(self.hint)
        if self.bots_to_hurry() is not None:
            shown = replace(shown, hints=[self.hint(KEY_OF["go_on"], "run to the result"), *shown.hints])
        return shown
