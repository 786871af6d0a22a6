"""Which cards play at a showdown."""

import pytest

from client.display.playing_cards import playing_cards, shown_hands
from protocol import events as ev
from protocol.cards import cards
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.visibility import project
from server.engine.games.catalogue import GAMES
from server.engine.ranking.winning_cards import winning_cards
from tests.support.self_play import troubled_events


@pytest.mark.parametrize("game", GAMES)
def test_winners_play_what_the_story_says_and_nobody_else_does(game: str) -> None:
    view = TableView()
    told = 0
    for event in troubled_events(5, players=4, hands=12, game=game):
        view.apply(project(event, None))
        if not isinstance(event, ev.PotAwarded):
            continue
        playing = playing_cards(view)
        assert set(playing) <= {seat for award in view.awards for seat, _ in award.winners}
        for seat, hands in winning_cards(event, view):
            for _, five in hands:
                assert set(five) <= playing[seat] or event.part == "spade"  # whose award names the high hand, too
        for seat, five_or_more in playing.items():
            assert five_or_more <= {*view.seat(seat).shown, *view.seat(seat).up, *view.community}
            told += 1
    assert told


def shown_down(holding: str, values: tuple[tuple[str, str], ...], *awards: ev.PotAwarded) -> TableView:
    """A table after a showdown at which seat 1 showed these cards."""
    return TableView(seats=[SeatView(1, "Ann", hand="live", shown=tuple(cards(holding)), values=values)], awards=awards)


def test_only_the_half_that_is_won_plays() -> None:
    values = (("high", "pair of kings"), ("8low", "eight-six low"))
    low = ev.PotAwarded(0, "low", 10, ((1, 10),), "eight-six low")
    view = shown_down("Ks Kd 8h 6d 4c 3s 2h", values, low)
    assert playing_cards(view) == {1: set(cards("8h 6d 4c 3s 2h"))}
    whole = ev.PotAwarded(0, "whole", 20, ((1, 20),), "pair of kings and eight-six low")
    assert playing_cards(shown_down("Ks Kd 8h 6d 4c 3s 2h", values, whole)) == {1: set(cards("Ks Kd 8h 6d 4c 3s 2h"))}


def test_the_highest_spade_in_the_hole_plays_for_the_spade() -> None:
    values = (("high", "pair of kings"), ("spade", "the king of spades in the hole"))
    spade = ev.PotAwarded(0, "spade", 10, ((1, 10),), "the king of spades in the hole")
    view = shown_down("Ks 2s Kd 8h 6d 4c 3c", values, spade)
    assert playing_cards(view) == {1: set(cards("Ks"))}
    assert shown_hands(view, 1)[1] == ("spade", "the king of spades in the hole", tuple(cards("Ks")))


def test_wild_cards_play_too() -> None:
    award = ev.PotAwarded(0, "whole", 20, ((1, 20),), "four kings")
    view = shown_down("Ks Kd 2c 2d 8h 6d 4c", (("high", "four kings"),), award)
    view.wilds = (0,)
    assert playing_cards(view) == {1: set(cards("Ks Kd 2c 2d 8h"))}


def test_a_low_that_is_none_and_wins_all_the_same_plays_whole() -> None:
    award = ev.PotAwarded(0, "whole", 20, ((1, 20),), "no low: a straight")
    view = shown_down("2c 3d 4h 5s 6c", (("a6", "no low: a straight"),), award)
    assert shown_hands(view, 1) == (("low", "no low: a straight", ()),)
    assert playing_cards(view) == {1: set(cards("2c 3d 4h 5s 6c"))}


def test_a_hand_that_nobody_called_shows_nothing() -> None:
    award = ev.PotAwarded(0, "whole", 20, ((1, 20),), why="everybody else folded")
    view = TableView(seats=[SeatView(1, "Ann", hand="live", down=(None,) * 3, up=tuple(cards("Kd")))], awards=(award,))
    assert playing_cards(view) == {}
