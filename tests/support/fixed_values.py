"""Values of options that a test gives, in the place of play-outs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from client.coach.decisions import Decision
from protocol.actions import Action


@dataclass(frozen=True)
class FixedValues:
    """What each option is worth, in chips; every difference has the same standard error."""

    worth: Mapping[Action, float]
    spread: float = 0.1

    @property
    def options(self) -> Sequence[Action]:
        return list(self.worth)

    @property
    def best(self) -> Action:
        return max(self.worth, key=self.chips)

    def chips(self, option: Action) -> float:
        return self.worth[option]

    def error(self, option: Action) -> float:
        return self.spread

    def difference(self, one: Action, other: Action) -> tuple[float, float]:
        return self.worth[one] - self.worth[other], self.spread


@dataclass
class Counted:
    """Counts decisions with a function of the test, and remembers what was asked for: (number, deals, seed)."""

    worth_of: Callable[[Decision, str], Mapping[Action, float] | None]
    spread: float = 0.1
    asked: list[tuple[int, int, str]] = field(default_factory=list)

    def __call__(self, decision: Decision, deals: int, seed: str, *options: Action) -> FixedValues | None:
        self.asked.append((decision.number, deals, seed))
        worth = self.worth_of(decision, seed)
        if worth is None:
            return None
        return FixedValues(dict.fromkeys((decision.action, *options), 0.0) | dict(worth), self.spread)


def folding_is_better_by(chips: float) -> Counted:
    """Counts as if folding were better than anything else by so many chips, wherever it is an option."""
    fold = Action("fold")

    def worth(decision: Decision, seed: str) -> Mapping[Action, float]:
        folds = any(option.kind == "fold" for option in decision.request.options)
        return {fold: chips} if folds and decision.action != fold else {decision.action: 0.0}

    return Counted(worth)
