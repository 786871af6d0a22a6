"""The line mode: a table in lines that are only ever added, for screen readers, pipes and plain terminals.

Nothing is redrawn and no escape byte is written. What happens is told as it happens; when it is the player's turn the
possible answers are said with their amounts; everything else is there to be asked for. An empty line does nothing.
"""

from collections.abc import AsyncIterable, Callable, Sequence
from functools import partial

import trio

from client.connection.session_port import TableSession
from client.input.card_picker import MUCK
from client.input.decision_words import ANSWER_WORDS, chosen, pick_card, question, understand
from client.input.slash_commands import NO_HOST, NO_NOTES, VERSION
from client.presenter.queries import HELP, ask, my_hand, street
from protocol.events import ActionRequested, AnyEvent, HandEnded, PlayerAway
from protocol.narration import phrases as words
from protocol.sanitize import clean
from protocol.view import TableView
from replays.telling import tell_whole

LINE_LIMIT = 400
"""Characters in a line that is written; longer ones are cut."""


class LineMode:
    """A session told in lines, and lines turned into what the session does.

    `write` gets one line without its end at a time. `enter` takes one typed line. After `done` is true nothing more
    is to be typed; the session then has been closed. `kept`: whether the seat outlives the session.
    """

    def __init__(self, session: TableSession, write: Callable[[str], None], *, kept: bool = True) -> None:
        self.done = False
        self._session = session
        self._write = write
        self._kept = kept
        self._view: TableView | None = None
        self._asked = 0
        self._greeted = False
        self._leaving = self._stood_up = False
        session.on_event.append(self._event)
        session.on_change.append(self._change)
        session.on_notice.append(self._say)

    # ----------------------------------------------------------------- telling

    def _say(self, line: str) -> None:
        self._write(clean(line, LINE_LIMIT))

    def _say_all(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._say(line)

    def _event(self, event: AnyEvent) -> None:
        if isinstance(event, ActionRequested):
            return
        self._say_all(tell_whole(event, self._session.view, self._session.seat or None))
        if isinstance(event, PlayerAway) and event.seat == self._session.seat and not self._stood_up:
            own = self._session.view.seat(event.seat)
            self._say("Type /back to be dealt in again." if own.chips else "Type /rebuy and a number to buy chips.")
        if isinstance(event, HandEnded) and self._plays():
            own = self._session.view.seat(self._session.seat)
            self._say(f"You: {words.signed(own.chips - own.stack)}, you have {own.chips}.")

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
        pending = session.pending
        if pending is not None and pending.seq != self._asked:
            self._asked = pending.seq
            self._question(pending.request)

    def _arrive(self) -> None:
        """Where the player finds himself: at the beginning, and after a whole view was sent again."""
        view, seat = self._session.view, self._session.seat
        rules = view.rules
        title = clean(rules.name, 40) if rules is not None else view.table
        place = f"you are {words.name(view, seat)} in seat {seat}" if seat else "you are watching"
        self._say(f"Table {title}: {view.title}{', ' + view.stakes.words() if view.stakes else ''}; {place}.")
        others = [f"{words.name(view, player.seat)} {player.chips}" for player in view.players()]
        if others:
            self._say(f"Here: {', '.join(others)}.")
        if view.playing:
            self._say(f"Hand {view.hand} is being played.")
            self._say_all(street(view, seat))
            if seat and view.seat(seat).hand == "live":
                self._say_all(my_hand(view, seat))
        if not self._greeted:
            self._greeted = True
            self._say("Type ? for help.")

    def _question(self, request: ActionRequested) -> None:
        view, seat = self._session.view, self._session.seat
        if request.decision == "bet" and view.seat(seat).down:
            self._say_all(my_hand(view, seat))
        self._say_all(question(request, view))

    # ------------------------------------------------------------------ typing

    def enter(self, text: str) -> None:
        """One line was typed. What it says is done, or it is said why not; an empty one does nothing."""
        text = text.strip()
        if not text:
            return
        leaving, self._leaving = self._leaving, False
        if text.startswith("/") and self._command(text[1:], leaving):
            return
        if self._answer(text):
            return
        seat = self._session.seat
        answer = ask(text, self._session.view, seat, self._session.seconds_left(seat))
        if answer is not None:
            self._say_all(answer)
        elif text.lower().split()[0] in ANSWER_WORDS:
            self._say(f"It is not your turn{_who(self._session.view)}.")
        else:
            self._say(f"Not understood: {clean(text, 40)}. Type ? for help, or /say to talk.")

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
        said = words.sentence(session.act(action)) or chosen(action)
        if said:
            self._say(said)
        return True

    def _command(self, text: str, leaving: bool) -> bool:
        verb, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        session = self._session
        match verb.lower():
            case "say" | "s" if rest:
                session.say(rest)
            case "quit" | "q" | "exit":
                self.quit()
            case "leave" | "stand":
                self._leave(leaving)
            case "away":
                session.sit_out()
            case "back":
                session.sit_in()
            case "rebuy" | "chips" if rest:
                self._top_up(rest)
            case "next" | "go":
                session.go_on()
            case "show":
                self._show(rest)
            case "muck":
                self._say(MUCK)
            case "msg":
                self._say(NO_NOTES)
            case "host" | "kick" | "pause":
                self._say(NO_HOST)
            case "version":
                self._say(VERSION)
            case "ping":
                session.ping()
            case "help" | "?":
                self._say_all(HELP)
            case _:
                return False
        return True

    def _top_up(self, amount: str) -> None:
        if amount.isascii() and amount.isdecimal() and 0 < int(amount[:10]) < 10**9:
            self._session.top_up(int(amount))
        else:
            self._say("Say how many chips: /rebuy 50")

    def _show(self, named: str) -> None:
        """Show hidden cards of a hand that is over: those named or numbered, or all."""
        session = self._session
        own = session.view.seat(session.seat).down if session.seat else ()
        cards = [one for one in map(partial(pick_card, own), named.replace(",", " ").split()) if one is not None]
        if len(cards) < len(named.replace(",", " ").split()) or not own:
            self._say("You have no such hidden card. /show shows all, /show 1 3 those in brackets with these numbers.")
        else:
            session.show(tuple(cards))

    def _leave(self, sure: bool) -> None:
        """Giving the seat back cannot be undone, and there is no clock on it: it is asked for twice."""
        if not self._session.seat or sure:
            if self._session.seat:
                self._stood_up = True
                self._session.stand_up()
            else:
                self.quit()
            return
        self._leaving = True
        self._say("Your seat will be free and your chips are counted out. Type /leave again to do it.")

    def quit(self) -> None:
        """Hang up; the seat is kept."""
        if not self.done:
            self.done = True
            self._say("Goodbye. Your seat is kept." if self._kept and self._session.seat else "Goodbye.")
            self._session.close()


def _who(view: TableView) -> str:
    asked = [player.seat for player in view.seats if player.pending is not None]
    return f"; to act: {words.names(view, asked)}" if asked else ""


async def run_lines(
    session: TableSession, typed: AsyncIterable[str], write: Callable[[str], None], *, kept: bool = True
) -> None:
    """Play a session in lines until it is over, the player quits, or `typed` ends. Arguments as of `LineMode`.

    Raises what `ClientSession.run` raises.
    """
    mode = LineMode(session, write, kept=kept)

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
