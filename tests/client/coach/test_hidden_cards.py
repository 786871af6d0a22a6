"""The law: cards that are hidden from a seat change no number and no word of coach and review.

A hand is played twice. The second time every card that the seat had not seen when it decided last is another one, in
the deck and in the secret choices of the others; whatever the seat saw is the same.
"""

import random
from collections.abc import Sequence
from functools import partial

import pytest
from msgspec.structs import replace

from client.coach.counting import count_options
from client.coach.decisions import Decision, decisions
from client.coach.judge import Values, judge
from client.coach.reasons import reason
from client.coach.words import told
from client.review.reviewed_hand import priced
from protocol import commands as cmd
from protocol.actions import Action
from protocol.cards import DECK, Card
from protocol.events import AnyEvent
from protocol.journal.records import StepRecord
from protocol.view import TableView, hide
from protocol.visibility import project
from tests.support.engine_table import GAMES_PLAYED, EngineTable
from tests.support.known_cards import known_cards
from tests.support.self_play import SelfPlay

SEAT = 1


def played(game: str, seed: int) -> list[StepRecord]:
    """A hand of that game, up to the last answer of the seat."""
    table = SelfPlay(seed, (game,), 4, calm=0.85)
    table.hand(trouble=False)
    last = max(at for at, step in enumerate(table.steps) if _is_own(step.command))
    return table.steps[: last + 1]


def _is_own(command: cmd.AnyCommand | None) -> bool:
    return isinstance(command, cmd.Act) and command.seat == SEAT


def decided(steps: Sequence[StepRecord]) -> list[Decision]:
    """What the seat decided, from what it saw."""
    start = next(at for at, step in enumerate(steps) if isinstance(step.command, cmd.StartHand))
    view = TableView()
    for step in steps[:start]:
        view.apply_all(step.events)
    return decisions(hide(view, SEAT), [project(event, SEAT) for event in events_of(steps[start:])], SEAT)


def events_of(steps: Sequence[StepRecord]) -> list[AnyEvent]:
    return [event for step in steps for event in step.events]


def with_other_hidden_cards(steps: Sequence[StepRecord], dice: random.Random) -> list[StepRecord]:
    """The same hand with other cards wherever the seat could not see them."""
    seen = known_cards(events_of(steps[:-1]), SEAT)[-1]
    unseen = [card for card in DECK if card not in seen]
    other = dict(zip(unseen, dice.sample(unseen, len(unseen)), strict=True))

    def exchanged(row: Sequence[Card]) -> tuple[Card, ...]:
        return tuple([other.get(card, card) for card in row])

    first = steps[0].command
    assert isinstance(first, cmd.OpenTable)
    table = EngineTable(first.rules)
    for step in steps[1:]:
        command = step.command
        if isinstance(command, cmd.StartHand):
            command = replace(command, deck=exchanged(command.deck))
        elif isinstance(command, cmd.Act) and command.action.cards is not None:
            command = replace(command, action=replace(command.action, cards=exchanged(command.action.cards)))
        assert command is not None
        table.do(command)
    return table.steps


def few(decision: Decision, deals: int, seed: str, *options: Action, most: int) -> Values | None:
    """Counts on a few deals, which is enough to see whether hidden cards are looked at."""
    return count_options(decision, min(deals, most), seed, *options)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_hidden_cards_change_no_number_of_coach_and_review(game: str) -> None:
    steps = played(game, 7)
    again = with_other_hidden_cards(steps, random.Random(game))
    assert events_of(again) != events_of(steps)
    count = partial(few, most=2)
    for one, other in zip(decided(steps), decided(again), strict=True):
        verdict, same = judge(one, count), judge(other, count)
        assert (verdict is None) == (same is None)
        if verdict is not None and same is not None:
            assert (verdict.best, verdict.chips, verdict.error) == (same.best, same.chips, same.error)
            assert (priced(verdict), told(verdict)) == (priced(same), told(same))
        for option in one.request.options:
            if option.kind in ("fold", "call"):
                assert reason(one, Action(option.kind)) == reason(other, Action(option.kind))


def test_the_same_decision_is_counted_the_same_way_every_time() -> None:
    one = decided(played("razz", 2))[-1]
    first, second = (count_options(one, 20, "count") for _ in range(2))
    assert first == second
    assert first is not None
    assert one.action in first.options
    assert count_options(one, 20, "look") != first
