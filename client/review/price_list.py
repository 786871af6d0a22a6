"""The price list of a player: what their decisions gave up, by kind and street, and what the house bot made of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from client.coach.kinds import WORDS, Kind, on_street
from client.coach.words import chips
from client.review.reviewed_hand import PricedDecision, ReviewedHand
from protocol.events import Chips, Seat
from protocol.narration.phrases import counted, signed
from replays.library import ListedHand

SMALL = "Not counted: differences below half a small bet, or below three standard errors."
BOT = "The bot sits in all seats then, so the others did not play as they did."


@dataclass(frozen=True, slots=True)
class Costly:
    """A decision that gave chips up, with its hand and the player's seat in it."""

    row: ListedHand
    seat: Seat
    price: PricedDecision


@dataclass(slots=True)
class PriceList:
    """The sums of a review.

    Fields:
        title: which hands; player: whose decisions; listed: whether hands have numbers in the list of all hands.
        hands: those of the player; net: their sum.
        again: hands whose deck is known; net_again, bot: what the player and the house bot won in these.
        decisions, counted: how many there were, and how many of them could be counted.
        hidden: hands whose recording does not show the player's cards.
        costly: what gave chips up, the costliest first.
    """

    title: str
    player: str
    listed: bool = True
    hands: int = 0
    net: Chips = 0
    again: int = 0
    net_again: Chips = 0
    bot: Chips = 0
    decisions: int = 0
    counted: int = 0
    hidden: int = 0
    costly: list[Costly] = field(default_factory=list)

    def add(self, row: ListedHand, seat: Seat, review: ReviewedHand | None) -> None:
        """One more hand."""
        self.hands += 1
        self.net += row.hand.net.get(seat, 0)
        if review is None:
            self.hidden += 1
            return
        if review.bot is not None:
            self.again += 1
            self.net_again += review.net
            self.bot += review.bot
        self.decisions += review.decisions
        self.counted += review.counted
        self.costly += [Costly(row, seat, price) for price in review.prices]
        self.costly.sort(key=lambda one: -one.price.chips)

    @property
    def chips(self) -> float:
        """What was given up in all."""
        return sum(one.price.chips for one in self.costly)

    def rows(self) -> list[tuple[Kind, str, float, int]]:
        """(kind, street, chips, how often), the most chips first."""
        sums: dict[tuple[Kind, str], list[float]] = {}
        for one in self.costly:
            sums.setdefault((one.price.kind, one.price.street), []).append(one.price.chips)
        found = [(kind, street, sum(row), len(row)) for (kind, street), row in sums.items()]
        return sorted(found, key=lambda row: -row[2])


def price_list(
    title: str, player: str, hands: Iterable[tuple[ListedHand, Seat, ReviewedHand | None]], *, listed: bool = True
) -> PriceList:
    """The sums of these hands."""
    found = PriceList(title, player, listed)
    for row, seat, review in hands:
        found.add(row, seat, review)
    return found


# ------------------------------------------------------------------------- words


def summary(found: PriceList) -> list[str]:
    """Hands, results, decisions, and what they gave up, in sentences."""
    lines = [f"{found.title}, {found.player}: {counted(found.hands, 'hand')}, {signed(found.net)}."]
    if found.again:
        same = "" if found.again == found.hands else f" (in {found.again} of the hands, in which you: {{}})"
        lines.append(
            f"The house bot with the same cards: {signed(found.bot)}{same.format(signed(found.net_again))}. {BOT}"
        )
    elif found.hands > found.hidden:
        lines.append("The recording does not have the decks, so the bot cannot play them again.")
    if found.hidden:
        lines.append(f"{counted(found.hidden, 'hand')} left out: the recording does not show these cards.")
    uncounted = found.decisions - found.counted
    left = f", {uncounted} of them could not be counted" if uncounted else ""
    lines.append(f"{counted(found.decisions, 'decision')}{left}; {given_up(found)}")
    return lines


def given_up(found: PriceList) -> str:
    """``12 gave up about 31 chips.``"""
    if not found.costly:
        return "none gave up anything to speak of."
    return f"{len(found.costly)} gave up about {chips(found.chips)}."


def row_name(kind: Kind, street: str) -> str:
    """``chasing on fifth street``"""
    return f"{WORDS[kind]} {on_street(street)}" if street else WORDS[kind]


def table(found: PriceList) -> list[str]:
    """The price list in columns: what, chips, how often."""
    rows = [(row_name(kind, street), f"{sum_:.1f}", str(times)) for kind, street, sum_, times in found.rows()]
    if not rows:
        return []
    rows = [("given up by", "chips", "times"), *rows, ("in all", f"{found.chips:.1f}", str(len(found.costly)))]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [f"{name:<{widths[0]}}  {sum_:>{widths[1]}}  {times:>{widths[2]}}" for name, sum_, times in rows]


def place(one: Costly) -> str:
    """``hand 12 step 40``"""
    return f"hand {one.row.hand.number} step {one.price.step}"


def hand_name(one: Costly, *, listed: bool) -> str:
    """``hand #32``, or ``hand 12`` where it has no number in the list of all hands."""
    return f"#{one.row.number}" if listed else f"hand {one.row.hand.number}"


def look_back(one: Costly, player: str, *, listed: bool) -> str:
    """The command that shows the decision in a replay."""
    what = str(one.row.number) if listed else str(one.row.path)
    name = f'"{player}"' if " " in player else player
    return f'ryo replay {what} --at "{place(one)}" --player {name}'


def the_one(found: PriceList) -> list[str]:
    """The costliest decision, in words; nothing where there is none."""
    if not found.costly:
        return []
    one = found.costly[0]
    of = "The decision of the evening" if found.hands > 1 else "The decision of the hand"
    return [
        f"{of}, {hand_name(one, listed=found.listed)}: {one.price.told}",
        f"Look at it: {look_back(one, found.player, listed=found.listed)}",
    ]


def others(found: PriceList, most: int) -> list[str]:
    """The next costliest decisions, a sentence each."""
    return [f"{hand_name(one, listed=found.listed)}: {one.price.told}" for one in found.costly[1:most]]


def as_json(found: PriceList) -> dict[str, Any]:
    """The price list for programs."""
    return {
        "title": found.title,
        "player": found.player,
        "hands": found.hands,
        "net": found.net,
        "bot": {"hands": found.again, "net": found.bot, "player": found.net_again} if found.again else None,
        "decisions": found.decisions,
        "counted": found.counted,
        "hidden": found.hidden,
        "chips": round(found.chips, 2),
        "by": [
            {"kind": kind, "street": street, "chips": round(sum_, 2), "times": times}
            for kind, street, sum_, times in found.rows()
        ],
        "costly": [_costly(one, listed=found.listed) for one in found.costly],
    }


def _costly(one: Costly, *, listed: bool) -> dict[str, Any]:
    price = one.price
    return {
        "hand": one.row.hand.id,
        "number": one.row.number if listed else None,
        "step": price.step,
        "street": price.street,
        "kind": price.kind,
        "chips": price.chips,
        "error": price.error,
        "told": price.told,
    }


def lines(found: PriceList, most: int) -> Sequence[str]:
    """Everything in lines; empty ones are between the parts. `most`: decisions that are told."""
    parts = [summary(found), table(found), the_one(found), others(found, most)]
    rows = [line for part in parts if part for line in ("", *part)][1:]
    return [*rows, "", SMALL] if found.decisions else rows
