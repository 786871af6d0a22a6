"""The chances of a seat in words: one line for the screen, the price line, and everything that is known."""

from collections.abc import Sequence
from math import ceil

from protocol.cards import TEXTS, Card
from protocol.narration import phrases as words
from protocol.view import TableView
from replays.chances.estimate import Chance, Numbers
from replays.chances.outs import Improvement, chance
from replays.chances.report import Chances, Price

WILD = "Which cards help, and what the boards can be, is not told where cards are wild."
AS_PLAYED = "As they played"
"""Title of the chances if the hidden cards of the others are as likely as their actions say."""
_NAMED = 6
"""Cards that are named one by one; of more the first few."""


def line(numbers: Numbers, *, spade: bool = False, title: str = "Chances") -> str:
    """``Chances: high 46 %, low 15 %, scoop 43 %, share 50 % ± 0.4``; ``exact`` where every deal was counted."""
    every = [("high", numbers.high), ("spade" if spade else "low", numbers.second), ("scoop", numbers.scoop)]
    if numbers.share is not None and (numbers.high is None or numbers.second is None):
        every = []  # only one way counts, so that the others would say the same
    told = [(name, one) for name, one in (*every, ("share", numbers.share)) if one is not None]
    parts = ", ".join([f"{name} {percent(one)}" for name, one in told])
    return f"{title}: {parts}{_error([one for _, one in told])}"


def price_line(price: Price, numbers: Numbers | None) -> str:
    """``to call 4 into 22: needs 15 %; share 31 % ± 2``; where players declare, what going either way is worth."""
    needs = f"to call {price.call} into {price.pot}: needs {ceil(100 * price.needs)} %"
    if numbers is None:
        return needs
    if numbers.share is not None:
        return f"{needs}; share {percent(numbers.share)}{_error([numbers.share])}"
    ways = [(way, one) for way, one in (("high", numbers.high), ("low", numbers.second)) if one is not None]
    halves = [(way, Chance(one.value / 2, one.error / 2)) for way, one in ways]
    told = ", ".join([f"going {way} {percent(half)}" for way, half in halves])
    return f"{needs}; {told}{_error([half for _, half in halves])}"


def percent(one: Chance) -> str:
    """``31 %``; never 0 or 100 for something that is not certain."""
    if 0 < one.value < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 < one.value < 1 else f"{round(100 * one.value)} %"


def _error(chances: Sequence[Chance]) -> str:
    """The largest standard error, in percent; nothing behind no number."""
    error = 100 * max([one.error for one in chances], default=0.0)
    if not chances:
        return ""
    return " (exact)" if not error else f" ± {error:.1f}" if error < 0.95 else f" ± {round(error)}"


def details(chances: Chances, view: TableView) -> list[str]:
    """Everything in sentences: dead cards, live outs, what the boards can be."""
    lines = [f"{chances.unseen} cards unseen; dead: {_cards(chances.dead, 12) if chances.dead else 'none'}."]
    lines += [_out(one, chances) for one in chances.outs]
    for limit in chances.boards:
        best = [f"high {limit.high}" if limit.low is not None else limit.high] if limit.high is not None else []
        best += [limit.low] if limit.low is not None else []
        lines.append(f"{words.name(view, limit.seat)} can have at best: {'; '.join(best)}.")
    if chances.wild:
        lines.append(WILD)
    return lines


def _out(one: Improvement, chances: Chances) -> str:
    """``Makes an eight-low: 9 of 38 unseen (2c 2d ...), 24 %; dead: 2d 3s.``"""
    dead = f"; dead: {_cards(one.dead)}" if one.dead else ""
    if not one.live:
        return f"Makes {one.makes}: no card is left{dead}."
    will = round(100 * chance(len(one.live), chances.unseen, chances.to_come))
    return f"Makes {one.makes}: {len(one.live)} of {chances.unseen} unseen ({_cards(one.live)}), {will} %{dead}."


def _cards(row: Sequence[Card], most: int = _NAMED) -> str:
    more = f" and {len(row) - most} more" if len(row) > most else ""
    return " ".join([TEXTS[card] for card in row[:most]]) + more
