"""A server that says what the test tells it to, over memory streams, and the table it talks about."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import trio
from trio.testing import memory_stream_pair

from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from protocol import events as ev
from protocol.actions import Option
from protocol.cards import cards
from protocol.events import AnyEvent
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView, hide
from protocol.visibility import project
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_client
from protocol.wire.frames import CLIENT_CAP, FrameDecoder, encode_frame
from protocol.wire.messages import FromClient, FromServer

Stream = trio.StapledStream[trio.abc.SendStream, trio.abc.ReceiveStream]

STAKES = Stakes(ante=1, bring_in=1, small=2, big=4)
RULES = TableRules(
    name="Kitchen",
    seats=4,
    games=(GameOffer("stud8", "Seven-card stud high-low", STAKES, 8),),
)


class Peer:
    """The server's end of one connection."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self._decoder = FrameDecoder(CLIENT_CAP)
        self._arrived: list[FromClient] = []

    async def send(self, *messages: FromServer) -> None:
        """Messages in one write."""
        await self.stream.send_all(b"".join([encode_frame(message) for message in messages]))

    async def receive(self) -> FromClient:
        """The next message of the client. Raises EOFError at the end."""
        while not self._arrived:
            data = await self.stream.receive_some(65536)
            if not data:
                raise EOFError
            self._arrived += [decode_from_client(body) for body in self._decoder.feed(bytes(data))]
        return self._arrived.pop(0)

    async def welcome(self) -> None:
        """The handshake."""
        hello = await self.receive()
        assert isinstance(hello, msg.Hello)
        await self.send(msg.Welcome(1, "scripted"))

    async def seat(self, view: TableView, seat: int, last_id: int = 0) -> msg.Join:
        """The handshake, and the seat with the whole view; the client must have named its table. Returns its join."""
        await self.welcome()
        join = await self.receive()
        assert isinstance(join, msg.Join)
        await self.send(msg.Joined(view.table, seat, last_id), msg.Snapshot(hide(view, seat), seat, (), last_id))
        return join

    async def aclose(self) -> None:
        """Hang up."""
        await self.stream.aclose()


@dataclass
class ScriptedServer:
    """Accepts what is dialled."""

    _dialled: trio.MemorySendChannel[Peer] = field(init=False)
    _accepted: trio.MemoryReceiveChannel[Peer] = field(init=False)

    def __post_init__(self) -> None:
        self._dialled, self._accepted = trio.open_memory_channel[Peer](100)

    async def dial(self) -> trio.abc.Stream:
        """For the client: a stream to this server."""
        await trio.lowlevel.checkpoint()
        ours, theirs = memory_stream_pair()
        self._dialled.send_nowait(Peer(ours))
        return theirs

    async def accept(self) -> Peer:
        """The next connection."""
        return await self._accepted.receive()

    def close(self) -> None:
        """The channels must not be left open."""
        self._dialled.close()
        self._accepted.close()


@dataclass
class ScriptedTable:
    """The all-seeing view, and events applied to it as the server would.

    `viewer`: the seat for which messages are made; None: nothing is hidden in them.
    """

    view: TableView = field(default_factory=TableView)
    viewer: int | None = None

    def do(self, *events: AnyEvent) -> msg.Events:
        """Fold the events; the message in which they go out."""
        first = self.view.seq + 1
        self.view.apply_all(events)
        if self.viewer is not None:
            events = tuple([project(event, self.viewer) for event in events])
        return msg.Events(first, 0, events)


def table_of(*names: str, chips: int = 100, viewer: int | None = None) -> ScriptedTable:
    """An open table with these players in seats 1, 2 ..."""
    table = ScriptedTable(viewer=viewer)
    table.do(ev.TableOpened("kitchen", RULES))
    for seat, name in enumerate(names, 1):
        table.do(ev.PlayerSeated(seat, name, chips))
    return table


def third_street(table: ScriptedTable) -> list[AnyEvent]:
    """A hand of stud between the first two seats, up to the bring-in of seat 1."""
    stacks = tuple([(seat.seat, seat.chips) for seat in table.view.players()])
    deal = ("7c 8d", "2c"), ("Kh Ks", "Kd"), ("9c 9d", "Jh"), ("3c 3d", "5h")
    dealt = [(seat, tuple(cards(deal[seat - 1][0])), tuple(cards(deal[seat - 1][1]))) for seat, _ in stacks]
    return [
        ev.HandStarted(1, "kitchen-1", "stud8", "Seven-card stud high-low", stacks[-1][0], stacks, STAKES),
        ev.AntesPosted(tuple([(seat, 1) for seat, _ in stacks])),
        ev.PotsGathered(((len(stacks), tuple([seat for seat, _ in stacks])),)),
        ev.CardsDealt("third street", tuple(dealt)),
        ev.RoundOpened("third street", 1, 1, "{1} has the lowest up card, 2c"),
    ]


def facing(seat: int, call: int = 2, *, seconds: int | None = 30) -> ev.ActionRequested:
    """Fold, call or raise by two."""
    options = (Option("call", amount=call), Option("raise", least=call + 2, most=call + 2), Option("fold"))
    return ev.ActionRequested(seat, "bet", options, call, seconds)


@dataclass
class Heard:
    """Everything a session told."""

    events: list[AnyEvent] = field(default_factory=list)
    changes: list[Sequence[AnyEvent]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def listen(session: ClientSession) -> Heard:
    """Hang listeners on a session."""
    heard = Heard()
    session.on_event.append(heard.events.append)
    session.on_change.append(heard.changes.append)
    session.on_notice.append(heard.notices.append)
    return heard


def session_at(server: ScriptedServer, name: str = "Ann", table: str = "kitchen") -> ClientSession:
    """A session that dials the scripted server."""
    return ClientSession(server.dial, SeatRequest(name, lambda table: b"t" * 32, table))
