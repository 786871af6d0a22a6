"""How the pots of a hand went: who won which share, with which cards, and who scoops."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from protocol.actions import Direction
from protocol.cards import Card
from protocol.events import Part, PotAwarded, Seat
from protocol.narration import hand_names
from protocol.narration.phrases import because, filled, player, players, pot, safe
from protocol.narration.spans import Sentence, cards, compose, joined, listed, plain
from protocol.view import TableView

HALVES: Mapping[Part, str] = {"whole": "", "high": "high", "low": "low", "spade": "spade"}
"""The shares of a pot in a word."""

WinningCards: TypeAlias = Callable[
    [PotAwarded, TableView], Sequence[tuple[Seat, Sequence[tuple[Direction, tuple[Card, ...]]]]]
]
"""Gives the winners of an award whose cards were shown, each with the five that win, one five for each direction.

Which five play is a question of rules, so the story is given a function: `server.engine.ranking.winning_cards`.
"""


def awarded(award: PotAwarded, view: TableView, winning_cards: WinningCards | None = None) -> Sentence:
    """One share of a pot in one sentence, with the cards that win it.

    ``High: Ann wins 46, a pair of aces (As Ad Kd Qh Jc).``,
    ``Ann and Bob split the low half of the main pot, 23 and 22: seven-five lows.``
    """
    reason = because(_why(award, view), view)
    played = _played(award, view, winning_cards)
    if len(award.winners) > 1:
        amounts = list(dict.fromkeys([amount for _, amount in award.winners]))
        each = f"{amounts[0]} each" if len(amounts) == 1 else _in_words([amount for _, amount in award.winners])
        hand = f": {_tied(award, view)}" if award.hand else ""
        who = players(view, [seat for seat, _ in award.winners])
        return compose(who, f" split {_share(award, view)}, {each}", hand, played, reason, ".")
    ((seat, amount),) = award.winners
    half, source = HALVES[award.part], pot(award.pot, len(view.pots)).removeprefix("the ")
    where = [source] if len(view.pots) > 1 else []
    head = ", ".join([*where, *[half] * bool(half)])
    head = head[:1].upper() + head[1:] + ": " * bool(head)
    names = names_of(award, view)
    both = ", both halves" if len(names) > 1 else ""
    hand = (": " if both else ", ") + " and ".join(map(hand_names.one, names)) if names else ""
    return compose(head, player(view, seat), f" wins {amount}{both}", hand, played, reason, ".")


def _in_words(amounts: Sequence[int]) -> str:
    """``5, 5 and 4``"""
    return ", ".join(map(str, amounts[:-1])) + f" and {amounts[-1]}"


def _share(award: PotAwarded, view: TableView) -> str:
    """``the pot``, ``the high half``, ``the high half of side pot 1``"""
    half, source = HALVES[award.part], pot(award.pot, len(view.pots))
    if not half:
        return source
    return f"the {half} half of {source}" if len(view.pots) > 1 else f"the {half} half"


def names_of(award: PotAwarded, view: TableView) -> list[str]:
    """The names of the hands that won a share: two where one player has both halves in one award, else one or none."""
    if not award.hand:
        return []
    values = [safe(name) for _, name in view.seat(award.winners[0][0]).values]
    return values if len(values) > 1 and safe(award.hand) == " and ".join(values) else [safe(award.hand)]


def _tied(award: PotAwarded, view: TableView) -> str:
    return " and ".join(map(hand_names.several, names_of(award, view)))


def _why(award: PotAwarded, view: TableView) -> str:
    """The reason in an award. Where one half had no hand, whether nobody went for it or nobody had it."""
    went_low = any(seat.declared == "low" for seat in view.in_hand())
    nobody = "no hand that went low counts" if went_low else "nobody went low"
    return award.why.replace("nobody has a hand in the other direction", nobody)


def why_half(award: PotAwarded, view: TableView) -> list[str]:
    """What happened to a half that nobody won: ``no low: high takes all``, ``nobody went low``."""
    told = [plain(filled(part, view)) for part in _why(award, view).split("; ")] if award.hand else []
    return [part for part in told if part and not part.startswith("the odd chip")]


def _played(award: PotAwarded, view: TableView, winning_cards: WinningCards | None) -> Sentence:
    """`` (As Kd Qh Jc Td)``: the cards that win, with the names where several win and the directions where both do."""
    rows = winning_cards(award, view) if winning_cards is not None else ()
    told = []
    for seat, hands in rows:
        fives = listed([compose(cards(five), f" {side}" if len(hands) > 1 else "") for side, five in hands])
        told.append(compose(player(view, seat), " ", fives) if len(award.winners) > 1 else fives)
    return compose(" (", joined(told), ")") if told else ()


def voided(hand: int, why: str, view: TableView) -> Sentence:
    """``Hand 12 does not count (power cut): everybody has the chips back.``"""
    return compose(f"Hand {hand} does not count", because(why, view), ": everybody has the chips back.")


Values: TypeAlias = Sequence[tuple[str, str]]
"""(ranking, name of the hand) of what a player showed, as in `HandShown`."""


def scooper(awards: Iterable[PotAwarded], values: Callable[[Seat], Values]) -> Seat | None:
    """The seat that scoops by these awards, or None: it wins the high and the low half and all else (`rules.md` 5).

    `values` gives the values of the hand that a seat has shown. A pot whose halves go to the same player is one award
    of the whole, which names both hands.
    """
    seats: set[Seat] = set()
    parts: set[str] = set()
    for award in awards:
        seats.update([seat for seat, _ in award.winners])
        parts.add(award.part)
        if award.part == "whole" and len(award.winners) == 1:
            named = [name for _, name in values(award.winners[0][0])]
            if len(named) > 1 and award.hand == " and ".join(named):
                parts.update(("high", "low"))
    return next(iter(seats)) if len(seats) == 1 and {"high", "low"} <= parts else None
