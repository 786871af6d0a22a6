"""A blind player's way through whole hands of every game: they hear lines, type short words, and need no more."""

import random
import re

import pytest

from client.terminal.line_mode import LineMode
from protocol import commands as cmd
from protocol.actions import Action
from protocol.cards import card_text
from protocol.events import ActionRequested
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable, careful

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
QUESTIONS = (
    "hand", "i", "1", "2", "seat 2", "\x1bOR", "stacks", "up", "before", "pot", "to call", "last", "street", "why",
    "who", "time",
)  # fmt: skip


class Ear:
    """A table in lines, and everything that was said so far."""

    def __init__(self, game: str, seed: int) -> None:
        self.heard: list[str] = []
        self.known: set[str] = set()
        self.table = LocalTable(game, min(4, GAMES[game].most_players), seed=seed)
        self.session = self.table.session(1)
        self.mode = LineMode(self.session, self.hear)

    def hear(self, line: str) -> None:
        """A line was written. It is one line, without control characters and boxes, and tells no hidden card."""
        assert line.isprintable(), repr(line)
        assert line.isascii(), line
        assert len(line) <= 400
        for seat in self.session.view.seats:
            rows = (seat.down, seat.up, seat.before, seat.shown)
            self.known |= {card_text(card) for row in rows for card in row if card is not None}
        self.known |= {card_text(card) for card in self.session.view.community}
        if not line.startswith(("Discarded", "You discard")):
            assert set(CARD.findall(line)) <= self.known, line
        self.heard.append(line)

    def type(self, text: str) -> list[str]:
        """The answer to a typed line."""
        before = len(self.heard)
        self.mode.enter(text)
        return self.heard[before:]

    def question(self) -> list[str]:
        """The last lines that ask for something."""
        for number in range(len(self.heard) - 1, -1, -1):
            if re.match(r"Your turn|Keep |Choose |Discard |Declare|A card to buy|You deal", self.heard[number]):
                return self.heard[number:]
        raise AssertionError(self.heard[-5:])


def answer(asked: list[str], dice: random.Random) -> str:
    """A short answer, out of what was said alone."""
    line = asked[0]
    if line.startswith("Your turn: "):
        offers = line.removeprefix("Your turn: ").partition(".")[0].split(", ")
        able = {offer[0]: offer for offer in offers if not offer.startswith("fold")}
        letter = dice.choice([letter for letter in able for _ in range({"f": 1, "r": 2, "b": 3, "c": 6}[letter])])
        more = re.match(r"[br] (\d+) ", able[letter])
        return f"{letter} {more[1]}" if more else letter
    numbers: list[str] = re.findall(r"\b(\d) [2-9TJQKA][cdhs]", line)
    if line.startswith("Keep"):
        return "".join(dice.sample(numbers, 5))
    if line.startswith("Choose a card"):
        return dice.choice(numbers)
    if line.startswith("Choose"):
        many = {"two": 2, "three": 3}[line.split()[1]]
        return " ".join(dice.sample(numbers, many))
    if line.startswith("Discard"):
        return "0"
    if line.startswith("Declare"):
        ways: list[str] = re.findall(r"\b([hl]) (?:high|low)", line)
        return dice.choice(ways)
    return "d" if line.startswith("A card") else "1"


def lively(dice: random.Random, request: ActionRequested) -> Action:
    """The others bet now and then."""
    for option in request.options:
        if option.kind in {"bet", "complete", "raise"} and dice.random() < 0.2:
            return Action(option.kind, to=option.least)
    return careful(request)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whole_hands_by_ear(game: str) -> None:
    decisions = shown = 0
    for seed in range(4):
        dice = random.Random(f"{game} {seed}")
        ear = Ear(game, seed)
        table, session = ear.table, ear.session
        table.others = lambda request, dice=dice: lively(dice, request)  # type: ignore[misc]  # the dice of this round
        table.deal()
        table.settle()
        while session.view.playing:
            assert session.pending is not None
            answered = len(session.acted)
            asked = ear.question()
            assert ear.type("") == ear.type("   ") == []
            for question in QUESTIONS:
                if question.isdecimal() and session.pending.request.decision != "bet":
                    continue  # there it is the answer
                assert ear.type(question), question
            assert len(session.acted) == answered
            ear.type(answer(asked, dice))
            assert len(session.acted) == answered + 1, (asked, ear.heard[-3:])
            decisions += 1
            table.settle()
        told = "\n".join(ear.heard)
        assert re.search(r"\w+ wins( high| low| the spade)?:? \d+|\w+ \d+.* split", told)
        assert f"You: {session.view.seat(1).chips - 100:+d}" in told.replace("You: 0", "You: +0")
        assert "Hand 1 is over: " in told
        shown += re.search(r"[(] ?(?:\w+ )?(?:[2-9TJQKA][cdhs] ){4}[2-9TJQKA][cdhs]", told) is not None
        assert ear.type("/show") or session.view.seat(1).shown
        table.do(cmd.GoOn(2))
        assert ear.type("/next") == []
        assert table.state.view.seat(1).went_on
    assert decisions >= 8
    assert shown
