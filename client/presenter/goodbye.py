"""The sentence that is told when a player has left the screen: what has become of their seat and chips."""

from client.connection.session_port import TableSession, own_seat
from client.display.text_cells import clean
from protocol.narration.phrases import counted


def goodbye(session: TableSession, *, kept: bool) -> str:
    """``Goodbye. Your seat is kept, with 94 chips.``, or that it was given back.

    Args:
        session: it is over, or will be in a moment.
        kept: whether seats outlive the session; those of a game on the own machine end with it.
    """
    if session.left_with is not None:
        return f"Goodbye. You have left the table with {counted(session.left_with, 'chip')}."
    own = own_seat(session)
    if own is None or not own.name:
        return "Goodbye."
    if not kept:
        return f"Goodbye. The game is over; you had {counted(own.chips, 'chip')} left."
    table = f" at {clean(session.view.rules.name)}" if session.view.rules is not None else ""
    return f"Goodbye. Your seat{table} is kept, with {counted(own.chips, 'chip')}. To come back: ryo join"
