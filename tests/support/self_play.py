"""Evenings played by machines: the commands and events that a host's journal would hold."""

import random
from collections.abc import Sequence

from client.bots.simple import passive, random_legal
from protocol import commands as cmd
from protocol.cards import DECK
from protocol.journal.records import StepRecord
from protocol.table_rules import GameChange, GameOffer, TableRules
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from tests.support.sample_session import START

NAMES = ("Ann", "Ben", "Cai", "Dot", "Eve", "Fay", "Gus", "Hal")


def rules(games: Sequence[str], seats: int, change: GameChange = "hand") -> TableRules:
    """A table that plays these games."""
    offers = [GameOffer(game, GAMES[game].title, GAMES[game].stakes, GAMES[game].most_players) for game in games]
    return TableRules(name="Kitchen", seats=seats, games=tuple(offers), change=change, misses=3)


class SelfPlay:
    """Plays and keeps the steps. Everything that happens follows from the seed."""

    def __init__(self, seed: int, games: Sequence[str], players: int, chips: int = 200, calm: float = 0.7) -> None:
        """`calm`: how often a player checks or calls instead of doing anything legal."""
        self.random = random.Random(seed)
        self.calm = calm
        self.table = TableState()
        self.steps: list[StepRecord] = []
        self.at = START
        self.do(cmd.OpenTable("kitchen", rules(games, players)))
        for seat, name in enumerate(NAMES[:players], 1):
            self.do(cmd.SitDown(name, chips, bytes([seat]) * 32, seat, bot=seat > 1))

    def do(self, command: cmd.AnyCommand, pause: int = 700) -> None:
        """One step."""
        seq = self.table.seq + 1
        events = self.table.apply(command)
        self.at += pause
        self.steps.append(StepRecord(seq, self.at, command, events))

    def hand(self, trouble: bool = True) -> None:
        """One hand to its end; with `trouble` there is chat, clocks run out and lines drop."""
        deck = list(DECK)
        self.random.shuffle(deck)
        for player in list(self.table.view.players()):
            if player.chips < 20:
                self.do(cmd.TopUp(player.seat, 100))
            if player.away:
                self.do(cmd.SitIn(player.seat))
        number = self.table.view.hand + 1
        self.do(cmd.StartHand(tuple(deck), f"kitchen-{number}"), pause=3000)
        while self.table.hand is not None:
            seat, answers = self.random.choice(sorted(self.table.pending.items()))
            luck = self.random.random() if trouble else 1.0
            if luck < 0.02:
                self.do(cmd.Say(NAMES[seat - 1], "hm, let me see", seat))
            elif luck < 0.04:
                self.do(cmd.Connection(seat, not self.table.view.seat(seat).online))
            elif luck < 0.06:
                self.do(cmd.TimeUp(seat, answers), pause=30_000)
            else:
                pending = self.table.view.seat(seat).pending
                assert pending is not None
                calm = self.random.random() < self.calm
                action = passive(pending.request) if calm else random_legal(pending.request, self.random)
                self.do(cmd.Act(seat, answers, action, self.table.last_ids.get(seat, 0) + 1))


def evening(
    seed: int = 1,
    games: Sequence[str] = ("barneys", "stud8", "razz"),
    players: int = 4,
    hands: int = 3,
    trouble: bool = True,
) -> list[StepRecord]:
    """The steps of an evening."""
    played = SelfPlay(seed, games, players)
    for _ in range(hands):
        played.hand(trouble)
    return played.steps
