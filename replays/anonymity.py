"""Recordings without names: Player 1, Player 2 ... in every place where a player could be recognised.

What people wrote themselves - chat, the reasons that the host gave, titles and comments of house games - is left out
whole, because nobody can tell what is in it. The sentences of the engine stay: they name seats, never players.
"""

import tomllib
from collections.abc import Iterable

from msgspec.structs import replace

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.journal.records import StepRecord
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from replays.recording import FILLED
from replays.toml_values import toml_value

CHAT = "(chat)"
"""What stands in the place of everything that was said."""
REASON = "for a reason that is left out"
"""What stands in the place of the reason for which a hand was void."""


class Masks:
    """Another name for every player: the same for a player in all hands, in upper or lower case."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._masks: dict[str, str] = {}
        for name in names:
            self.name(name)

    def name(self, name: str) -> str:
        """``Player 2``; an empty name stays empty."""
        return self._masks.setdefault(name.casefold(), f"Player {len(self._masks) + 1}") if name else ""


def anonymised(steps: Iterable[StepRecord]) -> list[StepRecord]:
    """The steps without names, table, chat, the host's reasons, ids, and the time of day; their numbers stay."""
    steps = list(steps)
    hiding = _Hiding(steps)
    return [hiding.step(step) for step in steps]


def _names(steps: Iterable[StepRecord]) -> list[str]:
    """Every name in a recording: those of players in the order in which they came, then those of other people."""
    players: dict[str, None] = {}
    others: dict[str, None] = {}
    for step in steps:
        if step.view is not None:
            players |= dict.fromkeys(seat.name for seat in (*step.view.seats, *step.view.gone))
        for event in step.events:
            if isinstance(event, ev.PlayerSeated | ev.PlayerLeft):
                players[event.name] = None
            elif isinstance(event, ev.Said):
                others[event.name] = None
    return [name for name in (*players, *others) if name]


class _Hiding:
    """One recording while its names are taken out."""

    def __init__(self, steps: list[StepRecord]) -> None:
        self.masks = Masks(_names(steps))
        self.began = steps[0].at if steps else 0
        self.house: dict[str, int] = {}
        """A number for each house game, of which id and title are the house's own words."""

    def step(self, step: StepRecord) -> StepRecord:
        view = self._view(step.view) if step.view is not None else None
        events = tuple(map(self._event, step.events))
        return StepRecord(step.seq, step.at - self.began, None, events, view)

    def _event(self, event: AnyEvent) -> AnyEvent:
        match event:
            case ev.TableOpened():
                return replace(event, table="table", rules=self._rules(event.rules))
            case ev.PlayerSeated():
                return replace(event, name=self.masks.name(event.name), token=None)
            case ev.PlayerLeft():
                return replace(event, name=self.masks.name(event.name), why="")
            case ev.PlayerAway() | ev.ChipsAdded():
                return replace(event, why="")
            case ev.HandVoided():
                return replace(event, why=REASON)
            case ev.Said():
                of_the_import = not event.name and event.text.startswith(FILLED)
                text = f"{FILLED} some players." if of_the_import else CHAT
                return replace(event, name=self.masks.name(event.name), text=text)
            case ev.GamePicked():
                return replace(event, game=self._game(event.game), title=self._title(event.game, event.title))
            case ev.HandStarted():
                title = self._title(event.game, event.title)
                return replace(event, id="", game=self._game(event.game), title=title)
            case _:
                return event

    def _view(self, view: TableView) -> TableView:
        view = view.copy()
        view.rules = self._rules(view.rules) if view.rules is not None else None
        view.table, view.hand_id = "table", ""
        view.why = view.why if view.playing else ""  # behind a void hand it is the host's reason
        view.title, view.game = self._title(view.game, view.title), self._game(view.game)
        view.gone = tuple([replace(seat, name=self.masks.name(seat.name)) for seat in view.gone])
        for seat in view.seats:
            seat.name = self.masks.name(seat.name)
        return view

    def _rules(self, rules: TableRules) -> TableRules:
        return replace(rules, name="", games=tuple(map(self._offer, rules.games)))

    def _offer(self, offer: GameOffer) -> GameOffer:
        if not offer.definition:
            return offer
        self.house.setdefault(offer.id, len(self.house) + 1)
        ident, title = self._game(offer.id), self._title(offer.id, offer.title)
        return replace(offer, id=ident, title=title, definition=_redefined(offer.definition, ident, title))

    def _game(self, game: str) -> str:
        return f"house{self.house[game]}" if game in self.house else game

    def _title(self, game: str, title: str) -> str:
        return f"House game {self.house[game]}" if game in self.house else title


def _redefined(definition: str, ident: str, title: str) -> str:
    """The definition of a house game with another id and title, without comments and source."""
    try:
        fields = tomllib.loads(definition)
    except ValueError:
        return ""
    fields |= {"id": ident, "title": title}
    fields.pop("source", None)
    return "".join(f"{key} = {toml_value(value)}\n" for key, value in fields.items())
