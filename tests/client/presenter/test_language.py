"""Every sentence that a table tells, gathered from hands of every game: plurals, people, and nothing twice."""

import random
import re
from collections.abc import Iterator

import pytest

from client.presenter.help_page import help_page, line_help
from client.terminal.line_mode import LineMode
from protocol import commands as cmd
from protocol.actions import Action
from protocol.events import ActionRequested
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable, first_of
from tests.support.seated_presenter import sit

QUESTIONS = ("hand", "1", "seat 2", "stacks", "up", "before", "pot", "to call", "last", "street", "why", "who", "time")

WRONG = (
    re.compile(r"(?<![\d/.+:,-])\b(?<![A-Za-z] )(?:1|[Oo]ne) (?:chip|hand|card|seat|second|bot|player|event)s\b"),
    re.compile(r"\b(?:[2-9]|\d\d+|two|three|four|five) (?:chip|hand|card|seat|second|bot|player|person)\b"),
    re.compile(r"\b(?:he|his|him|himself|she|her)\b", re.IGNORECASE),
    re.compile(r"\b(\w+) \1\b(?! \w+ \1)", re.IGNORECASE),
    re.compile(r" ,| \.(?!\.)|(?<![.[])\.\.(?![.\]])|,\.|\(\)"),
)
"""What no sentence holds: one of a plural, several of a singular, he or she, a word twice, misplaced stops."""


def choice(request: ActionRequested, dice: random.Random) -> Action:
    """Any of the options, in its plainest form."""
    return first_of(dice.choice(request.options))


def sentences(game: str, seed: int) -> Iterator[str]:
    """What a player in lines hears in a few hands with short stacks, with the answers to every question."""
    dice = random.Random(f"{game} {seed}")
    table = LocalTable(game, min(4, GAMES[game].most_players), seed=seed, chips=dice.choice((20, 21, 60)))
    table.others = lambda request: choice(request, dice)
    session = table.session(1)
    heard: list[str] = []
    mode = LineMode(session, heard.append)
    mode._arrive()
    for _ in range(3):
        if not table.state.can_deal():
            break
        table.deal()
        while session.view.playing:
            table.settle()
            for question in QUESTIONS:
                if session.pending is None or not question.isdecimal():
                    mode.enter(question)
            if session.pending is not None:
                session.act(choice(session.pending.request, dice))
            elif not table.step() and session.view.playing:
                break
        if not table.state.view.seat(2).away:
            table.do(cmd.SitOut(2))
            table.do(cmd.SitIn(2))
    yield from heard
    presenter, _, _ = sit(table)
    yield from (text for _, text in help_page(presenter.answer.keys(), presenter.keymap))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_of_a_table_has_a_wrong_plural_or_a_he(game: str) -> None:
    heard = {line for seed in range(12) for line in sentences(game, seed)} | set(line_help())
    assert len(heard) > 150
    assert [(line, found[0]) for line in sorted(heard) for wrong in WRONG if (found := wrong.search(line))] == []
