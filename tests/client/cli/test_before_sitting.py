"""Before somebody sits down they read what is played, and can go with nothing taken."""

from pathlib import Path

import pytest

from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.ryo_process import RyoProcesses, address_of

pytestmark = [pytest.mark.slow, needs_terminal]


@pytest.mark.parametrize("plain", [["--plain"], []])
def test_whoever_says_no_has_taken_nothing(plain: list[str], ryo: RyoProcesses, tmp_path: Path) -> None:
    settings = ("--game", "razz", "--preset", "barney")
    with ryo.serving(tmp_path, *settings) as (_, link):
        with on_terminal(tmp_path, "join", address_of(link), *plain, "--name", "Ann") as child:
            child.expect("Razz roll your own .ante 1, limits 2/4")
            child.expect("Buy-in +100 chips; from 50 to 500")
            child.expect("Clocks +60 s to bet")
            child.expect("Spectators +see what is open at the table")
            child.expect("Sit down with 100 chips, as Ann")
            child.sendline("perhaps")
            child.expect("Type yes or no")
            child.sendline("no")
            child.expect("nothing was taken")
            assert ended(child) == 0
        with on_terminal(tmp_path, "join", address_of(link), "--plain", "--name", "Ann") as child:
            child.expect("7 of 7 free")
            child.expect("Sit down with 100 chips, as Ann")
            child.sendline("")
            child.expect("you are Ann in seat 1")
            child.sendline("/quit")
            assert ended(child) == 0


def test_with_yes_and_at_the_own_seat_nobody_is_asked(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path) as (_, link):
        for arguments in (["--yes"], []):
            with on_terminal(tmp_path, "join", address_of(link), "--plain", "--name", "Ann", *arguments) as child:
                child.expect("you are Ann in seat 1")
                assert "Sit down" not in (child.before or "")
                child.sendline("/quit")
                assert ended(child) == 0
