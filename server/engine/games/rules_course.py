"""How a hand of a game goes, in numbered sentences: the steps of the game in words, repeated ones once."""

from dataclasses import dataclass
from itertools import groupby

from protocol.cards import RANK_NAMES
from protocol.stakes import Stakes
from server.engine.games.game import Game
from server.engine.ranking.hand_names import NUMBERS, PLURALS
from server.engine.steps.betting import Bet
from server.engine.steps.opener import DEALERS_LEFT
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import Ante, BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Step, Wilds

_TIMES = {2: "Twice", 3: "Three times", 4: "Four times", 5: "Five times"}


def course(game: Game, stakes: Stakes) -> list[str]:
    """One text for each stage of the hand, without its number. A stage that comes again and again is told once."""
    told: list[str] = []
    seen = _Seen()
    for stage, same in groupby(_stages(game), key=_without_numbers):
        times = len(list(same))
        text = " ".join(filter(None, [_step(step, stakes, seen) for step in stage]))
        if text:
            told.append(f"{_TIMES.get(times, f'{times} times')}: {text[0].lower()}{text[1:]}" if times > 1 else text)
    return told


@dataclass(slots=True)
class _Seen:
    """What the steps before have told already.

    Fields:
        bet: the last round of betting; choice: the last choice of a card to turn.
        follows: the rank after which the next card's rank is wild.
        up: whether any card lies face up.
    """

    bet: Bet | None = None
    choice: Choose | None = None
    follows: int | None = None
    up: bool = False


def _stages(game: Game) -> list[tuple[Step, ...]]:
    """The steps in groups: a choice or a round of betting belongs to the cards before it."""
    stages: list[tuple[Step, ...]] = []
    for step in game.steps:
        if isinstance(step, Bet | Choose) and stages:
            stages[-1] = (*stages[-1], step)
        else:
            stages.append((step,))
    return stages


def _without_numbers(stage: tuple[Step, ...]) -> tuple[Step, ...]:
    """The stage in which a roll has no number, so that the first roll equals the second."""
    return tuple([Roll(1) if isinstance(step, Roll) else step for step in stage])


def cards(count: int) -> str:
    """``one card``, ``three cards``"""
    return "one card" if count == 1 else f"{NUMBERS[count]} cards"


def _step(step: Step, stakes: Stakes, seen: _Seen) -> str:
    """A step in a sentence or two; empty for a step of which nothing is noticed."""
    match step:
        case Ante():
            return f"Everybody posts the ante of {stakes.ante}." if stakes.ante else ""
        case Deal():
            return _deal(step, stakes, seen)
        case Wilds():
            return f"Wild cards: {', '.join(PLURALS[rank] for rank in step.ranks)}."
        case Choose():
            return _choose(step, seen)
        case Bet():
            return _bet(step, stakes, seen)
        case Pass():
            to = "the player across" if step.to == "across" else f"the player at their {step.to}"
            return f"Everybody passes {cards(step.count)} to {to}, all at once."
        case Draw():
            return f"Everybody may throw away up to {cards(step.most)} and gets as many new ones."
        case BringBack():
            back, seen.up = seen.up, False
            return (
                (
                    "Bring 'em back: everybody takes all their cards into their hand, keeps "
                    if back
                    else "Everybody keeps "
                )
                + f"{NUMBERS[step.keep]} and lays them in the order in which they are going to be turned. The other "
                "cards are out of the hand." + " Cards that were face up before no longer count." * back
            )
        case Roll():
            return "Everybody turns (rolls) the next of their cards, all at once; there is no choice any more."
        case Declare():
            return "Everybody secretly declares high or low; all declarations are shown at once."
        case Showdown():
            return "Showdown: the players who are still in compare their hands."


def _deal(step: Deal, stakes: Stakes, seen: _Seen) -> str:
    parts = [f"{cards(step.down)} face down"] * bool(step.down) + [f"{cards(step.up)} face up"] * bool(step.up)
    text = f"Everybody gets {' and '.join(parts)}."
    seen.up = seen.up or step.up > 0
    if step.wild_after is None or step.wild_after == seen.follows:
        return text
    seen.follows = step.wild_after
    return f"{text} {_follow(step.wild_after, stakes)}"


def _choose(step: Choose, seen: _Seen) -> str:
    again, seen.choice, seen.up = step == seen.choice, step, True
    if again:
        return "Everybody turns one of their hidden cards face up, as before."
    if step.together:
        return "Everybody secretly chooses one of their hidden cards; all are turned face up at once."
    first = "the first player from the dealer's left" if step.first is DEALERS_LEFT else "the opener"
    return (
        f"One after the other, beginning with {first}, everybody turns one of their hidden cards face up, seeing what "
        "the players before them turned."
    )


def _follow(rank: int, stakes: Stakes) -> str:
    name, plural = RANK_NAMES[rank], PLURALS[rank]
    end = (
        f"the {plural} themselves are always wild, too"
        if stakes.followed_wild
        else f"the {plural} themselves are not wild, and where a {name} comes last, nothing is"
    )
    return f"Whenever a {name} is dealt face up, the rank of the next card dealt face up is wild; {end}."


def _bet(step: Bet, stakes: Stakes, seen: _Seen) -> str:
    before, seen.bet = seen.bet, step
    forced = step.bring_in and stakes.bring_in > 0
    fixed = stakes.limit == "fixed"
    size = stakes.small if step.size == "small" else stakes.big
    if step.odd_man:
        return (
            "Then a last round of betting: the odd man, who is alone in one direction, opens and never raises; where "
            f"nobody is alone, {step.opens.rule}. The round is skipped where no two players with chips want the same "
            "half."
        )
    if before is not None and (before.opens, before.bring_in) == (step.opens, step.bring_in):
        text = "Betting as before"
    else:
        full = f" or a full bet of {size}" if fixed else ""
        text = f"Betting: {step.opens.rule}"
        text = f"{text}, for the bring-in of {stakes.bring_in}{full}" if forced else text.replace("must open", "opens")
    if fixed and (before is None or before.size != step.size):
        text += f"; bets and raises are {size}" + (" from here on" if before is not None else "")
    pair = {
        "any_active": f" If somebody shows a pair, everybody may bet or raise {stakes.big} in this round.",
        "holder": f" A player who shows a pair may bet or raise {stakes.big} in this round.",
    }
    return f"{text}." + (pair.get(stakes.open_pair, "") if step.open_pair and fixed else "")
