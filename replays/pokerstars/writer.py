"""Recorded hands in the text format of PokerStars, which trackers and other programs read.

The text has the cards that its viewer saw, and no chat. Its times are UTC and that of New York, as the format wants.
Amounts are chips, as at tables for play money. The format has no words for other games than those of
`replays.pokerstars.words.TITLES`, and none for spread limit.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from protocol import events as ev
from protocol.cards import Card, MaybeCard, cards_text
from protocol.events import AnyEvent, Chips, Seat
from protocol.journal.records import StepRecord
from protocol.narration.hand_names import one, without_kicker
from protocol.sanitize import clean
from replays.pokerstars.words import CARDS, FOLDED_ON, STREETS, TITLES

NAME_LIMIT = 40
_PUNCTUATION = str.maketrans({":": ";", "[": "(", "]": ")", "'": "’"})
"""What means something in the format, and must not stand in a name."""
_ACE, _FIVE = 12, 5


@dataclass(frozen=True, slots=True)
class Written:
    """The texts of the hands, and what was left out.

    Fields:
        void, unfinished: how many hands were void, or are not over.
        others: the titles of the games and limits for which the format has no words, with the number of their hands.
    """

    texts: tuple[str, ...]
    void: int
    unfinished: int
    others: dict[str, int]


def hand_texts(steps: Iterable[StepRecord], only: int | None = None) -> Written:
    """The hands in these steps as text, or only the hand that starts with event number `only`.

    The steps are as their viewer saw them (`replays.playback.steps_as_seen`).
    """
    texts: list[str] = []
    others: dict[str, int] = defaultdict(int)
    names: dict[Seat, str] = {}
    void = seq = 0
    table, seats = "", 8
    hand: _Hand | None = None
    running = False
    for step in steps:
        if step.view is not None:  # a player's file, which continues with another hand here
            table, seats = step.view.table, len(step.view.seats)
            names = {seat.seat: seat.name for seat in step.view.players()}
            _keep(hand, running, texts)
            hand, running = None, False
        for event in step.events:
            seq += 1
            match event:
                case ev.TableOpened():
                    table, seats = event.table, event.rules.seats
                case ev.PlayerSeated():
                    names[event.seat] = event.name
                case ev.HandStarted():
                    _keep(hand, running, texts)
                    hand, running = None, False
                    if only not in (None, seq):
                        continue
                    running = True
                    if missing := _missing_words(event):
                        others[missing] += 1
                    else:
                        hand = _Hand(event, _plain_names(event, names), _plain(table), seats, step.at)
                case ev.HandVoided():
                    void += running
                    hand, running = None, False
                case ev.HandEnded():
                    running = False
                case _:
                    pass
            if hand is not None:
                hand.add(event)
    _keep(hand, running, texts)
    return Written(tuple(texts), void, int(running), dict(others))


def _keep(hand: "_Hand | None", running: bool, texts: list[str]) -> None:
    """Keeps the text of a hand that is over: cards are shown behind its end, too."""
    if hand is not None and not running:
        texts.append(hand.text())


def _missing_words(start: ev.HandStarted) -> str:
    """The title of a game or limit for which the format has no words; empty if it has them."""
    if start.game not in TITLES:
        return clean(start.title, 60)
    return "" if start.stakes.limit == "fixed" else f"{clean(start.title, 60)} in spread limit"


def _plain(text: str) -> str:
    return clean(text, NAME_LIMIT).translate(_PUNCTUATION)


def _plain_names(start: ev.HandStarted, names: dict[Seat, str]) -> dict[Seat, str]:
    """Names in which nothing means something in the format, and no two alike."""
    plain: dict[Seat, str] = {}
    for seat, _ in sorted(start.stacks):
        wanted = name = _plain(names.get(seat, "")) or f"seat {seat}"
        number = 2
        while name in plain.values():
            name, number = f"{wanted} {number}", number + 1
        plain[seat] = name
    return plain


@dataclass(slots=True)
class _Player:
    """One player of a hand.

    Fields:
        cards: in the order of dealing, None for those that the viewer does not know; up: those that lie face up.
        put_in: whether they put in more than the ante.
        folded: the street on which they folded.
        made: the hand that they showed, in words; shown_after: down cards that they showed by choice behind the end.
    """

    name: str
    stack: Chips
    cards: list[MaybeCard] = field(default_factory=list)
    up: list[Card] = field(default_factory=list)
    put_in: bool = False
    folded: int | None = None
    made: str = ""
    shown: bool = False
    shown_after: tuple[Card, ...] = ()
    mucked: bool = False
    won: Chips = 0

    def learn(self, cards: Sequence[Card]) -> None:
        """Down cards become known."""
        for card in cards:
            if card not in self.cards and None in self.cards:
                self.cards[self.cards.index(None)] = card

    @property
    def known(self) -> bool:
        return bool(self.cards) and None not in self.cards


class _Hand:
    """The lines of a hand while its events are read."""

    def __init__(self, start: ev.HandStarted, names: dict[Seat, str], table: str, seats: int, at: int) -> None:
        self.start = start
        self.players = {seat: _Player(names[seat], chips) for seat, chips in sorted(start.stacks)}
        self.lines = [
            _header(start, at),
            f"Table '{table}' {seats}-max (Play Money) Seat #{start.button} is the button",
        ]
        self.lines += [f"Seat {seat}: {one.name} ({one.stack} in chips)" for seat, one in self.players.items()]
        self.street = -1
        self.level = 0
        self.community: list[Card] = []
        self.pots: dict[int, Chips] = defaultdict(int)
        self.awards: list[ev.PotAwarded] = []
        self.showdown = self.over = False

    def add(self, event: AnyEvent) -> None:
        """One event of the hand, or one behind its end."""
        match event:
            case ev.AntesPosted():
                for seat, amount in sorted(event.antes):
                    if amount:
                        all_in = " and is all-in" * (amount == self.players[seat].stack)
                        self._says(seat, f"posts the ante {amount}{all_in}")
            case ev.CardsDealt():
                self._dealt(event)
            case ev.CommunityDealt():
                self.community.append(event.card)
                self._new_street(f" [{cards_text([event.card])}]")
            case ev.Acted():
                self._acted(event)
            case ev.BetReturned():
                self.lines.append(f"Uncalled bet ({event.amount}) returned to {self.players[event.seat].name}")
            case ev.HandShown():
                self._shown(event)
            case ev.HandMucked():
                self._begin_showdown()
                self.players[event.seat].mucked = True
                self._says(event.seat, "mucks hand")
            case ev.PotAwarded():
                self.awards.append(event)
                self.pots[event.pot] += event.amount
            case ev.HandEnded():
                self._pay()
                self.over = True
            case _:
                pass

    def _says(self, seat: Seat, words: str) -> None:
        self.lines.append(f"{self.players[seat].name}: {words}")

    # ----------------------------------------------------------------- streets

    def _new_street(self, board: str = "") -> None:
        self.street, self.level = self.street + 1, 0
        self.lines.append(f"*** {STREETS[self.street]} ***{board}")

    def _dealt(self, event: ev.CardsDealt) -> None:
        self._new_street()
        for seat, down, up in sorted(event.cards):
            player = self.players[seat]
            before = player.cards if player.known else player.up
            new = [card for card in (*down, *up) if card is not None]
            if new:
                old = f" [{cards_text(before)}]" * bool(before)
                self.lines.append(f"Dealt to {player.name}{old} [{cards_text(new)}]")
            player.cards += [*down, *up]
            player.up += up

    def _acted(self, event: ev.Acted) -> None:
        player = self.players[event.seat]
        match event.action:
            case "fold":
                words, player.folded = "folds", self.street
            case "check":
                words = "checks"
            case "call":
                words = f"calls {event.amount}"
            case "bring_in":
                words = f"brings in for {event.amount}"
            case _ if self.level:
                words = f"raises {event.to - self.level} to {event.to}"
            case _:
                words = f"bets {event.amount}"
        self.level = max(self.level, event.to)
        player.put_in = player.put_in or event.amount > 0
        self._says(event.seat, f"{words}{' and is all-in' * event.all_in}")

    # ---------------------------------------------------------------- the end

    def _begin_showdown(self) -> None:
        if not self.showdown:
            self.showdown = True
            self.lines.append("*** SHOW DOWN ***")

    def _shown(self, event: ev.HandShown) -> None:
        player = self.players.get(event.seat)
        if player is None:
            return
        player.learn(event.cards)
        if self.over:  # by choice, when the hand is over
            player.shown_after = event.cards
            return
        self._begin_showdown()
        player.shown, player.made = True, self._made(player, event.values)
        self._says(event.seat, f"shows [{cards_text(player.cards)}] ({player.made})")

    def _made(self, player: _Player, values: Sequence[tuple[str, str]]) -> str:
        """``HI: a pair of queens; LO: 8,7,5,4,2`` in the words of the format, with our names of high hands."""
        cards = [card for card in (*player.cards, *self.community) if card is not None]
        words = []
        for ranking, name in values:
            if name.startswith("no "):
                continue
            high = ranking == "high"
            text = without_kicker(one(name)) if high else _low(cards) or name
            words.append(
                f"{'HI' if high else 'LO'}: {text}" if self.start.game == "stud8" else f"{'Lo: ' * (not high)}{text}"
            )
        return "; ".join(words)

    def _pay(self) -> None:
        for award in self.awards:
            for seat, amount in award.winners:
                self.players[seat].won += amount
                self.lines.append(f"{self.players[seat].name} collected {amount} from {self._pot(award.pot)}")
        if self.showdown and self.start.game == "stud8" and all(award.part == "whole" for award in self.awards):
            self.lines += ["No low hand qualified"] * all("LO: " not in one.made for one in self.players.values())

    def _pot(self, number: int) -> str:
        if len(self.pots) == 1:
            return "pot"
        if number == 0:
            return "main pot"
        return "side pot" if len(self.pots) == 2 else f"side pot-{number}"

    def text(self) -> str:
        """The whole text of the hand, which ends with its summary."""
        total = f"Total pot {sum(self.pots.values())}"
        if len(self.pots) > 1:
            parts = [f"{self._pot(number).capitalize()} {self.pots[number]}." for number in sorted(self.pots)]
            total = f"{total} {' '.join(parts)}"
        lines = [*self.lines, *self._by_choice(), "*** SUMMARY ***", f"{total} | Rake 0"]
        if self.community:
            lines.append(f"Board [{cards_text(self.community)}]")
        lines += [f"Seat {seat}: {player.name} {self._summed_up(player)}" for seat, player in self.players.items()]
        return "\n".join(lines) + "\n"

    def _by_choice(self) -> Iterator[str]:
        """What is shown when the hand is over, and who took a pot without showing."""
        for player in self.players.values():
            if player.shown_after:
                yield f"{player.name}: shows [{cards_text(player.shown_after)}]"
            elif player.won and not player.shown:
                yield f"{player.name}: doesn't show hand"

    def _summed_up(self, player: _Player) -> str:
        cards = (
            f" [{cards_text(player.cards)}]"
            if player.known and len(player.cards) + len(self.community) == CARDS
            else ""
        )
        if player.folded is not None:
            unpaid = " (didn't bet)" if player.folded == 0 and not player.put_in else ""
            return f"folded on the {FOLDED_ON[player.folded]}{unpaid}"
        if player.mucked:
            return f"mucked{cards}"
        if not player.shown:
            return f"collected ({player.won})"
        return f"showed{cards} and {f'won ({player.won})' if player.won else 'lost'} with {player.made}"


def _header(start: ev.HandStarted, at: int) -> str:
    """The first line. The number of the hand is made from its time and its number at the table."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    when = f"{moment:%Y/%m/%d %H:%M:%S} UTC"
    with suppress(ZoneInfoNotFoundError):  # some systems have no list of time zones
        when = f"{when} [{moment.astimezone(ZoneInfo('America/New_York')):%Y/%m/%d %H:%M:%S} ET]"
    number = at // 1000 * 1000 + start.hand % 1000
    stakes = f"{start.stakes.small}/{start.stakes.big}"
    return f"PokerStars Hand #{number}:  {TITLES[start.game]} Limit ({stakes}) - {when}"


def _low(cards: Sequence[Card]) -> str:
    """``8,7,5,4,A``: the five lowest ranks; empty where there are not five."""
    ranks = sorted({(card >> 2) + 1 if card >> 2 != _ACE else 0 for card in cards})[:_FIVE]
    return ",".join("A23456789TJQK"[rank] for rank in reversed(ranks)) if len(ranks) == _FIVE else ""
