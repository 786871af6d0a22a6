"""One connection: handshake, messages, limits. Whatever its client does wrong is answered to that client alone.

    waiting --Hello--> lobby --Join--> seated --StandUp--> spectator
                          '-----Watch--> spectator --Join--> seated

A connection only reads. Whoever has something to say to its client sends it, through the connection's outbox.
"""

from collections.abc import Callable
from functools import partial
from typing import assert_never

import trio

from protocol.events import Seat
from protocol.sanitize import clean
from protocol.versions import APP, PROGRAM, PROTOCOL, choose, mismatch
from protocol.wire import messages as msg
from protocol.wire.codec import BadMessage, decode_from_client
from protocol.wire.frames import BadFrame, FrameDecoder, encode_frame
from protocol.wire.messages import Bye, ByeCode, Pong, Refused, Rejected, Welcome
from server.app.entrance import Entrance
from server.app.lobby import Lobby
from server.app.plain_hello import Introduction
from server.app.table_hosts import TableHosts
from server.app.teller import Teller
from server.config.limits import Limits
from server.net.burst import Burst
from server.net.outbox import Outbox, SendFailure, StartTask
from server.net.rate_limit import TokenBucket
from server.net.transport import READ_BYTES, Transport, TransportBroken
from server.table.guest import CloseReason
from server.table.table import PlayerMessage

LINGER = 1.0
"""Seconds that the client of a closed connection has to read its `Bye` before the socket goes."""

_FRAME_BYTES = 4096
_LEAST_PIECE = 64
_LEAST_RECORD = 1024
FULL = "Too many clients are arriving at once. Try again in a few seconds."

_NOT_AT_A_TABLE = Rejected.of("no_table", "You are not at a table.")
_BUSY = Rejected.of("busy", "This table is behind; that was not done. Try again.")
_NOT_SEATED = Rejected.of("not_seated", "You have no seat at this table.")


class Connection:
    """One client's connection, from its first byte to its last; a `server.table.guest.Guest` of the tables.

    Attributes:
        table: id of the table where the client is; None in the lobby.
        seat: the client's seat there; None while it is a spectator.
        bot: whether the client said that it is a program when it sat down.
        send: sends whole frames; never waits, never raises.
        closed: the code of the `Bye` that the client was sent, or how the transport ended; None while it lives.
        greeted: whether the client has said hello.
    """

    __slots__ = (
        "_byte_rate", "_chat_rate", "_closing_at", "_decoder", "_entrance", "_frame_begun", "_hand_rate", "_hosts",
        "_introduction", "_join_rate", "_last_heard", "_limits", "_lobby", "_message_rate", "_opened_at", "_outbox",
        "_start", "_transport", "bot", "closed", "greeted", "seat", "send", "table",
    )  # fmt: skip

    def __init__(
        self,
        transport: Transport,
        lobby: Lobby,
        entrance: Entrance,
        hosts: TableHosts,
        limits: Limits,
        start: StartTask,
        introduction: Introduction,
        burst: Burst,
    ) -> None:
        self._transport, self._lobby, self._entrance = transport, lobby, entrance
        self._hosts = hosts
        self._limits, self._start = limits, start
        self._introduction = introduction
        now = trio.current_time()
        self._opened_at = self._last_heard = now
        self._frame_begun = self._closing_at = 0.0
        self._decoder = FrameDecoder(limits.hello_bytes)
        self._message_rate = TokenBucket(limits.rate, limits.burst, now)
        self._byte_rate = TokenBucket(limits.rate, limits.burst + READ_BYTES / _FRAME_BYTES, now)
        self._chat_rate: TokenBucket | None = None
        self._hand_rate: TokenBucket | None = None
        self._join_rate: TokenBucket | None = None
        self._outbox = Outbox(transport, limits, start, self._trouble, self._afresh, burst)
        self.send: Callable[[bytes], None] = self._outbox.send
        self.table: str | None = None
        self.seat: Seat | None = None
        self.bot = False
        self.greeted = False
        self.closed: CloseReason | None = None

    @property
    def channel(self) -> bytes:
        """What proofs of seat tokens are bound to; empty where there are none."""
        return self._introduction.channel

    @property
    def address(self) -> str:
        """The peer's address."""
        return self._transport.address

    async def run(self) -> None:
        """Serves the connection until it ends; closes the transport. Ends normally whatever the client does."""
        try:
            while data := await self._transport.receive():
                now = trio.current_time()
                self.count(now, len(data))
                self.received(now, data)
        except TransportBroken:
            pass
        finally:
            self.ended()

    def count(self, now: float, size: int, records: int = 0) -> None:
        """Counts bytes as they come from the network, before decryption; ends the connection if they are too many.

        A small piece counts like `_LEAST_PIECE` bytes, a small record of TLS like `_LEAST_RECORD`, and `_FRAME_BYTES`
        like one frame of the rate for frames.
        """
        size = max(size, _LEAST_PIECE, records * _LEAST_RECORD)
        if not self._byte_rate.take(now, size / _FRAME_BYTES):
            self.part("too_fast", "You send more bytes than this server takes.", again=True)

    def received(self, now: float, data: bytes) -> None:
        """Some bytes have come, at that time (`trio.current_time`)."""
        if self.closed is not None:
            return  # the client was told goodbye; what it still sends is not read any more
        decoder = self._decoder
        try:
            bodies = decoder.feed(data)
            if bodies:
                self._last_heard = now
            if not decoder.within_frame:
                self._frame_begun = 0.0
            elif bodies or not self._frame_begun:
                self._frame_begun = now
            for body in bodies:
                self._take(body, now)
                if self.closed is not None:
                    return
        except BadFrame as error:
            self.part("frame_size", f"Not a frame of this protocol: {error}.")
        except BadMessage as error:
            self.part("bad_message", f"Not a message of this protocol: {error}.")

    def ended(self) -> None:
        """The transport has ended. Twice is fine."""
        self.closed = self.closed or "left"
        self._transport.close()
        self._leave_table()

    def part(self, code: ByeCode, text: str, *, again: bool = False) -> None:
        """Says goodbye and ends the connection; the client has a second to read it."""
        if self.closed is None:
            self.closed = code
            self.send(encode_frame(Bye.of(code, text, again=again)))
            self._end()

    def make_room(self) -> None:
        """Ends the connection at once, because too many wait (`server.admission.door`)."""
        if self.closed is None:
            self.closed = "full"
            told = Bye.of("hello_slow", FULL, again=True) if self.greeted else Refused.of("full", FULL, PROTOCOL)
            self.send(encode_frame(told))
            self._outbox.finish()
        self._transport.close()

    def check(self, now: float) -> None:
        """Ends the connection if one of its times is over; called about twice a second."""
        limits = self._limits
        if self.closed is not None:
            if now > self._closing_at:
                self._transport.close()
        elif self._lobby.door.waits(self):
            if now - self._opened_at > self._lobby.door.patience:
                self.part("hello_slow", FULL if self.greeted else "No hello came in time.", again=self.greeted)
        elif now - self._last_heard > limits.idle:
            self.part("idle", f"Nothing was heard from you for {limits.idle:g} seconds.", again=True)
        elif self._frame_begun and now - self._frame_begun > limits.frame:
            self.part("frame_slow", "A frame was begun and not ended in time.", again=True)
        if self._outbox.stuck(now):
            self._trouble("slow")

    # ---------------------------------------------------------------- incoming

    def _take(self, body: bytes, now: float) -> None:
        if not self._message_rate.take(now):
            self.part("too_fast", "You send more messages than this server takes.", again=True)
            return
        message = decode_from_client(body)
        table = self._lobby.table_of(self)
        if table is not None and table.congested:
            self.send(encode_frame(_BUSY))
        elif type(message) is msg.Act and self.seat is not None and table is not None:  # the common case
            table.act(self, message)
        elif not self.greeted:
            self._greet(message)
        else:
            self._dispatch(message)

    def _greet(self, message: msg.FromClient) -> None:
        if not isinstance(message, msg.Hello):
            self.part("hello_first", "The first message must be a hello.")
            return
        version = choose(PROTOCOL, message.protocol)
        if version is None:
            text = mismatch(PROTOCOL, message.protocol, clean(message.client, 40))
            self.closed = "version"
            self.send(encode_frame(Refused.of("version", text, PROTOCOL)))
            self._end()
            return
        self.greeted = True
        abilities: tuple[str, ...] = (msg.HOSTS, msg.MOVES)
        if msg.TOLD in message.features:
            abilities = (*abilities, msg.TOLD)
            self.send = Teller(self._outbox.send, partial(self._entrance.breach, self)).send
        self._decoder.cap = self._limits.frame_bytes
        self._lobby.door.admit(self)  # if it has to wait, `Entrance` says why to whoever is no player
        told = self._introduction
        self.send(encode_frame(Welcome(version, f"{APP} {PROGRAM}", abilities, told.server_id, told.nonce)))

    def _dispatch(self, message: msg.FromClient) -> None:
        match message:
            case msg.Hello():
                self.part("hello_again", "You have said hello already.")
            case msg.ListTables():
                self.send(encode_frame(msg.Tables(self._lobby.tables_info(self), self._lobby.elsewhere())))
            case msg.Ping():
                self.send(encode_frame(Pong(message.n)))
            case msg.Join() | msg.Watch():
                self._come_in(message)
            case msg.Act():
                self.send(encode_frame(_NOT_AT_A_TABLE if self.table is None else _NOT_SEATED))
            case msg.Say():
                self._say(message)
            case msg.GetHand():
                self._get_hand(message)
            case msg.HostWord() | msg.ClaimHost():
                self._host(message)
            case msg.SitOut() | msg.SitIn() | msg.StandUp() | msg.MoveSeat() | msg.TopUp() | msg.GoOn() | msg.Show():
                self._ask_table(message)
            case _:
                assert_never(message)

    def _come_in(self, message: msg.Join | msg.Watch) -> None:
        now = trio.current_time()
        if self._join_rate is None:
            self._join_rate = TokenBucket(self._limits.join_rate, self._limits.join_burst, now)
        if self._join_rate.take(now):
            self._entrance.enter(self, message)
        else:
            self.send(encode_frame(Rejected.of("busy", "You are coming and going too fast. Try again in a moment.")))

    def _may_talk(self) -> bool:
        """Whether the client does not talk too fast."""
        now = trio.current_time()
        if self._chat_rate is None:
            self._chat_rate = TokenBucket(self._limits.say_rate, self._limits.say_burst, now)
        return self._chat_rate.take(now)

    def _host(self, message: msg.HostWord | msg.ClaimHost) -> None:
        table = self._lobby.table_of(self)
        if table is None:
            self.send(encode_frame(_NOT_AT_A_TABLE))
        elif self.seat is None:
            self.send(encode_frame(_NOT_SEATED))
        elif not self._may_talk():
            self.send(encode_frame(Rejected.of("muted", "You are talking too fast; that was not done.")))
        elif isinstance(message, msg.HostWord):
            self._hosts.word(self, table, message)
        else:
            self._hosts.claim(self, table, message)

    def _say(self, message: msg.Say) -> None:
        if not self._may_talk():
            self.send(encode_frame(Rejected.of("muted", "You are talking too fast; that was not said.")))
            return
        table = self._lobby.table_of(self)
        ban = None if table is None else self._lobby.bans.silences(table.speaker(self))
        if ban is not None:
            self.send(encode_frame(Rejected.of("muted", self._lobby.bans.told(ban))))
            return
        text = clean(message.text, self._limits.say_length)
        if text:
            self._ask_table(msg.Say(text))

    def _get_hand(self, message: msg.GetHand) -> None:
        now = trio.current_time()
        if self._hand_rate is None:
            self._hand_rate = TokenBucket(self._limits.hand_rate, self._limits.hand_burst, now)
        table = self._lobby.table_of(self)
        if table is None:
            self.send(encode_frame(_NOT_AT_A_TABLE))
        elif not self._hand_rate.take(now):
            text = "You ask for more hands than this server takes."
            self.send(encode_frame(Rejected.of("busy", text, hand=message.hand)))
        else:
            table.get_hand(self, message, self._start)

    def _ask_table(self, message: PlayerMessage) -> None:
        table = self._lobby.table_of(self)
        if table is None:
            self.send(encode_frame(_NOT_AT_A_TABLE))
        elif self.seat is None and isinstance(message, msg.Say):
            table.spectator_says(self, message.text)
        elif self.seat is None:
            self.send(encode_frame(_NOT_SEATED))
        else:
            table.ask(self, message)

    # ------------------------------------------------------------------ the end

    def _leave_table(self) -> None:
        table = self._lobby.table_of(self)
        if table is not None:
            table.gone(self)

    def _afresh(self) -> Callable[[], None] | None:
        """A spectator who falls behind gets a snapshot instead of what they missed; players come back by themselves."""
        table = self._lobby.table_of(self)
        if table is None or self.seat is not None or self.closed is not None:
            return None
        table.lose(self)
        return partial(table.catch_up, self)

    def _trouble(self, trouble: SendFailure) -> None:
        # Called out of the middle of whoever sends: only mark and close, the reader does the rest.
        self.closed = self.closed or trouble
        self._transport.close()

    def _end(self) -> None:
        self._closing_at = trio.current_time() + LINGER
        self._outbox.finish()
        self._leave_table()
