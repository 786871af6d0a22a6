"""Minds that think: legal in every game, blind to what they may not see, and weak in the ways of people only."""

from dataclasses import replace

import pytest

from client.bots.arena import Arena
from client.bots.characters import EASY, NEVER, STRONG, USUAL, Weaknesses
from client.bots.equity import Equity
from client.bots.minds import OWN
from client.bots.player import Thought, choose_action, thought_spot
from client.bots.story import believable
from client.bots.thinker import (
    CLEAR,
    FEWEST_DEALS,
    WORK,
    Imagined,
    Thinker,
    bet_blindly,
    deals_for,
    decided,
    feelings,
    felt_call,
    overrated,
    remembered,
)
from protocol.actions import Action, Option
from protocol.events import ActionRequested
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.visibility import project
from replays.hand_reading.habits import FIRST, LATE, MIDDLE, Counts, Habits
from replays.playout.values import OptionValues
from server.engine.games.catalogue import GAMES
from server.engine.ranking.card_order import EIGHT, low_rank
from tests.support.limits import length
from tests.support.seen_tables import live, seen_table
from tests.support.stacked_hand import deal

FOLD, CALL, CHECK, BET, RAISE = (
    Action("fold"), Action("call"), Action("check"), Action("bet", to=4), Action("raise", to=8),
)  # fmt: skip
FACING = ActionRequested(1, "bet", (Option("call", amount=4), Option("raise", least=8, most=8), Option("fold")), call=4)
FREE = ActionRequested(1, "bet", (Option("check"), Option("bet", least=4, most=4)))


def values(**chips: float) -> OptionValues:
    """Play-outs of these options on two deals, without any noise."""
    by_name = {"fold": FOLD, "call": CALL, "check": CHECK, "bet": BET, "raises": RAISE}
    options = tuple([by_name[name] for name in chips])
    return OptionValues(options, tuple([(value, value) for value in chips.values()]))


def table(*seats: SeatView) -> TableView:
    return seen_table("stud8", *(seats or (live(1, "2c 9d", "Kh"), live(2, up="3s", hidden=2))))


def chosen(
    worth: OptionValues, request: ActionRequested, weak: Weaknesses, view: TableView | None = None, first: bool = False
) -> Action:
    """What a bot with these weaknesses does that would check, or fold, without thinking."""
    felt = feelings(worth, view or table(), 1, request, weak, first=first)
    return decided(worth, felt, CHECK if CHECK in worth.options else FOLD)


def test_without_a_weakness_it_takes_what_is_worth_most() -> None:
    assert chosen(values(call=1, raises=2, fold=0), FACING, STRONG) == RAISE
    assert chosen(values(call=-1, raises=-2, fold=0), FACING, STRONG) == FOLD


def test_whoever_does_not_feel_the_price_calls_too_much_and_whoever_fears_for_chips_folds_too_much() -> None:
    worse, better = values(call=-1, fold=0), values(call=1, fold=0)
    assert chosen(worse, FACING, replace(STRONG, price=0.5)) == CALL
    assert chosen(better, FACING, replace(STRONG, price=1.5)) == FOLD
    assert (chosen(worse, FACING, STRONG), chosen(better, FACING, STRONG)) == (FOLD, CALL)


def test_what_it_thinks_first_has_its_weaknesses_too() -> None:
    view, jonas, nils = table(), replace(STRONG, price=0.4), replace(STRONG, price=1.5)
    costs = [felt_call(view, 1, FACING, weak, first=False) for weak in (jonas, STRONG, nils)]
    assert costs == [0.4 * 4, 4, 1.5 * 4]
    middling = Equity(0.17, 0.17, 0.17, 0.5)  # with 20 chips in the pot a call of 4 needs a sixth of it
    last = table(live(1, "2c 9d 3h", "Kh 4d 5s 8c"), live(2, up="3s 6d 7c Jh", hidden=3))
    answers = [choose_action(last, 1, FACING, Thought(middling, cost)).kind for cost in costs]
    assert answers == ["call", "call", "fold"]


def test_a_hasty_bot_feels_less_of_the_first_call_of_a_hand() -> None:
    view, hasty = table(), replace(STRONG, patience=-1.5)
    assert felt_call(view, 1, FACING, hasty, first=True) == 4 - 1.5 * 2
    assert felt_call(view, 1, FACING, hasty, first=False) == 4
    assert choose_action(view, 1, FACING, Thought(Equity(0.01, 0, 0, 0.5), -1.0)) == CALL


def test_patience_counts_on_the_first_street_only() -> None:
    worth, hasty, patient = values(call=-1, fold=0), replace(STRONG, patience=-1), replace(STRONG, patience=1)
    assert chosen(worth, FACING, hasty, first=True) == CALL
    assert chosen(worth, FACING, hasty) == FOLD
    assert chosen(values(call=1, fold=0), FACING, patient, first=True) == FOLD
    assert chosen(values(call=1, fold=0), FACING, patient) == CALL


def test_a_bluff_needs_a_bad_hand_and_a_story_and_some_never_do_it() -> None:
    """The number that makes it sometimes so and sometimes so follows from the hand: the same hand, the same bluff."""
    bad, good = values(check=1, bet=0.5), values(check=15, bet=16)
    bold, honest = replace(STRONG, bluffs=1.0), replace(STRONG, bluffs=NEVER)
    told, untold = table(), table(live(1, "2c 9d", "Kh Qd"), live(2, up="As Ad", hidden=2))
    assert believable(told, 1)
    assert not believable(untold, 1)
    assert chosen(bad, FREE, bold, told) == BET
    assert chosen(bad, FREE, bold, untold) == CHECK
    assert chosen(values(check=0, bet=1), FREE, honest, told) == CHECK
    assert chosen(good, FREE, honest, told) == BET
    worth, seen = values(check=1, bet=1), set()
    for hand in range(20):
        told.hand_id = f"hand {hand}"
        answer = chosen(worth, FREE, STRONG, told)
        assert answer == chosen(worth, FREE, STRONG, told)
        seen.add(answer)
    assert seen == {CHECK, BET}


def test_it_forgets_the_cards_of_those_who_have_folded() -> None:
    folded = live(3, up="Kc", hidden=2)
    folded.hand = "folded"
    view = table(live(1, "2c 9d", "Kh"), live(2, up="3s", hidden=2), folded)
    assert remembered(view, 1, STRONG).seat(3).up == folded.up
    assert remembered(view, 1, EASY).seat(3).up == ()
    assert view.seat(3).up, "the table itself is as it was"


def test_what_it_would_do_without_thinking_is_changed_only_where_the_difference_is_clear() -> None:
    noisy = OptionValues((CALL, FOLD), ((30, -26), (0, 0)))
    assert noisy.chips(CALL) > 0
    assert noisy.difference(CALL, FOLD)[0] < CLEAR * noisy.difference(CALL, FOLD)[1]
    assert decided(noisy, {CALL: 0.0, FOLD: 0.0}, FOLD) == FOLD
    assert decided(noisy, {CALL: 0.0, FOLD: 0.0}, Action("check")) == CALL


@pytest.mark.parametrize(
    ("request_now", "share", "bold", "careful"), [(FREE, 0.52, BET, CHECK), (FACING, 0.35, CALL, FOLD)]
)
def test_a_cautious_bot_bets_and_calls_with_clearer_hands_only(
    request_now: ActionRequested, share: float, bold: Action, careful: Action
) -> None:
    """With a bit more than half of the pot to win, and with clearly less than half at a good price."""
    equity = Equity(share, share, share, 0.5)
    cautious = [choose_action(table(), 1, request_now, Thought(equity, 4, caution)) for caution in (0.0, 1.0)]
    assert cautious == [bold, careful]


def razz_table(own: str, up: str) -> TableView:
    """Razz against two kings; the last cards of the own hand lie face up."""
    return seen_table("razz", live(1, own, up), live(2, up="Ks Kd Qs"[: 3 * len(up.split())], hidden=2))


def test_in_razz_a_hand_that_is_far_ahead_waits_for_the_bets_of_others_until_the_last_card() -> None:
    thinker = Thinker(replace(STRONG, reads="hand"))
    view = razz_table("Ac 2d", "3s 4h 6c")
    assert thinker(view, 1, FREE) == CHECK
    assert Thinker(replace(STRONG, caution=1.0))(view, 1, FREE) == BET
    last = razz_table("Ac 2d 9c", "3s 4h 6c Jd")
    assert thinker(last, 1, FREE) == BET


@pytest.mark.parametrize(("game", "row"), [("plainrazz", "(x x) 4d"), ("stud", "(x x) Kd")])
def test_a_reader_believes_more_of_a_raise_in_lowball_and_a_careful_player_as_much_as_in_other_games(
    game: str, row: str
) -> None:
    """The two cards below a four after two raises: how often there are no good ones among them."""
    hand = deal(GAMES[game], {1: "(7s 8d) 5c", 2: row, 3: "(x x) Kh"}, button=3).play(RAISED[game])
    events = [project(event, 1) for event in hand.events]
    view = TableView(game=game, seats=[SeatView(seat, f"Player {seat}", 1000) for seat in (1, 2, 3)]).apply_all(events)

    def with_a_large_card(weak: Weaknesses) -> int:
        deals = Imagined(view, 1, events, weak, None, 400).deals(400)
        return sum(max(low_rank(card) for card in deal.hidden[2]) > EIGHT for deal in deals)

    reader, careful = with_a_large_card(STRONG), with_a_large_card(replace(STRONG, caution=1.0))
    assert reader < careful if game == "plainrazz" else reader == careful


RAISED = {
    "plainrazz": "3 post, 1 call, 2 complete 2, 3 fold, 1 raise 4, 2 raise 6",
    "stud": "1 post, 2 complete 2, 3 raise 4, 1 call, 2 raise 6",
}


@pytest.mark.parametrize(
    ("game", "up", "yes"), [("stud8", "Kh 5s", 1), ("stud8", "Kh 4d 5s 8c 7c", 0), ("barneys", "Kh 5s", 0)]
)
def test_as_long_as_cards_come_play_outs_make_no_raise_of_a_call_and_no_check_of_a_bet(
    game: str, up: str, yes: int
) -> None:
    view = seen_table(game, live(1, "2c 9d", up), live(2, up="3s 6d", hidden=2))
    here = thought_spot(view, 1, FACING, Thought(Equity(0.4, 0.4, 0.4, 0.5), 4))
    pairs = [(RAISE, CALL), (RAISE, FOLD), (CHECK, BET), (BET, CHECK), (FOLD, CALL), (CALL, FOLD), (BET, BET)]
    assert [overrated(option, quick, here) for option, quick in pairs] == [yes, yes, yes, 0, 0, 0, 0]


def test_somebody_who_raises_anything_bets_blindly_once_it_has_been_seen() -> None:
    """On fourth street, the second round: after 20 wagers of 20, not after two of two, nor after eight of 20."""
    habits = Habits()
    seen = {2: (20, 20), 3: (2, 2), 4: (20, 8)}
    habits.seats = {seat: (Counts(FIRST), Counts(MIDDLE, *counts), Counts(LATE)) for seat, counts in seen.items()}
    assert [bet_blindly(habits, [seat], 2) for seat in (2, 3, 4, 5)] == [True, False, False, False]
    assert bet_blindly(habits, [4, 2], 2)
    assert not bet_blindly(habits, [2], 5), "what they do late in a hand has not been seen"
    assert not bet_blindly(None, [2], 2), "a bot that does not watch the others does not know"


def test_a_bot_without_deals_bets_as_it_thinks_first() -> None:
    """It bets three aces, and no king with a nine and a two."""
    hasty = Thinker(replace(STRONG, deals=0))
    aces = table(live(1, "As Ad", "Ah"), live(2, up="3s", hidden=2))
    assert [hasty(view, 1, FREE) for view in (aces, table())] == [BET, CHECK]


def test_who_forgets_the_cards_of_the_others_gives_none_of_them_five_aces() -> None:
    """Three aces lie face up, and come again in what the bot imagines: to anybody else."""
    view = table(live(1, "2c 9d", "3h 4d 5s"), live(2, up="As Ah Ad", hidden=2))
    for hand in range(20):
        view.hand_id = f"hand {hand}"
        assert Thinker(EASY)(view, 1, FACING).kind in ("fold", "call", "raise")


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_it_plays_every_game_by_the_rules(game: str) -> None:
    quick = replace(STRONG, deals=3)
    arena = Arena([("thinker", lambda: Thinker(quick)), ("caller", OWN["caller"])], GAMES[game], 4, "legal")
    arena.play(length(1, 2))
    assert arena.scores[0].decisions
    assert not arena.scores[0].illegal


def test_it_thinks_about_as_long_at_a_full_table_as_between_two_players() -> None:
    two, six = table(), table(*[live(seat, up="3s", hidden=2) for seat in range(1, 7)])
    assert deals_for(two, FACING, STRONG, 5) == STRONG.deals
    assert deals_for(two, FACING, STRONG, 1) == WORK // (2 * 3 * 5)
    assert deals_for(six, FACING, STRONG, 3) == WORK // (6 * 3 * 3)
    kept = ActionRequested(1, "arrange", (Option("arrange", cards=tuple(range(7)), count=5),))
    assert deals_for(six, kept, STRONG, 5) == WORK // (6 * 6)
    assert deals_for(six, kept, replace(STRONG, deals=12), 5) == 12
    assert deals_for(six, kept, USUAL, 5) == 0, "it does with its cards what the house bot does"


def test_a_bet_is_thought_through_on_enough_deals_or_not_at_all() -> None:
    """What seems best on few deals is luck; whoever never thinks of many takes what it has."""
    six = table(*[live(seat, up="3s", hidden=2) for seat in range(1, 7)])
    assert WORK // (6 * 3 * 5) < FEWEST_DEALS
    assert [deals_for(six, FACING, weak, 1) for weak in (STRONG, replace(STRONG, deals=12), USUAL)] == [0, 12, 0]
