"""The story with the five cards that win: `protocol.narration.story.tell`, and after an award which cards play.

What plays is the engine's to say, so the sentence is added here and not in the protocol.
"""

from protocol import events as ev
from protocol.cards import Card, cards_text
from protocol.events import AnyEvent, PotAwarded, Seat
from protocol.narration import phrases as words
from protocol.narration.story import tell
from protocol.view import TableView
from protocol.visibility import Viewer
from server.engine.ranking.rankings import RANKINGS


def tell_whole(event: AnyEvent, view: TableView, viewer: Viewer = None) -> list[str]:
    """As `protocol.narration.story.tell`; an award by cards is followed by the five that play, for each winner."""
    lines = tell(event, view, viewer)
    if isinstance(event, ev.PotAwarded):
        for seat, hands in winning_cards(event, view):
            both = len(hands) > 1
            told = [f"{cards_text(five)}{(' low' if low else ' high') if both else ''}" for low, five in hands]
            lines.append(f"{words.name(view, seat)} plays {words.listed(told)}.")
    return lines


def winning_cards(award: PotAwarded, view: TableView) -> list[tuple[Seat, tuple[tuple[bool, tuple[Card, ...]], ...]]]:
    """The winners whose cards were shown, each with (whether it is a low, the five that play, as they are read out).

    There are two of them for a hand that wins in both directions. Nothing for hands with wild cards, which stand for
    others, for a spade in the hole, and for lows that are none.
    """
    found = []
    for number, _ in award.winners:
        seat = view.seat(number)
        holding = (*seat.shown, *seat.up, *view.community)
        if len(holding) < 5 or any(card >> 2 in view.wilds for card in holding):
            continue
        both = " and ".join([name for _, name in seat.values]) == award.hand
        rankings = [RANKINGS[key] for key, name in seat.values if key in RANKINGS and (both or name == award.hand)]
        hands = tuple([(ranking.is_low, five) for ranking in rankings if (five := ranking.best(holding))])
        if hands:
            found.append((number, hands))
    return found
