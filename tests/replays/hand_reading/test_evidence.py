"""What a reading is worth: shown cards are likelier in it than at random, and its shares are nearer to what was won."""

from collections.abc import Iterable
from itertools import chain
from math import log2, sqrt

import pytest

from protocol import events as ev
from protocol.cards import MaybeCard
from protocol.events import Seat
from replays.chances.estimate import Estimate
from replays.chances.memory import remember
from replays.chances.spot import spot_of
from replays.hand_reading.read_chances import ReadEstimate
from replays.hand_reading.reading import Reading, read_hands
from replays.phh.format import read
from replays.phh.importer import play_hands
from server.engine.games.known_games import game_at
from tests.support.bot_hands import BotHand, bot_hands, played_hands, unseen_of
from tests.support.paths import REAL_HANDS


def reading(hand: BotHand, until: int, seat: Seat) -> Reading:
    events = hand.seen(until, seat)
    return read_hands(hand.view(until, seat), seat, events, memory=remember(events, seat))


@pytest.fixture(scope="module")
def real() -> list[BotHand]:
    if not REAL_HANDS.is_file():
        pytest.skip(f"the real hands are not here ({REAL_HANDS}); RYO_REAL_HANDS can name the file")
    return list(played_hands(play_hands(read(REAL_HANDS.read_text()), "real", 0).steps))


def bits(hands: Iterable[BotHand]) -> list[float]:
    """For each hand with a showdown: how much likelier its cards were read than random ones, in bits (base-2 log)."""
    found = []
    for hand in hands:
        until = hand.showdown
        if not until:
            continue
        row = []
        for seat in [one.seat for one in hand.view(until).in_hand()]:
            read_now = reading(hand, until, seat)
            for other in read_now.opponents:
                truth = unseen_of(hand, until, other, set(read_now.known(other)))
                row.append(log2(read_now.odds(other, truth)))
        found.append(sum(row) / len(row))
    return found


def mean_and_error(numbers: list[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean = sum(numbers) / len(numbers)
    return mean, sqrt(sum((one - mean) ** 2 for one in numbers) / (len(numbers) - 1) / len(numbers))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud", "stud8", "razz"])
def test_cards_at_the_showdown_are_likelier_than_random_ones(game: str) -> None:
    mean, error = mean_and_error(bits(bot_hands(game, 40, 4, "evidence")))
    assert mean > 2 * error > 0


@pytest.mark.slow
def test_in_razz_the_cards_that_others_turn_up_say_how_many_large_ones_they_still_hide() -> None:
    """Who shows a small card on a later street hides few large ones: a large one would have been turned up."""
    truth: list[int] = []
    with_turns: list[float] = []
    without: list[float] = []
    for hand in bot_hands("razz", 30, 4, "turned"):
        for until, request in hand.decisions():
            view, events = hand.view(until, request.seat), hand.seen(until, request.seat)
            if request.decision != "bet" or not 4 <= len(view.seat(request.seat).up) + 2 <= 6:
                continue
            for counts, turned in ((with_turns, True), (without, False)):
                read_now = read_hands(view, request.seat, events, turned=turned)
                for other in read_now.opponents:
                    counts.append(sum(part * large(down) for down, part in read_now.weights(other)))
            truth += [large(tuple(hand.view(until).seat(other).down)) for other in read_now.opponents]
    assert len(truth) > 60
    told, untold, held = (sum(numbers) / len(truth) for numbers in (with_turns, without, truth))
    assert held < told < (held + untold) / 2


def large(down: Iterable[MaybeCard]) -> int:
    """How many of the cards are above an eight; aces are low."""
    return sum(card is not None and 6 < card >> 2 < 12 for card in down)


def better(hands: Iterable[BotHand]) -> list[float]:
    """For each hand with a showdown: by how much the squared error of the share that a seat expects becomes smaller.

    The share is what the seat expects at its last bet, from its reading instead of random cards; the truth is the part
    of all pots that it has won.
    """
    found = []
    for hand in hands:
        live = [one.seat for one in hand.view(hand.showdown).in_hand()] if hand.showdown else []
        awards = [event for event in hand.events if isinstance(event, ev.PotAwarded)]
        last = {request.seat: until for until, request in hand.decisions() if request.decision == "bet"}
        row = []
        for seat in live:
            errors = _squared_errors(hand, last[seat], seat, awards) if seat in last else None
            row += [errors[0] - errors[1]] if errors else []
        found += [sum(row) / len(row)] if row else []
    return found


def _squared_errors(hand: BotHand, until: int, seat: Seat, awards: list[ev.PotAwarded]) -> tuple[float, float] | None:
    """Of random cards, and of the reading; None where no share is told."""
    view, events = hand.view(until, seat), hand.seen(until, seat)
    spot = spot_of(view, seat, game_at(view), remember(events, seat))
    assert spot is not None
    plain, as_played = Estimate(spot), ReadEstimate(spot, reading(hand, until, seat))
    for _ in range(4):
        plain.work()
        as_played.work()
    shares = [numbers.share for numbers in (plain.numbers(), as_played.numbers())]
    paid = chain.from_iterable([award.winners for award in awards])
    won = sum([chips for winner, chips in paid if winner == seat]) / sum([award.amount for award in awards])
    first, second = [(share.value - won) ** 2 if share is not None else None for share in shares]
    return None if first is None or second is None else (first, second)


@pytest.mark.slow
def test_cards_at_the_showdown_of_real_hands_are_likelier_than_random_ones(real: list[BotHand]) -> None:
    mean, error = mean_and_error(bits(real))
    assert mean > 3 * error > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "razz"])
def test_a_reading_expects_what_is_won_better_than_random_cards_do(game: str) -> None:
    mean, error = mean_and_error(better(bot_hands(game, 25, 4, "brier")))
    assert mean > 2 * error > 0


@pytest.mark.slow
def test_a_reading_of_real_hands_expects_what_is_won_better_than_random_cards_do(real: list[BotHand]) -> None:
    mean, error = mean_and_error(better(real))
    assert mean > error > 0
