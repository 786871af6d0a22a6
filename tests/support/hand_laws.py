"""Hands played by chance, and everything that must hold in them.

`play` plays a `Deal` out and checks after every event and every step what `rules.md` 16 lists; it raises
AssertionError where something does not hold.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from protocol import events as ev
from protocol.actions import WAGERS, Action, Kind, Option
from protocol.cards import DECK, Card, MaybeCard
from protocol.events import AnyEvent, Chips, Seat
from protocol.stakes import Limit, Stakes
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
from tests.support.stacked_hand import words

Project = Callable[[AnyEvent, Viewer], AnyEvent]
Played = tuple[Seat, Action]


@dataclass(frozen=True)
class Scenario:
    """A hand that can be dealt again and again."""

    game: Game
    stakes: Stakes
    stacks: tuple[tuple[Seat, Chips], ...]
    button: Seat
    deck: tuple[Card, ...]

    def hand(self) -> Hand:
        """The hand, not yet started."""
        return Hand(self.game, self.stakes, self.stacks, self.button, self.deck)


def scenario(rng: random.Random, game: Game) -> Scenario:
    """Random players, chips and stakes with every switch."""
    count = rng.randint(2, game.most_players)
    small = rng.randint(1, 10)
    least = rng.randint(1, 4)
    most = rng.randint(least, 12)
    limit: Limit = rng.choice(("fixed", "fixed", "spread"))
    stakes = Stakes(
        limit=limit,
        ante=rng.randint(0, 4),
        bring_in=rng.randint(0, small if limit == "fixed" else most),
        small=small,
        big=rng.choice((small, small * 2, small * 2 + 1)),
        least=least,
        most=most,
        cap=rng.choice((1, 3, 3, 4, None)),
        heads_up_uncapped=rng.random() < 0.5,
        short_allin=rng.choice((None, "half", "full")),
        open_pair=rng.choice(("off", "any_active", "any_active", "holder")),
        opener_tie=rng.choice(("position", "suit")),
        odd_chip=rng.choice(("position", "suit_robert", "suit_tda")),
        no_check_raise=rng.random() < 0.4,
        invalid_low=rng.choice(("no_low", "ranks_last")),
    )
    if rng.random() < 0.3:
        stakes = game.stakes
    assert stakes.problem() == ""
    rich = rng.choice((5, 30, 200))
    seats = sorted(rng.sample(range(1, 9), count))
    stacks = tuple([(seat, rng.choice((1, 2, rng.randint(1, 15), rng.randint(1, rich), rich))) for seat in seats])
    deck = list(DECK)
    rng.shuffle(deck)
    return Scenario(game, stakes, stacks, rng.randint(1, 8), tuple(deck))


def fill_in(rng: random.Random, option: Option) -> Action:
    """An action that the option admits; for wagers mostly at a bound."""
    match option.kind:
        case "bet" | "complete" | "raise":
            to = rng.choice((option.least, option.most, rng.randint(option.least, option.most)))
            return Action(option.kind, to=to)
        case "choose" | "arrange" | "pass":
            return Action(option.kind, cards=tuple(rng.sample(_known(option), option.count)))
        case "discard":
            return Action("discard", cards=tuple(rng.sample(_known(option), rng.randint(0, option.count))))
        case "declare":
            return Action("declare", direction=rng.choice(option.directions))
        case _:
            return Action(option.kind)


def _known(option: Option) -> list[Card]:
    return _seen(option.cards)


def pick(rng: random.Random, options: Sequence[Option], calm: float) -> Action:
    """One of the options; folding is rare, and with chance `calm` so is wagering."""
    mild = [option for option in options if option.kind != "fold" or rng.random() < 0.15] or list(options)
    if rng.random() < calm:
        mild = [option for option in mild if option.kind not in WAGERS] or mild
    return fill_in(rng, rng.choice(mild))


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
        cards = _known(option)
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


def _seen(row: Sequence[MaybeCard]) -> list[Card]:
    return [card for card in row if card is not None]


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
class Watch:
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
            {seat: [*_seen(live[seat].down), *live[seat].up, *self.view.community] for seat in order},
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
    watch = Watch(deal, project, laws)
    watch.take(hand.start())
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
        watch.take(hand.act(seat, action))
    assert sum(hand.chips) == watch.total
    return done, watch.events


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
