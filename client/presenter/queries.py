"""Questions a player may ask at any moment, answered in a line: the line mode's eyes.

Every answer is made from the view alone, at once, and changes nothing.
"""

import re
from collections.abc import Callable, Mapping
from math import ceil

from client.display.hand_words import made, own_cards
from client.display.seat_rows import acted
from client.known_games import game_at
from protocol.cards import card_text, cards_text
from protocol.narration import phrases as words
from protocol.narration.story import street_line
from protocol.view import SeatView, TableView

_FUNCTION_KEYS: Mapping[str, int] = {
    **{f"\x1bO{letter}": number for number, letter in enumerate("PQRS", 1)},
    **{f"\x1b[{code}~": number for number, code in enumerate((11, 12, 13, 14, 15, 17, 18, 19), 1)},
    **{f"\x1b[[{letter}": number for number, letter in enumerate("ABCDE", 1)},
}
"""What terminals send for F1 to F8 when nothing interprets it: the seat asked for."""
_SEAT = re.compile(r"(?:s|seat) ?(\d{1,2})")

HELP = (
    "Answers: f fold, c check or call, b bet or bring in, r raise or complete; with an amount where one is needed.",
    "Cards by their numbers; h or l to declare. An empty line does nothing.",
    "Questions: 1 to 7 own card, hand, seat N (or F1 to F8), stacks, up, before, pot, to call, last, street, why,",
    "rules, time, who.",
    "Commands: /say TEXT, /away, /back, /rebuy N, /next, /show (your cards, when the hand is over), /muck, /ping,",
    "/version, /leave (gives the seat back), /quit (keeps it), /help.",
)


def ask(text: str, view: TableView, seat: int, seconds_left: float | None = None) -> list[str] | None:
    """The answer to a question, or None if the text is not one. `seat` 0: a spectator asks."""
    raw = text.strip()
    typed = raw.lower().lstrip("/")
    if raw in _FUNCTION_KEYS:
        return about_seat(view, _FUNCTION_KEYS[raw])
    if typed.isascii() and typed.isdecimal() and len(typed) < 3:
        return [own_card(view, seat, int(typed))]
    found = _SEAT.fullmatch(typed)
    if found:
        return about_seat(view, int(found[1]))
    if typed in ("?", "help", "keys"):
        return list(HELP)
    if typed in ("time", "clock"):
        if seconds_left is None:
            return ["No clock runs for you."]
        if seconds_left <= 0:
            return ["Your time is used up; the time bank runs."]
        return [f"{words.count(ceil(seconds_left), 'second').capitalize()} left."]
    answer = _QUESTIONS.get(typed)
    return None if answer is None else answer(view, seat)


def own_card(view: TableView, seat: int, number: int) -> str:
    """``Card 2: Kd, face up.``; cards are counted hidden ones first, as they stand in brackets."""
    if not _plays(view, seat):
        return "You have no cards."
    own = view.seat(seat)
    row = (*own.down, *own.up)
    if not 1 <= number <= len(row):
        return f"You have {words.count(len(row), 'card')}."
    side = "hidden" if number <= len(own.down) else "face up"
    return f"Card {number}: {card_text(row[number - 1])}, {side}."


def about_seat(view: TableView, number: int) -> list[str]:
    """Name, chips and cards of a seat."""
    if not 1 <= number <= len(view.seats):
        return [f"There is no seat {number}; the table has {len(view.seats)}."]
    seat = view.seat(number)
    if not seat.name:
        return [f"Seat {number} is free."]
    parts = [f"{words.name(view, number)}, {seat.chips} chips"]
    parts += [note for note in _marks(view, seat) if note]
    if view.playing and seat.hand == "live":
        parts.append(f"shows {cards_text(seat.up)}" if seat.up else "shows nothing")
        if seat.bet:
            parts.append(f"{seat.bet} in front")
    return [f"Seat {number}: {', '.join(parts)}."]


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


def my_hand(view: TableView, seat: int) -> list[str]:
    """The own cards and what they make."""
    if not _plays(view, seat):
        return ["You have no cards."]
    own = view.seat(seat)
    line = f"You hold {words.hand(own)}"
    if view.community:
        line += f", in the middle {cards_text(view.community)}"
    names = made(view, own_cards(view, seat)) if not view.wilds else ()
    told = "; ".join([f"{side}: {name}" for side, name in names if name])
    return [f"{line}{'. ' + words.sentence(told) if told else '.'}"]


def stacks(view: TableView, seat: int) -> list[str]:
    """Everybody's chips."""
    rows = [f"{words.name(view, player.seat)} {player.chips}" for player in view.players()]
    return [f"Stacks: {', '.join(rows)}." if rows else "Nobody sits here."]


def who(view: TableView, seat: int = 0) -> list[str]:
    """Who sits where, and who is a bot, away or disconnected."""
    rows = []
    for player in view.players():
        marks = [*["bot"] * player.bot, *["away"] * player.away, *["disconnected"] * (not player.online)]
        rows.append(f"{player.seat} {words.name(view, player.seat)}{f' ({words.listed(marks)})' if marks else ''}")
    return [f"At the table: {', '.join(rows)}." if rows else "Nobody sits here."]


def pot(view: TableView, seat: int) -> list[str]:
    """The pots and who can win them."""
    total = f"The pot is {view.pot()}"
    if len(view.pots) < 2:
        return [f"{total}."]
    rows = [
        f"{words.pot(number, len(view.pots))} {one.amount} ({words.names(view, one.seats)})"
        for number, one in enumerate(view.pots)
    ]
    return [f"{total}: {', '.join(rows)}."]


def to_call(view: TableView, seat: int) -> list[str]:
    """What staying in costs."""
    if not _plays(view, seat):
        return ["You are not in a hand."]
    most = max(player.bet for player in view.seats)
    owed = min(most - view.seat(seat).bet, view.seat(seat).chips)
    return [f"{owed} to call." if owed else "Nothing to call."]


def last(view: TableView, seat: int) -> list[str]:
    """What everybody did last on this street, in seat order."""
    deeds = [f"{words.name(view, player.seat)} {acted(player)}" for player in view.players() if player.last is not None]
    return [f"On this street: {', '.join(deeds)}." if deeds else "Nobody has acted on this street."]


def street(view: TableView, seat: int) -> list[str]:
    """The street in one line: pot, boards, and who is to act."""
    if not view.playing:
        return ["No hand is being played."]
    return [street_line(view) + waiting(view)]


def waiting(view: TableView) -> str:
    """``. To act: Ann.``; who the table waits for, or nothing."""
    asked = [player.seat for player in view.seats if player.pending is not None]
    return f". To act: {words.names(view, asked)}." if asked else "."


def boards(view: TableView, seat: int) -> list[str]:
    """Everybody's up cards."""
    shown = [f"{words.name(view, player.seat)} {cards_text(player.up) or 'nothing'}" for player in view.in_hand()]
    return [f"Up cards: {' - '.join(shown)}." if shown and view.playing else "No hand is being played."]


def before(view: TableView, seat: int) -> list[str]:
    """What was face up before bring 'em back."""
    shown = [f"{words.name(view, one.seat)} {cards_text(one.before)}" for one in view.in_hand() if one.before]
    return [f"Before: {' - '.join(shown)}." if shown else "Nothing has been brought back."]


def why(view: TableView, seat: int) -> list[str]:
    """Why this seat opened, and why an option is missing."""
    lines = [words.told(view.why, view)] if view.why else []
    pending = view.seat(seat).pending if seat else None
    if pending is not None and pending.request.note:
        lines.append(words.told(pending.request.note, view))
    return lines or ["There is nothing to explain."]


def rules(view: TableView, seat: int) -> list[str]:
    """The rules of the game that is played, if this program knows it."""
    from server.engine.games.rules_page import rules_page

    game = game_at(view)
    return (
        [line for line in rules_page(game, view.stakes) if line] if game else ["This program does not know the game."]
    )


def _plays(view: TableView, seat: int) -> bool:
    return 0 < seat <= len(view.seats) and view.seat(seat).hand == "live"


_QUESTIONS: Mapping[str, Callable[[TableView, int], list[str]]] = {
    **dict.fromkeys(("hand", "my hand", "i", "cards", "my cards"), my_hand),
    **dict.fromkeys(("stacks", "s", "chips"), stacks),
    **dict.fromkeys(("pot", "p", "pots"), pot),
    **dict.fromkeys(("to call", "tocall"), to_call),
    **dict.fromkeys(("last", "last action"), last),
    **dict.fromkeys(("street", "turn"), street),
    **dict.fromkeys(("up", "u", "upcards", "boards"), boards),
    **dict.fromkeys(("why", "w"), why),
    **dict.fromkeys(("before", "o"), before),
    "rules": rules,
    "who": who,
}
