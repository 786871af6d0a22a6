"""Minds: ways of deciding, ours and those of other packages.

A mind is told what its seat can see and what it is asked, and nothing else. One that has a method `see` is also told
each event of its hand, as its seat sees it. Another package offers a mind through an entry point of the group
``rollyourown.minds``; `docs/minds.md` shows a whole one.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from client.bots import player, simple
from client.bots.characters import CHARACTERS, LEVELS, Weaknesses
from client.errors import ClientError
from protocol.actions import WAGERS, Action, refusal
from protocol.events import ActionRequested, AnyEvent
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


def _thinking(weaknesses: Weaknesses) -> MindMaker:
    """Makes minds with these weaknesses; what they need is imported when the first of them is made."""

    def make() -> Mind:
        from client.bots.thinker import Thinker

        return Thinker(weaknesses)

    return make


OWN: Mapping[str, MindMaker] = {
    **{level: _thinking(weaknesses) for level, weaknesses in LEVELS.items()},
    **{character.name: _thinking(character.weaknesses) for character in CHARACTERS},
    "house": lambda: player.choose_action,
    "caller": lambda: _caller,
    "rock": lambda: _rock,
    "raiser": lambda: _raiser,
}
"""Those of the program: the levels, the characters, the quick house bot, and three for comparison only."""


def history_of(mind: Mind) -> Callable[[AnyEvent], None] | None:
    """The method through which a mind is told the events of its hand; None for one that does not want to know them."""
    see: Callable[[AnyEvent], None] | None = getattr(mind, "see", None)
    return see


def names() -> list[str]:
    """All minds that there are."""
    return [*OWN, *sorted(point.name for point in _foreign() if point.name not in OWN)]


def known_mind(typed: str) -> str:
    """The name of a mind, as it is written, for what was typed in small or large letters. Raises UnknownMind."""
    known = names()
    for name in known:
        if name.casefold() == typed.casefold():
            return name
    raise UnknownMind(f"There is no mind {typed!r}.{did_you_mean(typed, known)} There are {', '.join(known)}.")


def mind_maker(name: str) -> MindMaker:
    """What makes minds of that name. Raises UnknownMind."""
    name = known_mind(name)
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
    raise AssertionError("known_mind knows it")


def _foreign() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


class Careful:
    """A mind of another package at a table: where it fails, the house bot decides, and `told` hears of it once."""

    def __init__(self, mind: Mind, told: Callable[[str], None]) -> None:
        self._mind = mind
        self._told = told
        self._failed = False
        self._history = history_of(mind)
        self.see = self._see if self._history is not None else None

    def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        """The action of the mind, or of the house bot."""
        try:
            action = self._mind(view.copy(), seat, request)
            problem = refusal(request.options, action)
        except Exception as error:  # the mistake of another package
            self._failure(error)
        else:
            if not problem:
                return action
            self._failure(problem)
        return player.choose_action(view, seat, request)

    def _see(self, event: AnyEvent) -> None:
        assert self._history is not None
        try:
            self._history(event)
        except Exception as error:  # the mistake of another package
            self._failure(error)

    def _failure(self, problem: object) -> None:
        if not self._failed:
            name = f"{type(problem).__name__}: " if isinstance(problem, Exception) else ""
            self._told(f"The mind made a mistake, so the house bot decides: {name}{problem}.")
        self._failed = True
