"""House games: a game written in a TOML file, made of the same steps as the built-in games.

id = "grandpas"
title = "Grandpa's game"
players = 7

[stakes]
limit = "fixed"

[[steps]]
do = "ante"

[[steps]]
do = "deal"
down = 2
up = 1

[[steps]]
do = "bet"
size = "small"
opens = "low_card"
bring_in = true

[[steps]]
do = "repeat"
times = 3
steps = [{ do = "deal", up = 1 }, { do = "bet", size = "big", opens = "high_board" }]

[[steps]]
do = "showdown"
high = "high"
low = "8low"
"""

import re
import tomllib
from typing import Literal, TypeAlias, get_args

import msgspec

from protocol.stakes import Stakes
from server.engine.games.game import Game
from server.engine.ranking.rankings import RANKINGS
from server.engine.steps.betting import Bet
from server.engine.steps.hand_state import ShortageOpener
from server.engine.steps.opener import DEALERS_LEFT, OPENERS, Opener
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import Ante, BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Step, Wilds

MOST_STEPS = 200
"""Steps of a game, those inside of `repeat` counted each time."""

RANK_TEXT = "23456789TJQKA"


class BadGame(ValueError):
    """The text does not describe a game that can be played; the message says why, in one sentence."""


# The steps as they stand in a file. Each kind refuses fields that it does not have.


class _Ante(msgspec.Struct, tag="ante", tag_field="do", forbid_unknown_fields=True):
    pass


class _Deal(msgspec.Struct, tag="deal", tag_field="do", forbid_unknown_fields=True):
    down: int = 0
    up: int = 0
    wild_after: str = ""


class _Wilds(msgspec.Struct, tag="wilds", tag_field="do", forbid_unknown_fields=True):
    ranks: str


class _Choose(msgspec.Struct, tag="choose", tag_field="do", forbid_unknown_fields=True):
    how: Literal["together", "in_turn"] = "together"
    first: Literal["dealer_left", "opener"] = "dealer_left"


class _Bet(msgspec.Struct, tag="bet", tag_field="do", forbid_unknown_fields=True):
    opens: str
    size: Literal["small", "big"] = "small"
    bring_in: bool = False
    open_pair: bool = False
    odd_man: bool = False


class _Pass(msgspec.Struct, tag="pass", tag_field="do", forbid_unknown_fields=True):
    count: int
    to: Literal["left", "right", "across"] = "left"


class _Draw(msgspec.Struct, tag="draw", tag_field="do", forbid_unknown_fields=True):
    most: int


class _BringBack(msgspec.Struct, tag="bring_back", tag_field="do", forbid_unknown_fields=True):
    keep: int = 5


class _Roll(msgspec.Struct, tag="roll", tag_field="do", forbid_unknown_fields=True):
    pass


class _Declare(msgspec.Struct, tag="declare", tag_field="do", forbid_unknown_fields=True):
    pass


class _Showdown(msgspec.Struct, tag="showdown", tag_field="do", forbid_unknown_fields=True):
    high: str = ""
    low: str = ""
    spade: bool = False
    show: Literal["winners", "in_turn"] = "in_turn"


class _Repeat(msgspec.Struct, tag="repeat", tag_field="do", forbid_unknown_fields=True):
    times: int
    steps: "list[_AnyStep]"


_AnyStep: TypeAlias = (
    _Ante | _Deal | _Wilds | _Choose | _Bet | _Pass | _Draw | _BringBack | _Roll | _Declare | _Showdown | _Repeat
)


class _GameFile(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    title: str
    players: int
    steps: list[_AnyStep]
    stakes: Stakes = Stakes()
    shortage_opener: ShortageOpener = "own_boards"
    source: str = "a house game"


def load_game(text: str) -> Game:
    """The game that a TOML text describes. Raises BadGame."""
    try:
        raw = tomllib.loads(text)
        written = msgspec.convert(raw, _GameFile, strict=True)
    except tomllib.TOMLDecodeError as error:
        raise BadGame(f"not TOML: {error}") from None
    except RecursionError:
        raise BadGame("not TOML: nested too deep") from None
    except msgspec.ValidationError as error:
        raise BadGame(_in_words(str(error))) from None
    # On the wire, unknown fields are ignored; in a file they are most likely misspelt.
    if unknown := [name for name in raw.get("stakes", ()) if name not in Stakes.__struct_fields__]:
        raise BadGame(f"stakes: there is no setting {unknown[0]!r}")
    if not written.id.isascii() or not written.id.isalnum() or len(written.id) > 20:
        raise BadGame("id must be 1 to 20 letters and digits")
    if not 0 < len(written.title) <= 60 or not written.title.isprintable():
        raise BadGame("title must be 1 to 60 printable characters")
    if problem := written.stakes.problem():
        raise BadGame(f"stakes: {problem}")
    steps = _steps(_written_out(written.steps))
    _check(steps, written.players)
    return Game(
        id=written.id,
        title=written.title,
        most_players=written.players,
        stakes=written.stakes,
        steps=steps,
        shortage_opener=written.shortage_opener,
        source=written.source,
    )


def _in_words(problem: str) -> str:
    """What msgspec found wrong in a file, in words for its author: the place first, steps counted from 1."""
    what, _, path = problem.partition(" - at `$.")
    place = _STEP.sub(lambda found: f"step {int(found[1]) + 1}, ", path.rstrip("`")).rstrip(", ")
    if what.startswith("Invalid value") and place.endswith("do"):
        kinds = [kind.__struct_config__.tag for kind in get_args(_AnyStep)]
        place, what = (
            place.removesuffix("do").rstrip(", "),
            f"there is no step {what[14:]}; there are {', '.join(map(str, kinds))}",
        )
    for said, plain in _PLAIN.items():
        what = what.replace(said, plain)
    return f"{place}: {what}" if place else what


_STEP = re.compile(r"steps\[(\d+)\]\.?")
_PLAIN = {"Object contains unknown field": "there is no field", "Object missing required field": "missing is the field"}


def _written_out(steps: list[_AnyStep], depth: int = 0) -> list[_AnyStep]:
    """The steps with every repetition written out."""
    out: list[_AnyStep] = []
    for step in steps:
        if not isinstance(step, _Repeat):
            out.append(step)
        elif depth > 2 or not 1 <= step.times <= 10:
            raise BadGame("repeat: 1 to 10 times, and not nested deeper than three")
        else:
            out += _written_out(step.steps, depth + 1) * step.times
        if len(out) > MOST_STEPS:
            raise BadGame(f"more than {MOST_STEPS} steps")
    return out


def _steps(written: list[_AnyStep]) -> tuple[Step, ...]:
    steps: list[Step] = []
    rolls = 0
    coming = _coming_opener(written)
    odd_man = any(isinstance(step, _Bet) and step.odd_man for step in written)
    for step in written:
        rolls += isinstance(step, _Roll)
        steps.append(_step(step, rolls, coming, odd_man))
    return tuple(steps)


def _coming_opener(written: list[_AnyStep]) -> Opener:
    """Who opens a round that nobody is forced to open; the dealer's left where there is no such round."""
    rounds = [step.opens for step in written if isinstance(step, _Bet) and not step.bring_in]
    return OPENERS.get(rounds[0], DEALERS_LEFT) if rounds else DEALERS_LEFT


def _step(step: _AnyStep, rolls: int, coming: Opener, odd_man: bool) -> Step:
    match step:
        case _Ante():
            return Ante()
        case _Deal():
            if step.down < 0 or step.up < 0 or not step.down + step.up:
                raise BadGame("deal: at least one card, down or up")
            return Deal(step.down, step.up, _rank(step.wild_after) if step.wild_after else None)
        case _Wilds():
            return Wilds(tuple([_rank(rank) for rank in step.ranks]))
        case _Choose():
            return Choose(step.how == "together", coming if step.first == "opener" else DEALERS_LEFT)
        case _Bet():
            opener = OPENERS.get(step.opens)
            if opener is None:
                raise BadGame(f"bet: opens must be one of {', '.join(OPENERS)}, not {step.opens!r}")
            return Bet(step.size, opener, step.bring_in, step.open_pair, step.odd_man)
        case _Pass():
            return Pass(step.count, step.to)
        case _Draw():
            return Draw(step.most)
        case _BringBack():
            return BringBack(step.keep)
        case _Roll():
            return Roll(rolls)
        case _Declare():
            return Declare(odd_man)
        case _Showdown():
            for name in (step.high, step.low):
                if name and name not in RANKINGS:
                    raise BadGame(f"showdown: a ranking is one of {', '.join(RANKINGS)}, not {name!r}")
            return Showdown(RANKINGS.get(step.high), RANKINGS.get(step.low), step.spade, step.show)
        case _Repeat():
            raise BadGame("repeat: nested wrongly")


def _rank(text: str) -> int:
    if len(text) != 1 or text not in RANK_TEXT:
        raise BadGame(f"a rank is one of {RANK_TEXT}, not {text!r}")
    return RANK_TEXT.index(text)


def _check(steps: tuple[Step, ...], players: int) -> None:
    """Follow the cards through the steps. Raises BadGame for what would break a hand."""
    if not 2 <= players <= 8:
        raise BadGame("players: 2 to 8")
    if not steps or not isinstance(steps[-1], Showdown):
        raise BadGame("the last step must be the showdown")
    table = _Cards()
    for number, step in enumerate(steps[:-1], 1):
        if problem := table.follow(step):
            raise BadGame(f"step {number}: {problem}")
    end = steps[-1]
    if problem := table.end(end, players):
        raise BadGame(problem)


class _Cards:
    """What every player holds after each step."""

    def __init__(self) -> None:
        self.down = self.up = self.dealt = 0
        self.arranged = self.declared = self.drawn = False

    def follow(self, step: Step) -> str:
        """Do the step; what is wrong with it, or nothing."""
        match step:
            case Showdown():
                return "only the last step can be the showdown"
            case Ante() | Wilds():
                return ""
            case Deal():
                self.down += step.down
                self.up += step.up
                self.dealt += step.down + step.up
                return "cards cannot be dealt to an arranged hand" if self.arranged else self._held()
            case Choose():
                if self.arranged or not self.down:
                    return "there is no hidden card to choose from"
                self.down, self.up = self.down - 1, self.up + 1
                return self._held()
            case Bet():
                return self._bet(step)
            case Pass():
                return (
                    "" if 0 < step.count <= self.down and not self.arranged else "as many cards are not there to pass"
                )
            case Draw():
                self.dealt += step.most
                self.drawn = True
                return "" if 0 < step.most <= self.down and not self.arranged else "as many cards cannot be drawn"
            case BringBack():
                if self.arranged or step.keep != 5 or self.down + self.up < 5:
                    return "a hand is arranged once, from at least five cards, and keeps five"
                self.arranged, self.down, self.up = True, step.keep, 0
                return ""
            case Roll():
                if not self.arranged or self.down < 2:
                    return "only an arranged hand can be rolled, and its last card stays hidden"
                self.down, self.up = self.down - 1, self.up + 1
                return ""
            case Declare():
                self.declared = True
                return ""

    def _held(self) -> str:
        if self.down + self.up > 7:
            return "nobody can hold more than seven cards"
        return "nobody can show more than four cards" if self.up > 4 else ""

    def _bet(self, step: Bet) -> str:
        if step.opens is not DEALERS_LEFT and not self.up:
            return "no card shows yet, so the dealer's left must open"
        if step.odd_man and not self.declared:
            return "there is no odd man before the declaration"
        return ""

    def end(self, showdown: Showdown, players: int) -> str:
        """Whether the hand can be compared, or what is wrong."""
        if self.down + self.up < 5:
            return "at the showdown everybody needs five cards"
        if showdown.high is None and (showdown.low is None or showdown.spade):
            return "the showdown needs a ranking"
        if showdown.low is not None and showdown.spade:
            return "the second half goes to the low or to the spade, not to both"
        if self.declared and (showdown.high is None or showdown.low is None):
            return "with a declaration the showdown needs a high and a low"
        if (
            not self.declared
            and showdown.high is None
            and showdown.low is not None
            and showdown.low.key in ("8low", "a6")
        ):
            return "alone, only a low that every hand makes can be paid: a5"
        # The last card can be short: one is then dealt to the middle (`rules.md` 6).
        short = players if not self.arranged and not self.drawn else 0
        if players * self.dealt > 52 + short:
            return f"{players} players would need {players * self.dealt} cards"
        return ""
