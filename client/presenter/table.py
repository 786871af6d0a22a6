"""The player's desk: what he sees and what his keys do, without a terminal.

`Desk` listens to a session, keeps the story, the answer in the making and the notes, and turns key presses into calls
of the session. It decides no rule: what may be done comes with the request, what has happened comes with the events.
The terminal itself (`client.terminal.table_app`) is behind `Shell`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from typing import assert_never

from client.connection.session_port import TableSession, own_seat
from client.display.hit_test import key_at
from client.display.screen import Hint, ScreenState, render
from client.display.text_cells import Line, clean
from client.display.theme import Theme
from client.errors import BadSettings
from client.input.bindings import Deed, help_lines, pressed, table_key
from client.input.card_picker import NOTHING, Showing, to_show
from client.input.decision_keys import Draft, Key, offer
from client.input.keymap import Keymap
from client.input.preaction import Ahead, Wish, price
from client.input.slash_commands import slash_lines
from client.presenter.chat_line import obey
from client.presenter.prompt import Prompt, asked, clean_note, not_asked
from client.presenter.queries import ask as answer_to
from client.presenter.story_log import Storybook
from client.presenter.terminal_port import Shell
from protocol import events as ev
from protocol.cards import Card
from protocol.events import AnyEvent
from protocol.narration import phrases as words

SETTLE = 0.3
"""Seconds after a new request in which its keys do nothing: a key meant for the price before must not pay this one."""
NOTE = 6.0
"""Seconds a note stands."""
FAR = 1_000_000
"""Lines to one end of the story; drawing pulls it back to what there is."""
PEEK = 1.2
"""Seconds for which one press shows face-down cards; longer than a keyboard waits before it repeats a held key."""
HURRY = 5
"""Seconds of one's own clock from which the question is marked."""


class Desk:
    """One player (or spectator) at one table.

    Args:
        session: what happens and what can be done; `shell`: the terminal.
        theme, keymap, bell: how it looks and behaves.
        settle: seconds for which the keys of a new request are dead.
        now: seconds on any steady scale.
        reload: the theme as its file says now; None where there is no file.
    """

    def __init__(
        self,
        session: TableSession,
        shell: Shell,
        *,
        theme: Theme,
        keymap: Keymap,
        bell: bool,
        settle: float,
        now: Callable[[], float],
        reload: Callable[[], Theme] | None = None,
    ) -> None:
        self.session = session
        self.shell = shell
        self.theme = theme
        self.keymap = keymap
        self.bell = bell
        self.settle = settle
        self.now = now
        self.reload = reload
        self.state = ScreenState()
        self.draft = Draft()
        self.ahead: Ahead | None = None
        self.showing: Showing | None = None
        self.book = Storybook()
        self.chatting = False
        self.giving_up = False  # /leave was said and has not been said again
        self._asked = 0  # number of the request whose turn was rung in
        self._ready = 0.0  # when its keys come alive
        self._note_until = 0.0
        self._leaving = False
        self._over = False
        self._peek_until = 0.0
        self._shown = ""
        self._drawn: list[Line] = []
        session.on_event.append(self._event)
        session.on_change.append(self._changed)
        session.on_notice.append(self.note)
        self._changed(())  # the session may have a request open already

    # ------------------------------------------------------------------- drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now: `rows` lines of `columns` columns."""
        session, state = self.session, self.state
        prompt = self._prompt()
        left = session.seconds_left(session.seat)
        state.seat = session.seat
        state.story = self.book.entries
        state.clocks = self._clocks()
        state.question, state.hints = prompt.question, prompt.hints
        state.urgent, state.preview = prompt.urgent, prompt.preview
        state.hurry = prompt.urgent and left is not None and left <= HURRY
        state.status = self._status()
        state.banner = self._banner()
        if self.now() > self._note_until:
            state.note = ""
        state.peeking = self.peeking()
        self._drawn = render(session.view, state, self.theme, columns, rows)
        return self._drawn

    def peeking(self) -> bool:
        """Whether face-down cards are looked at just now: a key that is held comes again and again."""
        return self.now() < self._peek_until

    def hides_cards(self) -> bool:
        """Whether own hidden cards must not stand on the screen now."""
        return self.state.covered and not self.peeking()

    def card_name(self, card: Card) -> str:
        """The card as the keys name it; face-down cards keep their secret."""
        return "??" if self.hides_cards() else self.theme.card(card)

    def _prompt(self) -> Prompt:
        session = self.session
        pending = session.pending
        if pending is not None and session.status == "online":
            left = session.seconds_left(session.seat)
            prompt = asked(session.view, pending.request, self.draft, self.keys(), left, self.card_name)
            if self.hides_cards():
                prompt = replace(prompt, preview=())
            if self.chatting:
                prompt = replace(prompt, question=f"Esc, then: {prompt.question}")
        else:
            own = own_seat(session)
            prompt = not_asked(
                session.view,
                session.seat,
                self._clocks(),
                on_its_way=own is not None and own.pending is not None and session.status == "online",
                closed=session.status == "closed",
            )
            prompt = replace(prompt, hints=(*self._ahead_hints(), *prompt.hints))
            if self.showing is not None:
                prompt = Prompt("Show everybody:", self.showing.hints(self.card_name), urgent=True)
        return replace(prompt, hints=[Hint(self.keymap.shown(hint.key), hint.label) for hint in prompt.hints])

    def _clocks(self) -> dict[int, float]:
        """Seconds left by seat, for everybody who is asked and has a clock; none while the server is away."""
        if self.session.status != "online":
            return {}
        asked = [seat.seat for seat in self.session.view.players() if seat.pending is not None]
        left = {seat: self.session.seconds_left(seat) for seat in asked}
        return {seat: seconds for seat, seconds in left.items() if seconds is not None}

    def _ahead_hints(self) -> list[Hint]:
        cost = price(self.session.view, self.session.seat)
        if cost is None:
            return []
        if self.ahead is not None:
            key = "C" if self.ahead.wish == "call" else "F"
            return [Hint(key, f"take back: {self.ahead.label()} when asked")]
        if not cost:
            return [Hint("C", "check when asked")]
        return [Hint("C", f"call {cost} when asked"), Hint("F", "fold when asked")]

    def _status(self) -> str:
        if not self.session.seat:
            return "watching" if self.session.status == "online" else ""
        own = own_seat(self.session)
        parts = [] if self.bell else ["bell off"]
        if self.session.pending is not None and self.session.status == "online":
            parts.append(f"{self.keymap.shown('?')} all keys")
        if own is not None and own.away:
            parts.append("sitting out")
        return self.theme.dot.join(parts)

    def _banner(self) -> str:
        session = self.session
        match session.status:
            case "reconnecting":
                return f"Connection lost, coming back ... {session.trouble}"
            case "connecting":
                return "Connecting ..."
            case "closed":
                return f"Closed. {session.trouble}".strip()
            case "online":
                return ""

    def needs_drawing(self) -> bool:
        """Whether time has changed what is shown since this was last asked: a clock by a second, a note by its end."""
        clocks = {seat: ceil(seconds) for seat, seconds in self._clocks().items()}
        shown = f"{clocks} {self.now() > self._note_until} {self.peeking()}"
        changed, self._shown = shown != self._shown, shown
        return changed

    # ------------------------------------------------------------- from the session

    def _event(self, event: AnyEvent) -> None:
        self.state.scroll = self.book.add(event, self.session.view, self.session.seat, self.state.scroll)
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped | ev.HandStarted | ev.HandEnded | ev.HandVoided):
            self.ahead = None
        if isinstance(event, ev.HandStarted):
            self.state.before = False
            self.showing = None

    def _changed(self, _events: Sequence[AnyEvent]) -> None:
        pending = self.session.pending
        if pending is None:
            self.draft = Draft()
        elif pending.seq != self._asked:
            self._asked = pending.seq
            self._ready = self.now() + self.settle
            self.draft = Draft()
            if self._done_ahead():
                return
            if self.bell:
                self.shell.ring()
        rules = self.session.view.rules
        name = clean(rules.name) if rules is not None else "Roll Your Own"
        self.shell.title(f"* your turn - {name}" if pending is not None and self.bell else name)
        self.shell.redraw()

    def _done_ahead(self) -> bool:
        """Do what was chosen ahead if the price is the one it was chosen for."""
        ahead, self.ahead = self.ahead, None
        pending = self.session.pending
        if ahead is None or pending is None:
            return False
        action = ahead.answer(pending.request, self.session.view)
        if action is None:
            self.note("Not done as chosen ahead: the price has changed.")
            return False
        return not self.session.act(action)

    def session_over(self) -> None:
        """The session ended by itself. After one's own farewell the screen ends too; otherwise it can still be read."""
        self._over = True
        own = own_seat(self.session)
        if own is not None and not own.name:
            self.shell.exit("closed")
        self.shell.redraw()

    # ---------------------------------------------------------------------- keys

    def keys(self) -> tuple[Key, ...]:
        """The keys of the open request; none while there is none."""
        pending = self.session.pending
        if pending is None or self.session.status != "online":
            return ()
        return offer(pending.request, self.draft, self.card_name, self._game_name)

    def _game_name(self, game: str) -> str:
        """The title of a game of the table's list."""
        rules = self.session.view.rules
        titles = {offered.id: offered.title for offered in rules.games} if rules is not None else {}
        return clean(titles.get(game, game))

    def press(self, name: str) -> None:
        """A key at the table, by the name that prompt_toolkit gives it."""
        if name not in ("c-c", "<sigint>"):
            self._leaving = False
        usual = self.keymap.usual(name)
        key = None if self.chatting else pressed(self.keys(), usual)
        of_table = table_key(usual)
        if usual == "escape" and self.state.overlay:
            key = None  # what lies on top goes first, and the answer in the making stays
        if key is not None:
            self._answer(key)
        elif not self.state.overlay and self._chooses_cards(usual):
            pass
        elif of_table is not None:
            self.do(of_table.deed)
        elif self._over and name in ("enter", "q"):
            self.leave()
        self.shell.redraw()

    def click(self, column: int, row: int) -> None:
        """The mouse: pressing the key that stands there. While the chat has the keyboard nothing is pressed."""
        name = key_at(self._drawn[row], column) if 0 <= row < len(self._drawn) else ""
        if name and not self.chatting:
            self.press(name)

    def _chooses_cards(self, name: str) -> bool:
        """Whether the key belonged to the choice of cards to be shown."""
        showing = self.showing
        if showing is None or self.chatting:
            return False
        if name == "enter":
            self.session.show(showing.chosen)
        elif name != "escape":
            self.showing = showing.toggled(name)
            return self.showing is not showing
        self.showing = None
        return True

    def _answer(self, key: Key) -> None:
        if self.now() < self._ready:
            self.note("Not so fast: the question has just changed.")
        elif isinstance(key.step, Draft):
            self.draft = key.step
        else:
            refused = self.session.act(key.step)
            if refused:
                self.note(words.sentence(refused))

    def do(self, deed: Deed) -> None:
        """Carry out a key of the table."""
        state = self.state
        match deed:
            case "chat" | "command":
                self.shell.open_chat("/" if deed == "command" else "")
            case "help":
                text = help_lines(self.keys(), self.keymap.shown, watching=not self.session.seat) + slash_lines()
                self.overlay([] if state.overlay else text)
            case "redraw":
                self.shell.redraw_all()
            case "leave":
                self._ask_to_leave()
            case "up":
                self.scroll(self.shell.page())
            case "down":
                self.scroll(-self.shell.page())
            case "top":
                self.scroll(FAR)
            case "bottom":
                self.scroll(-FAR)
            case "go_on":
                own = own_seat(self.session)
                if own is not None and not self.session.view.playing and not own.went_on:
                    self.session.go_on()
            case "show":
                cards = to_show(self.session.view, self.session.seat)
                self.showing = Showing(cards) if cards else None
                if not cards:
                    self.note(NOTHING)
            case "before":
                state.before = not state.before and any(seat.before for seat in self.session.view.seats)
                if not state.before:
                    self.note("The boards as they are now.")
            case "cover":
                state.covered = not state.covered
            case "peek":
                if state.covered:
                    self._peek_until = self.now() + PEEK
                else:
                    self.note("Your cards are face up; x turns them face down.")
            case "theme":
                self._reload()
            case "why":
                self._explain()
            case "away":
                own = own_seat(self.session)
                self.sit(out=own is None or not own.away)
            case "ask_pot" | "ask_stacks" | "ask_up" | "ask_hand":
                self.ask(deed.removeprefix("ask_"))
            case "ahead_call" | "ahead_fold":
                self._choose_ahead("call" if deed == "ahead_call" else "fold")
            case "bell":
                self.bell = not self.bell
                self.note(f"Bell and title on your turn: {'on' if self.bell else 'off'}.")
            case "suits":
                self.theme = replace(self.theme, symbols=not self.theme.symbols)
            case "close":
                if state.overlay:
                    self.overlay([])
                else:
                    state.before = False
                    self.ahead = None
            case _:
                assert_never(deed)

    def _choose_ahead(self, wish: Wish) -> None:
        cost = price(self.session.view, self.session.seat)
        if cost is None:
            return
        if self.ahead is not None and self.ahead.wish == wish:
            self.ahead = None
        elif cost or wish == "call":
            view = self.session.view
            self.ahead = Ahead(wish, cost, view.hand, view.street)

    def _reload(self) -> None:
        if self.reload is None:
            self.note("There is no file to read again here.")
            return
        try:
            self.theme = self.reload()
        except BadSettings as error:
            self.answered([str(error)])  # it names a file and may be long
        else:
            self.note("Colours and theme are read again.")
            self.shell.redraw_all()

    def overlay(self, lines: Sequence[tuple[str, str]]) -> None:
        """Lay (style, text) lines over the story; none: show the story again."""
        self.state.overlay = lines
        self.state.overlay_top = 0

    def scroll(self, lines: int) -> None:
        """Scroll the story, or what lies over it, back by so many lines."""
        state = self.state
        if state.overlay:
            state.overlay_top = max(0, state.overlay_top - lines)
        else:
            state.scroll = max(0, state.scroll + lines)

    def sit(self, *, out: bool) -> None:
        """Sit out from the next hand on, or come back."""
        if not self.session.seat:
            self.note("You are only watching.")
        elif out:
            self.session.sit_out()
        else:
            self.session.sit_in()

    def _explain(self) -> None:
        """Why: the opener, an option that is missing, an odd chip."""
        view = self.session.view
        pending = self.session.pending
        parts = [view.why] if view.why else []
        if pending is not None and pending.request.note:
            parts.append(clean_note(pending.request, view))
        parts += [award.why for award in view.awards if award.why]
        said = list(dict.fromkeys(words.sentence(words.fill(part, view)) for part in parts))
        self.answered(said or ["Nothing needs explaining just now."])

    def ask(self, question: str) -> bool:
        """Answer one of the questions of `presenter.queries`; False if it is none, or own cards lie face down."""
        session = self.session
        answer = answer_to(question, session.view, session.seat, session.seconds_left(session.seat))
        if answer is None or self.hides_cards():
            return False
        self.answered(answer)
        return True

    def answered(self, lines: Sequence[str]) -> None:
        """An answer to the reader alone: short ones on the last line, and all of them in the story."""
        if len(lines) == 1:
            self.note(lines[0])
        self.state.scroll = self.book.answer(lines, self.state.scroll)

    def note(self, text: str) -> None:
        """Show a sentence on the last line for a while."""
        self.state.note = text
        self._note_until = self.now() + NOTE
        self.shell.redraw()

    # ------------------------------------------------------------------- leaving

    def _ask_to_leave(self) -> None:
        if self.chatting:
            self.shell.close_chat()
        if self._leaving or self._over:
            self.leave()
            return
        self._leaving = True
        self.note("Ctrl+C once more leaves the screen; your seat is kept.")

    def leave(self) -> None:
        """Hang up and end the screen; the seat is kept."""
        self.session.close()
        self.shell.exit("closed" if self._over else "left")

    # ---------------------------------------------------------------------- chat

    def said(self, text: str) -> bool:
        """A line was entered in the chat: a command if it begins with a slash, or something to say.

        False if it could not be sent now and should be kept.
        """
        text = text.strip()
        if text.startswith("/"):
            obey(self, text)
        elif text and self.session.status != "online":
            self.note("Not connected; your words are kept in the chat line.")
            return False
        elif text:
            self.session.say(text)
        return True
