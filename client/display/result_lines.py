"""The pots, and who won them, in words for a screen."""

from client.display.text_cells import clean
from protocol.narration.awards import awarded, scooper, voided
from protocol.narration.spans import plain
from protocol.view import TableView


def side_pots(view: TableView, *, names: bool) -> str:
    """The pots and who can win them, where there is more than one: ``main 20 (all), side 8 (1 5), bets 6``"""
    bets = sum(seat.bet for seat in view.seats)
    live = {seat.seat for seat in view.in_hand()}
    parts = []
    for number, pot in enumerate(view.pots):
        if not pot.amount:
            continue
        seats = [seat for seat in pot.seats if seat in live]  # some may have folded after the pot was gathered
        if len(seats) == len(live):
            who = "all"
        elif names:
            who = ", ".join(clean(view.name(seat)) for seat in seats)
        else:
            who = " ".join(str(seat) for seat in seats)
        parts.append(f"{'side' if number else 'main'} {pot.amount} ({who})")
    if bets:
        parts.append(f"bets {bets}")
    return ", ".join(parts) if len(view.pots) > 1 else ""


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
