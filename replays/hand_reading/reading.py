"""Deals as likely as the actions of the opponents say: the hidden cards of everybody, from what one seat has seen.

The theory is sampling with importance weights (SIR). For each opponent some holdings are drawn at random from the
unseen cards, and weighed by what the opponent did (`holdings`). A deal takes one holding of each, the likelier ones
more often; holdings that share a card do not go together and are taken anew. No weight falls below a small part of the
largest, because nobody's actions are certain.

Random deals differ more from each other than they must: strong holdings may come in a row, or one ace in every third
deal. So the deals go evenly over the holdings, which lie in the order of their strength, and over the cards that come
next: each deal is one step further than the one before, by a step of its own for each place, and such steps meet every
part of a line equally often (Weyl; quasi-Monte Carlo sampling). Where a deal starts is random.

The numbers follow from what the seat has seen, and from nothing else: the same hand gives the same deals.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, cycle, islice, pairwise, permutations
from math import isqrt

from protocol import events as ev
from protocol.cards import DECK, Card
from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from protocol.visibility import project
from replays.chances.deals import shuffled
from replays.chances.memory import NOTHING, Memory
from replays.chances.spot import SeenHand, Spot, spot_of
from replays.hand_reading.betting_history import History
from replays.hand_reading.habits import Habits
from replays.hand_reading.holdings import Dice, Holding, Opponent
from server.engine.games.game import Game
from server.engine.games.known_games import game_at
from server.engine.steps.vocabulary import Draw, Pass

HOLDINGS = 60
"""Holdings that are drawn for one opponent."""
ALL_HOLDINGS = 180
"""Holdings that are drawn for all opponents together, where they are many: the time for a reading is limited."""
LEAST = 0.002
"""No weight is below this part of the largest."""
_TRIES = 8
"""How often a holding is taken anew because a card of it is taken."""
_ORDERS = 24
"""Orders of the same cards that are tried, for it is not known which came last."""
_MASK = (1 << 64) - 1
_LINE = 1 << 32
"""Places on a line over which deals go evenly."""
_STEPS = [isqrt(prime << 64) % _LINE for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)]
"""The part of each root behind the point: none of them is a fraction, and none follows from the others."""
_EVEN_CARDS = 8
"""Cards to come over which deals go evenly; those after them are random."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What may be hidden from the seat.

    Fields:
        hidden: by seat, the hidden cards of each live opponent, as many as the view shows; of a hand that was kept,
            in the order in which they will be rolled.
        rest: all other cards that the seat has not seen; the next card of the deck is the first. As many as will be
            dealt are in random order.
    """

    hidden: dict[Seat, tuple[Card, ...]]
    rest: list[Card]


class Reading:
    """What a seat believes of the hidden cards of its opponents. Made by `read_hands`.

    Attributes:
        seat: who reads; opponents: the live seats whose cards are read.
    """

    def __init__(
        self,
        seat: Seat,
        unseen: Sequence[Card],
        to_come: int,
        opponents: dict[Seat, Opponent],
        seed: int,
        count: int,
        belief: float = 1.0,
    ) -> None:
        self.seat = seat
        self.opponents = tuple(opponents)
        self._unseen = unseen
        self._to_come = to_come
        self._seed = seed
        self._of = opponents
        self._belief = belief
        self._holdings: dict[Seat, list[Holding]] = {}
        self._sums: dict[Seat, list[float]] = {}
        for place, (other, opponent) in enumerate(opponents.items()):
            drawn = _draws(unseen, opponent.hand.now, _apart(seed, place), count)
            dice = dice_of(_apart(seed, ~place))
            holdings = sorted([opponent.holding(cards, dice) for cards in drawn], key=opponent.strength)
            self._holdings[other] = holdings
            self._sums[other] = list(accumulate(self._believed([one.weight for one in holdings])))

    def _believed(self, weights: Sequence[float]) -> list[float]:
        """The weights as the seat believes in them, none of them below a small part of the largest."""
        least = LEAST * max(weights)
        return [max(least, weight) ** self._belief for weight in weights]

    def again(self, number: int) -> "Reading":
        """The same reading from other holdings; each number draws its own."""
        count = max([len(some) for some in self._holdings.values()], default=0)
        seed = _apart(self._seed, 1000 + number)
        return Reading(self.seat, self._unseen, self._to_come, self._of, seed, count, self._belief)

    def deals(self, count: int) -> Iterator[Deal]:
        """So many deals, the same ones every time."""
        for held, rest in self.draws(count):
            yield Deal({other: one.down for other, one in held.items()}, rest)

    def draws(self, count: int) -> Iterator[tuple[dict[Seat, Holding], list[Card]]]:
        """The same as `deals`, with everything about the holdings: (those of the opponents, the deck below)."""
        dice = dice_of(self._seed ^ _MASK)
        order = list(self.opponents)
        lines = [next(dice) << 1 for _ in range(len(order) + min(self._to_come, _EVEN_CARDS))]
        for number in range(count):
            even = [(start + number * step) % _LINE for start, step in zip(lines, cycle(_STEPS), strict=False)]
            taken: set[Card] = set()
            held: dict[Seat, Holding] = {}
            for turn in range(len(order)):  # nobody is always the first to take cards
                place = (turn + number) % len(order)
                other = order[place]
                held[other] = self._one_of(other, taken, even[place], dice)
                taken.update(held[other].drawn)
            rest = [card for card in self._unseen if card not in taken]
            for at in range(min(self._to_come, len(rest) - 1)):
                where = even[len(order) + at] if at < _EVEN_CARDS else next(dice) << 1
                other_place = at + where * (len(rest) - at) // _LINE
                rest[at], rest[other_place] = rest[other_place], rest[at]
            yield held, rest

    def _one_of(self, other: Seat, taken: set[Card], where: int, dice: Dice) -> Holding:
        """A holding of that seat without a card that is taken, at best the one at that place of the line.

        Large hands nearly always share a card. So after some tries the taken cards of the best try are replaced.
        """
        sums, holdings = self._sums[other], self._holdings[other]
        best: tuple[Card, ...] = ()
        fewest = len(DECK)
        for _ in range(_TRIES):
            at = bisect_right(sums, where / _LINE * sums[-1])
            where = next(dice) << 1
            one = holdings[min(at, len(holdings) - 1)]
            if taken.isdisjoint(one.drawn):
                return one
            shared = len(taken.intersection(one.drawn))
            if shared < fewest:
                best, fewest = one.drawn, shared
        free = [card for card in self._unseen if card not in taken and card not in best]
        fresh = [free.pop(next(dice) % len(free)) if card in taken else card for card in best]
        return self._of[other].holding(tuple(fresh), dice)

    def known(self, other: Seat) -> tuple[Card, ...]:
        """The cards of an opponent that the seat knows, up cards and those in the middle included."""
        return self._of[other].hand.cards

    def odds(self, other: Seat, hidden: Sequence[Card]) -> float:
        """How much likelier an opponent has these cards than random ones. Raises KeyError for another seat.

        `hidden`: the cards of the opponent that are not `known` to the seat, in any order; after bring 'em back those
        of the seven that the opponent had before.
        """
        holdings, opponent = self._holdings[other], self._of[other]
        orders = list(islice(permutations(hidden), _ORDERS))
        dice = dice_of(self._seed)
        likely = sum([opponent.holding(order, dice).weight for order in orders]) / len(orders)
        this, *weights = self._believed([likely, *[one.weight for one in holdings]])
        return this * len(weights) / sum(weights)

    def weights(self, other: Seat) -> list[tuple[tuple[Card, ...], float]]:
        """The holdings of an opponent, each with its part of all weights."""
        sums = [0.0, *self._sums[other]]
        parts = [(after - before) / sums[-1] for before, after in pairwise(sums)]
        return [(one.down, part) for one, part in zip(self._holdings[other], parts, strict=True)]


def read_hands(
    view: TableView,
    seat: Seat,
    events: Sequence[AnyEvent],
    *,
    memory: Memory = NOTHING,
    habits: Habits | None = None,
    turned: bool = True,
    belief: float = 1.0,
    holdings: int | None = None,
    seed: int = 0,
) -> Reading:
    """What the seat may believe of the hidden cards of the other live hands.

    Args:
        view: the table; events: of the running hand. What the seat does not see of both is not looked at.
        memory: what the seat remembers of its own cards that have gone (`replays.chances.memory.remember`).
        habits: what it has seen of the players in earlier hands.
        turned: whether it draws conclusions from the cards that the others have chosen to turn up, too.
        belief: the power of the weights. At 1 the others mean by their actions what ordinary players mean (see
            `action_tables`), above 1 they are more consistent than those, and at 0 their actions say nothing.
        holdings: how many are drawn for each opponent; more of them read more finely and take longer. None: as many
            as a bot at a table has time for.
        seed: another number, of 64 bits, gives other deals of the same hand.

    Without an opponent, and where no deal fits the view, the reading has no opponents.
    """
    game = game_at(view)
    spot = spot_of(view, seat, game, memory)
    if spot is None:
        own = view.seat(seat)
        seen = {card for one in view.seats for card in (*one.up, *one.shown)}.union(view.community, own.down)
        return Reading(seat, [card for card in DECK if card not in seen], len(DECK), {}, view.hand, 0)
    others = [hand for hand in spot.hands if hand.seat != seat]
    seats = [hand.seat for hand in others]
    history = History(spot.terms, seats, _exchanges(game), habits).follow(_of_this_hand(events, seat))
    seed ^= _seed(view, seat, spot, events)
    opponents = {hand.seat: _opponent(hand, view, spot, history, turned=turned) for hand in others}
    count = holdings or min(HOLDINGS, ALL_HOLDINGS // len(others))
    return Reading(seat, spot.unseen, _to_come(spot, game), opponents, seed, count, belief)


def _to_come(spot: Spot, game: Game | None) -> int:
    """The most cards that will be dealt in the rest of the hand."""
    if game is None or any(isinstance(step, Draw) for step in game.steps):
        return len(DECK)
    return spot.common + sum(hand.missing - hand.now for hand in spot.hands)


def _opponent(hand: SeenHand, view: TableView, spot: Spot, history: History, *, turned: bool) -> Opponent:
    seen, moves = view.seat(hand.seat), history.moves(hand.seat)
    return Opponent(hand, seen.up, len(seen.down), moves, spot.terms, spot.wilds, history.exchanges, turned=turned)


def _of_this_hand(events: Sequence[AnyEvent], seat: Seat) -> list[AnyEvent]:
    """The events from the last start of a hand on, without what the seat does not see."""
    starts = [place for place, event in enumerate(events) if isinstance(event, ev.HandStarted)]
    return [project(event, seat) for event in events[starts[-1] :]] if starts else []


def _exchanges(game: Game | None) -> int:
    """How often cards change hands in a game."""
    return sum(isinstance(step, Pass | Draw) for step in game.steps) if game is not None else 0


def _seed(view: TableView, seat: Seat, spot: Spot, events: Sequence[AnyEvent]) -> int:
    """64 bits that follow from the hand, the seat, what it sees and how often somebody has acted."""
    acted = sum(isinstance(event, ev.Acted) for event in events)
    text = f"{view.hand_id} {view.hand} {seat} {acted} {spot.seed}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _apart(seed: int, number: int) -> int:
    """A seed of its own for each number."""
    return (seed ^ number * 0x9E3779B97F4A7C15) & _MASK


def _draws(unseen: Sequence[Card], size: int, seed: int, count: int) -> list[tuple[Card, ...]]:
    """So many random handfuls of the unseen cards."""
    return [tuple(deck[:size]) for deck in islice(shuffled(list(unseen), size, seed), count)]


def dice_of(seed: int) -> Dice:
    """Random numbers from 0 to 2**31 - 1 without end, the same ones for the same seed (Knuth's MMIX)."""
    state = seed & _MASK
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & _MASK
        yield state >> 33
