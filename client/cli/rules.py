"""`ryo rules`: the rules of every game in words, and the check of a house game's file."""

import random
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from client.bots.simple import random_legal
from client.display.text_cells import hang
from protocol.cards import DECK
from protocol.near_matches import did_you_mean
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game
from server.engine.games.rules_page import rules_page
from server.engine.hand import Hand
from server.errors import EXIT_CONFIG, EXIT_FAILED
from server.storage.text_file import read_text
from server.terminal import put

HANDS = 300
"""How many hands `check` plays with random legal actions."""
WIDEST = 100
"""Columns of a page at most: longer lines are hard to read."""


@click.command(name="rules")
@click.argument("game", default="")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def rules(context: click.Context, game: str, file: Path | None) -> None:
    """Print the rules of GAME, or list the games.

    GAME may be the TOML file of a house game; `ryo rules check FILE` also plays it against itself.
    """
    if game == "check":
        if file is None:
            raise click.UsageError("check needs the file of a house game.")
        context.exit(check(file))
    if file is not None:
        raise click.UsageError(f"Unexpected argument: {file}")
    if not game:
        width = max(map(len, GAMES))
        for known in GAMES.values():
            put(f"{known.id:<{width}}  {known.title} (2 to {known.most_players} players, {known.stakes.words()})")
        put("\n`ryo rules NAME` prints the rules of one of them.")
    elif game in GAMES:
        _print(rules_page(GAMES[game]))
    elif game.endswith(".toml") and Path(game).is_file():
        context.exit(0 if _print_file(Path(game)) is not None else EXIT_CONFIG)
    else:
        raise click.BadParameter(f"there is no game {game!r}.{_meant(game)}", param_hint="GAME")


def _meant(word: str) -> str:
    """The end of the sentence about a game that is not known: the one that was meant, or all that there are."""
    titles = {name.casefold(): game.id for game in GAMES.values() for name in (game.title, *game.title.split())}
    close = get_close_matches(word.casefold(), titles, n=1, cutoff=0.7)
    by_title = f" Did you mean {titles[close[0]]}?" if close else ""
    return did_you_mean(word, GAMES) or by_title or f" There are {', '.join(GAMES)}."


def _print(lines: Sequence[str]) -> None:
    """The page; on a terminal it is broken at words, elsewhere a paragraph is a line."""
    columns = min(shutil.get_terminal_size().columns, WIDEST)
    for line in lines:
        for part in hang(line, columns) if sys.stdout.isatty() else [line]:
            put(part)


def _print_file(file: Path) -> Game | None:
    """Prints the rules of a house game; None if the file is wrong, which is said."""
    try:
        game = load_game(read_text(file))
    except (BadGame, UnicodeDecodeError) as error:
        put(f"{file}: {error}.", err=True)
        return None
    _print(rules_page(game))
    return game


def check(file: Path) -> int:
    """Reads a house game and plays it against itself. Returns the exit code (EXIT_CONFIG: the file is wrong)."""
    game = _print_file(file)
    if game is None:
        return EXIT_CONFIG
    problem = self_play(game, HANDS)
    if problem:
        put(f"\n{file}: {problem}", err=True)
        return EXIT_FAILED
    put(f"\n{HANDS} hands of 2 to {game.most_players} players were played to the end; no chip was lost.")
    return 0


def self_play(game: Game, hands: int) -> str:
    """Plays that many hands with random legal actions, the same every time. Returns what went wrong, or ""."""
    dice = random.Random(game.id)
    for number in range(hands):
        players = 2 + number % (game.most_players - 1)
        stacks = [(seat, dice.choice((3, 20, 100))) for seat in range(1, players + 1)]
        hand = Hand(game, game.stakes, stacks, 1, dice.sample(DECK, len(DECK)))
        hand.start()
        while not hand.over:
            if not hand.requests:
                return f"Hand {number + 1} waits, but no player is asked for anything."
            player = dice.choice(list(hand.requests))
            hand.act(hand.seats[player], random_legal(hand.requests[player], dice))
        if sum(hand.chips) != sum([chips for _, chips in stacks]):
            return f"Hand {number + 1} ended with {sum(hand.chips)} chips of {sum([chips for _, chips in stacks])}."
    return ""
