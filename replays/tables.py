"""Recorded hands as rows of three tables - hands, seats, actions - for programs that ask many hands at once.

The rows are made from the events as their viewer saw them, one hand after the other, so that an evening of any length
needs the memory of one hand. The columns and their types are those of `TABLES`; `docs/hand-formats.md` explains them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

from protocol import events as ev
from protocol.cards import MaybeCard, cards_text
from protocol.events import AnyEvent, Chips, Seat
from protocol.journal.records import StepRecord
from protocol.view import TableView
from replays.hand_summaries import HandSummary, SummaryMaker

Table: TypeAlias = Literal["hands", "seats", "actions"]
Row: TypeAlias = tuple[Any, ...]

TABLES: dict[Table, dict[str, str]] = {
    "hands": {
        "hand_key": "BIGINT", "id": "VARCHAR", "table_id": "VARCHAR", "number": "BIGINT", "game": "VARCHAR",
        "title": "VARCHAR", "started": "TIMESTAMP", "ended": "TIMESTAMP", "void": "BOOLEAN", "pot": "BIGINT",
        "players": "INTEGER", "button": "INTEGER", "limit_kind": "VARCHAR", "ante": "BIGINT", "bring_in": "BIGINT",
        "small_bet": "BIGINT", "big_bet": "BIGINT", "community": "VARCHAR",
    },
    "seats": {
        "hand_key": "BIGINT", "seat": "INTEGER", "name": "VARCHAR", "stack": "BIGINT", "committed": "BIGINT",
        "returned": "BIGINT", "share": "BIGINT", "net": "BIGINT", "declared": "VARCHAR", "folded": "BOOLEAN",
        "showdown": "BOOLEAN", "scooped": "BOOLEAN", "down": "VARCHAR", "up": "VARCHAR", "made": "VARCHAR",
    },
    "actions": {
        "hand_key": "BIGINT", "action_number": "INTEGER", "acted": "TIMESTAMP", "street": "VARCHAR", "seat": "INTEGER",
        "name": "VARCHAR", "action": "VARCHAR", "amount": "BIGINT", "to_amount": "BIGINT", "all_in": "BOOLEAN",
        "cause": "VARCHAR", "cards": "VARCHAR",
    },
}  # fmt: skip
"""The columns of each table with their types in SQL. Times are UTC; those of rows are milliseconds."""


class HandRows:
    """The rows of a recording.

    Attributes:
        hands: the number of hands whose rows were made; void ones are among them.
        unfinished: the number of hands that are not over.
    """

    def __init__(self, only: int | None = None) -> None:
        """`only`: the event number with which the hand starts that alone is wanted; None for all hands."""
        self.only = only
        self.hands = 0
        self.unfinished = 0
        self._maker = SummaryMaker()
        self._view = TableView()
        self._hand: _Hand | None = None

    def rows(self, steps: Iterable[StepRecord]) -> Iterator[tuple[Table, Row]]:
        """(table, row) of every hand that is over. The steps are as their viewer saw them."""
        seq = 0
        for step in steps:
            if step.view is not None:
                self._view = step.view.copy()
                self._leave()
            self._maker.add(step)
            for event in step.events:
                seq += 1
                self._view.apply(event)
                if isinstance(event, ev.HandStarted):
                    self._leave()
                    if self.only in (None, seq):
                        self._hand = _Hand(self.hands + 1, self._view, event)
                if self._hand is not None:
                    self._hand.add(step.at, event)
                    if isinstance(event, ev.HandEnded | ev.HandVoided):
                        self.hands += 1
                        yield from self._hand.rows(self._maker.found[-1])
                        self._hand = None
            del self._maker.found[:-1]
        self._leave()

    def _leave(self) -> None:
        self.unfinished += self._hand is not None
        self._hand = None


class _Hand:
    """A hand while its events are read: what its players put in, and what they did."""

    def __init__(self, key: int, view: TableView, start: ev.HandStarted) -> None:
        self.key, self.view, self.start = key, view, start
        self.table = view.table
        self.committed: dict[Seat, Chips] = defaultdict(int)
        self.returned: dict[Seat, Chips] = defaultdict(int)
        self.actions: list[Row] = []

    def add(self, at: int, event: AnyEvent) -> None:
        """One event, which the view has."""
        match event:
            case ev.AntesPosted():
                for seat, amount in event.antes:
                    self.committed[seat] += amount
                    all_in = self.view.seat(seat).chips == 0
                    self._act(at, seat, "ante", amount, amount, all_in, "player")
            case ev.Acted():
                self.committed[event.seat] += event.amount
                self._act(at, event.seat, event.action, event.amount, event.to, event.all_in, event.cause)
            case ev.ChoiceMade():
                cards = event.action.cards if event.action is not None else None
                self._act(at, event.seat, event.decision, cause=event.cause, cards=cards)
            case ev.BetReturned():
                self.returned[event.seat] += event.amount
            case _:
                pass

    def _act(
        self,
        at: int,
        seat: Seat,
        action: str,
        amount: Chips = 0,
        to: Chips = 0,
        all_in: bool = False,
        cause: str = "player",
        cards: Iterable[MaybeCard] | None = None,
    ) -> None:
        told = cards_text(cards) if cards is not None else None
        name, street = self.view.name(seat), self.view.street or None
        row = (self.key, len(self.actions) + 1, at, street, seat, name, action, amount, to, all_in, cause, told)
        self.actions.append(row)

    def rows(self, hand: HandSummary) -> Iterator[tuple[Table, Row]]:
        """Its rows, when it is over."""
        start, stakes = self.start, self.start.stakes
        yield "hands", (
            self.key, start.id, self.table, start.hand, start.game, start.title, hand.started, hand.ended, hand.voided,
            hand.pot, len(start.stacks), start.button, stakes.limit, stakes.ante, stakes.bring_in, stakes.small,
            stakes.big, cards_text(self.view.community) or None,
        )  # fmt: skip
        for seat, stack in sorted(start.stacks):
            yield "seats", self._seat(seat, stack, hand)
        for row in self.actions:
            yield "actions", row

    def _seat(self, seat: Seat, stack: Chips, hand: HandSummary) -> Row:
        held = self.view.seat(seat)
        made = "; ".join(f"{ranking}: {name}" for ranking, name in held.values)
        return (
            self.key, seat, hand.names[seat], stack, self.committed[seat], self.returned[seat], hand.won.get(seat, 0),
            hand.net[seat], hand.declared.get(seat), held.hand == "folded", hand.players[seat].showdown,
            hand.scooped == seat, cards_text(held.shown or held.down), cards_text(held.up), made or None,
        )  # fmt: skip
