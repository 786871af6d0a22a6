"""Bots against bots: legal in every game, blind to what they may not see, and better than simple players."""

import random
from collections import Counter
from typing import Any

import pytest

from client.bots.equity import VisibleHand, estimate
from client.bots.game_terms import terms_of, terms_of_game
from client.bots.minds import Mind
from client.bots.player import choose_action
from client.bots.simple import first_option, passive, random_legal
from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import WAGERS, Action, Decision, Option
from protocol.cards import DECK, card, cards
from protocol.events import ActionRequested, AnyEvent
from protocol.seat_view import Pot, SeatView
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView, hide
from replays.hand_reading.action_tables import MOST_WAGERS
from server.engine.games.catalogue import GAMES
from server.engine.ranking.rankings import ACE_TO_FIVE
from server.engine.table_state import TableState
from tests.support.limits import length

STACK = 1000
HANDS_PER_TABLE = 20
"""After them everybody gets a full stack again, so that nobody plays all-in for long."""


def caller(view: TableView, seat: int, request: ActionRequested) -> Action:
    return passive(request)


def opener(view: TableView, seat: int, request: ActionRequested) -> Action:
    return first_option(request)


def gambler(seed: int) -> Mind:
    dice = random.Random(seed)
    return lambda view, seat, request: random_legal(request, dice)


def own_view_only(view: TableView, seat: int, request: ActionRequested) -> Action:
    """The bot with its own view only: it must do what it does with the full view."""
    seen = hide(view, seat)
    action = choose_action(seen, seat, request)
    assert action == choose_action(view, seat, request), "the bot looked at hidden cards"
    return action


def play(game: str, players: list[Mind], hands: int, seed: int) -> tuple[list[int], list[AnyEvent]]:
    """Chips won by each player, and all events. Everything follows from the seed."""
    offer = GameOffer(game, GAMES[game].title, GAMES[game].stakes, GAMES[game].most_players)
    rules = TableRules(name="Test", seats=len(players), games=(offer,), buy_in_most=STACK)
    dice = random.Random(seed)
    won = [0] * len(players)
    events: list[AnyEvent] = []
    table = TableState()
    for number in range(hands):
        if number % HANDS_PER_TABLE == 0:
            table = TableState()
            table.apply(cmd.OpenTable("test", rules))
            for seat in range(1, len(players) + 1):
                table.apply(cmd.SitDown(f"Player {seat}", STACK, bytes([seat]) * 32))
        deck = list(DECK)
        dice.shuffle(deck)
        events += table.apply(cmd.StartHand(tuple(deck), f"test-{number}"))
        while table.pending:
            seat, answers = min(table.pending.items())
            pending = table.view.seat(seat).pending
            assert pending is not None
            action = players[seat - 1](table.view, seat, pending.request)
            # The table raises IllegalAction for anything that the request does not allow.
            events += table.apply(cmd.Act(seat, answers, action, table.last_ids.get(seat, 0) + 1))
        assert not table.view.playing
        for seat_view in table.view.seats:
            won[seat_view.seat - 1] += seat_view.chips - seat_view.stack
    return won, events


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_bots_play_every_game_legally_with_their_own_view_and_the_raising_ends(game: str) -> None:
    won, events = play(game, [own_view_only] * 5, length(12, 20), seed=7)
    assert sum(won) == 0
    kinds = Counter(event.action for event in events if isinstance(event, ev.Acted))
    assert kinds["fold"] > 10
    assert kinds["call"] > 10
    assert kinds["bet"] + kinds["complete"] > 10
    wagers = 0
    for event in events:
        if isinstance(event, ev.RoundOpened):
            wagers = 0
        elif isinstance(event, ev.Acted) and event.action in WAGERS:
            wagers += 1
            assert wagers <= MOST_WAGERS + 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_bot_beats_a_calling_station(game: str) -> None:
    hands = length(80, 300) if game in ("barneys", "stud8", "razz") else length(40, 150)
    if game == "anaconda":
        hands = 150  # callers lose slowly where everybody has seven cards from the start
    won, _ = play(game, [choose_action, caller], hands, seed=1)
    assert won[0] > hands / 2, "at least half a chip a hand"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_bot_beats_random_and_timid_players(game: str) -> None:
    hands = length(40, 100)
    assert play(game, [choose_action, gambler(3)], hands, seed=2)[0][0] > hands, "a chip a hand"
    assert play(game, [choose_action, opener], hands, seed=3)[0][0] > hands / 2, "half a chip a hand"


@pytest.mark.slow
def test_two_bots_win_from_two_callers() -> None:
    won = 0
    hands = length(6, 30)
    for game in GAMES:
        chips, _ = play(game, [choose_action, caller, choose_action, caller], hands, seed=5)
        won += chips[0] + chips[2]
    assert won > hands * 100 / 3


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game() -> None:
    assert play("barneys", [choose_action] * 4, 5, seed=11) == play("barneys", [choose_action] * 4, 5, seed=11)


# ------------------------------------------------------------------- single decisions


def table_of(game: str, seats: list[SeatView], **fields: Any) -> TableView:
    return TableView(game=game, stakes=GAMES[game].stakes, hand=1, playing=True, seats=seats, **fields)


def live(seat: int, down: str = "", up: str = "", hidden: int = 0, bet: int = 0, before: str = "") -> SeatView:
    return SeatView(
        seat,
        f"Player {seat}",
        100,
        hand="live",
        bet=bet,
        down=(*cards(down), *[None] * hidden),
        up=tuple(cards(up)),
        before=tuple(cards(before)),
    )


BET = (Option("fold"), Option("call", amount=2), Option("raise", least=4, most=4))


def bets(game: str, down: str, up: str, others: list[SeatView]) -> Action:
    view = table_of(game, [live(1, down, up), *others])
    return choose_action(view, 1, ActionRequested(1, "bet", BET, call=2))


def test_hopeless_hands_are_folded_and_strong_ones_raised() -> None:
    low_board = [live(2, up="Ac2d", hidden=2, bet=2), live(3, up="3c4d", hidden=2, bet=2)]
    assert bets("razz", "KsQd", "Kh8s", low_board).kind == "fold"
    high_board = [live(2, up="Kc9d", hidden=2, bet=2), live(3, up="Qc8d", hidden=2, bet=2)]
    assert bets("razz", "As3d", "2h5s", high_board).kind == "raise"
    assert bets("stud", "As3d", "8h5s", [live(2, up="KcKd", hidden=2, bet=2)]).kind == "fold"
    assert bets("stud", "AsAd", "Ah5s", [live(2, up="KcKd", hidden=2, bet=2)]).kind == "raise"


@pytest.mark.parametrize(("size", "kind"), [(2, "call"), (4, "raise")])
def test_the_raising_ends_after_four_wagers_of_the_size_that_is_bet_in_this_round(size: int, kind: str) -> None:
    other = live(2, up="KcKd", hidden=2, bet=8)
    other.last = ev.Acted(2, "raise", size, 8)
    view = table_of("stud", [live(1, "AsAd", "Ah5s", bet=8 - size), other])
    options = (Option("fold"), Option("call", amount=size), Option("raise", least=8 + size, most=8 + size))
    assert choose_action(view, 1, ActionRequested(1, "bet", options, call=size)).kind == kind


def test_an_odd_man_with_a_low_is_not_bet_out_of_their_half() -> None:
    # rules.md 7.3 HR4: the player is alone in this direction, so half the pot is theirs with any cards.
    odd = live(1, "9s", "8s7d3h2c", before="2h")
    high = [live(2, up="KdKc4h4s", hidden=1, before="Kh", bet=5), live(3, up="QdQc5h5s", hidden=1, before="Qh", bet=5)]
    odd.declared, high[0].declared, high[1].declared = "low", "high", "high"
    view = table_of("barneys", [odd, *high], keep=5, pots=(Pot(30, (1, 2, 3)),), odd_man=1)
    options = (Option("fold"), Option("call", amount=5))
    assert choose_action(view, 1, ActionRequested(1, "bet", options, call=5)).kind == "call"


def test_a_free_check_is_never_a_fold() -> None:
    view = table_of("stud", [live(1, "2c3d", "8h9s"), live(2, up="AcAd", hidden=2)])
    options = (Option("fold"), Option("check"), Option("bet", least=2, most=2))
    assert choose_action(view, 1, ActionRequested(1, "bet", options)).kind == "check"


def shows(game: str, down: str, up: str = "") -> str:
    view = table_of(game, [live(1, down, up), live(2, hidden=3)])
    option = Option("choose", cards=tuple(cards(down)), count=1)
    action = choose_action(view, 1, ActionRequested(1, "choose", (option,)))
    assert option.refusal(action) == ""
    return "".join("23456789TJQKA"[c >> 2] for c in action.cards or ())


def test_the_least_revealing_card_is_turned_up() -> None:
    assert shows("barneys", "AsAd9h") == "9"
    assert shows("barneys", "2s3d Kh") == "K"
    assert shows("razz", "Ks3d2h") == "3", "the king would have to bring it in"
    assert shows("razz", "3d2hQs", "5c") == "Q", "later the queen hides a good hand"


def arranges(hand: str, before: str) -> set[str]:
    view = table_of("barneys", [live(1, hand, before=before), live(2, hidden=7, before="Td9c4h2s")], keep=5)
    option = Option("arrange", cards=tuple(cards(hand)), count=5)
    action = choose_action(view, 1, ActionRequested(1, "arrange", (option,)))
    assert option.refusal(action) == ""
    assert action.cards is not None
    seen = [c in cards(before) for c in action.cards]
    assert seen == sorted(seen, reverse=True), "what the others have seen is rolled first"
    return {"23456789TJQKA"[c >> 2] + "cdhs"[c & 3] for c in action.cards}


def test_the_arrangement_fits_the_better_direction() -> None:
    assert arranges("As2d3h4c6sKdQh", "As2dKdQh") == {"As", "2d", "3h", "4c", "6s"}
    assert arranges("KsKdKh4c4sAd8h", "Ks4cAd8h") == {"Ks", "Kd", "Kh", "4c", "4s"}


@pytest.mark.parametrize(
    ("hand", "direction"),
    [("As2d3h4c6s", "low"), ("KsKdKh4c4s", "high"), ("As2d3h4c5s", "high"), ("8s7d3h2cAs", "low")],
)
def test_the_declaration_is_one_that_can_win(hand: str, direction: str) -> None:
    # A straight is no low in Barney's game (rules.md 7.3 HR3).
    view = table_of(
        "barneys", [live(1, hand[8:], hand[:8], before="2c"), live(2, up="KdKc4h2s", hidden=1, before="2h")], keep=5
    )
    action = choose_action(view, 1, ActionRequested(1, "declare", (Option("declare", directions=("low", "high")),)))
    assert action.direction == direction


def test_equity_follows_the_hands() -> None:
    terms = terms_of_game("razz")
    others = (VisibleHand(tuple(cards("Kc")), 6), VisibleHand(tuple(cards("Qd")), 6))
    good = estimate(VisibleHand(tuple(cards("As2d3h")), 4), others, (), (), terms)
    bad = estimate(VisibleHand(tuple(cards("KsKdQh")), 4), others, (), (), terms)
    assert good.edge > 1.3 > 0.7 > bad.edge
    sure = estimate(VisibleHand(tuple(cards("As2d3h4c5s9d9h")), 0), others, (), (), terms)
    assert sure.share > 0.97


def test_the_ace_of_spades_in_the_hole_is_worth_half_in_chicago() -> None:
    terms = terms_of_game("chicago")
    others = (VisibleHand(tuple(cards("Kc")), 6),)
    hole = tuple(cards("As2h"))
    with_spade = estimate(VisibleHand((*hole, *cards("7d")), 4, hole=hole), others, (), (), terms)
    hole = tuple(cards("Ac2h"))
    without = estimate(VisibleHand((*hole, *cards("7d")), 4, hole=hole), others, (), (), terms)
    assert with_spade.share > 0.6
    assert with_spade.share > without.share + 0.2


def test_terms_are_read_from_the_steps() -> None:
    barneys, razz, stud = map(terms_of_game, ("barneys", "razz", "stud"))
    assert barneys.declares
    assert not barneys.brings_in
    assert razz.high is None
    assert razz.brings_in
    assert stud.low is None
    assert barneys.size == razz.size == stud.size == 7
    assert terms_of_game("unheard of").high is not None


def test_terms_of_a_house_game_are_read_from_its_definition() -> None:
    # Five cards, low only: an unknown game would be judged as one for both directions.
    steps = ['{do = "ante"}', '{do = "deal", down = 4, up = 1}', '{do = "bet", opens = "low_board"}']
    text = f'id = "five"\ntitle = "Five"\nplayers = 6\nsteps = [{", ".join(steps)}, {{do = "showdown", low = "a5"}}]'
    offer = GameOffer("five", "Five", Stakes(), 6, text)
    view = TableView(game="five", rules=TableRules(name="Test", seats=2, games=(offer,)))
    terms = terms_of(view)
    assert (terms.high, terms.low, terms.size) == (None, ACE_TO_FIVE, 5)
    assert terms_of_game("five", "no toml") == terms_of_game("unheard of")


# ----------------------------------------------------------------- simple players

EVERY_KIND: tuple[Option, ...] = (
    Option("fold"),
    Option("check"),
    Option("call", amount=3),
    Option("bring_in", amount=1),
    Option("bet", least=1, most=5),
    Option("complete", least=2, most=2),
    Option("raise", least=4, most=9),
    Option("choose", cards=(1, 2, 3), count=1),
    Option("arrange", cards=(1, 2, 3, 4, 5, 6, 7), count=5),
    Option("declare", directions=("low", "high")),
    Option("pass", cards=(1, 2, 3, 4, 5, 6, 7), count=3),
    Option("discard", cards=(1, 2, 3, 4, 5, 6, 7), count=2),
    Option("buy", amount=4),
    Option("decline"),
    Option("game", games=("razz", "stud")),
)
DECISION: dict[str, Decision] = {
    "choose": "choose", "arrange": "arrange", "declare": "declare", "pass": "pass", "discard": "discard",
    "buy": "buy", "decline": "buy", "game": "game",
}  # fmt: skip


@pytest.mark.parametrize("option", EVERY_KIND, ids=lambda option: option.kind)
def test_simple_players_and_the_bot_answer_every_kind_of_option(option: Option) -> None:
    decision = DECISION.get(option.kind, "bet")
    request = ActionRequested(1, decision, (option,))
    hand = tuple(c for c in option.cards if c is not None) or (1, 2, 3, 4, 5, 6, 7)
    seats = [SeatView(1, "One", 100, hand="live", down=hand), live(2, hidden=3)]
    view = TableView(game="barneys", stakes=Stakes(), keep=5, seats=seats)
    dice = random.Random(4)
    answers = [first_option(request), passive(request), choose_action(view, 1, request)]
    answers += [random_legal(request, dice) for _ in range(20)]
    for action in answers:
        assert action.kind == option.kind
        assert option.refusal(action) == ""


def test_hidden_cards_of_another_seat_are_not_answered() -> None:
    request = ActionRequested(2, "choose", (Option("choose", cards=(None, None, None), count=1),))
    with pytest.raises(ValueError, match="another seat"):
        first_option(request)


def test_a_pass_and_a_discard_keep_the_good_hand() -> None:
    hand = "As2d3h4c6sKdQh"
    view = table_of("barneys", [live(1, hand), live(2, hidden=7)])
    given = choose_action(view, 1, ActionRequested(1, "pass", (Option("pass", cards=tuple(cards(hand)), count=2),)))
    thrown = choose_action(
        view, 1, ActionRequested(1, "discard", (Option("discard", cards=tuple(cards(hand)), count=2),))
    )
    assert set(given.cards or ()) == set(thrown.cards or ()) == {card("Kd"), card("Qh")}
