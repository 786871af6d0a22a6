"""The result of a hand as data for a screen: who won what with which cards, who lost with what, and why you lost.

Everything comes from the view of one player, so nothing is said that they cannot see.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from client.display.playing_cards import Side, shown_hands
from protocol.cards import RANK_NAMES, Card
from protocol.events import Chips, PotAwarded, Seat
from protocol.narration import hand_names
from protocol.narration.awards import names_of, why_half
from protocol.narration.phrases import filled, safe
from protocol.narration.spans import plain
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.hand_words import named_hands, usable_cards
from server.engine.games.known_games import game_at
from server.engine.ranking.rankings import Ranking
from server.engine.ranking.wild_cards import name_with_wilds

SPADES = 3


@dataclass(frozen=True, slots=True)
class Share:
    """What a player won with one hand, in all pots together.

    Fields:
        side: what the hand was best at; empty in a game that pays one hand, and where nothing had to be shown.
        name: the name of the hand as players say it; five: the cards that make it.
        won: chips; 0 for the second hand of a player who won both halves in one.
        pots: numbers of the pots, 0 for the main pot; tied: whether somebody else has the same hand.
    """

    side: Side | str
    seat: Seat
    name: str
    five: tuple[Card, ...]
    won: Chips
    pots: tuple[int, ...]
    tied: bool = False


@dataclass(frozen=True, slots=True)
class Contender:
    """A player who showed a hand and won nothing with it: for every side its name; `five`: the cards of the first."""

    seat: Seat
    names: tuple[str, ...]
    five: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Showdown:
    """A result, as far as it has been revealed.

    Fields:
        pots: chips paid from each pot, by number.
        shares: who won, the high hands first; notes: what happened to a half that nobody won.
        contenders: shown hands that won nothing; mucked, folded: seats that showed nothing.
    """

    pots: dict[int, Chips] = field(default_factory=dict)
    shares: tuple[Share, ...] = ()
    notes: tuple[str, ...] = ()
    contenders: tuple[Contender, ...] = ()
    mucked: tuple[Seat, ...] = ()
    folded: tuple[Seat, ...] = ()


def has_begun(view: TableView) -> bool:
    """Whether there is something of the showdown to be seen: a shown hand, a mucked one, or a paid pot."""
    return bool(view.awards) or any(seat.values or seat.mucked for seat in view.in_hand())


def showdown(view: TableView) -> Showdown:
    """The result of the last hand. `view` has the players of that hand in its seats (`TableView.as_it_ended`)."""
    pots: dict[int, Chips] = {}
    for award in view.awards:
        pots[award.pot] = pots.get(award.pot, 0) + award.amount
    shares = _shares(view)
    winners = {share.seat for share in shares}
    others = [seat for seat in view.in_hand() if seat.seat not in winners]
    return Showdown(
        pots=pots,
        shares=shares,
        notes=_notes(view, len(pots)),
        contenders=tuple([_contender(view, seat) for seat in others if seat.values]),
        mucked=tuple([seat.seat for seat in others if seat.mucked and not seat.values]),
        folded=tuple([seat.seat for seat in view.seats if seat.hand == "folded"]),
    )


# ------------------------------------------------------------------------ winners

_ORDER: tuple[str, ...] = ("high", "", "low", "spade")


def _shares(view: TableView) -> tuple[Share, ...]:
    """One for each winner and hand: the same hand that wins several pots is one share."""
    found: dict[tuple[str, Seat, str], Share] = {}
    for award in view.awards:
        for seat, amount in award.winners:
            for number, (side, name, five) in enumerate(_hands_that_won(view, award, seat)):
                share = Share(side, seat, name, five, 0 if number else amount, (award.pot,), len(award.winners) > 1)
                before = found.get((side, seat, name))
                if before is not None:
                    pots = tuple(sorted({*before.pots, award.pot}))
                    share = replace(share, won=before.won + share.won, pots=pots, tied=share.tied or before.tied)
                found[side, seat, name] = share
    return tuple(sorted(found.values(), key=lambda share: (_ORDER.index(share.side), share.pots, share.seat)))


def _hands_that_won(view: TableView, award: PotAwarded, seat: Seat) -> list[tuple[str, str, tuple[Card, ...]]]:
    """(side, name, cards) of the hand that won this award, or of two where it is both halves."""
    shown = shown_hands(view, seat)
    halves = len(shown) > 1 or bool(view.seat(seat).declared)
    hands: list[tuple[str, str, tuple[Card, ...]]] = []
    for name in names_of(award, view):
        fits = [hand for hand in shown if hand[1] == name and award.part in ("whole", hand[0])]
        side, five = (fits[0][0], fits[0][2]) if fits else ("", ())
        whole = side if halves else ""
        hands.append((whole if award.part == "whole" else award.part, hand_names.spoken(name), five))
    part: str = "" if award.part == "whole" else award.part
    if not hands:
        hands.append((part, plain(filled(award.why, view)), ()))
    return hands


def _notes(view: TableView, pots: int) -> tuple[str, ...]:
    """``no low: high takes all``, ``side pot 1: nobody went low``"""
    told: dict[str, list[int]] = {}
    for award in view.awards:
        for why in why_half(award, view):
            told.setdefault(why, []).append(award.pot)
    return tuple([why if len(of) == pots else f"{pots_words(of, pots)}: {why}" for why, of in told.items()])


def pots_words(numbers: Sequence[int], pots: int) -> str:
    """``main, sides 1-3`` for four pots of five; empty where there is only one pot, ``all pots`` for all of several."""
    if pots == 1:
        return ""
    if len(numbers) == pots:
        return "all pots"
    sides = [number for number in numbers if number]
    words = ["main"] if 0 in numbers else []
    if len(sides) > 2 and sides[-1] - sides[0] == len(sides) - 1:
        words.append(f"sides {sides[0]}-{sides[-1]}")
    elif sides:
        words.append(f"side{'s' * (len(sides) > 1)} {', '.join(map(str, sides))}")
    return ", ".join(words) if pots > 2 else ", ".join(words).replace("side 1", "side")


# ------------------------------------------------------------------------- losers


def _contender(view: TableView, seat: SeatView) -> Contender:
    hands = [(side, safe(name), five) for side, name, five in shown_hands(view, seat.seat)]
    both = len(hands) > 1
    names = [hand_names.beside(side, name) if both else hand_names.spoken(name) for side, name, _ in hands]
    return Contender(seat.seat, tuple(names), next((five for _, _, five in hands if five), ()))


def why_lost(view: TableView, seat: Seat) -> str:
    """Why the player won nothing with a side of their hand, in a sentence or two; empty where there is nothing to say.

    ``You lost high: ace high against a ten-high flush.`` A player who declared one direction reads about the other one
    what would have been. `view` is the view of this player at the end.
    """
    if not 1 <= seat <= len(view.seats) or not view.awards:
        return ""
    own = view.seat(seat)
    game = game_at(view)
    if own.hand != "live" or game is None or len(view.in_hand()) < 2 or not any(one.values for one in view.seats):
        return ""
    sides: list[tuple[Side, Ranking | None]] = []
    rules = game.showdown
    if rules.high is not None:
        sides.append(("high", rules.high))
    if rules.low is not None:
        sides.append(("low", rules.low))
    if rules.spade:
        sides.append(("spade", None))
    several = len(sides) > 1
    lost = [_lost(view, own, side, several) for side, _ in sides if own.declared in ("", side)]
    told = [f"You {'; '.join(part for part in lost if part)}."] if any(lost) else []
    told += [_other_way(view, own, side, ranking) for side, ranking in sides if own.declared not in ("", side)]
    return " ".join(part for part in told if part)


def _lost(view: TableView, own: SeatView, side: Side, several: bool) -> str:
    """``lost high: ace high against a ten-high flush``; empty where the player won that side or nobody did."""
    winner = _winner_against(view, own, side)
    if not winner:
        return ""
    mine = _own_name(view, own, side)
    if mine.startswith("no "):
        return f"had {mine}"
    if not mine:
        return ""
    return f"lost{f' {side}' if several else ''}: {_against(mine, winner, side)}"


def _against(mine: str, theirs: str, side: Side) -> str:
    """``ace high against a ten-high flush``; kickers only where they decide."""
    better = " with better side cards" if mine == theirs else ""
    if hand_names.without_kicker(mine) != hand_names.without_kicker(theirs):
        mine, theirs = hand_names.without_kicker(mine), hand_names.without_kicker(theirs)
    mine, theirs = hand_names.one(mine), hand_names.one(theirs)
    if side == "low":
        mine, theirs = mine.removesuffix(" low"), theirs.removesuffix(" low")
    return f"{mine} against {theirs}{better}"


def _winner_against(view: TableView, own: SeatView, side: Side) -> str:
    """The name of the hand that won that side of the first pot that the player could have won.

    Empty if there is none, or if they won that side of some pot.
    """
    against = ""
    for award in view.awards:
        hands = _hands_that_won(view, award, award.winners[0][0])
        name = next((name for one, name, _ in hands if one in (side, "") and award.hand), "")
        if name and any(seat == own.seat for seat, _ in award.winners):
            return ""
        if not against and award.pot < len(view.pots) and own.seat in view.pots[award.pot].seats:
            against = name
    return against


def _own_name(view: TableView, own: SeatView, side: Side) -> str:
    """What the player's own cards made, as they know themselves."""
    shown = [safe(name) for one, name, _ in shown_hands(view, own.seat) if one == side]
    if shown:
        return hand_names.spoken(shown[0])
    if None in own.down:
        return ""
    cards = usable_cards(view, own.seat)
    if side == "spade":
        spades = [card for card in own.down if card is not None and card & 3 == SPADES]
        return f"the {RANK_NAMES[max(spades) >> 2]} of spades" if spades else "no spade in the hole"
    wild = [card for card in cards if card >> 2 in view.wilds]
    if wild:
        return name_with_wilds(cards, wild) if side == "high" and len(cards) >= 5 else ""
    return next((hand_names.spoken(name) for one, name in named_hands(view, cards) if one == side), "")


def _other_way(view: TableView, own: SeatView, side: Side, ranking: Ranking | None) -> str:
    """What would have been if the player had declared the other direction, where that can be known."""
    if ranking is None or view.wilds or None in own.down:
        return ""
    cards = usable_cards(view, own.seat)
    strength = ranking.strength(cards) if len(cards) >= 5 else 0
    rivals = [one for one in view.in_hand() if one.declared == side and one.seat != own.seat]
    if not strength:
        return ""
    if not rivals and own.won:
        return ""  # the whole pot is more than that half
    if not rivals:
        return f"You would have won {side}: nobody went {side}."
    shown = [(one, (*one.shown, *one.up, *view.community)) for one in rivals if one.values]
    best = max(shown, key=lambda pair: ranking.strength(pair[1]), default=None)
    if best is None or len(best[1]) < 5:
        return ""
    rival = ranking.strength(best[1])
    verb = "lost" if rival > strength else "won" if rival < strength else "tied"
    compared = _against(_own_name(view, own, side), hand_names.spoken(ranking.name(best[1])), side)
    return f"You would have {verb} {side}: {compared}."
