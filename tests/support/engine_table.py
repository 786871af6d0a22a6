"""A table of the engine by itself: commands go in, and every step that comes of them is kept."""

import random
from collections.abc import Sequence

from protocol import commands as cmd
from protocol.actions import Action
from protocol.cards import DECK
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, Chips, Seat
from protocol.facts import Pause, PauseKind
from protocol.journal.records import StepRecord
from protocol.stakes import Stakes
from protocol.table_rules import Clocks, GameChange, GameOffer, TableRules
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.games.house_games import load_game
from server.engine.table_state import TableState
from tests.support.random_hands import pick
from tests.support.sample_session import START

NAMES = ("Ann", "Ben", "Cai", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida")

PASS_AND_DRAW = """
id = "passdraw"
title = "Pass and draw"
players = 5
steps = [
    { do = "ante" },
    { do = "deal", down = 5 },
    { do = "pass", count = 1, to = "left" },
    { do = "bet", opens = "dealers_left" },
    { do = "draw", most = 3 },
    { do = "choose" },
    { do = "deal", down = 1 },
    { do = "bet", opens = "high_board" },
    { do = "showdown", high = "high", low = "8low" },
]
"""
"""A house game with what no game in the box has: cards are passed and put away."""
HOUSE_GAME = load_game(PASS_AND_DRAW)
GAMES_PLAYED = {**GAMES, HOUSE_GAME.id: HOUSE_GAME}
"""The games in the box, and the house game."""


def offer_of(game: str, stakes: Stakes | None = None) -> GameOffer:
    """One of these games as a table offers it, for its own stakes or for others."""
    one = GAMES_PLAYED[game]
    definition = PASS_AND_DRAW if game == HOUSE_GAME.id else ""
    return GameOffer(game, one.title, stakes or one.stakes, one.most_players, definition)


def table_rules(
    games: Sequence[str] = ("stud8",),
    seats: int = 8,
    change: GameChange = "never",
    misses: int = 1,
    stakes: Stakes | None = None,
    least: Chips = 1,
    most: Chips = 1000,
) -> TableRules:
    """A table for these games."""
    return TableRules(
        name="Kitchen", seats=seats, games=tuple([offer_of(game, stakes) for game in games]), change=change,
        misses=misses, buy_in_least=least, buy_in_most=most, clocks=Clocks(),
    )  # fmt: skip


def deck_of(rng: random.Random) -> tuple[int, ...]:
    """A shuffled deck."""
    deck = list(DECK)
    rng.shuffle(deck)
    return tuple(deck)


class EngineTable:
    """An open table, and what was done at it.

    Attributes:
        state: of the table. steps: so far, `at` is the time of the last one in UTC milliseconds.
        refused: codes of the commands that were refused.
    """

    def __init__(self, rules: TableRules | None = None) -> None:
        self.state = TableState()
        self.steps: list[StepRecord] = []
        self.refused: list[str] = []
        self.at = START
        self.do(cmd.OpenTable("kitchen", rules or table_rules()))

    @property
    def commands(self) -> list[AnyCommand]:
        """What was accepted."""
        return [step.command for step in self.steps if step.command is not None]

    @property
    def events(self) -> list[AnyEvent]:
        """What has happened."""
        return [event for step in self.steps for event in step.events]

    def do(self, command: AnyCommand, pause: int = 700) -> tuple[AnyEvent, ...]:
        """Apply a command that must be accepted, `pause` milliseconds after the one before."""
        seq = self.state.seq + 1
        events = self.state.apply(command)
        self.at += pause
        self.steps.append(StepRecord(seq, self.at, command, events))
        return events

    def refusal(self, command: AnyCommand) -> str:
        """Apply a command that must be refused; the code. The table must be as before."""
        before = state_of(self.state)
        try:
            self.state.apply(command)
        except IllegalAction as refused:
            assert state_of(self.state) == before, f"{command} was refused and changed the table"
            self.refused.append(refused.code)
            return refused.code
        raise AssertionError(f"{command} was accepted")

    def attempt(self, command: AnyCommand) -> bool:
        """Apply a command that may be refused."""
        before = state_of(self.state)
        try:
            self.do(command)
        except IllegalAction as refused:
            assert state_of(self.state) == before, f"{command} was refused and changed the table"
            self.refused.append(refused.code)
            return False
        return True

    def sit(self, *chips: Chips) -> "EngineTable":
        """Players take the seats 1, 2, 3 ..."""
        for seat, amount in enumerate(chips, 1):
            self.do(cmd.SitDown(NAMES[seat - 1], amount, bytes([seat]) * 32, seat))
        return self

    def deal(self, deck: Sequence[int] = DECK) -> "EngineTable":
        """Start a hand."""
        self.do(cmd.StartHand(tuple(deck), f"hand-{self.state.view.hand + 1}"))
        return self

    @property
    def turn(self) -> list[Seat]:
        """The seats that are asked."""
        return sorted(self.state.pending)

    def act(self, seat: Seat, action: Action, number: int = 0) -> tuple[AnyEvent, ...]:
        """Answer the seat's open request."""
        return self.do(cmd.Act(seat, self.state.pending[seat], action, number))

    def quietly(self) -> None:
        """One decision: check, call or post; otherwise the clock's."""
        seat = self.turn[0]
        pending = self.state.view.seat(seat).pending
        assert pending is not None
        kinds = [option.kind for option in pending.request.options]
        calm = next((kind for kind in ("check", "call", "bring_in") if kind in kinds), None)
        assert self.state.hand is not None
        self.act(seat, Action(calm) if calm else self.state.hand.default(seat))

    def finish(self) -> "EngineTable":
        """Quietly to the end of the hand."""
        while self.state.hand is not None:
            self.quietly()
        return self

    def stack(self, seat: Seat) -> Chips:
        """Chips behind."""
        return self.state.view.seat(seat).chips


def state_of(table: TableState) -> tuple[object, ...]:
    """Everything that a refused command must leave alone."""
    return (
        table.view.copy(),
        dict(table.pending),
        dict(table.last_ids),
        set(table.leaving),
        dict(table.tokens),
        table.hand,
    )


def random_command(rng: random.Random, table: TableState) -> AnyCommand:
    """Anything anybody might send, mostly sensible."""
    if table.view.pause and rng.random() < 0.3:
        return cmd.ResumePlay("Ann")
    seat = rng.randint(1, 8) if rng.random() < 0.95 else rng.choice((0, -1, 9, 99))
    luck = rng.random()
    if table.pending and luck < 0.72:
        seat = rng.choice(sorted(table.pending))
        answers = table.pending[seat]
        pending = table.view.seat(seat).pending
        assert pending is not None
        options = pending.request.options
        if luck < 0.05:
            return cmd.TimeUp(seat, answers)
        action = Action("game", game=options[0].games[-1]) if options[0].kind == "game" else pick(rng, options, 0.6)
        if luck < 0.08:
            answers -= 1
        elif luck < 0.10:
            action = Action("raise", to=rng.choice((-1, 0, 3, 2**40)))
        return cmd.Act(seat, answers, action, table.last_ids.get(seat, 0) + rng.choice((0, 1, 1, 1)))
    if table.wants_game():
        return cmd.AskGame()
    if table.can_deal() and luck < 0.6:
        return cmd.StartHand(deck_of(rng), f"h{table.view.hand + 1}")
    kind = rng.randrange(12)
    if kind <= 1:
        name = rng.choice(NAMES) if rng.random() < 0.95 else ""
        return cmd.SitDown(name, rng.randint(0, 130), b"t" * 32, rng.choice((None, seat)))
    simple: list[AnyCommand] = [
        cmd.StandUp(seat), cmd.SitOut(seat), cmd.SitIn(seat), cmd.SitIn(seat), cmd.TopUp(seat, rng.randint(-5, 90)),
        cmd.Connection(seat, rng.random() < 0.5), cmd.GoOn(seat), cmd.Say("x", "hello"),
        cmd.GiveBack("x", b"t" * 32, rng.choice((b"t", b"u")) * 32, "the host's word"),
        cmd.Act(seat, rng.randint(0, 99), Action("check")), cmd.TimeUp(seat, rng.randint(0, 99)),
    ]  # fmt: skip
    rare = rng.random()
    if rare < 0.02:
        return cmd.VoidHand("the lights went out", redeal=rare < 0.015)
    if rare < 0.1:
        return host_command(rng, seat)
    return simple[kind - 2]


def host_command(rng: random.Random, seat: Seat) -> AnyCommand:
    """Anything a host may want."""
    kinds: tuple[PauseKind, ...] = ("pause", "stop", "break")
    return rng.choice(
        (
            cmd.PausePlay(Pause(rng.choice(kinds), "Ann", "dinner", minutes=5)),
            cmd.CorrectStack(seat, rng.randint(-60, 60), "corrected by Ann: wrong pot"),
            cmd.CorrectStack(seat, rng.randint(-60, 60), "corrected by Ann: wrong pot"),
            cmd.NameHost(seat, rng.random() < 0.7, "Ann"),
            cmd.ResumePlay("Ann"),
            cmd.PlanBreak(1000, 5, 60),
        )
    )
