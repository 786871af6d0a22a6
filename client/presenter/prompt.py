"""The bottom of the screen: the question, its keys, and a preview of the answer in the making."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from client.connection.session_port import Status, TableSession, own_seat
from client.display.hand_words import hand_names, named_hands
from client.display.screen_state import Hint
from client.display.seat_rows import DOING, ClockLeft
from client.input.card_picker import CardPicker, to_show
from client.input.decision_keys import Draft, Key, question
from client.input.key_labels import key_label
from client.input.keymap import Keymap
from client.input.preaction import PreAction, price
from client.input.table_commands import KEY_OF
from protocol.cards import Card, card_text
from protocol.events import ActionRequested
from protocol.narration import phrases as words
from protocol.narration.spans import plain
from protocol.view import TableView

HintMaker: TypeAlias = Callable[[str, str], Hint]
"""Makes a hint of the usual name of a key and of a label; an empty name makes plain words."""

LEAVE_KEY = "q"
"""The key that leaves the screen when the session is over."""
TABLE_KEYS = (("chat", "chat"), ("up", "story"), ("help", "keys"))
"""The commands whose keys are listed while nothing is asked, and their labels."""


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
    text = question(request, draft)
    if left is not None:
        text += f"  {left.whole()}" if text[-1] not in ":_" else f" ({left.whole()})"
    hints = [hint(key.names[0], key.label) for key in keys if key.listed]
    if request.note and draft == Draft():
        hints.append(hint("", f"({clean_note(request, view)})"))
    return Prompt(text, hints, True, preview(view, request, draft, card_name))


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
        return [f"rolls {rolled}; {hidden} stays hidden", *([f"these make  {made_of}"] if made_of else [])]
    if draft.cards and (request.options[0].count > 1 or request.decision == "discard"):
        return [f"chosen: {' '.join(map(card_name, draft.cards))}"]
    if request.decision == "declare":
        own = view.seat(request.seat)
        held = tuple(card for card in (*own.down, *own.up, *view.community) if card is not None)
        for side, name in named_hands(view, held) if held else ():
            if side == draft.direction and name.startswith("no low"):
                return [f"Careful: {name}. Declared low it cannot win."]
    return []


def _buy_in(view: TableView) -> int:
    return view.rules.buy_in if view.rules is not None else 100


def not_asked(
    view: TableView,
    seat: int,
    clocks: Mapping[int, ClockLeft],
    *,
    preaction: PreAction | None = None,
    on_its_way: bool = False,
    closed: bool = False,
    hint: HintMaker = plain_hint,
) -> Prompt:
    """The prompt while the reader has nothing to decide."""
    if closed:
        return Prompt("The table is closed.", (hint(LEAVE_KEY, "leave"), hint(KEY_OF["up"], "story")))
    usual = [hint(KEY_OF[command], label) for command, label in TABLE_KEYS if seat or command != "chat"]
    question, hints, urgent = _situation(view, seat, clocks, hint)
    if on_its_way:
        question, hints, urgent = "Sent ...", [], False
    return Prompt(question, [*preaction_hints(view, seat, preaction, hint), *hints, *usual], urgent)


def _situation(
    view: TableView, seat: int, clocks: Mapping[int, ClockLeft], hint: HintMaker
) -> tuple[str, list[Hint], bool]:
    """The state of the table in words, the keys for it, and whether the reader can do something about it."""
    own = view.seat(seat) if 1 <= seat <= len(view.seats) else None
    if not view.playing and own is not None and not own.chips:
        return "You have no chips left.", [hint("", f"type /rebuy {_buy_in(view)}")], True
    if not view.playing and own is not None and view.awards and not own.went_on:
        shows = [hint(KEY_OF["show"], "show your cards")] if to_show(view, seat) else []
        return "The hand is over.", [hint(KEY_OF["go_on"], "go on"), *shows], True
    waiting = [player for player in view.asked() if player.seat != seat]
    if waiting:
        names = words.names(view, [player.seat for player in waiting])
        request = waiting[0].pending.request if waiting[0].pending is not None else None
        text = f"{names} {DOING[request.decision] if request is not None else ''}"
        left = clocks.get(waiting[0].seat) if len(waiting) == 1 else None
        return text if left is None else f"{text} {left.short()}", [], False
    if view.playing:
        return "", [], False
    if own is not None and own.away:
        return "You sit out.", [hint(KEY_OF["away"], "come back")], False
    if len(view.players()) < 2:
        return "Waiting for players.", [], False
    return "Waiting for the next hand.", [], False


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


def status(session: TableSession, keymap: Keymap, *, bell: bool) -> list[str]:
    """The parts of the right end of the last line."""
    if not session.seat:
        return ["watching"] if session.status == "online" else []
    own = own_seat(session)
    parts = [] if bell else ["bell off"]
    if session.pending is not None and session.status == "online":
        parts.append(f"{keymap.label_of('help')} all keys")
    if own is not None and own.away:
        parts.append("sitting out")
    return parts


def banner(status: Status, trouble: str) -> str:
    """The line across the top while there is no connection; empty while all is well."""
    match status:
        case "reconnecting":
            return f"Connection lost, coming back ... {trouble}"
        case "connecting":
            return "Connecting ..."
        case "closed":
            return f"Closed. {trouble}".strip()
        case "online":
            return ""
