"""The way of a hand: the streets, rolls and decisions of a game from the deal to the showdown, and where the hand is.

The stations are made from the steps of the game, so every game has a way, house games too. `way_line` draws it in one
line and leaves out the ends where there is no room.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from client.display.text_cells import Line, cut, width
from client.display.theme import Theme
from protocol.actions import Decision
from protocol.view import TableView
from server.engine.games.known_games import definition_of, game_of
from server.engine.steps.betting import Bet
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import NAMES, STREETS, BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Step

ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", **{number: f"{number}th" for number in range(4, 8)}}


@dataclass(frozen=True, slots=True)
class Station:
    """A part of a hand that the way names.

    Fields:
        name: how it is called while the hand is there: ``2nd roll``.
        short: how it is called beside others: ``roll 2``.
        after: the same where one of its kind stands before it: ``2``; empty if it is never shorter.
        street: the name that events give it (`TableView.street`).
        decision: the decision that all players are asked for there.
    """

    name: str
    short: str
    after: str = ""
    street: str = ""
    decision: Decision | None = None


_DECIDED_TOGETHER: frozenset[Decision] = frozenset({"pass", "discard", "arrange", "declare"})
"""The decisions that have a station of their own."""
SHOWDOWN = Station("showdown", "showdown")
LAST_BET = Station("last bet", "last bet", street="the declaration")


@lru_cache(maxsize=64)
def stations_of(game: str, definition: str = "") -> tuple[Station, ...]:
    """The way of a game (`server.engine.games.known_games`); empty for a game that is not known."""
    known = game_of(game, definition)
    if known is None:
        return ()
    deals = sum(isinstance(step, Deal) for step in known.steps)
    found: list[Station] = []
    held = 0
    shown = False
    for step in known.steps:
        if isinstance(step, Deal):
            held += step.down + step.up
        elif isinstance(step, BringBack):
            held = step.keep
        station = _station(step, held, only_deal=deals == 1, shown=shown, last=found[-1] if found else None)
        if station is not None:
            found.append(station)
        shown = shown or isinstance(step, Choose | Roll) or (isinstance(step, Deal) and step.up > 0)
    return tuple(found)


def _station(step: Step, held: int, *, only_deal: bool, shown: bool, last: Station | None) -> Station | None:
    """The station that begins with a step of a game; None if the step belongs to the station before it."""
    match step:
        case Deal():
            name = "deal" if only_deal else ORDINALS[held]
            return Station(name, name, street=STREETS[held])
        case Pass(count=count, to=to):
            street = f"passing {count} across" if to == "across" else f"passing {count} to the {to}"
            return Station(f"pass {count}", f"pass {count}", str(count), street, "pass")
        case Draw():
            return Station("draw", "draw", "", "the draw", "discard")
        case BringBack():
            name, short = ("bring 'em back", "bring back") if shown else ("arrange", "arrange")
            return Station(name, short, decision="arrange")
        case Roll(number=number):
            return Station(f"{ORDINALS[number]} roll", f"roll {number}", str(number), f"{NAMES[number]} roll")
        case Declare():
            return Station("declare", "declare", "", "the declaration", "declare")
        case Bet() if last is not None and last.decision == "declare":
            return LAST_BET
        case Showdown():
            return SHOWDOWN
        case _:
            return None


def place_of(view: TableView, stations: Sequence[Station]) -> int | None:
    """The number of the station at which the hand is, from 0; None before the first hand and where it is not known."""
    if not view.hand or not stations:
        return None
    if any(seat.values or seat.mucked for seat in view.seats):
        return len(stations) - 1
    streets = [station.street for station in stations]
    here = streets.index(view.street) if view.street in streets else 0
    # The name of the street changes after such a decision, so that the decision belongs to a station further on.
    further = range(here + 1, len(stations))
    for seat in view.seats:
        request = seat.pending.request if seat.pending is not None else None
        asked = request.decision if request is not None else seat.choice.decision if seat.choice is not None else None
        if asked in _DECIDED_TOGETHER:
            named = f"pass {request.options[0].count}" if request is not None and asked == "pass" else ""
            found = [number for number in further if stations[number].decision == asked]
            return next((number for number in found if stations[number].name == named), next(iter(found), here))
    if any(seat.declared for seat in view.seats):
        return max([number for number, station in enumerate(stations) if station.street == "the declaration"] or [here])
    return here


def way_line(view: TableView, theme: Theme, columns: int) -> Line:
    """The way in at most so many columns, with the present station bright; empty where there is none or no room.

    Where the whole way is too long, the stations that are nearest to the present one stay.
    """
    stations = stations_of(view.game, definition_of(view))
    here = place_of(view, stations)
    if here is None:
        present = cut(view.street, columns - 2) if view.playing and view.street else ""
        return [_here(present, theme)] if present else []
    first, last = here, here + 1
    if _width(stations, here, first, last) > columns:
        return []
    grown = True
    while grown:
        grown = False
        if last < len(stations) and _width(stations, here, first, last + 1) <= columns:
            last, grown = last + 1, True
        if first and _width(stations, here, first - 1, last) <= columns:
            first, grown = first - 1, True
    line: Line = []
    if first:
        line.append(("class:felt class:past", theme.more))
    for number, name in _names(stations, here, first, last):
        if number == here:
            line.append(_here(name, theme))
        else:
            line.append((f"class:felt class:{'past' if number < here else 'ahead'}", f" {name} "))
    if last < len(stations):
        line.append(("class:felt class:ahead", theme.more))
    return line


def _here(name: str, theme: Theme) -> tuple[str, str]:
    return "class:here", f"[{name}]" if theme.ascii or not theme.tiles else f"▸{name} "


def _names(stations: Sequence[Station], here: int, first: int, last: int) -> list[tuple[int, str]]:
    """The names of some stations as they stand beside each other: ``roll 1``, ``2``, ``3rd roll``, ``4``."""
    named: list[tuple[int, str]] = []
    kind = ""
    for number in range(first, last):
        station = stations[number]
        same = bool(station.after) and station.short.removesuffix(station.after) == kind
        named.append((number, station.name if number == here else station.after if same else station.short))
        kind = station.short.removesuffix(station.after) if station.after else ""
    return named


def _width(stations: Sequence[Station], here: int, first: int, last: int) -> int:
    ends = (first > 0) + (last < len(stations))
    return sum(width(name) + 2 for _, name in _names(stations, here, first, last)) + ends
