"""`ryo join` in lines, played from its output alone, like a player with a screen reader."""

import re
import threading
from random import Random

from tests.support.ryo_process import RyoProcess

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")
QUIET, FOLDS = 0.6, 0.25
"""How often the player calls or checks, and folds where that is one letter."""
_OFFER = re.compile(r"(fold|\w)\b(?: (\d+))?")
_CARD = re.compile(r"\b(\d) [2-9TJQKA][cdhs]")
_STACK = re.compile(r"^You: [+-]?\d+, you have (\d+)\.$")


class LinePlayer:
    """Answers every question of a running client with something that its lines offer, until the client ends.

    Attributes:
        asked: the questions so far.
        stacks: the player's chips as told at the end of each hand.
        refused: lines that say that an answer was none.
    """

    def __init__(self, client: RyoProcess, dice: Random) -> None:
        self.asked = 0
        self.stacks: list[int] = []
        self.refused: list[str] = []
        self._client, self._dice = client, dice
        self._cards: list[str] = []  # the numbers of those that are to be arranged
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        for line in self._client.lines():
            typed = self._heard(line.strip())
            if typed:
                self._client.type(f"{typed}\n")

    def _heard(self, line: str) -> str:
        """What is typed after this line; empty for nothing."""
        if line.startswith(("Not understood", "That is no", "It is not your turn", "You cannot")):
            self.refused.append(line)
        if found := _STACK.match(line):
            self.stacks.append(int(found[1]))
            return "/next"
        if line.startswith("Type /rebuy "):
            return f"/rebuy {line.split()[2]}"
        answer = self._answer(line)
        self.asked += bool(answer)
        return answer

    def _answer(self, line: str) -> str:
        cards: list[str] = _CARD.findall(line)
        match line.split()[:2]:
            case ["Your", "turn:"]:
                return self._bet(line.removeprefix("Your turn: "))
            case ["Choose", count]:
                wanted = 1 if count == "a" else COUNTS.index(count)
                return " ".join(self._dice.sample(cards, wanted))
            case ["Keep", _]:
                self._cards = cards
            case ["Type", "their"]:
                return "".join(self._dice.sample(self._cards, int(line.split()[2])))
            case ["Discard", "up"]:
                return " ".join(self._dice.sample(cards, self._dice.randint(0, int(line.split()[3].strip(","))))) or "0"
            case ["Declare:", _]:
                return self._dice.choice("hl")
            case ["You", "deal."]:
                games: list[str] = re.findall(r"(\d+) [A-Z]", line)
                return self._dice.choice(games)
        return ""

    def _bet(self, offers: str) -> str:
        """One of ``c call 2``, ``r 4 raise to 4``, ``r 4 to r 8 raise``, ``f fold``; quiet most of the time."""
        found = [" ".join(filter(None, match.groups())) for one in offers.split(", ") if (match := _OFFER.match(one))]
        chance = self._dice.random()
        if chance < QUIET and "c" in found:
            return "c"
        return "f" if chance < QUIET + FOLDS and "f" in found else self._dice.choice(found)
