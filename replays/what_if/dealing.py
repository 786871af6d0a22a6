"""From the events of a hand, up to a step, to a whole deck and all answers that were given.

A recording may hide cards: a player's file has those of its player. Every card that was dealt is a `Place`, which has
a card or is still empty. The events are gone through once. What they show fills places: a hidden card that was turned
up later was one of those dealt hidden to that seat. Places that are still empty at the end get cards that nobody has
seen, in the order of a shuffled deck. So every deal that fits what was seen is equally likely, except that a player
who passes cards is taken to keep those that are known, as far as that fits.

A secret answer that is not known and shows nowhere is left out: that seat is asked again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from protocol import events as ev
from protocol.actions import WAGERS, Action, Direction, Kind
from protocol.cards import Card, MaybeCard
from protocol.events import AnyEvent, Seat
from replays.what_if.refused import DIFFERENT, Refused

TRIES = 5000
"""How many ways of passing hidden cards are tried."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """A hand up to a step, with every card in its place.

    Fields:
        deck: the cards in dealing order; those dealt up to the step are the first `dealt` ones.
        answers: what the players did, in order.
        left_out: the events, by place in the row of events, of secret answers that are not known.
    """

    deck: tuple[Card, ...]
    dealt: int
    answers: tuple[tuple[Seat, Action], ...]
    left_out: frozenset[int]


def deal(events: Sequence[AnyEvent], shuffled: Sequence[Card]) -> Dealing:
    """Gives every card of the hand a place; unknown ones and those below come in the order of `shuffled`.

    Raises Refused if no deal fits the events.
    """
    ways: list[int] = []
    for _ in range(TRIES):
        walk = _Walk(events, ways)
        try:
            walk.run()
        except _DoesNotFit:
            ways = walk.next_ways()
            if not ways:
                break
            continue
        return walk.dealing(shuffled)
    raise Refused(DIFFERENT)


def dealt_cards(events: Iterable[AnyEvent]) -> list[MaybeCard]:
    """The cards in the order in which they lay in the deck, as far as the events go."""
    cards: list[MaybeCard] = []
    draws = False
    for event in events:
        if isinstance(event, ev.CommunityDealt):
            cards.append(event.card)
        elif isinstance(event, ev.CardsDealt):
            for _, _, card in _in_deck_order(event, draws=draws):
                cards.append(card)
        draws = isinstance(event, ev.CardsDiscarded)
    return cards


def _in_deck_order(event: ev.CardsDealt, *, draws: bool) -> list[tuple[Seat, bool, MaybeCard]]:
    """(seat, whether face up, card): one to each player at a time, down cards first; in a draw player by player."""
    if draws:
        return [(seat, False, card) for seat, down, _ in event.cards for card in down]
    rows: list[tuple[Seat, bool, MaybeCard]] = []
    most_down = max((len(down) for _, down, _ in event.cards), default=0)
    most_up = max((len(up) for _, _, up in event.cards), default=0)
    for place in range(most_down):
        rows += [(seat, False, down[place]) for seat, down, _ in event.cards]
    for place in range(most_up):
        rows += [(seat, True, up[place]) for seat, _, up in event.cards]
    return rows


class _DoesNotFit(Exception):
    """The cards cannot have gone this way."""


@dataclass(eq=False, slots=True)
class _Place:
    """A card that was dealt; None while it is not known."""

    card: MaybeCard


@dataclass(slots=True)
class _Answer:
    """An answer of a seat; its cards are those of the places."""

    seat: Seat
    kind: Kind
    places: list[_Place] | None = None
    to: int | None = None
    direction: Direction | None = None

    def action(self) -> Action:
        cards = None if self.places is None else tuple([one.card for one in self.places if one.card is not None])
        return Action(self.kind, self.to, cards, self.direction)


class _Walk:
    """One way through the events; `ways` says which known cards were passed on where that was not seen."""

    def __init__(self, events: Sequence[AnyEvent], ways: Sequence[int]) -> None:
        self._events = events
        self._ways, self._taken = list(ways), 0
        self._choices: list[int] = []  # how many ways there were each time
        self._deck: list[_Place] = []
        self._down: dict[Seat, list[_Place]] = {}
        self._up: dict[Seat, list[_Place]] = {}
        self._answers: list[_Answer] = []
        self._left_out: set[int] = set()
        self._given: dict[Seat, list[_Place]] = {}  # what each seat has chosen to pass on or to discard
        self._secret = False  # whether a card that is turned up was chosen in secret before

    def run(self) -> None:
        """Goes through all events. Raises _DoesNotFit."""
        draws = False
        for at, event in enumerate(self._events):
            match event:
                case ev.CardsDealt():
                    for seat, up, card in _in_deck_order(event, draws=draws):
                        self._dealt(seat, card, up=up)
                case ev.CommunityDealt():
                    self._deck.append(_Place(event.card))
                case ev.Acted():
                    to = event.to if event.action in WAGERS else None
                    self._answers.append(_Answer(event.seat, event.action, to=to))
                case ev.ChoiceMade():
                    self._chosen(at, event)
                case ev.CardsTurned():
                    self._turned(event)
                case ev.BroughtBack():
                    for seat in event.seats:
                        self._down[seat] = self._up.pop(seat, []) + self._down[seat]
                case ev.CardsPassed():
                    self._passed(event)
                case ev.CardsDiscarded():
                    for seat, _ in event.cards:
                        self._take(seat, self._given.pop(seat))
                case _:
                    pass
            draws = isinstance(event, ev.CardsDiscarded)

    def next_ways(self) -> list[int]:
        """The ways of the next walk; none if all have been gone."""
        ways = [*self._ways, *[0] * len(self._choices)][: len(self._choices)]
        while ways and ways[-1] + 1 >= self._choices[len(ways) - 1]:
            ways.pop()
        if ways:
            ways[-1] += 1
        return ways

    def dealing(self, shuffled: Sequence[Card]) -> Dealing:
        """All of it, with cards in the empty places."""
        known = {place.card for place in self._deck}
        unseen = iter([card for card in shuffled if card not in known])
        for place in self._deck:
            if place.card is None:
                place.card = next(unseen)
        dealt = [place.card for place in self._deck if place.card is not None]
        answers = tuple([(answer.seat, answer.action()) for answer in self._answers])
        return Dealing((*dealt, *unseen), len(dealt), answers, frozenset(self._left_out))

    # ------------------------------------------------------------------ places

    def _dealt(self, seat: Seat, card: MaybeCard, *, up: bool) -> None:
        place = _Place(card)
        self._deck.append(place)
        (self._up if up else self._down).setdefault(seat, []).append(place)

    def _find(self, seat: Seat, card: Card, but: Sequence[_Place] = ()) -> _Place:
        """The hidden place of the seat that has the card, or the first empty one, which gets it."""
        row = [place for place in self._down.get(seat, ()) if place not in but]
        for place in row:
            if place.card == card:
                return place
        empty = next((place for place in row if place.card is None), None)
        if empty is None or any(place.card == card for place in self._deck):
            raise _DoesNotFit
        empty.card = card
        return empty

    def _find_all(self, seat: Seat, cards: Iterable[Card]) -> list[_Place]:
        found: list[_Place] = []
        for card in cards:
            found.append(self._find(seat, card, found))
        return found

    def _take(self, seat: Seat, places: Iterable[_Place]) -> None:
        for place in places:
            self._down[seat].remove(place)

    # ----------------------------------------------------------------- answers

    def _chosen(self, at: int, event: ev.ChoiceMade) -> None:
        """A secret choice: known, or seen from what comes of it later, or left out."""
        self._secret = event.decision == "choose"
        seat, action = event.seat, event.action
        if action is not None:
            places = None if action.cards is None else self._find_all(seat, action.cards)
            answer = _Answer(seat, action.kind, places, direction=action.direction)
        else:
            later = self._events[at + 1 :]
            seen = self._seen_later(event, later)
            if seen is None:
                self._left_out.add(at)
                return
            answer = seen
        if event.decision == "arrange" and answer.places is not None:
            self._down[seat] = list(answer.places)
        elif event.decision in ("pass", "discard"):
            self._given[seat] = answer.places or []
        self._answers.append(answer)

    def _seen_later(self, choice: ev.ChoiceMade, later: Sequence[AnyEvent]) -> _Answer | None:
        """What a hidden choice must have been; None if nothing has come of it yet."""
        seat = choice.seat
        for event in later:
            match event:
                case ev.CardsTurned(cards=cards, how="choose") if choice.decision == "choose":
                    return _Answer(seat, "choose", self._find_all(seat, [card for one, card in cards if one == seat]))
                case ev.Declared(declarations=declared) if choice.decision == "declare":
                    return _Answer(seat, "declare", direction=dict(declared)[seat])
                case ev.CardsPassed(passes=passes) if choice.decision == "pass":
                    given = next(cards for giver, _, cards in passes if giver == seat)
                    return _Answer(seat, "pass", self._given_away(seat, given))
                case ev.CardsDiscarded(cards=rows) if choice.decision == "discard":
                    return _Answer(seat, "discard", self._given_away(seat, dict(rows)[seat]))
                case ev.RoundOpened() | ev.RoundSkipped() | ev.CardsTurned() if choice.decision == "arrange":
                    return _Answer(seat, "arrange", self._arranged(seat, later))
                case _:
                    pass
        return None

    def _arranged(self, seat: Seat, later: Sequence[AnyEvent]) -> list[_Place]:
        """The kept cards: first those that were rolled since, then any others."""
        rolled = [
            card
            for event in later
            if isinstance(event, ev.CardsTurned) and event.how == "roll"
            for one, card in event.cards
            if one == seat
        ]
        kept = next(event.keep for event in self._events if isinstance(event, ev.BroughtBack))
        first = self._find_all(seat, rolled)
        rest = [place for place in self._down[seat] if place not in first]
        return [*first, *rest][:kept]

    def _given_away(self, seat: Seat, cards: Sequence[MaybeCard]) -> list[_Place]:
        """The places of cards that were passed on or discarded. Which ones, where they are hidden, is tried."""
        named = self._find_all(seat, [card for card in cards if card is not None])
        count = len(cards) - len(named)
        rest = [place for place in self._down[seat] if place not in named]
        empty = [place for place in rest if place.card is None]
        known = [place for place in rest if place.card is not None]
        sizes = range(max(0, count - len(empty)), min(count, len(known)) + 1)
        ways = [chosen for size in sizes for chosen in combinations(known, size)]
        chosen = self._way(ways)
        return [*named, *chosen, *empty[: count - len(chosen)]]

    def _way(self, ways: Sequence[tuple[_Place, ...]]) -> tuple[_Place, ...]:
        if not ways:
            raise _DoesNotFit
        number = self._ways[self._taken] if self._taken < len(self._ways) else 0
        self._taken += 1
        self._choices.append(len(ways))
        return ways[number]

    # ------------------------------------------------------------ what comes of them

    def _turned(self, event: ev.CardsTurned) -> None:
        for seat, card in event.cards:
            place = self._find(seat, card)
            if event.how == "choose" and not self._secret:
                self._answers.append(_Answer(seat, "choose", [place]))
            self._take(seat, [place])
            self._up.setdefault(seat, []).append(place)
        self._secret = False

    def _passed(self, event: ev.CardsPassed) -> None:
        moved = [(giver, taker, self._given.pop(giver)) for giver, taker, _ in event.passes]
        for giver, _, places in moved:
            self._take(giver, places)
        for _, taker, places in moved:
            self._down[taker] += places
