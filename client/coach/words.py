"""Verdicts as English. Nothing is called a mistake: what a decision gave up could not be seen while it was made."""

from client.coach.judge import Verdict
from client.coach.kinds import on_street, street_of
from client.coach.reasons import reason
from protocol.actions import Action
from protocol.cards import cards_text
from protocol.narration.phrases import sentence

_DOING = {
    "fold": "folding", "check": "checking", "call": "calling", "bring_in": "bringing in", "bet": "betting",
    "complete": "completing to", "raise": "raising to", "choose": "turning", "arrange": "keeping", "pass": "passing",
    "discard": "throwing away", "declare": "declaring", "buy": "buying a card", "decline": "not buying a card",
}  # fmt: skip


def doing(action: Action, cost: int = 0) -> str:
    """``calling 4``, ``raising to 8``, ``turning Kd``, ``declaring low``. `cost`: chips that a call takes."""
    verb = _DOING.get(action.kind, action.kind)
    if action.to is not None:
        return f"{verb} {action.to}"
    if action.kind == "call" and cost:
        return f"{verb} {cost}"
    if action.kind == "discard" and not action.cards:
        return "throwing nothing away"
    if action.cards:
        return f"{verb} {cards_text(action.cards)}"
    return f"{verb} {action.direction}" if action.direction else verb


def chips(number: float) -> str:
    """``2 chips``, ``1 chip``; below ten with a half: ``2.5 chips``"""
    rounded = round(2 * number) / 2 if number < 10 else float(round(number))
    return f"{rounded:g} chip{'' if rounded == 1 else 's'}"


def compared(verdict: Verdict) -> str:
    """``calling 4 on fifth street gave up about 3 chips (2.9 ± 0.4) against folding``"""
    decision = verdict.decision
    cost = decision.view.to_call(decision.seat)
    street = on_street(street_of(decision))
    where = f" {street}" if street else ""
    return (
        f"{doing(decision.action, cost)}{where} gave up about {chips(verdict.chips)} "
        f"({verdict.chips:.1f} ± {verdict.error:.1f}) against {doing(verdict.best, cost)}"
    )


def coach_line(verdict: Verdict) -> str:
    """The line after a hand."""
    return f"Coach: {compared(verdict)}; {reason(verdict.decision, verdict.best)}."


def told(verdict: Verdict) -> str:
    """The same as a sentence of its own."""
    return sentence(f"{compared(verdict)}; {reason(verdict.decision, verdict.best)}")
