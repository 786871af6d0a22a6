"""Minds and the arena: what a mind is told, what its mistakes cost, and that cards count for nothing."""

import importlib
import re
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from client.bots import minds
from client.bots.arena import CHIPS, Arena, Score, odds, ratings
from client.bots.minds import OWN, Careful, Mind, MindMaker, UnknownMind, mind_maker
from client.bots.simple import passive
from protocol.actions import Action
from protocol.events import ActionRequested, AnyEvent, HandEnded, HandStarted
from protocol.view import TableView
from protocol.visibility import project
from server.engine.games.catalogue import GAMES
from tests.support.paths import DOCS

PAGE = (DOCS / "minds.md").read_text("utf-8")
SOURCE, LISTENING = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def played(*names: str, game: str = "stud8", seats: int = 4, decks: int = 6, **more: MindMaker) -> Arena:
    makers = [(name, mind_maker(name)) for name in names] + list(more.items())
    arena = Arena(makers, GAMES[game], seats, "seed")
    arena.play(decks)
    return arena


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_the_cards_count_for_nothing(game: str) -> None:
    """The same mind twice wins nothing from itself, and all chips together are none."""
    arena = played("caller", game=game, also=OWN["caller"], decks=3)
    assert [score.chips.mean for score in arena.scores] == [0.0, 0.0]
    mixed = played("caller", "house", game=game, decks=2)
    assert sum(score.chips.mean for score in mixed.scores) == pytest.approx(0.0)
    assert all(not score.illegal and not score.slow for score in mixed.scores)
    assert [score.hands for score in mixed.scores] == [8, 8]


def test_the_same_seed_gives_the_same_result() -> None:
    results = [[score.results for score in played("caller", "raiser").scores] for _ in range(2)]
    assert results[0] == results[1]


def test_more_is_won_from_a_caller_than_from_the_house() -> None:
    """A mind that folds everything loses its antes; the difference is seen in a few deals."""

    def folding(view: TableView, seat: int, request: ActionRequested) -> Action:
        kinds = {option.kind for option in request.options}
        return Action("fold") if "fold" in kinds else passive(request)

    arena = played("caller", folder=lambda: folding, decks=20)
    caller, folder = arena.scores
    assert caller.chips.mean - caller.chips.error > 0 > folder.chips.mean + folder.chips.error
    assert odds(caller, folder) > 0.8
    assert ratings(arena.scores)[0] > 0 > ratings(arena.scores)[1]


@pytest.mark.parametrize("game", ["stud8", "barneys", "anaconda"])
def test_a_mind_is_told_what_its_seat_sees(game: str) -> None:
    seen: list[tuple[int, TableView]] = []

    def spy(view: TableView, seat: int, request: ActionRequested) -> Action:
        seen.append((seat, view))
        return passive(request)

    played("caller", spy=lambda: spy, game=game, decks=2)
    assert seen
    for seat, view in seen:
        assert None not in view.seat(seat).down
        for other in view.players():
            if other.seat != seat:
                assert not [card for card in other.down if card is not None]


class Historian:
    """A mind that keeps the events of its hands."""

    made: ClassVar[list["Historian"]] = []

    def __init__(self) -> None:
        self.hands: list[list[AnyEvent]] = []
        self.made.append(self)

    def see(self, event: AnyEvent) -> None:
        if isinstance(event, HandStarted):
            self.hands.append([])
        self.hands[-1].append(event)

    def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        assert request in self.hands[-1]
        for event in self.hands[-1]:
            assert project(event, seat) == event, "an event of another seat"
        return passive(request)


@pytest.mark.parametrize("game", ["stud8", "barneys", "anaconda"])
def test_a_mind_that_wants_to_know_is_told_the_events_of_its_hands(game: str) -> None:
    """It keeps its seat for all decks of a rotation: two minds with two seats each, in two rotations."""
    Historian.made.clear()
    arena = played("caller", spy=Historian, game=game, decks=3)
    assert arena.scores[1].illegal == 0
    assert [len(one.hands) for one in Historian.made] == [3, 3, 3, 3]
    assert all(isinstance(hand[-1], HandEnded) for one in Historian.made for hand in one.hands)


def test_a_mind_that_fails_to_listen_is_told_so() -> None:
    class Deaf:
        def see(self, event: AnyEvent) -> None:
            raise RuntimeError("what?")

        def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
            return passive(request)

    arena = played("caller", deaf=Deaf, decks=1)
    assert arena.scores[1].illegal > 0
    told: list[str] = []
    arena = played("caller", deaf=lambda: Careful(Deaf(), told.append), decks=1)
    assert arena.scores[1].illegal == 0
    assert set(told) == {"The mind made a mistake, so the house bot decides: RuntimeError: what?."}


def test_a_mind_cannot_change_the_table() -> None:
    def vandal(view: TableView, seat: int, request: ActionRequested) -> Action:
        view.seat(seat).chips = 10**6
        view.seats.clear()
        return passive(request)

    arena = played("caller", vandal=lambda: vandal)
    assert sum(score.chips.mean for score in arena.scores) == pytest.approx(0.0)


def _broken(view: TableView, seat: int, request: ActionRequested) -> Action:
    raise RuntimeError("oh")


def _cheat(view: TableView, seat: int, request: ActionRequested) -> Action:
    return Action("raise", to=CHIPS)


@pytest.mark.parametrize("mind", [_broken, _cheat])
def test_mistakes_are_counted_and_the_table_decides(mind: Mind) -> None:
    arena = played("caller", wrong=lambda: mind, decks=2)
    assert arena.scores[1].illegal == arena.scores[1].decisions > 0
    assert arena.scores[0].illegal == 0


def test_at_a_table_the_house_decides_for_a_mind_that_fails() -> None:
    told: list[str] = []
    arena = played("caller", wrong=lambda: Careful(_broken, told.append), decks=2)
    assert arena.scores[1].illegal == 0
    assert told[0] == "The mind made a mistake, so the house bot decides: RuntimeError: oh."
    assert all(line == told[0] for line in told)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    """What an installation of another package leaves behind: its entry points."""
    info = folder / "foreign_minds-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-minds\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{minds.GROUP}]\n{entry}\n")
    monkeypatch.syspath_prepend(str(folder))


def test_the_mind_on_the_page_plays_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cautious.py").write_text(SOURCE)
    install(tmp_path, monkeypatch, "cautious = cautious:Cautious")
    assert "cautious" in minds.names()
    assert f'[project.entry-points."{minds.GROUP}"]' in PAGE
    assert len(SOURCE.splitlines()) <= 25
    for game in GAMES:
        arena = played("caller", "cautious", game=game, decks=1)
        assert arena.scores[1].illegal == 0, game
    sys.modules.pop("cautious", None)


def test_the_listening_mind_on_the_page_knows_who_has_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "counting.py").write_text(SOURCE + LISTENING)
    monkeypatch.syspath_prepend(str(tmp_path))
    counting = importlib.import_module("counting").Counting
    made: list[Any] = []

    def make() -> Mind:
        made.append(counting())
        mind: Mind = made[-1]
        return mind

    arena = played("raiser", counting=make, decks=1)
    assert arena.scores[1].illegal == 0
    for mind in made:
        assert mind.raises
        assert all(1 <= seat <= 4 for seat in mind.raises)
    sys.modules.pop("counting")


def test_a_mind_that_is_not_there_or_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownMind, match=r"There is no mind 'hous'\. Did you mean house"):
        mind_maker("hous")
    install(tmp_path, monkeypatch, "gone = no_such_module:Mind")
    with pytest.raises(UnknownMind, match="'gone' cannot be loaded: ModuleNotFoundError"):
        mind_maker("gone")


def test_the_page_names_every_mind_of_the_program() -> None:
    assert [name for name in OWN if f"`{name}`" not in PAGE] == []


def test_even_scores_are_even() -> None:
    one, other = Score("one", [1.0, -1.0, 0.0]), Score("other", [-1.0, 1.0, 0.0])
    assert odds(one, other) == 0.5
    assert ratings([one, other]) == [0, 0]
    assert Score("none").chips.error == 0.0
