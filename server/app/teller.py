"""The ability ``told``: what a client is sent, with its meaning in English.

The theory. A client in a browser has no grammar of its own. Its connection therefore reads what the table sends it,
folds it into a view like any client, and adds the sentences. They are made of nothing but what this client is sent, so
they can tell nothing that is hidden from it; and a table and its other clients pay nothing for it.
"""

from collections.abc import Callable

from msgspec.structs import replace

from protocol.events import AnyEvent, ChoiceMade, PlayerLeft, Seat
from protocol.narration.requests import offered, question
from protocol.narration.spans import finished, on_the_wire, plain
from protocol.narration.story import tell
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.wire.codec import decode_from_server, encode_value
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame, frame
from protocol.wire.messages import (
    Events,
    FromServer,
    HandRecord,
    Joined,
    Snapshot,
    TableInfo,
    Tables,
    Told,
    WireSentence,
)
from protocol.wire.padding import padding
from server.engine.games.hand_words import made_hands
from server.engine.games.house_card import house_rules
from server.engine.games.known_games import pass_side
from server.engine.ranking.winning_cards import winning_cards

ROOM = 1024
"""Bytes of everything in one message that depends on the receiver's own secrets, together with its padding."""


class Teller:
    """Adds `Told` to the messages of one client, from the first snapshot on.

    Args:
        send: takes frames with the sentences in them.
        on_fault: told of a mistake of ours; what cannot be told is sent without sentences.
    """

    def __init__(self, send: Callable[[bytes], None], on_fault: Callable[[Exception], None]) -> None:
        self._send, self._on_fault = send, on_fault
        self._decoder = FrameDecoder(SERVER_CAP)
        self._view: TableView | None = None
        self._seat: Seat | None = None
        self._recorded: TableView | None = None  # the table behind the last part of a record

    def send(self, data: bytes) -> None:
        """Sends whole frames. Never raises."""
        self._send(b"".join([self._with_told(body) for body in self._decoder.feed(data)]))

    def _with_told(self, body: bytes) -> bytes:
        """The frame of a message with its sentences; without them if something is wrong."""
        try:
            return encode_frame(self._told_message(decode_from_server(body)))
        except Exception as error:  # our mistake; the table must not notice it
            self._view = None
            self._on_fault(error)
            return frame(body)

    def _told_message(self, message: FromServer) -> FromServer:
        match message:
            case Joined():
                self._seat = message.seat or None
            case Snapshot():
                self._view, self._seat = message.view.copy(), message.seat or None
                return replace(message, told=self._told(self._view, (), 0))
            case Events() if self._view is not None:
                lines, secret = _lines(self._view, message.events, self._seat)
                if any(isinstance(event, PlayerLeft) and event.seat == self._seat for event in message.events):
                    self._seat = None
                return replace(message, told=self._told(self._view, lines, secret))
            case Tables():
                return replace(message, tables=tuple([_with_card(info) for info in message.tables]))
            case HandRecord():
                return self._told_record(message)
            case _:
                pass
        return message

    def _told_record(self, record: HandRecord) -> HandRecord:
        """The record with the lines of each step, as the seat reads them that its viewer had."""
        view = self._recorded if record.view is None else record.view.copy()
        if view is None:
            return record
        told = tuple([Told(_lines(view, step.events, record.viewer or None)[0]) for step in record.steps])
        self._recorded = view if record.more else None
        return replace(record, told=told)

    def _told(self, view: TableView, lines: tuple[tuple[WireSentence, ...], ...], secret: int) -> Told:
        if self._seat is None:
            return Told(lines)
        own = view.seat(self._seat)
        request = on_the_wire(finished(question(view, own, _passing_side(view, own))))
        offers = (
            () if own.pending is None else tuple([plain(offered(option)) for option in own.pending.request.options])
        )
        hands = tuple(made_hands(view, self._seat))
        return Told(lines, request, offers, hands, padding(secret + len(encode_value(hands)), ROOM))


def _passing_side(view: TableView, own: SeatView) -> str:
    """Where this player is asked to pass cards; empty where they are asked something else, or that is not certain."""
    if own.pending is None or own.pending.request.decision != "pass":
        return ""
    return pass_side(view, own.pending.request.options[0].count)


def _with_card(info: TableInfo) -> TableInfo:
    """The line of the lobby with what somebody reads before they sit down."""
    card = house_rules(info.rules, info.players, info.hosts, watching=info.watching, hand=info.hand)
    return replace(info, told=tuple(card))


def _lines(
    view: TableView, events: tuple[AnyEvent, ...], seat: Seat | None
) -> tuple[tuple[tuple[WireSentence, ...], ...], int]:
    """The sentences of each event for the reader in that seat, and how many bytes of them are their secret.

    The events are applied to the view.
    """
    lines: list[tuple[WireSentence, ...]] = []
    secret = 0
    for event in events:
        view.apply(event)
        told = tuple([on_the_wire(line) for line in tell(event, view, seat, winning_cards)])
        if isinstance(event, ChoiceMade) and event.seat == seat:
            secret += len(encode_value(told))
        lines.append(told)
    return tuple(lines), secret
