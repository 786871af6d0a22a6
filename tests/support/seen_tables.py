"""Tables as one seat sees them, written by hand; and the table on which the events of a hand have happened."""

from collections.abc import Iterable

from protocol.cards import cards
from protocol.events import AnyEvent, HandStarted, PlayerSeated, TableOpened
from protocol.seat_view import Pot, SeatView
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game


def live(seat: int, down: str = "", up: str = "", hidden: int = 0, bet: int = 0, before: str = "") -> SeatView:
    """A live hand; `hidden`: so many more cards that are not seen."""
    return SeatView(
        seat,
        f"Player {seat}",
        100,
        hand="live",
        bet=bet,
        total=bet,
        down=(*cards(down), *[None] * hidden),
        up=tuple(cards(up)),
        before=tuple(cards(before)),
    )


def seen_table(game: str, *seats: SeatView, pot: int = 20, keep: int = 0, street: str = "") -> TableView:
    """A running hand of that game; everybody has put the same part into the pot."""
    for seat in seats:
        seat.total += pot // len(seats)
    return TableView(
        game=game,
        stakes=GAMES[game].stakes,
        playing=True,
        button=1,
        street=street,
        seats=list(seats),
        pots=(Pot(pot, tuple(seat.seat for seat in seats)),),
        keep=keep,
    )


def running_hand(game: Game, events: Iterable[AnyEvent], definition: str = "") -> TableView:
    """The all-seeing view of a table at which these events of one hand have happened; `definition`: of a house game."""
    happened = list(events)
    started = next(event for event in happened if isinstance(event, HandStarted))
    offer = GameOffer(game.id, game.title, started.stakes, game.most_players, definition)
    view = TableView()
    view.apply(TableOpened("table", TableRules(name="Table", seats=8, games=(offer,))))
    view.apply_all([PlayerSeated(seat, f"Player {seat}", chips) for seat, chips in started.stacks])
    return view.apply_all(happened)
