"""What the screen needs of a session."""

from collections.abc import Callable, Sequence
from typing import Protocol

from client.session import Status
from protocol.actions import Action
from protocol.events import AnyEvent, Chips, Seat
from protocol.view import Pending, SeatView, TableView


class TableSession(Protocol):
    """The part of `client.session.ClientSession` that a screen uses; see there for what it means."""

    view: TableView
    seat: Seat
    status: Status
    trouble: str
    on_event: list[Callable[[AnyEvent], None]]
    on_change: list[Callable[[Sequence[AnyEvent]], None]]
    on_notice: list[Callable[[str], None]]

    @property
    def pending(self) -> Pending | None: ...
    def seconds_left(self, seat: Seat) -> float | None: ...
    def act(self, action: Action) -> str: ...
    def say(self, text: str) -> None: ...
    def sit_out(self) -> None: ...
    def sit_in(self) -> None: ...
    def stand_up(self) -> None: ...
    def top_up(self, amount: Chips) -> None: ...
    def go_on(self) -> None: ...
    def close(self) -> None: ...
    async def run(self) -> None: ...


def own_seat(session: TableSession) -> SeatView | None:
    """The reader's seat; None for a spectator, and before the table is known."""
    return session.view.seats[session.seat - 1] if 0 < session.seat <= len(session.view.seats) else None
