"""Guests of a table without connections, and a disk that waits until it is told: for tests of one table by itself."""

from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder
from server.storage.group_commit import BatchWriter, GroupCommit, WhenDurable
from server.table.guest import CloseReason, Send
from server.table.table import Table
from tests.support.loopback_server import calling


class MemoryGuest:
    """A guest at a table: what they were sent, folded."""

    def __init__(self, name: str, *, bot: bool = False) -> None:
        self.name, self.bot = name, bot
        self.table: str | None = None
        self.channel = b""
        self.address = "192.0.2.1"
        self.seat: Seat | None = None
        self.closed: CloseReason | None = None
        self._place: Table
        self.view = TableView()
        self.session, self.receipt = "", b""
        self.inbox: list[msg.FromServer] = []
        self._decoder = FrameDecoder(SERVER_CAP)
        self.send: Send = self._sent

    def _sent(self, data: bytes) -> None:
        for body in self._decoder.feed(data):
            message = decode_from_server(body)
            self.inbox.append(message)
            if isinstance(message, msg.Snapshot):
                self.view, self.session, self.receipt = message.view, message.session, message.receipt
            elif isinstance(message, msg.Events):
                assert message.seq == self.view.seq + 1
                self.view.apply_all(message.events)
                self.receipt = message.receipt

    def part(self, code: msg.ByeCode, text: str, *, again: bool = False) -> None:
        self.closed = code
        if self.table is not None:
            self._place.gone(self)

    def sit(self, table: Table) -> "MemoryGuest":
        """Sits down, or comes back with everything that was seen before."""
        self._place = table
        seen, session, receipt = self.view.seq, self.session, self.receipt
        table.join(self, msg.Join(self.name, self.token, bot=self.bot, seen=seen, session=session, receipt=receipt))
        return self

    def watch(self, table: Table) -> "MemoryGuest":
        self._place = table
        table.watch(self, msg.Watch())
        return self

    @property
    def token(self) -> bytes:
        return self.name.encode().ljust(32, b"\2")

    def events(self) -> list[AnyEvent]:
        return [event for message in self.inbox if isinstance(message, msg.Events) for event in message.events]

    def answer(self, number: int = 1) -> None:
        """Answers the open request."""
        assert self.seat is not None
        pending = self.view.seat(self.seat).pending
        assert pending is not None
        self._place.act(self, msg.Act(number, pending.seq, calling(pending.request)))


class HeldGroupCommit(GroupCommit):
    """A disk that keeps the batches until it is told to write them."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[BatchWriter, bytes, WhenDurable]] = []

    def submit(self, journal: BatchWriter, batch: bytes, told: WhenDurable) -> None:
        self.batches.append((journal, batch, told))

    def work(self) -> None:
        """Everything is durable."""
        while self.batches:
            journal, batch, told = self.batches.pop(0)
            journal.write(batch)
            journal.sync()
            told(None)
