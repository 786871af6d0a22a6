"""A small language for tests of the rules: stack the deck, play lines, read the table.

    table = deal(STUD8, {1: "(As Kd) 2c", 2: "(8h 8s) Kd"}, button=2)
    table.play("1 post, 2 complete 2, 1 call")
    assert table.offers(2) == "fold, check, bet 2"

A row lists the cards of a seat in the order in which it gets them; brackets are for the reader, ``x`` is
any card. A row that ends in ``-`` gets no more cards: that player is going to fold. What a row leaves open is filled
from the rest of the deck.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from protocol import events as ev
from protocol.actions import Action, Direction, Kind, Option
from protocol.cards import DECK, Card, MaybeCard, card, cards
from protocol.events import AnyEvent, Chips, Seat
from protocol.stakes import Stakes
from protocol.table_rules import ShowRule
from server.engine.games.catalogue import BARNEYS
from server.engine.games.game import Game
from server.engine.hand import Hand
from server.engine.steps.betting import Bet
from server.engine.steps.opener import HIGH_BOARD
from server.engine.steps.vocabulary import Ante, Deal, Declare, Step

E = TypeVar("E", bound=AnyEvent)

RICH = 1000
FIXED = replace(BARNEYS.stakes, limit="fixed")
"""Barney's Poker at 2/4."""
SHORT_WORDS = {"post": "bring_in"}


class StackedHand:
    """A running hand and everything that has happened in it."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.events: list[AnyEvent] = hand.start()

    # ------------------------------------------------------------------- doing

    def play(self, script: str) -> "StackedHand":
        """``"1 check, 2 bet 2, 3 call"``; also ``raise 6``, ``choose Kh``, ``pass KhKd``, ``arrange 2c3d4h5s7c`` and
        ``declare low``.
        """
        for line in script.split(","):
            seat, word, *rest = line.split()
            assert int(seat) in self.turn, f"{line}: the turn is with {self.turn}"
            self.events += self.hand.act(int(seat), action(word, *rest))
        return self

    def late(self, seat: Seat) -> "StackedHand":
        """The clock of a seat runs out."""
        self.events += self.hand.time_up(seat)
        return self

    def until(self, street: str) -> "StackedHand":
        """Everybody checks, calls or lets their clock run out until the first bet of that street is to be made."""
        while not (self._fresh() and self.last(ev.RoundOpened).street == street):
            assert not self.hand.over, f"the hand was over before {street}"
            self._quietly()
        return self

    def until_asked(self, decision: str, times: int = 1) -> "StackedHand":
        """Everybody checks, calls or lets their clock run out until such a decision is asked for the n-th time."""
        while True:
            if self.decision == decision:
                times -= 1
                if not times:
                    return self
                while self.decision == decision:
                    self._quietly()
            else:
                assert not self.hand.over, f"the hand was over before anybody had to {decision}"
                self._quietly()

    def to_the_end(self) -> "StackedHand":
        """Everybody checks and calls to the end."""
        while not self.hand.over:
            self._quietly()
        return self

    def quiet_round(self) -> "StackedHand":
        """Everybody checks or calls until this betting round is over."""
        rounds = self.count(ev.RoundOpened)
        while not self.hand.over and self.count(ev.RoundOpened) == rounds and self.decision == "bet":
            self._quietly()
        return self

    def _quietly(self) -> None:
        seat = self.turn[0]
        kinds = [option.kind for option in self.options(seat)]
        calm = next((kind for kind in ("check", "call", "bring_in") if kind in kinds), None)
        self.events += self.hand.act(seat, Action(calm)) if calm else self.hand.time_up(seat)

    def _fresh(self) -> bool:
        """Whether a betting round has just begun."""
        return self.decision == "bet" and isinstance(self.events[-2], ev.RoundOpened)

    # ----------------------------------------------------------------- reading

    @property
    def turn(self) -> list[Seat]:
        """The seats that are asked."""
        return [self.hand.seats[i] for i in self.hand.requests]

    @property
    def decision(self) -> str:
        """What they are asked for."""
        return next((request.decision for request in self.hand.requests.values()), "")

    @property
    def opener(self) -> Seat:
        """The seat that the rule named for the last betting round."""
        return self.last(ev.RoundOpened).opener

    @property
    def first(self) -> Seat:
        """The seat that had to act first in it."""
        return self.last(ev.RoundOpened).first

    def options(self, seat: Seat) -> tuple[Option, ...]:
        """The options of a seat that is asked."""
        return self.hand.requests[self.hand.index[seat]].options

    def offers(self, seat: Seat) -> str:
        """The options as words: ``fold, call 2, raise to 4 or 6``, ``check, bet 1 to 5``, ``all in`` where it is."""
        assert seat in self.turn, f"the turn is with {self.turn}"
        return words(self.options(seat))

    def note(self, seat: Seat) -> str:
        """Why an expected option is missing."""
        return self.hand.requests[self.hand.index[seat]].note

    def won(self) -> dict[Seat, Chips]:
        """Chips won from pots by seat; without the seats that won nothing."""
        won: dict[Seat, Chips] = {}
        for event in self.all(ev.PotAwarded):
            for seat, amount in event.winners:
                won[seat] = won.get(seat, 0) + amount
        return won

    def won_of(self, pot: int) -> dict[Seat, Chips]:
        """Chips won from one pot."""
        won: dict[Seat, Chips] = {}
        for event in self.all(ev.PotAwarded):
            if event.pot == pot:
                for seat, amount in event.winners:
                    won[seat] = won.get(seat, 0) + amount
        return won

    def odd(self) -> list[Seat]:
        """The seats that got a chip which could not be divided."""
        return [seat for event in self.all(ev.PotAwarded) for seat in event.odd]

    def pots(self) -> list[tuple[Chips, tuple[Seat, ...]]]:
        """The pots when they were last gathered."""
        return list(self.last(ev.PotsGathered).pots)

    def returned(self) -> dict[Seat, Chips]:
        """What nobody called."""
        return {event.seat: event.amount for event in self.all(ev.BetReturned)}

    def shown(self) -> list[Seat]:
        """The seats that showed their hands, in this order."""
        return [event.seat for event in self.all(ev.HandShown)]

    def up(self, seat: Seat) -> list[Card]:
        """A seat's board."""
        return self.hand.up[self.hand.index[seat]]

    def down(self, seat: Seat) -> list[Card]:
        """A seat's hidden cards."""
        return self.hand.down[self.hand.index[seat]]

    def all(self, kind: type[E]) -> list[E]:
        """Every event of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind: type[E]) -> E:
        """The last event of a kind."""
        return self.all(kind)[-1]

    def count(self, kind: type[AnyEvent]) -> int:
        """How many events of a kind."""
        return len(self.all(kind))


def action(word: str, *rest: str) -> Action:
    """An action as it is written in a script."""
    kind = cast("Kind", SHORT_WORDS.get(word, word))
    if kind in ("bet", "raise", "complete"):
        return Action(kind, to=int(rest[0]))
    if kind in ("choose", "arrange", "pass"):
        return Action(kind, cards=tuple(cards("".join(rest))))
    if kind == "declare":
        return Action(kind, direction=cast("Direction", rest[0]))
    return Action(kind)


def words(options: Iterable[Option]) -> str:
    """Options as a reader of the rules would say them."""
    parts = []
    for kind, same in groupby(options, key=lambda option: option.kind):
        row = list(same)
        to = "" if kind == "bet" else "to "
        if kind in ("bet", "raise", "complete"):
            sizes = [_size(option) + " all in" * option.all_in * (option.least == option.most) for option in row]
            parts.append(f"{kind} {to}{' or '.join(sizes)}")
        elif kind in ("call", "bring_in"):
            parts.append(f"{'post' if kind == 'bring_in' else kind} {row[0].amount}{' all in' * row[0].all_in}")
        else:
            parts.append(kind)
    return ", ".join(parts)


def _size(option: Option) -> str:
    return str(option.least) if option.least == option.most else f"{option.least} to {option.most}"


# -------------------------------------------------------------------- stacking


def deal(
    game: Game,
    rows: Mapping[Seat, str],
    *,
    button: Seat = 8,
    chips: Chips | Mapping[Seat, Chips] = RICH,
    stakes: Stakes | None = None,
    common: str = "",
    show: ShowRule = "rule",
    **changes: Any,
) -> StackedHand:
    """A hand in which each seat gets the cards of its row; `changes` are to the stakes of the game."""
    stakes = replace(stakes or game.stakes, **changes)
    given = chips if isinstance(chips, Mapping) else {}
    every = chips if isinstance(chips, int) else RICH
    stacks = [(seat, given.get(seat, every)) for seat in rows]
    deck = stack(game, rows, button, common)
    return StackedHand(Hand(game, stakes, stacks, button, deck, show=show))


def stack(game: Game, rows: Mapping[Seat, str], button: Seat, common: str = "") -> list[Card]:
    """The deck that gives each seat its row, if those whose rows end in ``-`` fold in time."""
    order = sorted(rows, key=lambda seat: (seat <= button, seat))
    stops = {seat for seat in rows if rows[seat].rstrip().endswith("-")}
    named = {seat: _row(rows[seat]) for seat in order}
    wanted = [c for row in named.values() for c in row if c is not None] + cards(common)
    assert len(set(wanted)) == len(wanted), "a card is given twice"
    rest = [c for c in DECK if c not in set(wanted)]
    deck: list[Card] = []
    for step in game.steps:
        if not isinstance(step, Deal):
            continue
        takers = [seat for seat in order if named[seat] or seat not in stops]
        if 52 - len(deck) < len(takers) * (step.down + step.up):
            deck.append(card(common) if common else rest.pop())
            continue
        for _ in range(step.down + step.up):
            for seat in takers:
                given = named[seat].pop(0) if named[seat] else None
                deck.append(rest.pop(0) if given is None else given)
    assert not any(named.values()), "a row is longer than the game"
    return deck + [c for c in DECK if c not in deck]


def _row(text: str) -> list[MaybeCard]:
    pure = text.translate(str.maketrans("", "", "()- "))
    return [None if text == "x" else card(text) for text in re.findall("x|..", pure)]


# ----------------------------------------------------------- games cut short


def cut_short(game: Game, *steps: Step) -> Game:
    """A game of some steps that ends with the showdown of another."""
    return Game(
        id=game.id,
        title=game.title,
        most_players=game.most_players,
        stakes=game.stakes,
        steps=(Ante(), *steps, game.showdown),
    )


ONE_ROUND = cut_short(BARNEYS, Deal(down=5), Bet("small", opens=HIGH_BOARD))
"""Five down cards and one betting round; without boards the first from the dealer's left opens."""


def one_round(players: int, unit: Chips = 2, chips: Chips | Mapping[Seat, Chips] = RICH, **changes: Any) -> StackedHand:
    """A betting round in which seat 1 is the first to act and no house rule interferes."""
    rows = dict.fromkeys(range(1, players + 1), "")
    stakes = Stakes(ante=0, small=unit, big=unit * 2)
    return deal(ONE_ROUND, rows, button=players, chips=chips, stakes=stakes, **changes)


def contest(
    game: Game,
    rows: Mapping[Seat, str],
    put: Chips | Mapping[Seat, Chips],
    *,
    button: Seat,
    dead: Chips = 0,
    declared: Mapping[Seat, str] | None = None,
    show: ShowRule = "rule",
    **changes: Any,
) -> StackedHand:
    """A game cut short to its showdown: everybody is all-in for what they put in, and the rest is paid at once.

    `dead` chips are of a player (seat 9) who has folded.
    """
    down = 7 if declared is None else 5
    steps: list[Step] = [Deal(down=down), Bet("small", opens=HIGH_BOARD)]
    if declared is not None:
        steps.append(Declare())
    short = cut_short(game, *steps)
    shares = put if isinstance(put, Mapping) else dict.fromkeys(rows, put)
    seats = dict(rows)
    chips = dict(shares)
    if dead:
        seats[9] = ""
        chips[9] = dead + 1
    table = deal(
        short, seats, button=button, chips=chips, show=show,
        limit="spread", ante=dead or max(shares.values()), least=1, most=1_000_000, cap=None, no_check_raise=False,
        **changes,
    )  # fmt: skip
    while table.decision == "bet":
        (seat,) = table.turn
        options = table.options(seat)
        if seat == 9:
            table.play("9 fold")
        elif options[-1].all_in and options[-1].kind != "call":
            table.play(f"{seat} {options[-1].kind} {options[-1].most}")
        else:
            table.play(f"{seat} call")
    for seat, direction in (declared or {}).items():
        table.play(f"{seat} declare {direction}")
    assert table.hand.over
    return table
