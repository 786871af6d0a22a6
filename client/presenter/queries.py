"""The answers to the questions that a player may ask at any moment; most have one line.

Every answer comes from the view alone, at once, and changes nothing. The words of the questions stand in
`client.input.table_commands`.
"""

from collections.abc import Sequence
from math import ceil
from typing import assert_never

from client.display.text_cells import clean
from client.input.table_commands import Question
from client.presenter.worth import worth
from protocol.cards import MaybeCard
from protocol.narration import phrases as words
from protocol.narration.glossary import GLOSSARY, explained, look_up
from protocol.narration.phrases import player
from protocol.narration.requests import reasons, to_act
from protocol.narration.spans import Sentence, cards, compose, finished, joined, listed, plain
from protocol.narration.story import street_line
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.hand_words import own_hands, with_side
from server.engine.games.house_card import house_rules
from server.engine.games.known_games import game_at
from server.engine.games.learning_card import learning_card
from server.engine.games.rules_page import rules_page

_NOBODY: Sentence = ("Nobody sits here.",)
NOTHING_TO_EXPLAIN: Sentence = ("There is nothing to explain.",)
_NO_CARDS: Sentence = ("You have no cards.",)
_NO_HAND: Sentence = ("No hand is being played.",)


def answer(
    question: Question,
    argument: str,
    view: TableView,
    seat: int,
    left: tuple[float | None, float] = (None, 0.0),
    watching: int = 0,
    spectators: Sequence[str] = (),
) -> list[Sentence]:
    """The answer in one line or more.

    Args:
        seat: who asks; 0: a spectator.
        left: seconds on the asker's clock, None without one, and in their time bank.
        watching: the number of spectators; spectators: the names of the first of them.
    """
    match question.name:
        case "ask_hand":
            return my_hand(view, seat)
        case "worth":
            return worth(view, seat) if _plays(view, seat) else [_NO_CARDS]
        case "ask_card":
            return own_card(view, seat, argument)
        case "ask_seat":
            return about_seat(view, argument)
        case "ask_stacks":
            return stacks(view)
        case "ask_pot":
            return pot(view)
        case "ask_to_call":
            return to_call(view, seat)
        case "ask_last":
            return last(view)
        case "ask_street":
            return street(view, seat)
        case "ask_up":
            return boards(view)
        case "ask_before":
            return before(view)
        case "ask_time":
            return time_left(*left)
        case "ask_who":
            return who(view, watching, spectators)
        case "ask_host":
            return hosts(view)
        case "why":
            return why(view, seat)
        case "what":
            return what(argument)
        case "rules":
            return rules(view)
        case "house":
            return house(view, watching)
        case _:
            assert_never(question.name)


def time_left(seconds: float | None, bank: float) -> list[Sentence]:
    """The time left on the player's clock and in their time bank; None: no clock runs."""
    if seconds is None:
        return [("No clock runs for you.",)]
    banked = words.count(ceil(bank), "second")
    if seconds <= 0 and bank:
        return [(f"Your clock has run out; {banked} left in your time bank.",)]
    more = f", then {banked} from your time bank" if bank else ""
    return [(f"{words.count(ceil(seconds), 'second').capitalize()} left{more}.",)]


def hosts(view: TableView) -> list[Sentence]:
    """``Ann is host here.``"""
    if not view.hosts:
        return [("Nobody at the table is its host; whoever runs the server can name one.",)]
    many = len(view.hosts) > 1
    return [compose(words.players(view, view.hosts), " are hosts here." if many else " is host here.")]


def own_card(view: TableView, seat: int, which: str) -> list[Sentence]:
    """``Card 2: Kd, face up.``; cards are counted hidden ones first, as they stand in brackets."""
    if not _plays(view, seat):
        return [_NO_CARDS]
    own = view.seat(seat)
    row: tuple[MaybeCard, ...] = (*own.down, *own.up)
    number = _number(which)
    if not 1 <= number <= len(row):
        return [(f"You have {words.count(len(row), 'card')}.",)]
    side = "hidden" if number <= len(own.down) else "face up"
    return [compose(f"Card {number}: ", cards(row[number - 1 : number]), f", {side}.")]


def about_seat(view: TableView, which: str) -> list[Sentence]:
    """Name, chips and cards of a seat."""
    number = _number(which)
    if not 1 <= number <= len(view.seats):
        return [(f"There is no seat {which}; the table has {len(view.seats)}.",)]
    seat = view.seat(number)
    if not seat.name:
        return [(f"Seat {number} is free.",)]
    parts = [compose(player(view, number), f", {words.counted(seat.chips, 'chip')}")]
    parts += [(note,) for note in _marks(view, seat) if note]
    if view.playing and seat.hand == "live":
        parts.append(compose("shows ", cards(seat.up) or "nothing"))
        if seat.bet:
            parts.append((f"{seat.bet} in front",))
    return [compose(f"Seat {number}: ", joined(parts), ".")]


def _marks(view: TableView, seat: SeatView) -> list[str]:
    return [
        "bot" if seat.bot else "",
        "deals" if view.button == seat.seat else "",
        "away" if seat.away else "",
        "disconnected" if not seat.online else "",
        "folded" if view.playing and seat.hand == "folded" else "",
        "not in this hand" if view.playing and seat.hand == "out" else "",
        "all in" if view.playing and seat.all_in else "",
        f"declared {seat.declared}" if seat.declared else "",
    ]


def my_hand(view: TableView, seat: int) -> list[Sentence]:
    """The player's cards and the hand that they make."""
    if not _plays(view, seat):
        return [_NO_CARDS]
    own = view.seat(seat)
    line = compose("You hold ", words.hand(own))
    if view.community:
        line = compose(line, ", in the middle ", cards(view.community))
    told = "; ".join([with_side(side, name) for side, name in own_hands(view, seat)]) if not view.wilds else ""
    return [compose(line, ". ", words.sentence(told)) if told else compose(line, ".")]


def stacks(view: TableView) -> list[Sentence]:
    """Everybody's chips."""
    rows = [compose(player(view, one.seat), " ", one.chips) for one in view.players()]
    return [compose("Stacks: ", joined(rows), ".")] if rows else [_NOBODY]


def who(view: TableView, watching: int, spectators: Sequence[str] = ()) -> list[Sentence]:
    """The players by seat, which of them are bots, away or disconnected, and who watches."""
    rows = []
    for one in view.players():
        marks = [
            *["host"] * view.is_host(one.seat),
            *["bot"] * one.bot,
            *["away"] * one.away,
            *["disconnected"] * (not one.online),
        ]
        told = compose(" (", listed([(mark,) for mark in marks]), ")") if marks else ()
        rows.append(compose(one.seat, " ", player(view, one.seat), told))
    told = compose("At the table: ", joined(rows), ".") if rows else _NOBODY
    return [compose(told, f" {watchers(watching, spectators)}") if watching else told]


def watchers(watching: int, spectators: Sequence[str]) -> str:
    """``Eve, Fay and two others are watching.``; those without a name are counted."""
    if not spectators:
        return (
            "One person is watching."
            if watching == 1
            else f"{words.in_words(watching).capitalize()} people are watching."
        )
    others = max(0, watching - len(spectators))
    parts = [clean(name)[: words.NAME_LIMIT] for name in spectators]
    parts += [f"{words.in_words(others)} {'other' if others == 1 else 'others'}"] * (others > 0)
    return f"{plain(listed([(part,) for part in parts]))} {'is' if watching == 1 else 'are'} watching."


def pot(view: TableView) -> list[Sentence]:
    """The pots and the players who can win them."""
    total = f"The pot is {view.pot()}."
    several = len(view.pots) > 1 and any(pot.amount for pot in view.pots)
    return [compose(f"{total} ", finished(words.pots(view))) if several else (total,)]


def to_call(view: TableView, seat: int) -> list[Sentence]:
    """The price of staying in."""
    if not _plays(view, seat):
        return [("You are not in a hand.",)]
    owed = view.to_call(seat)
    return [(f"{owed} to call." if owed else "Nothing to call.",)]


def last(view: TableView) -> list[Sentence]:
    """Everybody's last action on this street, in seat order."""
    actions = [
        compose(player(view, one.seat), " ", words.acted(one.last)) for one in view.players() if one.last is not None
    ]
    return [compose("On this street: ", joined(actions), ".") if actions else ("Nobody has acted on this street.",)]


def street(view: TableView, seat: int) -> list[Sentence]:
    """The street in one line: pot, boards, and the players to act."""
    if not view.playing:
        return [_NO_HAND]
    waited_for = finished(to_act(view))
    return [compose(street_line(view), ".", " " if waited_for else "", waited_for)]


def boards(view: TableView) -> list[Sentence]:
    """Everybody's up cards."""
    shown = [compose(player(view, one.seat), " ", cards(one.up) or "nothing") for one in view.in_hand()]
    return [compose("Up cards: ", joined(shown, " - "), ".") if shown and view.playing else _NO_HAND]


def before(view: TableView) -> list[Sentence]:
    """The up cards from before bring 'em back."""
    shown = [compose(player(view, one.seat), " ", cards(one.before)) for one in view.in_hand() if one.before]
    return [compose("Before: ", joined(shown, " - "), ".") if shown else ("Nothing has been brought back.",)]


def why(view: TableView, seat: int) -> list[Sentence]:
    """The reasons: of the opening seat, of a missing option, of an odd chip."""
    pending = view.seat(seat).pending if seat else None
    return reasons(view, pending.request.note if pending is not None else "") or [NOTHING_TO_EXPLAIN]


def what(word: str) -> list[Sentence]:
    """The meaning of a word of the table; without one, all words that are explained."""
    if not word:
        return [(f"/what WORD explains a word: {', '.join([entry.word for entry in GLOSSARY])}.",)]
    found = look_up(word)
    return [(found if isinstance(found, str) else explained(found),)]


def known_card(view: TableView) -> list[str]:
    """The card for somebody who meets the game for the first time; none for a game that is not known."""
    game = game_at(view)
    return learning_card(game) if game is not None else []


def rules(view: TableView) -> list[Sentence]:
    """The rules of the game that is played, for its stakes."""
    game = game_at(view)
    if game is None:
        return [(f"This program does not know the rules of {clean(view.title)}.",)]
    return [(line,) for line in rules_page(game, view.stakes, view.rules)]


def house(view: TableView, watching: int) -> list[Sentence]:
    """The table and its house rules, a line for each."""
    if view.rules is None:
        return [("The house rules are not known.",)]
    players = [player.name for player in view.players()]
    hosts = [view.name(seat) for seat in view.hosts or ()]
    rows = house_rules(view.rules, players, hosts, watching=watching, hand=view.hand)
    return [(f"{label}: {text}.",) for label, text in rows]


def _number(text: str) -> int:
    """The number; 0 for a text that is not a number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _plays(view: TableView, seat: int) -> bool:
    return 0 < seat <= len(view.seats) and view.seat(seat).hand == "live"
