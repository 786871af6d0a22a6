"""Recorded hands as PHH.

Stud, stud high-low and razz are written as in the standard. Other games get a variant of their own, ``_`` and the id
of the game, and the choices of players are in the fields of `replays.phh.format.CHOICES`. Cards that the recording
hides (a player's own file) are written as ``??``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from protocol import events as ev
from protocol.actions import Decision
from protocol.cards import MaybeCard
from protocol.events import AnyEvent, Seat
from protocol.journal.records import StepRecord
from protocol.stakes import Stakes
from protocol.table_rules import TableRules
from replays.anonymity import anonymised
from replays.phh.format import BOARD, CHOICES, STANDARD, Move, PhhHand, Verb, cards_word
from replays.recording import FILLED

VARIANTS = {game: variant for variant, game in STANDARD.items()}
STANDARD_STAKES = ("ante", "bring_in", "small", "big")
"""The stakes for which the standard has fields."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The hands, and the number of those left out: void hands and unfinished ones."""

    hands: tuple[PhhHand, ...]
    void: int
    unfinished: int


def export_hands(steps: Iterable[StepRecord], only: int | None = None, anonymise: bool = False) -> Exported:
    """The hands of a recording, or only the hand that starts with event number `only`.

    With `anonymise` they are `anonymised`, and table, date and the ids of the hands are left out.
    """
    hands: list[PhhHand] = []
    void = unfinished = seq = 0
    table, rules, filled = "", None, False
    names: dict[Seat, str] = {}
    hand: _Hand | None = None
    for step in anonymised(steps) if anonymise else steps:
        if step.view is not None:  # a player's file, which continues with another hand here
            table, rules = step.view.table, step.view.rules
            names = {seat.seat: seat.name for seat in step.view.players()}
            hand = None
        for event in step.events:
            seq += 1
            match event:
                case ev.TableOpened():
                    table, rules = event.table, event.rules
                case ev.PlayerSeated():
                    names[event.seat] = event.name
                case ev.Said(name="") if event.text.startswith(FILLED):
                    filled = True
                case ev.HandStarted():
                    if only in (None, seq):
                        shown = {seat: names.get(seat, "") for seat, _ in event.stacks}
                        hand = _Hand(event, shown, {} if anonymise else _about(table, event, step.at))
                        hand.own |= _beyond(event, rules, filled)
                    filled = False
                case ev.HandEnded() if hand is not None:
                    hands.append(hand.finished(event))
                    hand = None
                case ev.HandVoided() if hand is not None:
                    void += 1
                    hand = None
                case _ if hand is not None:
                    hand.add(event)
                case _:
                    pass
    unfinished = int(hand is not None)
    return Exported(tuple(hands), void, unfinished)


def _about(table: str, event: ev.HandStarted, at: int) -> dict[str, Any]:
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return {
        "table": table,
        "hand": event.hand,
        "year": moment.year,
        "month": moment.month,
        "day": moment.day,
        "time": moment.time().replace(microsecond=0),
        "time_zone": "UTC",
        "_id": event.id,
    }


def _beyond(event: ev.HandStarted, rules: TableRules | None, filled: bool) -> dict[str, Any]:
    """The fields beyond the standard that are known when the hand starts."""
    fields: dict[str, Any] = {"_game": event.game, "_stakes": _stakes(event.stakes)}
    offers = rules.games if rules is not None else ()
    if definition := next((offer.definition for offer in offers if offer.id == event.game), ""):
        fields["_definition"] = definition
    if filled:
        fields["_cards_filled"] = True
    return fields


def _stakes(stakes: Stakes) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(stakes)
    fields["cap"] = fields["cap"] or 0  # TOML has no null
    return {name: value for name, value in fields.items() if value is not None and name not in STANDARD_STAKES}


@dataclass(slots=True)
class _Hand:
    """A hand while its events are read. `held`: the cards of each player in the order of dealing, as far as known."""

    start: ev.HandStarted
    names: dict[Seat, str]
    own: dict[str, Any] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    chosen: dict[Decision, list[str]] = field(default_factory=dict)
    held: dict[int, list[MaybeCard]] = field(default_factory=dict)
    keep: int = 0
    player: dict[Seat, int] = field(init=False)

    def __post_init__(self) -> None:
        self.player = {seat: player for player, (seat, _) in enumerate(self.start.stacks)}

    def add(self, event: AnyEvent) -> None:
        """One event in the course of the hand."""
        match event:
            case ev.CardsDealt():
                for seat, down, up in event.cards:
                    if cards := (*down, *up):
                        self.held.setdefault(self.player[seat], []).extend(cards)
                        self._move("dh", seat, cards)
            case ev.CommunityDealt():
                self.moves.append(Move("db", BOARD, (event.card,), text=f"d db {cards_word([event.card])}"))
            case ev.Acted():
                self._acted(event)
            case ev.HandShown():
                self._fill(self.player[event.seat], event.cards)
                self._move("sm", event.seat, self.held[self.player[event.seat]])
            case ev.HandMucked():
                self._move("sm", event.seat)
            case _:
                self._chose(event)

    def _acted(self, event: ev.Acted) -> None:
        match event.action:
            case "fold":
                self._move("f", event.seat)
            case "check" | "call":
                self._move("cc", event.seat)
            case "bring_in":
                self._move("pb", event.seat)
            case _:
                self._move("cbr", event.seat, to=event.to)

    def _chose(self, event: AnyEvent) -> None:
        match event:
            case ev.CardsTurned():
                for seat, card in event.cards:
                    if event.how == "choose":
                        self._note("choose", seat, cards_word([card]))
                    self._fill(self.player[seat], [card])
            case ev.BroughtBack():
                self.keep = event.keep
            case ev.ChoiceMade(decision="arrange"):
                kept = event.action.cards if event.action is not None else None
                held: list[MaybeCard] = [None] * self.keep if kept is None else list(kept)
                self._note("arrange", event.seat, cards_word(held))
                self.held[self.player[event.seat]] = held
            case ev.Declared():
                for seat, direction in event.declarations:
                    self._note("declare", seat, direction)
            case ev.CardsPassed():
                for giver, _, cards in event.passes:
                    self._note("pass", giver, cards_word(cards))
                    self._take(giver, cards)
                for _, taker, cards in event.passes:
                    self.held[self.player[taker]] += cards
            case ev.CardsDiscarded():
                for seat, cards in event.cards:
                    self._note("discard", seat, cards_word(cards))
                    self._take(seat, cards)
            case _:
                pass

    def _move(self, verb: Verb, seat: Seat, cards: Sequence[MaybeCard] = (), to: int = 0) -> None:
        player = self.player[seat]
        who = f"d {verb} p{player + 1}" if verb == "dh" else f"p{player + 1} {verb}"
        text = " ".join([who, *[cards_word(cards)] * bool(cards), *[str(to)] * bool(to)])
        self.moves.append(Move(verb, player, tuple(cards) or None, to, text))

    def _note(self, decision: Decision, seat: Seat, words: str) -> None:
        self.chosen.setdefault(decision, []).append(f"p{self.player[seat] + 1} {words}".rstrip())

    def _fill(self, player: int, cards: Sequence[MaybeCard]) -> None:
        """Cards of a player become known."""
        held = self.held.setdefault(player, [])
        for card in cards:
            if card in held:
                continue
            if None in held:
                held[held.index(None)] = card
            else:
                held.append(card)

    def _take(self, seat: Seat, cards: Iterable[MaybeCard]) -> None:
        held = self.held[self.player[seat]]
        for card in cards:
            if card in held or None in held:
                held.remove(card if card in held else None)

    def finished(self, end: ev.HandEnded) -> PhhHand:
        """The hand as PHH."""
        start, stakes = self.start, self.start.stakes
        seats = tuple([seat for seat, _ in start.stacks])
        after = dict(end.stacks)
        choices = {CHOICES[decision]: rows for decision, rows in self.chosen.items()}
        return PhhHand(
            variant=VARIANTS.get(start.game, f"_{start.game}"),
            antes=(stakes.ante,) * len(seats),
            bring_in=stakes.bring_in,
            small_bet=stakes.small,
            big_bet=stakes.big,
            starting_stacks=tuple([chips for _, chips in start.stacks]),
            actions=tuple(self.moves),
            players=tuple([self.names[seat] for seat in seats]),
            seats=seats,
            finishing_stacks=tuple([after[seat] for seat in seats]),
            own=self.own | choices,
        )
