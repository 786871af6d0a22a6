"""What a table looks like: the fold over its events.

`TableView.apply` is the one fold. The server keeps the all-seeing view, a client folds what it was sent, a replay
folds the journal, and all of them agree: folding the projected events gives the same as hiding secrets in the folded
view (`hide`).

Views are changed in place. Every sequence inside is a tuple and is replaced, so `copy` is cheap. The file is long
because each of the 33 kinds of events has its fold here, and nowhere else.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from protocol import events as ev
from protocol.cards import MaybeCard, hidden
from protocol.events import AnyEvent, Chips, Seat
from protocol.facts import BreakPlanned, HostChanged, Pause, PlayPaused, PlayResumed
from protocol.seat_view import Pending, Pot, SeatView
from protocol.stakes import Stakes
from protocol.table_rules import TableRules
from protocol.visibility import Viewer, project


class TableView(msgspec.Struct):
    """The whole table as one viewer sees it.

    `seq` is the number of the last event applied. `opener` and `why` belong to the running betting round. `keep` is
    the size of an arranged hand. `button`, `opener` and `odd_man` are 0 where there is none. `gone` are the players of
    the last hand who have left since, without their hidden cards. `hosts` are the seats of the hosts, `pause` how the
    table stands still, `next_break` when the next break begins (UTC milliseconds); left out where there is none.
    """

    seq: int = 0
    table: str = ""
    rules: TableRules | None = None
    game: str = ""
    title: str = ""
    stakes: Stakes | None = None
    hand: int = 0
    hand_id: str = ""
    playing: bool = False
    button: Seat = 0
    street: str = ""
    opener: Seat = 0
    why: str = ""
    community: tuple[int, ...] = ()
    wilds: tuple[int, ...] = ()
    odd_man: Seat = 0
    keep: int = 0
    pots: tuple[Pot, ...] = ()
    awards: tuple[ev.PotAwarded, ...] = ()
    seats: list[SeatView] = []
    gone: tuple[SeatView, ...] = ()
    hosts: tuple[Seat, ...] | msgspec.UnsetType = msgspec.UNSET
    pause: Pause | msgspec.UnsetType = msgspec.UNSET
    next_break: int | msgspec.UnsetType = msgspec.UNSET

    # -------------------------------------------------------------- questions

    def seat(self, number: Seat) -> SeatView:
        """The seat with that number. Raises IndexError where the table has no such seat."""
        if number < 1:
            raise IndexError(f"there is no seat {number}")
        return self.seats[number - 1]

    def players(self) -> list[SeatView]:
        """The taken seats."""
        return [seat for seat in self.seats if seat.name]

    def in_hand(self) -> list[SeatView]:
        """The seats that were dealt in and have not folded."""
        return [seat for seat in self.seats if seat.hand == "live"]

    def name(self, number: Seat) -> str:
        """The name at that seat, or ``seat 3`` if it is free."""
        if 1 <= number <= len(self.seats) and self.seats[number - 1].name:
            return self.seats[number - 1].name
        return f"seat {number}"

    def asked(self) -> list[SeatView]:
        """The seats with an open request."""
        return [seat for seat in self.seats if seat.pending is not None]

    def to_call(self, number: Seat | None) -> Chips:
        """What staying in costs that seat as things stand; 0 for a spectator and where nothing has to be paid."""
        if not number or not self.playing or self.seat(number).hand != "live":
            return 0
        own = self.seat(number)
        return min(own.chips, max(seat.bet for seat in self.seats) - own.bet)

    def pot(self) -> Chips:
        """All chips in the middle and in front of the players."""
        return sum(pot.amount for pot in self.pots) + sum(seat.bet for seat in self.seats)

    @property
    def stands_still(self) -> bool:
        """Whether nobody can act and no hand is dealt, because a host wants it."""
        pause = self.pause
        return isinstance(pause, Pause) and (pause.kind == "pause" or not self.playing)

    def is_host(self, number: Seat | None) -> bool:
        """Whether the player of that seat is a host."""
        return bool(number) and number in (self.hosts or ())

    def is_whole(self) -> bool:
        """Whether the seats have the numbers 1, 2, 3 ..., which is not certain in a view from elsewhere."""
        return all(number == seat.seat for number, seat in enumerate(self.seats, 1))

    def chips(self) -> Chips:
        """All chips on the table: stacks, bets and pots."""
        chips = 0
        for pot in self.pots:
            chips += pot.amount
        for seat in self.seats:  # PERF: the server counts after every command, and `sum` would take twice as long
            chips += seat.chips + seat.bet
        return chips

    def as_it_ended(self) -> "TableView":
        """The table with the players of the last hand in their seats, those who have left since, too."""
        if not self.gone:
            return self
        then = {seat.seat: seat for seat in self.gone}
        return replace(self, seats=[then.get(seat.seat, seat) for seat in self.seats])

    def copy(self) -> "TableView":
        """An independent view of the same table."""
        return replace(self, seats=[replace(seat) for seat in self.seats])

    # ------------------------------------------------------------------- fold

    def apply(self, event: AnyEvent) -> None:
        """Change the view by one event."""
        self.seq += 1
        fold = _KNOWN.get(type(event)) or _learn(event)
        fold(self, event)

    def apply_all(self, events: Iterable[AnyEvent]) -> "TableView":
        """Change the view by several events. Returns the view itself."""
        for event in events:
            self.seq += 1
            fold = _KNOWN.get(type(event)) or _learn(event)
            fold(self, event)
        return self

    def _table_opened(self, event: ev.TableOpened) -> None:
        rules, offers = event.rules, {offer.id: offer for offer in event.rules.games}
        if self.game not in offers or rules.seats < len(self.seats):
            self.pots, self.awards, self.gone = (), (), ()  # a result of a game or of a seat that is here no more
            self.opener = self.odd_man = 0
        self.button = min(self.button, rules.seats)
        self.table, self.rules = event.table, rules
        new = [SeatView(number) for number in range(len(self.seats) + 1, rules.seats + 1)]
        self.seats = [*self.seats[: rules.seats], *new]
        offer = offers.get(self.game, rules.games[0])
        self.game, self.title, self.stakes = offer.id, offer.title, offer.stakes

    def _player_seated(self, event: ev.PlayerSeated) -> None:
        self.seats[event.seat - 1] = SeatView(event.seat, event.name, event.chips, event.bot)

    def _player_left(self, event: ev.PlayerLeft) -> None:
        seat = self.seats[event.seat - 1]
        if not self.playing and seat.hand != "out":
            self.gone = (*self.gone, replace(seat, down=hidden(seat.down)))
        self.seats[event.seat - 1] = SeatView(event.seat)
        if self.hosts:
            self._set_host(event.seat, host=False)

    def _player_away(self, event: ev.PlayerAway) -> None:
        self.seats[event.seat - 1].away = True

    def _player_back(self, event: ev.PlayerBack) -> None:
        self.seats[event.seat - 1].away = False

    def _connection_changed(self, event: ev.ConnectionChanged) -> None:
        self.seats[event.seat - 1].online = event.online

    def _chips_added(self, event: ev.ChipsAdded) -> None:
        self.seats[event.seat - 1].chips = event.chips

    def _chips_ordered(self, event: ev.ChipsOrdered) -> None:
        pass  # they are not on the table yet

    def _said(self, event: ev.Said) -> None:
        match event.fact:
            case HostChanged(seat, host):
                self._set_host(seat, host=host)
            case PlayPaused(pause):
                self.pause = pause
                if pause.until:
                    self.next_break = msgspec.UNSET
            case PlayResumed():
                self.pause = msgspec.UNSET
            case BreakPlanned(at):
                self.next_break = at
            case msgspec.UnsetType():
                pass  # chat changes nothing on the table
            case _:
                assert_never(event.fact)

    def _set_host(self, number: Seat, *, host: bool) -> None:
        others = [seat for seat in self.hosts or () if seat != number]
        self.hosts = tuple(sorted([*others, number] if host else others)) or msgspec.UNSET

    def _went_on(self, event: ev.WentOn) -> None:
        self.seats[event.seat - 1].went_on = True

    def _game_picked(self, event: ev.GamePicked) -> None:
        self.game, self.title = event.game, event.title
        for seat in self.seats:
            if seat.pending is not None and seat.pending.request.decision == "game":
                seat.pending = None

    def _hand_started(self, event: ev.HandStarted) -> None:
        self.hand, self.hand_id, self.button = event.hand, event.id, event.button
        self.game, self.title, self.stakes = event.game, event.title, event.stakes
        self.playing = True
        self.street = self.why = ""
        self.opener = self.odd_man = self.keep = 0
        self.community = self.wilds = ()
        self.pots = ()
        self.awards = self.gone = ()
        dealt_in = dict(event.stacks)
        for seat in self.seats:
            seat.hand = "live" if seat.seat in dealt_in else "out"
            seat.stack = dealt_in.get(seat.seat, seat.chips)
            seat.bet = seat.total = seat.won = 0
            seat.all_in = seat.mucked = seat.went_on = False
            seat.down = seat.up = seat.before = seat.shown = seat.values = ()
            seat.choice = seat.last = seat.pending = None
            seat.declared = ""

    def _antes_posted(self, event: ev.AntesPosted) -> None:
        for number, amount in event.antes:
            seat = self.seats[number - 1]
            seat.chips -= amount
            seat.bet += amount
            seat.total += amount
            seat.all_in = not seat.chips

    def _cards_dealt(self, event: ev.CardsDealt) -> None:
        self.street = event.street
        for number, down, up in event.cards:
            seat = self.seats[number - 1]
            if down:
                seat.down += down
            if up:
                seat.up += up

    def _community_dealt(self, event: ev.CommunityDealt) -> None:
        self.community = (*self.community, event.card)

    def _wilds_named(self, event: ev.WildsNamed) -> None:
        self.wilds = event.ranks

    def _round_opened(self, event: ev.RoundOpened) -> None:
        self.street, self.opener, self.why = event.street, event.opener, event.why
        for seat in self.seats:
            seat.last = None

    def _round_skipped(self, event: ev.RoundSkipped) -> None:
        self.street, self.opener, self.why = event.street, 0, event.why
        for seat in self.seats:
            seat.last = None

    def _action_requested(self, event: ev.ActionRequested) -> None:
        self.seats[event.seat - 1].pending = Pending(self.seq, event)

    def _acted(self, event: ev.Acted) -> None:
        seat = self.seats[event.seat - 1]
        seat.pending = None
        seat.last = event
        if event.amount:
            seat.chips -= event.amount
            seat.bet += event.amount
            seat.total += event.amount
            seat.all_in = event.all_in
        if event.action == "fold":
            seat.hand = "folded"

    def _choice_made(self, event: ev.ChoiceMade) -> None:
        seat = self.seats[event.seat - 1]
        seat.pending = None
        seat.choice = event
        if event.decision == "arrange":
            # The five kept cards are the hand from now on, in the order in which they will be rolled.
            kept = event.action.cards if event.action is not None else None
            seat.down = kept if kept is not None else (None,) * self.keep

    def _cards_turned(self, event: ev.CardsTurned) -> None:
        for number, card in event.cards:
            seat = self.seats[number - 1]
            seat.down = _without(seat.down, card)
            seat.up = (*seat.up, card)
            seat.pending = None
        self._close_choices()

    def _brought_back(self, event: ev.BroughtBack) -> None:
        self.keep = event.keep
        for number in event.seats:
            seat = self.seats[number - 1]
            own = None not in seat.down
            seat.before = seat.up
            seat.down = seat.up + seat.down if own else (None,) * (len(seat.up) + len(seat.down))
            seat.up = ()

    def _cards_passed(self, event: ev.CardsPassed) -> None:
        for giver, _, cards in event.passes:
            # The giver knows the cards from their own choice; the event names them to the taker only.
            chosen = self.seats[giver - 1].choice
            known = chosen.action.cards if chosen is not None and chosen.action is not None else None
            self._take_away(self.seats[giver - 1], known if known is not None else hidden(cards))
        for _, taker, cards in event.passes:
            seat = self.seats[taker - 1]
            seat.down += cards
        self._close_choices()

    def _cards_discarded(self, event: ev.CardsDiscarded) -> None:
        for number, cards in event.cards:
            self._take_away(self.seats[number - 1], cards)
        self._close_choices()

    @staticmethod
    def _take_away(seat: SeatView, cards: tuple[MaybeCard, ...]) -> None:
        for card in cards:
            seat.down = _without(seat.down, card)

    def _declared(self, event: ev.Declared) -> None:
        for number, direction in event.declarations:
            self.seats[number - 1].declared = direction
        self.odd_man = event.odd_man or 0
        self._close_choices()

    def _close_choices(self) -> None:
        for seat in self.seats:
            seat.choice = None

    def _bet_returned(self, event: ev.BetReturned) -> None:
        seat = self.seats[event.seat - 1]
        seat.chips += event.amount
        seat.bet -= event.amount
        seat.total -= event.amount
        seat.all_in = False

    def _pots_gathered(self, event: ev.PotsGathered) -> None:
        self.pots = tuple([Pot(amount, seats) for amount, seats in event.pots])
        for seat in self.seats:
            seat.bet = 0

    def _hand_shown(self, event: ev.HandShown) -> None:
        seat = self.seats[event.seat - 1]
        seat.shown, seat.values = event.cards, event.values

    def _hand_mucked(self, event: ev.HandMucked) -> None:
        self.seats[event.seat - 1].mucked = True

    def _pot_awarded(self, event: ev.PotAwarded) -> None:
        self.pots = tuple(
            [Pot(pot.amount - event.amount, pot.seats) if i == event.pot else pot for i, pot in enumerate(self.pots)]
        )
        self.awards = (*self.awards, event)
        for number, amount in event.winners:
            seat = self.seats[number - 1]
            seat.chips += amount
            seat.won += amount

    def _hand_ended(self, event: ev.HandEnded) -> None:
        self.playing = False
        for seat in self.seats:
            seat.pending = seat.choice = None

    def _hand_voided(self, event: ev.HandVoided) -> None:
        self.playing = False
        self.pots = ()
        self.why = event.why
        stacks = dict(event.stacks)
        for seat in self.seats:
            seat.pending = seat.choice = None
            seat.bet = seat.total = seat.won = 0
            seat.all_in = False
            seat.chips = stacks.get(seat.seat, seat.chips)


def _without(row: tuple[MaybeCard, ...], card: MaybeCard) -> tuple[MaybeCard, ...]:
    """The row without that card, or without one hidden card where the viewer does not see it."""
    at = row.index(card) if card in row else row.index(None)
    return row[:at] + row[at + 1 :]


# ------------------------------------------------------------------- which fold

E = TypeVar("E", bound=AnyEvent)
_Fold: TypeAlias = Callable[[TableView, Any], None]

_KNOWN: dict[type[AnyEvent], _Fold] = {}
"""The fold of every kind of event met so far, so that the match below is asked once for each kind: asking it for every
event would take longer than the folds themselves."""


def _learn(event: AnyEvent) -> _Fold:
    fold = _KNOWN[type(event)] = _fold_for(event)
    return fold


def _fold_for(event: AnyEvent) -> _Fold:
    """The method that folds events of this kind."""
    match event:
        case ev.TableOpened():
            return _typed(TableView._table_opened, event)
        case ev.PlayerSeated():
            return _typed(TableView._player_seated, event)
        case ev.PlayerLeft():
            return _typed(TableView._player_left, event)
        case ev.PlayerAway():
            return _typed(TableView._player_away, event)
        case ev.PlayerBack():
            return _typed(TableView._player_back, event)
        case ev.ConnectionChanged():
            return _typed(TableView._connection_changed, event)
        case ev.ChipsAdded():
            return _typed(TableView._chips_added, event)
        case ev.ChipsOrdered():
            return _typed(TableView._chips_ordered, event)
        case ev.Said():
            return _typed(TableView._said, event)
        case ev.WentOn():
            return _typed(TableView._went_on, event)
        case ev.GamePicked():
            return _typed(TableView._game_picked, event)
        case ev.HandStarted():
            return _typed(TableView._hand_started, event)
        case ev.AntesPosted():
            return _typed(TableView._antes_posted, event)
        case ev.CardsDealt():
            return _typed(TableView._cards_dealt, event)
        case ev.CommunityDealt():
            return _typed(TableView._community_dealt, event)
        case ev.WildsNamed():
            return _typed(TableView._wilds_named, event)
        case ev.RoundOpened():
            return _typed(TableView._round_opened, event)
        case ev.RoundSkipped():
            return _typed(TableView._round_skipped, event)
        case ev.ActionRequested():
            return _typed(TableView._action_requested, event)
        case ev.Acted():
            return _typed(TableView._acted, event)
        case ev.ChoiceMade():
            return _typed(TableView._choice_made, event)
        case ev.CardsTurned():
            return _typed(TableView._cards_turned, event)
        case ev.BroughtBack():
            return _typed(TableView._brought_back, event)
        case ev.CardsPassed():
            return _typed(TableView._cards_passed, event)
        case ev.CardsDiscarded():
            return _typed(TableView._cards_discarded, event)
        case ev.Declared():
            return _typed(TableView._declared, event)
        case ev.BetReturned():
            return _typed(TableView._bet_returned, event)
        case ev.PotsGathered():
            return _typed(TableView._pots_gathered, event)
        case ev.HandShown():
            return _typed(TableView._hand_shown, event)
        case ev.HandMucked():
            return _typed(TableView._hand_mucked, event)
        case ev.PotAwarded():
            return _typed(TableView._pot_awarded, event)
        case ev.HandEnded():
            return _typed(TableView._hand_ended, event)
        case ev.HandVoided():
            return _typed(TableView._hand_voided, event)
        case _:
            assert_never(event)


def _typed(fold: Callable[[TableView, E], None], event: E) -> _Fold:
    """The fold itself; the type checker has seen that it takes this kind of event."""
    return fold


# ------------------------------------------------------------------------ hiding


def hide(view: TableView, viewer: Viewer) -> TableView:
    """The view as `viewer` may see it: an independent copy without the secrets of the other seats."""
    seen = view.copy()
    for seat in seen.seats:
        if seat.seat == viewer:
            continue
        seat.down = hidden(seat.down)
        if seat.choice is not None:
            seat.choice = project(seat.choice, viewer)
        if seat.pending is not None:
            seat.pending = Pending(seat.pending.seq, project(seat.pending.request, viewer))
    return seen
