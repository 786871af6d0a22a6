"""Playing the hands of a PHH file by our rules.

All hands are played at one table. Its list of games is the file: one entry for each hand, with the stakes of that hand.
Between hands a player whose stack, name or seat is another one in the file stands up and sits down again. Every action
of the file must be one that the engine offers; otherwise the hand is refused with the reason, and declared void at that
place. At the end of a hand the stacks are compared with those of the file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from typing import Literal, TypeAlias, cast
from zoneinfo import ZoneInfo

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import WAGERS, Action, Direction, Option
from protocol.cards import Card, card_text
from protocol.events import AnyEvent, Chips, Seat
from protocol.journal.records import StepRecord
from protocol.sanitize import clean
from protocol.table_rules import Clocks, TableRules
from replays.phh.deck_reconstruction import TRIES, Dealing, Decks, Refused, choices, chosen_cards, prepare
from replays.phh.format import BOARD, CHOICES, Move, PhhHand
from replays.recording import FILLED
from server.engine.errors import IllegalAction
from server.engine.table_state import TableState

Outcome: TypeAlias = Literal["agrees", "played", "refused", "differs"]
"""``played``: by our rules to the end, but the file does not name the final stacks."""

_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,40}")
"""Names of entries that become a part of the id of their hand."""
_WHY_LIMIT = 300
A_FRESH_START = 40
"""Decks after which all unknown cards are dealt anew: those that were kept may leave nothing that fits."""


@dataclass(frozen=True, slots=True)
class HandVerdict:
    """What became of a hand of the file: its entry there, the outcome, and the reason as a clause."""

    entry: str
    outcome: Outcome
    why: str = ""

    def __str__(self) -> str:
        return f"entry {self.entry}: {self.outcome}{': ' * bool(self.why)}{self.why}"


@dataclass(frozen=True, slots=True)
class Imported:
    """The verdicts in the order of the file, and the steps for a journal; no steps if no hand could be dealt."""

    verdicts: tuple[HandVerdict, ...]
    steps: tuple[StepRecord, ...]

    def count(self, outcome: Outcome) -> int:
        """The number of hands with that outcome."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)


def play_hands(hands: Sequence[PhhHand], table: str, at: int) -> Imported:
    """Plays the hands one after another at one table.

    Args:
        hands: the hands of a file (`replays.phh.format.read`).
        table: id of the table; the ids of the hands begin with it.
        at: time for hands without a date, in UTC milliseconds.
    """
    verdicts: dict[int, HandVerdict] = {}
    deals: dict[int, tuple[Dealing, tuple[Card, ...]]] = {}
    definitions: dict[str, str] = {}
    for number, hand in enumerate(hands):
        try:
            deal = prepare(hand)
            if definitions.setdefault(deal.game.id, deal.offer.definition) != deal.offer.definition:
                raise Refused(f"an earlier hand of the file defines {deal.game.id} otherwise")
            deals[number] = deal, _deck(deal)
        except Refused as refused:
            verdicts[number] = HandVerdict(hand.entry, "refused", str(refused))
    if not deals:
        return Imported(tuple(verdicts.values()), ())
    recorded = _RecordedTable(table, [deal for deal, _ in deals.values()], at)
    for number, (deal, deck) in deals.items():
        try:
            verdicts[number] = _compare(deal.hand, recorded.play(deal, deck))
        except Refused as refused:
            verdicts[number] = HandVerdict(deal.hand.entry, "refused", str(refused))
    return Imported(tuple([verdicts[number] for number in sorted(verdicts)]), tuple(recorded.steps))


def _compare(hand: PhhHand, result: "_Result") -> HandVerdict:
    if hand.finishing_stacks is None:
        return HandVerdict(hand.entry, "played", "the file names no final stacks to compare")
    pairs = zip(result.stacks, hand.finishing_stacks, strict=True)
    wrong = [
        f"{hand.who(player)} has {ours}, not {theirs}" for player, (ours, theirs) in enumerate(pairs) if ours != theirs
    ]
    return HandVerdict(hand.entry, "differs", ", ".join(wrong)) if wrong else HandVerdict(hand.entry, "agrees")


def _deck(deal: Dealing) -> tuple[Card, ...]:
    """The deck to play with. Raises Refused.

    Where unknown cards make a difference, decks are tried at another table. A deck is good when every action of the
    file is legal with it and no hand that was not shown wins a chip, because a winner has to show. Of several good
    decks the first one is taken that leads to the final stacks of the file and with which nobody has to show who did
    not; else the first with these stacks, or the first of all.
    """
    if not deal.unseen and not deal.hazy:
        return Decks(deal).deck()
    shown = {move.player for move in deal.hand.actions if move.verb == "sm" and move.cards is not None}
    silent = set(deal.unseen) - shown
    if silent == set(deal.live):
        silent = set()  # the file does not say who showed; only its final stacks can tell
    good: tuple[Card, ...] | None = None
    fits: tuple[Card, ...] | None = None
    furthest: tuple[Card, ...] = ()
    came, won = -1, False
    decks = Decks(deal)
    others: set[int] | None = None
    for number in range(TRIES):
        if number:
            decks.deal_anew(others)
        deck = decks.deck()
        others = None
        trial = _RecordedTable("trial", [deal], 0)
        try:
            result = trial.play(deal, deck)
        except Refused:
            if trial.table.seq > came:
                came, furthest = trial.table.seq, deck
            if not deal.hazy:
                break  # hidden cards make no action legal or illegal
            continue
        fresh = number % A_FRESH_START == A_FRESH_START - 1
        others = None if fresh else silent & (result.winners | result.shown) or None
        if silent & result.winners:
            won = True
            continue
        good = good or deck
        if deal.hand.finishing_stacks in (None, result.stacks):
            if not silent & result.shown:
                return deck
            fits = fits or deck
    if good is None and won:
        players = " and ".join(deal.hand.who(player) for player in sorted(silent))
        raise Refused(f"no cards were found with which {players} would have lost unseen")
    return fits or good or furthest


# ----------------------------------------------------------------- at a table


@dataclass(slots=True)
class _Result:
    """The result of a hand by the engine: final stacks by player, who won a part of a pot, and who showed."""

    stacks: tuple[Chips, ...] = ()
    winners: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)


class _RecordedTable:
    """A table, and the steps of all that happened there."""

    def __init__(self, table: str, deals: Sequence[Dealing], at: int) -> None:
        self.name, self.at, self.now = table, at, at
        self.table = TableState()
        self.steps: list[StepRecord] = []
        rules = TableRules(
            name=table,
            seats=max(seat for deal in deals for seat in deal.seats),
            games=tuple([deal.offer for deal in deals]),
            change="hand",
            buy_in_least=1,
            buy_in_most=max(chips for deal in deals for chips in deal.hand.starting_stacks),
            buy_in=max(chips for deal in deals for chips in deal.hand.starting_stacks),
            clocks=Clocks(bet=0, choose=0, arrange=0, declare=0),
        )
        self.now = _date(deals[0].hand) or at
        self.do(cmd.OpenTable(table, rules))

    def do(self, command: cmd.AnyCommand) -> tuple[AnyEvent, ...]:
        """One step. Raises IllegalAction."""
        seq = self.table.seq + 1
        events = self.table.apply(command)
        self.steps.append(StepRecord(seq, self.now, command, events))
        return events

    def play(self, deal: Dealing, deck: tuple[Card, ...]) -> _Result:
        """Plays one hand. Raises Refused; then the hand is void."""
        self.now = max(self.now, _date(deal.hand) or self.at)
        self._seat(deal)
        if deal.filled:
            names = [deal.names[player] for player in deal.filled]
            self.do(cmd.Say("", f"{FILLED} {', '.join(names)}."))
        run = _Run(self, deal)
        try:
            run.start(deck)
            return run.play()
        except Refused as refused:
            if self.table.hand is not None:
                self.do(cmd.VoidHand(clean(str(refused), _WHY_LIMIT)))
            raise

    def _seat(self, deal: Dealing) -> None:
        rows = zip(deal.seats, deal.names, deal.hand.starting_stacks, strict=True)
        wanted = {seat: (name, chips) for seat, name, chips in rows}
        for seat in list(self.table.view.players()):
            if wanted.get(seat.seat) == (seat.name, seat.chips):
                del wanted[seat.seat]
            else:
                self.do(cmd.StandUp(seat.seat))
        for number, (name, chips) in wanted.items():
            self.do(cmd.SitDown(name, chips, b"", number))


class _Run:
    """One hand while it is played: the actions of the file on one side, the events of the engine on the other."""

    def __init__(self, recorded: _RecordedTable, deal: Dealing) -> None:
        self.recorded, self.deal = recorded, deal
        self.table = recorded.table
        self.player = {seat: player for player, seat in enumerate(deal.seats)}
        self.dealt: dict[int, int] = {}
        self.told: dict[int, int] = {}
        self.result = _Result()
        self.choices = {
            decision: [(player, words) for player, words in choices(deal.hand, name)]
            for decision, name in CHOICES.items()
        }

    def start(self, deck: tuple[Card, ...]) -> None:
        """Deals the hand. Raises Refused."""
        entry = self.deal.hand.entry
        entry = entry if _PLAIN.fullmatch(entry) else f"n{self.table.view.hand + 1}"
        self._do(cmd.StartHand(deck, f"{self.recorded.name}-{entry}", self.deal.seats[-1]), "the dealing")

    def play(self) -> _Result:
        """Plays every action of the file. Raises Refused."""
        for move in self.deal.hand.actions:
            if move.verb in ("dh", "db"):
                self.told[move.player] = self.told.get(move.player, 0) + len(move.cards or ())
            elif move.verb == "sm":
                self._check_shown(move)
            else:
                self._choose()
                self._check_dealt(f"before {move.text}")
                self._bet(move)
        self._choose()
        if self.table.hand is not None:
            waiting = " and ".join(self._who(seat) for seat in sorted(self.table.pending))
            raise Refused(f"the file ends before the hand is over: {waiting} is to act")
        self._check_dealt("at the end")
        return self.result

    def _who(self, seat: Seat) -> str:
        return self.deal.hand.who(self.player[seat])

    def _do(self, command: cmd.AnyCommand, what: str, remark: str = "") -> None:
        try:
            events = self.recorded.do(command)
        except IllegalAction as illegal:
            raise Refused(f"{what}: {_clause(illegal.text)}{remark}") from None
        for event in events:
            self._note(event)

    def _note(self, event: AnyEvent) -> None:
        match event:
            case ev.CardsDealt():
                for seat, down, up in event.cards:
                    player = self.player[seat]
                    self.dealt[player] = self.dealt.get(player, 0) + len(down) + len(up)
            case ev.CommunityDealt():
                self.dealt[BOARD] = self.dealt.get(BOARD, 0) + 1
            case ev.HandShown():
                self.result.shown.add(self.player[event.seat])
            case ev.PotAwarded():
                self.result.winners |= {self.player[seat] for seat, _ in event.winners}
            case ev.HandEnded():
                self.result.stacks = tuple([chips for _, chips in event.stacks])
            case _:
                pass

    # ---------------------------------------------------------------- checks

    def _check_dealt(self, when: str) -> None:
        for player in (BOARD, *range(self.deal.hand.count)):
            ours, theirs = self.dealt.get(player, 0), self.told.get(player, 0)
            if ours != theirs:
                who = (
                    f"{ours} cards lie in the middle"
                    if player == BOARD
                    else f"{self.deal.hand.who(player)} has {ours} cards"
                )
                raise Refused(f"{when}: by the rules {who}, in the file {theirs}")

    def _check_shown(self, move: Move) -> None:
        if self.table.pending:
            self._choose()
        if self.table.hand is not None:
            raise Refused(f"{move.text}: it is not the showdown yet")
        seat = self.table.view.seat(self.deal.seats[move.player])
        held = {*seat.down, *seat.up, *self.table.view.community}
        for card in move.cards or ():
            if card is not None and card not in held:
                raise Refused(f"{self.deal.hand.who(move.player)} shows {card_text(card)}, which is not in that hand")

    # ------------------------------------------------------------- decisions

    def _open(self) -> Iterator[tuple[Seat, ev.ActionRequested, int]]:
        for seat, number in sorted(self.table.pending.items()):
            pending = self.table.view.seat(seat).pending
            assert pending is not None
            yield seat, pending.request, number

    def _choose(self) -> None:
        """Answers every open request that is not for a bet, with the choices of the file. Raises Refused."""
        while waiting := [row for row in self._open() if row[1].decision != "bet"]:
            seat, request, number = waiting[0]
            player = self.player[seat]
            rows = self.choices.get(request.decision, [])
            place = next((place for place, row in enumerate(rows) if row[0] == player), None)
            if place is None:
                raise Refused(f"the file does not say what {self._who(seat)} chooses ({request.decision})")
            _, words = rows.pop(place)
            self._do(cmd.Act(seat, number, _choice(request, words)), f"{self._who(seat)} {request.decision} {words}")

    def _bet(self, move: Move) -> None:
        asked = next(self._open(), None)
        if asked is None:
            raise Refused(f"{move.text}: the hand is over")
        seat, request, number = asked
        if self.player[seat] != move.player:
            raise Refused(f"{move.text}: it is the turn of {self._who(seat)}")
        self._do(cmd.Act(seat, number, _action(move, request.options)), move.text, self._remark(move, request))

    def _remark(self, move: Move, request: ev.ActionRequested) -> str:
        """A known reason for a wager that our rules do not allow."""
        full = next((option.least for option in request.options if option.kind == "complete"), None)
        if move.verb == "cbr" and full is not None and move.to == full + self.deal.offer.stakes.bring_in:
            return "; the file counts the raise on top of the bring-in (rules.md 17)"
        return ""


def _action(move: Move, options: tuple[Option, ...]) -> Action:
    kinds = {option.kind for option in options}
    if move.verb == "cbr":
        return Action(next((kind for kind in kinds if kind in WAGERS), "raise"), to=move.to)
    if move.verb == "cc":
        return Action("call" if "call" in kinds else "check")
    return Action("bring_in" if move.verb == "pb" else "fold")


def _choice(request: ev.ActionRequested, words: str) -> Action:
    kind = request.options[0].kind
    if kind == "declare":
        return Action(kind, direction=cast(Direction, words) if words in ("high", "low") else None)
    cards = chosen_cards(words)
    if None in cards:
        raise Refused(f"a card to {kind} is unknown")
    return Action(kind, cards=tuple([card for card in cards if card is not None]))


def _clause(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:].rstrip('.')}"


def _date(hand: PhhHand) -> int | None:
    """When the hand was played, in UTC milliseconds; None if the file does not name the day."""
    own = hand.own
    try:
        day = date(own["year"], own["month"], own["day"])
        clock = own.get("time")
        zone: tzinfo = ZoneInfo(own["time_zone"]) if "time_zone" in own else UTC
        moment = datetime.combine(day, clock if isinstance(clock, time) else time(), tzinfo=zone)
        return max(0, int(moment.timestamp() * 1000))
    except (KeyError, TypeError, ValueError, OSError, OverflowError):
        return None
