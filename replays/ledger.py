"""Who owes whom: the chips of every player over some hands, and the fewest payments that settle them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from protocol.events import Chips
from replays.library import ListedHand


@dataclass(slots=True)
class Account:
    """The chips of one player over some hands.

    Fields:
        bought: chips brought to the table; buys: how often; taken: chips with which they ended or left.
        net: chips won less chips lost; the nets of all players add up to nothing.
        corrected: chips that a host gave, less those that a host took.
    """

    name: str
    bought: Chips = 0
    buys: int = 0
    taken: Chips = 0
    net: Chips = 0
    corrected: int = 0


def ledger(rows: Iterable[ListedHand]) -> list[Account]:
    """The accounts of all players, best first. Void hands and those that are not over change nothing.

    It rests on the hands alone: chips that are there at the start of a hand and were not at the end of the one before
    were bought, the others were taken away. So chips that were bought and never played with do not count.

    Corrections of a host that add up to nothing have moved chips from one player to another, after a pot that went
    wrong, say: they belong to the nets. Others are like chips that were bought, or taken away.
    """
    rows = list(rows)
    moved = not sum(sum([*row.hand.corrected.values(), *row.hand.corrected_after.values()]) for row in rows)
    accounts: dict[str, Account] = {}
    stacks: dict[tuple[bytes, str], Chips] = defaultdict(int)
    for row in rows:
        hand = row.hand
        for name, chips in hand.corrected.items():
            account = accounts.setdefault(name.casefold(), Account(name))
            account.corrected += chips
            if moved:
                account.net += chips
                stacks[row.session, name.casefold()] += chips
        if hand.ended is None or hand.voided:
            continue
        for seat, name in hand.names.items():
            key = name.casefold()
            account = accounts.setdefault(key, Account(name))
            before, now = stacks[row.session, key], hand.stacks[seat]
            if now > before:
                account.bought += now - before
                account.buys += 1
            account.taken += max(0, before - now)
            account.net += hand.net.get(seat, 0)
            stacks[row.session, key] = now + hand.net.get(seat, 0)
    for row in rows:
        for name, chips in row.hand.corrected_after.items():
            account = accounts.setdefault(name.casefold(), Account(name))
            account.corrected += chips
            stacks[row.session, name.casefold()] += chips
            if moved:
                account.net += chips
            elif chips > 0:
                account.bought += chips
                account.buys += 1
            else:
                account.taken -= chips
    for (_, key), chips in stacks.items():
        accounts[key].taken += chips
    return sorted(accounts.values(), key=lambda account: -account.net)


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays whom how many chips."""

    giver: str
    taker: str
    chips: Chips


MOST_EXACT = 12
"""Players up to which the fewest payments are found; with more, few are found, but perhaps not the fewest."""


def settlement(accounts: Iterable[Account]) -> list[Payment]:
    """The fewest payments that settle the nets of these accounts.

    A group whose nets add up to nothing settles with one payment less than it has members. So the fewest payments come
    from the most groups, which are found by looking at every subset of the players.
    """
    rows = [account for account in accounts if account.net]
    payments: list[Payment] = []
    for group in _groups(rows) if len(rows) <= MOST_EXACT else [rows]:
        payments += _within(group)
    return payments


def _groups(rows: list[Account]) -> list[list[Account]]:
    """As many groups as possible whose nets each add up to nothing."""
    size = 1 << len(rows)
    total = [0] * size
    most = [0] * size  # groups within a subset
    last = [0] * size  # the subset without the player who was added last
    for subset in range(1, size):
        low = subset & -subset
        total[subset] = total[subset ^ low] + rows[low.bit_length() - 1].net
        best = max(
            (subset ^ (1 << bit) for bit in range(len(rows)) if subset >> bit & 1), key=lambda smaller: most[smaller]
        )
        most[subset], last[subset] = most[best] + (total[subset] == 0), best
    groups: list[list[Account]] = []
    subset, open_group = size - 1, list[Account]()
    while subset:
        smaller = last[subset]
        if total[subset] == 0 and open_group:
            groups.append(open_group)
            open_group = []
        open_group.append(rows[(subset ^ smaller).bit_length() - 1])
        subset = smaller
    return [*groups, open_group] if open_group else groups


def _within(group: list[Account]) -> list[Payment]:
    """Payments within one group: the largest debt to the largest claim, until nothing is left."""
    nets = {account.name: account.net for account in group}
    payments: list[Payment] = []
    while any(nets.values()):
        giver, taker = min(nets, key=lambda name: nets[name]), max(nets, key=lambda name: nets[name])
        chips = min(-nets[giver], nets[taker])
        if chips <= 0:
            break  # the nets do not add up: a player's file does not hold all hands
        payments.append(Payment(giver, taker, chips))
        nets[giver] += chips
        nets[taker] -= chips
    return payments
