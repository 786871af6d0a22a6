"""What every player has done in a running hand, as one seat has seen it.

`History` follows the events of the hand. For each player it keeps the way of their cards (dealt, turned up, taken
back) and the betting rounds in which they acted. Of a round it keeps what lay on the table when it began, and for each
bucket how likely the player's actions in it were (`action_tables`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from protocol import events as ev
from protocol.actions import WAGERS
from protocol.cards import Card
from protocol.events import AnyEvent, Chips, Seat
from replays.chances.terms import GameTerms
from replays.hand_reading.action_tables import (
    FORCED,
    NOTHING,
    ONE_BET,
    RAISED,
    Part,
    Row,
    Situation,
    action_chances,
)
from replays.hand_reading.buckets import BUCKETS, Way
from replays.hand_reading.habits import Habits, chances_of, stage_of

FLOOR = 0.03
"""Added to the chance of every action, for players do strange things."""
EXCHANGED = 0.5
"""What a round counts in which the player held other cards: the chances to this power."""


@dataclass(slots=True)
class Round:
    """A betting round as one player saw it.

    Fields:
        up: the cards that the player showed; middle: those for everybody.
        boards: the cards that the live others showed; after a declaration only of those who went the same way.
        wilds: ranks that were wild.
        size: how many cards the player had, with those in the middle.
        kept: whether it was the hand of five that was kept. way: the direction that the player had declared.
        chances: by bucket, how likely the player's actions in this round were.
    """

    up: tuple[Card, ...]
    middle: tuple[Card, ...]
    boards: tuple[tuple[Card, ...], ...]
    wilds: tuple[int, ...]
    size: int
    kept: bool
    way: Way
    chances: Row = (1.0,) * BUCKETS

    @property
    def told(self) -> bool:
        """Whether the player's actions say anything."""
        return len(set(self.chances)) > 1

    def acted(self, row: Row, power: float = 1.0) -> None:
        """The player has done something that is as likely as `row` says."""
        if power != 1.0:
            row = tuple([(FLOOR + chance) ** power - FLOOR for chance in row])
        self.chances = tuple([one * (FLOOR + chance) for one, chance in zip(self.chances, row, strict=True)])


@dataclass(frozen=True, slots=True)
class Dealt:
    """So many cards came face down."""

    down: int


@dataclass(frozen=True, slots=True)
class Turned:
    """A hidden card was turned up by choice."""

    card: Card


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The up cards were taken back into the hand, and some cards were kept (bring 'em back)."""

    up: tuple[Card, ...]


Move: TypeAlias = Dealt | Turned | TakenBack | Round


@dataclass(slots=True)
class _Player:
    """A player of the hand: what they show, how many cards are hidden, what has happened with their cards.

    `drawing`: the next cards replace others that were put away; of what was there before nothing is known.
    """

    up: tuple[Card, ...] = ()
    down: int = 0
    moves: list[Move] = field(default_factory=list)
    drawing: bool = False
    live: bool = True
    way: Way = ""
    bet: Chips = 0
    inside: bool = False
    round: Round | None = None


class History:
    """Follows one hand, from its start.

    Args:
        terms: of the game. exchanges: how often cards change hands in it.
        seats: the players whose actions are weighed.
        habits: how the players bet in earlier hands.
    """

    def __init__(
        self, terms: GameTerms, seats: Collection[Seat], exchanges: int = 0, habits: Habits | None = None
    ) -> None:
        self.players: dict[Seat, _Player] = {}
        self._weighed = seats
        self._terms = terms
        self._all_exchanges = exchanges
        self._habits = habits or Habits()
        self._own = Habits()
        self._requests: dict[Seat, ev.ActionRequested] = {}
        self._middle: tuple[Card, ...] = ()
        self._wilds: tuple[int, ...] = ()
        self._keep = 0
        self.exchanges = 0
        self._rounds = 0
        self._pot: Chips = 0
        self._match: Chips = 0
        self._wagers = 0
        self._leader: Seat | None = None
        self._next_leader: Seat | None = None

    def follow(self, events: Iterable[AnyEvent]) -> "History":
        """Follow several events. Returns the history itself."""
        for event in events:
            self.see(event)
        return self

    def moves(self, seat: Seat) -> list[Move]:
        """What has happened with the cards of that seat, in order."""
        return self.players[seat].moves if seat in self.players else []

    def see(self, event: AnyEvent) -> None:
        """Follow one event."""
        match event:
            case ev.HandStarted():
                self.players = {seat: _Player() for seat, _ in event.stacks}
            case ev.AntesPosted():
                self._pot += sum(amount for _, amount in event.antes)
            case ev.RoundOpened():
                self._open_round()
            case ev.ActionRequested() if event.decision == "bet":
                self._requests[event.seat] = event
            case ev.Acted():
                self._acted(event)
            case ev.BetReturned():
                self._pot -= event.amount
            case ev.Declared():
                for seat, direction in event.declarations:
                    self.players[seat].way = direction
            case _:
                self._cards(event)
        self._own.see(event)

    def _cards(self, event: AnyEvent) -> None:
        """Follow an event that moves cards."""
        match event:
            case ev.CardsDealt():
                for seat, down, up in event.cards:
                    player = self.players[seat]
                    player.up += up
                    player.down += len(down)
                    if down and not player.drawing:
                        player.moves.append(Dealt(len(down)))
                    player.drawing = False
            case ev.CardsTurned():
                for seat, card in event.cards:
                    player = self.players[seat]
                    player.up += (card,)
                    player.down -= 1
                    if event.how != "roll":
                        player.moves.append(Turned(card))
            case ev.CommunityDealt():
                self._middle += (event.card,)
            case ev.WildsNamed():
                self._wilds = event.ranks
            case ev.BroughtBack():
                self._keep = event.keep
                for seat in event.seats:
                    player = self.players[seat]
                    player.moves.append(TakenBack(player.up))
                    player.up, player.down = (), event.keep
            case ev.CardsPassed():
                self.exchanges += 1
            case ev.CardsDiscarded():
                self.exchanges += 1
                for seat, cards in event.cards:
                    self.players[seat].down -= len(cards)
                    self.players[seat].drawing = bool(cards)
            case _:
                pass

    # -------------------------------------------------------------------- betting

    def _open_round(self) -> None:
        self._rounds += 1
        self._match = self._wagers = 0
        self._leader, self._next_leader = self._next_leader or self._leader, None
        for player in self.players.values():
            player.bet, player.inside, player.round = 0, False, None

    def _acted(self, event: ev.Acted) -> None:
        player, request = self.players[event.seat], self._requests.pop(event.seat, None)
        if request is not None and event.cause == "player" and event.seat in self._weighed:
            chances = action_chances(self._situation(event.seat, player, request))
            stage = stage_of(self._rounds)
            counts = self._habits.of(event.seat, stage).with_wagers_of(self._own.of(event.seat, stage))
            power = EXCHANGED if self.exchanges < self._all_exchanges else 1.0
            row = chances_of(chances, counts.tendency(), stage, declares=self._terms.declares).row(event.action)
            self._round_of(event.seat, player).acted(row, power)
        self._pot += event.amount
        player.bet = event.to
        self._match = max(self._match, event.to)
        if event.action in WAGERS:
            self._wagers += 1
            self._next_leader = event.seat
        player.inside = player.inside or event.action in WAGERS or event.action == "call"
        player.live = event.action != "fold"

    def _situation(self, seat: Seat, player: _Player, request: ev.ActionRequested) -> Situation:
        kinds = {option.kind for option in request.options}
        call = request.call
        if self._wagers:
            facing = ONE_BET if self._wagers == 1 else RAISED
        else:
            facing = FORCED if call else NOTHING
        return Situation(
            part=self._part(player),
            facing=facing,
            inside=player.inside,
            led=self._leader == seat,
            posts="bring_in" in kinds and "fold" not in kinds,
            can_wager=not kinds.isdisjoint(WAGERS),
            price=call / (self._pot + call) if call else 0.0,
            opponents=sum(other.live for other in self.players.values()) - 1,
        )

    def _part(self, player: _Player) -> Part:
        if self._rounds == 1:
            return "first"
        if self._keep:
            return "last" if player.down == 1 or player.way else "middle"
        full = player.down + len(player.up) + len(self._middle) >= self._terms.size
        return "last" if full and not self._terms.declares else "middle"

    def _round_of(self, seat: Seat, player: _Player) -> Round:
        if player.round is None:
            others = [
                (*other.up, *self._middle)
                for number, other in self.players.items()
                if other.live and number != seat and other.way == player.way
            ]
            player.round = Round(
                up=player.up,
                middle=self._middle,
                boards=tuple(others),
                wilds=self._wilds,
                size=player.down + len(player.up) + len(self._middle),
                kept=self._keep > 0,
                way=player.way,
            )
            player.moves.append(player.round)
        return player.round
