"""What players did in recorded hands, counted plainly once more, to check `ryo hands`, `ryo stats` and `ryo ledger`.

Nothing here uses the program's types: the records are plain values, and what is counted follows from what players put
in, drew out and did, one hand at a time.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgpack

from protocol.journal.framing import scan
from tests.support.plain_rankings import best_key, eight_or_better_key

Event: TypeAlias = dict[str, Any]
SMALL = "A2345678"
RANKS = "23456789TJQKA"
HIGH_LOW_STUD = "stud8"


class PlainHand:
    """One hand that is over: its events, and the names of the players by seat."""

    def __init__(self, start: Event, names: dict[int, str]) -> None:
        self.start, self.events = start, [start]
        self.stacks: dict[int, int] = dict(start["stacks"])
        self.names = {seat: names[seat] for seat in self.stacks}

    def all(self, kind: str) -> list[Event]:
        return [event for event in self.events if event["event"] == kind]

    @property
    def void(self) -> bool:
        return bool(self.all("hand_voided"))

    def paid_in(self) -> Counter[int]:
        """Chips that each seat put into the pots."""
        chips: Counter[int] = Counter()
        for event in self.all("antes_posted"):
            chips.update(dict(event["antes"]))
        for event in self.all("acted"):
            chips[event["seat"]] += event["amount"]
        for event in self.all("bet_returned"):
            chips[event["seat"]] -= event["amount"]
        return chips

    def won(self) -> Counter[int]:
        """Chips that each seat got out of the pots."""
        chips: Counter[int] = Counter()
        for award in self.all("pot_awarded"):
            for seat, amount in award["winners"]:
                chips[seat] += amount
        return chips

    def folded_before(self, later: Event | None) -> set[int]:
        """The seats that had folded before an event, or at the end."""
        found: set[int] = set()
        for event in self.events:
            if event is later:
                break
            if event["event"] == "acted" and event["action"] == "fold":
                found.add(event["seat"])
        return found

    def saw_fourth(self) -> set[int]:
        """The seats that were still in when the second street was dealt."""
        deals = self.all("cards_dealt")
        later = next((event for event in deals if event["street"] != deals[0]["street"]), None)
        return set() if later is None else set(self.stacks) - self.folded_before(later)

    def at_showdown(self) -> set[int]:
        """The seats that were in at the end, if there were two of them."""
        left = set(self.stacks) - self.folded_before(None)
        return left if len(left) > 1 else set()

    def quartered(self) -> set[int]:
        """The seats that won a share of one half and nothing else."""
        parts: dict[int, list[tuple[str, bool]]] = defaultdict(list)
        for award in self.all("pot_awarded"):
            for seat, _ in award["winners"]:
                parts[seat].append((award["part"], len(award["winners"]) > 1))
        return {seat for seat, won in parts.items() if set(won) in ({("high", True)}, {("low", True)})}

    def scooper(self) -> int | None:
        """The seat that won everything of a pot that had a high half and a low half."""
        winners = set(self.won())
        if len(winners) != 1 or not self.at_showdown():
            return None
        (seat,) = winners
        if self.start["game"] == HIGH_LOW_STUD:
            return seat if best_key(self.cards_of(seat), eight_or_better_key) is not None else None
        parts = {award["part"] for award in self.all("pot_awarded")}
        both = any(award["hand"].count(" and ") > self._ands(seat) for award in self.all("pot_awarded"))
        return seat if {"high", "low"} <= parts or both else None

    def _ands(self, seat: int) -> int:
        """How often the longest name of one hand of that seat has the word "and" in it."""
        shown = next(event for event in self.all("hand_shown") if event["seat"] == seat)
        names: list[str] = [name for _, name in shown["values"]]
        return max(name.count(" and ") for name in names)

    def cards_of(self, seat: int) -> list[int]:
        """Every card that was dealt to that seat."""
        return [
            card for event in self.all("cards_dealt") for who, down, up in event["cards"] if who == seat
            for card in [*down, *up]
        ]  # fmt: skip


def raw_steps(content: bytes) -> list[dict[str, Any]]:
    """The steps of a journal as plain values."""
    return [msgpack.unpackb(payload) for payload in scan(content).records[1:]]


def plain_hands(steps: Sequence[dict[str, Any]]) -> list[PlainHand]:
    """The hands that are over."""
    names: dict[int, str] = {}
    hands: list[PlainHand] = []
    running: PlainHand | None = None
    for event in [event for step in steps for event in step["events"]]:
        kind = event["event"]
        if kind == "player_seated":
            names[event["seat"]] = event["name"]
        if kind == "hand_started":
            running = PlainHand(event, names)
        elif running is not None:
            running.events.append(event)
            if kind in ("hand_ended", "hand_voided"):
                hands.append(running)
                running = None
    return hands


def counts(hands: Sequence[PlainHand], name: str) -> Counter[str]:
    """The numbers of `ryo stats` for one player."""
    total: Counter[str] = Counter()
    for hand in hands:
        seat = next((seat for seat, known in hand.names.items() if known == name), None)
        if seat is not None and not hand.void:
            total["best"] = max(total["best"], hand.won()[seat])
            total.update(_counts_of(hand, seat))
    return total


def _counts_of(hand: PlainHand, seat: int) -> Counter[str]:
    won, did = hand.won()[seat], Counter(event["action"] for event in hand.all("acted") if event["seat"] == seat)
    declared = any(seat in dict(event["declarations"]) for event in hand.all("declared"))
    cards = hand.cards_of(seat)
    stayed = seat in hand.at_showdown()
    return Counter(
        hands=1,
        net=won - hand.paid_in()[seat],
        won=int(won > 0),
        scoops=int(hand.scooper() == seat),
        quartered=int(seat in hand.quartered()),
        fourth=int(seat in hand.saw_fourth()),
        brought_in=int(did["bring_in"] > 0),
        completed=int(did["complete"] > 0),
        wagers=did["bet"] + did["complete"] + did["raise"],
        calls=did["call"],
        showdowns=int(stayed),
        shown_down=int(stayed and won > 0),
        declared=int(declared),
        right=int(declared and won > 0),
        cards=len(cards),
        small=sum(RANKS[card // 4] in SMALL for card in cards),
    )


def brought(steps: Sequence[dict[str, Any]]) -> Counter[str]:
    """Chips that each player brought to the table, by name."""
    names: dict[int, str] = {}
    chips: Counter[str] = Counter()
    for event in [event for step in steps for event in step["events"]]:
        if event["event"] == "player_seated":
            names[event["seat"]] = event["name"]
            chips[event["name"]] += event["chips"]
        if event["event"] == "chips_added":
            chips[names[event["seat"]]] += event["amount"]
    return chips
