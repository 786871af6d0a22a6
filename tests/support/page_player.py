"""A window with the page that is played as fast as the page lets it: it hears of every change, and presses at once."""

import base64
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from protocol.actions import WAGERS, Action, Option
from protocol.cards import Card
from protocol.events import ActionRequested, Chips
from tests.support.chromium import CALM, BrowserSeat

WATCH = Path(__file__).with_name("page_watch.js")
QUIET, FOLDS = 0.6, 0.25
"""How often a person neither folds nor bets, and how often they fold where that saves chips."""
RELOADS = 0.03
"""How often a page is reloaded in the middle of a decision, besides the first time for each kind."""
FASTER = 4
"""How much faster time goes by in the page, as in `page_watch.js`."""
PATIENCE = 60.0
"""Seconds after which a press that changes nothing is a fault."""
BUY, GO_ON = " ", "n"
"""Keys of buttons that answer no request."""


@dataclass(frozen=True)
class Question:
    """What the server asks: the request, its number, and the titles of games by their id."""

    seq: int
    request: ActionRequested
    titles: dict[str, str]


class PagePlayer:
    """Plays one seat by the buttons of its page, and checks everything that it sees against the server.

    Args:
        server: what is asked of the player with that name now; None for nothing.

    Attributes:
        seat: the window.
        done: (number of the request, the action that was pressed), in order.
        stacks: (number of a request, everybody's chips as the page showed them with its buttons), in order.
        ended: everybody's chips, as the page showed them when a hand was over, in order.
        reloads: how often the page was reloaded in the middle of each kind of decision.
        buttons: how many buttons for options of each kind were compared with the options of the server.
        notes: what the page had to say to the player about something that did not work.
        sockets: for each WebSocket of the window what came through it and what went out, message by message.
    """

    def __init__(
        self,
        browser: Any,
        port: int,
        name: str,
        size: tuple[int, int, str],
        server: Callable[[str], Question | None],
    ) -> None:
        width, height, scheme = size
        self.name = name
        self.done: list[tuple[int, Action]] = []
        self.stacks: list[tuple[int, dict[str, Chips]]] = []
        self.ended: list[dict[str, Chips]] = []
        self.reloads: Counter[str] = Counter()
        self.buttons: Counter[str] = Counter()
        self.notes: list[str] = []
        self.sockets: list[tuple[list[bytes], list[bytes]]] = []
        self._server = server
        self._dice = Random(f"{name} {port}")
        self._shown: dict[str, Any] | None = None
        self._pressed = ""  # what was pressed last: the question, or the key of a button
        self._since = 0.0  # when something changed last, or was pressed
        self.seat = BrowserSeat(browser, port, width, height, scheme, prepare=self._prepare)
        touch = self.seat.tab.tap if width < 800 else self.seat.tab.click
        self._press = partial(touch, force=True)  # at once, wherever it lands
        self.seat.sit(name)

    def _prepare(self, tab: Any) -> None:
        tab.expose_function("shows", self._changed)
        tab.add_init_script(path=str(WATCH))
        tab.on("websocket", self._opened)

    def _opened(self, socket: Any) -> None:
        came: list[bytes] = []
        went: list[bytes] = []
        self.sockets.append((came, went))
        socket.on("framereceived", lambda payload: came.append(payload))
        socket.on("framesent", lambda payload: went.append(payload))

    def _changed(self, shown: dict[str, Any]) -> None:
        before, self._shown, self._since = self._shown, shown, time.monotonic()
        self.notes += shown["wrong"]  # raised here it would go to the page
        if shown["over"] and not (before and before["over"]):
            self.ended.append(dict(shown["chips"]))

    @property
    def payloads(self) -> list[bytes]:
        """Of all WebSockets, in both directions."""
        return [payload for came, went in self.sockets for payload in (*came, *went)]

    def token(self) -> bytes:
        """The token of the seat, which the browser keeps."""
        return base64.b64decode(self.seat.tab.evaluate("localStorage['ryo.token.main']"))

    # ------------------------------------------------------------------ playing

    def react(self) -> bool:
        """Does what there is to do now; whether there was anything."""
        shown = self._shown
        assert [*self.notes, *self.seat.wrong] == [], f"{self.notes} {self.seat.wrong}: {self}"
        if shown is None:
            return False
        if shown["buttons"] and shown["live"] and shown["question"] != self._pressed:
            self._decide(shown)
            return True
        waited = time.monotonic() - self._since
        key = next((key for key in (BUY, GO_ON) if key in shown["others"]), "")
        if not key or shown["buttons"] or waited < (CALM / FASTER if key != self._pressed else 1.5):
            assert waited < PATIENCE or not (shown["buttons"] or key), f"nothing comes of it: {self}"
            return False
        if key == BUY and not self.reloads["no chips"]:
            self._reload("no chips")
            return True
        self._pressed, self._since = key, time.monotonic()
        with suppress(Exception):  # the table goes on by itself, and may have taken the button away
            self._press(f'#answers [data-key="{key}"]', timeout=1000)
        return True

    def _decide(self, shown: dict[str, Any]) -> None:
        asked = self._server(self.name)
        assert asked is not None, f"the server asks nothing: {self}"
        assert shown["question"] == f"a{asked.seq}", f"the server asks {asked}: {self}"
        request = asked.request
        self._check(asked, shown)
        kind = request.decision
        if not self.reloads[kind] or self._dice.random() < RELOADS:
            begun = self._begin(request)
            self._reload(kind)
            again = self._until(lambda now: bool(now["buttons"]) and now["live"])
            assert again["question"] == shown["question"]
            assert begun == _begun(again)
            self._check(asked, again)
            for card in begun[0]:
                self._press(f'#answers [data-card="{card}"]')
        self._pressed = shown["question"]
        self._answer(asked)
        self._since = time.monotonic()

    def _begin(self, request: ActionRequested) -> tuple[list[Card], list[Chips]]:
        """Chooses the first card where there are cards to choose from, and puts in the largest amounts."""
        cards = [card for option in request.options for card in option.cards if card is not None][:1]
        for card in cards:
            self._press(f'#answers [data-card="{card}"]')
        amounts = [option.most for option in request.options if _is_range(option)]
        for entry, amount in zip(self.seat.tab.query_selector_all("#answers input"), amounts, strict=True):
            entry.fill(str(amount))
        return cards, amounts

    def _answer(self, asked: Question) -> None:
        options = asked.request.options
        option = by_chance(self._dice, options)
        number = options.index(option)
        button = f'#answers [data-option="{number}"]'
        cards: tuple[Card, ...] | None = None
        to = direction = game = None
        if option.cards:
            cards = self._choose(option)
        elif option.kind in WAGERS:
            to = option.most
            if option.least != option.most:
                to = self._dice.randint(option.least, option.most)
                self.seat.tab.fill(f"#answers .wager:has([data-option='{number}']) input", str(to))
        elif option.directions:
            direction = self._dice.choice(option.directions)
            button += f" >> nth={option.directions.index(direction)}"
        elif option.games:
            game = self._dice.choice(option.games)
            button += f" >> nth={option.games.index(game)}"
        self._press(button)
        if option.kind == "fold" and any(other.kind == "check" for other in options):
            self._until(lambda now: any("although" in text for _, text, _ in now["buttons"]))
            self._press(button)
        self.done.append((asked.seq, Action(option.kind, to, cards, direction, game)))

    def _choose(self, option: Option) -> tuple[Card, ...]:
        cards = [card for card in option.cards if card is not None]
        least = 0 if option.kind == "discard" else option.count
        chosen = self._dice.sample(cards, self._dice.randint(least, option.count))
        for card in chosen:
            self._press(f'#answers [data-card="{card}"]')
        return tuple(chosen)

    def _reload(self, kind: str) -> None:
        self.reloads[kind] += 1
        self._shown = None
        self._pressed = ""
        self.seat.tab.reload()

    def _until(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What the page shows, as soon as it is as wanted."""
        end = time.monotonic() + PATIENCE
        while self._shown is None or not reached(self._shown):
            assert time.monotonic() < end, f"it never comes: {self}"
            self.seat.tab.wait_for_timeout(2)
        return self._shown

    # ----------------------------------------------------------------- checking

    def _check(self, asked: Question, shown: dict[str, Any]) -> None:
        """Each option has exactly one button, with its amounts."""
        request = asked.request
        wanted = [
            (number, *label) for number, option in enumerate(request.options) for label in _labels(option, asked.titles)
        ]
        assert len(shown["buttons"]) == len(wanted), f"{request}: {self}"
        for (number, text, disabled), (option, words, amounts) in zip(shown["buttons"], wanted, strict=True):
            assert number == option, f"{request}: {self}"
            assert disabled == bool(request.options[number].cards and request.options[number].kind != "discard") or any(
                taken for _, taken in shown["cards"]
            )
            assert words in text, f"{words!r} is not in {text!r}: {self}"
            assert amounts is None or [int(found) for found in re.findall(r"\d+", text)] == amounts, f"{text!r}: {self}"
            self.buttons[request.options[number].kind] += 1
        ranges = [(option.least, option.most) for option in request.options if _is_range(option)]
        assert [(least, most) for least, most, _ in shown["amounts"]] == ranges
        assert [card for card, _ in shown["cards"]] == [card for option in request.options for card in option.cards]
        self.stacks.append((asked.seq, dict(shown["chips"])))

    def __str__(self) -> str:
        return f"{self.name} sees {self._shown}, pressed {self._pressed!r}"


def by_chance(dice: Random, options: Sequence[Option]) -> Option:
    """One of the options: often the quiet one, and a fold sometimes, so that most hands are over soon, and not all."""
    chance = dice.random()
    if chance < QUIET:
        options = [option for option in options if option.kind not in WAGERS and option.kind != "fold"] or options
    elif chance < QUIET + FOLDS and all(option.kind != "check" for option in options):
        options = [option for option in options if option.kind == "fold"] or options
    return dice.choice(options)


def _begun(shown: dict[str, Any]) -> tuple[list[Card], list[Chips]]:
    """The cards that are chosen and the amounts that stand there."""
    return [card for card, taken in shown["cards"] if taken], [amount for _, _, amount in shown["amounts"]]


def _is_range(option: Option) -> bool:
    return option.kind in WAGERS and option.least != option.most


def _labels(option: Option, titles: dict[str, str]) -> list[tuple[str, list[int] | None]]:
    """For each button of an option a word that stands on it, and the numbers on it; None where they are not fixed."""
    if option.directions:
        return [(f"declare {direction}", []) for direction in option.directions]
    if option.games:
        return [(titles[game], None) for game in option.games]
    if option.cards:
        return [("", None)]
    word = option.kind.replace("_", " ")
    if option.kind in WAGERS:
        return [(word, [option.most] if option.least == option.most else None)]
    return [(word, [option.amount] if option.amount else [])]
