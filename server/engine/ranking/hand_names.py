"""Hands in the words that players use.

The functions take the five cards that play, or one to four cards of a board or an unfinished hand. A low is named by
its two highest ranks, as at a table: "seven-five low".
"""

from collections.abc import Sequence

from protocol.cards import RANK_NAMES, SUIT_NAMES, Card, rank_of
from server.engine.ranking.card_order import low_rank

PLURALS = tuple(name + ("es" if name == "six" else "s") for name in RANK_NAMES)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
WHEEL_RANKS = {12, 0, 1, 2, 3}


def reading_order(cards: Sequence[Card], ace_low: bool) -> tuple[Card, ...]:
    """The cards as they are read out: the most frequent rank first, then the higher one.

    The ace of A-2-3-4-5 comes last, in a high hand, too.
    """
    ranks = [card >> 2 for card in cards]
    if set(ranks) == WHEEL_RANKS and len(ranks) == 5:
        ace_low = True
    height = low_rank if ace_low else rank_of
    return tuple(sorted(cards, key=lambda card: (ranks.count(card >> 2), height(card), card & 3), reverse=True))


def _groups(cards: Sequence[Card], ace_low: bool) -> list[tuple[int, int]]:
    """(rank, how many) in reading order."""
    counts: dict[int, int] = {}
    for card in reading_order(cards, ace_low):
        counts[card >> 2] = counts.get(card >> 2, 0) + 1
    return list(counts.items())


def _sets(groups: Sequence[tuple[int, int]]) -> str | None:
    """The pairs, threes and fours among the cards; None if every rank is different."""
    (first, most), *rest = groups
    second = rest[0][1] if rest else 0
    match most, second:
        case 1, _:
            return None
        case 2, 2:
            return f"two pair, {PLURALS[first]} and {PLURALS[rest[0][0]]}"
        case 2, _:
            return f"pair of {PLURALS[first]}"
        case 3, 2:
            return f"full house, {PLURALS[first]} over {PLURALS[rest[0][0]]}"
        case _:
            return f"{NUMBERS[most]} {PLURALS[first]}"


def _kicker(groups: Sequence[tuple[int, int]]) -> str:
    for rank, count in groups[1:]:
        if count == 1:
            return f", {RANK_NAMES[rank]} kicker"
    return ""


def is_flush(cards: Sequence[Card]) -> bool:
    """Five cards of one suit."""
    return len(cards) == 5 and len({card & 3 for card in cards}) == 1


def is_straight(cards: Sequence[Card]) -> bool:
    """Five ranks in a row, the ace at either end."""
    ranks = {card >> 2 for card in cards}
    return len(cards) == len(ranks) == 5 and (max(ranks) - min(ranks) == 4 or ranks == WHEEL_RANKS)


def high_name(cards: Sequence[Card]) -> str:
    """One to five cards as a high hand: "two pair, kings and nines, jack kicker"."""
    groups = _groups(cards, ace_low=False)
    top = RANK_NAMES[groups[0][0]]
    if is_straight(cards):
        if not is_flush(cards):
            return f"{top}-high straight"
        return "royal flush" if top == "ace" else f"{top}-high straight flush"
    if is_flush(cards):
        return f"{top}-high flush"
    return (_sets(groups) or f"{top} high") + _kicker(groups)


def low_name(cards: Sequence[Card]) -> str:
    """Five cards as a low: "seven-five low", "pair of aces low", "wheel"."""
    if is_straight(cards) and {card >> 2 for card in cards} == WHEEL_RANKS:
        return "wheel"
    return f"{_low_words(cards)} low"


def unfinished_low_name(cards: Sequence[Card]) -> str:
    """One to four cards on the way to a low: "eight-six so far"."""
    return f"{_low_words(cards)} so far"


def _low_words(cards: Sequence[Card]) -> str:
    groups = _groups(cards, ace_low=True)
    return _sets(groups) or "-".join(RANK_NAMES[rank] for rank, _ in groups[:2])


def unfinished_eight_name(cards: Sequence[Card]) -> str:
    """One to four cards on the way to an eight-or-better low, for which only low cards of different ranks count."""
    helping = {low_rank(card): card for card in cards if low_rank(card) < 8}
    if not helping:
        return "nothing for low so far"
    few = f"{NUMBERS[len(helping)]} low card{'s' if len(helping) > 1 else ''}"
    return f"{_low_words(list(helping.values()))} so far, {few}"


def no_eight_low(cards: Sequence[Card]) -> str:
    """Why five or more cards make no eight-or-better low."""
    ranks = {card >> 2 for card in cards if low_rank(card) < 8}
    few = f"only {NUMBERS[len(ranks)]}" if ranks else "no"
    return f"no low: {few} rank{'' if len(ranks) == 1 else 's'} of eight or under"


def no_ace_to_six(cards: Sequence[Card]) -> str:
    """Why five or more cards make no low where a straight or a flush is no low."""
    suits = {card & 3 for card in cards}
    if len(suits) > 1:
        return "no low: a straight"
    number = NUMBERS[len(cards)] if len(cards) < len(NUMBERS) else str(len(cards))
    return f"no low: {number} {SUIT_NAMES[suits.pop()]}"
