"""When hands are dealt and whose time is up; everything stands still while nobody is there to play for."""

import os
from abc import abstractmethod
from math import inf

import trio

from protocol import commands as cmd
from protocol.events import ActionRequested, Seat
from protocol.table_rules import TableRules
from protocol.wire import messages as msg
from server.engine.errors import IllegalAction
from server.storage.file_names import hand_id
from server.storage.journal_file import has_room
from server.storage.recovery import TableSession
from server.table.clocks import TableClocks
from server.table.pipeline import Ledger, Setup

RETRY = 5.0
"""Seconds between attempts to go on after the disk was full."""


class Dealing(Ledger):
    """A table that deals by itself."""

    def __init__(self, session: TableSession, setup: Setup) -> None:
        super().__init__(session, setup)
        self.rules: TableRules = session.state.rules
        self.folder = os.path.dirname(session.journal.path)
        self._shuffler, self._wake = setup.shuffler, setup.wake
        self._start, self._least, self._bots_alone = setup.start, setup.least, setup.bots_alone
        self._clocks = TableClocks(self.rules.clocks)
        self._held: float | None = trio.current_time()
        self._deal_at = 0.0
        self._ready = False

    @abstractmethod
    def _disconnect(self, seat: Seat) -> None:
        """Notes that the seat's player has no connection."""

    def _begin(self) -> None:
        """Nobody is connected yet; open requests have their time again, once somebody is."""
        self._clocks.restart(self.state.pending, self._request, trio.current_time())
        for player in self.state.view.players():
            if player.online:
                self.do(self._disconnect, player.seat)

    # -------------------------------------------------------------------- clocks

    def tick(self) -> None:
        """To be called at `due`: clocks that have run out, the next hand."""
        self.due = inf
        self.do(self._tick)

    def shift(self, seconds: float) -> None:
        """The process stood still for so long: nobody's clock ran (fault 74)."""
        self._clocks.shift(seconds)
        self._set_due(trio.current_time())

    def _tick(self) -> None:
        now = trio.current_time()
        if self._held is None and not self.halted:
            if self._clocks.overtime(now):
                for guest in (*self.audience.seated.values(), *self.audience.spectators):
                    self._answer(guest, msg.TimeLeft(self._clocks_left()))
            for seat, seq in self._clocks.due(now):
                try:
                    self._step(cmd.TimeUp(seat, seq))
                except IllegalAction:
                    self._clocks.stop(seat)

    def _request(self, seat: Seat) -> ActionRequested:
        pending = self.state.view.seat(seat).pending
        assert pending is not None
        return pending.request

    def _set_due(self, now: float) -> None:
        due = inf
        if self._held is None and not self.halted:
            due = self._clocks.wake
            if self._ready and self.state.hand is None and not self.state.pending:
                due = min(due, max(self._deal_at, now))
        self.due = due
        if due < inf:
            self._wake(due)

    def _clocks_left(self) -> tuple[tuple[Seat, int], ...]:
        return self._clocks.left(trio.current_time() if self._held is None else self._held)

    def _shown(self) -> None:
        """Clocks start now."""
        if not self.halted:
            now = trio.current_time()
            if self._held is None:
                self._clocks.follow(self.state.pending, self._request, now)
            self._set_due(now)

    # -------------------------------------------------------------- who is there

    def _check_held(self) -> None:
        """Clocks stand still while everybody is gone (`ux` 4.2)."""
        now = trio.current_time()
        alone = not self._somebody()
        if alone and self._held is None:
            self._held = now
        elif not alone and self._held is not None:
            self._clocks.shift(now - self._held)
            self._deal_at += now - self._held if self._deal_at else 0.0
            self._held = None
            for guest in self.audience.spectators:
                self._answer(guest, msg.TimeLeft(self._clocks_left()))

    def _somebody(self) -> bool:
        """Whether somebody is there to play for."""
        seated = self.audience.seated.values()
        if any(not guest.bot for guest in seated):
            return True
        if any(not player.bot for player in self.state.view.players()):
            return False
        return bool(seated) and (self._bots_alone or bool(self.audience.spectators))

    def _all_went_on(self) -> bool:
        seats = self.state.view.seats
        return all(
            seats[seat - 1].went_on or seats[seat - 1].hand == "out"
            for seat, guest in self.audience.seated.items()
            if not guest.bot
        )

    # ------------------------------------------------------------- the next hand

    def _hand_is_over(self) -> None:
        self._deal_at = trio.current_time() + self._pause()

    def _pause(self) -> float:
        """How long a result stands: not at all when nobody is there to read it."""
        people = self.audience.spectators or any(not guest.bot for guest in self.audience.seated.values())
        return float(self.rules.clocks.result) if people else 0.0

    def _go_on(self) -> None:
        """Deals the next hand when its time has come."""
        state = self.state
        if state.hand is not None or self._held is not None or state.pending:
            return
        wants_game = state.wants_game()
        if not (wants_game or state.can_deal()) or (not state.view.hand and len(state.ready()) < self._least):
            self._ready = False
            return
        now = trio.current_time()
        if not self._ready:
            self._ready = True
            self._deal_at = max(self._deal_at, now + self._start)
        if now < self._deal_at:
            return
        if self._durability != "none" and not has_room(self.folder, self._machine.fs):
            self._log.error("table.disk_full", table=self.id)
            self._deal_at = now + RETRY
            return
        if wants_game:
            self._step(cmd.AskGame())
            return
        number = state.view.hand + 1
        self._step(cmd.StartHand(self._shuffler.deck(), hand_id(self.id, self._session.started, number)))
