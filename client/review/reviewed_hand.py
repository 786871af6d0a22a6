"""What a review knows of a hand: numbers and sentences, which are kept, so that each hand is counted once."""

import msgspec

from client.coach.decisions import Decision
from client.coach.judge import ValuesOf, Verdict, judge
from client.coach.kinds import Kind, kind_of, street_of
from client.coach.words import told
from protocol.events import Chips


class PricedDecision(msgspec.Struct, frozen=True):
    """A decision that gave chips up.

    Fields:
        number: which of the player's decisions in the hand; step: of the hand, as ``ryo replay --at`` takes it.
        street: its name; kind: the row of the price list.
        chips: by how much another option was better on average; error: the standard error.
        told: a sentence that says so.
    """

    number: int
    step: int
    street: str
    kind: Kind
    chips: float
    error: float
    told: str


class ReviewedHand(msgspec.Struct, frozen=True):
    """A hand of one player.

    Fields:
        player: their name.
        net: what the player has won or lost.
        bot: what the house bot makes of the same cards; None where the recording does not have the deck.
        decisions: how many there were; counted: how many of them could be counted.
        prices: those that gave chips up.
    """

    player: str
    net: Chips
    bot: Chips | None
    decisions: int
    counted: int
    prices: tuple[PricedDecision, ...]


def priced(verdict: Verdict) -> PricedDecision:
    """The numbers of a verdict that counts."""
    decision = verdict.decision
    return PricedDecision(
        decision.number,
        decision.step,
        street_of(decision),
        kind_of(decision, verdict.best),
        round(verdict.chips, 2),
        round(verdict.error, 2),
        told(verdict),
    )


def judged(decisions: list[Decision], values_of: ValuesOf) -> tuple[int, tuple[PricedDecision, ...]]:
    """How many of the decisions could be counted, and those that gave chips up."""
    verdicts = [verdict for one in decisions if (verdict := judge(one, values_of)) is not None]
    return len(verdicts), tuple([priced(verdict) for verdict in verdicts if verdict.counts])
