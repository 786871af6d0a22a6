"""The rules of a game as a page of text, made from the steps of the game.

A line in capitals is a heading, an empty line separates, everything else is a paragraph of any length.
"""

from protocol.stakes import Stakes
from protocol.table_rules import TableRules
from server.engine.games.advice import advice
from server.engine.games.game import Game
from server.engine.games.ranking_help import has_wilds, ranking_help, wild_help
from server.engine.games.rules_betting import betting_rules, declaring_rules, opening_rules
from server.engine.games.rules_course import course
from server.engine.ranking.hand_names import NUMBERS
from server.engine.steps.vocabulary import BringBack, Deal, Declare


def rules_page(game: Game, stakes: Stakes | None = None, table: TableRules | None = None) -> list[str]:
    """The rules of `game`, line by line, for these stakes (or its own) and, if given, this table."""
    stakes = stakes or game.stakes
    players = f"2 to {game.most_players} players" if game.most_players > 2 else "2 players"
    lines = [
        game.title, "", f"{what_wins(game)} {players}, one deck of 52 cards.",
        "", "HOW A HAND GOES",
        *[f"{number:>3}.  {text}" for number, text in enumerate(course(game, stakes), 1)],
        *_what_wins(game, stakes),
        *_section("BETTING", betting_rules(game, stakes)),
        *_section("WHO OPENS", opening_rules(game, stakes)),
        *_section("AT THE END", _end(game, stakes, table)),
        "", "ADVICE", " ".join(advice(game)),
    ]  # fmt: skip
    if table is not None:
        lines += _section("AT THIS TABLE", _table(table))
    if game.source:
        lines += ["", f"Source: {game.source}."]
    return lines


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", title, *map(_item, lines)] if lines else []


def _item(text: str) -> str:
    """A point of a list: where lines are broken, it hangs from its dash."""
    return f"-  {text}"


def what_wins(game: Game) -> str:
    """In a sentence or two: what the players play for."""
    end = game.showdown
    if end.high is None:
        return "The lowest hand wins the pot."
    if end.spade:
        return "Two winners: the best hand and the highest spade in the hole share the pot."
    if end.low is None:
        return "The best poker hand wins the pot."
    return "Two winners: the best high hand and the best low hand share the pot."


def hand_size(game: Game) -> int:
    """How many cards a player has in the end, before some of them are put aside; a draw replaces cards."""
    return sum([step.down + step.up for step in game.steps if isinstance(step, Deal)])


def _what_wins(game: Game, stakes: Stakes) -> list[str]:
    end, size = game.showdown, hand_size(game)
    kept = any(isinstance(step, BringBack) for step in game.steps)
    declared = any(isinstance(step, Declare) for step in game.steps)
    own = []
    if kept:
        own.append("Your hand is the five cards that you keep, and no others.")
    elif size > 5:
        own.append(f"Your hand is the best five of your {NUMBERS[size]} cards; the others do not matter.")
    if end.high is not None and end.low is not None and not declared:
        own.append("High and low may be made of different cards, and one player can win both.")
    lines = ["", "WHAT WINS", *map(_item, own)]
    played = 5 if kept else size
    for title, ranking in (("HIGH", end.high), ("LOW", end.low)):
        if ranking is not None:
            first, second = ranking_help(ranking, played)
            lines += [f"{title:<5}  {first}", f"       {second}"]
    lines.append("       In the examples T is a ten, and c d h s are clubs, diamonds, hearts and spades.")
    more = []
    if end.low is not None and end.low.key == "8low" and end.high is not None:
        more.append("Where nobody has such a low, the high hand takes the whole pot.")
    if end.spade:
        more.append(
            "In the hole means dealt face down: a spade that lies face up does not count. The ace is the highest. "
            "Where nobody has a spade in the hole, the best hand takes the whole pot. One player can win both halves."
        )
    if has_wilds(game):
        more.append(wild_help())
    more += declaring_rules(game, stakes)
    more.append("Suits do not matter between hands: equal hands share.")
    return [*lines, *map(_item, more)]


def _end(game: Game, stakes: Stakes, table: TableRules | None) -> list[str]:
    if table is not None and table.show == "all":
        shown = "Everybody who is still in shows their cards (a rule of this table)."
    elif game.showdown.show == "winners":
        shown = "Only the winners show their cards; the others may keep theirs hidden."
    else:
        shown = (
            "The last player to bet or raise in the last round shows first, or else whoever opened it; then, in turn, "
            "only those show who can still win something."
        )
    lines = [shown, "Each pot is divided on its own, among the players who have paid into it."]
    if game.showdown.high is not None and (game.showdown.low is not None or game.showdown.spade):
        lines[-1] += " A chip that is left over between the two halves goes to high."
    lines[-1] += f" A chip that tied players cannot divide goes to {_ODD_CHIP[stakes.odd_chip]}."
    if game.most_players * hand_size(game) > 52:
        lines.append(
            "If the deck runs short for the last card, one card is dealt face up in the middle and is everybody's last "
            "card."
        )
    return lines


_ODD_CHIP = {
    "position": "the first of them from the dealer's left",
    "suit_robert": "the one with the highest card by suit among all seven (for a low: the lowest card)",
    "suit_tda": "the one with the highest card by suit among the five that play",
}


def _table(table: TableRules) -> list[str]:
    """The table's own rules that a player should know before they sit down."""
    clock = table.clocks.bet
    return [
        f"Chips: {table.buy_in_least} to {table.buy_in_most}, usually {table.buy_in}.",
        f"You have {clock} seconds for a bet, and {table.clocks.bank} more in your time bank."
        if clock
        else "No clock runs for bets.",
        *["No advice: the keys that judge a hand are off (house rule)."] * (not table.coach),
    ]
