"""What a seat remembers beyond the table."""

from typing import Literal

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import card, cards
from protocol.events import AnyEvent
from protocol.visibility import project
from replays.chances.memory import NOTHING, remember
from replays.chances.spot import spot_of
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable
from tests.support.seen_tables import live, seen_table


def chosen(seat: int, decision: Literal["pass", "arrange"], row: str) -> ev.ChoiceMade:
    return ev.ChoiceMade(seat, decision, Action(decision, cards=tuple(cards(row))), "player")


def test_passed_cards_lie_where_they_were_passed_until_the_next_exchange() -> None:
    events: list[AnyEvent] = [
        ev.CardsDealt("x", ((1, tuple(cards("2c 3c 4c 5c 6c")), ()), (2, (None,) * 5, ()))),
        chosen(1, "pass", "2c 3c"),
        ev.ChoiceMade(2, "pass", None, "player"),
        ev.CardsPassed(((1, 2, tuple(cards("2c 3c"))), (2, 1, tuple(cards("Kc Kd"))))),
    ]
    assert remember(events, 1).passed == {2: tuple(cards("2c 3c"))}
    events += [chosen(1, "pass", "Kc"), ev.CardsPassed(((1, 2, (card("Kc"),)), (2, 1, (card("9s"),))))]
    assert remember(events, 1).passed == {2: (card("Kc"),)}
    events.append(chosen(1, "arrange", "4c 5c 6c Kd"))
    assert remember(events, 1).put_aside == {card("9s")}
    assert remember([*events, ev.HandStarted(2, "t-2", "stud", "Stud", 1, (), GAMES["stud"].stakes)], 1) == NOTHING


def test_what_is_remembered_comes_from_what_the_seat_was_told() -> None:
    for game in ("anaconda", "barneys"):
        table = LocalTable(game, 4, seed=5)
        table.deal()
        while table.step():
            events = [event for step in table.steps for event in step]
            for seat in range(1, 5):
                assert remember(events, seat) == remember([project(event, seat) for event in events], seat)
        assert remember([event for step in table.steps for event in step], 1).put_aside


def test_a_passed_card_is_in_the_hand_that_got_it_and_dead_once_that_folds() -> None:
    aside, given = cards("Kh Kd")
    memory = type(NOTHING)(frozenset([aside]), {2: (given,)})
    seats = live(1, "As 3c 4d 5h 7s"), live(2, hidden=5), live(3, hidden=5)
    view = seen_table("anaconda", *seats, keep=5)
    spot = spot_of(view, 1, GAMES["anaconda"], memory)
    assert spot is not None
    by_seat = {hand.seat: hand for hand in spot.hands}
    assert (by_seat[2].cards, by_seat[2].missing, by_seat[3].missing) == ((given,), 6, 7)
    assert spot.dead == (aside,)
    seats[1].hand = "folded"
    spot = spot_of(view, 1, GAMES["anaconda"], memory)
    assert spot is not None
    assert spot.dead == (given, aside)
