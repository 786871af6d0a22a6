"""The played hands of a host, what a player is given of them, and a search for what the player must not have."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from client.profile.hand_store import HandStore
from protocol import commands as cmd
from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.journal.records import Header
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from protocol.view import TableView
from protocol.visibility import Viewer
from protocol.wire.codec import encode_value
from protocol.wire.messages import HandRecord
from server.table.hand_history import PlayedHand, PlayedHands
from tests.support.engine_table import table_rules
from tests.support.sample_session import START
from tests.support.self_play import SelfPlay

HOST = Header(
    format=JOURNAL_FORMAT,
    rules=RULES,
    program=PROGRAM,
    session=bytes(range(16)),
    table="kitchen",
    started=START,
)


def token(seat: Seat) -> bytes:
    """Stands for the digest of that seat's token."""
    return bytes([seat]) * 32


class HostTable(SelfPlay):
    """As `SelfPlay`, of any one game; `gathered` holds the played hands as the server does."""

    def __init__(self, seed: int, game: str, players: int = 4) -> None:
        self.gathered = PlayedHands(1000)
        super().__init__(seed, table_rules((game,), players + 1, misses=3, least=20), players)

    def do(self, command: cmd.AnyCommand, pause: int = 700) -> tuple[AnyEvent, ...]:
        if isinstance(command, cmd.StartHand):
            self.gathered.about_to_deal(self.state.view, self.state.tokens)
        events = super().do(command, pause)
        self.gathered.add(self.steps[-1])
        return events

    def played(self, number: int) -> PlayedHand:
        """A hand that is over."""
        hand = self.gathered.get(number)
        assert hand is not None
        return hand

    def keep(self, folder: Path, hands: Sequence[int], owner: bytes | None) -> Path:
        """The file of the player with that token, or of a spectator, after these hands."""
        files = HandStore(folder)
        try:
            paths = [files.keep(parts_of(self.played(number), owner)) for number in hands]
        finally:
            files.close()
        (path,) = set(paths)
        assert path is not None
        return path

    def views(self) -> Iterator[tuple[AnyEvent, TableView]]:
        """Every event, with the host's view behind it; the view is changed in place."""
        view = TableView()
        for step in self.steps:
            for event in step.events:
                view.apply(event)
                yield event, view


def parts_of(hand: PlayedHand, owner: bytes | None) -> list[HandRecord]:
    """Everything that a client gets that asks for the hand, part by part."""
    viewer = hand.viewer(owner)
    parts = [hand.part(HOST, viewer, 0)]
    while parts[-1].more:
        last = parts[-1].steps[-1]
        parts.append(hand.part(HOST, viewer, last.seq + len(last.events) - 1))
    return parts


def secrets(hand: PlayedHand, viewer: Viewer) -> Iterator[tuple[str, bytes, AnyEvent]]:
    """(what it is, its bytes, the event that holds it) of everything that is secret from a viewer for ever."""
    for step in hand.steps:
        if isinstance(step.command, cmd.StartHand):
            yield "the deck", encode_value(step.command.deck), step.events[0]
            for start in range(len(step.command.deck) - 5):
                yield "a part of the deck", bytes(step.command.deck[start : start + 6]), step.events[0]
        for event in step.events:
            match event:
                case ev.CardsDealt():
                    for seat, down, up in event.cards:
                        if down and seat != viewer:
                            yield "down cards", encode_value((seat, down, up)), event
                case ev.ActionRequested() if event.decision != "bet" and event.seat != viewer:
                    if any(option.cards for option in event.options):
                        yield "cards to choose from", encode_value(event.options), event
                case ev.ChoiceMade() if event.seat != viewer:
                    if event.action is not None:
                        yield f"what was chosen to {event.decision}", encode_value(event), event
                case ev.CardsPassed():
                    for giver, taker, cards in event.passes:
                        if taker != viewer:
                            yield "cards passed", encode_value((giver, taker, cards)), event
                case ev.CardsDiscarded():
                    for seat, cards in event.cards:
                        if cards and seat != viewer:
                            yield "cards put away", encode_value((seat, cards)), event
                case ev.PlayerSeated() if event.token:
                    yield "a token", event.token, event
                case _:
                    pass
    for seat, owner in hand.owners.items():
        yield f"the token of seat {seat}", owner, hand.steps[0].events[0]
    for seat_view in hand.before.seats:
        if seat_view.seat != viewer and any(card is not None for card in seat_view.down):
            yield "cards of the hand before", encode_value(seat_view), hand.steps[0].events[0]


def found(content: bytes, hand: PlayedHand, viewer: Viewer) -> set[str]:
    """What of these secrets stands in the bytes."""
    return {what for what, secret, _ in secrets(hand, viewer) if secret in content}
