"""House rules that the host has changed: which of them can be taken over now, and the sentence for the players."""

from msgspec.structs import replace

from protocol.table_rules import GameChange, TableRules
from protocol.view import TableView

_CHANGES: dict[GameChange, str] = {
    "never": "the game stays the same",
    "hand": "the game changes with every hand",
    "orbit": "the game changes with every orbit",
    "dealer": "the dealer chooses the game",
}


def fitting(wanted: TableRules, view: TableView) -> TableRules:
    """The wanted rules, with as many seats as it takes for everybody to keep theirs."""
    highest = max([player.seat for player in view.players()], default=0)
    return replace(wanted, seats=max(wanted.seats, highest))


def what_changed(before: TableRules, after: TableRules) -> str:
    """One sentence about the differences."""
    parts = []
    if before.name != after.name:
        parts.append(f"the table is called {after.name}")
    if before.seats != after.seats:
        parts.append(f"there are {after.seats} seats")
    if [game.id for game in before.games] != [game.id for game in after.games]:
        parts.append(f"played here: {', '.join([game.title for game in after.games])}")
    known = {game.id: game for game in before.games}
    for game in after.games:
        old = known.get(game.id, game)
        if old.stakes != game.stakes:
            parts.append(f"other stakes in {game.title} ({game.stakes.words()})")
        if old.definition != game.definition:
            parts.append(f"other rules of {game.title}")
    if before.change != after.change:
        parts.append(_CHANGES[after.change])
    bounds = (after.buy_in_least, after.buy_in, after.buy_in_most)
    if (before.buy_in_least, before.buy_in, before.buy_in_most) != bounds:
        parts.append(f"the buy-in is {bounds[0]} to {bounds[2]}, usually {bounds[1]}")
    if before.clocks != after.clocks:
        parts.append("the clocks are set anew")
    if before.misses != after.misses:
        parts.append(f"hands with a missed clock before a player sits out: {after.misses}")
    if before.show != after.show:
        parts.append("every hand that stays in is shown" if after.show == "all" else "hands are shown as the game says")
    if (before.rise is None) != (after.rise is None) or (after.rise and not after.rise.same_plan(before.rise)):
        parts.append(f"the limits rise: {after.rise.words()}" if after.rise is not None else "the limits rise no more")
    if before.spectators != after.spectators:
        parts.append("spectators may come" if after.spectators else "no spectators any more")
    if before.open_cards != after.open_cards:
        seen = after.open_cards.words() if after.open_cards is not None else "what is open at the table"
        parts.append(f"spectators see {seen}")
    if before.spectator_chat != after.spectator_chat:
        parts.append(f"spectators may{'' if after.spectator_chat else ' not'} talk")
    return f"From now on other house rules: {'; '.join(parts) or 'small things'}. Stacks and seats stay."
