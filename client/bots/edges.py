"""The edges that a bet, a raise and a call need.

There are two ways to play. A player who does not know what the bets of the others mean must be careful: they bet what
is clearly ahead, and ask more of a raise for every bet that they face. A reader of hands has all that in the equity
already. They ask for the edges from which one option was better than the other in tens of thousands of decisions,
which were played on from the same cards with every option (eight-or-better and razz, two and six players;
`docs/minds.md`). A player of some caution stands between the two.
"""

from dataclasses import dataclass
from math import sqrt

from client.bots.equity import Equity
from replays.chances.terms import GameTerms

BET_EDGE = 1.15
"""Edge from which a careful hand bets."""
RAISE_EDGE = 1.2
"""Edge from which a careful hand raises between two players, in a round without wagers."""
RAISE_EDGE_PER_WAGER = 0.25
"""What every wager in the round adds to `RAISE_EDGE`."""
SHARE_PER_WAGER = 0.93
"""What is left of a share after every wager of an opponent: they do not bet random cards."""
CALL_EDGE = {3: 0.8, 4: 0.85, 5: 0.9, 6: 0.8}
"""Edge that is worth further bets, by the number of cards; with the last card only the price counts."""
CHEAP = 2.5
"""A share so many times as large as its price is always worth a call."""

READER_BET_EDGE = 0.85
"""Edge from which a reader bets before the last card: a draw must pay, or give up. With the last card it is 1."""
SLOW_PLAY_EDGE = 1.5
"""Edge from which a reader checks before the last card of a lowball game, to raise later. Probably it pays because the
up cards tell who is ahead there: the others give up against a bet, and bet themselves after a check.
"""
READER_COMPLETE_EDGE = 0.9
"""Edge from which a reader completes the bring-in."""
READER_RAISE_EDGE = 1.3
"""Edge from which a reader raises a bet, however many there are of bets and of players."""
BLIND_RAISE_EDGE = 1.05
"""The same against somebody who bets blindly: their bets say nothing of their cards."""
CALL_WORTH = {4: 1.8, 3: 1.9, 2: 1.6, 1: 1.3}
"""A reader calls a bet with a share of so many times its price, by the number of cards to come: more bets will follow.
Where high and low share the pot this falls with the number of players: more of them pay for half of it.
"""
FORCED_CALL_WORTH = 1.5
"""The same for the bring-in."""
BOLD_CALL_EDGE = 0.4
"""Where players declare or draw, a reader calls with an edge that is smaller than 1 by this between two players, and by
less among more of them, and bets with an edge of 1: these decisions are not known so well (`BettingSpot.known`).
"""


@dataclass(frozen=True, slots=True)
class BettingSpot:
    """A betting decision.

    Fields:
        equity: of the hand against all live hands.
        terms: what the game pays.
        pot: chips in the middle and in front of the players.
        call: chips that staying in costs, or feels like.
        wagers: bets and raises in this round that the player faces.
        cards: the number of cards that the player has got so far.
        doubt: what is left of the share after every wager of an opponent, where the equity does not know their bets.
        random: a number that depends on the hand, the street and the seat; the same every time.
        blind: whether somebody is in who bets blindly.
        caution: 1 for a careful player, 0 for a reader, who takes the chances as they are.
    """

    equity: Equity
    terms: GameTerms
    pot: int
    call: float
    wagers: int
    cards: int
    random: int
    doubt: float = SHARE_PER_WAGER
    blind: bool = False
    caution: float = 1.0

    @property
    def share(self) -> float:
        """The share of the pot that the player believes in."""
        return self.equity.share * self.doubt**self.wagers

    @property
    def price(self) -> float:
        """The part of the pot that a call costs: the share that pays for it."""
        call = max(0.0, self.call)
        return call / (self.pot + call)

    @property
    def to_come(self) -> int:
        """The cards that the player still gets."""
        return max(0, self.terms.size - self.cards)

    @property
    def known(self) -> bool:
        """Whether it is known what edge a reader should ask for: not where players declare, or draw cards."""
        return self.terms.as_dealt

    @property
    def crowd(self) -> float:
        """How much larger the edges of good hands are than between two players, where it is 1."""
        return sqrt(1 / (2 * self.equity.fair))

    def between(self, careful: float, reader: float) -> float:
        """What a player of this caution asks for."""
        return self.caution * careful + (1 - self.caution) * reader


def bet_edge(spot: BettingSpot) -> float:
    """The edge from which a hand bets."""
    return spot.between(BET_EDGE, READER_BET_EDGE if spot.to_come and spot.known else 1.0)


def slow_plays(spot: BettingSpot) -> bool:
    """Whether a hand that may check is so far ahead that it waits for the bets of the others."""
    ahead = spot.equity.edge >= SLOW_PLAY_EDGE and not spot.caution
    return spot.terms.lowball and spot.to_come > 0 and not spot.wagers and ahead


def raise_edge(spot: BettingSpot) -> float:
    """The edge from which a hand raises, or completes."""
    # Among many players the edges of good hands are larger, so a larger edge is asked of them.
    careful = 1 + spot.crowd * (RAISE_EDGE - 1 + RAISE_EDGE_PER_WAGER * spot.wagers)
    reader = READER_COMPLETE_EDGE if not spot.wagers else BLIND_RAISE_EDGE if spot.blind else READER_RAISE_EDGE
    return spot.between(careful, reader if spot.known else careful)


def call_edge(spot: BettingSpot) -> float:
    """The edge from which a hand calls that pays for its price: it is worth the bets that follow, too."""
    careful = 0.0 if spot.share >= CHEAP * spot.price else CALL_EDGE.get(spot.cards, 0.0)
    if not spot.known:
        return spot.between(careful, min(careful, 1 - BOLD_CALL_EDGE / spot.crowd))
    forced = spot.to_come and not spot.wagers
    worth = FORCED_CALL_WORTH if forced else CALL_WORTH.get(spot.to_come, 1.0)
    if spot.terms.high is not None and spot.terms.low is not None:
        worth = 1 + (worth - 1) * 2 * spot.equity.fair
    return spot.between(careful, worth * spot.price / spot.equity.fair)
