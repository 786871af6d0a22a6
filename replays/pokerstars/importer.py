"""How a hand of a hand history is best understood: who dealt, and which house rules were played.

The format does not say how often a round may be raised or who gets an odd chip and, as rooms write it, not who deals.
So a hand is played with the usual rules first, and then with others, until its actions are legal and its chips come
out.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from replays.phh.format import PhhHand
from replays.phh.importer import HandVerdict, play_hands
from replays.pokerstars.reader import TextHand

_RULES: tuple[Mapping[str, Any], ...] = (
    {},
    {"cap": 0},
    {"short_allin": "full"},
    {"cap": 0, "short_allin": "full"},
    {"opener_tie": "suit"},
    {"cap": 0, "opener_tie": "suit"},
)
"""House rules that make other actions legal."""
_ODD_CHIPS: tuple[Mapping[str, Any], ...] = ({"odd_chip": "suit_robert"}, {"odd_chip": "suit_tda"})


def understood(hand: TextHand) -> PhhHand:
    """The first reading of the hand whose chips come out, else the first that can be played, else the first of all."""
    playable: PhhHand | None = None
    for rules in _RULES:
        for reading in hand.readings:
            found = _with(reading, rules)
            verdict = _verdict(found)
            if verdict.outcome in ("agrees", "played"):
                return found
            if verdict.outcome == "refused" and not verdict.why.startswith("line "):
                return playable or found  # no action is the reason, so no rule about actions helps
            if verdict.outcome == "differs":
                playable = playable or found
                if _lost_unseen(reading):
                    return playable  # hundreds of decks were tried, and would be for each other rule
                for odd_chip in _ODD_CHIPS:
                    other = _with(reading, {**rules, **odd_chip})
                    if _verdict(other).outcome == "agrees":
                        return other
        if playable is not None:
            return playable
    return hand.readings[0]


def _lost_unseen(hand: PhhHand) -> bool:
    """Whether somebody with unknown cards stayed to the end."""
    hidden = {move.player for move in hand.actions if move.verb == "dh" and None in (move.cards or ())}
    return bool(hidden - {move.player for move in hand.actions if move.verb == "f"})


def _with(reading: PhhHand, rules: Mapping[str, Any]) -> PhhHand:
    return replace(reading, own={**reading.own, "_stakes": dict(rules)}) if rules else reading


def _verdict(hand: PhhHand) -> HandVerdict:
    (verdict,) = play_hands([hand], "trial", 0).verdicts
    return verdict
