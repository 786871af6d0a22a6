"""What is played at a table and by which house rules, in a few rows, for whoever has not sat down yet or asks."""

import textwrap
from collections.abc import Collection, Iterator, Sequence

from protocol.narration.phrases import counted, safe
from protocol.sanitize import clean
from protocol.stakes import Stakes
from protocol.table_rules import Clocks, GameChange, GameOffer, TableRules
from server.engine.games.catalogue import GAMES

LABEL = 12
"""Columns of the label of a row."""
MOST_NAME = 24
_CHANGES: dict[GameChange, str] = {
    "never": "",
    "hand": "another one with every hand",
    "orbit": "another one with every orbit",
    "dealer": "the dealer chooses",
}


def house_rules(
    rules: TableRules,
    players: Collection[str],
    hosts: Collection[str] = (),
    *,
    watching: int = 0,
    hand: int = 0,
    where: str = "",
) -> list[tuple[str, str]]:
    """(label, text) of every row; rows about which there is nothing to say are left out.

    Args:
        players: their names; empty where the table names nobody to strangers.
        hosts: those of the players who are hosts.
        watching: the number of spectators.
        hand: number of the running or the last hand; 0 before the first one.
        where: the address of the server; empty for somebody who is at the table.
    """
    rows = [
        ("Table", " · ".join(filter(None, [clean(rules.name, 40), where, f"hand {hand}" if hand else ""]))),
        ("Seats", _seats(rules, players, hosts, watching)),
        ("Games", _games(rules.games, rules.change)),
        ("Buy-in", _buy_in(rules)),
        ("Limits rise", rules.rise.words() if rules.rise is not None else ""),
        ("Clocks", _clocks(rules.clocks)),
        ("House rules", "; ".join(_unusual(rules))),
        ("Spectators", _spectators(rules)),
    ]
    return [(label, text) for label, text in rows if text]


def as_lines(rows: Sequence[tuple[str, str]], columns: int) -> list[str]:
    """The rows as lines of at most so many columns, each text beside its label."""
    lines = []
    for label, text in rows:
        folded = textwrap.wrap(text, max(20, columns - LABEL - 1)) or [""]
        lines += [f"{label if not number else '':<{LABEL}} {part}" for number, part in enumerate(folded)]
    return lines


def _seats(rules: TableRules, players: Collection[str], hosts: Collection[str], watching: int) -> str:
    free = max(0, rules.seats - len(players))
    parts = [f"{free} of {rules.seats} free" if free else f"all {rules.seats} taken"]
    names = [f"{clean(name, MOST_NAME)}{' (host)' * (name in hosts)}" for name in players if name]
    if names:
        parts.append(f"here: {', '.join(names)}")
    if watching:
        parts.append(f"{watching} watching")
    return "; ".join(parts)


def _games(games: Sequence[GameOffer], change: GameChange) -> str:
    """Games with the same stakes stand together: ``Stud, Razz (ante 1, limits 2/4)``."""
    by_stakes: dict[str, list[str]] = {}
    for game in games:
        house = " (a house game)" if game.definition else ""
        by_stakes.setdefault(game.stakes.words(), []).append(safe(game.title).partition(",")[0] + house)
    told = "; ".join([f"{', '.join(titles)} ({stakes})" for stakes, titles in by_stakes.items()])
    how = _CHANGES[change] if len(games) > 1 else ""
    return f"{told}; {how}" if how else told


def _buy_in(rules: TableRules) -> str:
    least, most = rules.buy_in_least, rules.buy_in_most
    return counted(rules.buy_in, "chip") + (f"; from {least} to {most}" if least < most else "")


def _clocks(clocks: Clocks) -> str:
    """``30 s to bet, 20 to turn up, 60 to arrange, 20 to declare; 60 s in reserve``"""
    times = [
        (clocks.bet, "to bet"),
        (clocks.choose, "to choose"),
        (clocks.arrange, "to arrange"),
        (clocks.declare, "to declare"),
    ]
    running = [(seconds, what) for seconds, what in times if seconds]
    if not running:
        return "none"
    told = ", ".join([f"{seconds} s {what}" for seconds, what in running])
    return f"{told}; {clocks.bank} s in reserve" if clocks.bank else told


def _spectators(rules: TableRules) -> str:
    if not rules.spectators:
        return "none"
    seen = rules.open_cards.words() if rules.open_cards is not None else "what is open at the table"
    return f"see {seen}{'; they may talk' if rules.spectator_chat else ''}"


def _unusual(rules: TableRules) -> Iterator[str]:
    """The house rules that are not the usual ones."""
    if rules.show == "all":
        yield "every hand that stays in is shown"
    if rules.clocks.wait_for_all:
        yield "a result stands until everybody has read it"
    if not rules.coach:
        yield "programs give no advice"
    for game in rules.games:
        usual = GAMES.get(game.id)
        if usual is not None and not game.definition:
            changed = [word for word in _switches(game.stakes, usual.stakes) if word]
            if changed:
                title = f" ({safe(game.title).partition(',')[0]})" if len(rules.games) > 1 else ""
                yield f"{', '.join(changed)}{title}"


def _switches(stakes: Stakes, usual: Stakes) -> Iterator[str]:
    """What is played otherwise than the game usually is, the sizes of bets aside."""
    if stakes.cap != usual.cap:
        yield "no cap on raises" if stakes.cap is None else f"at most {counted(stakes.cap, 'raise')} a round"
    if stakes.heads_up_uncapped != usual.heads_up_uncapped:
        yield "no cap between two players" if stakes.heads_up_uncapped else "the cap counts between two players, too"
    if stakes.no_check_raise != usual.no_check_raise:
        yield "no raise after a check" if stakes.no_check_raise else "a raise after a check is allowed"
    if stakes.open_pair != usual.open_pair:
        yield {
            "off": "no big bet for an open pair",
            "any_active": "an open pair lets everybody bet big",
            "holder": "an open pair lets its holder bet big",
        }[stakes.open_pair]
    if stakes.short_allin not in (None, usual.short_allin):
        yield f"an all-in of {'half' if stakes.short_allin == 'half' else 'a whole'} bet reopens the betting"
    if stakes.opener_tie != usual.opener_tie:
        yield "equal boards: the higher suit opens" if stakes.opener_tie == "suit" else "equal boards: position opens"
    if stakes.odd_chip != usual.odd_chip:
        yield "the odd chip goes by position" if stakes.odd_chip == "position" else "the odd chip goes by suit"
    if stakes.invalid_low != usual.invalid_low:
        yield (
            "a straight or flush declared low is the worst low"
            if stakes.invalid_low == "ranks_last"
            else "a straight or flush declared low is no low"
        )
    if stakes.followed_wild != usual.followed_wild:
        yield "queens are wild, too" if stakes.followed_wild else "queens are not wild"
