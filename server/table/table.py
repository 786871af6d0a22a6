"""A table of a server, as its connections know it: everything that a guest may ask for.

A table is made of parts. `server.table.pipeline` says in which order things are done, `server.table.dealer` when hands
are dealt and whose time is up, `server.table.seats` who comes and goes, `server.table.audience` who is there to be
told. The methods `at_rest`, `shown`, `hand_over` and `seat_freed` say what follows from what the pipeline has done.
"""

from collections.abc import Callable
from math import inf
from typing import TypeAlias, assert_never

import trio

from protocol import commands as cmd
from protocol.events import PlayerLeft, Seat
from protocol.table_rules import TableRules
from protocol.wire import messages as msg
from server.admission.ban import Person
from server.admission.seat_tokens import token_digest
from server.config.table_config import TableConfig
from server.engine.table_state import TableState
from server.errors import WordRefused
from server.net.outbox import StartTask
from server.storage.recovery import RecordedSession
from server.table.audience import Audience
from server.table.clocks import TableClocks
from server.table.dealer import Dealer
from server.table.guest import Guest
from server.table.hand_requests import HandRequests
from server.table.host_words import HostWords
from server.table.house_rules import HouseRules
from server.table.pipeline import WHY_HALTED, Pipeline
from server.table.removals import Removals
from server.table.running_words import RunningWords
from server.table.seats import Seats
from server.table.table_setup import TableSetup

OBEY_WITHIN = 10.0
"""Seconds after which the host is told that a table has not done what a word asks for."""

PlayerMessage: TypeAlias = (
    msg.Say | msg.SitOut | msg.SitIn | msg.StandUp | msg.MoveSeat | msg.TopUp | msg.GoOn | msg.Show
)
"""What a seated player may ask for besides answering a request."""


class Table:
    """One table of a server; the `server.table.pipeline.Observer` of its own pipeline.

    Args:
        session: its state and journal.

    Attributes:
        id: its id in the settings.
        audience: who is there.
        pipeline: its session at work.
        house_rules: the rules that the host wants.
        host_words: what a host may ask about its seats; its words are to be given to `obey`.
        running_words: the same for the table as a whole.
        removals: the same for kicking and banning.
    """

    def __init__(self, session: RecordedSession, setup: TableSetup) -> None:
        self.id = session.state.view.table
        self.audience = Audience(setup.schedule)
        self._setup = setup
        self.house_rules = HouseRules(setup)
        self._dealer = Dealer(setup, self.audience, TableClocks(session.state.rules.clocks), self.house_rules)
        self._seats = Seats(setup, self.audience, self._dealer)
        self._hand_requests = HandRequests(setup, self._seats)
        self.host_words = HostWords(self.audience, self._seats)
        self.removals = Removals(self.audience, self._seats, setup.log)
        self.running_words = RunningWords(self.host_words)
        self._begin(session)

    def _begin(self, session: RecordedSession) -> None:
        """Goes on with that session, with nobody connected yet."""
        self.pipeline = Pipeline(session, self._setup, self.audience, self)
        if session.no_room:
            self.pipeline.halt("storage", again=True)
        self.house_rules.begin(self.pipeline)
        self._dealer.begin(self.pipeline)
        self._hand_requests.begin(self.pipeline)
        self.host_words.begin(self.pipeline)
        self.removals.begin(self.pipeline)
        self.running_words.begin(self.pipeline)
        self._seats.begin(self.pipeline)
        self.pipeline.do(self.house_rules.take_over)

    def revive(self, session: RecordedSession) -> None:
        """Goes on with what its journal holds, after a halt for want of room."""
        self._setup.log.info("table.revived", table=self.id)
        self._begin(session)

    # ------------------------------------------- what follows (`pipeline.Observer`)

    def at_rest(self) -> None:
        """Every job is done: perhaps a seat is free again, somebody can change seats, or the next hand can be dealt."""
        self._seats.free_absent()
        self._seats.moves.do()
        self._seats.let_in()
        self.house_rules.take_over()
        self._name_first_host()
        self._dealer.mind_breaks()
        self._dealer.deal()

    def _name_first_host(self) -> None:
        """Where the settings say so, a table without a host gets one: the first person who is there."""
        if self._setup.settings.first_is_host and not self.state.view.hosts:
            people = [seat for seat, guest in self.audience.seated.items() if not guest.bot]
            if people:
                self.pipeline.decide(cmd.NameHost(people[0]))

    def rules_changed(self) -> None:
        """The house rules have just changed: new clocks, and everybody gets a snapshot."""
        self._dealer.rules_changed()
        self._seats.rules_changed()

    def use(self, settings: TableConfig, rules: TableRules, most_spectators: int) -> bool:
        """From now on these settings count, their house rules when no hand is running.

        Returns:
            Whether they are other house rules.
        """
        self._setup.settings, self._setup.most_spectators = settings, most_spectators
        changed = self.house_rules.want(rules)
        self.pipeline.do(self.house_rules.take_over)
        return changed

    def shown(self) -> None:
        """What was decided is visible to the players: clocks start, and spectators may be sent it."""
        self._dealer.shown()
        self._seats.shown()

    def hand_over(self) -> None:
        """A hand has just ended: its result stands for a while."""
        self._dealer.hand_over()
        self._seats.hand_over()

    def seat_freed(self, event: PlayerLeft) -> None:
        """A player has just given their seat back: they are a spectator now."""
        self._dealer.seat_freed(event.seat)
        self._seats.seat_freed(event)

    # -------------------------------------------------------- asked by the server

    @property
    def state(self) -> TableState:
        """The table as the engine knows it."""
        return self.pipeline.state

    @property
    def halted(self) -> msg.HaltCode | None:
        """Why the table takes no messages any more; None while it plays."""
        return self.pipeline.halted

    @property
    def journal_path(self) -> str:
        """The file in which the session is kept now."""
        return self.pipeline.journal.path

    @property
    def folder(self) -> str:
        """The folder of its journals."""
        return self.pipeline.journal.folder

    @property
    def due(self) -> float:
        """When `tick` has to be called (`trio.current_time`); infinity while nothing is to come."""
        return self._dealer.due if self.halted is None else inf

    def tick(self) -> None:
        """To be called at `due`: clocks that have run out, the next hand."""
        self._dealer.tick()

    def shift(self, seconds: float) -> None:
        """The process stood still for so long: nobody's clock ran (fault 74)."""
        self._dealer.shift(seconds)

    async def obey(self, word: Callable[[], str]) -> str:
        """Does a word of the host in its turn; its answer, when everything that it has changed is on the disk.

        Raises WordRefused.
        """
        said: list[str | WordRefused] = []
        self.pipeline.do(self._obey, word, said)
        with trio.move_on_after(OBEY_WITHIN) as limit:
            await self.pipeline.settled()
        if self.halted is not None:
            raise WordRefused(WHY_HALTED[self.halted])
        if limit.cancelled_caught:
            raise WordRefused(
                f"{self.id} has not done it within {OBEY_WITHIN:.0f} seconds: its disk is slow, or stuck."
            )
        if isinstance(said[0], WordRefused):
            raise said[0]
        return said[0]

    def _obey(self, word: Callable[[], str], said: list[str | WordRefused]) -> None:
        if self.halted is None:
            try:
                said.append(word())
            except WordRefused as refused:
                said.append(refused)

    def hold(self, why: str) -> None:
        """Deals no more hands from now on, because the server is about to stop; everybody is told why."""
        self.pipeline.do(self._hold, why)

    def _hold(self, why: str) -> None:
        self._dealer.held = True
        if self.halted is None:
            self.pipeline.decide(cmd.Say("", why))

    @property
    def in_hand(self) -> bool:
        """Whether a hand is being played, with somebody there to play it."""
        return self.halted is None and self.state.hand is not None and not self._dealer.stands_still

    async def settled(self) -> None:
        """Returns when nothing waits or is on its way to the disk."""
        await self.pipeline.settled()

    def close(self) -> None:
        """Ends the session in order, when no thread works on the journal any more. Raises JournalError."""
        self.pipeline.close()

    # ---------------------------------------------------- asked by the connections

    @property
    def congested(self) -> bool:
        """Whether more jobs wait than is good: a disk that hangs, or somebody who floods."""
        return self.pipeline.congested

    def info(self) -> msg.TableInfo:
        """The table's line in the lobby."""
        view = self.state.view
        names = tuple([player.name for player in view.players()])
        hosts = tuple([player.name for player in view.players() if view.is_host(player.seat)])
        return msg.TableInfo(self.id, self.state.rules, names, len(self.audience.spectators), view.hand, hosts)

    def knows(self, message: msg.Join, channel: bytes = b"") -> bool:
        """Whether a seat here, or the kept chips of a freed seat, belong to the client that sends this message.

        Args:
            channel: of its connection, for proofs of seat tokens.
        """
        return self._seats.owners.owned_by(message, channel) is not None

    def person(self, guest: Guest, message: msg.Join | msg.Watch) -> Person:
        """What is known of somebody who comes, for the list of bans."""
        names, tokens = [self._seats.name(guest), message.name], [self._seats.owner(guest) or b""]
        if isinstance(message, msg.Join):
            owned = self._seats.owners.owned_by(message, guest.channel) or token_digest(message.token)
            names.append(self._seats.owners.name_of(owned))
            tokens.append(owned)
        return Person([name for name in names if name], [token for token in tokens if token], guest.address, self.id)

    def speaker(self, guest: Guest) -> Person:
        """What is known of a guest who talks here, for the list of bans."""
        name = self._seats.name(guest) if guest.seat is None else self.state.view.name(guest.seat)
        token = self._seats.owner(guest)
        return Person([name] if name else [], [token] if token else [], guest.address, self.id)

    def promised(self, message: msg.Join) -> bool:
        """Whether the host has promised the seat of that name to whoever types the word in the message."""
        return self._seats.owners.promised(message)

    def has_player(self, name: str) -> bool:
        """Whether somebody here has that name, or one that looks like it."""
        return self._seats.owners.has_player(name)

    def join(self, guest: Guest, message: msg.Join) -> None:
        """Sit down, or come back: the same token is the same seat."""
        self.pipeline.do(self._seats.join, guest, message)

    def watch(self, guest: Guest, message: msg.Watch) -> None:
        """Follow the table as a spectator."""
        self.pipeline.do(self._seats.watch, guest, message)

    def free_seat(self, seat: Seat, why: str) -> None:
        """The host frees a seat, now or after the hand; the chips are kept for its player. `why` is for everybody."""
        self.pipeline.do(self._seats.free, seat, why)

    def gone(self, guest: Guest) -> None:
        """The guest's connection has ended. Twice is fine."""
        self.pipeline.do(self._seats.gone, guest)

    def lose(self, guest: Guest) -> None:
        """A spectator cannot follow: they are sent nothing any more, until `catch_up`."""
        self.audience.spectators.remove(guest)

    def catch_up(self, guest: Guest) -> None:
        """The spectator can follow again: a fresh snapshot, and whatever comes after it."""
        self.pipeline.do(self._seats.catch_up, guest)

    def get_hand(self, guest: Guest, message: msg.GetHand, start: StartTask) -> None:
        """A guest wants the record of a hand; `start` starts a task, for what has to be read from the disk."""
        self.pipeline.do(self._hand_requests.get, guest, message, start)

    def act(self, guest: Guest, message: msg.Act) -> None:
        """A player's answer to a request."""
        self.pipeline.do(self._act, guest, message)

    def ask(self, guest: Guest, message: PlayerMessage) -> None:
        """What else a seated player asks for."""
        self.pipeline.do(self._ask, guest, message)

    def spectator_says(self, guest: Guest, text: str) -> None:
        """A spectator talks."""
        self.pipeline.do(self._seats.spectating.says, guest, text)

    def _act(self, guest: Guest, message: msg.Act) -> None:
        seat = guest.seat
        if message.id < 0:
            text = "The number of an action cannot be negative."
            self.pipeline.answer(guest, msg.Rejected.of("illegal", text, action=message.id))
        elif seat is not None and self.audience.seated.get(seat) is guest:
            command = cmd.Act(seat, message.answers, message.action, message.id)
            self._setup.counts.actions += self.pipeline.attempt(guest, command, message.id)

    def _ask(self, guest: Guest, message: PlayerMessage) -> None:
        seat, attempt = guest.seat, self.pipeline.attempt
        if seat is None or self.audience.seated.get(seat) is not guest:
            return
        match message:
            case msg.Say():
                attempt(guest, cmd.Say(self.state.view.name(seat), message.text, seat))
            case msg.SitOut():
                if attempt(guest, cmd.SitOut(seat)):
                    self._dealer.went_on()
            case msg.SitIn():
                attempt(guest, cmd.SitIn(seat))
            case msg.StandUp():
                attempt(guest, cmd.StandUp(seat))
                self._dealer.presence_changed()
            case msg.MoveSeat():
                self._seats.moves.ask(guest, seat, message.seat)
            case msg.TopUp():
                attempt(guest, cmd.TopUp(seat, message.amount))
            case msg.GoOn():
                if attempt(guest, cmd.GoOn(seat)):
                    self._dealer.went_on()
            case msg.Show():
                attempt(guest, cmd.Show(seat, message.cards))
            case _:
                assert_never(message)
