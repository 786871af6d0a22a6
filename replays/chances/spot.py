"""A moment of a hand as one seat sees it: what everybody holds, what is still to come, which chips can be won.

What others hold face down counts as random, whatever they did: any unseen card is as likely there as any other. Three
things are known better. Cards that were face up before bring 'em back are still in that hand, or were put aside by it.
A hand of five that was kept has its rolled cards; the rest of it is whatever is best, for the direction in question,
among the other cards which that player had. And cards that the seat itself passed on lie where it passed them, until
the next exchange.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from protocol.cards import DECK, Card
from protocol.events import Chips, Seat
from protocol.seat_view import SeatView
from protocol.view import TableView, hide
from replays.chances.memory import NOTHING, Memory
from replays.chances.terms import GameTerms, terms_from
from server.engine.games.game import Game
from server.engine.steps.vocabulary import BringBack, Choose, Deal, Draw, Pass

NO_SPADE = "Who has the highest spade in the hole depends on the cards that will be turned: no chances are told."
NO_ADVICE = "No chances: at this table programs do not judge hands (house rule)."
NO_WILDS = "Which cards will be wild depends on the order of streets that differ: no chances are told."
EXCHANGE = "Cards will still change hands: chances are told when they have."


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A live hand, as far as the judging seat sees it.

    Fields:
        cards: the cards that are known, those in the middle included; hole: the ones of them in the hole.
        hidden: cards that are not known and are in the hole, or will be; now: how many of these it has already.
        open: cards that will come face up.
        rolled: None, or after bring 'em back the cards that are among the five it kept for certain.
        declared: the direction, once it is known.
    """

    seat: Seat
    cards: tuple[Card, ...]
    hole: tuple[Card, ...] = ()
    hidden: int = 0
    now: int = 0
    open: int = 0
    rolled: tuple[Card, ...] | None = None
    declared: str = ""

    @property
    def missing(self) -> int:
        """How many of its cards are not known."""
        return self.hidden + self.open


@dataclass(frozen=True, slots=True)
class SeenPot:
    """Chips, and the places in `Spot.hands` of those who can win them."""

    chips: Chips
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A moment, as the judging seat sees it.

    Fields:
        hands: the live hands, the seat's own one first.
        unseen: the cards that the seat has not seen, in order; dead: the cards it has seen that no live hand has.
        common: cards that will come to the middle, for everybody.
        pots: what the seat can win, main pot first; all live hands can win the main pot.
        wilds: ranks that are wild now. With a `leader`, the next up card after one of this rank makes its own rank
            wild; `next_is_wild`: the last up card was one. `turns`: places of the hands in the order of dealing.
        always: ranks that stay wild whatever follows.
        ranks_last: whether an invalid low that was declared still beats nothing (`rules.md` 7.4).
    """

    hands: tuple[SeenHand, ...]
    unseen: tuple[Card, ...]
    dead: tuple[Card, ...]
    pots: tuple[SeenPot, ...]
    terms: GameTerms
    common: int = 0
    wilds: tuple[int, ...] = ()
    leader: int | None = None
    next_is_wild: bool = False
    always: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    ranks_last: bool = False

    @property
    def seed(self) -> int:
        """64 bits that follow from what the seat sees; the same spot always deals the same sample."""
        seen = repr((self.hands, self.unseen, self.wilds)).encode()
        return int.from_bytes(blake2b(seen, digest_size=8).digest(), "big")

    @property
    def declared(self) -> bool:
        """Whether the declarations are known."""
        return bool(self.hands[-1].declared)

    @property
    def wild(self) -> bool:
        """Whether cards are wild, or can become so."""
        return bool(self.wilds) or self.leader is not None

    @property
    def wilds_move(self) -> bool:
        """Whether a card that is still to come can make other ranks wild."""
        return self.leader is not None and self.hands[0].open > 0


def spot_of(view: TableView, seat: Seat, game: Game | None, memory: Memory = NOTHING) -> Spot | None:
    """The spot of a seat that plays on; None without cards, without an opponent, and once pots are paid.

    Of a game that is not known (None) everybody gets seven cards, and high and low win half each.

    `view` may be all-seeing: what the seat does not see is taken out first.
    """
    view = hide(view, seat)
    own = view.seat(seat)
    if own.hand != "live" or not (own.up or own.down) or view.awards:
        return None
    terms = terms_from(game)
    down, up, common = _to_come(view, own, _deals(game))
    order = _dealing_order(view)
    others = [_other(other, view, terms, down, up, memory) for other in order if other.seat != seat]
    if not others:
        return None
    hands = (_own(own, view, down, up), *others)
    held = {card for hand in hands for card in hand.cards}
    seen = held.union(memory.put_aside, *[memory.passed.get(other.seat, ()) for other in view.seats])
    for one in view.seats:
        seen.update(one.up, one.before, one.shown)
    unseen = tuple([card for card in DECK if card not in seen])
    if sum(hand.missing for hand in hands) + common > len(unseen) or not all(_whole(hand, common) for hand in hands):
        return None  # a view from elsewhere that no deal fits
    places = {hand.seat: place for place, hand in enumerate(hands)}
    followed = [step.wild_after for step in _deals(game) if step.wild_after is not None]
    leader = followed[0] if followed else None
    always = (leader,) if leader is not None and view.stakes is not None and view.stakes.followed_wild else ()
    led = any(card >> 2 == leader for one in view.seats for card in one.up)
    return Spot(
        hands=hands,
        unseen=unseen,
        dead=tuple(sorted(seen - held)),
        pots=_pots(view, seat, places),
        terms=terms,
        common=common,
        wilds=view.wilds,
        leader=leader,
        next_is_wild=led and view.wilds == always,
        always=always,
        turns=tuple([places[one.seat] for one in order]),
        ranks_last=view.stakes is not None and view.stakes.invalid_low == "ranks_last",
    )


def _whole(hand: SeenHand, common: int) -> bool:
    """Whether the cards are different ones and make a hand of five to seven in the end."""
    return len(set(hand.cards)) == len(hand.cards) and 5 <= len(hand.cards) + hand.missing + common <= 7


def untold(view: TableView, game: Game) -> str:
    """Why no chances can be told at this table, in this game, or at this moment; empty where they can."""
    if view.rules is not None and not view.rules.coach:
        return NO_ADVICE
    if game.showdown.spade and any(isinstance(step, Choose | BringBack | Pass | Draw) for step in game.steps):
        return NO_SPADE
    if len({step.wild_after for step in _deals(game) if step.up}) > 1:
        return NO_WILDS
    return EXCHANGE if _exchange_ahead(view, game) else ""


def _exchange_ahead(view: TableView, game: Game) -> bool:
    """Whether players will still pass or draw cards, as far as the table tells."""
    exchanges = [place for place, step in enumerate(game.steps) if isinstance(step, Pass | Draw)]
    if not exchanges or view.keep or any(one.declared for one in view.seats):
        return False
    names = [step.street for step in game.steps if isinstance(step, Pass | Draw)]
    if view.street == names[-1] and names.count(names[-1]) == 1:
        return False  # a table takes this name when the cards have changed hands
    dealt = sum(step.down + step.up for step in game.steps[: exchanges[-1]] if isinstance(step, Deal))
    return max(len(one.up) + len(one.down) for one in view.in_hand()) + len(view.community) <= dealt


def _dealing_order(view: TableView) -> list[SeatView]:
    """The live seats from the dealer's left."""
    count = len(view.seats)
    return sorted(view.in_hand(), key=lambda one: (one.seat - view.button - 1) % count)


def _deals(game: Game | None) -> list[Deal]:
    """The deals of a game; of one that is not known, seven single cards."""
    if game is None:
        return [Deal(down=1)] * GameTerms().size
    return [step for step in game.steps if isinstance(step, Deal)]


def _to_come(view: TableView, own: SeatView, deals: Sequence[Deal]) -> tuple[int, int, int]:
    """(down, up, middle): the cards that every live hand will still get, and those for everybody (`rules.md` 6)."""
    if view.keep:
        return 0, 0, 0
    down = up = common = 0
    held = len(own.up) + len(own.down) + len(view.community)
    live = len(view.in_hand())
    left = len(DECK) - len(view.community) - sum(len(one.up) + len(one.down) for one in view.seats)
    dealt = 0
    for step in deals:
        dealt += step.down + step.up
        if dealt <= held:
            continue
        if left < live * (step.down + step.up):
            common, left = common + 1, left - 1
        else:
            down, up, left = down + step.down, up + step.up, left - live * (step.down + step.up)
    return down, up, common


def _own(own: SeatView, view: TableView, down: int, up: int) -> SeenHand:
    hole = tuple([card for card in own.down if card is not None])
    choice = own.choice.action.direction if own.choice is not None and own.choice.action is not None else None
    cards = (*own.up, *hole, *view.community)
    return SeenHand(own.seat, cards, hole, down, open=up, declared=own.declared or choice or "")


def _other(other: SeatView, view: TableView, terms: GameTerms, down: int, up: int, memory: Memory) -> SeenHand:
    if other.shown:
        cards = (*other.up, *other.shown, *view.community)
        return SeenHand(other.seat, cards, other.shown, declared=other.declared)
    passed = memory.passed.get(other.seat, ())
    known = _together(other.before, other.up, passed)
    cards = (*known, *view.community)
    if view.keep:
        hidden = max(0, terms.size - len(cards))
        return SeenHand(other.seat, cards, (), hidden, hidden, rolled=other.up, declared=other.declared)
    hole = tuple([card for card in passed if card not in other.up])
    hidden = max(0, len(other.down) - len(hole))
    return SeenHand(other.seat, cards, hole, hidden + down, hidden, up, declared=other.declared)


def _together(*rows: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of all rows, each once."""
    return tuple(dict.fromkeys([card for row in rows for card in row]))


def _pots(view: TableView, seat: Seat, places: dict[Seat, int]) -> tuple[SeenPot, ...]:
    """The main pot and the side pots that the seat can win, from what every player has put in (`rules.md` 5.1).

    Bets that are not answered yet count as answered: whoever does not answer is no opponent.
    """
    live = [one for one in view.seats if one.seat in places]
    own = view.seat(seat)
    most = own.total + own.chips if own.chips <= view.to_call(seat) else None  # what one's own chips reach
    levels = {one.total for one in live if one.all_in} | ({most} if most is not None else set())
    pots: list[SeenPot] = []
    below = 0
    for level in sorted(level for level in levels if most is None or level <= most):
        who = [places[one.seat] for one in live if not one.all_in or one.total >= level]
        pots.append(SeenPot(sum([min(one.total, level) - min(one.total, below) for one in view.seats]), _sorted(who)))
        below = level
    if most is None:
        rest = sum([one.total - min(one.total, below) for one in view.seats])
        pots.append(SeenPot(rest, _sorted([places[one.seat] for one in live if not one.all_in])))
    found = tuple([pot for pot in pots if pot.chips])
    return found or (SeenPot(view.pot(), tuple(range(len(live)))),)


def _sorted(places: list[int]) -> tuple[int, ...]:
    return tuple(sorted(places))
