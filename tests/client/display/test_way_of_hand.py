"""The way of a hand: made from the steps of the game, it shows where the hand is."""

import random

import pytest

from client.bots.simple import random_legal
from client.display.text_cells import line_width, plain
from client.display.theme import Theme
from client.display.way_of_hand import place_of, stations_of, way_line
from protocol import commands as cmd
from protocol.view import TableView
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable

PLAIN = Theme(palette="none", ascii=True)
HOUSE_GAME = """
id = "grandpas"
title = "Grandpa's game"
players = 6
[stakes]
limit = "fixed"
[[steps]]
do = "ante"
[[steps]]
do = "deal"
down = 5
[[steps]]
do = "bet"
opens = "dealers_left"
[[steps]]
do = "draw"
most = 3
[[steps]]
do = "bet"
opens = "dealers_left"
[[steps]]
do = "showdown"
high = "high"
"""


def way(view: TableView, columns: int = 200) -> str:
    return plain(way_line(view, PLAIN, columns))


def names(game: str, definition: str = "") -> str:
    return ", ".join(station.short for station in stations_of(game, definition))


def test_every_game_has_its_way() -> None:
    for game in ("stud8", "razz", "stud", "studhilo", "plainrazz", "chicago", "queen"):
        assert names(game) == "3rd, 4th, 5th, 6th, 7th, showdown"
    rolls = "roll 1, roll 2, roll 3, roll 4"
    assert names("barneys") == f"3rd, 4th, 5th, 6th, 7th, bring back, {rolls}, declare, last bet, showdown"
    assert names("anaconda") == f"deal, pass 3, pass 2, pass 1, arrange, {rolls}, declare, showdown"
    assert names("grandpas", HOUSE_GAME) == "deal, draw, showdown"
    assert stations_of("a game of next year") == ()


def test_the_way_says_what_it_leaves_out() -> None:
    table = LocalTable("barneys", 4)
    assert way(table.state.view) == "", "before the first hand there is none"
    table.deal()
    table.play_until(lambda view: view.street == "second roll")
    full = " 3rd  4th  5th  6th  7th  bring back  roll 1 [2nd roll] 3  4  declare  last bet  showdown "
    assert way(table.state.view) == full
    for columns in range(12, len(full) + 1):
        shown = way_line(table.state.view, PLAIN, columns)
        assert "[2nd roll]" in plain(shown)
        assert line_width(shown) <= columns
    assert way(table.state.view, 5) == ""
    bright = [style for style, text, *_ in way_line(table.state.view, PLAIN, 60) if "2nd roll" in text]
    assert bright == ["class:here"]


@pytest.mark.parametrize("game", GAMES)
def test_the_hand_only_goes_forward_and_one_station_is_bright(game: str) -> None:
    dice = random.Random(game)
    table = LocalTable(game, 4, chips=500, seed=7)
    session = table.session(1)
    stations = stations_of(game)
    hand, last, seen = 0, 0, set()
    for seat, pending in table.decisions(dice, hands=6):
        view = session.view
        here = place_of(view, stations)
        assert here is not None
        assert here == place_of(table.state.view, stations), "everybody sees the same"
        last = 0 if view.hand != hand else last
        assert here >= last, f"{view.street}: back from {stations[last].name} to {stations[here].name}"
        hand, last = view.hand, here
        seen.add(stations[here].name)
        request = pending.request
        if request.decision in {"arrange", "declare", "pass"}:
            assert stations[here].decision == request.decision
        if request.decision == "pass":
            assert stations[here].name == f"pass {request.options[0].count}"
        if request.decision == "bet" and stations[here].street:
            assert stations[here].street == view.street
        assert way(view).count("[") == 1
        action = random_legal(request, dice)
        if action.kind == "fold" and dice.random() < 0.8:
            action = table.others(request)
        table.do(cmd.Act(seat, pending.seq, action))
    assert len(seen) >= len(stations) - 2, f"only {seen}"


def test_after_a_showdown_the_way_is_at_its_end() -> None:
    table = LocalTable("stud8", 3)
    table.deal()
    table.play_until(lambda view: not view.playing)
    assert way(table.state.view).endswith("[showdown]")


def test_a_game_that_is_not_known_shows_the_street() -> None:
    assert way(TableView(hand=3, playing=True, game="tomorrow", street="the cut")) == "[the cut]"
