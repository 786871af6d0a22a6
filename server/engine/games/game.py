"""A game as data: what it is called, how many can play, and the steps of which a hand of it is made."""

from dataclasses import dataclass, field

from protocol.stakes import Stakes
from server.engine.steps.hand_state import ShortageOpener
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game.

    Fields:
        id: its name in files, on the command line and on the wire; title: its name on the screen.
        most_players: how many players can be dealt in (`rules.md` 6).
        stakes: what it is played for unless the table says otherwise.
        steps: what happens, in order.
        shortage_opener: who opens after a common card.
        source: where its rules come from.
        showdown: the step that ends it.
    """

    id: str
    title: str
    most_players: int
    stakes: Stakes
    steps: tuple[Step, ...]
    shortage_opener: ShortageOpener = "own_boards"
    source: str = ""
    showdown: Showdown = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "showdown", next(step for step in self.steps if isinstance(step, Showdown)))
