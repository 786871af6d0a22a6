"""The five cards that win, and the story that names them."""

import re

import pytest

from protocol import events as ev
from protocol.narration.spans import plain
from protocol.narration.story import tell
from protocol.view import TableView
from protocol.visibility import project
from server.engine.ranking.rankings import RANKINGS
from server.engine.ranking.winning_cards import winning_cards
from tests.support.self_play import troubled_events

FIVE = re.compile(r"(?:[2-9TJQKA][cdhs] ){4}[2-9TJQKA][cdhs]")


@pytest.mark.parametrize("game", ["barneys", "stud8", "razz", "stud", "studhilo", "plainrazz", "anaconda"])
def test_winners_with_their_five_cards(game: str) -> None:
    events = troubled_events(5, players=4, hands=12, game=game)
    view = TableView()
    told = 0
    for event in events:
        view.apply(event)
        if not isinstance(event, ev.PotAwarded) or not event.hand:
            continue
        plays = winning_cards(event, view)
        if "no low" not in event.hand:
            assert [seat for seat, _ in plays] == [seat for seat, _ in event.winners]
        for seat, hands in plays:
            own = view.seat(seat)
            for _, five in hands:
                assert len(set(five)) == 5
                assert set(five) <= {*own.shown, *own.up, *view.community}
                assert any(ranking.name(five) in event.hand for ranking in RANKINGS.values())
            assert len(hands) == 1 + (
                (" and " in event.hand and " low" in event.hand) or event.hand.endswith("and wheel")
            )
            told += 1
        told_cards = FIVE.findall(" ".join(plain(line) for line in tell(event, view, None, winning_cards)))
        assert len(told_cards) == sum(len(hands) for _, hands in plays)
    assert told


def test_nothing_is_told_that_was_not_shown() -> None:
    """Nobody sees more five-card hands than a spectator: they are made of shown cards only."""
    events = troubled_events(8, players=4, hands=10)
    whole, seen = TableView(), TableView()
    for event in events:
        whole.apply(event)
        seen.apply(project(event, None))
        if isinstance(event, ev.PotAwarded):
            assert winning_cards(event, whole) == winning_cards(event, seen)
