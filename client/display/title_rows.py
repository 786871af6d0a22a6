"""The rows above the seats: problems, the title with the way of the hand and the pot, and what lies in the middle."""

from collections.abc import Sequence

from client.display.card_tiles import card_row, result_row
from client.display.playing_cards import playing_cards
from client.display.screen_state import ScreenState
from client.display.text_cells import Line, clean, clip, cut, line_width, width
from client.display.theme import Theme
from client.display.way_of_hand import way_line
from protocol.view import TableView

LEAST_TITLE = 10
"""Columns of the title that stay, however long the way of the hand is."""
SOME_WAY = 30
"""Columns of the way from which the title is not cut to show more of it."""


def title_rows(view: TableView, state: ScreenState, theme: Theme, columns: int, *, price: bool) -> list[Line]:
    """The banner if there is one, the title row, and the row of the middle; `price`: with what staying in costs."""
    lines: list[Line] = []
    if state.banner:
        lines.append([("class:banner", f" {clean(state.banner)} ".ljust(columns))])
    lines.append(title_row(view, theme, columns))
    lines.append(middle_row(view, state, theme, columns, price=price))
    return lines


def title_row(view: TableView, theme: Theme, columns: int) -> Line:
    """``Barney's Poker · hand 12   3rd 4th [5th] 6th 7th ...   pot 130``

    A title loses its second half (``, eight or better``) if the whole way of the hand has room then.
    """
    pot = f" pot {view.pot()} " if view.pot() else ""
    hand = f"{theme.dot}hand {view.hand}" if view.hand else ""
    title = clean(view.title or "Roll Your Own")
    shorter = title.partition(",")[0]
    whole = line_width(way_line(view, theme, columns * 9))
    names = [(title, whole), (shorter, whole), (title, SOME_WAY), (shorter, SOME_WAY), (cut(shorter, LEAST_TITLE), 0)]
    for name, enough in names:
        way = way_line(view, theme, max(0, columns - width(f" {name}{hand}  ") - width(pot)))
        if line_width(way) >= enough:
            break
    left: Line = [("class:felt", f" {name}{hand} ")]
    gap = columns - line_width(left) - line_width(way) - width(pot)
    before = max(0, min(gap, gap // 2 if pot else gap))
    return clip(
        [
            *left,
            ("class:felt", " " * before),
            *way,
            ("class:felt", " " * (gap - before)),
            ("class:felt class:pot", pot),
        ],
        columns,
    )


def middle_row(view: TableView, state: ScreenState, theme: Theme, columns: int, *, price: bool) -> Line:
    """Side pots, the card in the middle, wild ranks, and what the player has to pay; at the right what lasts."""
    cost = view.to_call(state.seat) if price else 0
    line: Line = []
    if cost:
        line.append(("class:turn", f" {cost} to call"))
    if view.community:
        playing = playing_cards(view) if not view.playing else {}
        used = [card for cards in playing.values() for card in cards]
        row = result_row(view.community, used, theme) if playing else card_row(view.community, "up", theme)
        line += [("", "   in the middle " if line else " In the middle "), *row]
    if view.wilds:
        ranks = " ".join("23456789TJQKA"[rank] for rank in view.wilds)
        line.append(("class:note", f"   wild: {ranks}" if line else f" wild: {ranks}"))
    room = columns - line_width(line) - 3
    pots = side_pots(view, names=True)
    if width(pots) > room:
        pots = side_pots(view, names=False)
    if pots:
        line.insert(0, ("class:pot", " " + cut(pots, room) + "  " * bool(line)))
    stakes = [view.stakes.words()] if view.stakes is not None else []
    table = [clean(view.rules.name)] if view.rules is not None else []
    told = [theme.dot.join([*state.lasting, *more]) for more in (stakes + table, stakes, table, [])]
    at_right(line, list(filter(None, told)), columns)
    return line


def at_right(line: Line, texts: Sequence[str], columns: int) -> bool:
    """Puts the first text that has room at the right end of the line. Returns whether there was one."""
    for text in texts:
        gap = columns - line_width(line) - width(text) - 1
        if text and gap >= 2:
            line += [("", " " * gap), ("class:faint", text)]
            return True
    return False


def side_pots(view: TableView, *, names: bool) -> str:
    """The pots and who can win them, where there is more than one: ``main 20 (all), side 1 8 (1 5), bets 6``

    Pots that have been paid stand there with what was in them.
    """
    if len(view.pots) < 2:
        return ""
    view = view.as_it_ended()
    bets = sum(seat.bet for seat in view.seats)
    live = {seat.seat for seat in view.in_hand()}
    paid = dict.fromkeys(range(len(view.pots)), 0)
    for award in view.awards:
        paid[award.pot] = paid.get(award.pot, 0) + award.amount
    parts = []
    for number, pot in enumerate(view.pots):
        amount = pot.amount + paid[number]
        if not amount:
            continue
        seats = [seat for seat in pot.seats if seat in live]  # some may have folded after the pot was gathered
        if len(seats) == len(live):
            who = "all"
        elif names:
            who = ", ".join(clean(view.name(seat)) for seat in seats)
        else:
            who = " ".join(str(seat) for seat in seats)
        which = "main" if not number else "side" if len(view.pots) == 2 else f"side {number}:"
        parts.append(f"{which} {amount} ({who})")
    return ", ".join([*parts, *[f"bets {bets}"] * bool(bets)])
