"""The chances are right: against a plain count, the engine, pokerkit, and one way of counting against the other."""

import random
from collections.abc import Sequence
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from protocol import commands as cmd
from protocol.cards import DECK, Card, cards, cards_text
from protocol.events import PotAwarded
from protocol.view import TableView
from replays.chances import batches
from replays.chances.deals import every_deal, number_of_deals
from replays.chances.estimate import Chance, Estimate, Numbers
from replays.chances.memory import remember
from replays.chances.shares import Average
from replays.chances.spot import Spot, spot_of, untold
from server.engine.games.catalogue import GAMES
from tests.support.child_python import in_child
from tests.support.limits import length
from tests.support.local_table import LocalTable
from tests.support.plain_payouts import payouts
from tests.support.plain_rankings import ace_to_six_key, high_key
from tests.support.seen_tables import live, seen_table

ALWAYS = pytest.mark.parametrize("numpy", [True, False])
FOUR_ERRORS = 4
"""So far from the truth a sample is once in 16,000 times."""


def judged(view: TableView, *, numpy: bool | None = None) -> Numbers:
    spot = spot_of(view, 1, GAMES[view.game])
    assert spot is not None
    return Estimate(spot, numpy=numpy).finish()


def value(chance: Chance | None) -> float:
    assert chance is not None
    return chance.value


def leave(view: TableView, unseen: str) -> TableView:
    """The table on which a folded hand has shown every other card, so that only these are unseen."""
    known = {card for seat in view.seats for card in (*seat.up, *seat.down, *seat.before) if card is not None}
    folded = live(len(view.seats) + 1)
    folded.hand = "folded"
    folded.up = tuple([card for card in DECK if card not in known and card not in cards(unseen)])
    return seen_table(view.game, *view.seats, folded, keep=view.keep)


def plain_shares(spot: Spot, game: str) -> tuple[float, float]:
    """(share of the pots that seat 1 can win, chance to win all of it), by counting plainly; for up to a few deals."""
    showdown = GAMES[game].showdown
    high, low = (ranking.key if ranking is not None else "" for ranking in (showdown.high, showdown.low))
    seats = [hand.seat for hand in spot.hands]
    pots = [(60 * pot.chips, [seats[place] for place in pot.places]) for pot in spot.pots]
    declared = {hand.seat: hand.declared for hand in spot.hands if spot.declared}
    total = sum(chips for chips, _ in pots)
    shares = []
    for deal in every_deal(spot):
        dealt = {
            hand.seat: (*hand.cards, *deal[0], *deal[2 * place + 1], *deal[2 * place + 2])
            for place, hand in enumerate(spot.hands)
        }
        paid = payouts(pots, dealt, declared, high, low, "ranks_last")
        shares.append(sum(row.get(1, 0) for row in paid) / total)
    return sum(shares) / len(shares), sum(share == 1 for share in shares) / len(shares)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "stud", "studhilo", "plainrazz"])
def test_small_spots_are_counted_out(game: str) -> None:
    two = leave(
        seen_table(game, live(1, "As 3c", "4d 5h 7s Kh"), live(2, up="Kd 9c 2h Ks", hidden=2)), "2c 6d 8h 9d 4c Tc Qd"
    )
    three = leave(
        seen_table(
            game,
            live(1, "As 3c 8d", "4d 5h 7s Kh"),
            live(2, up="Kd 9c 2h Ks", hidden=3),
            live(3, "6h 6s", "2s 5d 6c 8c", 1),
        ),
        "2c 6d 8h 9d 4c",
    )
    short = three.copy()
    short.seats[1].all_in, short.seats[1].total, short.seats[2].total = True, 3, 9
    short.seats[0].total = 9
    for view, pots in ((two, 1), (three, 1), (short, 2)):
        spot = spot_of(view, 1, GAMES[game])
        assert spot is not None
        share, scoop = plain_shares(spot, game)
        assert len(spot.pots) == pots
        for numpy in (True, False):
            found = Estimate(spot, numpy=numpy).finish()
            assert found.exact
            assert found.deals == number_of_deals(spot)
            assert value(found.share) == pytest.approx(share)
            assert value(found.scoop) == pytest.approx(scoop)


@ALWAYS
@pytest.mark.parametrize(
    ("ways", "own"),
    [
        (("high", "low"), "2s 4d 6h 8s Kc"),
        (("low", "low"), "2s 3d 4h 5s 6c"),
        (("low", "low"), "2s 4d 6h 8s Kc"),
        (("high", "high"), "2s 2d 6h 8s Kc"),
    ],
)
def test_after_the_declarations_only_the_same_way_competes(ways: tuple[str, str], own: str, numpy: bool) -> None:
    # Seat 2 keeps five of seven with the three rolled cards: whatever is best for the way in question.
    view = leave(
        seen_table("barneys", live(1, own), live(2, up="3c 4c 7h", hidden=2, before="3c 4c Jd Qd"), keep=5),
        "5d 5h Ad 9c 8d 2h",
    )
    for seat, way in zip(view.seats, ways, strict=False):
        seat.declared = way
    spot = spot_of(view, 1, GAMES["barneys"])
    assert spot is not None
    assert number_of_deals(spot) == 15, "two of six cards"
    shares = []
    for hidden in combinations(spot.unseen, 2):
        rest = [*cards("Jd Qd"), *hidden]
        fives = [[*cards("3c 4c 7h"), *two] for two in combinations(rest, 2)]
        if ways[0] != ways[1]:
            shares.append(1.0 / 2)
            continue
        shares.append(_against(cards(own), fives, ways[0]))
    found = Estimate(spot, numpy=numpy).finish()
    assert found.exact
    if ways[0] == ways[1]:
        assert value(found.share) == pytest.approx(sum(shares) / len(shares))
    assert (found.high is None) == (ways[0] == "low")
    assert (found.second is None) == (ways[0] == "high")


def _against(own: Sequence[Card], fives: Sequence[Sequence[Card]], way: str) -> float:
    """1, 1/2 or 0 for the share of the whole pot between two who went the same way."""
    if way == "high":
        mine, theirs = high_key(list(own)), max(high_key(list(five)) for five in fives)
        return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    lows = [key for five in fives if (key := ace_to_six_key(list(five))) is not None]
    mine_low = ace_to_six_key(list(own))
    if mine_low is None:
        return 0.0 if lows else -1.0
    return 1.0 if not lows or mine_low > max(lows) else 0.5 if mine_low == max(lows) else 0.0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_numpy_and_plain_python_agree(game: str) -> None:
    table = LocalTable(game, 4, seed=7)
    table.deal()
    streets = set()
    while table.step():
        view = table.state.view
        memory = remember([event for step in table.steps for event in step], 1)
        spot = spot_of(view, 1, GAMES[game], memory)
        if spot is None or untold(view, GAMES[game]) or (view.street, spot.declared) in streets:
            continue
        streets.add((view.street, spot.declared))
        plain, fast = Estimate(spot, numpy=False).finish(), Estimate(spot, numpy=True).finish()
        for one, other in zip(_chances(plain), _chances(fast), strict=True):
            assert (one is None) == (other is None)
            if one is not None and other is not None:
                assert abs(one.value - other.value) <= FOUR_ERRORS * sqrt(one.error**2 + other.error**2) + 1e-9
    assert len(streets) > 3


@pytest.mark.slow
def test_no_block_of_deals_is_out_of_line() -> None:
    view = seen_table("plainrazz", live(1, "As 3c", "4d 9h Ks"), live(2, up="5d 6h 8c", hidden=2))
    spot = spot_of(view, 1, GAMES["plainrazz"])
    assert spot is not None
    exact = 0.4577934  # all 105,886,000 deals, counted once
    deals = batches.RandomDeals(spot)
    everything = Average()
    for _ in range(500):
        block = deals.next()
        average = Average()
        batches.count(spot, block, average)
        assert average.count == batches.BLOCK
        assert abs(average.mean(0) - exact) < 6 * average.error(0)
        batches.count(spot, block, everything)
    assert abs(everything.mean(0) - exact) < FOUR_ERRORS * everything.error(0)


@pytest.mark.parametrize("game", ["stud8", "queen", "chicago", "barneys"])
def test_a_random_deal_gives_each_hand_its_number_of_cards_and_every_card_is_as_likely(game: str) -> None:
    others = [live(seat, up=row, hidden=2) for seat, row in enumerate(("7h", "2d", "Kc"), 2)]
    spot = spot_of(seen_table(game, live(1, "As 3c", "4d"), *others), 1, GAMES[game])
    assert spot is not None
    deals, blocks = batches.RandomDeals(spot), 20
    deck = [batches.lane(card) for card in spot.unseen]
    times = np.zeros((len(spot.hands), len(deck)))
    for _ in range(blocks):
        hands = np.array([hand.cards for hand in deals.next()])[:, :, None] & np.array(deck, dtype=np.uint64) > 0
        assert (hands.sum(axis=0) <= 1).all()
        assert (hands.sum(axis=2) == [[hand.missing] for hand in spot.hands]).all()
        times += hands.sum(axis=1)
    for row, hand in zip(times, spot.hands, strict=True):
        likely = hand.missing / len(deck)
        expected, error = blocks * batches.BLOCK * likely, sqrt(blocks * batches.BLOCK * likely * (1 - likely))
        assert (abs(row - expected) < 5 * error).all()


def _chances(found: Numbers) -> list[Chance | None]:
    return [found.share, found.high, found.second, found.scoop]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "stud", "studhilo", "plainrazz", "razz", "chicago", "queen"])
@pytest.mark.parametrize("cards_held", [3, 5])
def test_the_engine_pays_the_share_on_average(game: str, cards_held: int) -> None:
    dice = random.Random(f"{game} {cards_held}")
    deck = list(DECK)
    dice.shuffle(deck)
    table = _dealt(game, deck)

    def waits(view: TableView) -> bool:
        own = view.seat(1)
        return (
            own.pending is not None
            and own.pending.request.decision == "bet"
            and len(own.up) + len(own.down) >= cards_held
        )

    table.play_until(waits)
    spot = spot_of(table.state.view, 1, GAMES[game])
    assert spot is not None
    found = Estimate(spot).finish()
    hidden = [place for place, card in enumerate(deck) if card in spot.unseen]
    shares, scoops, deals = 0.0, 0, length(150, 4000)
    for _ in range(deals):
        others = [deck[place] for place in hidden]
        dice.shuffle(others)
        other = list(deck)
        for place, card in zip(hidden, others, strict=True):
            other[place] = card
        played = _dealt(game, other)
        played.settle()
        awards = [event for event in played.steps[-1] if isinstance(event, PotAwarded)]
        total = sum(award.amount for award in awards)
        won = sum(chips for award in awards for seat, chips in award.winners if seat == 1)
        shares, scoops = shares + won / total, scoops + (won == total)
    share, scoop = found.share, found.scoop
    assert share is not None
    assert scoop is not None
    spread = share.error * sqrt(found.deals)  # of one deal
    assert abs(shares / deals - share.value) < FOUR_ERRORS * spread / sqrt(deals) + 0.01  # odd chips
    assert abs(scoops / deals - scoop.value) < FOUR_ERRORS * sqrt(0.25 / deals)


def _dealt(game: str, deck: Sequence[Card]) -> LocalTable:
    table = LocalTable(game, 4, chips=1000)
    table.do(cmd.StartHand(tuple(deck), "t1-1"))
    return table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "types"),
    [("stud8", ("StandardHighHand", "EightOrBetterLowHand")), ("plainrazz", ("RegularLowHand",))],
)
@pytest.mark.parametrize(
    ("own", "others"),
    [("As 3c 4d", ["Kd", "7c"]), ("As 3c 4d 9h Ks", ["5d 6h 8c", "7c 7d Qh"]), ("2s 3c 9d 9h", ["Ac 5d"])],
)
def test_pokerkit_agrees(game: str, types: tuple[str, ...], own: str, others: list[str]) -> None:
    hidden = [live(seat, up=row, hidden=2) for seat, row in enumerate(others, 2)]
    found = judged(seen_table(game, live(1, cards_text(cards(own)[:2]), cards_text(cards(own)[2:])), *hidden))
    deals = 500
    rows = [row.replace(" ", "") for row in (own, *others)]
    (theirs,) = in_child(POKERKIT, deals, ",".join(types), *rows, PYTHONHASHSEED="0")
    share = found.share
    assert share is not None
    error = sqrt(share.error**2 + (share.error**2 * found.deals) / deals)
    assert abs(float(theirs) - share.value) < FOUR_ERRORS * error


POKERKIT = """
import random
import sys
import pokerkit
deals, types, *rows = sys.argv[1:]
random.seed(5)
print(pokerkit.calculate_equities(
    [[list(pokerkit.Card.parse(row))] for row in rows], (), 7, 0, pokerkit.Deck.STANDARD,
    tuple([getattr(pokerkit, kind) for kind in types.split(",")]), sample_count=int(deals),
)[0])
"""
"""The equity of the first row. The decks of pokerkit go through sets, so they follow from the seed of hashes, too: in a
process of its own both are fixed, and the result never differs.
"""
