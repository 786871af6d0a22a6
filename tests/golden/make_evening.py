"""Makes the golden evening: ``python -m tests.golden.make_evening FILE``. Done once for a version of format or rules.

Three hands, one of each game, with chat, a dropped line and a clock that ran out. The test of the golden files reads
and verifies what lies there; nothing ever writes it again.
"""

import sys
from pathlib import Path

from protocol import commands as cmd
from tests.support import sample_session
from tests.support.self_play import SelfPlay

SEED = 38
GAMES = ("barneys", "stud8", "razz")


def evening() -> SelfPlay:
    """The evening; the same as long as the rules are the same."""
    played = SelfPlay(SEED, GAMES, players=4)
    played.do(cmd.Say("Ann", "good luck all", 1))
    for _ in GAMES:
        played.hand()
    played.do(cmd.StandUp(4, "must go"))
    return played


def main() -> None:
    """Refuses to write over a file that is there."""
    path = Path(sys.argv[1])
    if path.exists():
        sys.exit(f"{path} is there already; a golden file is never made again.")
    sample_session.write(path, evening().steps)


if __name__ == "__main__":
    main()
