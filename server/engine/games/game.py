"""A game as data: what it is called, how many can play, and the steps of which a hand of it is made."""

from dataclasses import dataclass, field

from protocol.stakes import Stakes
from server.engine.steps.betting import Bet
from server.engine.steps.hand_state import ShortageOpener
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import Ante, Step


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

    def most_cost(self, stakes: Stakes) -> int | None:
        """The most chips that one player can put into a hand at these stakes; None where raises have no cap.

        Every round goes to its cap at the larger size that it allows (`rules.md` 4.1, 4.3); a cap that falls away
        between two players (4.1) is not counted.
        """
        if stakes.cap is None:
            return None
        cost = 0
        for step in self.steps:
            if isinstance(step, Ante):
                cost += stakes.ante
            elif isinstance(step, Bet):
                large = step.size == "big" or (step.open_pair and stakes.open_pair != "off")
                bet = stakes.most if stakes.limit == "spread" else stakes.big if large else stakes.small
                cost += bet * (1 + stakes.cap)
        return cost
