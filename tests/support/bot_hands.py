"""Hands that bots play against each other, and what each seat saw of them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from client.bots.minds import Mind
from client.bots.player import choose_action
from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import Card
from protocol.events import AnyEvent, Seat
from protocol.journal.records import StepRecord
from protocol.view import TableView
from protocol.visibility import project
from server.table.shuffler import Shuffler
from tests.support.engine_table import NAMES, EngineTable, table_rules


class BotHand(NamedTuple):
    """A hand that is over: the table before it, and its events, all-seeing."""

    before: TableView
    events: tuple[AnyEvent, ...]

    def view(self, until: int, seat: Seat | None = None) -> TableView:
        """The table after so many events, as a seat saw it; None: all-seeing."""
        events = self.events[:until]
        return self.before.copy().apply_all(events if seat is None else self.seen(until, seat))

    def seen(self, until: int, seat: Seat) -> list[AnyEvent]:
        """So many events as that seat saw them."""
        return [project(event, seat) for event in self.events[:until]]

    def decisions(self) -> Iterator[tuple[int, ev.ActionRequested]]:
        """Every request with the number of events up to it."""
        for place, event in enumerate(self.events, 1):
            if isinstance(event, ev.ActionRequested):
                yield place, event

    @property
    def showdown(self) -> int:
        """The number of events before the first player shows; 0 where nobody had to."""
        shows = [place for place, event in enumerate(self.events) if isinstance(event, ev.HandShown | ev.HandMucked)]
        return shows[0] if shows else 0


def bot_hands(game: str, hands: int, players: int, seed: str, mind: Mind = choose_action) -> Iterator[BotHand]:
    """Hands of one game between players who all decide with this mind; everybody begins each of them with 1000."""
    shuffler = Shuffler(seed)
    for number in range(hands):
        table = EngineTable(table_rules((game,), players))
        for seat, name in enumerate(NAMES[:players], 1):
            table.do(cmd.SitDown(name, 1000, bytes([seat]) * 32, seat, bot=True))
        before = table.state.view.copy()
        views = [before.copy() for _ in range(players)]
        events: list[AnyEvent] = []

        def do(command: cmd.AnyCommand, table: EngineTable = table, views: list[TableView] = views) -> list[AnyEvent]:
            new = list(table.do(command))
            for seat, view in enumerate(views, 1):
                view.apply_all([project(event, seat) for event in new])
            return new

        events += do(cmd.StartHand(shuffler.deck(), f"{seed}-{number}"))
        while table.state.pending:
            seat, answers = next(iter(table.state.pending.items()))
            pending = views[seat - 1].seat(seat).pending
            assert pending is not None
            action = mind(views[seat - 1].copy(), seat, pending.request)
            events += do(cmd.Act(seat, answers, action, table.state.last_ids.get(seat, 0) + 1))
        yield BotHand(before, tuple(events))


def played_hands(steps: Iterable[StepRecord]) -> Iterator[BotHand]:
    """The hands of a session."""
    view, before = TableView(), TableView()
    events: list[AnyEvent] = []
    for event in [event for step in steps for event in step.events]:
        if isinstance(event, ev.HandStarted):
            before, events = view.copy(), []
        events.append(event)
        view.apply(event)
        if isinstance(event, ev.HandEnded):
            yield BotHand(before, tuple(events))


def unseen_of(hand: BotHand, until: int, seat: Seat, known: set[Card]) -> tuple[Card, ...]:
    """The cards that a seat has then and had before it kept five of them, without those that are known."""
    held: list[Card] = []
    for event in hand.events[:until]:
        match event:
            case ev.CardsDealt():
                mine = [(*down, *up) for who, down, up in event.cards if who == seat]
                held += [card for row in mine for card in row if card is not None]
            case ev.CardsPassed():
                for giver, taker, cards in event.passes:
                    if giver == seat:
                        held = [card for card in held if card not in cards]
                    if taker == seat:
                        held += [card for card in cards if card is not None]
            case ev.CardsDiscarded():
                held = [card for card in held if all(card not in row for who, row in event.cards if who == seat)]
            case _:
                pass
    return tuple([card for card in held if card not in known])
