"""What kind of decision gave chips up: the rows of a price list."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from client.coach.decisions import Decision
from protocol import events as ev
from protocol.actions import WAGERS, Action
from protocol.narration import phrases

Kind: TypeAlias = Literal[
    "staying", "chasing", "folding", "checking", "betting", "turning", "keeping", "passing", "discarding", "declaring",
    "buying",
]  # fmt: skip
WORDS: Mapping[Kind, str] = {
    "staying": "staying in",
    "chasing": "chasing",
    "folding": "folding too early",
    "checking": "not betting",
    "betting": "betting too much",
    "turning": "choosing the card to turn",
    "keeping": "keeping five",
    "passing": "passing cards",
    "discarding": "throwing cards away",
    "declaring": "declaring",
    "buying": "buying cards",
}
"""``staying`` is on the first street, ``chasing`` on a later one: chips put in where folding was better."""
_BY_DECISION: Mapping[str, Kind] = {
    "choose": "turning", "arrange": "keeping", "declare": "declaring", "pass": "passing", "discard": "discarding",
    "buy": "buying",
}  # fmt: skip


def kind_of(decision: Decision, best: Action) -> Kind:
    """The kind of a decision in whose place `best` was better."""
    if decision.request.decision != "bet":
        return _BY_DECISION[decision.request.decision]
    if decision.action.kind == "fold":
        return "folding"
    if best.kind == "fold":
        return "staying" if _first_street(decision) else "chasing"
    taken, better = decision.action, best
    if taken.kind in WAGERS and (better.kind not in WAGERS or (better.to or 0) < (taken.to or 0)):
        return "betting"
    return "checking"


ONCE = ("arrange", "declare")
"""Decisions that there is only one of in a hand, so that nobody asks on which street."""


def street_of(decision: Decision) -> str:
    """The street of the decision, as the table names it; empty where it goes without saying."""
    return "" if decision.request.decision in ONCE else phrases.street(decision.view)


def on_street(street: str) -> str:
    """``on fifth street``, ``at the second roll``, ``after the declaration``: where the street has such a name."""
    if street.endswith(" street"):
        return f"on {street}"
    if street.endswith(" roll"):
        return f"at the {street}"
    return "after the declaration" if street == "the declaration" else street


def _first_street(decision: Decision) -> bool:
    """Whether this is the first round of betting."""
    return sum(isinstance(event, ev.RoundOpened) for event in decision.events) <= 1
