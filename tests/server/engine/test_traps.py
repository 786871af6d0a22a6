"""Bug reports of peers, turned into tests on this engine: chips and pots, turns, wrong messages, secrets.

Each test is named after its trap; hand values (A12-A15) are in `test_hands` and `test_strength`, here they are
played out at a table. Unless said otherwise: ante 10, bring-in 20, limits 50 and 100.
"""

import random
from itertools import permutations
from typing import Any

import msgspec
import pytest

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.cards import DECK, TEXTS
from protocol.stakes import Stakes
from protocol.visibility import project
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import BARNEYS, RAZZ, STUD, STUD8
from tests.support.engine_table import EngineTable, table_rules
from tests.support.plain_rankings import ace_to_five_key, best_key, high_key
from tests.support.stacked_hand import StackedHand, contest, deal, stack

STAKES = Stakes(ante=10, bring_in=20, small=50, big=100)
BROADWAYS = {1: "As Kd Qh Jc Ts 9s 9d", 2: "Ad Kh Qc Js Td 9h 8c", 3: "Ah Kc Qs Jd Th 9c 8d"}


def conserved(table: StackedHand) -> bool:
    """Whether what was paid and returned is what was put in."""
    start = next(iter(table.all(ev.HandStarted)), None)
    before = sum(chips for _, chips in start.stacks) if start else 0
    return sum(chips for _, chips in table.hand.stacks()) == before


# ------------------------------------------------------------------ chips, pots


@pytest.mark.parametrize("odd", [0, 1, 2])
def test_trap_A01_a_pot_that_divides_evenly_is_divided_evenly(odd: int) -> None:
    table = contest(STUD, BROADWAYS, 10_100, dead=odd, button=3)
    assert sorted(table.won().values(), reverse=True) == [10_100 + (place < odd) for place in range(3)]
    assert conserved(table)


def test_trap_A02_no_remainder_vanishes() -> None:
    rows = {1: "9s 9d 9h Js Jd Qh Tc", 2: "7s 5d 4h 3c 2s Kd Qs"}
    for half in range(2, 100):
        for dead in (0, 1):
            table = contest(STUD8, rows, half, dead=dead, button=2)
            assert table.won() == {1: half + dead, 2: half}, "the odd chip goes high"
    quarter = {1: "As Ah 2d 3h 4c 8s 8d", 2: "Ac 2h 3c 4d 8h Kc Qd"}
    assert contest(STUD8, quarter, 50, dead=1, button=3).won() == {1: 76, 2: 25}
    for half in range(2, 100):
        table = contest(STUD8, quarter, half, dead=1, button=3)
        assert sum(table.won().values()) == 2 * half + 1
        assert conserved(table)


def test_trap_A03_a_layer_of_folded_players_is_not_lost() -> None:
    rows = {1: "(xx) 2c", 2: "(xx) 3d", 3: "(xx) Kh", 4: "(xx) Ks"}
    table = deal(STUD8, rows, button=4, stakes=STAKES, chips={1: 60, 2: 60})
    table.play("1 bet 50, 2 call, 3 call, 4 call").until("fourth street")
    table.play(f"{table.first} bet 50")
    (other,) = table.turn
    table.play(f"{other} call").until("fifth street")
    assert table.pots() == [(240, (1, 2, 3, 4)), (100, (3, 4))]
    first = table.first
    table.play(f"{first} fold").to_the_end()
    assert sum(table.won().values()) == 340
    assert table.won_of(1) == {7 - first: 100}
    assert conserved(table)


def test_trap_A03_and_the_last_one_leaves() -> None:
    table = EngineTable(table_rules(stakes=STAKES)).sit(60, 60, 500, 500)
    table.deal()
    while table.state.view.street != "fifth street" and table.state.hand is not None:
        (seat,) = table.turn
        pending = table.state.view.seat(seat).pending
        assert pending is not None
        options = {option.kind: option for option in pending.request.options}
        wager = options.get("complete") or options.get("bet")
        if wager is not None:
            table.act(seat, Action(wager.kind, to=wager.most))
        else:
            table.act(seat, Action("call" if "call" in options else "check"))
    total = table.state.view.chips()
    table.do(cmd.StandUp(3))
    table.do(cmd.StandUp(4))
    table.finish()
    left = sum(event.chips for event in table.events if isinstance(event, ev.PlayerLeft))
    assert table.state.view.chips() + left == total == 1120
    assert {event.seat for event in table.events if isinstance(event, ev.PlayerLeft)} == {3, 4}


def test_trap_A05_an_all_in_player_keeps_the_claim_on_the_main_pot() -> None:
    rows = {1: "(As Ad) 2c Ac Ah 9d 9c", 2: "(xx) Kd Kh 8d 7c 2s", 3: "(xx) Qd Qh Jd Tc 3s"}
    table = deal(STUD, rows, button=3, stakes=STAKES, chips={1: 60})
    table.play("1 bet 50, 2 call, 3 call").until("fourth street").quiet_round()
    for _ in range(3):
        (first,) = table.turn
        table.play(f"{first} bet 100")
        (other,) = table.turn
        table.play(f"{other} call")
    assert table.hand.over
    assert len(table.up(1)) == 4
    assert len(table.down(1)) == 3
    assert table.won_of(0) == {1: 180}
    assert dict(table.hand.stacks())[1] == 180
    assert table.won_of(1) == {2: 600}


def test_trap_A06_a_loser_without_a_claim_does_not_move_the_odd_chip() -> None:
    tied = {2: "As Ad Kc Kd Js 9c Tc", 3: "Ac Ah Ks Kh Jd 9d Td"}
    best, between, worst = "Qs Qh Qd Qc 2s 3h 4d", "Ts Th 8d 9s 2s 3h 4d", "8s 7h 5d 4c 2s 3h Jh"
    for button in (1, 2, 3):
        side = []
        for row in (best, between, worst):
            table = contest(STUD, {1: row, **tied}, {1: 20, 2: 50, 3: 50}, dead=25, button=button)
            assert [amount for amount, _ in table.pots()] == [80, 65]
            side.append(table.won_of(1))
        first = 3 if button == 2 else 2
        assert side == [{first: 33, 5 - first: 32}] * 3


def test_trap_A07_what_cannot_be_called_goes_back_before_the_showdown() -> None:
    table = contest(STUD, {1: BROADWAYS[1], 2: "9c 9h 8s 7d 3c 3d 2h"}, {1: 100, 2: 40}, button=2)
    assert table.returned() == {1: 60}
    kinds = [type(event) for event in table.events]
    assert kinds.index(ev.BetReturned) < kinds.index(ev.HandShown)
    assert table.won() == {1: 80}
    assert dict(table.hand.stacks()) == {1: 140, 2: 0}


def test_trap_A08_the_uncalled_bet_is_not_won() -> None:
    table = deal(STUD8, dict.fromkeys(range(1, 5), ""), button=4, stakes=STAKES, ante=60)
    first = table.first
    table.play(f"{first} bet 50")
    for _ in range(3):
        (seat,) = table.turn
        table.play(f"{seat} fold")
    assert table.pots() == [(240, (first,))]
    assert table.returned() == {first: 50}
    assert table.won() == {first: 240}


# ---------------------------------------------------------------- bad messages

BAD_NUMBERS = (-1, 0, 1, 49, 51, 2**31, 2**63, -(2**31), 10**30)
BAD_VALUES: tuple[Any, ...] = (1e308, float("nan"), 50.5, "50", True, None, [], {})


@pytest.mark.parametrize("kind", ["bet", "complete", "raise"])
def test_trap_A09_amounts_out_of_bounds(kind: Any) -> None:
    table = deal(STUD8, {1: "(xx) 2c", 2: "(xx) 3d", 3: "(xx) 4h"}, button=3, stakes=STAKES).play("1 post")
    before = table.hand.stacks()
    for to in (*BAD_NUMBERS, None):
        with pytest.raises(IllegalAction):
            table.hand.act(2, Action(kind, to=to))
    assert table.hand.stacks() == before
    assert table.offers(2) == "fold, call 20, complete to 50"


@pytest.mark.parametrize("value", BAD_VALUES, ids=repr)
def test_trap_A09_what_is_no_whole_number_is_no_message(value: Any) -> None:
    places: list[tuple[type[Any], dict[str, Any], str]] = [
        (cmd.TopUp, {"seat": 1, "amount": 5}, "amount"),
        (cmd.SitDown, {"name": "x", "chips": 5, "token": b""}, "chips"),
        (cmd.Act, {"seat": 1, "answers": 1, "action": {"kind": "check"}}, "answers"),
    ]
    for kind, fields, key in places:
        tagged = {"command": str(kind.__struct_config__.tag), **fields}
        assert msgspec.convert(tagged, kind)
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**tagged, key: value}, kind)
    if value is not None:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"kind": "bet", "to": value}, Action)


def test_trap_A09_a_call_takes_the_stack_at_most() -> None:
    table = deal(STUD8, {1: "(xx) 2c", 2: "(xx) 3d"}, button=2, stakes=STAKES, chips={2: 45}).play("1 bet 50, 2 call")
    assert all(chips >= 0 for _, chips in table.hand.stacks())
    assert table.returned() == {1: 15}


def test_trap_A10_only_the_seat_in_turn_acts() -> None:
    table = EngineTable(table_rules(stakes=STAKES)).sit(500, 500, 500).deal()
    (seat,) = table.turn
    answers = table.state.pending[seat]
    for other in {1, 2, 3} - {seat}:
        assert table.refusal(cmd.Act(other, answers, Action("fold"))) == "not_asked"
    assert table.refusal(cmd.Act(seat, answers - 1, Action("bring_in"))) == "stale"
    assert table.turn == [seat]
    assert table.state.pending[seat] == answers
    table.act(seat, Action("bring_in"))
    assert table.refusal(cmd.Act(seat, answers, Action("bring_in"))) == "not_asked", "that street is over"


def test_trap_A11_a_folded_player_wins_nothing() -> None:
    rows = {1: "(As 2s) 3s 4s 5s -", 2: "(Kc Qd) 9h 8d 7c 2h 2d", 3: "(Kd Qh) 9c 8h 6c 3d 3h"}
    table = deal(STUD8, rows, button=3, stakes=STAKES).until("fifth street")
    while table.turn != [1]:
        table.play(f"{table.turn[0]} bet 100" if "bet" in table.offers(table.turn[0]) else f"{table.turn[0]} call")
    table.play("1 fold").to_the_end()
    assert 1 not in table.won()
    assert 1 not in table.shown()
    with pytest.raises(IllegalAction):
        table.hand.act(1, Action("check"))


def test_trap_A11_a_folded_player_does_not_declare() -> None:
    table = deal(BARNEYS, {1: "", 2: "", 3: ""}, button=3).until("fourth roll")
    folded = table.first
    table.play(f"{folded} fold").quiet_round()
    assert table.decision == "declare"
    assert folded not in table.turn
    with pytest.raises(IllegalAction):
        table.hand.act(folded, Action("declare", direction="low"))


# ------------------------------------------------------------------ hand values


def test_trap_A12_the_wheel_at_the_table() -> None:
    wheel = "As 2d 3c 4h 5s Kd Qc"
    assert contest(STUD, {1: wheel, 2: "Ks Kh Kc 9c 7s 4d 2h"}, 50, button=2).won() == {1: 100}
    assert contest(STUD, {1: wheel, 2: "2s 3d 4c 5h 6s Jd Jh"}, 50, button=2).won() == {2: 100}
    assert contest(STUD, {1: "Qs Kc Ad 2s 3h 7d 8c", 2: "2c 2h 4d 5c 7h 9d Jc"}, 50, button=2).won() == {2: 100}


def test_trap_A13_the_steel_wheel_at_the_table() -> None:
    steel = "Ad 2d 3d 4d 5d Kc Ks"
    for weaker in ("2s 3s 4c 5h 6s Jd Jh", "Ah Kh Qh Jh 9h 2c 3c", "Ac Ah As Kd Kh 2c 3c", "Qc Qh Qs Qd Kh 2c 3c"):
        assert contest(STUD, {1: steel, 2: weaker}, 50, button=2).won() == {1: 100}, weaker
    assert contest(STUD, {1: "Ac 2c 3c 4c 5c Kd Ks", 2: "2d 3d 4d 5d 6d Jh Jc"}, 50, button=2).won() == {2: 100}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("5s 4s 3s 2s As Kd Kh", "6s 4d 3h 2c Ad Qd Qh"),
        ("6s 5s 4s 3s 2s Kd Kh", "7s 4d 3h 2c Ad Qd Qh"),
        ("Qs Jd Th 9c 8s Qd Qh", "Ks 4d 3h 2c As Kd Kh"),
        ("Ks 4d 3h 2c As Kd Kh", "Ad Ah 4c 3s 2h Ac 4s"),
    ],
)
def test_trap_A14_lows_at_the_table(better: str, worse: str) -> None:
    assert contest(RAZZ, {1: better, 2: worse}, 50, button=2).won() == {1: 100}


def test_trap_A14_qualifying_at_the_table() -> None:
    high = "Ks Kh Kc 9c 9s Jd Jh"
    no, pair, yes = "9h 4d 3h 2c Ad Qd Qh", "As Ad 4h 3c 2s Qd Qh", "8s 7d 6h 5d 4c Qd Qh"
    for row, qualifies in ((no, False), (pair, False), (yes, True)):
        won = contest(STUD8, {1: high, 2: row}, 50, button=2).won()
        assert (won == {1: 50, 2: 50}) == qualifies, row


def test_trap_A15_winners_at_the_table_are_those_of_the_plain_rules_from_either_seat() -> None:
    rng = random.Random(15)
    for _ in range(150):
        cards = rng.sample(DECK, 14)
        rows = [cards[:7], cards[7:]]
        texts = ["".join(TEXTS[card] for card in row) for row in rows]
        for game, key in ((STUD, high_key), (RAZZ, ace_to_five_key)):
            keys = [best_key(row, key) or () for row in rows]
            top = max(keys)
            for one, two in permutations((0, 1)):
                table = contest(game, {1: texts[one], 2: texts[two]}, 50, button=2)
                assert set(table.won()) == {seat for seat, row in ((1, one), (2, two)) if keys[row] == top}


# --------------------------------------------------------- clocks and doublings


def test_trap_A16_on_a_timeout_a_free_check_is_taken() -> None:
    table = EngineTable(table_rules(stakes=STAKES, misses=3)).sit(500, 500, 500).deal()
    while table.state.view.street != "fourth street":
        table.quietly()
    (seat,) = table.turn
    table.do(cmd.Connection(seat, False))
    events = table.do(cmd.TimeUp(seat, table.state.pending[seat]))
    acted = events[0]
    assert isinstance(acted, ev.Acted)
    assert (acted.seat, acted.action, acted.cause) == (seat, "check", "timeout")
    assert table.state.view.seat(seat).hand == "live"
    (other,) = table.turn
    table.act(other, Action("bet", to=50))
    (third,) = table.turn
    table.act(third, Action("fold"))
    events = table.do(cmd.TimeUp(seat, table.state.pending[seat]))
    assert isinstance(events[0], ev.Acted)
    assert (events[0].action, events[0].cause) == ("fold", "timeout")


def test_trap_A17_an_action_does_not_survive_its_hand_and_counts_once() -> None:
    table = EngineTable(table_rules(stakes=STAKES)).sit(500, 500, 500).deal()
    (seat,) = table.turn
    sent = cmd.Act(seat, table.state.pending[seat], Action("bring_in"), 1)
    table.do(sent)
    assert table.refusal(sent) == "done"
    assert table.refusal(sent) == "done"
    assert sum(isinstance(event, ev.Acted) and event.seat == seat for event in table.events) == 1
    queued = {other: cmd.Act(other, max(table.state.pending.values()), Action("fold"), 7) for other in (1, 2, 3)}
    table.do(cmd.VoidHand("over"))
    table.deal()
    for command in queued.values():
        assert table.refusal(command) in ("stale", "not_asked")
    assert len(table.state.view.in_hand()) == 3


def test_trap_A18_an_answer_to_an_older_question_is_refused() -> None:
    table = EngineTable(table_rules(stakes=STAKES)).sit(500, 500, 500).deal()
    (first,) = table.turn
    table.act(first, Action("bet", to=50))
    (second,) = table.turn
    old = table.state.pending[second]
    table.act(second, Action("raise", to=100))
    (third,) = table.turn
    assert third != second
    assert table.refusal(cmd.Act(second, old, Action("call"))) == "not_asked"
    table.act(third, Action("raise", to=150))
    table.act(first, Action("call"))
    assert table.turn == [second]
    assert table.refusal(cmd.Act(second, old, Action("call"))) == "stale"
    assert table.turn == [second], "their request is still open"
    assert table.state.view.seat(second).bet == 100


def test_trap_A19_a_player_who_sits_out_pays_nothing() -> None:
    table = EngineTable(table_rules(stakes=STAKES)).sit(500, 500, 500).deal()
    table.do(cmd.SitOut(2))
    assert table.state.view.seat(2).hand == "live", "this hand goes on"
    table.finish()
    stack_before = table.stack(2)
    for _ in range(2):
        start = len(table.events)
        table.deal().finish()
        later = table.events[start:]
        assert all(seat != 2 for event in later if isinstance(event, ev.AntesPosted) for seat, _ in event.antes)
        assert all(seat != 2 for event in later if isinstance(event, ev.CardsDealt) for seat, _, _ in event.cards)
        assert table.stack(2) == stack_before
    table.do(cmd.SitIn(2))
    assert 2 in [seat.seat for seat in table.deal().state.view.in_hand()]


# ----------------------------------------------------------------------- secrets


def test_trap_A23_the_last_one_left_shows_nothing() -> None:
    rows = {1: "(As Ad) Ac Ah Kd -", 2: "(xx) 2c 9d 8h -", 3: "(xx) 3d 9h 7c -"}
    table = deal(STUD8, rows, button=3, stakes=STAKES).until("fifth street")
    dealt = table.count(ev.CardsDealt)
    table.play("1 bet 100, 2 fold, 3 fold")
    assert table.hand.over
    assert table.count(ev.CardsDealt) == dealt, "no further cards"
    assert table.count(ev.HandShown) == table.count(ev.CommunityDealt) == 0
    secret = set(table.down(1))
    for viewer in (None, 2, 3):
        for event in table.events:
            sent = project(event, viewer)
            if isinstance(sent, ev.CardsDealt):
                for seat, down, up in sent.cards:
                    assert not secret & set(up)
                    assert seat == viewer or set(down) <= {None}
    mucked = deal(STUD8, rows, button=3, stakes=STAKES).play("2 post, 3 fold, 1 fold")
    assert mucked.count(ev.HandShown) == 0


def test_trap_A23_the_deck_of_the_next_street_stays_secret() -> None:
    rows = {1: "(As Ad) Ac -", 2: "(xx) 2c -", 3: "(xx) 3d -"}
    deck = stack(STUD8, rows, 3)
    table = deal(STUD8, rows, button=3, stakes=STAKES).play("2 bet 50, 3 fold, 1 fold")
    sent = {card for event in table.all(ev.CardsDealt) for _, down, up in event.cards for card in (*down, *up)}
    assert sent == set(deck[:9])
