"""Limits that rise: the stakes of each level, when a level is over, and the sentences for the players.

A level is a matter of the house rules: `TableRules.rise` says which one it is and when it began, and the table changes
its rules between two hands to get to the next one. All of it follows from the journal, so a restart changes nothing.
"""

from msgspec.structs import replace

from protocol.stakes import Stakes
from protocol.table_rules import Rise, TableRules
from server.engine.table_state import TableState

_AMOUNTS = ("ante", "bring_in", "small", "big", "least", "most")


def at_level(first: TableRules, level: int, since: int) -> TableRules:
    """The rules at a level that began then (`Rise.since`).

    Args:
        first: the rules with the stakes of level 0; their limits must rise.
    """
    rise = first.rise
    assert rise is not None
    games = tuple(
        [replace(game, stakes=_multiplied(game.stakes, (rise.percent / 100) ** level)) for game in first.games]
    )
    last = not _reachable(first, rise, level + 1)
    return replace(first, games=games, rise=replace(rise, level=level, since=since, last=last))


def _multiplied(stakes: Stakes, factor: float) -> Stakes:
    """The stakes times a factor, in whole chips: halves are rounded up."""
    return replace(stakes, **{name: int(getattr(stakes, name) * factor + 0.5) for name in _AMOUNTS})


def _reachable(first: TableRules, rise: Rise, level: int) -> bool:
    """Whether there is such a level: within the largest multiple, and no bet above the most that anybody may buy."""
    multiple = (rise.percent / 100) ** level
    if rise.most and multiple > rise.most / 100 * (1 + 1e-9):
        return False
    largest = max(game.stakes.largest for game in first.games)
    return largest * multiple <= first.buy_in_most


def carried_over(first: TableRules, state: TableState) -> TableRules:
    """The rules that the settings ask for, at the level at which the table is; a new plan begins now.

    Args:
        first: as the settings say, with the stakes of level 0.
    """
    plan, now = first.rise, state.rules.rise
    if plan is None:
        return first
    if plan.same_plan(now) and now is not None:
        return at_level(first, now.level, now.since)
    return at_level(first, 0, _position(plan, state))


def is_due(state: TableState) -> bool:
    """Whether the level is over with the hand that was dealt last."""
    rise = state.rules.rise
    return rise is not None and not rise.last and _position(rise, state) - rise.since >= _length(rise)


def seconds_left(rise: Rise, played: int) -> int:
    """Seconds of play until the level is over, by minutes."""
    return max(0, _length(rise) - (played - rise.since))


def next_level(first: TableRules, state: TableState, played: int) -> TableRules:
    """The rules of the next level, which begins now.

    Args:
        first: with the stakes of level 0.
        played: seconds of play until now.
    """
    rise = state.rules.rise
    assert rise is not None
    return at_level(first, rise.level + 1, state.view.hand if rise.unit == "hands" else played)


def announcement(after: TableRules, *, now: bool) -> str:
    """``The limits rise with the next hand: ante 2, limits 4/8.`` `now`: they have just risen."""
    by_words: dict[str, list[str]] = {}
    for game in after.games:
        by_words.setdefault(game.stakes.words(), []).append(game.title.partition(",")[0])
    if len(by_words) == 1:
        told = next(iter(by_words))
    else:
        told = "; ".join([f"{', '.join(titles)}: {words}" for words, titles in by_words.items()])
    return f"The limits {'have risen' if now else 'rise with the next hand'}: {told}."


def _position(rise: Rise, state: TableState) -> int:
    return state.view.hand if rise.unit == "hands" else state.played


def _length(rise: Rise) -> int:
    return rise.every if rise.unit == "hands" else rise.every * 60
