"""The bottom of the screen: the question, its keys, and a preview of the answer in the making."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeAlias

from client.connection.session_port import Status, TableSession, own_seat
from client.display.screen_state import Hint
from client.display.seat_words import DOING, ClockLeft
from client.input.card_picker import CardPicker, to_show
from client.input.decision_keys import Draft, Key, question
from client.input.key_labels import key_label
from client.input.keymap import Keymap
from client.input.preaction import PreAction, price
from client.input.table_commands import KEY_OF
from protocol.cards import Card, card_text
from protocol.events import ActionRequested
from protocol.narration import phrases as words
from protocol.narration.requests import passes_to
from protocol.narration.spans import plain
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.hand_words import hand_names, named_hands, own_hands, usable_cards, with_side
from server.engine.games.known_games import pass_side

HintMaker: TypeAlias = Callable[[str, str], Hint]
"""Makes a hint of the usual name of a key and of a label; an empty name makes plain words."""

LEAVE_KEY = "q"
"""The key that leaves the screen when the session is over."""
BREAK_NEAR = 600
"""Seconds before a planned break from which the screen says so."""
YES = "y"
"""The key that says yes to leaving."""


def plain_hint(key: str, label: str) -> Hint:
    """A hint for the usual key, without a mouse."""
    return Hint(key_label(key), label)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The question, its keys, whether it is the reader's turn, and lines about their draft."""

    question: str
    hints: Sequence[Hint]
    urgent: bool = False
    preview: Sequence[str] = ()


def asked(
    view: TableView,
    request: ActionRequested,
    draft: Draft,
    keys: Sequence[Key],
    left: ClockLeft | None,
    card_name: Callable[[Card], str] = card_text,
    hint: HintMaker = plain_hint,
) -> Prompt:
    """The prompt for a request to the reader."""
    side = pass_side(view, request.options[0].count) if request.decision == "pass" else ""
    text = question(request, draft, passes_to(view, request.seat, side))
    if left is not None:
        text += f"  {left.whole()}" if text[-1] not in ":_" else f" ({left.whole()})"
    hints = [replace(hint(key.names[0], key.label), card=_seen(key, card_name)) for key in keys if key.listed]
    if request.note and draft == Draft():
        hints.append(hint("", f"({clean_note(request, view)})"))
    return Prompt(text, hints, True, preview(view, request, draft, card_name))


def _seen(key: Key, card_name: Callable[[Card], str]) -> Card | None:
    """The card that a key chooses, if its label is the card and not that it lies face down."""
    covered = key.card is not None and card_name(key.card) == card_text(None)
    return None if covered else key.card


def picking(picker: CardPicker, card_name: Callable[[Card], str], hint: HintMaker = plain_hint) -> Prompt:
    """The prompt while cards to be shown are chosen: digits choose, Enter shows, Esc does not."""
    row = " ".join(map(card_name, picker.chosen)) if picker.chosen else "all of them"
    digits = [
        hint(str(number), card_name(card) + (" chosen" if card in picker.chosen else ""))
        for number, card in enumerate(picker.cards, 1)
    ]
    return Prompt(
        "Show everybody:", [*digits, hint("enter", f"show {row}"), hint("escape", "show nothing")], urgent=True
    )


def revealing(hint: HintMaker = plain_hint) -> Prompt:
    """The prompt while a showdown is revealed hand after hand."""
    return Prompt("Showdown.", [hint("", "any key shows all of it")])


def clean_note(request: ActionRequested, view: TableView) -> str:
    """The reason for a missing option, with names."""
    return plain(words.filled(request.note.rstrip("."), view))


def preview(
    view: TableView, request: ActionRequested, draft: Draft, card_name: Callable[[Card], str] = card_text
) -> list[str]:
    """Lines about the answer in the making: the arranged hand and its names, or a warning."""
    if request.decision == "arrange":
        row = [card_name(card) for card in draft.cards]
        row += ["__"] * (request.options[0].count - len(row))
        rolled, hidden = " ".join(row[:-1]), row[-1]
        made_of = hand_names(view, draft.cards)
        turn = f"You will turn {rolled} and keep {hidden} hidden."
        return [turn, *([f"These make  {made_of}"] if made_of else [])]
    if draft.cards and (request.options[0].count > 1 or request.decision == "discard"):
        return [f"chosen: {' '.join(map(card_name, draft.cards))}"]
    if request.decision == "declare":
        return of_declaring(view, request.seat, draft.direction)
    if request.decision == "bet" and view.odd_man == request.seat and view.to_call(request.seat):
        return _sure_half(view, request.seat)
    return []


def _sure_half(view: TableView, seat: int) -> list[str]:
    """The odd man's half is sure unless they went low without a low: a reminder before they fold it."""
    if any(name.startswith("no low") for _, name in own_hands(view, seat)):
        return []
    return ["You are alone in your direction: half of the pot is yours. Folding gives it up."]


def of_declaring(view: TableView, seat: int, direction: str | None = None) -> list[str]:
    """What each direction would be; once one is chosen, a warning before a low that is none."""
    names = {side: name for side, name in named_hands(view, usable_cards(view, seat)) if name}
    if direction == "low" and names.get("low", "").startswith("no low"):
        return [f"Careful: {names['low']}. Declared low it cannot win."]
    told = [with_side(side, names[side]) for side in ("low", "high") if side in names]
    return (
        [f"You have  {'   '.join(told)}", "You play for what you declare alone; the other half is lost."]
        if told
        else []
    )


def buy_in(view: TableView) -> int:
    """The usual buy-in of the table."""
    return view.rules.buy_in if view.rules is not None else 100


def is_broke(view: TableView, own: SeatView) -> bool:
    """Whether the player has no chips and plays for none."""
    return not own.chips and not (view.playing and own.hand == "live")


def leaving(session: TableSession, hint: HintMaker = plain_hint, *, kept: bool = True) -> Prompt:
    """The question whether to leave."""
    return Prompt(leaving_words(session, kept=kept), (hint(YES, "leave"), hint("n", "stay")), True)


def leaving_words(session: TableSession, *, kept: bool) -> str:
    """``Leave? Your seat is kept.``: what becomes of the seat and of a hand that is played."""
    own = own_seat(session)
    if own is None:
        return "Leave?"
    if not kept:
        return "Leave? That ends the game."
    clocked = session.view.playing and own.hand == "live"
    return f"Leave? Your seat is kept{'; your clock goes on' if clocked else ''}."


def lasting_keys(
    session: TableSession, answers: Sequence[Key], hint: HintMaker = plain_hint, *, own_bots: bool = False
) -> list[Hint]:
    """The keys that do something now and always in the same way, the most important first.

    `own_bots`: the bots take the time that the player gives them.
    """
    view, own = session.view, own_seat(session)
    offered = [
        ("help", "keys", True),
        ("ask_to_quit", "leave", True),
        ("ask_hand", "hand", own is not None and own.hand == "live"),
        ("why", "words", bool(view.hand)),
        ("before", "before", has_old_boards(view)),
        ("chat", "chat", own is not None),
        ("up", "story", True),
        ("command", "more", True),
        ("faster", "faster", own_bots and view.playing),
        ("away", "sit out", own is not None and not own.away),
    ]
    taken = {name for key in answers for name in key.names}
    return [hint(KEY_OF[name], label) for name, label, works in offered if works and KEY_OF[name] not in taken]


def has_old_boards(view: TableView) -> bool:
    """Whether there are boards from before bring 'em back to look at."""
    return view.playing and any(seat.before for seat in view.seats)


def what_if_over(hint: HintMaker = plain_hint) -> Prompt:
    """The prompt at the end of a what-if."""
    return Prompt("That is how it might have ended.", (hint(LEAVE_KEY, "to the replay"), hint(KEY_OF["up"], "story")))


def not_asked(
    view: TableView,
    seat: int,
    clocks: Mapping[int, ClockLeft],
    *,
    preaction: PreAction | None = None,
    on_its_way: bool = False,
    standing_up: bool = False,
    status: Status = "online",
    hint: HintMaker = plain_hint,
) -> Prompt:
    """The prompt while the reader has nothing to decide."""
    if status == "closed":
        return Prompt("Not connected any more.", (hint(LEAVE_KEY, "leave"), hint(KEY_OF["up"], "story")))
    if status == "connecting":
        return Prompt("", ())
    if status == "reconnecting":
        return Prompt("The table as it was when the connection broke.", ())
    question, hints, urgent = _situation(view, seat, clocks, hint, standing_up)
    if on_its_way:
        question, hints, urgent = "Sent ...", [], False
    return Prompt(question, [*preaction_hints(view, seat, preaction, hint), *hints], urgent)


def _situation(
    view: TableView, seat: int, clocks: Mapping[int, ClockLeft], hint: HintMaker, standing_up: bool
) -> tuple[str, list[Hint], bool]:
    """The state of the table in words, the keys for it, and whether the reader can do something about it."""
    own = view.seat(seat) if 1 <= seat <= len(view.seats) else None
    if own is not None and is_broke(view, own):
        return "You have no chips left.", [hint(KEY_OF["go_on"], f"buy {buy_in(view)}")], True
    back = [hint(KEY_OF["away"], "come back")] if own is not None and own.away and not standing_up else []
    if not view.playing and own is not None and view.awards and not own.went_on:
        shows = [hint(KEY_OF["show"], "show your cards")] if to_show(view, seat) else []
        return "The hand is over.", [hint(KEY_OF["go_on"], "go on"), *back, *shows], True
    waiting = [player for player in view.asked() if player.seat != seat]
    if view.stands_still and view.playing:
        return "The table is paused.", back, False
    if waiting:
        names = words.names(view, [player.seat for player in waiting])
        request = waiting[0].pending.request if waiting[0].pending is not None else None
        text = f"{names} {DOING[request.decision] if request is not None else ''}"
        left = clocks.get(waiting[0].seat) if len(waiting) == 1 else None
        return text if left is None else f"{text} {left.short()}", back, False
    if view.playing:
        return "", back, False
    if back:
        return "You sit out.", back, False
    if len(view.players()) < 2:
        return "Waiting for players.", [], False
    return "No hand is dealt for now." if view.pause else "Waiting for the next hand.", [], False


def preaction_hints(
    view: TableView, seat: int, preaction: PreAction | None, hint: HintMaker = plain_hint
) -> list[Hint]:
    """The keys for a decision before the reader's turn; none where there is nothing to choose."""
    cost = price(view, seat)
    if cost is None:
        return []
    call, fold = KEY_OF["ahead_call"], KEY_OF["ahead_fold"]
    if preaction is not None:
        return [hint(call if preaction.kind == "call" else fold, f"take back: {preaction.label()} when asked")]
    if not cost:
        return [hint(call, "check when asked")]
    return [hint(call, f"call {cost} when asked"), hint(fold, "fold when asked")]


def clocks(session: TableSession) -> dict[int, ClockLeft]:
    """What is left to everybody who is asked and has a clock; nothing while the server is away."""
    if session.status != "online":
        return {}
    asked = [seat.seat for seat in session.view.players() if seat.pending is not None]
    left = {seat: session.seconds_left(seat) for seat in asked}
    return {seat: ClockLeft(seconds, session.bank_left(seat)) for seat, seconds in left.items() if seconds is not None}


def status(session: TableSession, keymap: Keymap, *, bell: bool, standing_up: bool = False) -> list[str]:
    """The parts of the right end of the last line: what lasts, with the key that ends it."""
    if not session.seat:
        watching = f"number {session.place} on the waiting list" if session.place else "watching"
        return [watching] if session.status == "online" else []
    own = own_seat(session)
    parts = [] if bell else [f"muted: {keymap.label_of('bell')}"]
    if own is not None and own.name and standing_up:
        parts.append("leaving after this hand")
    elif own is not None and own.away and session.status == "online":
        playing = session.view.playing and own.hand != "out"
        parts.append(f"sitting out{' after this hand' if playing else ''}: {keymap.label_of('away')} comes back")
    return parts


def looking_back(keymap: Keymap, dot: str) -> str:
    """The line across the top while the boards from before bring 'em back are looked at."""
    return f"BEFORE bring 'em back{dot}{keymap.label_of('before')}: back to the table"


def lasting(session: TableSession) -> list[str]:
    """What is true of the table for a while and no problem."""
    if session.status != "online":
        return []
    told = []
    if session.view.pause and not session.view.stands_still:
        told = ["last hand for now" if session.view.pause.kind == "stop" else "a break after this hand"]
    elif session.paused and session.view.players() and not session.view.stands_still:
        told = ["paused: nobody is there to play"]
    told += filter(None, [next_rise(session.view, session.rises_in()), next_break(session)])
    rules = session.view.rules
    if rules is not None and rules.open_cards is not None and not session.seat:
        told.append("every card, when a hand is over")
    others = session.watching if session.seat else session.watching - 1
    who = "" if session.seat else " other" if others == 1 else " others"
    return [*told, *[f"{others}{who} watching"] * (others > 0)]


def next_rise(view: TableView, seconds: float | None) -> str:
    """When the limits rise: ``limits rise in 7 hands``; empty where they do not rise any more.

    `seconds`: until the level is over, where they rise by minutes.
    """
    rise = view.rules.rise if view.rules is not None else None
    if rise is None or rise.last:
        return ""
    if rise.unit == "hands":
        hands = rise.since + rise.every + 1 - view.hand
        return "limits rise next hand" if hands <= 1 else f"limits rise in {hands} hands"
    if seconds is None:
        return ""
    return f"limits rise in {ceil(seconds / 60)} min" if seconds > 0 else "limits rise soon"


def next_break(session: TableSession) -> str:
    """``break in 7 min``, in the last minutes before a planned break; empty before that, and while the table stands."""
    left = session.break_in
    if left is None or left > BREAK_NEAR or session.view.pause:
        return ""
    return f"break in {ceil(left / 60)} min" if left > 0 else "break after this hand"


def standing(session: TableSession, dot: str = " - ") -> str:
    """``PAUSED by Ann - dinner``: how a host lets the table stand still, or a break; empty if it goes on."""
    pause = session.view.pause
    if not pause or not session.view.stands_still:
        return ""
    parts = [{"pause": "PAUSED", "stop": "STOPPED for now", "break": "BREAK"}[pause.kind]]
    if pause.by:
        parts[0] += f" by {words.safe(pause.by)}"
    left = session.break_left
    if left is not None:
        parts.append(f"{int(left) // 60}:{int(left) % 60:02d} left")
    return dot.join([*parts, *[words.safe(pause.why)] * bool(pause.why)])


def banner(status: Status, trouble: str, seconds: int = 0, dot: str = " - ") -> str:
    """The line across the top while there is no connection, for so many seconds; empty while all is well."""
    match status:
        case "reconnecting":
            return f"NO CONNECTION for {seconds} s{dot}trying again{dot}{trouble}"
        case "connecting":
            return "Connecting ..."
        case "closed":
            return f"DISCONNECTED{dot}{trouble}" if trouble else "DISCONNECTED"
        case "online":
            return ""
