"""What stands at the bottom of the screen: the question, its keys, and what the answer in the making would be."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from client.display.hand_words import made, makes
from client.display.screen import Hint
from client.display.seat_rows import DOING, time_left
from client.input.card_picker import to_show
from client.input.decision_keys import Draft, Key, question
from protocol.cards import Card, card_text
from protocol.events import ActionRequested
from protocol.narration import phrases as words
from protocol.view import TableView

TABLE_HINTS = (Hint("t", "chat"), Hint("PageUp", "story"), Hint("?", "keys"))
"""Keys that are listed while nothing is asked."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The question, its keys, whether it is the reader's turn, and lines about his draft."""

    question: str
    hints: Sequence[Hint]
    urgent: bool = False
    preview: Sequence[str] = ()


def asked(
    view: TableView,
    request: ActionRequested,
    draft: Draft,
    keys: Sequence[Key],
    seconds: float | None,
    card_name: Callable[[Card], str] = card_text,
) -> Prompt:
    """The prompt for a request to the reader."""
    text = question(request, draft)
    if seconds is not None:
        left = time_left(seconds)
        text += f" {left}" if seconds > 0 and text[-1] not in ":_" else f" ({left})"
    hints = [Hint(key.shown, key.label) for key in keys if key.shown]
    if request.note and draft == Draft():
        hints.append(Hint("", f"({clean_note(request, view)})"))
    return Prompt(text, hints, True, preview(view, request, draft, card_name))


def clean_note(request: ActionRequested, view: TableView) -> str:
    """Why an option is missing, with names."""
    return words.fill(request.note, view).rstrip(".")


def preview(
    view: TableView, request: ActionRequested, draft: Draft, card_name: Callable[[Card], str] = card_text
) -> list[str]:
    """What the answer in the making comes to: the arranged hand and what it makes, or a warning."""
    if request.decision == "arrange":
        row = [card_name(card) for card in draft.cards]
        row += ["__"] * (request.options[0].count - len(row))
        rolled, hidden = " ".join(row[:-1]), row[-1]
        made_of = makes(view, draft.cards)
        return [f"rolls {rolled}; {hidden} stays hidden", *([f"these make  {made_of}"] if made_of else [])]
    if draft.cards and (request.options[0].count > 1 or request.decision == "discard"):
        return [f"chosen: {' '.join(map(card_name, draft.cards))}"]
    if request.decision == "declare":
        own = view.seat(request.seat)
        held = tuple(card for card in (*own.down, *own.up, *view.community) if card is not None)
        for side, name in made(view, held) if held else ():
            if side == draft.direction and name.startswith("no low"):
                return [f"Careful: {name}. Declared low it cannot win."]
    return []


def _buy_in(view: TableView) -> int:
    return view.rules.buy_in if view.rules is not None else 100


def not_asked(
    view: TableView, seat: int, clocks: Mapping[int, float], *, on_its_way: bool = False, closed: bool = False
) -> Prompt:
    """The prompt while the reader has nothing to decide."""
    if closed:
        return Prompt("The table is closed.", (Hint("q", "leave"), Hint("PageUp", "story")))
    hints = TABLE_HINTS if seat else TABLE_HINTS[1:]
    own = view.seat(seat) if 1 <= seat <= len(view.seats) else None
    if on_its_way:
        return Prompt("Sent ...", hints)
    if not view.playing and own is not None and not own.chips:
        return Prompt("You have no chips left.", (Hint("", f"type /rebuy {_buy_in(view)}"), *hints), urgent=True)
    if not view.playing and own is not None and view.awards and not own.went_on:
        shows = (Hint("e", "show your cards"),) if to_show(view, seat) else ()
        return Prompt("The hand is over.", (Hint("Space", "go on"), *shows, *hints), urgent=True)
    waiting = [player for player in view.players() if player.pending is not None and player.seat != seat]
    if waiting:
        names = words.names(view, [player.seat for player in waiting])
        request = waiting[0].pending.request if waiting[0].pending is not None else None
        text = f"{names} {DOING[request.decision] if request is not None else ''}"
        left = clocks.get(waiting[0].seat) if len(waiting) == 1 else None
        return Prompt(text if left is None else f"{text} {int(left)}s", hints)
    if view.playing:
        return Prompt("", hints)
    if own is not None and own.away:
        return Prompt("You sit out.", (Hint("z", "come back"), *hints))
    if len(view.players()) < 2:
        return Prompt("Waiting for players.", hints)
    return Prompt("Waiting for the next hand.", hints)
