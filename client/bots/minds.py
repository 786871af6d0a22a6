"""Minds: ways of deciding, ours and those of other packages.

A mind is told what its seat can see and what it is asked, and nothing else. Another package offers one through an entry
point of the group ``rollyourown.minds``; `docs/minds.md` shows a whole one.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from client.bots import player, simple
from client.errors import ClientError
from protocol.actions import WAGERS, Action, refusal
from protocol.events import ActionRequested
from protocol.near_matches import did_you_mean
from protocol.view import TableView

Mind: TypeAlias = Callable[[TableView, int, ActionRequested], Action]
"""Decides for a seat: from the table as the seat sees it, the number of the seat, and the request."""
MindMaker: TypeAlias = Callable[[], Mind]
"""Makes a mind for one seat, so that it may remember something; a class is one."""

GROUP = "rollyourown.minds"
"""The entry points of other packages."""


class UnknownMind(ClientError):
    """There is no mind of that name, or it cannot be loaded."""


def _caller(view: TableView, seat: int, request: ActionRequested) -> Action:
    """Calls everything."""
    return simple.passive(request)


def _rock(view: TableView, seat: int, request: ActionRequested) -> Action:
    """Folds to any bet unless the house bot would raise."""
    action = player.choose_action(view, seat, request)
    folds = {option.kind for option in request.options} >= {"fold", "call"}
    return Action("fold") if folds and action.kind == "call" else action


def _raiser(view: TableView, seat: int, request: ActionRequested) -> Action:
    """Bets and raises as much as it may; else as the house bot does."""
    wagers = [option for option in request.options if option.kind in WAGERS]
    if wagers:
        largest = max(wagers, key=lambda option: option.most)
        return Action(largest.kind, to=largest.most)
    if any(option.kind == "call" for option in request.options):
        return Action("call")
    return player.choose_action(view, seat, request)


OWN: Mapping[str, MindMaker] = {
    "house": lambda: player.choose_action,
    "caller": lambda: _caller,
    "rock": lambda: _rock,
    "raiser": lambda: _raiser,
}
"""Those of the program: the house bot, and three that are only good for comparison."""


def names() -> list[str]:
    """All minds that there are."""
    return [*OWN, *sorted(point.name for point in _foreign() if point.name not in OWN)]


def mind_maker(name: str) -> MindMaker:
    """What makes minds of that name. Raises UnknownMind."""
    if name in OWN:
        return OWN[name]
    for point in _foreign():
        if point.name == name:
            try:
                made: MindMaker = point.load()
                made()
            except Exception as error:  # the mistake of another package
                raise UnknownMind(f"The mind {name!r} cannot be loaded: {type(error).__name__}: {error}") from None
            return made
    known = names()
    raise UnknownMind(f"There is no mind {name!r}.{did_you_mean(name, known)} There are {', '.join(known)}.")


def _foreign() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def careful(mind: Mind, told: Callable[[str], None]) -> Mind:
    """A mind of another package at a table: where it fails, the house bot decides, and `told` hears of it once."""
    failed = False

    def decide(view: TableView, seat: int, request: ActionRequested) -> Action:
        nonlocal failed
        try:
            action = mind(view.copy(), seat, request)
            problem = refusal(request.options, action)
        except Exception as error:  # the mistake of another package
            problem = f"{type(error).__name__}: {error}"
        if not problem:
            return action
        if not failed:
            told(f"The mind made a mistake, so the house bot decides: {problem}.")
        failed = True
        return player.choose_action(view, seat, request)

    return decide
