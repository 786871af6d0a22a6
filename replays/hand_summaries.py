"""What a list of hands, the statistics and the ledger need of each hand: results and counts, never cards."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from protocol import events as ev
from protocol.cards import DECK
from protocol.events import AnyEvent, Chips, Seat
from protocol.journal.records import StepRecord
from protocol.narration.awards import scooper
from protocol.seat_view import SeatView
from protocol.view import TableView

Values = tuple[tuple[str, str], ...]
EIGHT, ACE = 6, 12
"""Ranks."""
_SMALL = frozenset(card for card in DECK if card >> 2 <= EIGHT or card >> 2 == ACE)
"""The cards that are an eight or lower; an ace is low too."""
_WAGERS = ("bet", "complete", "raise")


@dataclass(slots=True)
class PlayerHand:
    """What one player did in one hand.

    Fields:
        fourth: still in when the second street was dealt.
        brought_in, completed: whether they posted the bring-in, whether they completed it.
        wagers, calls: how often they bet, completed or raised, and how often they called.
        showdown: in at the end, when hands had to be shown.
        quartered: won no more than a part of one half.
        cards, small: cards dealt to them that the recording shows, and how many of these are an eight or lower.
    """

    fourth: bool = False
    brought_in: bool = False
    completed: bool = False
    wagers: int = 0
    calls: int = 0
    showdown: bool = False
    quartered: bool = False
    cards: int = 0
    small: int = 0


@dataclass(slots=True)
class HandSummary:
    """A hand of a recording.

    Fields:
        number: the number of the hand at its table; id: its unique name.
        game: id of the game; title: its name.
        started, ended: UTC milliseconds; `ended` is None while it runs, or where the recording stops before its end.
        first, last: numbers of its first and its last event.
        names: the players by seat; stacks: their chips at the start.
        pot: all chips that were paid from pots; won: chips that each winner got; net: win or loss of each seat, empty
            while the hand runs.
        declared: ``high`` or ``low``, by seat.
        scooped: the seat that got every share of every pot, where the pot was divided in halves; None if there is none.
        voided: the hand did not count.
        corrected: chips that a host gave or took between the hand before and this one, by name.
        corrected_after: the same after this hand, where no other was dealt (`Library.with_last_corrections`).
        players: what each seat did.
    """

    number: int
    id: str
    game: str
    title: str
    started: int
    first: int
    last: int = 0
    ended: int | None = None
    names: dict[Seat, str] = field(default_factory=dict)
    stacks: dict[Seat, Chips] = field(default_factory=dict)
    pot: Chips = 0
    won: dict[Seat, Chips] = field(default_factory=dict)
    net: dict[Seat, Chips] = field(default_factory=dict)
    declared: dict[Seat, str] = field(default_factory=dict)
    scooped: Seat | None = None
    voided: bool = False
    corrected: dict[str, int] = field(default_factory=dict)
    corrected_after: dict[str, int] = field(default_factory=dict)
    players: dict[Seat, PlayerHand] = field(default_factory=dict)

    def seat_of(self, name: str) -> Seat | None:
        """The seat of the player with that name, in upper or lower case; None if there is no such player."""
        wanted = name.casefold()
        return next((seat for seat, known in self.names.items() if known.casefold() == wanted), None)

    @property
    def showdown(self) -> bool:
        """Whether hands had to be shown."""
        return any(player.showdown for player in self.players.values())


class SummaryMaker:
    """Makes summaries of steps, one after the other.

    Attributes:
        found: the hands so far; the last one may be running.
        table: after the last step, with who sits where and with how many chips, and without cards and pots.
        before: the same before the last hand.
        seq: number of the last event.
        corrected: chips that a host gave or took since the last hand, by name.
    """

    def __init__(
        self, table: TableView | None = None, seq: int = 0, corrected: Mapping[str, int] | None = None
    ) -> None:
        self.found: list[HandSummary] = []
        self.table = TableView() if table is None else table
        self.before = self.table
        self.seq = seq
        self._hand: HandSummary | None = None
        self._notes = _AT_TABLE  # what is noted of the next event
        self._awards: list[ev.PotAwarded] = []
        self._shown: dict[Seat, Values] = {}
        self.corrected: dict[str, int] = dict(corrected or {})
        self._streets = 0
        self._step = StepRecord(0, 0, None, ())

    @property
    def running(self) -> bool:
        """Whether the last hand is not over."""
        return self._hand is not None

    def add(self, step: StepRecord) -> None:
        """The next step. Of events that are not `NOTED` only the number counts."""
        if step.view is not None:
            self.table = without_cards(step.view)
            self._hand, self._notes = None, _AT_TABLE
        self._step = step
        self.seq += len(step.events)
        for event in step.events:
            note = self._notes.get(type(event))
            if note is not None:
                note(self, event)
        if self._hand is not None:
            self._hand.last = self.seq

    def _number(self, event: AnyEvent) -> int:
        """The number of an event of this step."""
        later = next(place for place, one in enumerate(reversed(self._step.events)) if one is event)
        return self.seq - later

    def _at_table(self, event: AnyEvent) -> None:
        self.table.apply(event)

    def _chips_added(self, event: ev.ChipsAdded) -> None:
        self.table.apply(event)
        if event.why:  # bought chips need no reason
            name = self.table.name(event.seat)
            self.corrected[name] = self.corrected.get(name, 0) + event.amount

    def _start(self, event: ev.HandStarted) -> None:
        first = self._number(event)
        hand = HandSummary(event.hand, event.id, event.game, event.title, self._step.at, first, first)
        self._awards, self._shown, self._streets = [], {}, 0
        hand.stacks = dict(event.stacks)
        hand.corrected, self.corrected = self.corrected, {}
        hand.names = {seat: self.table.name(seat) for seat in hand.stacks}
        self.before = self.table.copy()
        self.table.apply(event)
        hand.players = {seat: PlayerHand() for seat in hand.stacks}
        self._hand, self._notes = hand, _IN_HAND
        self.found.append(hand)

    @property
    def _running(self) -> HandSummary:
        assert self._hand is not None  # `_IN_HAND` is for events of a running hand
        return self._hand

    def _dealt(self, event: ev.CardsDealt) -> None:
        self._streets += 1
        players = self._running.players
        for seat, down, up in event.cards:
            player = players[seat]
            if self._streets == 2:
                player.fourth = True
            for card in down + up:
                if card is not None:
                    player.cards += 1
                    player.small += card in _SMALL

    def _acted(self, event: ev.Acted) -> None:
        action = event.action
        if action == "call":
            self._running.players[event.seat].calls += 1
        elif action in _WAGERS:
            player = self._running.players[event.seat]
            player.wagers += 1
            player.completed = player.completed or action == "complete"
        elif action == "bring_in":
            self._running.players[event.seat].brought_in = True

    def _declared(self, event: ev.Declared) -> None:
        self._running.declared = dict(event.declarations)

    def _showed(self, event: ev.HandShown) -> None:
        self._shown[event.seat] = event.values
        self._running.players[event.seat].showdown = True

    def _mucked(self, event: ev.HandMucked) -> None:
        self._running.players[event.seat].showdown = True

    def _awarded(self, event: ev.PotAwarded) -> None:
        hand = self._running
        hand.pot += event.amount
        self._awards.append(event)
        for seat, amount in event.winners:
            hand.won[seat] = hand.won.get(seat, 0) + amount

    def _over(self, event: ev.HandEnded | ev.HandVoided) -> None:
        hand = self._running
        hand.ended, hand.last = self._step.at, self._number(event)
        hand.net = {seat: chips - hand.stacks.get(seat, chips) for seat, chips in event.stacks}
        self.table.playing = False
        for seat, chips in event.stacks:
            self.table.seat(seat).chips = chips
        if isinstance(event, ev.HandVoided):
            hand.voided, hand.pot, hand.won = True, 0, {}
        else:
            hand.scooped = scooper(self._awards, lambda seat: self._shown.get(seat, ()))
            for seat in _quartered(self._awards):
                hand.players[seat].quartered = True
        self._hand, self._notes = None, _AT_TABLE


_AT_TABLE: dict[type[AnyEvent], Callable[[SummaryMaker, Any], None]] = {
    ev.HandStarted: SummaryMaker._start,
    ev.TableOpened: SummaryMaker._at_table,
    ev.PlayerSeated: SummaryMaker._at_table,
    ev.PlayerLeft: SummaryMaker._at_table,
    ev.PlayerAway: SummaryMaker._at_table,
    ev.PlayerBack: SummaryMaker._at_table,
    ev.ConnectionChanged: SummaryMaker._at_table,
    ev.ChipsAdded: SummaryMaker._chips_added,
    ev.GamePicked: SummaryMaker._at_table,
    ev.Said: SummaryMaker._at_table,
}
_IN_HAND: dict[type[AnyEvent], Callable[[SummaryMaker, Any], None]] = {
    **_AT_TABLE,
    ev.CardsDealt: SummaryMaker._dealt,
    ev.Acted: SummaryMaker._acted,
    ev.Declared: SummaryMaker._declared,
    ev.HandShown: SummaryMaker._showed,
    ev.HandMucked: SummaryMaker._mucked,
    ev.PotAwarded: SummaryMaker._awarded,
    ev.HandEnded: SummaryMaker._over,
    ev.HandVoided: SummaryMaker._over,
}
"""What is noted of each kind of event, also within a hand; by kind, because a long evening has millions of events."""

NOTED = frozenset(_IN_HAND)
"""The kinds of events of which something is noted."""


def without_cards(view: TableView) -> TableView:
    """The table with its players and their chips, without what the next hand clears away."""
    seats = [SeatView(seat.seat, seat.name, seat.chips, seat.bot, seat.away, seat.online) for seat in view.seats]
    return replace(
        view, seats=seats, street="", why="", community=(), wilds=(), pots=(), awards=(), gone=(), playing=False
    )


def _quartered(awards: Iterable[ev.PotAwarded]) -> set[Seat]:
    """The seats that won a share of one half, and nothing else."""
    shares: dict[Seat, set[str]] = {}
    more: set[Seat] = set()
    for award in awards:
        for seat, _ in award.winners:
            if award.part in ("high", "low") and len(award.winners) > 1:
                shares.setdefault(seat, set()).add(award.part)
            else:
                more.add(seat)
    return {seat for seat, parts in shares.items() if len(parts) == 1} - more


def summaries(steps: Iterable[StepRecord]) -> list[HandSummary]:
    """The hands of a recording, in order."""
    maker = SummaryMaker()
    for step in steps:
        maker.add(step)
    return maker.found
