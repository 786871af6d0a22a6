"""P1: whole hands through the engine with its full event stream, against pokerkit.

Both sides play from the same decks with the same policy and the same dice, seven-card stud high-low eight or better
and razz, fixed limit: *loose* folds one time in ten and raises two in ten, *call-down* always calls, *uniform*
picks any legal action. pokerkit burns a card a street, so that later cards differ.
"""

import random
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import pokerkit

from protocol.actions import Action, Kind
from protocol.cards import TEXTS
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.hand import Hand
from tests.benchmarks.harness import Args, Bench, Rows, faster_row, interleaved

PEER: dict[str, Callable[..., pokerkit.State]] = {
    "stud8": pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter.create_state,
    "plainrazz": pokerkit.FixedLimitRazz.create_state,
}
CARDS = [next(pokerkit.Card.parse(text)) for text in TEXTS]
AUTOMATIONS = tuple(
    automation for automation in pokerkit.Automation if automation is not pokerkit.Automation.HOLE_DEALING
)
STACK = 1000
FOLD = Action("fold")
STAY: dict[Kind, Action] = {"check": Action("check"), "call": Action("call"), "bring_in": Action("bring_in")}
LEGAL = ((("call",), ("call", "raise")), (("call", "fold"), ("call", "fold", "raise")))
"""What may be chosen, by whether there is a bet to fold to and whether a wager is open."""

Choice = Callable[[Callable[[], float], bool, bool], str]


def loose(dice: Callable[[], float], can_fold: bool, can_raise: bool) -> str:
    """Fold 10 %, raise 20 %, else call."""
    roll = dice()
    if roll < 0.1 and can_fold:
        return "fold"
    return "raise" if 0.1 <= roll < 0.3 and can_raise else "call"


def call_down(dice: Callable[[], float], can_fold: bool, can_raise: bool) -> str:
    """Always call."""
    return "call"


def uniform(dice: Callable[[], float], can_fold: bool, can_raise: bool) -> str:
    """Any legal action, each as likely."""
    legal = LEGAL[can_fold][can_raise]
    return legal[int(dice() * len(legal))]


def play_ours(game: Game, players: int, decks: Sequence[Sequence[int]], choice: Choice) -> None:
    """Play every deck through our engine."""
    dice = random.Random(1).random
    stacks = [(seat, STACK) for seat in range(1, players + 1)]
    for deck in decks:
        hand = Hand(game, game.stakes, stacks, players, deck)
        hand.start()
        while not hand.over:
            [request] = hand.requests.values()
            options = request.options
            last = options[-1]
            stay = options[1] if options[0].kind == "fold" else options[0]
            chosen = choice(dice, stay.kind == "call", last.most > 0)
            if chosen == "raise":
                hand.act(request.seat, Action(last.kind, last.least))
            else:
                hand.act(request.seat, FOLD if chosen == "fold" else STAY[stay.kind])


def play_peer(game: Game, players: int, decks: Sequence[Sequence[int]], choice: Choice) -> None:
    """Play every deck through pokerkit."""
    dice = random.Random(1).random
    stakes = game.stakes
    for deck in decks:
        state = PEER[game.id](AUTOMATIONS, True, stakes.ante, stakes.bring_in, stakes.small, stakes.big, STACK, players)
        state.deck_cards = deque([CARDS[card] for card in deck])
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_post_bring_in():
                state.post_bring_in()
            else:
                _peer_acts(state, choice(dice, state.can_fold(), state.can_complete_bet_or_raise_to()))


def _peer_acts(state: pokerkit.State, chosen: str) -> None:
    if chosen == "fold":
        state.fold()
    elif chosen == "raise":
        state.complete_bet_or_raise_to()
    else:
        state.check_or_call()


WORKLOADS: list[tuple[str, Choice, int, int]] = [
    ("loose", loose, 6, 60),
    ("call-down", call_down, 8, 30),
    ("uniform", uniform, 6, 200),
]
"""(name, policy, players, hands that pokerkit plays in one run)."""
GOALS = {
    "p1-stud8-loose": 60,
    "p1-stud8-call-down": 120,
    "p1-stud8-uniform": 25,
    "p1-razz-loose": 55,
    "p1-razz-call-down": 90,
    "p1-razz-uniform": 25,
}
TIMES = 10
"""How often ours plays the hands in one run."""


def row(key: str, name: str, choice: Choice, players: int, hands: int, args: Args) -> Rows:
    """One game and one policy."""
    game = GAMES[key]
    shuffle = random.Random(7)
    decks = [shuffle.sample(range(52), 52) for _ in range(hands)]
    jobs: dict[str, Callable[[], object]] = {
        "pokerkit": partial(play_peer, game, players, decks, choice),
        "ours": partial(play_ours, game, players, decks * TIMES, choice),
    }
    times = interleaved(jobs, args.repeats)
    counts = hands, hands * TIMES
    yield faster_row(name, times["pokerkit"], times["ours"], counts=counts, peer="pokerkit", goal=GOALS[name])


ROWS: dict[str, Bench] = {
    name: partial(row, key, name, choice, players, hands)
    for key in PEER
    for policy, choice, players, hands in WORKLOADS
    for name in [f"p1-{key.removeprefix('plain')}-{policy}"]
}
