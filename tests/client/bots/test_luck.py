"""What a deal is worth: nothing on average, whatever game it is, and what the chances say where they can be counted."""

from collections.abc import Iterable
from itertools import combinations
from statistics import fmean, stdev

import pytest

from client.bots import luck
from client.bots.arena import Arena
from client.bots.luck import LATER_BETS, Luck
from client.bots.minds import OWN
from protocol.cards import DECK, Card, cards
from protocol.events import AnyEvent, CardsDealt
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.catalogue import BARNEYS, CHICAGO, GAMES, RAZZ_ROLL_YOUR_OWN, STUD8
from server.engine.games.game import Game


def table(*hands: tuple[str, str], folded: str = "", pot: int = 40) -> TableView:
    """An all-seeing table: (down, up) of the live hands in seats 1, 2, ..., and the cards of a hand that was folded."""
    seats = [
        SeatView(at, name=f"P{at}", hand="live", down=tuple(cards(down)), up=tuple(cards(up)))
        for at, (down, up) in enumerate(hands, 1)
    ]
    seats.append(SeatView(len(seats) + 1, name="Out", hand="folded", down=tuple(cards(folded))))
    seats[0].bet = seats[0].total = pot
    return TableView(seats=seats, playing=True)


def worth(game: Game, before: TableView, after: TableView) -> dict[int, float]:
    return Luck(game).of([dealing(before, after)], after)


def dealing(before: TableView, after: TableView) -> CardsDealt:
    """The deal that makes one table of the other."""
    had = {card for one in before.seats for card in (*one.up, *one.down)}
    rows = []
    for one in after.seats:
        down = tuple([card for card in one.down if card not in had])
        up = tuple([card for card in one.up if card not in had])
        rows += [(one.seat, down, up)] if down or up else []
    return CardsDealt("a street", tuple(rows))


def test_the_last_card_is_worth_the_pot_it_wins_less_what_the_hand_was_worth_before() -> None:
    """Kings up against a flush draw; 5 of 36 unseen cards are clubs, for four were folded."""
    made, draw, out = ("KhKd2s", "9h9d5d"), ("AcTc3h", "8c6c4s"), "2c3c4c5c"
    before = table(made, draw, folded=out)
    hit = table((made[0] + "6d", made[1]), (draw[0] + "Jc", draw[1]), folded=out)
    missed = table((made[0] + "6d", made[1]), (draw[0] + "7d", draw[1]), folded=out)
    won, lost = (worth(GAMES["stud"], before, after) for after in (hit, missed))
    assert won[2] > 0 > lost[2]
    assert won[1] == pytest.approx(-won[2])
    # What lies between them is the whole pot with what will still be bet in the last round.
    assert won[2] - lost[2] == pytest.approx((1 + LATER_BETS) * 40)
    assert -lost[2] / ((1 + LATER_BETS) * 40) == pytest.approx(5 / 36, abs=0.11)


@pytest.mark.parametrize("game", [STUD8, RAZZ_ROLL_YOUR_OWN, BARNEYS], ids=lambda game: game.id)
def test_on_average_over_all_cards_a_deal_is_worth_nothing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """All next cards of two players on the last street, with samples large enough that their chance does not matter."""
    monkeypatch.setattr(luck, "SAMPLES", 4000)
    out = "".join(f"{rank}{suit}" for rank in "9TQ" for suit in "shdc") + "AcAdKcKsJcJdJs"
    before = table(("As4d", "KhJh6s3c"), ("2h7c", "Kd8d5c4h"), folded=out)
    gone = {card for one in before.seats for card in (*one.up, *one.down)}
    left = [card for card in DECK if card not in gone]

    def after(mine: Card, theirs: Card) -> TableView:
        view = before.copy()
        for seat, card in ((1, mine), (2, theirs)):
            view.seat(seat).down = (*view.seat(seat).down, card)
        return view

    pairs = [pair for one, two in combinations(left, 2) for pair in ((one, two), (two, one))]
    worths = [worth(game, before, after(*pair))[1] for pair in pairs]
    assert stdev(worths) > 5
    assert fmean(worths) == pytest.approx(0, abs=1.0)


def test_nothing_is_told_of_the_first_deal_of_games_it_does_not_understand_and_where_the_deck_is_too_small() -> None:
    start = table(("AsKd", "2h"), ("QdJh", "8d"))
    assert worth(STUD8, table(("", ""), ("", "")), start) == {}
    later = table(("AsKd", "2h2c"), ("QdJh", "8d7s"))
    assert set(worth(STUD8, start, later)) == {1, 2}
    assert worth(CHICAGO, start, later) == {}
    assert worth(STUD8, later, later) == {}
    later.keep = 5
    assert worth(STUD8, start, later) == {}
    later.keep, later.community = 0, (cards("9d")[0],)
    assert worth(STUD8, start, later) == {}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "razz"])
def test_the_luck_of_a_match_is_chance_only_and_explains_much_of_it(game: str) -> None:
    arena = Arena([("caller", OWN["caller"]), ("house", OWN["house"])], GAMES[game], 4, "luck")
    arena.play(25)
    caller, house = arena.scores
    assert caller.luck == pytest.approx([-chips for chips in house.luck])
    assert abs(fmean(caller.luck)) < 3 * stdev(caller.luck) / 5
    assert caller.adjusted.error < caller.chips.error


def test_the_cards_of_those_who_have_folded_stay_out_of_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a deal would be compared with cards that could not come, and so be worth something on average."""
    seen: list[int] = []

    class Watching(Luck):
        def of(self, events: Iterable[AnyEvent], view: TableView) -> dict[int, float]:
            seen.append(sum(len(one.up) + len(one.down) for one in view.seats) + len(view.community))
            return super().of(events, view)

    monkeypatch.setattr("client.bots.arena.Luck", Watching)
    Arena([("rock", OWN["rock"]), ("house", OWN["house"])], STUD8, 6, "folded").play(3)
    hands = [list(group) for group in _until_new(seen)]
    assert len(hands) == 6  # three decks, each played twice
    for counts in hands:
        assert counts == sorted(counts)


def _until_new(counts: list[int]) -> list[list[int]]:
    """The counts of one hand after the other; each begins where nobody has cards."""
    hands: list[list[int]] = []
    for before, now in zip([1, *counts], counts, strict=False):
        if not now and before:
            hands.append([])
        hands[-1].append(now)
    return hands
