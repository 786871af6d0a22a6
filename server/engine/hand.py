"""One hand of one game, from the antes to the last chip paid.

`Hand` runs the steps of its game in order. It asks for decisions and turns each answer, with everything that the
answer causes, into events; it has no clock and no dice.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import get_args

from protocol import events as ev
from protocol.actions import Action, Decision, refusal
from protocol.cards import Card
from protocol.events import AnyEvent, Cause, Chips, Seat
from protocol.stakes import Stakes
from protocol.table_rules import Clocks, ShowRule
from server.engine.default_action import default_action
from server.engine.errors import IllegalAction
from server.engine.games.game import Game
from server.engine.steps.hand_state import Flow, HandState
from server.engine.steps.showdown import award_unopposed


class Hand(HandState):
    """The rules' side of a running hand.

    Args:
        game: what is played.
        stakes: for how much.
        stacks: (seat, chips) of everybody dealt in; at least two seats, all with chips.
        button: the dealer's seat; it need not be among those dealt in.
        deck: the cards in dealing order.
        number, ident: names of the hand for its first event.
        clocks: the time allowed for each decision; None for no clock.
        show: who shows at the showdown.

    Raises ValueError if the game is not for so many players.

    Attributes:
        over: whether the last chip is paid.
    """

    __slots__ = ("_flow", "_steps", "game", "number", "over")

    _flow: Flow  # the step that waits

    def __init__(
        self,
        game: Game,
        stakes: Stakes,
        stacks: Sequence[tuple[Seat, Chips]],
        button: Seat,
        deck: Sequence[Card],
        *,
        number: int = 1,
        ident: str = "",
        clocks: Clocks | None = None,
        show: ShowRule = "rule",
    ) -> None:
        rows = sorted(stacks)
        behind = [row for row in rows if row[0] > button]
        dealt_in = tuple(behind + rows[: len(rows) - len(behind)])
        if not 2 <= len(dealt_in) <= game.most_players:
            raise ValueError(f"{game.title} is for 2 to {game.most_players} players, not {len(dealt_in)}")
        seconds = _UNTIMED if clocks is None else _seconds(clocks)
        super().__init__(dealt_in, stakes, deck, seconds=seconds, show=show, shortage_opener=game.shortage_opener)
        self.game = game
        self.number = number
        self.over = False
        self._steps = iter(game.steps)
        self.emit(ev.HandStarted(number, ident, game.id, game.title, button, dealt_in, stakes))

    def start(self) -> list[AnyEvent]:
        """Deal; the events up to the first decision."""
        self._next_step()
        return self.happened()

    def act(self, seat: Seat, action: Action, cause: Cause = "player") -> list[AnyEvent]:
        """Take a seat's answer to its request; the events it causes. Raises IllegalAction."""
        player = self.index.get(seat, -1)
        request = self.requests.get(player)
        if request is None:
            raise IllegalAction("not_asked", "It is not your turn.")
        if reason := refusal(request.options, action):
            raise IllegalAction("illegal", f"{reason[0].upper()}{reason[1:]}{_because(request, action)}.")
        del self.requests[player]
        try:
            self._flow.send((player, action, cause))
        except StopIteration:
            self._next_step()
        return self.happened()

    def time_up(self, seat: Seat, cause: Cause = "timeout") -> list[AnyEvent]:
        """Do for a seat what `rules.md` 10 says when its clock runs out. Raises IllegalAction if it is not asked."""
        return self.act(seat, self.default(seat), cause)

    def default(self, seat: Seat) -> Action:
        """What is done for a seat that does not answer (`rules.md` 10). Raises IllegalAction if it is not asked."""
        player = self.index.get(seat)
        request = self.requests.get(player) if player is not None else None
        if request is None or player is None:
            raise IllegalAction("not_asked", "It is not that player's turn.")
        return default_action(self, player, request, self.game.showdown.low)

    def _next_step(self) -> None:
        """Run steps until one waits for an answer, or to the end of the hand."""
        while len(self.live) > 1:
            step = next(self._steps, None)
            if step is None:
                break
            flow = step.run(self)
            if flow is not None:
                for _ in flow:  # as far as its first wait
                    self._flow = flow
                    return
        else:
            award_unopposed(self)
        self.emit(ev.HandEnded(self.number, self.stacks()))
        self.over = True


@lru_cache(64)
def _seconds(clocks: Clocks) -> Mapping[str, int | None]:
    return {decision: clocks.seconds(decision) for decision in get_args(Decision)}


_UNTIMED = _seconds(Clocks(bet=0, choose=0, arrange=0, declare=0))


def _because(request: ev.ActionRequested, action: Action) -> str:
    wanted_more = action.kind in ("bet", "raise", "complete")
    return f" ({request.note})" if request.note and wanted_more else ""
