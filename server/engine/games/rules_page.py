"""The rules of a game as a page of text, made from the steps of the game."""

from protocol.cards import RANK_NAMES
from protocol.stakes import Stakes
from server.engine.games.game import Game
from server.engine.ranking.hand_names import PLURALS
from server.engine.ranking.rankings import Ranking
from server.engine.steps.betting import Bet
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import Ante, BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Step, Wilds

RANKING_HELP = {
    "high": "High, best first: straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, "
    "pair, high card. Aces are high, and low only in 5-4-3-2-A.",
    "a5": "Low, ace to five: aces are low, straights and flushes do not count. The best hand is 5-4-3-2-A; any hand "
    "without a pair beats any pair.",
    "8low": "Low, eight or better: five different ranks of eight or under, aces low, straights and flushes do not "
    "count. The best low is 5-4-3-2-A, the worst that counts is 8-7-6-5-4.",
    "a6": "Low, ace to six: aces are low, and a straight or a flush is no low at all. The best low is 6-4-3-2-A; pairs "
    "are bad lows.",
}


def rules_page(game: Game, stakes: Stakes | None = None) -> list[str]:
    """The rules of `game`, line by line, for these stakes (or its own)."""
    stakes = stakes or game.stakes
    lines = [game.title, "", f"2 to {game.most_players} players, one deck, no jokers. {_stakes(game, stakes)}", ""]
    fixed = stakes.limit == "fixed"
    lines += [f"{number:>3}. {text}" for number, text in enumerate(_course(game.steps, fixed), 1)]
    lines += ["", *_house_rules(game, stakes), "", *_ranking_help(game.showdown)]
    if game.source:
        lines += ["", f"Source: {game.source}."]
    return lines


def _stakes(game: Game, stakes: Stakes) -> str:
    parts = [f"Ante {stakes.ante}." if stakes.ante else "No ante."]
    if any(isinstance(step, Bet) and step.bring_in for step in game.steps):
        parts.append(f"Bring-in {stakes.bring_in}.")
    if stakes.limit == "fixed":
        parts.append(f"Fixed limit: bets and raises of {stakes.small}, later of {stakes.big}.")
    else:
        parts.append(
            f"Spread limit: a bet is {stakes.least} to {stakes.most}; a raise is at least the last bet or raise."
        )
    if stakes.cap is not None:
        alone = ", but no limit if only two players are left before that" if stakes.heads_up_uncapped else ""
        raises = "1 raise" if stakes.cap == 1 else f"{stakes.cap} raises"
        parts.append(f"At most {raises} a round{alone}.")
    return " ".join(parts)


def _course(steps: tuple[Step, ...], fixed: bool) -> list[str]:
    """A line for each step; a choice or a round of betting stands on the line of the cards before it."""
    lines: list[str] = []
    for step in steps:
        if isinstance(step, Bet | Choose) and lines:
            lines[-1] += f" {_step(step, fixed)}"
        else:
            lines.append(_step(step, fixed))
    return lines


def _cards(count: int) -> str:
    return "one card" if count == 1 else f"{count} cards"


def _step(step: Step, fixed: bool) -> str:
    match step:
        case Ante():
            return "Everybody posts the ante."
        case Deal():
            parts = [f"{_cards(step.down)} face down"] * bool(step.down) + [f"{_cards(step.up)} face up"] * bool(
                step.up
            )
            wild = (
                f" What follows the last {RANK_NAMES[step.wild_after]} is wild." if step.wild_after is not None else ""
            )
            return f"Everybody gets {' and '.join(parts)}.{wild}"
        case Wilds():
            return f"Wild: {', '.join(PLURALS[rank] for rank in step.ranks)}."
        case Choose():
            if step.together:
                return "Everybody chooses a hidden card; all are turned face up at once."
            return "In turn everybody turns a hidden card face up, seeing what the players before them turned."
        case Bet():
            return _bet(step, fixed)
        case Pass():
            return f"Everybody passes {_cards(step.count)} " + (
                "across." if step.to == "across" else f"to the {step.to}."
            )
        case Draw():
            return f"Everybody may replace up to {_cards(step.most)}."
        case BringBack():
            return f"Everybody takes all cards back into their hand, keeps {step.keep} and sets the order of rolling."
        case Roll():
            return "Everybody rolls the next card of their hand, all at once."
        case Declare():
            return "Everybody declares high or low in secret; the declarations are shown at once."
        case Showdown():
            return _showdown(step)


def _bet(step: Bet, fixed: bool) -> str:
    odd = " The odd man, who is alone in one direction, opens instead and never raises." if step.odd_man else ""
    pair = " With an open pair the big bet may be used." if step.open_pair else ""
    post = " with the bring-in or a full bet" if step.bring_in else ""
    size = f" ({step.size} bets)" if fixed else ""
    return f"Betting{size}: {step.opens.rule}{post}.{pair}{odd}"


def _showdown(step: Showdown) -> str:
    if step.high is None:
        return "Showdown: the lowest hand wins the pot."
    if step.spade:
        return "Showdown: the best high hand and the highest spade in the hole share the pot; no spade, high takes all."
    if step.low is None:
        return "Showdown: the best hand wins the pot."
    return "Showdown: the best high hand and the best low hand share the pot; the odd chip goes high."


def _house_rules(game: Game, stakes: Stakes) -> list[str]:
    lines = []
    if stakes.no_check_raise:
        lines.append("House rule: a player who has checked may not raise in that round before they have called once.")
    if any(isinstance(step, Declare) for step in game.steps):
        last = "ranks behind every real low" if stakes.invalid_low == "ranks_last" else "is no low"
        lines.append(f"House rule: one direction only; a straight or flush declared low {last}.")
    if game.most_players * 7 > 52:
        lines.append("If the deck runs short on seventh street, one card in the middle is everybody's.")
    odd = {
        "position": "the first tied player from the dealer's left",
        "suit_robert": "the highest card by suit among all seven (for a low: the lowest card)",
        "suit_tda": "the highest card by suit among the five that play",
    }[stakes.odd_chip]
    lines.append(f"A chip that cannot be divided goes to {odd}.")
    return lines


def _ranking_help(showdown: Showdown) -> list[str]:
    rankings: list[Ranking | None] = [showdown.high, showdown.low]
    return [RANKING_HELP[ranking.key] for ranking in rankings if ranking is not None]
