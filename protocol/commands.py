"""Commands: what the server is asked to do at a table, as the journal keeps it.

A command is the input of one step: the engine turns it into events, and the same command in the same state
always gives the same events. Commands are written to the journal and never sent to anybody.
"""

from typing import Literal, TypeAlias

import msgspec

from protocol.actions import Action
from protocol.cards import Card
from protocol.events import Chips, Seat
from protocol.facts import Pause
from protocol.table_rules import TableRules

PlayerRefusal: TypeAlias = Literal[
    "away", "buy_in", "done", "full", "illegal", "leaving", "name_taken", "no_chips", "not_asked", "not_away",
    "not_now", "not_seated", "paused", "seat_taken", "stale",
]  # fmt: skip
"""Why the rules refuse a player's command. `done`: it repeats one that has been done."""
HostRefusal: TypeAlias = Literal["button", "deck", "game", "no_name", "not_open", "open", "stakes"]
"""Why the rules refuse a command of the program that keeps the table; no client can cause these."""
RefusalCode: TypeAlias = Literal[PlayerRefusal, HostRefusal]
"""Why the rules refuse a command."""


class Command(msgspec.Struct, frozen=True, tag_field="command", omit_defaults=True):
    """Base of all commands; the key ``command`` names the kind."""


class OpenTable(Command, frozen=True, tag="open_table"):
    """Begin a session, or between two hands go on with other house rules."""

    table: str
    rules: TableRules


class SitDown(Command, frozen=True, tag="sit_down"):
    """Take a seat with chips. `seat` None: the first free seat. `token`: digest of the seat token."""

    name: str
    chips: Chips
    token: bytes
    seat: Seat | None = None
    bot: bool = False


class StandUp(Command, frozen=True, tag="stand_up"):
    """Give the seat back. In a running hand the player folds when asked, and leaves after the hand.

    `keep`: the table keeps the chips for the owner of the seat token, who sits down with them when they come back.
    """

    seat: Seat
    why: str = ""
    keep: bool = False


class GiveBack(Command, frozen=True, tag="give_back"):
    """The host gives a seat, or chips that are kept, to a player who has lost the token: it belongs to another one now.

    `name`: of the player. `lost`: digest of the token so far; `token`: of the new one. `why`: a sentence for everybody.
    """

    name: str
    lost: bytes
    token: bytes
    why: str


class SitOut(Command, frozen=True, tag="sit_out"):
    """Not dealt in from the next hand."""

    seat: Seat
    why: str = ""


class SitIn(Command, frozen=True, tag="sit_in"):
    """Dealt in again from the next hand."""

    seat: Seat


class TopUp(Command, frozen=True, tag="top_up"):
    """Buy chips. During a hand they arrive after it."""

    seat: Seat
    amount: Chips


class Say(Command, frozen=True, tag="say"):
    """Chat."""

    name: str
    text: str
    seat: Seat | None = None


class Connection(Command, frozen=True, tag="connection"):
    """A player's connection was lost or came back."""

    seat: Seat
    online: bool


class GoOn(Command, frozen=True, tag="go_on"):
    """A player has read the result."""

    seat: Seat


class Show(Command, frozen=True, tag="show"):
    """Show hidden cards of the last hand, when it is over; no cards: all of them."""

    seat: Seat
    cards: tuple[Card, ...] = ()


class StartHand(Command, frozen=True, tag="start_hand"):
    """Deal the next hand from this deck, top card first. `id` is the permanent name of the hand.

    `button`: the dealer's seat where it does not simply move on (imported hands); None otherwise. `played`: seconds of
    play in the session so far, where the limits rise by minutes.
    """

    deck: tuple[Card, ...]
    id: str
    button: Seat | None = None
    played: int = 0


class AskGame(Command, frozen=True, tag="ask_game"):
    """Ask the dealer for the next game (tables with dealer's choice)."""


class Act(Command, frozen=True, tag="act"):
    """A player's answer to request number `answers`. `id` is the client's number for this action."""

    seat: Seat
    answers: int
    action: Action
    id: int = 0


class TimeUp(Command, frozen=True, tag="time_up"):
    """The clock of request number `answers` ran out."""

    seat: Seat
    answers: int


class VoidHand(Command, frozen=True, tag="void_hand"):
    """The host declares the running hand void. `redeal`: the same dealer deals the next hand, of the same game."""

    why: str
    redeal: bool = False


class NameHost(Command, frozen=True, tag="name_host"):
    """A player becomes a host of the table, or is none any more. `by`: who has said so, for the sentence."""

    seat: Seat
    host: bool = True
    by: str = ""


class PausePlay(Command, frozen=True, tag="pause_play"):
    """A host wants the table to stand still."""

    pause: Pause


class ResumePlay(Command, frozen=True, tag="resume_play"):
    """A host lets the table go on, or a break is over. `by`: the name of the host; `over`: the break ends by itself."""

    by: str = ""
    over: bool = False


class PlanBreak(Command, frozen=True, tag="plan_break"):
    """The next break of so many minutes begins at `at` (UTC milliseconds), between two hands.

    `every`: minutes from now, for the sentence.
    """

    at: int
    minutes: int
    every: int


class CorrectStack(Command, frozen=True, tag="correct_stack"):
    """A host gives a player chips between two hands, or takes some. `why`: who and for what reason."""

    seat: Seat
    amount: int
    why: str


AnyCommand: TypeAlias = (
    OpenTable | SitDown | StandUp | GiveBack | SitOut | SitIn | TopUp | Say | Connection | GoOn | Show | StartHand
    | AskGame | Act | TimeUp | VoidHand | NameHost | PausePlay | ResumePlay | PlanBreak | CorrectStack
)  # fmt: skip
