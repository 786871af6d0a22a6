"""The host key at the terminal of a player: from a file, from the environment, and typed where nothing shows it."""

from pathlib import Path

import pytest

from server.config.passwords import make_verifier
from tests.support.pty_program import PtyPrograms
from tests.support.ryo_process import RyoProcesses

pytestmark = pytest.mark.slow

KEY = "correct horse"


def test_the_host_key_is_in_a_file_in_the_environment_or_typed_unseen(
    ryo: RyoProcesses, programs: PtyPrograms, tmp_path: Path
) -> None:
    verifier = make_verifier(KEY)
    settings, key = tmp_path / "host.toml", tmp_path / "key"
    settings.write_text(f'host_key = "{verifier}"\n[[table]]\nid = "main"\nstart = 600.0\n')
    key.write_text(f"{KEY}\n")
    with ryo.serving(tmp_path, "--config", str(settings)) as (_, link):
        ann = ryo.start(
            tmp_path / "Ann", "join", link, "--plain", "--name", "Ann", "--host-key-file", str(key)
        )  # fmt: skip
        ann.line("Ann is a host of this table now")
        ben = ryo.start(tmp_path / "Ben", "join", link, "--plain", "--name", "Ben", RYO_HOST_KEY=KEY)
        ben.line("Ben is a host of this table now")
        cai = ryo.start(tmp_path / "Cai", "join", link, "--plain", "--name", "Cai", RYO_HOST_KEY=verifier)
        cai.line("you are Cai in seat 3")
        none = ryo.run(tmp_path / "Eve", "join", link, "--host-key-file", str(tmp_path / "none"))
        assert none.code == 2
        assert "The host key in" in none.err
        dot = programs(["client", "join", link, "--plain", "--yes", "--name", "Dot"])
        dot.see("you are Dot in seat 4")
        dot.type("/claim\n")
        dot.see("does not show it")
        dot.type(f"{KEY}\n")
        dot.see("Dot is a host of this table now")
        assert KEY not in dot.text()
        dot.type("/quit\n")
        assert dot.ended() == 0
        assert "Cai is a host" not in cai.out, "what a server keeps is no key"
