"""The summary of a hand in a list of hands: the players, the game, the pot, the winners."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from protocol import events as ev
from protocol.events import Chips, Seat
from protocol.journal.records import StepRecord
from protocol.narration.awards import Values, scooper


@dataclass(slots=True)
class HandSummary:
    """One recorded hand.

    Fields:
        number, id: its number in the session and its permanent name.
        started, ended: UTC milliseconds; `ended` is None while it runs, or where the recording stops before its end.
        first, last: numbers of its first and of its last event.
        names, stacks: the players dealt in and their chips at the start, by seat.
        pot: chips paid out of all pots, without returned bets.
        won: chips that each winner got; net: win or loss of each seat, empty while the hand runs.
        declared: ``high`` or ``low``, by seat.
        scooped: the seat that got every share of every pot, where the pot was divided in halves; None if there is none.
        voided: the hand did not count.
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

    def seat_of(self, name: str) -> Seat | None:
        """The seat of the player with that name, in upper or lower case; None if there is no such player."""
        wanted = name.casefold()
        return next((seat for seat, known in self.names.items() if known.casefold() == wanted), None)


def summaries(steps: Iterable[StepRecord]) -> list[HandSummary]:
    """The hands of a recording, in order."""
    found: list[HandSummary] = []
    names: dict[Seat, str] = {}
    hand: HandSummary | None = None
    awards: list[ev.PotAwarded] = []
    shown: dict[Seat, Values] = {}
    seq = 0
    for step in steps:
        if step.view is not None:
            names = {seat.seat: seat.name for seat in step.view.players()}
            hand = None
        for event in step.events:
            seq += 1
            match event:
                case ev.PlayerSeated():
                    names[event.seat] = event.name
                case ev.PlayerLeft():
                    names.pop(event.seat, None)
                case ev.HandStarted():
                    hand = HandSummary(event.hand, event.id, event.game, event.title, step.at, seq)
                    awards, shown = [], {}
                    hand.stacks = dict(event.stacks)
                    hand.names = {seat: names.get(seat, f"seat {seat}") for seat in hand.stacks}
                    found.append(hand)
                case ev.PotAwarded() if hand is not None:
                    hand.pot += event.amount
                    awards.append(event)
                    for seat, amount in event.winners:
                        hand.won[seat] = hand.won.get(seat, 0) + amount
                case ev.HandShown() if hand is not None:
                    shown[event.seat] = event.values
                case ev.Declared() if hand is not None:
                    hand.declared = dict(event.declarations)
                case ev.HandEnded() | ev.HandVoided() if hand is not None:
                    hand.ended = step.at
                    hand.net = {seat: chips - hand.stacks.get(seat, chips) for seat, chips in event.stacks}
                    if isinstance(event, ev.HandVoided):
                        hand.voided, hand.pot, hand.won = True, 0, {}
                    else:
                        hand.scooped = _scooper(awards, shown)
                case _:
                    pass
            if hand is not None:
                hand.last = seq
                if hand.ended is not None:
                    hand = None
    return found


def _scooper(awards: list[ev.PotAwarded], shown: dict[Seat, Values]) -> Seat | None:
    return scooper(awards, lambda seat: shown.get(seat, ()))
