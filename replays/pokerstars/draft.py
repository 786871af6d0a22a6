"""One hand of a hand history while its lines are read.

A player is named by the beginning of a line (``Ann: raises 2 to 4``). Names may hold anything, so only names that the
lines of the seats have named are looked for, the longest first.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from protocol.cards import Card, MaybeCard, cards, cards_text
from replays.phh.format import BOARD, STANDARD, Move, PhhHand, Verb, cards_word
from replays.pokerstars.words import CARDS, FIRST_DOWN, STREETS

_MONEY = r"(?:[^\d\s(]{0,3}\s?)(?P<amount>\d[\d,.]*\d|\d)"
_TO = _MONEY.replace("amount", "to")
_CARDS = r"\[(?P<cards>(?:[2-9TJQKA][cdhs] ?)+)\]"
_BUTTON = re.compile(r"^Table .*Seat #(?P<seat>\d+) is the button")
_SEAT = re.compile(rf"^Seat (?P<seat>\d+): (?P<name>.+) \({_MONEY} in chips(?:,.*)?\)")
_STREET = re.compile(rf"^\*\*\* (?P<street>(?:3rd|4th|5th|6th|7th) STREET|RIVER) \*\*\*(?: {_CARDS})?", re.IGNORECASE)
_UNCALLED = re.compile(rf"^Uncalled bet \({_MONEY}\) returned to (?P<name>.+)$")
_COLLECTED = re.compile(rf"^ collected {_MONEY} from (?:main pot|side pot(?:-\d+)?|pot)\b")
_ANTE = re.compile(rf"^posts the ante {_MONEY}(?: and is all-in)?$")
_TOLD = re.compile(rf"^ (?:showed|mucked) {_CARDS}")
_SHOWS = re.compile(rf"^shows {_CARDS}")
_WAGER = re.compile(rf"^(?P<verb>bets|calls) {_MONEY}$|^(?P<raises>raises) .*?to {_TO}$")
_BRINGS_IN = re.compile(rf"^brings[- ]in(?: low)? for {_MONEY}$")
_DISCONNECT = re.compile(r" \(disconnect(?:ed)?\)$")
_ALL_IN = re.compile(r" and is all-in$")
_SAID = re.compile(r'^.* said, ".*"$')
_RIVER = len(STREETS) - 1
VARIANTS = {game: variant for variant, game in STANDARD.items()}


class BadLine(ValueError):
    """A line, or what follows from it, cannot be read. The text is a clause that begins with the number of the line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


@dataclass(slots=True)
class _Player:
    """One player: seat, chips at the start, chips put in and got back, cards that the text shows at the end."""

    seat: int
    stack: Decimal
    ante: Decimal = Decimal(0)
    bet: Decimal = Decimal(0)
    put_in: Decimal = Decimal(0)
    got: Decimal = Decimal(0)
    collected: bool = False
    told: tuple[Card, ...] = ()

    def pay(self, amount: Decimal) -> None:
        self.bet += amount
        self.put_in += amount


@dataclass(frozen=True, slots=True)
class _Action:
    """An action of a player; `to`: chips in front of them afterwards; `cards`: what they show."""

    verb: Verb
    name: str
    line: int
    text: str
    to: Decimal = Decimal(0)
    cards: tuple[Card, ...] | None = None


class _Street:
    """One street: the new cards of each player, the card in the middle, and the actions."""

    def __init__(self, line: int, board: tuple[Card, ...]) -> None:
        self.line, self.board = line, board
        self.dealt: dict[str, tuple[Card, ...]] = {}
        self.actions: list[_Action] = []


class Draft:
    """The hand, with amounts as they stand in the file.

    Attributes:
        places: decimals of the amount that has most of them.
    """

    def __init__(self, entry: str, line: int, game: str, small: str, big: str, own: dict[str, object]) -> None:
        self.entry, self.line, self.game, self.own = entry, line, game, own
        self.places = 0
        self.small, self.big = self._money(line, small), self._money(line, big)
        self.button = 0
        self.players: dict[str, _Player] = {}
        self.streets: list[_Street] = []
        self.ends: list[_Action] = []
        self.bring_in: Decimal | None = None
        self.part: Callable[[int, str], None] = self._before
        self.summed_up = False

    def read(self, line: int, text: str) -> None:
        """The next line. Raises BadLine."""
        if not text or _SAID.match(text):
            return
        if text.casefold().startswith("hand cancelled"):
            raise BadLine(line, "the hand was cancelled")
        street = _STREET.match(text)
        if street is not None:
            if len(self.streets) == len(STREETS):
                raise BadLine(line, "there is a street too many")
            self._new_street(line, _cards(line, street["cards"]) if street["cards"] else ())
        elif text.startswith("*** SHOW DOWN ***"):
            if not self.streets:
                raise BadLine(line, "there is no street before the showdown")
            self.part = self._in_street
        elif text.startswith("*** SUMMARY ***"):
            self.part, self.summed_up = self._summary, True
        else:
            self.part(line, text)

    def _money(self, line: int, text: str) -> Decimal:
        """An amount. A comma is one between thousands, or, with two digits behind it, that before the cents."""
        plain = re.sub(r",(?=\d{3}(?:\D|$))", "", text).replace(",", ".")
        try:
            amount = Decimal(plain)
        except InvalidOperation:
            raise BadLine(line, f"{text!r:.40} is no amount") from None
        exponent = amount.normalize().as_tuple().exponent
        self.places = max(self.places, -exponent if isinstance(exponent, int) else 0)
        if self.places > 6 or amount >= 10**12:
            raise BadLine(line, f"{text!r:.40} is no amount that can be played for")
        return amount

    # ------------------------------------------------------------------- lines

    def _speaker(self, text: str, after: str) -> tuple[str, str] | None:
        """(player, the rest of the line) of a line that begins with a name and this text."""
        for name in sorted(self.players, key=len, reverse=True):
            if text.startswith(f"{name}{after}"):
                return name, text[len(name) + len(after) :]
        return None

    def _before(self, line: int, text: str) -> None:
        """A line before the first street: the table, the seats, the antes."""
        if found := _BUTTON.match(text):
            self.button = int(found["seat"])
        elif found := _SEAT.match(text):
            if found["name"] in self.players:
                raise BadLine(line, f"{found['name']!r:.40} sits in two seats")
            self.players[found["name"]] = _Player(int(found["seat"]), self._money(line, found["amount"]))
        elif speaker := self._speaker(text, ": "):
            name, said = speaker
            found = _ANTE.match(said)
            if found is None:
                raise BadLine(line, f"{text!r:.80} is not known before the first card")
            self.players[name].ante = self._money(line, found["amount"])
            self.players[name].put_in += self.players[name].ante

    def _new_street(self, line: int, board: tuple[Card, ...]) -> None:
        self.streets.append(_Street(line, board))
        self.part = self._in_street
        for player in self.players.values():
            player.bet = Decimal(0)

    def _in_street(self, line: int, text: str) -> None:
        """A line of a street or of the showdown."""
        if text.startswith("Dealt to "):
            self._dealt(line, text.removeprefix("Dealt to "))
        elif found := _UNCALLED.match(text):
            if found["name"] not in self.players:
                raise BadLine(line, f"{found['name']!r:.40} has no seat")
            self.players[found["name"]].got += self._money(line, found["amount"])
        elif speaker := self._speaker(text, ": "):
            self._acted(line, *speaker)
        elif (speaker := self._speaker(text, "")) and (found := _COLLECTED.match(speaker[1])):
            player = self.players[speaker[0]]
            player.got += self._money(line, found["amount"])
            player.collected = True

    def _dealt(self, line: int, text: str) -> None:
        speaker = self._speaker(text, " [")
        found = re.search(rf"{_CARDS}$", text)
        if speaker is None or found is None:
            raise BadLine(line, f"{text!r:.80} does not say who was dealt which cards")
        self.streets[-1].dealt[speaker[0]] = _cards(line, found["cards"])

    def _acted(self, line: int, name: str, said: str) -> None:
        text = f"line {line} ({name}: {said:.60})"
        said, player = _DISCONNECT.sub("", said), self.players[name]
        words, all_in = _ALL_IN.sub("", said), said.endswith("is all-in")
        actions = self.streets[-1].actions
        if words in ("folds", "checks") or words.startswith("folds ["):
            actions.append(_Action("f" if words.startswith("folds") else "cc", name, line, text))
        elif found := _BRINGS_IN.match(words):
            amount = self._money(line, found["amount"])
            self.bring_in = None if all_in else amount
            player.pay(amount)
            actions.append(_Action("pb", name, line, text))
        elif found := _WAGER.match(words):
            amount = self._money(line, found["to"] or found["amount"])
            player.pay(amount - player.bet if found["raises"] else amount)
            verb: Verb = "cc" if found["verb"] == "calls" else "cbr"
            actions.append(_Action(verb, name, line, text, player.bet))
        elif found := _SHOWS.match(words):
            player.told = player.told or _cards(line, found["cards"])
            self.ends.append(_Action("sm", name, line, text, cards=_cards(line, found["cards"])))
        elif words.startswith("mucks hand"):
            self.ends.append(_Action("sm", name, line, text))
        elif not words.startswith("doesn't show hand"):
            raise BadLine(line, f"{said!r:.60} is no action that is known")

    def _summary(self, line: int, text: str) -> None:
        """A line of the summary, which may show a hand that was mucked."""
        found = re.match(r"^Seat \d+: ", text)
        speaker = self._speaker(text[found.end() :], "") if found else None
        if speaker is None:
            return
        told = _TOLD.match(re.sub(r"^ \((?:button|small blind|big blind)\)", "", speaker[1]))
        if told is not None:
            self.players[speaker[0]].told = _cards(line, told["cards"])

    # -------------------------------------------------------------------- a hand

    def readings(self, unit: int) -> tuple[PhhHand, ...]:
        """The hand with every seat as the dealer's that may be it. Raises BadLine.

        `unit`: chips for one unit of the money.
        """
        if not self.streets or not self.summed_up:
            raise BadLine(self.line, "the hand breaks off")
        dealt_in = {name: player for name, player in self.players.items() if player.ante or self._was_dealt(name)}
        order = sorted(dealt_in, key=lambda name: dealt_in[name].seat)
        if len({dealt_in[name].seat for name in order}) < len(order) or len(order) < 2:
            raise BadLine(self.line, "it does not say who sits where")
        rows = [order[at:] + order[:at] for at in range(len(order))]
        if self.button:
            first = next((at for at, name in enumerate(order) if dealt_in[name].seat > self.button), 0)
            rows = [rows[first]]
        return tuple([_Reading(self, row, unit).hand() for row in rows])

    def _was_dealt(self, name: str) -> bool:
        return name in self.streets[0].dealt


class _Reading:
    """A draft with one order of dealing."""

    def __init__(self, draft: Draft, names: Sequence[str], unit: int) -> None:
        self.draft, self.names, self.unit = draft, names, unit
        self.numbers = {name: number for number, name in enumerate(names)}
        self.players = [draft.players[name] for name in names]

    def hand(self) -> PhhHand:
        """Raises BadLine."""
        draft = self.draft
        finishing, rake = self._finishing()
        small = self._chips(draft.small)
        return PhhHand(
            variant=VARIANTS[draft.game],
            antes=(self._chips(max(player.ante for player in self.players)),) * len(self.names),
            bring_in=min(max(1, self._chips(self._bring_in())), small),
            small_bet=small,
            big_bet=self._chips(draft.big),
            starting_stacks=tuple([self._chips(player.stack) for player in self.players]),
            actions=tuple(self._moves()),
            players=tuple(self.names),
            seats=tuple([player.seat for player in self.players]),
            finishing_stacks=finishing,
            entry=draft.entry,
            unit=self.unit,
            called=tuple(self.names),
            own={**draft.own, **({"_rake": rake} if rake else {})},
        )

    def _chips(self, amount: Decimal) -> int:
        return int(amount * self.unit)

    def _bring_in(self) -> Decimal:
        """The bring-in; where somebody opened with a bet, or was all in with less, it is not said, and half a bet."""
        if self.draft.bring_in is not None:
            return self.draft.bring_in
        called = [action.to for action in self.draft.streets[0].actions if action.verb == "cc"]
        posted = any(action.verb == "pb" for action in self.draft.streets[0].actions)
        return called[0] if posted and called else self.draft.small / 2

    def _finishing(self) -> tuple[tuple[int, ...] | None, int]:
        """(final stacks without what the room took, that sum); None where several share what it was taken from."""
        after = [self._chips(player.stack - player.put_in + player.got) for player in self.players]
        rake = sum(self._chips(player.stack) for player in self.players) - sum(after)
        winners = [number for number, player in enumerate(self.players) if player.collected]
        if rake < 0 or not winners:
            raise BadLine(self.draft.line, "more is collected than was bet" if winners else "nobody collects the pot")
        if rake and len(winners) > 1:
            return None, rake
        after[winners[0]] += rake
        return tuple(after), rake

    # ------------------------------------------------------------------- moves

    def _moves(self) -> list[Move]:
        rounds = self._rounds()
        moves: list[Move] = []
        for dealt, street in zip(rounds, self.draft.streets, strict=True):
            moves += dealt
            moves += [self._move(action) for action in street.actions]
        return moves + [self._move(action) for action in self.draft.ends if action.name in self.numbers]

    def _move(self, action: _Action) -> Move:
        if action.name not in self.numbers:
            raise BadLine(action.line, f"{action.name!r:.40} was not dealt in")
        return Move(action.verb, self.numbers[action.name], action.cards, self._chips(action.to), action.text)

    def _rounds(self) -> list[list[Move]]:
        """The dealing of each street, with the cards that are known in the end."""
        live = list(self.names)
        rows: list[dict[str, list[MaybeCard]]] = []
        for number, street in enumerate(self.draft.streets):
            rows.append({} if street.board else {name: self._new(number, street, name) for name in live})
            live = [name for name in live if all((one.name, one.verb) != (name, "f") for one in street.actions)]
        for name in self.names:
            self._learn(name, rows)
        rounds = []
        for row, street in zip(rows, self.draft.streets, strict=True):
            moves = [self._deal(name, row[name]) for name in self.names if name in row]
            board = [Move("db", BOARD, street.board, text=f"line {street.line}")] if street.board else []
            rounds.append(moves + board)
        return rounds

    def _deal(self, name: str, row: list[MaybeCard]) -> Move:
        return Move("dh", self.numbers[name], tuple(row), text=f"d dh p{self.numbers[name] + 1} {cards_word(row)}")

    def _new(self, number: int, street: _Street, name: str) -> list[MaybeCard]:
        """The new cards of a player on a street, None for a card that the text does not show."""
        new = street.dealt.get(name, ())
        if number == 0 and len(new) == 1:
            return [*[None] * FIRST_DOWN, *new]
        if len(new) == (FIRST_DOWN + 1 if number == 0 else 1):
            return list(new)
        if number == _RIVER and not new:
            return [None]
        raise BadLine(street.line, f"it does not say which up card {name!r:.40} was dealt")

    def _learn(self, name: str, rows: list[dict[str, list[MaybeCard]]]) -> None:
        """Puts the cards that the text shows at the end in the places of those that it did not show before."""
        held = [card for row in rows for card in row.get(name, ())]
        told = self.draft.players[name].told
        if len(told) + sum(bool(street.board) for street in self.draft.streets) < min(len(held), CARDS):
            return  # only some cards are shown: those are known as shown, not where they lay
        missing = [card for card in told if card not in held]
        if len(missing) > held.count(None):
            raise BadLine(self.draft.line, f"{name!r:.40} shows {cards_text(missing)}, which was not dealt")
        for row in rows:
            for place, card in enumerate(row.get(name, ())):
                if card is None and missing:
                    row[name][place] = missing.pop(0)


def _cards(line: int, text: str) -> tuple[Card, ...]:
    try:
        return tuple(cards(text.replace(" ", "")))
    except ValueError:
        raise BadLine(line, f"{text!r:.40} is no row of cards") from None
