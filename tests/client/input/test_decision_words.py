"""Requests in words, and answers out of words."""

import random

import pytest

from client.bots.simple import random_legal
from client.input.decision_words import question, understand
from protocol.actions import Action, Option
from protocol.cards import cards
from protocol.events import ActionRequested
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from tests.support.engine_table import GAMES_PLAYED
from tests.support.self_play import troubled_events
from tests.support.typed_answers import typed

VIEW = TableView(
    rules=TableRules(
        name="Kitchen",
        seats=4,
        games=(GameOffer("stud8", "Stud high-low", Stakes(), 8), GameOffer("razz", "Razz", Stakes(), 7)),
    )
)


def row(text: str) -> tuple[int, ...]:
    return tuple(cards(text))


FACING = ActionRequested(1, "bet", (Option("call", amount=2), Option("raise", least=4, most=4), Option("fold")), 2, 30)
FREE = ActionRequested(1, "bet", (Option("check"), Option("bet", least=1, most=5), Option("fold")))
FORCED = ActionRequested(1, "bet", (Option("bring_in", amount=1), Option("bet", least=2, most=2)))
COMPLETE = ActionRequested(1, "bet", (Option("call", amount=1), Option("complete", least=2, most=2), Option("fold")), 1)
OPEN_PAIR = ActionRequested(
    1, "bet", (Option("check"), Option("bet", least=2, most=2), Option("bet", least=4, most=4), Option("fold"))
)
SHORT = ActionRequested(1, "bet", (Option("call", amount=3, all_in=True), Option("fold")), 7)
CHOOSE = ActionRequested(1, "choose", (Option("choose", cards=row("7c 8d 9h"), count=1),))
ARRANGE = ActionRequested(1, "arrange", (Option("arrange", cards=row("2c 3c 4c 5c 6c 7c 8c"), count=5),), 0, 60)
DECLARE = ActionRequested(1, "declare", (Option("declare", directions=("high", "low")),))
DISCARD = ActionRequested(1, "discard", (Option("discard", cards=row("2c 3c 4c"), count=2),))
PASS = ActionRequested(1, "pass", (Option("pass", cards=row("2c 3c 4c"), count=2),))
BUY = ActionRequested(1, "buy", (Option("buy", amount=4), Option("decline")))
GAME = ActionRequested(1, "game", (Option("game", games=("stud8", "razz")),))


@pytest.mark.parametrize(
    ("request_", "lines"),
    [
        (FACING, ["Your turn: c call 2, r raise to 4, f fold. 30 seconds."]),
        (
            FREE,
            ["Your turn: c check, b 1 to b 5 bet, fold (write the word, checking is free)."],
        ),
        (FORCED, ["Your turn: b bring in 1, r bet 2."]),
        (COMPLETE, ["Your turn: c call 1, r complete to 2, f fold."]),
        (OPEN_PAIR, ["Your turn: c check, b 2 bet 2, b 4 bet 4, fold (write the word, checking is free)."]),
        (SHORT, ["Your turn: c call 3 (all in), f fold."]),
        (CHOOSE, ["Choose a card to turn up: 1 7c, 2 8d, 3 9h."]),
        (
            ARRANGE,
            [
                "Keep five cards of: 1 2c, 2 3c, 3 4c, 4 5c, 5 6c, 6 7c, 7 8c.",
                "Type their 5 numbers, the card to be rolled first in front; the last one stays hidden. 60 seconds.",
            ],
        ),
        (DECLARE, ["Declare: h high, l low."]),
        (DISCARD, ["Discard up to 2, or 0 for none: 1 2c, 2 3c, 3 4c."]),
        (PASS, ["Choose two cards to pass: 1 2c, 2 3c, 3 4c."]),
        (BUY, ["A card to buy: b buy for 4, d decline."]),
        (GAME, ["You deal. Which game? 1 Stud high-low, 2 Razz."]),
    ],
)
def test_ux_every_question_says_its_answers_with_amounts(request_: ActionRequested, lines: list[str]) -> None:
    assert question(request_, VIEW) == lines


def test_a_missing_option_is_explained() -> None:
    noted = ActionRequested(1, "bet", FACING.options, 2, 30, "the raises are capped at 3")
    assert question(noted, VIEW)[-1] == "The raises are capped at 3. 30 seconds."


@pytest.mark.parametrize(
    ("request_", "typed", "action"),
    [
        (FACING, "c", Action("call")),
        (FACING, " CALL ", Action("call")),
        (FACING, "r", Action("raise", to=4)),
        (FACING, "raise to 4", Action("raise", to=4)),
        (FACING, "f", Action("fold")),
        (FREE, "c", Action("check")),
        (FREE, "k", Action("check")),
        (FREE, "b 3", Action("bet", to=3)),
        (FREE, "fold", Action("fold")),
        (FORCED, "b", Action("bring_in")),
        (FORCED, "bring in", Action("bring_in")),
        (FORCED, "r", Action("bet", to=2)),
        (FORCED, "bet", Action("bet", to=2)),
        (FACING, "c 2", Action("call")),
        (COMPLETE, "r", Action("complete", to=2)),
        (COMPLETE, "complete", Action("complete", to=2)),
        (OPEN_PAIR, "b 4", Action("bet", to=4)),
        (OPEN_PAIR, "bet 2", Action("bet", to=2)),
        (CHOOSE, "2", Action("choose", cards=row("8d"))),
        (CHOOSE, "8D", Action("choose", cards=row("8d"))),
        (ARRANGE, "31547", Action("arrange", cards=row("4c 2c 6c 5c 8c"))),
        (ARRANGE, "3 1 5 4 7", Action("arrange", cards=row("4c 2c 6c 5c 8c"))),
        (ARRANGE, "3,1,5,4,7", Action("arrange", cards=row("4c 2c 6c 5c 8c"))),
        (ARRANGE, "4c 2c 6c 5c 8c", Action("arrange", cards=row("4c 2c 6c 5c 8c"))),
        (DECLARE, "h", Action("declare", direction="high")),
        (DECLARE, "low", Action("declare", direction="low")),
        (DISCARD, "0", Action("discard", cards=())),
        (DISCARD, "2", Action("discard", cards=row("3c"))),
        (DISCARD, "13", Action("discard", cards=row("2c 4c"))),
        (PASS, "3 1", Action("pass", cards=row("4c 2c"))),
        (BUY, "b", Action("buy")),
        (BUY, "n", Action("decline")),
        (GAME, "2", Action("game", game="razz")),
        (GAME, "razz", Action("game", game="razz")),
    ],
)
def test_answers_are_understood(request_: ActionRequested, typed: str, action: Action) -> None:
    assert understand(typed, request_) == action


@pytest.mark.parametrize(
    ("request_", "typed", "word"),
    [
        (FACING, "r 5", "to 4"),
        (FACING, "r -4", "not an amount"),
        (FACING, "r 4.0", "not an amount"),
        (FACING, "r 1e3", "not an amount"),
        (FACING, "r 4 4", "not an amount"),
        (FACING, "r 99999999999999999999", "not an amount"),
        (FACING, "r ٤", "not an amount"),
        (FACING, "check", "cannot check"),
        (FREE, "b", "Say the amount too: b 1 to b 5."),
        (FACING, "c 5", "To call costs 2, not 5. Type c alone."),
        (FORCED, "b 3", "To bring in costs 1, not 3. Type b alone."),
        (FREE, "c 2", "Check takes no amount. Type c alone."),
        (FREE, "b 6", "between 1 and 5"),
        (FREE, "b 0", "between 1 and 5"),
        (FREE, "f", "Checking is free"),
        (FORCED, "f", "cannot fold"),
        (OPEN_PAIR, "b", "b 2 or b 4"),
        (OPEN_PAIR, "b 3", "2 or 4"),
        (CHOOSE, "4", "none of the cards"),
        (CHOOSE, "0", "none of the cards"),
        (CHOOSE, "As", "none of the cards"),
        (CHOOSE, "12", "1 card must be named, not 2"),
        (ARRANGE, "3154", "5 cards"),
        (ARRANGE, "33154", "twice"),
        (ARRANGE, "31549", "none of the cards"),
        (DECLARE, "b", "high, low"),
        (DISCARD, "123", "most 2"),
        (GAME, "3", "2 games"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(request_: ActionRequested, typed: str, word: str) -> None:
    answer = understand(typed, request_)
    assert isinstance(answer, str)
    assert word in answer
    assert answer.endswith(".")


@pytest.mark.parametrize("typed", ["", "  ", "pot", "seat 3", "why", "hello there", "/say hi"])
@pytest.mark.parametrize("request_", [FACING, CHOOSE, ARRANGE, DECLARE, BUY, GAME])
def test_what_is_no_answer_is_left_to_the_questions(request_: ActionRequested, typed: str) -> None:
    assert understand(typed, request_) is None


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_whatever_is_asked_in_any_game_can_be_answered_in_words(game: str) -> None:
    dice = random.Random(game)
    asked: set[str] = set()
    view = TableView()
    for event in troubled_events(3, 4, 10, game):
        view.apply(event)
        if not isinstance(event, ActionRequested):
            continue
        asked.add(event.decision)
        lines = question(event, view)
        assert all(line.isprintable() and line[-1] == "." for line in lines)
        for _ in range(6):
            action = random_legal(event, dice)
            assert understand(typed(action, event.options), event) == action
    assert "bet" in asked
