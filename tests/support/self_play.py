"""Whole sessions played by chance: the steps that a host's journal would hold. The same seed gives the same session."""

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from client.bots.simple import passive, random_legal
from protocol import commands as cmd
from protocol.events import AnyEvent, Chips
from protocol.journal.records import StepRecord
from protocol.table_rules import GameChange, GameOffer, TableRules
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from tests.support.engine_table import GAMES_PLAYED, NAMES, EngineTable, deck_of, table_rules


class SelfPlay(EngineTable):
    """A table whose hands are played by chance."""

    def __init__(
        self, seed: int, games: Sequence[str] | TableRules, players: int, *, chips: Chips = 200, calm: float = 0.7
    ) -> None:
        """`games`: one after the other, or the rules of the table. `calm`: share of checks and calls.

        Everybody who is not calm does anything that is legal. The player in seat 1 is no bot.
        """
        self.random = random.Random(seed)
        self.calm = calm
        rules = games if isinstance(games, TableRules) else table_rules(games, players, "hand", misses=3, least=20)
        super().__init__(rules)
        for seat, name in enumerate(NAMES[:players], 1):
            self.do(cmd.SitDown(name, chips, bytes([seat]) * 32, seat, bot=seat > 1))

    def hand(self, trouble: bool = True) -> None:
        """One hand to its end; with `trouble` there is chat, clocks run out and connections are lost."""
        deck = deck_of(self.random)
        for player in list(self.state.view.players()):
            if player.chips < 20:
                self.do(cmd.TopUp(player.seat, 100))
            if player.away:
                self.do(cmd.SitIn(player.seat))
        number = self.state.view.hand + 1
        self.do(cmd.StartHand(deck, f"kitchen-{number}"), pause=3000)
        while self.state.hand is not None:
            seat, answers = self.random.choice(sorted(self.state.pending.items()))
            luck = self.random.random() if trouble else 1.0
            if luck < 0.02:
                self.do(cmd.Say(NAMES[seat - 1], "hm, let me see", seat))
            elif luck < 0.04:
                self.do(cmd.Connection(seat, not self.state.view.seat(seat).online))
            elif luck < 0.06:
                self.do(cmd.TimeUp(seat, answers), pause=30_000)
            else:
                pending = self.state.view.seat(seat).pending
                assert pending is not None
                calm = self.random.random() < self.calm
                action = passive(pending.request) if calm else random_legal(pending.request, self.random)
                self.do(cmd.Act(seat, answers, action, self.state.last_ids.get(seat, 0) + 1))


def played_steps(
    seed: int = 1,
    games: Sequence[str] = ("barneys", "stud8", "razz"),
    players: int = 4,
    hands: int = 3,
    trouble: bool = True,
) -> list[StepRecord]:
    """The steps of a session of `SelfPlay`."""
    played = SelfPlay(seed, games, players)
    for _ in range(hands):
        played.hand(trouble)
    return played.steps


def short_stacks(game: str, seed: int, players: int = 5, hands: int = 5, **stakes: Any) -> SelfPlay:
    """An evening of one game, perhaps with other stakes, in which somebody is all in in most hands."""
    one = GAMES[game]
    offer = GameOffer(one.id, one.title, replace(one.stakes, **stakes), one.most_players)
    rules = TableRules(name="House", seats=players, games=(offer,), misses=3, buy_in_least=5)
    table = SelfPlay(seed, rules, players, chips=25, calm=0.6)
    for _ in range(hands):
        table.hand(trouble=False)
    return table


def troubled_events(seed: int, players: int, hands: int, game: str = "") -> list[AnyEvent]:
    """All events of the session of `troubled_table`."""
    return troubled_table(seed, players, hands, game).events


def troubled_table(seed: int, players: int, hands: int, game: str = "") -> EngineTable:
    """A session with every kind of trouble, of one game or of all of them.

    Players come and go, top up, sit out, show cards and say things; hands are void.
    """
    dice = random.Random(seed)
    changes: tuple[GameChange, ...] = ("hand", "orbit", "dealer")
    change = "never" if game else dice.choice(changes)
    table = EngineTable(table_rules((game,) if game else tuple(GAMES_PLAYED), players + 1, change, least=20))
    for seat in range(1, players + 1):
        table.do(cmd.SitDown(NAMES[seat - 1], 100, bytes([seat]) * 32, seat, bot=seat % 2 == 0))
    for number in range(hands):
        _between_hands(table, number)
        if table.state.wants_game():
            table.do(cmd.AskGame())
        elif table.state.can_deal():
            table.do(cmd.StartHand(deck_of(dice), f"kitchen-{number}"))
        while table.state.pending:
            if dice.random() < 0.05:
                _trouble(table, dice, dice.randint(1, players))
            if table.state.pending:
                _decision(table, dice)
    if table.state.view.players():
        table.do(cmd.StandUp(table.state.view.players()[-1].seat))
    return table


def _between_hands(table: EngineTable, number: int) -> None:
    for player in table.state.view.players():
        if player.chips < 30:
            _try(table, cmd.TopUp(player.seat, 60))
        if player.away:
            _try(table, cmd.SitIn(player.seat))
        if number:
            _try(table, cmd.GoOn(player.seat))
            down = tuple([card for card in player.down if card is not None])
            _try(table, cmd.Show(player.seat, down[:1] if number % 2 else ()))


def _trouble(table: EngineTable, dice: random.Random, seat: int) -> None:
    commands: list[cmd.AnyCommand] = [
        cmd.Say("Ann", "hm", seat),
        cmd.Say("a stranger", "hello"),
        cmd.Connection(seat, dice.random() < 0.5),
        cmd.TopUp(seat, dice.randint(1, 50)),
        cmd.SitOut(seat),
        cmd.SitIn(seat),
    ]
    _try(table, dice.choice(commands))


def _decision(table: EngineTable, dice: random.Random) -> None:
    seat, answers = dice.choice(sorted(table.state.pending.items()))
    pending = table.state.view.seat(seat).pending
    assert pending is not None
    luck = dice.random()
    if luck < 0.03:
        table.do(cmd.TimeUp(seat, answers))
    elif luck < 0.032 and table.state.hand is not None:
        table.do(cmd.VoidHand("somebody saw the cards"))
    else:
        action = passive(pending.request) if luck < 0.8 else random_legal(pending.request, dice)
        table.do(cmd.Act(seat, answers, action, table.state.last_ids.get(seat, 0) + 1))


def _try(table: EngineTable, command: cmd.AnyCommand) -> None:
    """A command that the table may refuse."""
    with suppress(IllegalAction):
        table.do(command)
