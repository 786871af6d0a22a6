"""The line mode: a table in lines that are only ever added, for screen readers, pipes and plain terminals.

Nothing is redrawn and no escape byte is written. Events are told as they happen; on the player's turn the possible
answers are told with their amounts; everything else is told on request. An empty line does nothing.
"""

from collections import deque
from collections.abc import AsyncIterable, Callable, Sequence

import trio

from client.connection.session_port import TableSession, own_seat
from client.input.decision_words import ANSWER_WORDS, question, understand
from client.input.slash_commands import command_of, parse, question_meant
from client.input.table_commands import CLAIM, HELP, QUIT, AnyCommand, AppearanceCommand, Question, ScreenCommand
from client.presenter.goodbye import goodbye
from client.presenter.help_page import line_help
from client.presenter.missed_clock import MissedClock
from client.presenter.options import NO_COACH, Coach, WhatIf
from client.presenter.prompt import buy_in, leaving_words, next_break, next_rise, of_declaring, standing
from client.presenter.queries import known_card, my_hand, street, time_left
from client.presenter.seat_commands import SeatCommands
from client.presenter.worth import gives_advice, price_and_chance
from protocol.events import ActionRequested, AnyEvent, ConnectionChanged, HandEnded, HandStarted, PlayerAway
from protocol.narration import phrases as words
from protocol.narration.glossary import explained, words_in
from protocol.narration.requests import to_act
from protocol.narration.spans import Sentence, compose, plain
from protocol.narration.story import tell
from protocol.sanitize import clean
from protocol.view import TableView
from server.engine.games.hand_words import proposals
from server.engine.ranking.winning_cards import winning_cards

LINE_LIMIT = 400
"""Characters in a line that is written; longer ones are cut."""
SEVERAL_LINES = "Several lines at once are taken for a paste: nothing was done. Enter one line at a time."
LAST_LINES = 12
"""Lines of which the words are explained on request."""


class LineMode:
    """Tells a session in lines, and turns typed lines into calls of the session.

    Args:
        session: the connection to the table.
        write: gets one line at a time, without its end.
        kept: whether the seat outlives the session.
        first_meeting: whether a game, by its id, is met for the first time; None: games are not explained.
        worth: before each bet, what it costs and what the hand wins on average.
        show_typing: whether the terminal shows what is typed from now on; a key is not for everybody to read.
        what_if: what is said at a table that is not the record, which is left without a question; None elsewhere.
        coach: who says after a hand what gave chips up; None where the bots are not the player's own.

    Attributes:
        done: whether the session was closed; then nothing more must be typed.
    """

    def __init__(
        self,
        session: TableSession,
        write: Callable[[str], None],
        *,
        kept: bool = True,
        first_meeting: Callable[[str], bool] | None = None,
        worth: bool = False,
        show_typing: Callable[[bool], None] = lambda shown: None,
        what_if: WhatIf | None = None,
        coach: Coach | None = None,
    ) -> None:
        self._what_if = what_if
        self._coach = coach
        if coach is not None:
            coach.on_line.append(self._say)
        self.done = False
        self._session = session
        self._write = write
        self._kept = kept
        self._first_meeting = first_meeting
        self._worth = worth
        self._explained = ""  # the id of the game that was looked at last
        self._view: TableView | None = None
        self._asked = 0
        self._asked_to_leave = False
        self._told_bank = 0  # number of the request for which the time bank was told
        self._greeted = False
        self._told_break = ""
        self._show_typing = show_typing
        self._wants_key = False
        self._said: deque[str] = deque(maxlen=LAST_LINES)
        self._commands = SeatCommands(session)
        self._missed_clock = MissedClock()
        session.on_event.append(self._event)
        session.on_change.append(self._change)
        session.on_notice.append(self._say)

    # ----------------------------------------------------------------- telling

    def _say(self, line: str) -> None:
        self._said.append(line)
        self._write(clean(line, LINE_LIMIT))

    def _say_all(self, lines: Sequence[str]) -> None:
        for line in filter(None, lines):
            self._say(line)

    def _tell(self, sentences: Sequence[Sentence]) -> None:
        self._say_all([plain(sentence) for sentence in sentences])

    def _event(self, event: AnyEvent) -> None:
        if isinstance(event, ActionRequested) or (self._what_if and isinstance(event, ConnectionChanged)):
            return
        self._tell(tell(event, self._session.view, self._session.seat or None, winning_cards))
        if missed := self._missed_clock.sentence(event, self._session.view, self._session.seat):
            self._say(missed)
        own = own_seat(self._session)
        if isinstance(event, HandStarted) and own is not None and own.away and own.hand == "out":
            self._say("You are not dealt in, because you sit out. Type /back to be dealt in again.")
        if isinstance(event, HandStarted):
            self._say_all([self._break_near()])
        if isinstance(event, PlayerAway) and event.seat == self._session.seat and not self._commands.standing_up:
            view = self._session.view
            broke = not view.seat(event.seat).chips
            self._say(f"Type /rebuy {buy_in(view)} to buy chips." if broke else "Type /back to be dealt in again.")
        if isinstance(event, HandEnded) and self._plays():
            own = self._session.view.seat(self._session.seat)
            self._say(f"You: {words.signed(own.chips - own.stack)}, you have {own.chips}.")

    def _break_near(self) -> str:
        """When the next break is, in the last minutes before it; empty if that was said already."""
        told, self._told_break = self._told_break, next_break(self._session)
        return words.sentence(self._told_break) if self._told_break != told else ""

    def _explain_game(self, view: TableView) -> None:
        """The essence of a game, before the first question of the first hand of it."""
        if self._first_meeting is None or not view.playing or not self._session.seat or view.game == self._explained:
            return
        self._explained = view.game
        card = known_card(view)
        if card and self._first_meeting(view.game):
            self._say_all([*card, "Type rules for all of it, and what for the words of the last lines."])

    def _plays(self) -> bool:
        session = self._session
        return bool(session.seat) and session.view.seat(session.seat).stack > 0

    def _change(self, events: Sequence[AnyEvent]) -> None:
        session = self._session
        if session.view is not self._view:
            self._view = session.view
            self._asked = 0
            if session.view.table:
                self._arrive()
        self._explain_game(session.view)
        pending = session.pending
        if pending is not None and pending.seq != self._asked:
            self._asked = pending.seq
            self._question(pending.request)
        if pending is not None and pending.seq != self._told_bank:
            seconds, bank = session.seconds_left(session.seat), session.bank_left(session.seat)
            if seconds is not None and seconds <= 0 < bank:
                self._told_bank = pending.seq
                self._tell(time_left(seconds, bank))

    def _arrive(self) -> None:
        """Describe the table: at the beginning, and after the server has sent a whole view again."""
        view, seat = self._session.view, self._session.seat
        rules = view.rules
        title = clean(rules.name, 40) if rules is not None else view.table
        place = f"you are {words.name(view, seat)} in seat {seat}" if seat else "you are watching"
        table = "" if title.casefold().endswith("table") else "Table "
        self._say(f"{table}{title}: {view.title}{', ' + view.stakes.words() if view.stakes else ''}; {place}.")
        self._say_all([words.sentence(next_rise(view, self._session.rises_in())), self._break_near()])
        others = [f"{words.name(view, player.seat)} {player.chips}" for player in view.players()]
        if others:
            self._say(f"Here: {', '.join(others)}.")
        if view.playing:
            self._say(f"Hand {view.hand} is being played.")
            self._tell(street(view, seat))
            if seat and view.seat(seat).hand == "live":
                self._tell(my_hand(view, seat))
        if view.stands_still:
            self._say(f"{standing(self._session, ', ')}.")
        if not self._greeted:
            self._greeted = True
            self._say("Type ? for help.")

    def _question(self, request: ActionRequested) -> None:
        view, seat = self._session.view, self._session.seat
        if self._what_if is not None:
            self._say(f"{self._what_if.remark(view)}.")
        if request.decision == "bet" and view.seat(seat).down:
            self._tell(my_hand(view, seat))
            if self._worth:
                self._tell(price_and_chance(view, seat))
        if request.decision == "declare":
            self._say_all(of_declaring(view, seat))
        self._say_all(question(request, view, self._session.seconds_left(seat)))
        if request.decision == "arrange" and gives_advice(view):
            self._say(proposals(view, [card for card in request.options[0].cards if card is not None]))

    # ------------------------------------------------------------------ typing

    def enter(self, text: str) -> None:
        """Carry out one typed line, or say why that is not possible; an empty line does nothing, and neither does a
        text of several lines, which was pasted.
        """
        text = text.strip()
        if self._wants_key:
            self._claim(text)
            return
        if not text:
            return
        if "\n" in text:
            self._say(SEVERAL_LINES)
            return
        self._commands.line_typed()
        if text.lower() == "/claim":
            self._wants_key = True
            self._show_typing(False)
            self._say("Type the host key; the terminal does not show it. An empty line: not now.")
            return
        if text.startswith("/"):
            parsed = parse(text)
            if isinstance(parsed, str):
                self._say(parsed)
            else:
                self._do(*parsed)
            return
        if self._asked_to_leave:
            self._asked_to_leave = False
            if text.lower() in ("y", "yes"):
                self.quit()
                return
            if text.lower() in ("n", "no"):
                self._say("You stay.")
                return
        if self._answer(text):
            return
        found = command_of(text)
        if found is not None and found[0] == QUIT and self._what_if is not None:
            self.quit()
            return
        if found is not None and found[0] == QUIT:
            self._asked_to_leave = True
            self._say(f"{leaving_words(self._session, kept=self._kept)} Type y to leave, n to stay.")
            return
        if found is not None and (isinstance(found[0], Question) or found[0] == HELP):
            self._do(*found)
        elif text.lower().split()[0] in ANSWER_WORDS and (pending := self._session.pending) is not None:
            self._say("That is no answer to this question.")
            self._say_all(question(pending.request, self._session.view, self._session.seconds_left(self._session.seat)))
        elif text.lower().split()[0] in ANSWER_WORDS and self._session.view.stands_still:
            self._say("The table is paused.")
        elif text.lower().split()[0] in ANSWER_WORDS:
            waited_for = to_act(self._session.view)
            self._say(plain(compose("It is not your turn", "; " if waited_for else "", waited_for, ".")))
        else:
            meant = question_meant(text) if len(text) < 20 else ""
            self._say(f"Not understood: {clean(text, 40)}.{meant} Type ? for help, or /say to talk.")

    def _claim(self, key: str) -> None:
        """The line that was typed where the terminal shows nothing: the host key, or nothing."""
        self._wants_key = False
        self._show_typing(True)
        if key:
            self._tell(self._commands.do(CLAIM, key))

    def _answer(self, text: str) -> bool:
        """Whether the text was meant for the open request."""
        session = self._session
        pending = session.pending
        if pending is None:
            return False
        action = understand(text, pending.request)
        if action is None:
            return False
        if isinstance(action, str):
            self._say(action)
            return True
        if refused := session.act(action):
            self._say(words.sentence(refused))
        elif action.kind in ("choose", "pass", "discard"):  # it is told when everybody has chosen
            others = [seat.seat for seat in session.view.asked() if seat.seat != session.seat]
            self._tell([compose("Chosen; waiting for ", words.players(session.view, others), ".")] if others else [])
        return True

    def _do(self, command: AnyCommand, argument: str) -> None:
        match command:
            case ScreenCommand(name="help"):
                self._say_all(line_help(host=self._session.view.is_host(self._session.seat)))
            case ScreenCommand(name="quit"):
                self.quit()
            case ScreenCommand(name="coach"):
                self._say(self._coach.toggle() if self._coach is not None else NO_COACH)
            case ScreenCommand() | AppearanceCommand():
                self._say(f"/{command.words[0]} is for the full screen.")
            case Question(name="what") if not argument and (found := words_in("\n".join(self._said))):
                self._say_all([explained(entry) for entry in found])
            case _:
                self._tell(self._commands.do(command, argument))

    def quit(self) -> None:
        """Hang up."""
        if not self.done:
            self.done = True
            if self._what_if is None:
                self._say(goodbye(self._session, kept=self._kept))
            self._session.close()


async def run_lines(
    session: TableSession,
    typed: AsyncIterable[str],
    write: Callable[[str], None],
    *,
    kept: bool = True,
    first_meeting: Callable[[str], bool] | None = None,
    worth: bool = False,
    show_typing: Callable[[bool], None] = lambda shown: None,
    what_if: WhatIf | None = None,
    coach: Coach | None = None,
) -> None:
    """Play a session in lines until it is over, the player quits, or `typed` ends. For the arguments see `LineMode`.

    Raises what `ClientSession.run` raises.
    """
    mode = LineMode(
        session,
        write,
        kept=kept,
        first_meeting=first_meeting,
        worth=worth,
        show_typing=show_typing,
        what_if=what_if,
        coach=coach,
    )

    placed = trio.Event()

    def look(events: Sequence[AnyEvent]) -> None:
        if session.status == "online":
            placed.set()

    async def read() -> None:
        await placed.wait()  # what is typed ahead, or the end of a pipe, waits for the table
        async for line in typed:
            mode.enter(line)
            if mode.done:
                return
        mode.quit()

    session.on_change.append(look)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        await session.run()
        mode.done = True
        nursery.cancel_scope.cancel()
