"""Play-outs of a decision: every option on the same deals, to the end of the hand."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from protocol.actions import Action
from protocol.cards import Card
from protocol.events import Acted, ActionRequested, AnyEvent, Seat
from protocol.view import TableView
from replays.chances.deals import without_own
from replays.chances.memory import remember
from replays.hand_reading.habits import ORDINARY, STAGES, Habits
from replays.hand_reading.reading import Deal, read_hands
from replays.playout.betting_round import FOLD, STAY
from replays.playout.candidates import candidates
from replays.playout.light_table import LightTable
from replays.playout.payout import payouts
from replays.playout.playing import play_to_the_end, take
from replays.playout.policy import policy_of
from replays.playout.position import Position, Unknown
from replays.playout.values import OptionValues
from server.engine.games.game import Game
from server.engine.games.known_games import game_at
from server.engine.steps.vocabulary import Deal as DealStep
from server.engine.steps.vocabulary import Draw

DEALS = 100
"""Deals for a decision where the caller does not say. One option of one deal takes 0.1 to 0.4 ms at six seats."""
PORTION = 20
"""Deals after which it is looked at whether the best option is clear."""


class Deals(Protocol):
    """What the cards of others may be: a `Reading`, or something that bends one."""

    @property
    def opponents(self) -> tuple[Seat, ...]:
        """The seats whose cards it deals."""
        ...

    def deals(self, count: int) -> Iterator[Deal]:
        """So many deals, the same ones every time."""
        ...


def option_values(
    view: TableView,
    seat: Seat,
    request: ActionRequested,
    events: Sequence[AnyEvent],
    *,
    reading: Deals | None = None,
    deals: int = DEALS,
    seed: int = 0,
    options: Sequence[Action] = (),
    clear: float | None = None,
    habits: Habits | None = None,
) -> OptionValues | None:
    """What each option is worth to the seat; None where nothing can be played out.

    Args:
        view: the table as the seat sees it; what it does not see is not used.
        seat, request: whose decision.
        events: of the running hand as the seat has seen them, from `HandStarted` on.
        reading: what the seat believes of the cards of the others (`replays.hand_reading.reading.read_hands`). Without
            it every card that the seat has not seen is as likely in one place as in another, whatever anybody did.
        deals: how many deals each option is played on.
        seed: another number, of 64 bits, gives other deals; of a `reading` that is handed in, its own seed counts.
        options: the answers that are played out; by default those of `candidates`.
        clear: whoever only wants to know which option is best needs no more deals, once it is better than every other
            one by so many standard errors; looked at after each `PORTION`. None: all deals are played.
        habits: what the seat has seen of the players in earlier hands; they go on as they usually do.

    Nothing can be played out in a game that is not known, in one that is not followed from its beginning, and where
    the next game is chosen. The same hand gives the same values.
    """
    game = game_at(view)
    if game is None:
        return None
    try:
        position = Position(view, seat, request, events, game)
    except Unknown:
        return None
    if habits is not None:
        own = [ORDINARY] * len(STAGES)
        position.table.tendencies = [own if one == seat else habits.tendencies(one) for one in position.seats]
    compared = tuple(options) or candidates(request, position.table, position.hero, policy_of(game))
    if reading is None:
        silent = [event for event in events if not isinstance(event, Acted)]
        reading = read_hands(view, seat, silent, memory=remember(events, seat), holdings=deals, seed=seed)
    if not compared or not reading.opponents:
        return None
    playing = _Playing(position, game, compared)
    for number, deal in enumerate(reading.deals(deals), 1):
        playing.play(deal)
        if clear is not None and not number % PORTION and _is_clear(playing.values(), clear):
            break
    return playing.values()


def _is_clear(values: OptionValues, errors: float) -> bool:
    best = values.best
    differences = [values.difference(best, option) for option in values.options if option != best]
    return all(chips > errors * error for chips, error in differences)


class _Playing:
    """Plays the options of one decision, deal after deal."""

    def __init__(self, position: Position, game: Game, options: Sequence[Action]) -> None:
        self._position = position
        self._game = game
        self._options = options
        self._policy = policy_of(game)
        self._to_come = _to_come(position.table)
        self._played = 0
        self.results: list[list[int]] = [[] for _ in options]

    def values(self) -> OptionValues:
        """What the options are worth on the deals so far."""
        return OptionValues(tuple(self._options), tuple([tuple(row) for row in self.results]))

    def play(self, deal: Deal) -> None:
        """Plays every option on one deal."""
        position = self._position
        start, hero = position.table, position.hero
        for i in start.live:
            if i != hero:
                start.down[i] = list(deal.hidden[position.seats[i]])
        start.known = [None] * len(start.chips)
        stocks = _stocks(start, deal.rest, self._to_come)
        self._played += 1
        start.moods = [_mood(self._played, i) for i in range(len(start.chips))]
        for option, row in zip(self._options, self.results, strict=True):
            if option.kind == "fold":
                row.append(0)
                continue
            table = start.copy()
            table.stock = next(stocks)
            play_option(table, hero, option)
            play_to_the_end(table, self._policy, hero)
            won = payouts(table, self._game.showdown)[hero] if hero in table.live else 0
            row.append(won + table.chips[hero] - start.chips[hero])


def play_option(table: LightTable, hero: int, option: Action) -> None:
    """The hero's own decision."""
    if option.cards is not None:
        table.made = {hero: option.cards}
    elif option.direction is not None:
        table.declared[hero] = option.direction
    else:
        choice = FOLD if option.kind == "fold" else STAY if option.to is None else option.to
        if not take(table, hero, choice):
            table.pending = 0


def _mood(number: int, player: int) -> int:
    """The mood of a player in the deal of that number: 32 bits that look like chance, the same ones every time.

    The constants are those of a well-mixing hash of 32 bits (Ettinger's lowbias32).
    """
    bits = number * 64 + player
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        bits = (bits ^ bits >> shift) * factor & 0xFFFFFFFF
    return bits ^ bits >> 16


def _to_come(table: LightTable) -> int:
    """How many cards a player can still be dealt."""
    count = 0
    for place in range(table.at, len(table.steps)):
        step = table.steps[place]
        if isinstance(step, DealStep) and place > table.at:
            count += step.down + step.up
        elif isinstance(step, Draw):
            count += step.most
    return count


def _stocks(table: LightTable, rest: Sequence[Card], to_come: int) -> Iterator[list[Iterator[Card]]]:
    """The cards that each player will be dealt, again and again for one option after the other.

    A player gets the same cards whoever else is still in. So an option that makes others fold does not change the
    cards of those who stay, and the options differ by what they do and not by luck. Only where the deck may run short
    (`rules.md` 6) all are dealt from one row, as at a table. Where cards that lie face up are in `rest` again, nobody
    gets one that they hold already.
    """
    live, count = table.live, len(table.chips)
    held = {i: {*table.up[i], *table.down[i]} for i in live}
    if len(live) * to_come > len(rest):
        deck = [card for card in rest if not any(card in own for own in held.values())]
        while True:
            yield [iter(deck)] * count
    columns: list[Sequence[Card]] = [()] * count
    for place, i in enumerate(live):
        columns[i] = without_own(held[i], rest[place * to_come : (place + 1) * to_come], reversed(rest))
    while True:
        yield [iter(column) for column in columns]
