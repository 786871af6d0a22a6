"""Players of a simulation: real client sessions that come, act, are cut off, come back, and go."""

import random
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import trio

from client.bots.simple import passive, random_legal
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.connection.session_port import own_seat
from client.errors import ClientError
from protocol.actions import WAGERS, Action
from protocol.events import ActionRequested, AnyEvent
from protocol.seat_view import Pending
from protocol.wire.messages import Act, HandRecord, Rejected
from server.admission.seat_tokens import token_digest
from tests.simulation.oracles import Seen, Sent, Violation

Dial = Callable[["Player"], Awaitable[trio.abc.Stream]]


class Player:
    """One person and all the sessions of their life; `token` empty for one who only watches.

    Attributes:
        session: the present one, None while they are away.
        epoch: the session of the table that their present connection leads to; `seen` is by epoch.
        sent: their actions. trouble: what they were told when a session ended.
        dialled: how many connections they have tried to make.
        lazy: how likely they let their clock run out. stays: whether they never give their seat back.
    """

    def __init__(self, name: str, rng: random.Random, note: Callable[..., None], token: bytes | None = None) -> None:
        self.name = name
        self.rng = rng
        self.note = note
        self.watches = token == b""
        self.token = rng.randbytes(32) if token is None else token
        self.session: ClientSession | None = None
        self.epoch = 0
        self.seen: dict[int, Seen] = {}
        self.sent: list[Sent] = []
        self.trouble: list[str] = []
        self.dialled = 0
        self.stays = False
        self.lazy = rng.choice([0.0, 0.0, 0.03, 0.2])
        self.pace = rng.choice([0.02, 0.05, 0.2])
        self._view: object = None
        self._woken = trio.Event()

    async def live(self, dial: Dial) -> None:
        """Sits at the table until cancelled; whenever a session is over, another one begins."""
        while True:
            session = self._fresh(dial)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._play, session)
                try:
                    await session.run()
                except ClientError as error:
                    self.trouble.append(str(error))
                    self.note(self.name, "refused", str(error))
                nursery.cancel_scope.cancel()
            self.session = None
            await trio.sleep(self.rng.uniform(0.1, 1.0))

    def _fresh(self, dial: Dial) -> ClientSession:
        place = SeatRequest(self.name, lambda table: self.token, "main", watch=self.watches)
        session = ClientSession(partial(dial, self), place, pauses=(0.1, 0.2, 0.5), now=trio.current_time)
        session.on_event.append(partial(self._event, session))
        session.on_change.append(partial(self._change, session))
        session.on_notice.append(self._notice)
        session.on_record.append(self._recorded)
        self.session = session
        self._view = session.view
        return session

    def _record(self) -> Seen:
        return self.seen.setdefault(self.epoch, Seen())

    def _event(self, session: ClientSession, event: AnyEvent) -> None:
        self.note(self.name, session.seat, session.view.seq, event)
        self._record().events.append((session.seat, session.view.seq, event))

    def _notice(self, text: str) -> None:
        """Lines may break, but what arrives is whole, in order, without a gap, and fits what came before."""
        self.note(self.name, "notice", text)
        if any(word in text for word in ("lost on the way", "out of step", "not this protocol", "not a card room")):
            raise Violation(f"{self.name or 'the spectator'}: {text}")

    def _recorded(self, answer: HandRecord | Rejected) -> None:
        """A hand that is over, as they may know it: held against the journal like what they saw of it live."""
        self.note(self.name, answer)
        if isinstance(answer, HandRecord):
            record = self._record()
            for step in answer.steps:
                record.events += [(answer.viewer, number, event) for number, event in enumerate(step.events, step.seq)]
            if answer.view is not None:
                record.views.append((answer.viewer, answer.view))

    def _change(self, session: ClientSession, events: Sequence[AnyEvent]) -> None:
        if session.view is not self._view:
            self._view = session.view
            self.note(self.name, session.seat, "snapshot", session.view.seq)
            self.quiet(session)
        self._woken.set()

    def quiet(self, session: ClientSession) -> None:
        """What they see now is kept for the judges."""
        self._record().views.append((session.seat, session.view.copy()))

    async def _play(self, session: ClientSession) -> None:
        """Answers what they are asked, and now and then wants something else."""
        rng = self.rng
        answered = 0
        while True:
            await self._woken.wait()
            self._woken = trio.Event()
            pending = session.pending
            if pending is not None and (pending.seq != answered or rng.random() < 0.5):
                answered = pending.seq
                await trio.sleep(rng.expovariate(1 / self.pace))
                if rng.random() >= self.lazy:
                    self._answer(session, pending)
            if rng.random() < 0.04:
                self._wish(session)
            if session.view.is_host(session.seat):
                await self._host(session)
            own = own_seat(session)
            if own is not None and own.away and rng.random() < 0.5:
                session.sit_in()
            if own is not None and not session.view.playing:
                if not own.chips:
                    session.top_up(100)
                elif rng.random() < 0.3:
                    session.go_on()

    def _answer(self, session: ClientSession, pending: Pending) -> None:
        if session.pending == pending:
            session.act(self._choose(pending.request))

    def acted(self, message: Act) -> None:
        """Called with every action that leaves them."""
        self.note(self.name, message)
        self.sent.append(Sent(token_digest(self.token), message.id, message.answers, message.action))

    def _choose(self, request: ActionRequested) -> Action:
        action = random_legal(request, self.rng)
        if action.kind in WAGERS and self.rng.random() < 0.5:
            return passive(request)
        if action.kind == "fold" and self.rng.random() < 0.9:
            return passive(request)
        return action

    async def _host(self, session: ClientSession) -> None:
        """A host now and then says a word, and lets a table go on that stands still."""
        rng = self.rng
        if session.view.pause:
            await trio.sleep(rng.expovariate(1 / 0.15))
            session.host_word("resume")
        elif rng.random() < (0.1 if session.view.playing else 0.4):
            name = session.view.name(rng.randint(1, len(session.view.seats)))
            words = ["pause", "pause dinner", "last-hand", "break 1", "void a card was seen", "resume"]
            corrections = [f'stack "{name}" {chips:+d} wrong pot' for chips in (5, -5)]
            playing = [*words, f'host "{name}"']
            session.host_word(rng.choice(playing if session.view.playing else [*corrections, *words]))

    def _wish(self, session: ClientSession) -> None:
        match self.rng.randrange(15 if self.stays else 16):
            case 11 | 12 | 13:
                session.get_hand(max(0, session.view.hand - self.rng.randrange(3)))
            case 14:
                session.show()
            case 0 | 1 | 2 | 3 | 4:
                session.say(f"{self.name} says {self.rng.randrange(1000)}")
            case 5 | 6 | 7:
                session.sit_out()
            case 8 | 9:
                session.top_up(self.rng.randrange(1, 50))
            case 10:
                session.close()  # they hang up, and come back as somebody who has forgotten everything but their key
            case _:
                session.stand_up()
