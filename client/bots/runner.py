"""A bot at a session: it answers every request, buys chips when it has none, and goes on after results."""

from collections.abc import Callable, Sequence

import trio

from client.bots.minds import Mind, history_of
from client.bots.pace import Pace
from client.bots.simple import passive
from client.connection.hand_feed import HandFeed
from client.connection.session import ClientSession
from protocol.events import AnyEvent, HandEnded, HandStarted, HandVoided, PlayerAway, PlayerLeft
from protocol.narration.spans import plain
from protocol.narration.story import tell
from protocol.sanitize import clean
from protocol.seat_view import Pending, SeatView

LINE_LIMIT = 400
"""Characters in a line that is written; longer ones are cut."""
LEAST_PACE = 0.06
"""Seconds between the decisions of a bot at somebody else's server; servers accept about 20 messages a second."""


class BotRunner:
    """Plays the seat of a session.

    Args:
        session: whose seat; the bot adds itself to its callbacks.
        mind: how it decides; one that has `see` is told the history of the hand.
        pace: how long it takes for each decision, so that people can follow; None: no time at all.
        hands: hands of the table, after sitting down, after which it stops; None for as long as the session lasts.
        leave: whether it then gives the seat back; otherwise it only does not ask for the next hand.
    """

    def __init__(
        self,
        session: ClientSession,
        mind: Mind,
        *,
        pace: Pace | None = None,
        hands: int | None = None,
        leave: bool = False,
    ) -> None:
        self.played = 0
        self._session = session
        self._mind = mind
        self._pace = pace or Pace()
        self._hands = hands
        self._leave = leave
        self._woken = trio.Event()
        self._tried = (0, 0)  # number of a request, and how many answers to it were sent
        self._leaving = False
        self._lost = False  # whether the connection has broken, and the table has not come again
        see = history_of(mind)
        self._feed = HandFeed(session, see) if see is not None else None  # first: it decides knowing all that happened
        session.on_event.append(self._event)
        session.on_change.append(self._wake)

    async def run(self) -> None:
        """Answers requests until cancelled."""
        session = self._session
        while True:
            await self._woken.wait()
            self._woken = trio.Event()
            pending = session.pending
            if pending is None:
                continue
            await self._pace.pause()
            if self._feed is not None:
                await self._feed.beginning_known()
            if session.pending == pending and session.status == "online":  # nothing changed during the pause
                self._answer(pending)

    def _wake(self, events: Sequence[AnyEvent]) -> None:
        online = self._session.status == "online" and bool(self._session.view.table)
        if online and self._lost:
            self._say_again()
        self._lost = self._session.status == "reconnecting" or (self._lost and not online)
        if online and self._session.pending is not None:
            self._woken.set()

    def _say_again(self) -> None:
        """After a break of the connection: what the bot has said between two hands may be lost with it."""
        session = self._session
        own = session.view.seat(session.seat) if session.seat else None
        if own is None or (session.view.playing and own.hand != "out"):
            return
        if not self._goes_on() or not own.chips:
            self._between_hands(own)
        elif own.away and not self._leaving:
            session.sit_in()

    def _answer(self, pending: Pending) -> None:
        """First what the mind says, then a passive action if that was refused, then nothing: the clock decides."""
        session = self._session
        seq, tries = self._tried
        tries = tries + 1 if seq == pending.seq else 1
        self._tried = (pending.seq, tries)
        if tries == 1 and not session.act(self._mind(session.view, session.seat, pending.request)):
            return
        if tries < 3:
            session.act(passive(pending.request))

    def _event(self, event: AnyEvent) -> None:
        session = self._session
        if isinstance(event, HandEnded | HandVoided):
            self._after_hand()
        elif isinstance(event, HandStarted) and self._leave and self.played + 1 == self._hands:
            self._leaving = True
            session.sit_out()  # otherwise it would be dealt into the next hand before it can stand up
        elif isinstance(event, PlayerAway) and event.seat == session.seat and not self._leaving:
            self._come_back()

    def _come_back(self) -> None:
        """After missed clocks. A bot without chips needs no word: the server brings it back when it has bought some."""
        if self._session.view.seat(self._session.seat).chips:
            self._session.sit_in()

    def _after_hand(self) -> None:
        session = self._session
        own = session.view.seat(session.seat) if session.seat else None
        if own is None:
            return
        self.played += 1
        self._between_hands(own)

    def _between_hands(self, own: SeatView) -> None:
        """The bot leaves, buys chips or goes on."""
        session = self._session
        if not self._goes_on():
            if self._leave:
                session.stand_up()
            return
        rules = session.view.rules
        if rules is not None and not own.chips:
            session.top_up(rules.buy_in)
        session.go_on()

    def _goes_on(self) -> bool:
        return self._hands is None or self.played < self._hands


async def run_bot(
    session: ClientSession, mind: Mind, hands: int | None, pace: float, write: Callable[[str], None]
) -> None:
    """Runs a session with a bot until it is over, and tells how each hand went. Raises what `session.run` raises."""
    runner = BotRunner(session, mind, pace=Pace(max(pace, LEAST_PACE)), hands=hands, leave=True)

    def tell_result(event: AnyEvent) -> None:
        if isinstance(event, HandEnded | HandVoided | PlayerLeft):
            for line in tell(event, session.view, session.seat):
                write(clean(plain(line), LINE_LIMIT))

    session.on_event.append(tell_result)
    session.on_notice.append(lambda text: write(clean(text, LINE_LIMIT)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.run)
        await session.run()
        nursery.cancel_scope.cancel()
