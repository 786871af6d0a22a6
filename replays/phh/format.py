"""The PHH format ("poker hand history", TOML) as data: reading and writing, without rules.

A ``.phh`` file holds one hand at its top level; a ``.phhs`` file holds several, each in a table of its own. Players are
``p1``, ``p2`` ... in dealing order; p1 is the first from the dealer's left. Amounts here are whole chips: those of a
file with decimals are multiplied by the power of ten that makes all of them whole. What our games need beyond the
standard is in fields with names that begin with ``_`` (`docs/hand-formats.md`).
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from protocol.actions import Decision
from protocol.cards import MaybeCard, card, card_text
from replays.toml_values import toml_value
from server.errors import EXIT_DAMAGED

Verb: TypeAlias = Literal["dh", "db", "pb", "cc", "cbr", "f", "sm"]
"""Deal hole cards, deal the board, post the bring-in, check or call, complete/bet/raise to, fold, show or muck."""

STANDARD: dict[str, str] = {"F7S": "stud", "F7S/8": "stud8", "FR": "plainrazz"}
"""The id of our game for each variant of the format."""

CHOICES: dict[Decision, str] = {
    "choose": "_choose",
    "arrange": "_arrangement",
    "declare": "_declarations",
    "pass": "_pass",
    "discard": "_discard",
}
"""The user-defined fields that hold the choices of players, each a list of texts like ``p2 Ah7d`` or ``p2 low``."""

BOARD = -1
"""In the place of a player: the common cards."""


class BadPhh(ValueError):
    """The file is not PHH. The text is a clause for the user."""

    exit_code = EXIT_DAMAGED


@dataclass(frozen=True, slots=True)
class Move:
    """One action.

    Fields:
        verb: the kind of action.
        player: counted from 0; `BOARD` where the board is dealt.
        cards: the cards of a deal or a show, None for a card that the file does not know. For a muck there is no
            tuple (None); it is empty for a hand that is shown while the file does not repeat its cards.
        to: for ``cbr``: chips in front of the player afterwards on this street.
        text: the action as it is written in the file.
    """

    verb: Verb
    player: int
    cards: tuple[MaybeCard, ...] | None = None
    to: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhhHand:
    """One hand of a file; the fields have the names of the format.

    Fields:
        entry: the name of the hand in its file.
        unit: the number by which the amounts of the file were multiplied.
        finishing_stacks: None where the file does not name them.
        called: what players are called in messages; p1, p2 ... where it is empty.
        own: the user-defined fields and the optional ones (date, table, ...), as they are in the file.
    """

    variant: str
    antes: tuple[int, ...]
    bring_in: int
    small_bet: int
    big_bet: int
    starting_stacks: tuple[int, ...]
    actions: tuple[Move, ...]
    players: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    finishing_stacks: tuple[int, ...] | None = None
    entry: str = "1"
    unit: int = 1
    called: tuple[str, ...] = ()
    own: Mapping[str, Any] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many players were dealt in."""
        return len(self.starting_stacks)

    def who(self, player: int) -> str:
        """What the player with that number, counted from 0, is called in a message."""
        return self.called[player] if self.called else f"p{player + 1}"


# -------------------------------------------------------------------- reading


def read(text: str) -> list[PhhHand]:
    """The hands of a file, in its order. Raises BadPhh."""
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:  # endless numbers raise no TOMLDecodeError
        raise BadPhh(f"it is not TOML: {str(error) or type(error).__name__:.100}") from None
    if "variant" in document:
        return [_hand("1", document)]
    if not document or not all(isinstance(value, dict) for value in document.values()):
        raise BadPhh("it has neither a variant nor numbered hands")
    return [_hand(entry, fields) for entry, fields in document.items()]


def _hand(entry: str, fields: Mapping[str, Any]) -> PhhHand:
    where = f"entry {entry}"
    variant = _text(where, "variant", _needed(where, "variant", fields))
    rows = _needed(where, "actions", fields)
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadPhh(f"{where}: actions must be a list of texts")
    money = _Money(where, fields, rows)
    stacks = money.row("starting_stacks")
    assert stacks is not None
    players = _row(where, "players", fields, str, len(stacks))
    seats = _row(where, "seats", fields, int, len(stacks))
    # A game without a bring-in leaves these amounts out; whether they are needed is known when the hand is played.
    return PhhHand(
        variant=variant,
        antes=money.row("antes") or (0,) * len(stacks),
        bring_in=money.amount("bring_in"),
        small_bet=money.amount("small_bet"),
        big_bet=money.amount("big_bet"),
        starting_stacks=stacks,
        actions=tuple([_move(where, row, len(stacks), money) for row in rows if row.split("#")[0].strip()]),
        players=players,
        seats=seats,
        finishing_stacks=money.row("finishing_stacks", needed=False),
        entry=entry,
        unit=money.unit,
        own={name: value for name, value in fields.items() if name.startswith("_") or name in _OPTIONAL},
    )


_OPTIONAL = ("table", "hand", "year", "month", "day", "time", "time_zone", "event", "venue")
_AMOUNTS = ("bring_in", "small_bet", "big_bet")
_ROWS = ("antes", "starting_stacks", "finishing_stacks")
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?")
_PLAYER = re.compile(r"p[0-9]{1,3}")
_MOST_PLACES = 6
LIMIT = 10**15
"""Every amount of chips is below this."""


class _Money:
    """The amounts of a hand, made whole."""

    def __init__(self, where: str, fields: Mapping[str, Any], rows: Sequence[str]) -> None:
        self.where, self.fields = where, fields
        _needed(where, "starting_stacks", fields)
        amounts = [fields[name] for name in _AMOUNTS if name in fields]
        for name in _ROWS:
            row = fields.get(name, [])
            if not isinstance(row, list):
                raise BadPhh(f"{where}: {name} must be a list of amounts")
            amounts += row
        texts = [words[2] for row in rows if len(words := row.split("#")[0].split()) == 3 and words[1] == "cbr"]
        amounts += [Decimal(text) for text in texts if _NUMBER.fullmatch(text)]
        places = max([-_exponent(amount) for amount in amounts if isinstance(amount, Decimal)], default=0)
        if places > _MOST_PLACES:
            raise BadPhh(f"{where}: an amount has more than {_MOST_PLACES} decimals")
        self.unit = 10 ** max(places, 0)

    def whole(self, name: str, value: object) -> int:
        """The amount in whole chips. Raises BadPhh."""
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            amount = Decimal(value) * self.unit
            if amount.is_finite() and 0 <= amount < LIMIT:
                return int(amount)
        raise BadPhh(f"{self.where}: {name} holds {value!r:.40}, which is no amount")

    def amount(self, name: str) -> int:
        return self.whole(name, self.fields.get(name, 0))

    def row(self, name: str, needed: bool = True) -> tuple[int, ...] | None:
        """The row of amounts, one for each player; None where there is none. Raises BadPhh."""
        if name not in self.fields and (not needed or name == "antes"):
            return None
        row = tuple([self.whole(name, value) for value in self.fields[name]])
        players = len(self.fields["starting_stacks"])
        if len(row) != players:
            raise BadPhh(f"{self.where}: {name} has {len(row)} amounts for {players} players")
        return row


def _exponent(amount: Decimal) -> int:
    exponent = amount.normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _needed(where: str, name: str, fields: Mapping[str, Any]) -> Any:
    try:
        return fields[name]
    except KeyError:
        raise BadPhh(f"{where} has no {name}") from None


def _text(where: str, name: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadPhh(f"{where}: {name} must be a text")
    return value


def _row(where: str, name: str, fields: Mapping[str, Any], kind: type, count: int) -> tuple[Any, ...]:
    row = fields.get(name, [])
    if not isinstance(row, list) or not all(isinstance(value, kind) for value in row) or len(row) not in (0, count):
        words = {str: "names", int: "numbers"}[kind]
        raise BadPhh(f"{where}: {name} must be a list of {words}, one for each of {count} players")
    return tuple(row)


def _move(where: str, row: str, count: int, money: _Money) -> Move:
    text = row.split("#")[0].strip()  # what follows is commentary
    wrong = BadPhh(f"{where}: {text!r:.40} is no action")
    match text.split():
        case ["d", "dh", player, cards]:
            return Move("dh", _player(player, count, wrong), _cards(cards, wrong), text=text)
        case ["d", "db", cards]:
            return Move("db", BOARD, _cards(cards, wrong), text=text)
        case [player, "pb" | "cc" | "f" as verb]:
            return Move(verb, _player(player, count, wrong), text=text)
        case [player, "cbr", amount] if _NUMBER.fullmatch(amount):
            return Move("cbr", _player(player, count, wrong), to=money.whole("cbr", Decimal(amount)), text=text)
        case [player, "sm"]:
            return Move("sm", _player(player, count, wrong), text=text)
        case [player, "sm", "-"]:
            return Move("sm", _player(player, count, wrong), (), text=text)
        case [player, "sm", cards]:
            return Move("sm", _player(player, count, wrong), _cards(cards, wrong), text=text)
        case _:
            raise wrong


def player_number(word: str) -> int:
    """3 for ``p3``; 0 for what is no player."""
    return int(word[1:]) if _PLAYER.fullmatch(word) else 0


def _player(word: str, count: int, wrong: BadPhh) -> int:
    player = player_number(word)
    if not 1 <= player <= count:
        raise wrong
    return player - 1


def _cards(word: str, wrong: BadPhh) -> tuple[MaybeCard, ...]:
    try:
        return maybe_cards(word)
    except ValueError:
        raise wrong from None


def maybe_cards(word: str) -> tuple[MaybeCard, ...]:
    """``Ah??`` as cards. Raises ValueError."""
    if len(word) % 2:
        raise ValueError(f"not a row of cards: {word!r}")
    pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
    return tuple([None if pair == "??" else card(pair) for pair in pairs])


# -------------------------------------------------------------------- writing


def cards_word(cards: Iterable[MaybeCard]) -> str:
    """``Ah??``"""
    return "".join(map(card_text, cards))


def write(hands: Sequence[PhhHand]) -> str:
    """The text of a file: one hand at the top level, several hands in numbered tables."""
    if len(hands) == 1:
        return _written(hands[0])
    return "\n".join([f"[{number}]\n{_written(hand)}" for number, hand in enumerate(hands, 1)])


def _written(hand: PhhHand) -> str:
    fields: dict[str, Any] = {
        "variant": hand.variant,
        "antes": hand.antes,
        "bring_in": hand.bring_in,
        "small_bet": hand.small_bet,
        "big_bet": hand.big_bet,
        "starting_stacks": hand.starting_stacks,
        "actions": [move.text for move in hand.actions],
        "players": hand.players,
        "seats": hand.seats,
        "finishing_stacks": hand.finishing_stacks,
        **hand.own,
    }
    return "".join([f"{name} = {toml_value(value)}\n" for name, value in fields.items() if value not in (None, ())])
