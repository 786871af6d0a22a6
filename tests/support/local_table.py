"""A table without a network: the engine plays, and each seat has a session like the client's.

`LocalTable` holds a real `TableState`; `LocalSession` offers what the screen needs of a `ClientSession`, folded from
projected events only. Seats without a session are played by `careful`, one decision at each `step`.
"""

import random
from collections.abc import Callable, Iterator, Sequence

import trio

from client.connection.session_port import Status
from protocol import commands as cmd
from protocol.actions import Action, Option
from protocol.cards import DECK, Card
from protocol.commands import AnyCommand
from protocol.events import ActionRequested, AnyEvent, Chips, Seat
from protocol.seat_view import Pending
from protocol.table_rules import Clocks, GameChange, GameOffer, TableRules
from protocol.view import TableView, hide
from protocol.visibility import project
from protocol.wire.messages import HandRecord, PlayedStep, Rejected
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")


def careful(request: ActionRequested) -> Action:
    """Stay in as cheaply as possible, choose the first cards."""
    for option in request.options:
        if option.kind not in {"fold", "decline"}:
            return first_of(option)
    return Action(request.options[0].kind)


def first_of(option: Option) -> Action:
    """The plainest action an option admits."""
    if option.cards:
        return Action(option.kind, cards=tuple(card for card in option.cards if card is not None)[: option.count])
    if option.directions:
        return Action(option.kind, direction=option.directions[0])
    if option.games:
        return Action(option.kind, game=option.games[0])
    return Action(option.kind, to=option.least or None)


class LocalTable:
    """A running table; `others` decides for seats without a session. With `choice`, the dealer names the game."""

    def __init__(
        self,
        game: str = "stud8",
        players: int = 4,
        *,
        seed: int = 1,
        chips: Chips = 100,
        names: Sequence[str] = NAMES,
        others: Callable[[ActionRequested], Action] = careful,
        choice: Sequence[str] = (),
        result: int | None = 8,
    ) -> None:
        games = tuple(
            GameOffer(one, GAMES[one].title, GAMES[one].stakes, GAMES[one].most_players) for one in (game, *choice)
        )
        change: GameChange = "dealer" if choice else "never"
        self.rules = TableRules(
            name="Kitchen",
            seats=players,
            games=games,
            change=change,
            buy_in=chips,
            clocks=Clocks(wait_for_all=True) if result is None else Clocks(result=result),
        )
        self.state = TableState()
        self.others = others
        self.sessions: dict[Seat, LocalSession] = {}
        self.dice = random.Random(seed)
        self.before = TableView()  # the table before the running hand, and the events of its steps
        self.steps: list[Sequence[AnyEvent]] = []
        self.do(cmd.OpenTable("t1", self.rules))
        for seat in range(1, players + 1):
            self.do(cmd.SitDown(names[seat - 1], chips, b"", seat, bot=seat > 5))

    def session(self, seat: Seat) -> "LocalSession":
        """The session of a seat; the view is the one a snapshot would give."""
        self.sessions[seat] = LocalSession(self, seat)
        return self.sessions[seat]

    def do(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Apply a command and tell every session."""
        if isinstance(command, cmd.StartHand):
            self.before, self.steps = self.state.view.copy(), []
        events = self.state.apply(command)
        self.steps.append(events)
        for session in list(self.sessions.values()):
            session.receive(events)
        return events

    def deal(self) -> None:
        """Start the next hand."""
        deck = list(DECK)
        self.dice.shuffle(deck)
        self.do(cmd.StartHand(tuple(deck), f"t1-{self.state.view.hand + 1}"))

    def step(self) -> bool:
        """Decide for one seat that has no session; False if none is asked."""
        for seat, seq in list(self.state.pending.items()):
            if seat not in self.sessions:
                pending = self.state.view.seat(seat).pending
                assert pending is not None
                self.do(cmd.Act(seat, seq, self.others(pending.request)))
                return True
        return False

    def settle(self) -> None:
        """Decide for the others until a seat with a session is asked or the hand is over."""
        while self.step():
            pass

    def decisions(self, dice: random.Random, hands: int = 3) -> Iterator[tuple[Seat, Pending]]:
        """One player after the other who is asked, in some hands; the caller answers for each of them."""
        for _ in range(hands):
            if not self.state.can_deal():
                return
            self.deal()
            while self.state.pending:
                seat = dice.choice(list(self.state.pending))
                pending = self.state.view.seat(seat).pending
                assert pending is not None
                yield seat, pending
            assert not self.state.view.playing, "every hand ends"

    def play_until(self, wanted: Callable[[TableView], bool]) -> None:
        """Decide for all seats, those with sessions too, until the all-seeing view is as wanted."""
        while not wanted(self.state.view):
            seat, seq = next(iter(self.state.pending.items()))
            pending = self.state.view.seat(seat).pending
            assert pending is not None
            self.do(cmd.Act(seat, seq, self.others(pending.request)))


class LocalSession:
    """What the screen needs of a session, without a line in between."""

    def __init__(self, table: LocalTable, seat: Seat) -> None:
        self.table = table
        self.view = hide(table.state.view, seat or None)
        self.seat = seat
        self.status: Status = "online"
        self.trouble = ""
        self.on_event: list[Callable[[AnyEvent], None]] = []
        self.on_change: list[Callable[[Sequence[AnyEvent]], None]] = []
        self.on_notice: list[Callable[[str], None]] = []
        self.on_record: list[Callable[[HandRecord | Rejected], None]] = []
        self.clocks: dict[Seat, float] = {}
        self.banks: dict[Seat, float] = {}
        self.watching = 0
        self.spectators: tuple[str, ...] = ()
        self.paused = False
        self.level_left: float | None = None
        self.break_left: float | None = None
        self.break_in: float | None = None
        self.host_words: list[str] = []
        self.moves: list[Seat] = []
        self.left_with: Chips | None = None
        self.place = 0
        self.acted: list[Action] = []
        self.said: list[str] = []
        self.closed = trio.Event()

    def receive(self, events: Sequence[AnyEvent]) -> None:
        """Fold what the seat may know, and call back as the client's session does."""
        seen = [project(event, self.seat or None) for event in events]
        for event in seen:
            self.view.apply(event)
            for told in self.on_event:
                told(event)
        for changed in self.on_change:
            changed(seen)

    def set_status(self, status: Status, trouble: str = "") -> None:
        """Pretend that the line broke or came back."""
        self.status, self.trouble = status, trouble
        for changed in self.on_change:
            changed(())

    @property
    def pending(self) -> Pending | None:
        return self.view.seats[self.seat - 1].pending if self.seat and not self.view.stands_still else None

    def seconds_left(self, seat: Seat) -> float | None:
        return self.clocks.get(seat)

    def bank_left(self, seat: Seat) -> float:
        return self.banks.get(seat, 0.0)

    def rises_in(self) -> float | None:
        return self.level_left

    def act(self, action: Action) -> str:
        pending = self.pending
        if pending is None:
            return "it is not your turn"
        self.acted.append(action)
        return self._try(cmd.Act(self.seat, pending.seq, action))

    def say(self, text: str) -> None:
        self.said.append(text)
        self._try(cmd.Say(self.view.name(self.seat), text, self.seat))

    def sit_out(self) -> None:
        self._try(cmd.SitOut(self.seat))

    def sit_in(self) -> None:
        self._try(cmd.SitIn(self.seat))

    def stand_up(self) -> None:
        self._try(cmd.StandUp(self.seat))

    def top_up(self, amount: Chips) -> None:
        self._try(cmd.TopUp(self.seat, amount))

    def move_seat(self, to: Seat) -> None:
        self.moves.append(to)

    def show(self, cards: tuple[Card, ...] = ()) -> None:
        self._try(cmd.Show(self.seat, cards))

    def get_hand(self, hand: int, after: int = 0, *, running: bool = False) -> bool:
        steps = self.table.steps
        if not running or not steps or hand != self.table.state.view.hand:
            return False
        viewer, seq, played = self.seat or None, self.table.before.seq + 1, []
        for events in steps:
            played.append(PlayedStep(seq, 0, tuple([project(event, viewer) for event in events])))
            seq += len(events)
        record = HandRecord(b"", "t1", 0, 0, hand, self.seat, tuple(played), hide(self.table.before, viewer))
        for told in self.on_record:
            told(record)
        return True

    def host_word(self, text: str) -> None:
        self.host_words.append(text)

    def claim_host(self, key: str) -> None:
        self.host_words.append(f"claim {key}")

    def ping(self) -> None:
        for notice in self.on_notice:
            notice("To the server and back in 0 ms.")

    def go_on(self) -> None:
        self._try(cmd.GoOn(self.seat))

    def _try(self, command: AnyCommand) -> str:
        try:
            self.table.do(command)
        except IllegalAction as refused:
            for notice in self.on_notice:
                notice(refused.text)
            return refused.text
        return ""

    def close(self) -> None:
        self.closed.set()

    async def run(self) -> None:
        await self.closed.wait()


def own_turn(game: str = "stud8", players: int = 3, decision: str = "bet", seed: int = 1) -> LocalTable:
    """A table at which seat 1 is asked for the first time."""
    table = LocalTable(game, players, seed=seed)
    table.deal()

    def asked(view: TableView) -> bool:
        pending = view.seat(1).pending
        return pending is not None and pending.request.decision == decision

    table.play_until(asked)
    return table
