"""Everything that happens at a table, as data.

The engine decides events, the wire carries them, the journal keeps them, and a
view folds them (`protocol.view`). Events carry results - amounts, seats, cards,
names of hands - so that a reader needs no rules. Amounts are whole chips, seats
are numbers from 1, cards are those of `protocol.cards`.

A text field named `why` or `note` is a clause in which ``{3}`` stands for the
name of the player in seat 3 (`protocol.narration.phrases` puts the names in).

Where a field is hidden from some viewers, the docstring says so;
`protocol.visibility` blanks it.
"""

from typing import Literal, TypeAlias

import msgspec

from protocol.actions import Action, Decision, Direction, Kind, Option
from protocol.cards import Card, MaybeCard
from protocol.facts import AnyFact
from protocol.stakes import Stakes
from protocol.table_rules import TableRules

Seat: TypeAlias = int
Chips: TypeAlias = int
Cause: TypeAlias = Literal["player", "timeout", "left"]
"""What made a decision: the player, the clock, or the table for a player who has left."""

Part: TypeAlias = Literal["whole", "high", "low", "spade"]
"""A share of a pot."""


class Event(msgspec.Struct, frozen=True, tag_field="event", gc=False):
    """Base of all events; the key ``event`` names the kind."""


# ------------------------------------------------------------------ the table


class TableOpened(Event, frozen=True, tag="table_opened"):
    """The first event of a table's session: what is played here and how.

    A later one, between two hands, changes the house rules and keeps seats and chips. It is in journals only: clients
    are sent a snapshot in its place.
    """

    table: str
    rules: TableRules


class PlayerSeated(Event, frozen=True, tag="player_seated"):
    """A player has sat down with chips. `token` (digest of the seat token) is hidden from everybody."""

    seat: Seat
    name: str
    chips: Chips
    bot: bool = False
    token: bytes | None = None


class PlayerLeft(Event, frozen=True, tag="player_left"):
    """A seat is free again; its chips have left the table."""

    seat: Seat
    name: str
    chips: Chips
    why: str = ""


class PlayerAway(Event, frozen=True, tag="player_away"):
    """A player sits out: they keep seat and chips and are not dealt in."""

    seat: Seat
    why: str = ""


class PlayerBack(Event, frozen=True, tag="player_back"):
    """A player who was sitting out is dealt in again from the next hand on."""

    seat: Seat


class ConnectionChanged(Event, frozen=True, tag="connection_changed"):
    """A player's connection was lost, or is back."""

    seat: Seat
    online: bool


class ChipsAdded(Event, frozen=True, tag="chips_added"):
    """A player bought chips between hands, or the host corrected the stack."""

    seat: Seat
    amount: int
    chips: Chips
    why: str = ""


class ChipsOrdered(Event, frozen=True, tag="chips_ordered"):
    """A player bought chips during a hand. They arrive after it, with `ChipsAdded`."""

    seat: Seat
    amount: Chips


class Said(Event, frozen=True, tag="said"):
    """Chat. `seat` is None for a spectator, `name` empty for the house.

    `fact`: what the house has told, for programs; it is left out where there is none.
    """

    name: str
    text: str
    seat: Seat | None = None
    fact: AnyFact | msgspec.UnsetType = msgspec.UNSET


class GamePicked(Event, frozen=True, tag="game_picked"):
    """Another game is played from the next hand on. `seat`: the dealer who chose it, None where nobody chose."""

    game: str
    title: str
    seat: Seat | None = None


class WentOn(Event, frozen=True, tag="went_on"):
    """A player has read the result and is ready for the next hand."""

    seat: Seat


# ------------------------------------------------------------------- the hand


class HandStarted(Event, frozen=True, tag="hand_started"):
    """A hand begins. `stacks` holds (seat, chips) of everybody dealt in, in dealing order."""

    hand: int
    id: str
    game: str
    title: str
    button: Seat
    stacks: tuple[tuple[Seat, Chips], ...]
    stakes: Stakes


class AntesPosted(Event, frozen=True, tag="antes_posted"):
    """(seat, chips) of every ante. A short ante is a whole stack (`rules.md` 4.7)."""

    antes: tuple[tuple[Seat, Chips], ...]


class CardsDealt(Event, frozen=True, tag="cards_dealt"):
    """Cards to players: (seat, down cards, up cards) in dealing order. Down cards are the seat's secret."""

    street: str
    cards: tuple[tuple[Seat, tuple[MaybeCard, ...], tuple[Card, ...]], ...]


class CommunityDealt(Event, frozen=True, tag="community_dealt"):
    """The deck is short: one card in the middle is the last card of every player (`rules.md` 6)."""

    card: Card
    why: str = ""


class WildsNamed(Event, frozen=True, tag="wilds_named"):
    """From now on cards of these ranks (0..12) are wild; an empty row ends that."""

    ranks: tuple[int, ...]
    why: str = ""


class RoundOpened(Event, frozen=True, tag="round_opened"):
    """A betting round begins. `opener`: the seat that the rule names; `first`: the seat that acts (`rules.md` 3)."""

    street: str
    opener: Seat
    first: Seat
    why: str


class RoundSkipped(Event, frozen=True, tag="round_skipped"):
    """There is no betting on this street (`rules.md` 1, 7.3)."""

    street: str
    why: str


class ActionRequested(Event, frozen=True, tag="action_requested"):
    """A seat is asked for a decision; nothing but its options is allowed.

    The cards in `options` are the seat's secret. `call` is what staying in costs now, `seconds` the
    time allowed (None: no clock), `note` says why an expected option is missing. An answer names the
    number of this event (`answers`).
    """

    seat: Seat
    decision: Decision
    options: tuple[Option, ...]
    call: Chips = 0
    seconds: int | None = None
    note: str = ""


class Acted(Event, frozen=True, tag="acted"):
    """A betting action: `amount` chips went in, the seat now has `to` in front of it this round."""

    seat: Seat
    action: Kind
    amount: Chips
    to: Chips
    all_in: bool = False
    cause: Cause = "player"


class ChoiceMade(Event, frozen=True, tag="choice_made"):
    """A seat has made a hidden choice. `action` is its secret; that a choice was made is public."""

    seat: Seat
    decision: Decision
    action: Action | None
    cause: Cause = "player"


class CardsTurned(Event, frozen=True, tag="cards_turned"):
    """Hidden cards are now face up: (seat, card), all at the same moment."""

    cards: tuple[tuple[Seat, Card], ...]
    how: Literal["choose", "roll", "buy"] = "choose"


class BroughtBack(Event, frozen=True, tag="brought_back"):
    """Bring 'em back: every live player has taken the up cards back into the hand (`rules.md` 7.2)."""

    seats: tuple[Seat, ...]
    keep: int


class CardsPassed(Event, frozen=True, tag="cards_passed"):
    """Cards changed hands: (from, to, cards), all at once. The cards are the taker's secret; the giver knows them."""

    passes: tuple[tuple[Seat, Seat, tuple[MaybeCard, ...]], ...]


class CardsDiscarded(Event, frozen=True, tag="cards_discarded"):
    """(seat, cards) discarded for the rest of the hand, all at once. The cards are the seat's secret."""

    cards: tuple[tuple[Seat, tuple[MaybeCard, ...]], ...]


class Declared(Event, frozen=True, tag="declared"):
    """All declarations, at once. `odd_man`: the seat that is alone in its direction (`rules.md` 7.3 HR4)."""

    declarations: tuple[tuple[Seat, Direction], ...]
    odd_man: Seat | None = None
    why: str = ""


class BetReturned(Event, frozen=True, tag="bet_returned"):
    """Chips that nobody could call go back (`rules.md` 4.6). They were never in a pot."""

    seat: Seat
    amount: Chips
    why: str = ""


class PotsGathered(Event, frozen=True, tag="pots_gathered"):
    """The bets of the round are in the pots: (chips, seats that can win them), main pot first."""

    pots: tuple[tuple[Chips, tuple[Seat, ...]], ...]


class HandShown(Event, frozen=True, tag="hand_shown"):
    """A player shows: `cards` are the hidden cards, `values` (ranking, name of the hand) in words.

    After the hand a player may show some of the cards, without values. Each event names all cards shown so far.
    """

    seat: Seat
    cards: tuple[Card, ...]
    values: tuple[tuple[str, str], ...] = ()


class HandMucked(Event, frozen=True, tag="hand_mucked"):
    """A player at the showdown does not show."""

    seat: Seat


class PotAwarded(Event, frozen=True, tag="pot_awarded"):
    """A share of a pot is paid: (seat, chips) of each winner.

    `pot` counts from 0 for the main pot. `part` is the share. `hand` names the winning hand; it is empty where
    nothing had to be shown. `odd` are the seats that got a chip which could not be divided. `why` explains that, and
    whatever else is not plain (`rules.md` 5).
    """

    pot: int
    part: Part
    amount: Chips
    winners: tuple[tuple[Seat, Chips], ...]
    hand: str = ""
    odd: tuple[Seat, ...] = ()
    why: str = ""


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """The hand is over: (seat, chips) of everybody who was dealt in."""

    hand: int
    stacks: tuple[tuple[Seat, Chips], ...]


class HandVoided(Event, frozen=True, tag="hand_voided"):
    """The hand does not count: every stack is what it was when the hand began."""

    hand: int
    stacks: tuple[tuple[Seat, Chips], ...]
    why: str


AnyEvent: TypeAlias = (
    TableOpened | PlayerSeated | PlayerLeft | PlayerAway | PlayerBack | ConnectionChanged | ChipsAdded | ChipsOrdered
    | Said | GamePicked | WentOn | HandStarted | AntesPosted | CardsDealt | CommunityDealt | WildsNamed | RoundOpened
    | RoundSkipped | ActionRequested | Acted | ChoiceMade | CardsTurned | BroughtBack | CardsPassed | CardsDiscarded
    | Declared | BetReturned | PotsGathered | HandShown | HandMucked | PotAwarded | HandEnded | HandVoided
)  # fmt: skip

EVENTS: dict[str, type[AnyEvent]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
"""Every kind of event by its name on the wire."""
