"""The rules of a table, which are known before anybody sits down."""

from typing import Literal, TypeAlias

import msgspec

from protocol.stakes import Stakes

GameChange: TypeAlias = Literal["never", "hand", "orbit", "dealer"]
"""When the game changes: never, with every hand, when the button has gone round, or as the dealer chooses."""

ShowRule: TypeAlias = Literal["rule", "all"]
"""What is shown at the showdown: as the rule of the game says, or every hand that stayed in."""

BANKED = frozenset({"bet", "arrange"})
"""Decisions for which the time bank is used when their own time is over."""


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds for each decision; 0 switches a clock off (`rules.md` 10).

    `bank` is the time bank of a player for a session, for the decisions in `BANKED`; an absent player has none.
    `result` is how long a result stands before the next hand; with `wait_for_all` it stands until everybody has read
    it. `grace` is added to every clock after a restart.
    """

    bet: int = 30
    choose: int = 20
    arrange: int = 60
    declare: int = 20
    bank: int = 60
    result: int = 8
    grace: int = 60
    wait_for_all: bool = False

    def seconds(self, decision: str) -> int | None:
        """The time for a decision; None where there is no clock."""
        if decision == "bet" or decision == "buy":
            return self.bet or None
        if decision == "arrange":
            return self.arrange or None
        if decision == "declare":
            return self.declare or None
        return self.choose or None


class Rise(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Antes and limits that rise in the course of the evening.

    Fields:
        percent: by which all amounts of the stakes are multiplied from one level to the next; 200 doubles them.
        every: how long a level lasts: hands, or minutes of play.
        unit: which of the two.
        most: the largest multiple of the first stakes, in percent; 0 for none.
        level: levels that have passed.
        since: when the present level began: the number of the last hand before it, or seconds of play.
        last: whether the limits rise no more.
    """

    percent: int
    every: int
    unit: Literal["hands", "minutes"]
    most: int = 0
    level: int = 0
    since: int = 0
    last: bool = False

    def words(self) -> str:
        """``x2 every 20 hands, at most x8``, as a host writes it."""
        unit = self.unit if self.every > 1 else self.unit[:-1]
        return (
            f"x{self.percent / 100:g} every {self.every} {unit}{f', at most x{self.most / 100:g}' if self.most else ''}"
        )

    def same_plan(self, other: "Rise | None") -> bool:
        """Whether the other one has the same plan, wherever in it the table is."""
        return other is not None and self.words() == other.words()


class OpenCards(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Spectators see every card, but never one of a running hand: each step is told when its hand is over, and later.

    Fields:
        delay: 1: when the hand is over; 2: when the next one is over, too; and so on. Or minutes after the step.
        unit: which of the two.
        by_host: whether the host has said so at the table, not in the settings.
    """

    delay: int = 1
    unit: Literal["hands", "minutes"] = "hands"
    by_host: bool = False

    def words(self) -> str:
        """``every card of a hand that is over``, ``every card, 3 hands later``"""
        if self.unit == "hands" and self.delay == 1:
            return "every card of a hand when it is over"
        return f"every card of a hand when it is over, {self.delay} {self.unit} later"


class GameOffer(msgspec.Struct, frozen=True):
    """A game of the table's list, with its stakes at this table.

    `definition`: for a house game the TOML text that defines it, so that its hands can always be checked.
    """

    id: str
    title: str
    stakes: Stakes
    most_players: int
    definition: str = ""


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """The house rules of a table.

    Fields:
        name: the name of the table.
        seats: the number of seats; they are numbered from 1.
        games: the games that are played, in their order.
        change: when the game changes.
        buy_in_least, buy_in_most, buy_in: bounds of the buy-in, and the usual buy-in.
        clocks: the decision clocks.
        misses: hands with a missed clock after which a player sits out.
        show: what is shown at the showdown.
        spectators: whether there may be spectators.
        open_cards: when spectators see the cards; None: what is open at the table only.
        spectator_chat: whether spectators may talk at the table.
        closed_by_host: the settings open the cards, and the host has closed them at the table; left out elsewhere.
        coach: whether the players' programs may say what a hand is worth.
        rise: how the stakes rise; None where they stay. `games` has the stakes of the present level.
    """

    name: str
    seats: int
    games: tuple[GameOffer, ...]
    change: GameChange = "never"
    buy_in_least: int = 20
    buy_in_most: int = 1000
    buy_in: int = 100
    clocks: Clocks = Clocks()
    misses: int = 1
    show: ShowRule = "rule"
    spectators: bool = True
    coach: bool = True
    rise: Rise | None = None
    open_cards: OpenCards | None = None
    spectator_chat: bool = False
    closed_by_host: bool | msgspec.UnsetType = msgspec.UNSET
