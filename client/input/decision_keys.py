"""From key presses to an answer: the keys that an open request allows, and what each of them does.

`offer` makes the keys from the options of the request alone, so a key exists only while its action is allowed. A press
gives either another draft (an amount half typed, cards half arranged) or the finished action. Nothing here knows a
terminal or a clock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from protocol.actions import WAGERS, Action, Direction, Option
from protocol.cards import Card, card_text
from protocol.events import ActionRequested
from protocol.narration.phrases import count, in_words
from protocol.narration.requests import offered, wager_verb
from protocol.narration.spans import plain


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer in the making; every request begins with an empty one.

    Fields:
        wager: the option whose amount is being typed; typed: its digits.
        cards: the cards chosen so far, in the order of choice.
        direction: high or low, before it is declared.
        game: the game to be dealt.
        folding: whether the player wants to fold although checking is free.
    """

    wager: Option | None = None
    typed: str = ""
    cards: tuple[Card, ...] = ()
    direction: Direction | None = None
    game: str | None = None
    folding: bool = False


Answer: TypeAlias = Draft | Action
"""An answer in the making, or the finished one."""


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that a key does while the request is open.

    Fields:
        names: the keys, as prompt_toolkit names them; the first one stands on the screen.
        label: what it does, with its amount.
        answer: the draft or the action that follows.
        listed: whether it stands on the screen; digits of an amount go without saying.
        card: the card that it chooses, if it chooses one.
    """

    names: tuple[str, ...]
    label: str
    answer: Answer
    listed: bool = True
    card: Card | None = None


ANSWER_KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("c",), "check or call"),
    (("b",), "bet, bring in; type the amount where there is a choice"),
    (("r",), "raise, complete"),
    (("f",), "fold; asks back while checking is free"),
    (("1-7",), "choose cards, Enter confirms; Backspace takes one back"),
    (("H", "L"), "keep the best five for high, for low"),
    (("h", "l", "enter"), "declare high or low"),
)
"""The keys of requests in general, for the help; `offer` makes the keys of one request from its options."""
ANSWER_NAMES = frozenset("cbrfhly123456789")
"""The names of keys that answer some request."""


def offer(
    request: ActionRequested,
    draft: Draft,
    card_name: Callable[[Card], str] = card_text,
    game_name: Callable[[str], str] = str,
    best: Mapping[Direction, Sequence[Card]] | None = None,
) -> tuple[Key, ...]:
    """The keys that answer the request, after the keys that made the draft; the two functions make the labels.

    `best`: where a hand is arranged, the best five cards for each direction; a key proposes them.
    """
    match request.decision:
        case "bet":
            return _bet_keys(request.options, draft)
        case "declare":
            return _declare_keys(request.options, draft)
        case "arrange":
            return _arrange_keys(request.options[0], draft, card_name, best or {})
        case "game":
            return _game_keys(request.options[0], draft, game_name)
        case "choose" | "pass" | "discard" | "buy":
            keys: list[Key] = []
            for option in request.options:
                if option.kind in {"buy", "decline"}:
                    price = f" for {option.amount}" if option.amount else ""
                    letter = "b" if option.kind == "buy" else "d"
                    keys.append(Key((letter,), option.kind + price, Action(option.kind)))
                else:
                    keys += _card_keys(option, draft, card_name)
            return tuple(keys)


def pressed(keys: Sequence[Key], name: str) -> Key | None:
    """The one of the keys that has that name."""
    return next((key for key in keys if name in key.names), None)


# ---------------------------------------------------------------------- betting


def _bet_keys(options: Sequence[Option], draft: Draft) -> tuple[Key, ...]:
    if draft.wager is not None:
        return _amount_keys(draft.wager, draft)
    free = any(option.kind == "check" for option in options)
    if draft.folding:
        return (
            Key(("y",), "fold although checking is free", Action("fold")),
            Key(("n", "escape"), "no, stay in", Draft()),
        )
    forced = any(option.kind == "bring_in" for option in options)
    wagers = sorted([option for option in options if option.kind in WAGERS], key=lambda option: option.least)
    keys: list[Key] = []
    for option in options:
        match option.kind:
            case "check" | "call" | "bring_in":
                label = f"{plain(offered(option))}{_all_in(option)}"
                keys.append(Key((option.kind[0],), label, Action(option.kind)))
    for number, option in enumerate(wagers):
        letter = "b" if option.kind == "bet" and not forced else "r"
        if number:
            letter = letter.upper()
        names: tuple[str, ...] = (letter,)
        if not forced and len(wagers) == 1:
            names = (letter, "r" if letter == "b" else "b")
        keys.append(Key(names, _wager_label(option), _wager_answer(option)))
        if number == 0 and option.least < option.most and len(wagers) == 1:
            keys += [Key((digit,), "amount", Draft(wager=option, typed=digit), listed=False) for digit in "123456789"]
    if any(option.kind == "fold" for option in options):
        keys.append(Key(("f",), "fold", Draft(folding=True) if free else Action("fold")))
    return tuple(keys)


def _all_in(option: Option) -> str:
    return " (all-in)" if option.all_in else ""


def _wager_label(option: Option) -> str:
    if option.least == option.most:
        return f"{plain(offered(option))}{_all_in(option)}"
    return f"{wager_verb(option.kind)} {option.least}-{option.most}"


def _wager_answer(option: Option) -> Answer:
    if option.least == option.most:
        return Action(option.kind, to=option.least)
    return Draft(wager=option)


def _amount_keys(wager: Option, draft: Draft) -> tuple[Key, ...]:
    """Typing an amount: digits, Backspace, Up and Down, Home and End, Enter when it is within the bounds."""
    amount = int(draft.typed or "0")
    keys: list[Key] = []
    if wager.least <= amount <= wager.most:
        whole = " (all-in)" if wager.all_in and amount == wager.most else ""
        keys.append(Key(("enter",), f"{wager_verb(wager.kind)} {amount}{whole}", Action(wager.kind, to=amount)))
    for digit in "0123456789":
        typed = (draft.typed + digit)[: len(str(wager.most))].lstrip("0")
        keys.append(Key((digit,), "amount", replace(draft, typed=typed), listed=False))
    more = min(wager.most, max(wager.least, amount + 1))
    less = max(wager.least, min(wager.most, amount - 1))
    keys += [
        Key(("up", "+"), "one more", replace(draft, typed=str(more))),
        Key(("down", "-"), "one less", replace(draft, typed=str(less))),
        Key(("home",), str(wager.least), replace(draft, typed=str(wager.least))),
        Key(("end",), str(wager.most), replace(draft, typed=str(wager.most))),
        Key(("backspace",), "rub out", replace(draft, typed=draft.typed[:-1]), listed=False),
        Key(("escape",), "back", Draft()),
    ]
    return tuple(keys)


# ------------------------------------------------------------------------ cards


def _card_keys(option: Option, draft: Draft, card_name: Callable[[Card], str]) -> list[Key]:
    """Digits choose cards, Enter confirms: everywhere, so that a digit never means two things."""
    verb = {"choose": "turn", "pass": "pass", "discard": "throw away"}.get(option.kind, option.kind)
    keys: list[Key] = []
    named = draft.cards
    ready = len(named) == option.count or (option.kind == "discard" and 0 < len(named) <= option.count)
    if ready:
        row = " ".join(card_name(card) for card in named)
        keys.append(Key(("enter",), f"{verb} {row}", Action(option.kind, cards=named)))
    for number, card in enumerate(_seen(option), start=1):
        answer: Answer
        if card in named:
            answer = replace(draft, cards=tuple(c for c in named if c != card)) if option.count > 1 else draft
        elif option.count == 1:
            answer = replace(draft, cards=(card,))
        else:
            answer = replace(draft, cards=(*named, card)[: option.count])
        keys.append(Key((str(number),), card_name(card), answer, card=card))
    if option.kind == "discard" and not named:
        keys.append(Key(("k",), "keep all", Action("discard", cards=())))
    if named:
        keys.append(Key(("backspace", "escape"), "undo", replace(draft, cards=named[:-1])))
    return keys


def _seen(option: Option) -> tuple[Card, ...]:
    return tuple(card for card in option.cards if card is not None)


BEST_KEYS: Mapping[Direction, str] = {"high": "H", "low": "L"}
"""The keys that propose five cards."""


def _arrange_keys(
    option: Option, draft: Draft, card_name: Callable[[Card], str], best: Mapping[Direction, Sequence[Card]]
) -> tuple[Key, ...]:
    """Digits put cards into the row that will be rolled from the left; a card in the row has no key any more.

    Proposed cards lie in the order of the option, those that everybody has seen before in front, so that rolling them
    tells the others as little as can be.
    """
    named = draft.cards
    keys: list[Key] = []
    if len(named) == option.count:
        keys.append(Key(("enter",), "keep these in this order", Action("arrange", cards=named)))
    else:
        keys += [
            Key((str(number),), card_name(card), replace(draft, cards=(*named, card)), card=card)
            for number, card in enumerate(_seen(option), start=1)
            if card not in named
        ]
    for direction, letter in BEST_KEYS.items():
        five = tuple([card for card in _seen(option) if card in best.get(direction, ())])
        if len(five) == option.count and five != named:
            keys.append(Key((letter,), f"best {direction}", replace(draft, cards=five)))
    if named:
        keys.append(Key(("backspace",), "undo", replace(draft, cards=named[:-1])))
        keys.append(Key(("escape",), "start again", Draft()))
    return tuple(keys)


# ---------------------------------------------------------------- words of choice


def _declare_keys(options: Sequence[Option], draft: Draft) -> tuple[Key, ...]:
    directions = [direction for option in options for direction in option.directions]
    keys: list[Key] = []
    if draft.direction is not None:
        word = draft.direction.upper()
        keys.append(Key(("enter",), f"declare {word}", Action("declare", direction=draft.direction)))
    keys += [Key((direction[0],), direction, replace(draft, direction=direction)) for direction in directions]
    return tuple(keys)


def _game_keys(option: Option, draft: Draft, game_name: Callable[[str], str]) -> tuple[Key, ...]:
    keys: list[Key] = []
    if draft.game is not None:
        keys.append(Key(("enter",), f"deal {game_name(draft.game)}", Action("game", game=draft.game)))
    keys += [
        Key((str(number),), game_name(game), replace(draft, game=game))
        for number, game in enumerate(option.games[:9], start=1)
    ]
    return tuple(keys)


# ------------------------------------------------------------------------- words


def question(request: ActionRequested, draft: Draft, taker: str = "") -> str:
    """The question to the player, without the keys; `taker`: who gets the cards that are passed."""
    match request.decision:
        case "bet":
            if draft.wager is not None:
                verb = wager_verb(draft.wager.kind).capitalize()
                return f"{verb} ({draft.wager.least}-{draft.wager.most}): {draft.typed}_"
            if draft.folding:
                return "Checking is free."
            return "Your turn"
        case "choose":
            return "Turn one card up, then Enter:" if request.options[0].count == 1 else "Turn cards up:"
        case "arrange":
            left = request.options[0].count - len(draft.cards)
            if not draft.cards:
                return f"Keep {in_words(left)}. The order you press is the order they are turned:"
            return f"Keep {in_words(left)} more:" if left else "Ready:"
        case "declare":
            return "Declare:"
        case "pass":
            return f"Pass {count(request.options[0].count, 'card')}{f' to {taker}' if taker else ''}:"
        case "discard":
            return f"Throw away up to {request.options[0].count}:"
        case "buy":
            return "Buy a card?"
        case "game":
            return "You deal. Which game?"
