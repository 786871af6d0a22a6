"""Everything that must hold in a hand, whatever is dealt and done.

`play` plays a `Scenario` out and checks after every event and every step what `rules.md` 16 lists; it raises
AssertionError where something does not hold.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from protocol import events as ev
from protocol.actions import WAGERS, Action, Kind, Option
from protocol.cards import DECK, Card
from protocol.events import AnyEvent, Chips, Seat
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView, hide
from protocol.visibility import Viewer, project
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.hand import Hand
from server.engine.steps.betting import Bet
from tests.support.plain_betting import Round
from tests.support.plain_payouts import payouts
from tests.support.random_hands import Scenario, cards_of, fill_in, known, pick, scenario
from tests.support.stacked_hand import words

Project = Callable[[AnyEvent, Viewer], AnyEvent]
Played = tuple[Seat, Action]


def others(options: Sequence[Option], stakes: Stakes) -> Iterator[Action]:
    """Actions that no option admits: other kinds, amounts just beyond the bounds and far away, wrong cards."""
    kinds = {option.kind for option in options}
    plain: tuple[Kind, ...] = ("fold", "check", "call", "bring_in", "decline", "buy")
    for kind in plain:
        if kind not in kinds:
            yield Action(kind)
    wagers: tuple[Kind, ...] = ("bet", "complete", "raise")
    for kind in wagers:
        bounds = [(option.least, option.most) for option in options if option.kind == kind]
        tried = {-1, 0, 1, stakes.small, stakes.big, 49, 2**31, 2**63}
        tried |= {bound + step for pair in bounds for bound in pair for step in (-1, 1)}
        for to in tried:
            if not any(least <= to <= most for least, most in bounds):
                yield Action(kind, to=to)
        yield Action(kind)
    for option in options:
        cards = cards_of(option)
        foreign = next(card for card in DECK if card not in cards)
        if option.kind in ("choose", "arrange", "pass"):
            named = cards[: option.count]
            yield Action(option.kind)
            yield Action(option.kind, cards=tuple(named[:-1]))
            yield Action(option.kind, cards=(*named[:-1], foreign))
            yield Action(option.kind, cards=(*named, cards[-1]))
            yield Action(option.kind, cards=(named[0],) * option.count if option.count > 1 else (named[0], named[0]))
        if option.kind == "declare":
            yield Action("declare")
    if "declare" not in kinds:
        yield Action("declare", direction="high")
    if "arrange" not in kinds:
        yield Action("arrange", cards=tuple(DECK[:5]))
    if "choose" not in kinds:
        yield Action("choose", cards=(DECK[0],))


def state_of(hand: Hand) -> tuple[object, ...]:
    """Everything that a refused action must not change."""
    return (
        tuple(hand.chips), tuple(hand.bet), tuple(hand.put), tuple(hand.live), dict(hand.requests), hand.street,
        repr(hand.down), repr(hand.up), tuple(hand.declared), hand.position, hand.over,
    )  # fmt: skip


def refusal_of(hand: Hand, seat: Seat, action: Action) -> str:
    """The code with which an action is refused; empty if it is accepted."""
    try:
        hand.act(seat, action)
    except IllegalAction as refused:
        return refused.code if refused.text else "without a word"
    return ""


def refuses_everything_else(hand: Hand) -> None:
    """Every action that is not offered raises IllegalAction and changes nothing; nor does anybody else act."""
    before = state_of(hand)
    for player, request in list(hand.requests.items()):
        for action in others(request.options, hand.stakes):
            code = refusal_of(hand, hand.seats[player], action)
            assert code == "illegal", f"{action} was accepted although only {words(request.options)} was offered"
    for seat in {*hand.seats, 0, -1, 99} - {hand.seats[player] for player in hand.requests}:
        for action in (Action("check"), Action("fold"), Action("call")):
            assert refusal_of(hand, seat, action) == "not_asked", f"seat {seat} acted out of turn"
    assert state_of(hand) == before


@dataclass
class Referee:
    """Folds the events of a hand and checks them as they come."""

    scenario: Scenario
    project: Project = project
    laws: bool = True
    view: TableView = field(default_factory=TableView)
    events: list[AnyEvent] = field(default_factory=list)
    seen: dict[Viewer, TableView] = field(default_factory=dict)
    rounds: int = 0
    round: Round | None = None
    put: dict[Seat, Chips] = field(default_factory=dict)
    dealt: set[Card] = field(default_factory=set)
    expected: list[dict[Seat, Chips]] = field(default_factory=list)

    def __post_init__(self) -> None:
        game = self.scenario.game
        offer = GameOffer(game.id, game.title, game.stakes, game.most_players)
        before: list[AnyEvent] = [ev.TableOpened("t", TableRules(name="t", seats=8, games=(offer,)))]
        before += [ev.PlayerSeated(seat, f"P{seat}", chips) for seat, chips in self.scenario.stacks]
        self.view.apply_all(before)
        self.total = self.view.chips()
        self.bets = [step for step in game.steps if isinstance(step, Bet)]
        if self.laws:
            viewers: list[Viewer] = [None, *[seat for seat, _ in self.scenario.stacks], 9]
            self.seen = {viewer: TableView().apply_all([project(e, viewer) for e in before]) for viewer in viewers}

    def take(self, events: Sequence[AnyEvent]) -> None:
        """The events of one step."""
        for event in events:
            self.view.apply(event)
            assert self.view.chips() == self.total, f"chips are lost by {event}"
            assert all(seat.chips >= 0 and seat.bet >= 0 for seat in self.view.seats), event
            self.check(event)
            self.events.append(event)
            for viewer, folded in self.seen.items():
                folded.apply(self.project(event, viewer))
        for viewer, folded in self.seen.items():
            assert folded == hide(self.view, viewer), f"the views of {viewer} differ after {events[-1]}"

    def check(self, event: AnyEvent) -> None:
        """What must hold for one event."""
        match event:
            case ev.CardsDealt():
                for _, down, up in event.cards:
                    self._new_cards(card for card in (*down, *up) if card is not None)
            case ev.CommunityDealt():
                self._new_cards([event.card])
            case ev.AntesPosted():
                for seat, amount in event.antes:
                    self.put[seat] = amount
            case ev.RoundOpened():
                live = self.view.in_hand()
                self.round = Round(
                    self.bets[self.rounds],
                    self.scenario.stakes,
                    event.opener,
                    {seat.seat: seat.chips for seat in live},
                    {seat.seat: [card >> 2 for card in seat.up] for seat in live},
                    self.view.odd_man or None,
                )
                self.rounds += 1
            case ev.RoundSkipped():
                self.rounds += 1
            case ev.ActionRequested():
                assert event.options, "an able player has a legal option"
                if event.decision == "bet":
                    assert self.round is not None
                    offered, expected = words(event.options), self.round.options(event.seat)
                    assert offered == expected, f"seat {event.seat} is offered {offered!r} instead of {expected!r}"
                    assert sum(seat.pending is not None for seat in self.view.seats) == 1, "one seat is in turn"
            case ev.Acted():
                assert self.round is not None
                self.round.acted.append(event)
                self.put[event.seat] = self.put.get(event.seat, 0) + event.amount
            case ev.BetReturned():
                self.put[event.seat] -= event.amount
            case ev.PotsGathered():
                assert sum(amount for amount, _ in event.pots) == sum(self.put.values())
                assert all(amount > 0 and seats for amount, seats in event.pots)
                for _, seats in event.pots:
                    assert all(self.view.seat(seat).hand == "live" for seat in seats)
            case ev.PotAwarded():
                assert {seat for seat, _ in event.winners} <= set(self.view.pots[event.pot].seats)
                each, odd = divmod(event.amount, len(event.winners))
                paid = sorted(amount - each for _, amount in event.winners)
                assert paid == [0] * (len(paid) - odd) + [1] * odd, "nobody gets two odd chips"
                assert sorted(seat for seat, amount in event.winners if amount > each) == sorted(event.odd)
            case ev.HandShown() | ev.HandMucked():
                if not self.expected:
                    self.expected = self._payouts()
            case ev.HandEnded():
                self._check_payouts()
                assert sum(pot.amount for pot in self.view.pots) == 0
                won = sum(award.amount for award in self.view.awards)
                assert won == sum(self.put.values()), "refunds and pots are what was put in"
                for seat, chips in event.stacks:
                    assert self.view.seat(seat).chips == chips
            case _:
                pass

    def _payouts(self) -> list[dict[Seat, Chips]]:
        """What the plain rules pay, before the first hand is shown; nothing for wild cards and spades."""
        rule = self.scenario.game.showdown
        if rule.spade or self.view.wilds:
            return []
        live = {seat.seat: seat for seat in self.view.in_hand()}
        order = [seat for seat, _ in self._hand_started().stacks if seat in live]
        return payouts(
            [(pot.amount, pot.seats) for pot in self.view.pots],
            {seat: [*known(live[seat].down), *live[seat].up, *self.view.community] for seat in order},
            {seat: live[seat].declared for seat in order},
            rule.high.key if rule.high else "",
            rule.low.key if rule.low else "",
            self.scenario.stakes.invalid_low,
        )

    def _hand_started(self) -> ev.HandStarted:
        started = self.events[0]
        assert isinstance(started, ev.HandStarted)
        return started

    def _check_payouts(self) -> None:
        for number, expected in enumerate(self.expected):
            paid: dict[Seat, Chips] = {}
            for award in self.view.awards:
                for seat, amount in award.winners if award.pot == number else ():
                    paid[seat] = paid.get(seat, 0) + amount
            if self.scenario.stakes.odd_chip == "position":
                assert paid == expected, f"pot {number} is paid {paid} instead of {expected}"
            else:
                assert paid.keys() == expected.keys(), f"pot {number} is paid {paid} instead of {expected}"
                assert all(abs(paid[seat] - expected[seat]) <= 2 for seat in paid)

    def _new_cards(self, cards: Sequence[Card] | Iterator[Card]) -> None:
        for card in cards:
            assert card not in self.dealt, "a card is dealt twice"
            self.dealt.add(card)


def play(
    deal: Scenario,
    rng: random.Random,
    *,
    laws: bool = True,
    probe: float = 0.1,
    late: float = 0.05,
    project: Project = project,
) -> tuple[list[Played], list[AnyEvent]]:
    """Play the hand out; what was done and what happened.

    With chance `probe` every action that is not offered is tried at a decision, with chance `late` the clock decides.
    """
    hand = deal.hand()
    referee = Referee(deal, project, laws)
    referee.take(hand.start())
    calm = rng.random()
    done: list[Played] = []
    while not hand.over:
        assert hand.requests, "somebody is to act or the hand is over"
        if rng.random() < probe:
            refuses_everything_else(hand)
        player = rng.choice(list(hand.requests))
        seat = hand.seats[player]
        if rng.random() < late:
            action = hand.default(seat)
        else:
            action = pick(rng, hand.requests[player].options, calm)
        done.append((seat, action))
        referee.take(hand.act(seat, action))
    assert sum(hand.chips) == referee.total
    return done, referee.events


def again(deal: Scenario, done: Sequence[Played]) -> tuple[Hand, list[AnyEvent]]:
    """The same actions in the same hand."""
    hand = deal.hand()
    events = hand.start()
    for seat, action in done:
        events += hand.act(seat, action)
    return hand, events


def every_option_is_accepted(deal: Scenario, done: Sequence[Played], rng: random.Random) -> None:
    """At one decision of the hand each option is taken in turn, at both bounds."""
    if not done:
        return  # everybody was all-in on the ante
    at = rng.randrange(len(done))
    hand, _ = again(deal, done[:at])
    for player, request in hand.requests.items():
        for option in request.options:
            for to in {option.least, option.most}:
                action = fill_in(rng, option)
                if option.kind in WAGERS:
                    action = replace(action, to=to)
                other, _ = again(deal, done[:at])
                assert other.act(hand.seats[player], action)


def soak(hands: int, seed: int = 1, games: Sequence[Game] | None = None) -> int:
    """So many random hands of every game with all checks; how many events there were."""
    count = 0
    for game in games or list(GAMES.values()):
        for number in range(hands):
            rng = random.Random(f"{seed} {game.id} {number}")
            deal = scenario(rng, game)
            try:
                done, events = play(deal, rng)
                assert again(deal, done)[1] == events, "a replay of the same actions differs"
                every_option_is_accepted(deal, done, rng)
            except Exception as error:
                raise AssertionError(f"{game.id}, seed {seed}, hand {number}: {error}") from error
            count += len(events)
    return count
