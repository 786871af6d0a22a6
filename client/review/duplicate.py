"""The same deck once more, with the house bot in every seat: what it makes of one's cards.

The others are bots, too, because nobody knows what the people would have done against another player. So the result
shows what the cards were worth, and no more than that.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from client.bots.minds import Mind, MindMaker
from protocol import commands as cmd
from protocol.actions import refusal
from protocol.cards import Card
from protocol.events import Chips, HandStarted, Seat
from protocol.journal.records import Checkpoint
from protocol.view import TableView
from protocol.visibility import project
from replays.recording import table_before
from server.admission.seat_tokens import token_digest
from server.engine.errors import IllegalAction
from server.engine.table_state import TableState


def bot_net(
    before: TableView, started: HandStarted, deck: Sequence[Card], seat: Seat, maker: MindMaker
) -> Chips | None:
    """What a bot in that seat wins or loses; None where the hand cannot be dealt again.

    Args:
        before: the table before the hand; deck: top card first.
        maker: makes the minds of all seats.
    """
    try:
        table = _Duplicate(before, started, maker)
        table.do(cmd.StartHand(tuple(deck), started.id, started.button))
        table.play()
    except (IllegalAction, ValueError, LookupError):
        return None
    own = next((stack for one, stack in started.stacks if one == seat), None)
    return None if own is None else table.state.view.seat(seat).chips - own


class _Duplicate:
    """A table for one hand, and what each seat sees of it."""

    def __init__(self, before: TableView, started: HandStarted, maker: MindMaker) -> None:
        seats = dict(started.stacks)
        view = table_before(before, started)
        view.hand = started.hand - 1
        if view.rules is None:
            raise ValueError("the rules of the table are not known")
        offers = [replace(one, stakes=started.stakes) for one in view.rules.games if one.id == started.game]
        view = replace(view, rules=replace(view.rules, games=tuple(offers)), game=started.game, stakes=started.stakes)
        for one in view.seats:
            one.away, one.online, one.bot = one.seat not in seats, True, True
            one.down = one.up = one.before = one.shown = ()
        tokens = tuple([(one, token_digest(bytes([one]) * 32)) for one in sorted(seats)])
        self.state = TableState.restored(Checkpoint(view, tokens))
        self._views = {one: view.copy() for one in seats}
        self._minds: dict[Seat, Mind] = {one: maker() for one in seats}

    def do(self, command: cmd.AnyCommand) -> None:
        events = self.state.apply(command)
        for seat, view in self._views.items():
            view.apply_all([project(event, seat) for event in events])

    def play(self) -> None:
        """The minds play the hand to its end."""
        while self.state.pending:
            seat, answers = next(iter(self.state.pending.items()))
            request = self._views[seat].seat(seat).pending
            assert request is not None
            action = self._minds[seat](self._views[seat], seat, request.request)
            if refusal(request.request.options, action):
                self.do(cmd.TimeUp(seat, answers))
            else:
                self.do(cmd.Act(seat, answers, action, self.state.last_ids.get(seat, 0) + 1))
