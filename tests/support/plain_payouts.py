"""Splitting the pots once more, written as plainly as possible, to check what the engine pays.

`payouts` is section 5 of `rules.md`, with the declared games' awkward cases of 7.4, on the plain rankings.
"""

from collections.abc import Mapping, Sequence

from protocol.cards import Card
from protocol.events import Chips, Seat
from tests.support.plain_rankings import (
    Key,
    KeyOfFive,
    ace_to_five_key,
    ace_to_six_key,
    best_key,
    eight_or_better_key,
    high_key,
)

KEYS: dict[str, KeyOfFive] = {
    "high": high_key,
    "a5": ace_to_five_key,
    "8low": eight_or_better_key,
    "a6": ace_to_six_key,
}


def payouts(
    pots: Sequence[tuple[Chips, Sequence[Seat]]],
    hands: Mapping[Seat, Sequence[Card]],
    declared: Mapping[Seat, str],
    high: str,
    low: str,
    invalid_low: str,
) -> list[dict[Seat, Chips]]:
    """What each seat gets of each pot; `hands` are those that stayed in, in dealing order."""
    return [_split(amount, seats, hands, declared, high, low, invalid_low) for amount, seats in pots]


def _split(
    amount: Chips,
    seats: Sequence[Seat],
    hands: Mapping[Seat, Sequence[Card]],
    declared: Mapping[Seat, str],
    high: str,
    low: str,
    invalid_low: str,
) -> dict[Seat, Chips]:
    highs: dict[Seat, Key] = {}
    lows: dict[Seat, Key] = {}
    for seat in [seat for seat in hands if seat in seats]:
        way = declared.get(seat, "")
        if high and way != "low":
            best = best_key(hands[seat], KEYS[high])
            assert best is not None
            highs[seat] = best
        if low and way != "high":
            found = best_key(hands[seat], KEYS[low])
            if found is not None:
                lows[seat] = (1, *found)
            elif way and invalid_low == "ranks_last":
                lows[seat] = (0, *_whole_order(hands[seat]))
    if not highs and not lows:
        lows = {seat: _whole_order(hands[seat]) for seat in hands if seat in seats}
    best_high, best_low = _best(highs), _best(lows)
    if not best_high or not best_low or best_high == best_low:
        return _even(amount, best_high or best_low)
    paid = _even((amount + 1) // 2, best_high)
    for seat, chips in _even(amount // 2, best_low).items():
        paid[seat] = paid.get(seat, 0) + chips
    return paid


def _best(keys: Mapping[Seat, Key]) -> list[Seat]:
    top = max(keys.values(), default=())
    return [seat for seat, key in keys.items() if key == top]


def _even(amount: Chips, seats: Sequence[Seat]) -> dict[Seat, Chips]:
    """Equal shares, the odd chips one each from the dealer's left."""
    return {seat: amount // len(seats) + (place < amount % len(seats)) for place, seat in enumerate(seats)}


def _whole_order(cards: Sequence[Card]) -> Key:
    """Lowest wins, straights and flushes being high hands (`rules.md` 7.4); larger is better here."""
    found = best_key(cards, _low_with_straights)
    assert found is not None
    return found


def _low_with_straights(cards: Sequence[Card]) -> Key:
    plain = ace_to_five_key(cards)
    category, *ranks = high_key(cards)
    if category in (4, 8):
        return (-category, -ranks[0])
    return (-5, *plain[1:]) if category == 5 else plain
