"""What holds in every round of betting of a game: sizes, raises, all-in, who opens."""

from protocol.stakes import Stakes
from server.engine.games.game import Game
from server.engine.steps.betting import Bet
from server.engine.steps.opener import Board, DoorCard
from server.engine.steps.vocabulary import BringBack, Declare


def betting_rules(game: Game, stakes: Stakes) -> list[str]:
    """The rules of betting in words."""
    return [
        "In your turn you may check (pay nothing, stay in) or bet while nobody has bet; after that call (pay as much), "
        "raise, or fold (give up the hand). You may fold at any time, even where checking is free.",
        _sizes(stakes),
        *_bring_in(game, stakes),
        _cap(stakes),
        *_check_raise(stakes),
        "You play with the chips in front of you. With fewer than the price you call with all you have (all-in), stay "
        "in to the end and pay nothing more. You can then win only the pot that you have paid into. What the others "
        "bet beyond that is a side pot, and only they can win it. What nobody can call goes back.",
        _short_all_in(stakes),
        "Where fewer than two players have chips to bet with, a round is skipped. When all others have folded, the "
        "last player wins everything and shows nothing.",
    ]


def _sizes(stakes: Stakes) -> str:
    if stakes.limit == "fixed":
        return (
            f"Fixed limit: every bet and every raise is {stakes.small}, in the later rounds {stakes.big}."
            if stakes.small < stakes.big
            else f"Fixed limit: every bet and every raise is {stakes.small}."
        )
    return (
        f"Spread limit: a bet is {stakes.least} to {stakes.most}. A raise adds at least as much as the last bet or "
        f"raise, and at most {stakes.most}."
    )


def _bring_in(game: Game, stakes: Stakes) -> list[str]:
    if not stakes.bring_in or not any(isinstance(step, Bet) and step.bring_in for step in game.steps):
        return []
    if stakes.limit == "spread":
        return [
            f"The first player to act in the first round has to open, with {stakes.bring_in} to {stakes.most}. That is "
            "the first bet."
        ]
    if stakes.bring_in >= stakes.small:
        return [f"The first player to act in the first round has to bet {stakes.small}."]
    return [
        f"The first player to act in the first round has to open, with the bring-in of {stakes.bring_in} or with a "
        f"full bet of {stakes.small}. After a bring-in the others call {stakes.bring_in}, or complete it to "
        f"{stakes.small}. Completing is the first bet, not a raise. If all just call, the round is over: "
        "the player who brought it in is not asked again."
    ]


def _cap(stakes: Stakes) -> str:
    if stakes.cap is None:
        return "There is no limit to the number of raises."
    raises = "one raise" if stakes.cap == 1 else f"{stakes.cap} raises"
    text = f"In each round there is a bet and at most {raises}"
    if stakes.heads_up_uncapped:
        return f"{text}; where only two players with chips are left before that, they may raise on and on."
    return f"{text}, also between two players."


def _check_raise(stakes: Stakes) -> list[str]:
    if not stakes.no_check_raise:
        return ["You may check and then raise when somebody bets."]
    return ["House rule: whoever has checked may not raise in that round before they have called once."]


def _short_all_in(stakes: Stakes) -> str:
    half = (stakes.short_allin or ("half" if stakes.limit == "fixed" else "full")) == "half"
    least = "half a bet" if half else "a full raise"
    return (
        f"An all-in raise of less than {least} does not open the betting again: players who have acted since the last "
        "full bet or raise may only call or fold."
    )


def opening_rules(game: Game, stakes: Stakes) -> list[str]:
    """Who opens a round, and on a tie, in words."""
    bets = [step for step in game.steps if isinstance(step, Bet)]
    openers = dict.fromkeys([step.opens for step in bets])
    lines = []
    if any(isinstance(opener, DoorCard) for opener in openers):
        lines.append(
            "For the first card suits break a tie: clubs are lowest, then diamonds, hearts, spades. "
            "If that player is all-in already, the next one begins and is not forced to open."
        )
    if any(isinstance(opener, Board) for opener in openers):
        tie = "the higher suit" if stakes.opener_tie == "suit" else "the first of them from the dealer's left"
        low = any(isinstance(opener, Board) and opener.ranking.is_low for opener in openers)
        ranks = "then the lowest cards, and any pair is worse than none" if low else "then the highest cards"
        rolled = " Only rolled cards count once the cards have been taken back." * any(
            isinstance(step, BringBack) for step in game.steps
        )
        lines.append(
            f"A board is what a player shows. On it only pairs, three and four of a kind count, {ranks}; there are no "
            f"straights and no flushes.{rolled} On a tie {tie} opens."
        )
        lines.append("Opening is not betting: whoever opens may check. If they are all-in, the next player begins.")
    return lines


def declaring_rules(game: Game, stakes: Stakes) -> list[str]:
    """What a declaration means, in words; nothing for games without one."""
    if not any(isinstance(step, Declare) for step in game.steps):
        return []
    invalid = (
        "A straight or flush declared low ranks behind every real low."
        if stakes.invalid_low == "ranks_last"
        else "A straight or flush declared low is no hand, and loses."
    )
    return [
        "You play for one half only, the one that you declare, even if your cards would win the other one, too. "
        f"{invalid}",
        "Whoever is alone in a direction wins that half with any hand that counts there. If all declare the same, the "
        "best hand in that direction wins the whole pot.",
    ]
