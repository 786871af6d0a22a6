"""Reading hands: deals that fit what the seat sees, and likelier cards behind strong actions."""

from collections import Counter
from itertools import accumulate
from math import comb

import pytest

from client.bots.player import choose_action
from client.bots.simple import passive
from protocol import events as ev
from protocol.actions import Action
from protocol.cards import DECK, cards
from protocol.events import Seat
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.visibility import project
from replays.chances.memory import remember
from replays.hand_reading.habits import Habits
from replays.hand_reading.holdings import chance_to_turn
from replays.hand_reading.reading import Reading, read_hands
from server.engine.games.catalogue import GAMES
from tests.support.bot_hands import BotHand, bot_hands
from tests.support.engine_table import GAMES_PLAYED
from tests.support.stacked_hand import deal


def reading(hand: BotHand, until: int, seat: Seat, view: TableView | None = None) -> Reading:
    events = hand.seen(until, seat)
    return read_hands(view or hand.view(until, seat), seat, events, memory=remember(events, seat))


def calm(view: TableView, seat: int, request: ev.ActionRequested) -> Action:
    """A player who never folds, and chooses cards as the house bot does."""
    return passive(request) if request.decision == "bet" else choose_action(view, seat, request)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES_PLAYED))
def test_every_deal_fits_what_the_seat_sees(game: str) -> None:
    for hand in bot_hands(game, 1, 4, "fits", calm):
        for until, request in hand.decisions():
            view = hand.view(until, request.seat)
            read_now = reading(hand, until, request.seat)
            assert set(read_now.opponents) == {live.seat for live in view.in_hand()} - {request.seat}
            seen = {card for hand_of in view.seats for card in (*hand_of.up, *hand_of.down)} | set(view.community)
            deals = list(read_now.deals(5))
            assert list(read_now.deals(5)) == deals, "the same ones every time"
            for one in deals:
                dealt = [card for down in one.hidden.values() for card in down]
                assert len({*dealt, *one.rest}) == len(dealt) + len(one.rest)
                assert seen.isdisjoint([*dealt, *one.rest])
                for seat, down in one.hidden.items():
                    assert len(down) == len(view.seat(seat).down)


def test_passed_cards_lie_where_they_were_passed() -> None:
    (hand,) = bot_hands("anaconda", 1, 4, "passed", calm)
    known = 0
    for until, request in hand.decisions():
        memory = remember(hand.seen(until, request.seat), request.seat)
        if hand.view(until).keep:
            continue
        for one in reading(hand, until, request.seat).deals(5):
            for seat, passed in memory.passed.items():
                assert set(passed) <= set(one.hidden[seat])
                known += 1
    assert known


# ------------------------------------------------------------------ by hand


def read_stud(actions: str, game: str = "stud", habits: Habits | None = None, belief: float = 1.0) -> Reading:
    """What seat 1, with two fives and a four, reads on third street after these actions of seats 2 and 3."""
    rows = {1: "(5s 5d) 4c", 2: "(x x) 9d", 3: "(x x) Kh"}
    table = deal(GAMES[game], rows, button=3).play(actions)
    events = [project(event, 1) for event in table.events]
    seats = [SeatView(seat, f"Player {seat}", 1000) for seat in rows]
    view = TableView(game=game, seats=seats).apply_all(events)
    return read_hands(view, 1, events, habits=habits, belief=belief, holdings=400)


def test_deals_go_evenly_over_the_holdings_and_over_the_next_card() -> None:
    """With random deals the gap would be about 0.04, and the sum of squares about as large as the number of ranks."""
    read_now, deals = read_stud("1 post, 2 call, 3 complete 2"), 200
    for seat in read_now.opponents:
        met = Counter([one.hidden[seat] for one in read_now.deals(deals)])
        parts: dict[tuple[int, ...], float] = {}
        for down, weight in read_now.weights(seat):
            parts[down] = parts.get(down, 0.0) + weight
        ahead = accumulate([part - met[down] / deals for down, part in parts.items()])
        assert max([abs(gap) for gap in ahead]) < 0.03
    ranks = Counter([one.rest[0] >> 2 for one in read_now.deals(deals)])
    unseen = Counter([card >> 2 for card in DECK if card not in cards("5s 5d 4c 9d Kh")])
    expected = {rank: count * deals / unseen.total() for rank, count in unseen.items()}
    assert sum([(ranks[rank] - average) ** 2 / average for rank, average in expected.items()]) < 13 / 2


def chance_of_a_pair(reading: Reading, seat: Seat, door: str) -> float:
    """The part of the weights in which that seat has a pair or better on third street."""
    doors = tuple(cards(door))
    return sum(part for down, part in reading.weights(seat) if len({card >> 2 for card in (*down, *doors)}) < 3)


def test_a_player_who_raises_has_a_pair_more_often() -> None:
    quiet = chance_of_a_pair(read_stud("1 post, 2 call, 3 call"), 3, "Kh")
    completed = chance_of_a_pair(read_stud("1 post, 2 call, 3 complete 2"), 3, "Kh")
    raised = chance_of_a_pair(read_stud("1 post, 2 complete 2, 3 raise 4"), 3, "Kh")
    assert quiet < 0.3 < completed < raised


def test_who_believes_more_of_a_raise_expects_a_pair_more_often() -> None:
    raised = [
        chance_of_a_pair(read_stud("1 post, 2 complete 2, 3 raise 4", belief=belief), 3, "Kh")
        for belief in (0.0, 0.5, 1.0, 1.3)
    ]
    assert raised == sorted(set(raised))


def test_who_believes_nothing_expects_random_cards() -> None:
    unseen = Counter([card >> 2 for card in DECK if card not in cards("5s 5d 4c 9d Kh")])
    others = unseen.total() - unseen[cards("Kh")[0] >> 2]
    same = sum([comb(count, 2) for rank, count in unseen.items() if rank != cards("Kh")[0] >> 2])
    by_chance = 1 - (comb(others, 2) - same) / comb(unseen.total(), 2)
    for read_now in (nothing := read_stud("1 post, 2 complete 2, 3 raise 4", belief=0.0), nothing.again(1)):
        assert len({round(part, 9) for _, part in read_now.weights(3)}) == 1
        assert chance_of_a_pair(read_now, 3, "Kh") == pytest.approx(by_chance, abs=0.05)
        assert read_now.odds(3, cards("Ks Kd")) == 1.0


def test_a_raise_in_razz_is_not_a_pair() -> None:
    called = chance_of_a_pair(read_stud("3 post, 1 call, 2 call", "plainrazz"), 2, "9d")
    raised = chance_of_a_pair(
        read_stud("3 post, 1 call, 2 complete 2, 3 fold, 1 raise 4, 2 raise 6", "plainrazz"), 2, "9d"
    )
    assert raised < called


def test_the_first_card_in_razz_hides_middling_cards_but_not_large_ones() -> None:
    """Of cards up to an eight one shows the largest, and a larger one only where there is no other."""
    brings_in = [chance_to_turn(cards(up)[0], cards(f"{up} {rest}"), (), brings_in=True) for up, rest in DOORS]
    assert brings_in == sorted(brings_in, reverse=True)
    assert brings_in[0] > 0.7 > 0.5 > brings_in[2] > 0.2 > brings_in[-1]


DOORS = (("5s", "Kd Qh"), ("7s", "2d 3h"), ("3s", "Ad 2h"), ("3s", "7d 8h"), ("Ks", "7d 2h"))
"""The card that was turned up, and the other two."""


def test_later_a_large_card_is_turned_up_rather_than_a_useful_one_and_a_pair_rather_than_a_single_card() -> None:
    large = chance_to_turn(cards("Ks")[0], cards("Ks 2d 3h"), cards("5c"), brings_in=False)
    kept = chance_to_turn(cards("2d")[0], cards("Ks 2d 3h"), cards("5c"), brings_in=False)
    single, paired = (
        chance_to_turn(cards("5s")[0], cards("5s 6d 3h"), cards(up), brings_in=False) for up in ("8c", "5c")
    )
    assert kept < 0.1 < 0.7 < large
    assert single < paired


def test_the_bet_of_a_player_who_bets_everything_says_less() -> None:
    habits = Habits()
    table = deal(GAMES["stud"], {1: "(5s 5d) 4c", 2: "(x x) 9d", 3: "(x x) Kh"}, button=3)
    table.play("1 post, 2 complete 2, 3 raise 4, 1 call, 2 raise 6, 3 raise 8")
    for _ in range(10):
        habits.see_all(table.events)
    line = "1 post, 2 complete 2, 3 raise 4"
    usual, wild = [chance_of_a_pair(read_stud(line, habits=one), 3, "Kh") for one in (None, habits)]
    assert wild < usual - 0.1


def test_without_an_opponent_there_is_nothing_to_read() -> None:
    table = deal(GAMES["stud"], {1: "(5s 5d) 4c", 2: "(x x) 9d"}, button=2).play("1 post, 2 fold")
    seats = [SeatView(seat, f"Player {seat}", 1000) for seat in (1, 2)]
    view = TableView(game="stud", seats=seats).apply_all(table.events)
    read_now = read_hands(view, 1, table.events)
    (one,) = read_now.deals(1)
    assert one.hidden == {}
    assert set(cards("5s5d4c9d")).isdisjoint(one.rest)
