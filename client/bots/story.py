"""Whether the up cards of a seat tell a story that the others can believe."""

from collections.abc import Callable, Sequence

from protocol.cards import Card
from protocol.view import TableView
from replays.chances.terms import terms_from
from replays.hand_reading.buckets import judge_of
from server.engine.games.known_games import game_at


def believable(view: TableView, seat: int) -> bool:
    """Whether the seat's up cards look at least as good as those of every other live hand, in one direction.

    A hand without up cards tells nothing. Everybody at the table can work this out.
    """
    game = game_at(view)
    own = view.seat(seat).up
    if game is None or not own:
        return False
    judge = judge_of(terms_from(game), view.wilds)
    boards = [one.up for one in view.in_hand() if one.seat != seat]
    if judge.terms.high is not None and _leads(judge.high_value, own, boards):
        return True
    return judge.terms.low is not None and _leads(judge.low_value, own, boards)


def _leads(value_of: Callable[[Sequence[Card]], int], own: Sequence[Card], boards: Sequence[Sequence[Card]]) -> bool:
    return value_of(own) >= max(map(value_of, boards), default=0)
