"""Somebody who joins for the first time is asked for a name, and for nothing else."""

import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.ryo_process import LIMIT, RyoProcesses, address_of, environment

pytestmark = pytest.mark.slow

pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals are a Unix thing")


def test_a_newcomer_is_asked_for_a_name_once_and_never_again(ryo: RyoProcesses, tmp_path: Path) -> None:
    person = environment(tmp_path, TERM="xterm")
    with ryo.serving(tmp_path) as (_, link):
        command = ["-m", "client", "join", address_of(link), "--plain"]
        for first, arguments in ((True, command), (False, ["-m", "client", "join", "--plain"])):
            child = pexpect.spawn(sys.executable, arguments, encoding="utf-8", timeout=LIMIT, env=person, cwd=ROOT)
            try:
                if first:
                    child.expect("Your name at the table")
                    child.sendline("<Ann>")
                    child.expect("A name has only letters")
                    child.expect("Your name at the table")
                    child.sendline("Grandma")
                else:
                    child.expect(f"To {address_of(link)}, where you were last")
                child.expect("you are Grandma in seat 1")
                assert first or "Your name" not in child.before
                child.sendline("/quit")
                child.expect(pexpect.EOF)
            finally:
                child.close(force=True)
