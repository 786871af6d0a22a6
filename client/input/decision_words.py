"""A request in words, and the words that answer it: the line mode's half of a decision.

`question` says every option with its amount and the short answer for it; `understand` turns typed words into an action.
Both read only the options of the request, so they know no rules.

=========  ==========================================================================
bet        ``f`` fold, ``c`` check or call, ``b`` bring in or bet, ``r`` raise or complete;
           a bet or raise with a choice takes its amount: ``r 4``
cards      the number of a card in the list, or the card itself: ``2`` or ``Kd``
arrange    the numbers in the order of rolling: ``31547``
declare    ``h`` or ``l``
buy        ``b`` buy, ``d`` decline
game       the number in the list
=========  ==========================================================================
"""

from collections.abc import Mapping, Sequence
from math import ceil

from protocol.actions import WAGERS, Action, Kind, Option, refusal
from protocol.cards import Card, MaybeCard, card, card_text
from protocol.events import ActionRequested
from protocol.narration import phrases as words
from protocol.narration.requests import offered, passes_to
from protocol.narration.spans import plain
from protocol.view import TableView
from server.engine.games.known_games import pass_side, title_of

_WORDS: Mapping[str, tuple[Kind, ...]] = {
    "f": ("fold",),
    "fold": ("fold",),
    "c": ("check", "call"),
    "k": ("check",),
    "check": ("check",),
    "call": ("call",),
    "b": ("bet", "bring_in", "buy"),
    "bet": ("bet",),
    "bring": ("bring_in",),
    "r": ("raise", "complete", "bet"),
    "raise": ("raise", "complete"),
    "complete": ("complete",),
    "buy": ("buy",),
    "y": ("buy",),
    "d": ("decline",),
    "n": ("decline",),
    "decline": ("decline",),
}
ANSWER_WORDS = frozenset(_WORDS) | {"h", "l", "high", "low"}
"""Words that can answer some request; a player who types one out of turn is told so."""
_CARD_VERBS: Mapping[Kind, str] = {"choose": "turn up", "pass": "pass", "discard": "discard"}
_BOUNDS = 1_000_000_000
"""Larger amounts are typing errors."""


# ----------------------------------------------------------------- the question


def question(request: ActionRequested, view: TableView, seconds: float | None = None) -> list[str]:
    """The question and the possible answers, in one to three lines.

    `seconds`: left on the clock; None: as many as the request says.
    """
    match request.decision:
        case "bet":
            lines = [f"Your turn: {', '.join(_bets(request.options))}."]
        case "arrange":
            option = request.options[0]
            lines = [
                f"Keep {words.count(option.count, 'card')} of: {_numbered(option.cards)}.",
                f"Type their {option.count} numbers, the card to be rolled first in front; the last one stays hidden.",
            ]
        case "choose" | "pass" | "discard":
            taker = passes_to(view, request.seat, pass_side(view, request.options[0].count))
            lines = [_choosing(option, taker) for option in request.options if option.cards]
        case "declare":
            ways = [direction for option in request.options for direction in option.directions]
            lines = [f"Declare: {', '.join([f'{way[0]} {way}' for way in ways])}."]
        case "buy":
            lines = [f"A card to buy: {', '.join(_bets(request.options))}."]
        case "game":
            titles = [title_of(view, game) for game in request.options[0].games]
            lines = [f"You deal. Which game? {', '.join([f'{n} {title}' for n, title in enumerate(titles, 1)])}."]
    if request.note:
        lines.append(plain(words.reason(request.note, view)))
    if seconds is None and request.seconds is not None:
        seconds = float(request.seconds)
    if seconds:
        lines[-1] += f" {words.count(ceil(seconds), 'second').capitalize()}."
    return lines


def _bets(options: Sequence[Option]) -> list[str]:
    """``c call 2``, ``r 4 to 8 raise``, ``f fold``, in the order in which they are offered, the fold last."""
    ordered = sorted(options, key=lambda option: option.kind == "fold")
    return [_offer(option, options) for option in ordered]


def _offer(option: Option, options: Sequence[Option]) -> str:
    all_in = " (all in)" if option.all_in else ""
    told = f"{plain(offered(option))}{all_in}"
    match option.kind:
        case "fold":
            free = any(other.kind == "check" for other in options)
            return "fold (write the word, checking is free)" if free else "f fold"
        case "check" | "call" | "bring_in" | "buy" | "decline":
            return f"{option.kind[0]} {told}"
    letter = "b" if option.kind == "bet" and not _forced(options) else "r"
    if option.least < option.most:
        return f"{letter} {option.least} to {letter} {option.most} {option.kind}"
    alone = sum(other.kind == option.kind for other in options) == 1
    return f"{letter}{'' if alone else f' {option.most}'} {told}"


def _forced(options: Sequence[Option]) -> bool:
    """Whether a bring-in is due: then ``b`` is the bring-in, and ``r`` is any bet above it."""
    return any(option.kind == "bring_in" for option in options)


def _choosing(option: Option, taker: str) -> str:
    verb = _CARD_VERBS.get(option.kind, option.kind)
    if option.kind == "discard":
        return f"Discard up to {option.count}, or 0 for none: {_numbered(option.cards)}."
    many = "a card" if option.count == 1 else words.count(option.count, "card")
    to_whom = f" to {taker}" if taker and option.kind == "pass" else ""
    return f"Choose {many} to {verb}{to_whom}: {_numbered(option.cards)}."


def _numbered(cards: Sequence[MaybeCard]) -> str:
    return ", ".join([f"{number} {card_text(one)}" for number, one in enumerate(cards, 1)])


# ------------------------------------------------------------------- the answer


def understand(text: str, request: ActionRequested) -> Action | str | None:
    """The action that was typed.

    A sentence if the text was meant as an answer but cannot be one; None if it is something else.
    """
    typed = text.lower().split()
    if not typed:
        return None
    match request.decision:
        case "bet" | "buy":
            answer = _wager(typed, request.options)
        case "choose" | "pass" | "discard" | "arrange":
            answer = _named(text, request.options[0])
        case "declare":
            answer = _declared(typed, request.options)
        case "game":
            answer = _game(typed, request.options[0])
    if isinstance(answer, Action):
        return refusal_sentence(request, answer) or answer
    return answer


def refusal_sentence(request: ActionRequested, action: Action) -> str:
    """Why the action is not possible, as a sentence; empty when it is."""
    return words.sentence(refusal(request.options, action))


def _wager(typed: Sequence[str], options: Sequence[Option]) -> Action | str | None:
    kinds = _WORDS.get(typed[0])
    if kinds is None:
        return None
    if typed[0] == "b" and _forced(options):
        kinds = ("bring_in",)
    rest = [word for word in typed[1:] if word not in {"to", "in", "for"}]
    offered = [option for kind in kinds for option in options if option.kind == kind]
    if not offered:
        # The engine says it in its own words, with the actions that are possible instead.
        return words.sentence(refusal(tuple(options), Action(kinds[0])))
    kind = offered[0].kind
    if kind == "fold" and typed[0] != "fold" and any(option.kind == "check" for option in options):
        return "Checking is free. Write the whole word fold to fold all the same."
    if kind not in WAGERS:
        return _without_amount(offered[0], rest) or Action(kind)
    fitting = [option for option in offered if option.kind == kind]
    if not rest:
        if len(fitting) == 1 and fitting[0].least == fitting[0].most:
            return Action(kind, to=fitting[0].most)
        amounts = [f"{typed[0]} {option.least}" for option in fitting]
        if len(fitting) == 1:
            amounts += [f"{typed[0]} {fitting[0].most}"]
        return f"Say the amount too: {(' to ' if len(fitting) == 1 else ' or ').join(amounts)}."
    amount = _number(rest[0])
    if amount is None or len(rest) > 1:
        return f"{' '.join(rest)} is not an amount in whole chips."
    return Action(kind, to=amount)


def _without_amount(option: Option, rest: Sequence[str]) -> str:
    """Why an amount does not fit an action that has one price, as a sentence; empty if it fits, or there is none."""
    verb = option.kind.replace("_", " ").capitalize()
    if not rest or (option.amount and rest == [str(option.amount)]):
        return ""
    if option.amount:
        return f"To {verb.lower()} costs {option.amount}, not {' '.join(rest)}. Type {option.kind[0]} alone."
    return f"{verb} takes no amount. Type {option.kind[0]} alone."


def _number(text: str) -> int | None:
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        return None
    return min(int(text), _BOUNDS)


def pick_card(row: Sequence[MaybeCard], word: str) -> Card | None:
    """The card of the row with that number (from 1) or name; None if there is no such card."""
    if word.isascii() and word.isdecimal() and len(word) < 3:
        return row[int(word) - 1] if 1 <= int(word) <= len(row) else None
    named = _card_named(word)
    return named if named in row else None


def _card_named(word: str) -> Card | None:
    """``Kd``, written in any way; None for a word that names no card."""
    try:
        return card(word[:1].upper() + word[1:].lower())
    except ValueError:
        return None


def _named(text: str, option: Option) -> Action | str | None:
    """The cards with these numbers in the list, or with these names; each digit of a word is a number."""
    if option.kind == "discard" and text.strip() == "0":
        return Action("discard", cards=())
    picked: list[MaybeCard] = []
    for word in text.replace(",", " ").replace("-", " ").split():
        named = _card_named(word)
        if named is not None:
            picked.append(named)
        elif word.isascii() and word.isdecimal():
            picked += [pick_card(option.cards, digit) for digit in word]
        else:
            return f"{word} is none of the cards: {_numbered(option.cards)}." if picked else None
    cards = tuple([one for one in picked if one in option.cards and one is not None])
    if len(cards) < len(picked):
        return f"That is none of the cards: {_numbered(option.cards)}."
    return Action(option.kind, cards=cards)


def _declared(typed: Sequence[str], options: Sequence[Option]) -> Action | str | None:
    for option in options:
        for direction in option.directions:
            if typed[0] in (direction, direction[0]):
                return Action("declare", direction=direction)
    if typed[0] in ("b", "both", "h", "l", "high", "low"):
        return words.sentence(refusal(tuple(options), Action("declare")))
    return None


def _game(typed: Sequence[str], option: Option) -> Action | str | None:
    number = _number(typed[0])
    if number is not None:
        if 1 <= number <= len(option.games):
            return Action("game", game=option.games[number - 1])
        return f"The list has {len(option.games)} games."
    return Action("game", game=typed[0]) if typed[0] in option.games else None
