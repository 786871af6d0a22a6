"""A mind that thinks like a person: it asks what the others may have, plays the hand on in its head, and compares.

For every option the rest of the hand is played many times, with cards for the others that fit what they did
(`replays.hand_reading`, `replays.playout`). What it thinks first follows from the chances against these hands
(`client.bots.edges`); it changes its mind where the play-outs are clear about it. Weaknesses (`client.bots.characters`)
bend what it sees and how it feels about chips; none of them is a random move. A bot without deals bets as it
thinks first, and does with its cards what the house bot does.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from math import inf

from msgspec.structs import replace

from client.bots.betting import wagers_faced
from client.bots.characters import Weaknesses
from client.bots.edges import BettingSpot, slow_plays
from client.bots.game_terms import terms_of
from client.bots.player import Thought, choose_action, thought_spot
from client.bots.read_equity import equity_on
from client.bots.story import believable
from protocol.actions import WAGERS, Action, Option
from protocol.cards import Card
from protocol.events import Acted, ActionRequested, AnyEvent, HandStarted, RoundOpened, Seat
from protocol.stakes import Stakes
from protocol.view import TableView
from replays.chances.memory import remember
from replays.hand_reading.action_tables import MOST_WAGERS
from replays.hand_reading.habits import Habits, stage_of
from replays.hand_reading.reading import HOLDINGS, Deal, read_hands
from replays.playout.playout import option_values
from replays.playout.values import OptionValues
from server.engine.games.known_games import game_at
from server.engine.steps.betting import Bet
from server.engine.steps.vocabulary import BringBack, Choose, Declare, Draw, Pass, Step

CLEAR = 1.0
"""Standard errors by which an option must seem better than what one would do without thinking."""
CLEAR_FOR_CARDS = 2.0
"""The same for cards: in a play-out nobody draws conclusions from the card that somebody has chosen to show."""
WORK = 3600
"""What a decision may cost: deals times ways times players times decisions of each until the end."""
DECISIONS = Bet | BringBack | Choose | Declare | Draw | Pass
"""Steps of a game in which every player decides something."""
LEAST_DEALS = 10
"""Deals for what to do with cards, whatever they cost; with fewer, nothing could be compared."""
FEWEST_DEALS = 60
"""On fewer deals than these a bot does not change its mind about a bet, as long as it ever thinks of more: the best of
several averages is the luckiest one.

On third street at a table of six, options that seemed better by 6.3 chips in razz and 2.8 in eight-or-better on about
30 deals were better by 0.2 and 0.1 on 150 others.
"""
BLIND = 0.5
"""How loose a player is (`Tendency.loose`) who bets blindly: in 60 deals `raiser` got there, `usual`, `house` not."""
LOWBALL_BELIEF = 1.3
"""How much a reader believes in lowball of what the others do (`read_hands`): the up cards tell there who is ahead, and
bots act by it more consistently than the ordinary players of the tables.

At a table of six it was better than 1, between two players neither better nor worse, and 1.6 was no better than 1.3;
in eight-or-better nothing was found at 0.5 and 0.7 (`docs/minds.md`).
"""
MANY_CARDS = 6
"""Ways of passing or keeping cards that are played out."""
SURE = 3.0
"""Standard errors by which an option must be best before the bot stops thinking."""
BAD_SHARE = 0.6
"""A hand that gets back less than this part of an even share of the pot has nothing but its story."""
MOOD = 0.5
"""Small bets between the hands in which a bluff seems best and those in which it seems worst."""


class Thinker:
    """Decides for one seat, with some weaknesses. The same hand and the same cards give the same decisions."""

    def __init__(self, weaknesses: Weaknesses) -> None:
        self._weak = weaknesses
        self._events: list[AnyEvent] = []
        self._habits = Habits() if weaknesses.reads == "habits" else None
        self._names: dict[int, str] = {}

    def see(self, event: AnyEvent) -> None:
        """Remembers what happens in the hand, and what the players usually do."""
        if isinstance(event, HandStarted):
            self._events = []
        self._events.append(event)
        if self._habits is not None:
            self._habits.see(event)

    def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        """The decision. The processor time grows with the number of deals that the bot thinks through."""
        self._meet(view)
        events, weak = self._events, self._weak
        rounds = sum(isinstance(event, RoundOpened) for event in events)
        deals = deals_for(view, request, weak, rounds)
        if not deals and request.decision != "bet":
            return choose_action(view, seat, request)
        imagined = Imagined(view, seat, events, weak, self._habits, deals)
        blind = bet_blindly(self._habits, imagined.opponents, rounds)
        thought = None
        if request.decision == "bet":
            cost = felt_call(view, seat, request, weak, first=rounds == 1)
            thought = _first_thought(imagined, seat, cost, weak, blind=blind)
        quick = choose_action(view, seat, request, thought)
        spot = thought_spot(view, seat, request, thought) if thought is not None else None
        if not deals or (quick.kind == "check" and spot is not None and slow_plays(spot)):
            return quick
        values = option_values(
            imagined.view, seat, request, events, reading=imagined, deals=deals, clear=SURE, habits=self._habits
        )
        if values is None:
            return quick
        felt = feelings(values, view, seat, request, weak, first=rounds == 1)
        if spot is not None and not blind:
            felt.update({option: -inf for option in values.options if overrated(option, quick, spot)})
        return decided(values, felt, quick, CLEAR_FOR_CARDS if quick.cards else CLEAR)

    def _meet(self, view: TableView) -> None:
        """Somebody else in a seat has habits of their own."""
        for player in view.players():
            if self._names.setdefault(player.seat, player.name) != player.name and self._habits is not None:
                self._habits.seats.pop(player.seat, None)
            self._names[player.seat] = player.name


def _first_thought(imagined: "Imagined", seat: int, cost: float, weak: Weaknesses, *, blind: bool) -> Thought | None:
    """The equity on the first of the imagined deals, and what a call feels like; None where nobody can be read."""
    if not imagined.opponents:
        return None
    equity = equity_on(imagined.deals(weak.samples), imagined.view, seat, terms_of(imagined.view))
    return Thought(equity, cost, weak.caution, blind)


def bet_blindly(habits: Habits | None, seats: Sequence[Seat], rounds: int) -> bool:
    """Whether one of these players bets so much, in the betting round of that number, that it says nothing."""
    stage = stage_of(rounds)
    return habits is not None and any(habits.of(seat, stage).tendency().loose >= BLIND for seat in seats)


def overrated(option: Action, quick: Action, spot: BettingSpot) -> bool:
    """Whether play-outs think too well of an option beside what the bot thinks first.

    In hands of bots, while cards came, a raise instead of a call was worse than the call, and a check instead of a bet
    was worse in eight-or-better and no better in razz (`docs/minds.md`). With the last card neither was seen. Where
    players declare or draw, and against somebody who bets blindly, such decisions were not looked at.
    """
    if not spot.to_come or not spot.known or quick.kind == "check":
        return False
    return option.kind == "check" if quick.kind in WAGERS else option.kind in WAGERS


def deals_for(view: TableView, request: ActionRequested, weak: Weaknesses, rounds: int) -> int:
    """How many deals the bot thinks through, after so many betting rounds; 0 where it does what it thinks first.

    Fewer where many players are in, the end is far, and there is much to compare. So a decision takes about as long at
    a full table as between two players, and for the same time the bot knows more of the large pots of late streets.
    """
    game = game_at(view)
    to_come = _decisions_after(game.steps, rounds) if game is not None else 0
    compared = sum(_ways(option) for option in request.options)
    deals = min(weak.deals, WORK // (len(view.in_hand()) * compared * (to_come + 1)))
    if request.decision == "bet":
        return deals if deals >= min(weak.deals, FEWEST_DEALS) else 0
    return max(LEAST_DEALS, deals) if weak.deals else 0


def _decisions_after(steps: Sequence[Step], rounds: int) -> int:
    """How often everybody is still asked after that betting round."""
    passed = 0
    for at, step in enumerate(steps):
        passed += isinstance(step, Bet)
        if passed == rounds:
            return sum(isinstance(later, DECISIONS) for later in steps[at + 1 :])
    return 0


def _ways(option: Option) -> int:
    """About in how many ways an option is played out."""
    if option.kind == "choose":
        return len(option.cards)
    if option.cards:
        return MANY_CARDS
    return len(option.directions) or 1 + (option.kind in WAGERS and option.least < option.most)


class Imagined:
    """The deals that a bot can imagine: they fit what it has seen, has not forgotten, and believes.

    Attributes:
        view: the table as the bot remembers it. opponents: the seats whose cards it imagines.
    """

    def __init__(
        self,
        view: TableView,
        seat: int,
        events: Sequence[AnyEvent],
        weak: Weaknesses,
        habits: Habits | None,
        deals: int = LEAST_DEALS,
    ) -> None:
        self.view = remembered(view, seat, weak)
        self._seen: list[Card] = []
        if weak.memory == "own":
            self._seen = [card for one in view.players() if one.seat != seat for card in one.up if card is not None]
        if weak.reads == "nobody":  # whatever somebody did, their cards are as random as any
            events = [event for event in events if not isinstance(event, Acted)]
        holdings = max(LEAST_DEALS if weak.reads == "nobody" else HOLDINGS, deals)
        self._reading = read_hands(
            self.view,
            seat,
            events,
            memory=remember(events, seat),
            habits=habits,
            turned=weak.reads != "bets",
            belief=LOWBALL_BELIEF if not weak.caution and terms_of(self.view).lowball else 1.0,
            holdings=holdings,
        )
        self.opponents = self._reading.opponents

    def deals(self, count: int) -> Iterator[Deal]:
        """So many deals. Cards of others that the bot does not look at can come again."""
        for number, deal in enumerate(self._reading.deals(count)):
            rest = list(deal.rest)
            for place, card in enumerate(self._seen):
                if card not in rest:
                    rest.insert((31 * number + 17 * place) % (len(rest) + 1), card)
            yield Deal(deal.hidden, rest)


def remembered(view: TableView, seat: int, weak: Weaknesses) -> TableView:
    """The table without the up cards of those who have folded, where the bot forgets them."""
    if weak.memory == "all":
        return view
    seats = [replace(one, up=(), before=()) if one.hand == "folded" and one.seat != seat else one for one in view.seats]
    return replace(view, seats=seats)


def feelings(
    values: OptionValues, view: TableView, seat: int, request: ActionRequested, weak: Weaknesses, *, first: bool
) -> dict[Action, float]:
    """The chips by which each option seems better than it is, or worse below 0.

    All of it comes from the weaknesses, but that nobody raises without end where raises have no cap. `first`: whether
    this is the first betting round of the hand.
    """
    felt = dict.fromkeys(values.options, 0.0)
    if request.decision != "bet" or view.stakes is None:
        return felt
    if wagers_faced(view, seat, request.options) >= MOST_WAGERS:
        felt.update({option: -inf for option in values.options if option.kind in WAGERS})
    unit = _small_bet(view.stakes)
    spared = request.call - felt_call(view, seat, request, weak, first=first)
    kinds = {option.kind: option for option in values.options}
    for option in values.options:
        if option.kind != "fold" and "fold" in kinds:
            felt[option] += spared
    check = kinds.get("check")
    if check is not None and values.chips(check) < BAD_SHARE * view.pot() / max(1, len(view.in_hand())):
        for option in values.options:
            if option.kind in WAGERS:
                felt[option] += unit * _bluff(view, seat, weak)
    return felt


def felt_call(view: TableView, seat: int, request: ActionRequested, weak: Weaknesses, *, first: bool) -> float:
    """The chips that a call feels like, below 0 where it feels like a gift. `first`: see `feelings`."""
    call = weak.price * request.call
    if first and view.stakes is not None and view.seat(seat).last is None:
        call += weak.patience * _small_bet(view.stakes)
    return call


def _small_bet(stakes: Stakes) -> int:
    return stakes.small or stakes.most


def _bluff(view: TableView, seat: int, weak: Weaknesses) -> float:
    """By how many small bets a bluff seems better than it is: in some hands more, and only with a good story."""
    if not believable(view, seat):
        return min(0.0, weak.bluffs)
    seed = f"{view.hand_id} {view.hand} {view.street} {seat}".encode()
    number = int.from_bytes(blake2b(seed, digest_size=4).digest(), "big") / 2**32
    return weak.bluffs + MOOD * (number - 0.5)


def decided(values: OptionValues, felt: Mapping[Action, float], quick: Action, errors: float = CLEAR) -> Action:
    """The option that seems best if it is better than the quick answer by so many standard errors, else that one."""
    best = max(values.options, key=lambda option: values.chips(option) + felt[option])
    if quick not in values.options:
        return best
    chips, error = values.difference(best, quick)
    return best if chips + felt[best] - felt[quick] > errors * error else quick
