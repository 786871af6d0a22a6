"""A table whose list holds a house game from a file, from the settings to the journal's check."""

import random
from pathlib import Path

import pytest

from client.bots.simple import random_legal
from protocol import commands as cmd
from protocol.cards import DECK
from server.config.config import load
from server.engine.table_state import TableState
from server.errors import ConfigError

GAME = """
id = "kitchen"
title = "Kitchen stud"
players = 5
[[steps]]
do = "ante"
[[steps]]
do = "repeat"
times = 4
steps = [{ do = "deal", up = 1 }, { do = "bet", opens = "high_board" }]
[[steps]]
do = "deal"
down = 1
[[steps]]
do = "bet"
opens = "high_board"
size = "big"
[[steps]]
do = "showdown"
high = "high"
"""
SETTINGS = """
[[table]]
id = "home"
games = ["stud8", "./games/kitchen.toml"]
change = "hand"
[table.stakes.kitchen]
small = 3
big = 6
"""


def settings(folder: Path, game: str = GAME, text: str = SETTINGS) -> Path:
    (folder / "games").mkdir()
    (folder / "games" / "kitchen.toml").write_text(game)
    file = folder / "server.toml"
    file.write_text(text)
    return file


def test_a_house_game_is_dealt_and_its_journal_needs_no_file(tmp_path: Path) -> None:
    config, _ = load(settings(tmp_path), {}, {})
    rules = config.table[0].rules()
    assert [(offer.id, offer.title, offer.stakes.small) for offer in rules.games][1] == ("kitchen", "Kitchen stud", 3)
    (tmp_path / "games" / "kitchen.toml").unlink()  # the definition has gone into the rules of the table
    dice = random.Random(5)
    table, again = TableState(), TableState()
    commands: list[cmd.AnyCommand] = [
        cmd.OpenTable("home", rules),
        cmd.SitDown("Ann", 100, b"a"),
        cmd.SitDown("Bob", 100, b"b"),
    ]
    for command in commands:
        assert table.apply(command) == again.apply(command)
    dealt = set()
    for number in range(4):
        command = cmd.StartHand(tuple(dice.sample(DECK, len(DECK))), f"home-{number}")
        assert table.apply(command) == again.apply(command)
        dealt.add(table.view.game)
        while table.pending:
            seat, seq = next(iter(table.pending.items()))
            pending = table.view.seat(seat).pending
            assert pending is not None
            act = cmd.Act(seat, seq, random_legal(pending.request, dice))
            assert table.apply(act) == again.apply(act)
    assert dealt == {"stud8", "kitchen"}


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        (GAME.replace('id = "kitchen"', 'id = "stud8"'), SETTINGS, "the id stud8 belongs to"),
        (GAME.replace("players = 5", "players = 50"), SETTINGS, r"kitchen\.toml: players: 2 to 8"),
        (GAME, SETTINGS.replace("kitchen.toml", "nothing.toml"), r"nothing\.toml cannot be read"),
        (GAME, SETTINGS.replace("stakes.kitchen", "stakes.razz"), "not among its games"),
        (GAME, SETTINGS.replace('"stud8"', '"stud9"'), "no game 'stud9'"),
        (GAME, SETTINGS.replace('"stud8"', '"./games/kitchen.toml"'), "listed twice"),
    ],
)
def test_fault_85_a_wrong_game_in_the_settings_is_named(tmp_path: Path, game: str, text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        load(settings(tmp_path, game, text), {}, {})
