"""The steps of which games are made (`rules.md` 13.2).

Each step is data and can run itself on a hand: it changes the state of the hand and emits events. A step that needs
decisions asks for them and waits (``yield``) for the answers; it returns the generator that does so. A step that needs
none returns None.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocol import events as ev
from protocol.actions import Action, Decision, Direction, Option
from protocol.cards import RANK_NAMES, Card
from protocol.events import Seat
from server.engine.ranking.boards import BOARD_KEY
from server.engine.ranking.hand_names import PLURALS
from server.engine.steps.betting import Bet
from server.engine.steps.hand_state import Answer, Flow, HandState
from server.engine.steps.opener import DEALERS_LEFT, Opener
from server.engine.steps.showdown import Showdown

NAMES = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
DIRECTIONS: tuple[Direction, ...] = ("low", "high")
STREETS = {number: f"{name} street" for number, name in NAMES.items()}


@dataclass(frozen=True, slots=True)
class Ante:
    """Everybody posts the ante; a short stack posts all it has (`rules.md` 4.7)."""

    def run(self, hand: HandState) -> None:
        """Post."""
        ante = hand.stakes.ante
        if not ante:
            return
        seats, chips, bet, put = hand.seats, hand.chips, hand.bet, hand.put
        antes = []
        for i in hand.live:
            amount = ante if chips[i] > ante else chips[i]
            chips[i] -= amount
            bet[i] += amount
            put[i] += amount
            antes.append((seats[i], amount))
        hand.emit(ev.AntesPosted(tuple(antes)))
        hand.close_round()


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards to every live player, one at a time from the dealer's left; down cards first.

    If the deck cannot give everybody a card, one card in the middle is everybody's (`rules.md` 6).

    Fields:
        down, up: how many cards each player gets.
        wild_after: after the last up card of this rank (0..12) the next up card makes its rank wild; by a switch of the
            stakes (`followed_wild`) the rank itself is wild, too (`rules.md` 20).
    """

    down: int = 0
    up: int = 0
    wild_after: int | None = None

    def run(self, hand: HandState) -> None:
        """Deal."""
        live = hand.live
        count = len(live)
        first = live[0]
        hand.street = STREETS[len(hand.down[first]) + len(hand.up[first]) + self.down + self.up]
        deck, at = hand.deck, hand.position
        left = len(deck) - at
        if left < count * (self.down + self.up):
            card = deck[at]
            hand.position = at + 1
            hand.community.append(card)
            cards_left = "1 card is" if left == 1 else f"{left} cards are"
            why = f"{cards_left} left for {count} players: one card in the middle is everybody's"
            hand.emit(ev.CommunityDealt(card, why))
            return
        # A player's cards are every count-th of the deck, the down cards first.
        middle, end = at + count * self.down, at + count * (self.down + self.up)
        hand.position = end
        seats, downs, ups, board = hand.seats, hand.down, hand.up, hand.board
        dealt: list[tuple[Seat, tuple[Card, ...], tuple[Card, ...]]] = []
        if end - at == count:
            # One card to each, the usual case, needs no slices.
            for i, card in zip(live, deck[at:end], strict=True):
                if self.up:
                    ups[i].append(card)
                    board[i] += BOARD_KEY[card]
                    dealt.append((seats[i], (), (card,)))
                else:
                    downs[i].append(card)
                    dealt.append((seats[i], (card,), ()))
        else:
            for place, i in enumerate(live):
                down = deck[at + place : middle : count]
                up = deck[middle + place : end : count]
                downs[i] += down
                ups[i] += up
                for card in up:
                    board[i] += BOARD_KEY[card]
                dealt.append((seats[i], down, up))
        hand.emit(ev.CardsDealt(hand.street, tuple(dealt)))
        if self.wild_after is not None:
            self._follow(hand, self.wild_after, deck[middle:end])

    def _follow(self, hand: HandState, leader: int, dealt: tuple[Card, ...]) -> None:
        """Name the new wild rank: what follows the last up card of the rank `leader` (`rules.md` 20)."""
        before = hand.wilds
        always = (leader,) if hand.stakes.followed_wild else ()
        hand.wilds = before or always
        last = RANK_NAMES[leader]
        why = f"{PLURALS[leader]} are always wild"
        for card in dealt:
            if card >> 2 == leader:
                hand.wilds, hand.wild_next = always, True
                why = f"{last} turned up, nothing after it yet"
            elif hand.wild_next:
                hand.wilds, hand.wild_next = (*always, card >> 2), False
                why = f"{RANK_NAMES[card >> 2]} after {last}"
        if hand.wilds != before:
            hand.emit(ev.WildsNamed(hand.wilds, why))


@dataclass(frozen=True, slots=True)
class Wilds:
    """Cards of these ranks (0..12) are wild in the whole hand."""

    ranks: tuple[int, ...]

    def run(self, hand: HandState) -> None:
        """Name them."""
        hand.wilds = self.ranks
        hand.emit(ev.WildsNamed(self.ranks, ""))


@dataclass(frozen=True, slots=True)
class Pass:
    """Every live player gives hidden cards to a neighbour, all at once (`rules.md` 18)."""

    count: int
    to: Literal["left", "right", "across"] = "left"

    @property
    def street(self) -> str:
        """What this part of the hand is called."""
        return f"passing {self.count} {'across' if self.to == 'across' else f'to the {self.to}'}"

    def run(self, hand: HandState) -> Flow:
        """Ask and exchange."""
        hand.street = self.street
        made = yield from ask_all(hand, "pass", lambda i: Option("pass", cards=tuple(hand.down[i]), count=self.count))
        live = hand.live
        steps = {"left": 1, "right": -1, "across": len(live) // 2}[self.to]
        passes = [(i, live[(place + steps) % len(live)], made[i].cards or ()) for place, i in enumerate(live)]
        for giver, _, cards in passes:
            hand.down[giver] = [card for card in hand.down[giver] if card not in cards]
        for _, taker, cards in passes:
            hand.down[taker] += cards
        seats = hand.seats
        hand.emit(ev.CardsPassed(tuple([(seats[giver], seats[taker], cards) for giver, taker, cards in passes])))


@dataclass(frozen=True, slots=True)
class Draw:
    """Every live player discards up to `most` hidden cards and is dealt as many (`rules.md` 13.1, rollouts)."""

    most: int

    @property
    def street(self) -> str:
        """What this part of the hand is called."""
        return "the draw"

    def run(self, hand: HandState) -> Flow:
        """Ask, discard, deal."""
        hand.street = self.street
        made = yield from ask_all(
            hand, "discard", lambda i: Option("discard", cards=tuple(hand.down[i]), count=self.most)
        )
        discards = [(i, made[i].cards or ()) for i in hand.live]
        dealt = []
        for i, cards in discards:
            hand.down[i] = [card for card in hand.down[i] if card not in cards]
            drawn = hand.deck[hand.position : hand.position + len(cards)]
            hand.position += len(cards)
            hand.down[i] += drawn
            dealt.append((hand.seats[i], tuple(drawn), ()))
        hand.emit(ev.CardsDiscarded(tuple([(hand.seats[i], cards) for i, cards in discards])))
        hand.emit(ev.CardsDealt(hand.street, tuple(dealt)))


@dataclass(frozen=True, slots=True)
class Choose:
    """Every live player turns one of their hidden cards face up.

    Fields:
        together: all choose secretly and turn at once (`rules.md` 7.2); otherwise in turn, each card being
            seen before the next player chooses (9.2).
        first: the rule that names who begins where they choose in turn; before all of them show a card it is always
            the first player from the dealer's left (9.2: ``expose_from``).
    """

    together: bool
    first: Opener = DEALERS_LEFT

    def run(self, hand: HandState) -> Flow:
        """Ask and turn."""
        if self.together:
            made = yield from ask_all(hand, "choose", lambda i: Option("choose", cards=tuple(hand.down[i]), count=1))
            turn_up(hand, [(i, card) for i in hand.live for card in made[i].cards or ()], "choose")
            return
        for i in self._turns(hand):
            hand.ask(i, "choose", (Option("choose", cards=tuple(hand.down[i]), count=1),))
            _, action, _ = yield
            assert action.cards is not None
            turn_up(hand, [(i, action.cards[0])], "choose")

    def _turns(self, hand: HandState) -> list[int]:
        live = list(hand.live)
        if not all(hand.up[i] for i in live):
            return live
        player, _ = self.first.designate(hand)
        at = live.index(player)
        return live[at:] + live[:at]


@dataclass(frozen=True, slots=True)
class BringBack:
    """Bring 'em back: all cards return to the hand, each player keeps some and sets their order (`rules.md` 7.2)."""

    keep: int

    def run(self, hand: HandState) -> Flow:
        """Gather, ask everybody, discard the rest."""
        hand.street = "bring 'em back" if any(hand.up) else "the arrangement"
        for i in hand.live:
            # The cards that were face up come first, so that the default order rolls them first (`rules.md` 10).
            hand.down[i] = hand.up[i] + hand.down[i]
            hand.up[i] = []
            hand.board[i] = 0
        hand.emit(ev.BroughtBack(tuple([hand.seats[i] for i in hand.live]), self.keep))
        made = yield from ask_all(
            hand, "arrange", lambda i: Option("arrange", cards=tuple(hand.down[i]), count=self.keep)
        )
        for i, action in made.items():
            assert action.cards is not None
            hand.down[i] = list(action.cards)


@dataclass(frozen=True, slots=True)
class Roll:
    """Everybody turns the next card of their arranged hand, at the same moment."""

    number: int

    def run(self, hand: HandState) -> None:
        """Turn."""
        hand.street = f"{NAMES[self.number]} roll"
        turn_up(hand, [(i, hand.down[i][0]) for i in hand.live], "roll")


@dataclass(frozen=True, slots=True)
class Declare:
    """Everybody declares high or low in secret; all declarations are shown at once (`rules.md` 7.2 step 10).

    Fields:
        odd_man: whether a player who is alone in one direction is the odd man, for the bet that follows (7.3 HR4).
    """

    odd_man: bool = True

    def run(self, hand: HandState) -> Flow:
        """Ask, reveal, find the odd man (`rules.md` 7.3 HR4)."""
        hand.street = "the declaration"
        made = yield from ask_all(hand, "declare", lambda i: Option("declare", directions=DIRECTIONS))
        for i, action in made.items():
            assert action.direction is not None
            hand.declared[i] = action.direction
        alone = [i for i in hand.live if sum(hand.declared[j] == hand.declared[i] for j in hand.live) == 1]
        # Of two players each would be the odd man, but no bet can change anything then (`rules.md` 7.3).
        hand.odd_man = alone[0] if self.odd_man and len(alone) == 1 and len(hand.live) > 2 else None
        seats = hand.seats
        odd = seats[hand.odd_man] if hand.odd_man is not None else None
        why = f"{{{odd}}} alone goes {hand.declared[alone[0]]}: the odd man" if odd is not None else ""
        hand.emit(
            ev.Declared(
                tuple([(seats[i], action.direction) for i, action in sorted(made.items()) if action.direction]),
                odd,
                why,
            )
        )


def ask_all(
    hand: HandState, decision: Decision, option: Callable[[int], Option]
) -> Generator[None, Answer, dict[int, Action]]:
    """Ask all live players for the same decision at once, and wait until all have answered in secret.

    Returns {player: action}. Each answer becomes a `ChoiceMade` event that only its seat can read.
    """
    waiting = list(hand.live)
    for i in waiting:
        hand.ask(i, decision, (option(i),))
    made: dict[int, Action] = {}
    while len(made) < len(waiting):
        i, action, cause = yield
        made[i] = action
        hand.emit(ev.ChoiceMade(hand.seats[i], decision, action, cause))
    return made


def turn_up(hand: HandState, cards: list[tuple[int, Card]], how: Literal["choose", "roll"]) -> None:
    """Turn hidden cards face up: (player, card)."""
    for i, card in cards:
        hand.down[i].remove(card)
        hand.up[i].append(card)
        hand.board[i] += BOARD_KEY[card]
    hand.emit(ev.CardsTurned(tuple([(hand.seats[i], card) for i, card in cards]), how))


Step: TypeAlias = Ante | Deal | Wilds | Pass | Draw | Choose | Bet | BringBack | Roll | Declare | Showdown
