"""Properties of all games (`rules.md` 16), the two laws of secrets, and checks that the checks can fail."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import DECK, Card
from protocol.events import AnyEvent
from protocol.stakes import Stakes
from protocol.visibility import Viewer, project
from server.engine.games.catalogue import BARNEYS, GAMES, STUD8
from server.engine.games.game import Game
from server.engine.steps.betting import Bet
from server.engine.steps.hand_state import HandState
from server.engine.steps.opener import HIGH_BOARD
from server.engine.steps.pots import build_pots, shares, uncalled
from server.engine.steps.vocabulary import Ante, Deal, Step
from tests.support.hand_laws import Played, again, every_option_is_accepted, play
from tests.support.plain_betting import Round
from tests.support.random_hands import Scenario, scenario
from tests.support.stacked_hand import one_round

games = st.sampled_from(list(GAMES.values()))
seeds = st.integers(0, 2**32)
quick = settings(max_examples=60, deadline=None)


# ------------------------------------------------------------------ whole hands


@pytest.mark.slow
@quick
@given(games, seeds)
def test_everything_holds_in_a_hand(game: Game, seed: int) -> None:
    """Chips, pots, odd chips, options, refusals, both laws: all that `selfplay.play` checks."""
    rng = random.Random(seed)
    deal = scenario(rng, game)
    done, events = play(deal, rng, probe=0.3)
    assert again(deal, done)[1] == events
    every_option_is_accepted(deal, done, rng)


@quick
@given(games, seeds)
def test_clocks_alone_end_every_hand(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    play(scenario(rng, game), rng, late=1.0)


@pytest.mark.slow
@quick
@given(games, seeds)
def test_house_rules_as_seen_in_the_actions(game: Game, seed: int) -> None:
    """No raise after a check without a call, none by the odd man, none above the cap."""
    rng = random.Random(seed)
    deal = scenario(rng, game)
    stakes = msgspec.structs.replace(
        deal.stakes, no_check_raise=True, cap=2, heads_up_uncapped=False, short_allin="full", limit="fixed",
        bring_in=0, small=5, big=5,
    )  # fmt: skip
    deal = replace(deal, stakes=stakes)
    _, events = play(deal, rng, probe=0)
    odd_man = 0
    checked: set[int] = set()
    called: set[int] = set()
    price = full = 0
    for event in events:
        if isinstance(event, ev.Declared):
            odd_man = event.odd_man or 0
        elif isinstance(event, ev.RoundOpened):
            checked, called, price, full = set(), set(), 0, 0
        elif isinstance(event, ev.Acted):
            if event.to > price:
                assert event.seat not in checked - called or price == 0
                assert event.seat != odd_man or price == 0 or Bet("big", HIGH_BOARD, odd_man=True) not in game.steps
                full += event.to - price >= 5
                assert full <= 3, "a bet and two raises"
                price = event.to
            elif event.action == "check":
                checked.add(event.seat)
            elif event.action == "call":
                called.add(event.seat)


# ------------------------------------------------------------------------ laws


@pytest.mark.slow
@quick
@given(games, seeds)
def test_law_what_a_viewer_gets_does_not_depend_on_what_is_hidden_from_him(game: Game, seed: int) -> None:
    """Two cards that a viewer never sees are exchanged: up to the showdown they are sent the very same bytes."""
    rng = random.Random(seed)
    deal = scenario(rng, game)
    done, events = play(deal, rng, laws=False, probe=0)
    for viewer in (None, deal.stacks[0][0], deal.stacks[-1][0]):
        unseen = sorted(set(DECK) - _named(project(event, viewer) for event in events))
        if len(unseen) < 2:
            continue
        a, b = rng.sample(unseen, 2)
        swap = {a: b, b: a}
        other = replace(deal, deck=tuple([swap.get(card, card) for card in deal.deck]))
        hand = other.hand()
        sent = list(hand.start())
        for seat, action in done:
            sent += hand.act(seat, _swapped(action, swap))
        before, after = _until_showdown(events), _until_showdown(sent)
        assert [_bytes(event, viewer) for event in before] == [_bytes(event, viewer) for event in after]


def _named(events: Iterable[AnyEvent]) -> set[Card]:
    """Every card in some events."""
    cards: set[Card] = set()
    for event in events:
        match event:
            case ev.CardsDealt():
                cards |= {card for _, down, up in event.cards for card in (*down, *up) if card is not None}
            case ev.CardsTurned():
                cards |= {card for _, card in event.cards}
            case ev.CommunityDealt():
                cards.add(event.card)
            case ev.CardsPassed():
                cards |= {card for _, _, row in event.passes for card in row if card is not None}
            case ev.HandShown():
                cards |= set(event.cards)
            case ev.ActionRequested():
                cards |= {card for option in event.options for card in option.cards if card is not None}
            case _:
                pass
    return cards


def _swapped(action: Action, swap: dict[Card, Card]) -> Action:
    if action.cards is None:
        return action
    return msgspec.structs.replace(action, cards=tuple([swap.get(card, card) for card in action.cards]))


def _until_showdown(events: list[AnyEvent]) -> list[AnyEvent]:
    ends = (ev.HandShown, ev.HandMucked, ev.PotAwarded)
    end = next((at for at, event in enumerate(events) if isinstance(event, ends)), len(events))
    return events[:end]


def _bytes(event: AnyEvent, viewer: Viewer) -> bytes:
    return msgspec.msgpack.encode(project(event, viewer))


def _leak(kind: type[AnyEvent], event: AnyEvent, viewer: Viewer) -> AnyEvent:
    return event if isinstance(event, kind) else project(event, viewer)


@pytest.mark.parametrize("kind", [ev.CardsDealt, ev.ChoiceMade, ev.ActionRequested], ids=lambda kind: kind.__name__)
def test_the_laws_notice_a_leak(kind: type[AnyEvent]) -> None:
    deal = Scenario(BARNEYS, BARNEYS.stakes, ((1, 50), (2, 50), (3, 50)), 3, DECK)
    with pytest.raises(AssertionError, match="differ after"):
        play(deal, random.Random(1), project=lambda event, viewer: _leak(kind, event, viewer))


# ------------------------------------------------- the checks themselves can fail


def _broken(step: Step, at: int = 2) -> Scenario:
    """Stud/8 with one more step before the first round."""
    game = replace(STUD8, steps=(*STUD8.steps[:at], step, *STUD8.steps[at:]))
    return Scenario(game, STUD8.stakes, ((1, 50), (2, 50), (3, 50)), 3, DECK)


@dataclass(frozen=True, slots=True)
class SilentTax(Ante):
    """Takes a chip and tells nobody."""

    def run(self, hand: HandState) -> None:
        """Steal."""
        hand.chips[0] -= 1


@dataclass(frozen=True, slots=True)
class FalseAnte(Ante):
    """Tells of chips that nobody paid."""

    def run(self, hand: HandState) -> None:
        """Lie."""
        hand.emit(ev.PotsGathered(((1, (hand.seats[0],)),)))


@dataclass(frozen=True, slots=True)
class SameCardsAgain(Deal):
    """Deals from the top of the deck again."""

    def run(self, hand: HandState) -> None:
        """Deal."""
        hand.position = 0
        Deal(up=1).run(hand)


@pytest.mark.parametrize("step", [SilentTax(), FalseAnte(), SameCardsAgain()], ids=lambda step: type(step).__name__)
def test_the_checks_notice_a_false_step(step: Step) -> None:
    with pytest.raises(AssertionError):
        play(_broken(step), random.Random(1), late=1.0)


def test_the_plain_referee_tells_rules_apart() -> None:
    """Each switch changes what the plain rules offer, so agreeing with them says something."""
    acted = [ev.Acted(1, "bet", 5, 5), ev.Acted(2, "raise", 8, 8, all_in=True)]
    offers = {}
    for short in ("half", "full"):
        stakes = Stakes(small=5, big=10, short_allin="half" if short == "half" else "full")
        bet_round = Round(Bet("small", HIGH_BOARD), stakes, 1, {1: 50, 2: 8, 3: 50}, {1: [], 2: [], 3: []})
        bet_round.acted += acted
        offers[short] = bet_round.options(3)
    assert offers == {"half": "fold, call 8, raise to 13", "full": "fold, call 8, complete to 10"}


# ------------------------------------------------------------------------ pots


@st.composite
def contributions(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """(chips put in, who has not folded)."""
    put = draw(st.lists(st.integers(0, 30), min_size=2, max_size=8))
    live = [i for i in range(len(put)) if draw(st.booleans())]
    return put, live or [0]


@given(contributions())
def test_pots_hold_what_was_put_in(case: tuple[list[int], list[int]]) -> None:
    put, live = case
    pots = build_pots(put, live)
    assert sum(amount for amount, _ in pots) == sum(put)
    for amount, players in pots:
        assert amount > 0
        assert players
        assert set(players) <= set(live)
    for (_, more), (_, fewer) in pairwise(pots):
        assert set(fewer) < set(more), "layers with the same players are one pot"


@given(contributions())
def test_nobody_can_win_more_from_each_player_than_they_put_in(case: tuple[list[int], list[int]]) -> None:
    put, live = case
    pots = build_pots(put, live)
    top = max(put[i] for i in live)
    for i in live:
        can_win = sum(amount for amount, players in pots if i in players)
        fair = sum(min(chips, put[i]) for chips in put)
        if put[i] == top:
            fair = sum(put)  # what the folded put in above everybody goes to the last pot
        assert can_win == fair


@given(contributions())
def test_returned_and_pots_are_what_was_put_in(case: tuple[list[int], list[int]]) -> None:
    put, live = case
    player, excess = uncalled(put, live)
    assert (player == -1) == (excess == 0)
    if excess:
        assert player in live
        assert put[player] - excess == max(chips for i, chips in enumerate(put) if i != player)
        put = [chips - excess * (i == player) for i, chips in enumerate(put)]
        assert uncalled(put, live) == (-1, 0)
    assert sum(amount for amount, _ in build_pots(put, live)) == sum(put)


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_shares_differ_by_one_chip_at_most(amount: int, winners: int) -> None:
    row = shares(amount, list(range(winners)))
    assert sum(row) == amount
    assert row == sorted(row, reverse=True)
    assert row[0] - row[-1] <= 1


def test_replay_of_the_same_actions() -> None:
    done: list[Played] = [(1, Action("check")), (2, Action("bet", to=2)), (1, Action("call"))]
    tables = [one_round(2) for _ in range(2)]
    for table in tables:
        for seat, action in done:
            table.events += table.hand.act(seat, action)
    assert tables[0].events == tables[1].events
