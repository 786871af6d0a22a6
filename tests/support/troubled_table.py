"""Evenings at a table, played by nobody with judgement: the events that the laws of the protocol are tried on."""

import random

from client.bots.simple import passive, random_legal
from protocol import commands as cmd
from protocol.cards import DECK
from protocol.events import AnyEvent
from protocol.table_rules import GameOffer, TableRules
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.games.house_games import load_game
from server.engine.table_state import TableState

HOUSE_GAME = load_game(
    """
    id = "redraw"
    title = "Seven with a draw"
    players = 5
    steps = [
        { do = "ante" },
        { do = "deal", down = 6 },
        { do = "bet", opens = "dealers_left" },
        { do = "draw", most = 3 },
        { do = "choose" },
        { do = "deal", down = 1 },
        { do = "bet", opens = "high_board" },
        { do = "showdown", high = "high", low = "8low" },
    ]
    """
)
GAMES_PLAYED = {**GAMES, HOUSE_GAME.id: HOUSE_GAME}
"""The games in the box, and one that puts cards away."""
NAMES = ("Ann", "Ben", "Cai", "Dot", "Eve")


def evening(seed: int, players: int, hands: int, game: str = "") -> list[AnyEvent]:
    """All events of a session with trouble of every kind; the same for the same numbers. No game: all of them."""
    dice = random.Random(seed)
    games = [GAMES_PLAYED[game]] if game else list(GAMES_PLAYED.values())
    offers = tuple([GameOffer(one.id, one.title, one.stakes, one.most_players) for one in games])
    change = "never" if game else dice.choice(("hand", "orbit", "dealer"))
    rules = TableRules(name="Kitchen", seats=players + 1, games=offers, change=change)  # type: ignore[arg-type]
    table = TableState(GAMES_PLAYED)
    events = list(table.apply(cmd.OpenTable("kitchen", rules)))

    def do(command: cmd.AnyCommand) -> None:
        try:
            events.extend(table.apply(command))
        except IllegalAction:
            assert not isinstance(command, cmd.Act | cmd.StartHand | cmd.AskGame)

    def trouble() -> None:
        seat = dice.randint(1, players)
        wishes: list[cmd.AnyCommand] = [
            cmd.Say("Ann", "hm", seat),
            cmd.Say("a stranger", "hello"),
            cmd.Connection(seat, dice.random() < 0.5),
            cmd.TopUp(seat, dice.randint(1, 50)),
            cmd.SitOut(seat),
            cmd.SitIn(seat),
        ]
        do(dice.choice(wishes))

    for seat in range(1, players + 1):
        do(cmd.SitDown(NAMES[seat - 1], 100, bytes([seat]) * 32, seat, bot=seat % 2 == 0))
    for number in range(hands):
        for player in table.view.players():
            if player.chips < 30:
                do(cmd.TopUp(player.seat, 60))
            if player.away:
                do(cmd.SitIn(player.seat))
            if number:
                do(cmd.GoOn(player.seat))
                do(cmd.Show(player.seat, player.down[:1] if number % 2 else ()))  # type: ignore[arg-type]  # none hidden
        if table.wants_game():
            do(cmd.AskGame())
        elif table.can_deal():
            deck = list(DECK)
            dice.shuffle(deck)
            do(cmd.StartHand(tuple(deck), f"kitchen-{number}"))
        while table.pending:
            if dice.random() < 0.05:
                trouble()
            if not table.pending:
                break
            seat, answers = dice.choice(sorted(table.pending.items()))
            pending = table.view.seat(seat).pending
            assert pending is not None
            luck = dice.random()
            if luck < 0.03:
                do(cmd.TimeUp(seat, answers))
            elif luck < 0.032 and table.hand is not None:
                do(cmd.VoidHand("somebody saw the cards"))
            else:
                choose = passive if luck < 0.8 else lambda request: random_legal(request, dice)
                do(cmd.Act(seat, answers, choose(pending.request), table.last_ids.get(seat, 0) + 1))
    if table.view.players():
        do(cmd.StandUp(table.view.players()[-1].seat))
    return events
