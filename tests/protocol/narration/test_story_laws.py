"""Laws of the story on random evenings of every game: it can always be told, and it gives nothing away."""

import re

import pytest

from protocol import events as ev
from protocol.cards import card
from protocol.events import AnyEvent
from protocol.narration.spans import CardSpan, SeatSpan, plain
from protocol.narration.story import tell
from protocol.view import TableView
from protocol.visibility import Viewer, project
from tests.support.engine_table import GAMES_PLAYED
from tests.support.self_play import troubled_events

_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
PLAYERS = 4
VIEWERS: tuple[Viewer, ...] = (None, 1, 2, 3, 4)


def known_now(view: TableView, event: AnyEvent) -> set[int | None]:
    """Every card that the viewer of this view can see at the moment, or saw go."""
    known: set[int | None] = set(view.community)
    for seat in view.seats:
        known |= {*seat.down, *seat.up, *seat.before, *seat.shown}
    match event:
        case ev.ChoiceMade() if event.action is not None:
            known |= set(event.action.cards or ())
        case ev.CardsPassed():
            known |= {one for _, _, cards in event.passes for one in cards}
        case ev.CardsDiscarded():
            known |= {one for _, cards in event.cards for one in cards}
    return known


@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES_PLAYED, ""])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_trap_A22_the_story_names_no_card_that_its_reader_has_not_seen(game: str, viewer: Viewer) -> None:
    told = 0
    view = TableView()
    known: set[int | None] = set()
    for event in troubled_events(5, PLAYERS, 6, game):
        seen = project(event, viewer)
        view.apply(seen)
        if isinstance(seen, ev.HandStarted):
            known = set()
        known |= known_now(view, seen)
        for line in map(plain, tell(seen, view, viewer)):
            if isinstance(event, ev.Said):
                continue
            named = {card(text) for text in _CARD.findall(line)}
            assert named <= known, line
            told += len(named)
    assert told > 20


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_every_card_and_every_player_of_the_story_is_a_span(game: str) -> None:
    view = TableView()
    cards = players = 0
    for event in troubled_events(6, PLAYERS, 4, game):
        view.apply(event)
        names = re.compile("|".join(rf"\b{seat.name}\b" for seat in view.players()) or "nobody")
        for line in tell(event, view):
            for span in () if isinstance(event, ev.Said | ev.PlayerLeft) else line:
                if isinstance(span, str):
                    assert not _CARD.search(span), line
                    assert not names.search(span), line
                cards += isinstance(span, CardSpan)
                players += isinstance(span, SeatSpan) and span.name == view.name(span.seat)
    assert cards > 20
    assert players > 20


@pytest.mark.parametrize("seed", range(6))
def test_every_line_is_a_whole_sentence(seed: int) -> None:
    view = TableView()
    hand = 0
    for event in troubled_events(seed, PLAYERS, 8):
        view.apply(event)
        lines = [plain(line) for line in tell(event, view)]
        for line in lines:
            assert line.isprintable()
            assert line == line.strip()
            assert "None" not in line
            assert "{" not in line
            assert "_" not in line
            assert isinstance(event, ev.Said) or line[-1] in ".)" or ", pot " in line, line
        match event:
            case ev.HandStarted():
                hand = event.hand
                assert lines[0].startswith(f"Hand {hand}: ")
            case ev.HandEnded():
                nets = [int(net) for net in re.findall(r" ([+-]\d+|0)(?=[,.])", lines[-1])]
                assert lines[-1].startswith(f"Hand {hand} is over: ")
                assert len(nets) == len(event.stacks)
                assert sum(nets) == 0
            case ev.RoundOpened() | ev.RoundSkipped():
                assert f", pot {view.pot()}: " in lines[0]
                for seat in view.in_hand():
                    assert f"{seat.name} " in lines[0]
    assert hand > 2
