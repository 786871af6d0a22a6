"""The pots, and who won them, in words for a screen."""

from client.display.text_cells import clean
from protocol.narration.awards import awarded, scooper, voided
from protocol.narration.spans import plain
from protocol.view import TableView


def pots_line(view: TableView, names: bool) -> str:
    """All chips in the middle and who can win them: ``pot 34: main 20 (1 3 5), side 8 (1 5), bets 6``."""
    bets = sum(seat.bet for seat in view.seats)
    live = {seat.seat for seat in view.in_hand()}
    parts = []
    for number, pot in enumerate(view.pots):
        if not pot.amount:
            continue
        seats = [seat for seat in pot.seats if seat in live]  # some may have folded after the pot was gathered
        if len(seats) == len(live):
            who = "" if len(view.pots) == 1 else " (all)"
        elif names:
            who = f" ({', '.join(clean(view.name(seat)) for seat in seats)})"
        else:
            who = f" ({' '.join(str(seat) for seat in seats)})"
        parts.append(f"{'side' if number else 'main'} {pot.amount}{who}")
    if bets:
        parts.append(f"bets {bets}")
    total = f"pot {view.pot()}"
    if not parts or (len(parts) == 1 and not bets and len(view.pots) == 1):
        return total
    return f"{total}: " + ", ".join(parts)


def result_lines(view: TableView, seat: int) -> list[str]:
    """The result of the last hand: a headline, then a line for every share of every pot. Empty while a hand runs."""
    if view.playing or not view.hand:
        return []
    view = view.as_it_ended()
    if not view.awards:
        return [plain(voided(view.hand, view.why, view))]
    winners = [player for player in view.players() if player.won]
    shared = scooper(view.awards, lambda seat: view.seat(seat).values) is not None
    if len(winners) == 1:
        verb = "scoops" if shared else "wins"
        head = f"{clean(winners[0].name)} {verb} {winners[0].won}"
    else:
        head = ", ".join(f"{clean(player.name)} wins {player.won}" for player in winners)
    text = f"Hand {view.hand}: {head}"
    if seat and view.seat(seat).total:
        own = view.seat(seat)
        text += f" (you {own.won - own.total:+d})"
    return [text, *(plain(awarded(award, view)) for award in view.awards)]
