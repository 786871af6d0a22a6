"""When hands are dealt and whose time is up.

Everything stands still while nobody is there to play for, and while a host wants it.
"""

from math import ceil, inf

import trio
from msgspec.structs import replace

from protocol import commands as cmd
from protocol.events import ActionRequested, Seat
from protocol.facts import Pause
from protocol.wire.messages import TimeLeft
from server.config.breaks import breaks_of
from server.engine.errors import IllegalAction
from server.storage.file_names import hand_id
from server.storage.journal_file import has_room
from server.table.audience import Audience
from server.table.clocks import TableClocks
from server.table.house_rules import HouseRules
from server.table.pipeline import WHY_HALTED, Pipeline
from server.table.table_setup import TableSetup

RETRY = 5.0
"""Seconds from a deal that a full disk has prevented to the next attempt."""
WATCHING = 1.0
"""Seconds after which everybody is told that another number of spectators is there; a crowd comes in one message."""


def without_clocks(told: TimeLeft) -> TimeLeft:
    """What spectators are told who see the table as it was: the clocks that run now are not theirs."""
    return replace(told, clocks=(), banks=())


class Dealer:
    """Deals the hands of a table and minds its clocks. `begin` has to be called first.

    Attributes:
        due: when `tick` has to be called (`trio.current_time`).
        held: whether no more hands are dealt, because the server is about to stop.
        waits_for_room: whether the next hand waits for room on the disk.
    """

    def __init__(self, setup: TableSetup, audience: Audience, clocks: TableClocks, house_rules: HouseRules) -> None:
        self._setup, self._audience, self._clocks = setup, audience, clocks
        self._house_rules = house_rules
        self._pipeline: Pipeline
        self._stopped_at: float | None = None  # since when everything stands still
        self._told_pause = False  # whether everybody knows that a host wants it
        self._deal_at = 0.0
        self._ready = False
        self._told_watching = 0
        self._tell_watching_at = inf
        self._spectators_due = inf
        self.held = False
        self.waits_for_room = False
        self.due = inf

    @property
    def stands_still(self) -> bool:
        """Whether nobody is there to play for."""
        return self._stopped_at is not None

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline. Nobody is connected yet; open requests have their full time again."""
        self._pipeline = pipeline
        self.due, self._stopped_at, self._ready = inf, trio.current_time(), False
        self._clocks.presence(self._absent(), trio.current_time())
        self._clocks.restart(pipeline.state.pending, self._request, trio.current_time())
        self._tell_watching_at = inf

    # -------------------------------------------------------------------- clocks

    def tick(self) -> None:
        """To be called at `due`: clocks that have run out, the next hand."""
        self.due = inf
        self._pipeline.do(self._tick)

    def shift(self, seconds: float) -> None:
        """The process stood still for so long: nobody's clock ran (fault 74)."""
        self._clocks.shift(seconds)
        self._set_due(trio.current_time())

    def time_left(self) -> TimeLeft:
        """All running clocks and time banks, how many watch, and whether everything stands still."""
        paused = self._stopped_at is not None
        now = trio.current_time() if self._stopped_at is None else self._stopped_at
        watching = len(self._audience.spectators)
        rises_in = self._house_rules.rises_in(now)
        return TimeLeft(
            self._clocks.left(now), self._clocks.banks(now), watching, paused, rises_in, self._break_left(),
            self._audience.names(), self._break_in(),
        )  # fmt: skip

    def _tell_time_left(self) -> None:
        """A job for the pipeline: everybody is told."""
        self._told_watching, self._tell_watching_at = len(self._audience.spectators), inf
        told = self.time_left()
        for guest in self._audience.seated.values():
            self._pipeline.answer(guest, told)
        if self._audience.delayed is not None:
            told = without_clocks(told)
        for guest in self._audience.spectators:
            self._pipeline.answer(guest, told)

    def shown(self) -> None:
        """What was decided is visible: the clocks of new requests start now."""
        if self._pipeline.halted is None:
            if self._pipeline.state.view.stands_still != self._told_pause:
                self.presence_changed()
            now = trio.current_time()
            if self._stopped_at is None:
                self._clocks.follow(self._pipeline.state.pending, self._request, now)
                if self._clocks.bank_used():
                    self._pipeline.do(self._tell_time_left)
            self._set_due(now)

    def seat_freed(self, seat: Seat) -> None:
        """The seat's time bank is for the next player there."""
        self._clocks.leave([seat])

    def take_bank(self, seat: Seat) -> float | None:
        """What is left of the time bank of a player who moves; None if it is full."""
        return self._clocks.take_bank(seat)

    def give_bank(self, seat: Seat, left: float | None) -> None:
        """The player has moved to that seat, with what `take_bank` has told."""
        self._clocks.give_bank(seat, left)

    @property
    def result_stands(self) -> bool:
        """Whether the next hand could be dealt, and waits until the result of the last one has been read."""
        state = self._pipeline.state
        can_go_on = state.can_deal() or state.wants_game()
        return bool(state.view.hand) and can_go_on and self._stopped_at is None and trio.current_time() < self._deal_at

    def rules_changed(self) -> None:
        """The house rules have changed, their clocks perhaps too."""
        self._clocks.rules = self._pipeline.state.rules.clocks

    def _tick(self) -> None:
        now = trio.current_time()
        if self._pipeline.halted is not None:
            return
        if (pause := self._running_break()) is not None and self._break_left() == 0:
            self._pipeline.decide(cmd.ResumePlay(pause.by, over=True))
        if now >= self._tell_watching_at:
            self._tell_time_left()
        if self._stopped_at is None:
            if self._clocks.overtime(now):
                self._tell_time_left()
            for seat, seq in self._clocks.due(now):
                try:
                    self._pipeline.decide(cmd.TimeUp(seat, seq))
                except IllegalAction:
                    self._clocks.stop(seat)

    def _request(self, seat: Seat) -> ActionRequested:
        pending = self._pipeline.state.view.seat(seat).pending
        assert pending is not None
        return pending.request

    def _set_due(self, now: float) -> None:
        due = inf
        if self._stopped_at is None and self._pipeline.halted is None:
            due = self._clocks.wake
            state = self._pipeline.state
            if self._ready and state.hand is None and not state.pending:
                due = min(due, max(self._deal_at, now))
        if self._pipeline.halted is None:
            due = min(due, self._tell_watching_at, self._spectators_due)
            if self._running_break() is not None:
                due = min(due, now + self._break_left() / 10)
            elif (at := self._pipeline.state.view.next_break) and self._stopped_at is None:
                due = min(due, now + max(0.0, (at - self._setup.system.wall_clock()) / 1000))
        self.due = due
        if due < inf:
            self._setup.wake(due)

    def wake_for_spectators(self, when: float) -> None:
        """Something is to be told to spectators then (`trio.current_time`); infinity: nothing."""
        self._spectators_due = when
        self._set_due(trio.current_time())

    # -------------------------------------------------------------- who is there

    def presence_changed(self) -> None:
        """Somebody has come or gone, or a host wants everything to stand still, or to go on.

        Clocks stand still while everybody is gone (`ux` 4.2).
        """
        now = trio.current_time()
        changed = self._clocks.presence(self._absent(), now if self._stopped_at is None else self._stopped_at)
        wanted = self._pipeline.state.view.stands_still
        stands = wanted or not self._somebody()
        if stands and self._stopped_at is None:
            self._stopped_at = now
            changed = changed or bool(self._audience.spectators)
        elif not stands and self._stopped_at is not None:
            stood = now - self._stopped_at
            self._clocks.shift(stood)
            self._deal_at += stood if self._deal_at else 0.0
            self._stopped_at = None
            changed = changed or bool(self._audience.spectators)
        if changed or wanted != self._told_pause:
            self._told_pause = wanted
            self._pipeline.do(self._tell_time_left)  # after what a player who comes back is sent first
        elif len(self._audience.spectators) == self._told_watching:
            self._tell_watching_at = inf
        elif self._tell_watching_at == inf:
            self._tell_watching_at = now + WATCHING
        if self._deal_at == inf:  # perhaps it was only for those who have gone that the result still stood
            self.went_on()
        self._set_due(now)

    # -------------------------------------------------------------------- breaks

    def mind_breaks(self) -> None:
        """Plans breaks by the clock, and begins a break when no hand is running."""
        state = self._pipeline.state
        pause = state.view.pause
        if pause and pause.kind == "break" and not pause.until and state.hand is None:
            until = self._setup.system.wall_clock() + 60_000 * pause.minutes
            self._pipeline.decide(cmd.PausePlay(replace(pause, until=until)))
        elif not pause and self._stopped_at is None and state.view.hand:
            self._plan_break()

    def _plan_break(self) -> None:
        """Announces the next break by the clock, and says when its time has come."""
        breaks = breaks_of(self._setup.settings.breaks)
        if breaks is None:
            return
        now = self._setup.system.wall_clock()
        at = self._pipeline.state.view.next_break or 0
        if not at or now - at > 60_000 * breaks.minutes:  # while the server was down everybody had a break
            self._pipeline.decide(cmd.PlanBreak(now + 60_000 * breaks.every, breaks.minutes, breaks.every))
            self._pipeline.do(self._tell_time_left)
        elif now >= at:
            self._pipeline.decide(cmd.PausePlay(Pause("break", minutes=breaks.minutes)))
            self._pipeline.do(self.mind_breaks)

    def _running_break(self) -> Pause | None:
        """The break that runs; None if there is none."""
        pause = self._pipeline.state.view.pause
        return pause if isinstance(pause, Pause) and pause.until else None

    def _break_left(self) -> int:
        """Tenths of a second left of a running break; 0 if there is none."""
        pause = self._running_break()
        return 0 if pause is None else max(0, ceil((pause.until - self._setup.system.wall_clock()) / 100))

    def _break_in(self) -> int:
        """Seconds until the next break that is planned; -1 if none is."""
        at = self._pipeline.state.view.next_break
        return max(0, round((at - self._setup.system.wall_clock()) / 1000)) if at else -1

    def _absent(self) -> list[Seat]:
        """The seats whose players are not connected."""
        seated = self._audience.seated
        return [player.seat for player in self._pipeline.state.view.players() if player.seat not in seated]

    def _somebody(self) -> bool:
        """Whether somebody is there to play for."""
        if self._person_seated():
            return True
        if any(not player.bot for player in self._pipeline.state.view.players()):
            return False
        return bool(self._audience.seated) and (self._setup.settings.bots_alone or bool(self._audience.spectators))

    def _person_seated(self) -> bool:
        return any(not guest.bot for guest in self._audience.seated.values())

    # ------------------------------------------------------------- the next hand

    def hand_over(self) -> None:
        """The result stands for a while, or until everybody has read it; not when nobody is there to read it."""
        now = trio.current_time()
        clocks = self._pipeline.state.rules.clocks
        if not (self._audience.spectators or self._person_seated()):
            self._deal_at = now
        elif clocks.wait_for_all:
            self._deal_at = now if self._everybody_ready() else inf
        else:
            self._deal_at = now + clocks.result

    def went_on(self) -> None:
        """Somebody has read the result; the next hand waits no longer when all people have."""
        if self._everybody_ready():
            self._deal_at = min(self._deal_at, trio.current_time())

    def _everybody_ready(self) -> bool:
        """Whether all people at the table have read the result. Nobody waits for bots, nor for people who sit out."""
        seats = self._pipeline.state.view.seats
        return all(
            seats[seat - 1].went_on or seats[seat - 1].hand == "out" or seats[seat - 1].away
            for seat, guest in self._audience.seated.items()
            if not guest.bot
        )

    def deal(self) -> None:
        """Deals the next hand if its time has come."""
        state = self._pipeline.state
        if state.hand is not None or self._stopped_at is not None or state.pending:
            return
        if self.held:
            self._ready = False
            return
        settings = self._setup.settings
        wants_game = state.wants_game()
        too_few = not state.view.hand and len(state.ready()) < settings.players
        if not (wants_game or state.can_deal()) or too_few:
            self._ready = False
            return
        now = trio.current_time()
        if not self._ready:
            self._ready = True
            self._deal_at = max(self._deal_at, now + settings.start)
        if now < self._deal_at:
            return
        journal = self._pipeline.journal
        if not journal.in_place:
            self._setup.log.error("table.journal_gone", table=state.view.table, journal=journal.path)
            self._pipeline.halt("lost")
            return
        if settings.durability != "none" and not has_room(journal.folder, self._setup.system.fs):
            self._setup.log.error("table.disk_full", table=state.view.table)
            self._deal_at = now + RETRY
            if not self.waits_for_room:
                self.waits_for_room = True
                self._pipeline.decide(cmd.Say("", WHY_HALTED["storage"]))
            return
        self.waits_for_room = False
        self._house_rules.before_deal(now)
        if wants_game:
            self._pipeline.decide(cmd.AskGame())
        else:
            hand = hand_id(state.view.table, journal.header.started, state.view.hand + 1)
            played = self._house_rules.played(now)
            self._pipeline.decide(cmd.StartHand(self._setup.shuffler.deck(), hand, played=played))
            self._setup.counts.hands += 1
            self._house_rules.after_deal(now)
            if played:
                self._tell_time_left()
