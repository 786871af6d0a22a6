"""A table of a server, as its connections know it: everything that a guest may ask for.

`server.table.pipeline` says in which order things are done, `server.table.dealer` when hands are dealt and whose time
is up, `server.table.seats` who comes and goes.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeAlias, assert_never

import structlog
import trio

from protocol import commands as cmd
from protocol.wire import messages as msg
from protocol.wire.messages import Rejected
from server.config.durability import Durability
from server.storage.group_commit import GroupCommit
from server.storage.recovery import RECENT_STEPS, TableSession
from server.storage.rotation import ROTATE_BYTES
from server.storage.system import System
from server.table.fan_out import Spectators
from server.table.guest import Guest
from server.table.hand_history import MOST_JOURNAL_BYTES, PlayedHands, search_files
from server.table.pipeline import Setup
from server.table.seats import Seating
from server.table.shuffler import Shuffler

PlayerMessage: TypeAlias = msg.Say | msg.SitOut | msg.SitIn | msg.StandUp | msg.TopUp | msg.GoOn | msg.Show

CONGESTED = 512
"""Waiting wishes from which on a table takes no more."""


class Table(Seating):
    """One table of a server.

    Args:
        session: its state and journal.
        The others are those of `server.table.pipeline.Setup`.

    Attributes:
        halted: why the table takes no wishes any more ; None while it plays.
        folder: where its journals are.
        due: when `tick` wants to be called.
    """

    def __init__(
        self,
        session: TableSession,
        commit: GroupCommit,
        shuffler: Shuffler,
        *,
        durability: Durability = "action",
        wake: Callable[[float], None] = lambda when: None,
        log: structlog.typing.FilteringBoundLogger,
        start: float = 0.0,
        least: int = 2,
        bots_alone: bool = True,
        most_spectators: int = 200,
        machine: System | None = None,
        rotate_bytes: int = ROTATE_BYTES,
        schedule: Callable[[Spectators], None] | None = None,
    ) -> None:
        setup = Setup(
            commit, shuffler, durability, wake, log, start, least, bots_alone, most_spectators, machine or System(),
            rotate_bytes, schedule,
        )  # fmt: skip
        super().__init__(session, setup)
        self._searching = False
        self._begin()

    def _welcome(self, guest: Guest) -> None:
        guest.table = self.id

    def revive(self, session: TableSession) -> None:
        """Goes on with what its journal holds, after a halt for want of room."""
        self._session, self._journal, self.state = session, session.journal, session.state
        self._recent = deque(session.recent, RECENT_STEPS)
        self._rotated_after = -1
        self._played = PlayedHands()  # what was not written did not happen
        self.halted, self._held, self._ready = None, trio.current_time(), False
        self._log.info("table.revived", table=self.id)
        self._begin()

    @property
    def journal_path(self) -> str:
        """The file in which this session is kept."""
        return self._journal.path

    # --------------------------------------------------------- asked by sessions

    @property
    def congested(self) -> bool:
        """Whether more wishes wait than is good: a disk that hangs, or somebody who floods."""
        return len(self._queue) >= CONGESTED

    def info(self) -> msg.TableInfo:
        """The table's line in the lobby."""
        view = self.state.view
        names = tuple([player.name for player in view.players()])
        return msg.TableInfo(self.id, self.rules, names, len(self.audience.spectators), view.hand)

    def act(self, guest: Guest, message: msg.Act) -> None:
        """A player's answer to a request."""
        self.do(self._act, guest, message)

    def ask(self, guest: Guest, message: PlayerMessage) -> None:
        """What else a seated player may ask for."""
        self.do(self._grant, guest, message)

    def join(self, guest: Guest, message: msg.Join) -> None:
        """Sit down, or come back: the same token is the same seat."""
        self.do(self._join, guest, message)

    def watch(self, guest: Guest, message: msg.Watch) -> None:
        """Follow the table as a spectator."""
        self.do(self._watch, guest, message)

    def get_hand(self, guest: Guest, message: msg.GetHand, start: Callable[..., None]) -> None:
        """A guest wants the record of a hand; `start` starts a task, for what has to be read from the disk."""
        self.do(self._get_hand, guest, message, start)

    def gone(self, guest: Guest) -> None:
        """The guest's connection has ended. Twice is fine."""
        self.do(self._gone, guest)

    def lose(self, guest: Guest) -> None:
        """A spectator cannot follow: he is sent nothing any more, until `catch_up`."""
        self.audience.spectators.remove(guest)

    def catch_up(self, guest: Guest) -> None:
        """He can again: a fresh snapshot, and whatever comes after it."""
        self.do(self._catch_up, guest)

    # --------------------------------------------------------- wishes of players

    def _act(self, guest: Guest, message: msg.Act) -> None:
        seat = guest.seat
        if seat is not None and self.audience.seated.get(seat) is guest:
            self._ask(guest, cmd.Act(seat, message.answers, message.action, message.id), message.id)

    def _grant(self, guest: Guest, message: PlayerMessage) -> None:
        seat = guest.seat
        if seat is None or self.audience.seated.get(seat) is not guest:
            return
        match message:
            case msg.Say():
                self._ask(guest, cmd.Say(self.state.view.name(seat), message.text, seat))
            case msg.SitOut():
                self._ask(guest, cmd.SitOut(seat))
            case msg.SitIn():
                self._ask(guest, cmd.SitIn(seat))
            case msg.StandUp():
                self._ask(guest, cmd.StandUp(seat))
                self._check_held()
            case msg.TopUp():
                self._ask(guest, cmd.TopUp(seat, message.amount))
            case msg.GoOn():
                if self._ask(guest, cmd.GoOn(seat)) and self._all_went_on():
                    self._deal_at = min(self._deal_at, trio.current_time())
            case msg.Show():
                self._ask(guest, cmd.Show(seat, message.cards))
            case _:
                assert_never(message)

    # -------------------------------------------------------------- played hands

    def _get_hand(self, guest: Guest, message: msg.GetHand, start: Callable[..., None]) -> None:
        if guest.table != self.id or self.halted:
            return
        last = self.state.view.hand - (self.state.hand is not None)
        number = message.hand or last
        if number == last + 1 and self.state.hand is not None:
            self._answer(guest, Rejected.of("not_yet", "That hand is still being played.", hand=message.hand))
        elif not 1 <= number <= last:
            self._answer(guest, Rejected.of("no_hand", "There was no such hand here.", hand=message.hand))
        elif self._played.get(number) is not None:
            self._answer(guest, self._record(guest, message, number))
        elif self._searching:
            self._answer(guest, Rejected.of("busy", "Another old hand is being looked for.", hand=message.hand))
        else:
            self._searching = True
            start(self._search, guest, message, number)

    async def _search(self, guest: Guest, message: msg.GetHand, number: int) -> None:
        """Looks an old hand up in the session's journals, outside the event loop, one at a time."""
        path, read = self._journal.path, self._machine.fs.read_all
        older = self._rotate_bytes <= MOST_JOURNAL_BYTES
        hand = None
        try:
            if self._journal.size <= MOST_JOURNAL_BYTES:
                hand = await self._machine.work(partial(search_files, read, path, number, older=older))
        except Exception as error:  # the table plays on, whatever its file has to say
            self._log.warning("table.hand_not_read", table=self.id, hand=number, error=str(error))
        finally:
            self._searching = False
        if hand is not None:
            self._played.keep(hand)
            self.do(self._found, guest, message, number)
        else:
            self.do(
                self._answer, guest, Rejected.of("no_hand", "That hand is not at hand any more.", hand=message.hand)
            )

    def _found(self, guest: Guest, message: msg.GetHand, number: int) -> None:
        if guest.table == self.id and self._played.get(number) is not None:
            self._answer(guest, self._record(guest, message, number))

    def _record(self, guest: Guest, message: msg.GetHand, number: int) -> msg.Message:
        hand = self._played.get(number)
        assert hand is not None
        viewer = hand.viewer(self._owners.get(guest))
        if viewer is None and not self.rules.spectators:
            return Rejected.of("no_spectators", "You were not in that hand.", hand=message.hand)
        return hand.part(self._session.header, viewer, message.after)
