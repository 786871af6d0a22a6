"""`make soak`: what is too long for `make test`.

    sim       10,000 seeds of the simulation, in one process for each core
    power     30,000 histories of a journal on a disk that loses power
    kill      200 kill -9 of the real program, with four clients behind a bad network
    fuzz      random and damaged bytes: frames, messages, records, journal files
    rankings  every hand of five cards, and many of seven, against independent rankings
    selfplay  hands played by chance, with everything that must hold in them
    random    any values there and back over the wire and into files
    secrets   every byte of 500 hands, searched for what its receiver may not know
    bots      the house's bot against simple players, in more hands
    fixed     the seeds of the simulation that never change, and chances against the engine in more deals
    damage    the client's sessions over more connections that break, and with more damaged messages
    what_if   from every step of more hands the recorded decisions lead to the recorded end
    minds     the levels of bots against each other and against simple players, with duplicate deals: the table
    late      how often the levels fold to late bets in the games that declare, and what always folding costs
    page      hands of every game in three windows of a browser; `--only page --minutes 200` plays 50 of each, which
              takes about an hour of a processor

`--only sim,kill` runs some of them, `--minutes` shortens all of them in proportion. One line for each part; the exit
code is 1 if one of them has failed, and the line then says how to see the failure again.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
import trio

from server.engine.games.catalogue import GAMES
from tests.simulation.world import simulate
from tests.support import late_bets, power_cuts, tournament
from tests.support.chromium import chromium
from tests.support.fuzzer import fuzz
from tests.support.kill_loop import kill_loop
from tests.support.page_evening import Evening, dealers_choice, play_evening
from tests.support.paths import ROOT

WHOLE = 20.0
"""Minutes for which the numbers of the parts are meant."""
SEEDS = 10_000
HISTORIES = 30_000
KILLS = 200
FUZZ_MINUTES = 10.0
PAGE_HANDS = 5
DEALS = 8
"""Deals of a match between minds. For intervals that say something: `--only minds --minutes 1000`, some hours."""
LATE_HANDS = 24
"""Hands of a mind against itself. For intervals that say something: `--only late --minutes 200`."""
THOROUGH = 0.5
"""Share of the time from which on the tests run at their full length."""


def _one_seed(seed: int) -> tuple[int, int, int, str]:
    """(actions, crashes, events seen, what was wrong)."""
    try:
        stats = simulate(seed).stats
    except Exception as error:
        return 0, 0, 0, f"{error}"
    return stats.actions, stats.kills + stats.cuts_of_power, stats.events_seen, ""


def sim(share: float, start: int) -> str:
    """Seeds of the simulation, on all cores."""
    count = max(20, int(SEEDS * share))
    actions = crashes = seen = 0
    with multiprocessing.get_context("spawn").Pool() as pool:
        for one in pool.imap_unordered(_one_seed, range(start, start + count), chunksize=10):
            actions, crashes, seen = actions + one[0], crashes + one[1], seen + one[2]
            if one[3]:
                raise AssertionError(f"{one[3]} (tests.simulation.world.simulate)")
    return f"{count} seeds from {start}: {actions} actions, {crashes} crashes, {seen} events seen, none taken back"


def power(share: float, start: int) -> str:
    """Histories of a journal."""
    count = max(100, int(HISTORIES * share))
    power_cuts.soak(count, start)
    return f"{count} histories from {start}: nothing acknowledged was lost"


def kill(share: float, start: int) -> str:
    """kill -9."""
    kills = max(3, int(KILLS * share))
    with tempfile.TemporaryDirectory() as folder:
        report = trio.run(lambda: kill_loop(Path(folder), kills, start))
    return report.line()


def fuzzing(share: float, start: int) -> str:
    """Random bytes."""
    return fuzz(60 * FUZZ_MINUTES * share, start)


def _tests(*what: str) -> Callable[[float, int], str]:
    def run(share: float, start: int) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *what],
            cwd=ROOT,
            env={**os.environ, **({"RYO_THOROUGH": "1"} if share >= THOROUGH else {})},
            capture_output=True,
            text=True,
            check=False,
        )
        lines = done.stdout.strip().splitlines() or [done.stderr[-500:]]
        if done.returncode:
            raise AssertionError("\n".join(lines[-15:]))
        return lines[-1].strip("= ")

    return run


def _match(told: tuple[tournament.Match, int, int]) -> tournament.Result:
    match, deals, seed = told
    return tournament.played(match, deals, str(seed))


def minds(share: float, start: int) -> str:
    """The table of the levels, on all cores, a row as soon as it is known."""
    deals, missed = max(2, int(DEALS * share)), 0
    with multiprocessing.get_context("spawn").Pool() as pool:
        for result in pool.imap(_match, [(match, deals, start) for match in tournament.matches()]):
            print(f"{'':9}{result.line()}", flush=True)
            missed += result.missed
    if missed:
        raise AssertionError(f"{missed} matches were not won as they must be")
    return f"{deals} deals of each match, twice"


def _late(told: tuple[str, str, int, int]) -> late_bets.Row:
    game, mind, hands, seed = told
    return late_bets.measured(game, mind, hands, str(seed))


def late(share: float, start: int) -> str:
    """What the levels do with late bets, on all cores, a row as soon as it is known."""
    hands, wrong = max(2, int(LATE_HANDS * share)), 0
    with multiprocessing.get_context("spawn").Pool() as pool:
        for row in pool.imap(_late, [(game, mind, hands, start) for game, mind in late_bets.rows()]):
            print(f"{'':9}{row.line()}", flush=True)
            wrong += row.wrong
    if wrong:
        raise AssertionError(f"{wrong} levels never fold late, or bluff so little that always folding is right")
    return f"{hands} hands of each level, and as many with somebody who answers differently"


def page(share: float, start: int) -> str:
    """Hands of every game by the buttons of the page, in three windows, with a terminal and bots; what each one was."""
    hands = max(1, int(PAGE_HANDS * share))
    whole = Evening()
    try:
        with chromium() as browser, tempfile.TemporaryDirectory() as folder:
            for game in (*GAMES, "dealer"):
                here = Path(folder, game)
                evening = play_evening(
                    browser, here, game, hands, **(dealers_choice(here) if game not in GAMES else {})
                )
                print(f"{'':9} {game}: {evening}", flush=True)
                whole.add(evening)
    except pytest.skip.Exception as skipped:
        return f"skipped: {skipped}"
    return str(whole)


PARTS: dict[str, Callable[[float, int], str]] = {
    "power": power,
    "sim": sim,
    "kill": kill,
    "rankings": _tests(
        "tests/server/engine/ranking/test_strength.py", "tests/server/engine/ranking/test_lookup_tables.py"
    ),
    "selfplay": _tests(
        "tests/server/engine/test_selfplay.py",
        "tests/server/engine/test_properties.py",
        "tests/server/engine/test_checkpoint.py",
    ),
    "random": _tests(
        "tests/protocol/wire/test_codec.py",
        "tests/protocol/journal/test_records.py",
        "tests/client/profile/test_hand_store.py",
    ),
    "secrets": _tests(
        "tests/server/app/test_traps_connection.py",
        "tests/replays/test_exports_keep_secrets.py",
        "tests/replays/test_narration.py",
    ),
    "bots": _tests("tests/client/bots/test_player.py", "tests/client/bots/test_thinker.py"),
    "fixed": _tests("tests/simulation", "tests/replays/chances"),
    "damage": _tests(
        "tests/client/connection/test_broken_connections.py", "tests/client/connection/test_damaged_messages.py"
    ),
    "what_if": _tests("tests/replays/what_if"),
    "fuzz": fuzzing,
    "minds": minds,
    "late": late,
    "page": page,
}


def run(name: str, share: float, seed: int) -> tuple[bool, str]:
    """One part: whether all was well, and the line that says so."""
    begun = time.monotonic()
    try:
        good, line = True, PARTS[name](share, seed)
    except Exception as error:
        good, line = False, f"FAILED with --seed {seed}: {type(error).__name__}: {error}"
    return good, f"{name:9}{time.monotonic() - begun:7.1f} s  {line}"


def _told(done: tuple[bool, str]) -> bool:
    print(done[1], flush=True)
    return done[0]


def main(arguments: list[str] | None = None) -> int:
    """Runs the parts; 1 if one has failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="The long tests.")
    parser.add_argument("--minutes", type=float, default=WHOLE, help="for all parts together, about [%(default)s]")
    parser.add_argument("--only", default=",".join(PARTS), metavar="PART,...", help="some of: %(default)s")
    parser.add_argument(
        "--seed", type=int, default=int(time.time()) % 10**9 * 1000, help="where seeds begin [the time]"
    )
    chosen = parser.parse_args(arguments)
    names = chosen.only.split(",")
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    share = chosen.minutes / WHOLE
    good = True
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as aside:
        # Fuzzing lasts as long as it is told to, so it runs beside the others.
        fuzzed = aside.submit(run, "fuzz", share, chosen.seed) if "fuzz" in names else None
        for name in names:
            if name != "fuzz":
                good = _told(run(name, share, chosen.seed)) and good
        if fuzzed is not None:
            good = _told(fuzzed.result()) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
