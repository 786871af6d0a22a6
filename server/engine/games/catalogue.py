"""The built-in games, each as the list of its steps.

Barney's Poker (`rules.md` 7), seven-card stud high-low eight or better (8), razz roll your own (9), and more games made
of the same steps (17 to 20).
"""

from protocol.stakes import Stakes
from server.engine.games.game import Game
from server.engine.ranking.rankings import ACE_TO_FIVE, ACE_TO_SIX, EIGHT_OR_BETTER, HIGH
from server.engine.steps.betting import Bet
from server.engine.steps.opener import DEALERS_LEFT, HIGH_BOARD, HIGH_CARD, LOW_BOARD, LOW_CARD
from server.engine.steps.showdown import Showdown
from server.engine.steps.vocabulary import Ante, BringBack, Choose, Deal, Declare, Pass, Roll

QUEEN = 10
"""Rank of a queen."""

TOGETHER = Choose(together=True)
IN_TURN = Choose(together=False)

BARNEYS = Game(
    id="barneys",
    title="Barney's Poker",
    most_players=7,
    stakes=Stakes(limit="spread", ante=1, least=1, most=5, small=2, big=4, no_check_raise=True),
    steps=(
        Ante(),
        Deal(down=3), TOGETHER, Bet("small", opens=HIGH_BOARD),
        Deal(down=1), TOGETHER, Bet("small", opens=HIGH_BOARD),
        Deal(down=1), TOGETHER, Bet("small", opens=HIGH_BOARD),
        Deal(down=1), TOGETHER, Bet("small", opens=HIGH_BOARD),
        Deal(down=1), Bet("small", opens=HIGH_BOARD),
        BringBack(keep=5),
        Roll(1), Bet("big", opens=HIGH_BOARD),
        Roll(2), Bet("big", opens=HIGH_BOARD),
        Roll(3), Bet("big", opens=HIGH_BOARD),
        Roll(4), Bet("big", opens=HIGH_BOARD),
        Declare(), Bet("big", opens=HIGH_BOARD, odd_man=True),
        Showdown(high=HIGH, low=ACE_TO_SIX, show="winners"),
    ),
    source="the Barney family's rules",
)  # fmt: skip

STUD8 = Game(
    id="stud8",
    title="Seven-card stud high-low, eight or better",
    most_players=8,
    stakes=Stakes(ante=1, bring_in=1, small=2, big=4, heads_up_uncapped=True, open_pair="any_active"),
    steps=(
        Ante(),
        Deal(down=2, up=1), Bet("small", opens=LOW_CARD, bring_in=True),
        Deal(up=1), Bet("small", opens=HIGH_BOARD, open_pair=True),
        Deal(up=1), Bet("big", opens=HIGH_BOARD),
        Deal(up=1), Bet("big", opens=HIGH_BOARD),
        Deal(down=1), Bet("big", opens=HIGH_BOARD),
        Showdown(high=HIGH, low=EIGHT_OR_BETTER),
    ),
    source="the casino's seven-card stud high-low text",
)  # fmt: skip

RAZZ_ROLL_YOUR_OWN = Game(
    id="razz",
    title="Razz roll your own",
    most_players=7,
    stakes=Stakes(ante=1, bring_in=1, small=2, big=4),
    steps=(
        Ante(),
        Deal(down=3), IN_TURN, Bet("small", opens=HIGH_CARD, bring_in=True),
        Deal(down=1), IN_TURN, Bet("small", opens=LOW_BOARD),
        Deal(down=1), IN_TURN, Bet("big", opens=LOW_BOARD),
        Deal(down=1), IN_TURN, Bet("big", opens=LOW_BOARD),
        Deal(down=1), Bet("big", opens=LOW_BOARD),
        Showdown(low=ACE_TO_FIVE),
    ),
    source="the razz roll your own text",
)  # fmt: skip

STUD = Game(
    id="stud",
    title="Seven-card stud",
    most_players=8,
    stakes=Stakes(ante=1, bring_in=1, small=2, big=4, heads_up_uncapped=True, open_pair="any_active"),
    steps=(*STUD8.steps[:-1], Showdown(high=HIGH)),
    source="Robert's Rules of Poker, seven-card stud",
)

STUD_HIGH_LOW = Game(
    id="studhilo",
    title="Seven-card stud high-low",
    most_players=8,
    stakes=Stakes(ante=1, bring_in=1, small=2, big=4, heads_up_uncapped=True),
    steps=(*STUD8.steps[:-1], Showdown(high=HIGH, low=ACE_TO_FIVE)),
    source="Robert's Rules of Poker, seven-card stud high-low",
)

RAZZ = Game(
    id="plainrazz",
    title="Razz",
    most_players=8,
    stakes=Stakes(ante=1, bring_in=1, small=2, big=4, heads_up_uncapped=True),
    steps=(
        Ante(),
        Deal(down=2, up=1), Bet("small", opens=HIGH_CARD, bring_in=True),
        Deal(up=1), Bet("small", opens=LOW_BOARD),
        Deal(up=1), Bet("big", opens=LOW_BOARD),
        Deal(up=1), Bet("big", opens=LOW_BOARD),
        Deal(down=1), Bet("big", opens=LOW_BOARD),
        Showdown(low=ACE_TO_FIVE),
    ),
    source="Robert's Rules of Poker, razz",
)  # fmt: skip

CHICAGO = Game(
    id="chicago",
    title="Chicago",
    most_players=7,
    stakes=STUD.stakes,
    steps=(*STUD.steps[:-1], Showdown(high=HIGH, spade=True)),
    source="home game: half the pot to the highest spade in the hole",
)

FOLLOW_THE_QUEEN = Game(
    id="queen",
    title="Follow the Queen",
    most_players=7,
    stakes=STUD.stakes,
    steps=(
        Ante(),
        Deal(down=2, up=1, wild_after=QUEEN), Bet("small", opens=LOW_CARD, bring_in=True),
        Deal(up=1, wild_after=QUEEN), Bet("small", opens=HIGH_BOARD),
        Deal(up=1, wild_after=QUEEN), Bet("big", opens=HIGH_BOARD),
        Deal(up=1, wild_after=QUEEN), Bet("big", opens=HIGH_BOARD),
        Deal(down=1), Bet("big", opens=HIGH_BOARD),
        Showdown(high=HIGH),
    ),
    source="home game, in the form in which the queens themselves are not wild",
)  # fmt: skip

ANACONDA = Game(
    id="anaconda",
    title="Anaconda",
    most_players=7,
    stakes=Stakes(ante=1, small=2, big=4),
    steps=(
        Ante(),
        Deal(down=7), Bet("small", opens=DEALERS_LEFT),
        Pass(3), Bet("small", opens=DEALERS_LEFT),
        Pass(2), Bet("small", opens=DEALERS_LEFT),
        Pass(1), Bet("small", opens=DEALERS_LEFT),
        BringBack(keep=5),
        Roll(1), Bet("big", opens=HIGH_BOARD),
        Roll(2), Bet("big", opens=HIGH_BOARD),
        Roll(3), Bet("big", opens=HIGH_BOARD),
        Roll(4), Bet("big", opens=HIGH_BOARD),
        Declare(odd_man=False),
        Showdown(high=HIGH, low=ACE_TO_SIX, show="winners"),
    ),
    source="home game: pass the trash three, two and one to the left, roll, declare",
)  # fmt: skip

GAMES: dict[str, Game] = {
    game.id: game
    for game in (BARNEYS, STUD8, RAZZ_ROLL_YOUR_OWN, STUD, STUD_HIGH_LOW, RAZZ, ANACONDA, CHICAGO, FOLLOW_THE_QUEEN)
}
"""Every game by its id."""
