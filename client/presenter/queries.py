"""Questions a player may ask at any moment, answered in a line: the line mode's eyes.

Every answer is made from the view alone, at once, and changes nothing. The words for them stand in
`client.input.table_commands`.
"""

from math import ceil
from typing import assert_never

from client.display.hand_words import made, own_cards
from client.display.seat_rows import acted
from client.display.text_cells import clean
from client.input.table_commands import Question
from client.known_games import game_at
from protocol.cards import card_text, cards_text
from protocol.narration import phrases as words
from protocol.narration.story import street_line
from protocol.view import SeatView, TableView
from server.engine.games.rules_page import rules_page


def answer(
    question: Question, argument: str, view: TableView, seat: int, seconds_left: float | None = None
) -> list[str]:
    """The answer in one line or more. `seat` 0: a spectator asks."""
    match question.name:
        case "ask_hand":
            return my_hand(view, seat)
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
            return time_left(seconds_left)
        case "ask_who":
            return who(view)
        case "why":
            return why(view, seat)
        case "rules":
            return rules(view)
        case _:
            assert_never(question.name)


def time_left(seconds: float | None) -> list[str]:
    """The own clock; None: no clock runs."""
    if seconds is None:
        return ["No clock runs for you."]
    if seconds <= 0:
        return ["Your time is used up; the time bank runs."]
    return [f"{words.count(ceil(seconds), 'second').capitalize()} left."]


def own_card(view: TableView, seat: int, which: str) -> list[str]:
    """``Card 2: Kd, face up.``; cards are counted hidden ones first, as they stand in brackets."""
    if not _plays(view, seat):
        return ["You have no cards."]
    own = view.seat(seat)
    row = (*own.down, *own.up)
    number = _number(which)
    if not 1 <= number <= len(row):
        return [f"You have {words.count(len(row), 'card')}."]
    side = "hidden" if number <= len(own.down) else "face up"
    return [f"Card {number}: {card_text(row[number - 1])}, {side}."]


def about_seat(view: TableView, which: str) -> list[str]:
    """Name, chips and cards of a seat."""
    number = _number(which)
    if not 1 <= number <= len(view.seats):
        return [f"There is no seat {which}; the table has {len(view.seats)}."]
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


def stacks(view: TableView) -> list[str]:
    """Everybody's chips."""
    rows = [f"{words.name(view, player.seat)} {player.chips}" for player in view.players()]
    return [f"Stacks: {', '.join(rows)}." if rows else "Nobody sits here."]


def who(view: TableView) -> list[str]:
    """Who sits where, and who is a bot, away or disconnected."""
    rows = []
    for player in view.players():
        marks = [*["bot"] * player.bot, *["away"] * player.away, *["disconnected"] * (not player.online)]
        rows.append(f"{player.seat} {words.name(view, player.seat)}{f' ({words.listed(marks)})' if marks else ''}")
    return [f"At the table: {', '.join(rows)}." if rows else "Nobody sits here."]


def pot(view: TableView) -> list[str]:
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


def last(view: TableView) -> list[str]:
    """What everybody did last on this street, in seat order."""
    actions = [
        f"{words.name(view, player.seat)} {acted(player)}" for player in view.players() if player.last is not None
    ]
    return [f"On this street: {', '.join(actions)}." if actions else "Nobody has acted on this street."]


def street(view: TableView, seat: int) -> list[str]:
    """The street in one line: pot, boards, and who is to act."""
    if not view.playing:
        return ["No hand is being played."]
    return [street_line(view) + waiting(view)]


def waiting(view: TableView) -> str:
    """``. To act: Ann.``; who the table waits for, or nothing."""
    asked = [player.seat for player in view.seats if player.pending is not None]
    return f". To act: {words.names(view, asked)}." if asked else "."


def boards(view: TableView) -> list[str]:
    """Everybody's up cards."""
    shown = [f"{words.name(view, player.seat)} {cards_text(player.up) or 'nothing'}" for player in view.in_hand()]
    return [f"Up cards: {' - '.join(shown)}." if shown and view.playing else "No hand is being played."]


def before(view: TableView) -> list[str]:
    """What was face up before bring 'em back."""
    shown = [f"{words.name(view, one.seat)} {cards_text(one.before)}" for one in view.in_hand() if one.before]
    return [f"Before: {' - '.join(shown)}." if shown else "Nothing has been brought back."]


def why(view: TableView, seat: int) -> list[str]:
    """Why this seat opened, why an option is missing, and where an odd chip went."""
    reasons = [view.why]
    pending = view.seat(seat).pending if seat else None
    if pending is not None:
        reasons.append(pending.request.note)
    reasons += [award.why for award in view.awards]
    lines = list(dict.fromkeys(words.told(reason, view) for reason in reasons if reason))
    return lines or ["There is nothing to explain."]


def rules(view: TableView) -> list[str]:
    """The rules of the game that is played, for its stakes."""
    game = game_at(view)
    if game is None:
        return [f"This program does not know the rules of {clean(view.title)}."]
    return rules_page(game, view.stakes)


def _number(text: str) -> int:
    """The number; 0 for a text that is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _plays(view: TableView, seat: int) -> bool:
    return 0 < seat <= len(view.seats) and view.seat(seat).hand == "live"
