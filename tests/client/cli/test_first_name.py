"""Somebody who joins for the first time is asked for a name and whether to sit down, and for nothing else."""

from pathlib import Path

import pytest

from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.ryo_process import RyoProcesses, address_of

pytestmark = [pytest.mark.slow, needs_terminal]


def test_a_newcomer_is_asked_for_a_name_once_and_never_again(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path) as (_, link):
        for first, arguments in ((True, [address_of(link), "--plain"]), (False, ["--plain"])):
            with on_terminal(tmp_path, "join", *arguments) as child:
                if first:
                    child.expect("Your name at the table")
                    child.sendline("<Ann>")
                    child.expect("A name has only letters")
                    child.expect("Your name at the table")
                    child.sendline("Grandma")
                    child.expect("Sit down with 100 chips, as Grandma")
                    child.sendline("")
                else:
                    child.expect(f"To {address_of(link)}, where you were last")
                child.expect("you are Grandma in seat 1")
                assert first or "Your name" not in (child.before or "")
                assert first or "Sit down" not in (child.before or "")
                child.sendline("/quit")
                assert ended(child) == 0


def test_a_newcomer_to_a_game_against_bots_is_asked_once_and_never_again(tmp_path: Path) -> None:
    for first in (True, False):
        with on_terminal(tmp_path, "play", "--data-dir", str(tmp_path / "data"), "--plain", "--bots", "1") as child:
            if first:
                child.expect("Your name at the table")
                child.sendline("Grandma")
            child.expect("you are Grandma in seat 1")
            assert first or "Your name" not in (child.before or "")
            child.sendline("/quit")
            assert ended(child) == 0
