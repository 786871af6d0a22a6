"""The verbs: what they print, and their exit codes."""

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import card_text
from protocol.journal.records import encode_record
from protocol.versions import RULES
from replays.cli.verbs import main
from server.storage.journal_file import Journal
from tests.support import sample_session
from tests.support.child_python import in_child
from tests.support.ryo_process import RyoProcesses
from tests.support.self_play import SelfPlay, played_steps


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one evening of three hands, one of each game."""
    sample_session.write(tmp_path / "hands" / "20260921-200000-kitchen.ryo", played_steps(seed=5, hands=3))
    return tmp_path


def run_verb(*words: str, data: Path | None = None) -> Result:
    """Runs a verb in this process."""
    extra = ["--data-dir", str(data)] if data is not None else []
    return CliRunner().invoke(main, [*words, *extra])


def test_replay_tells_one_hand(data: Path) -> None:
    result = run_verb("replay", "last", data=data)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert "Hand 3: Razz roll your own" in lines[0]
    assert "Hand 3 is over" in result.output
    assert "Hand 2" not in result.output
    assert run_verb("replay", data=data).output == result.output
    assert run_verb("replay", "kitchen-3", data=data).output == result.output


def test_replay_tells_a_whole_file(data: Path) -> None:
    file = str(next((data / "hands").iterdir()))
    result = run_verb("replay", file)
    assert result.exit_code == 0
    for number in (1, 2, 3):
        assert f"Hand {number} is over" in result.output
    one = run_verb("replay", file, "--hand", "2").output
    assert "Hand 2 is over" in one
    assert "Hand 3" not in one


def test_replay_from_the_viewpoint_of_a_player(data: Path) -> None:
    spectator = run_verb("replay", "kitchen-2", data=data).output
    ann = run_verb("replay", "kitchen-2", "--player", "ann", data=data).output
    everything = run_verb("replay", "kitchen-2", "--all", data=data).output
    assert "you are dealt" not in spectator
    assert "you are dealt" in ann
    assert ann == run_verb("replay", "kitchen-2", "--seat", "1", data=data).output
    assert "Dealt down:" in everything
    assert "Dealt down:" not in ann


def test_replay_says_what_is_wrong(data: Path) -> None:
    cases = [
        (("replay", "nothing"), 1, "no recorded hand 'nothing'"),
        (("replay", "kitchen-1", "--player", "Zoe"), 2, "no player Zoe in this recording; seats: 1 Ann"),
        (("replay", "kitchen-1", "--seat", "9"), 2, "There is no seat 9 at this table"),
        (("replay", "kitchen-1", "--seat", "1", "--all"), 2, "exclude each other"),
        (("replay", "kitchen-1", "--hand", "44"), 1, "holds no hand 44; it has 3 hands"),
    ]
    for words, code, text in cases:
        result = run_verb(*words, data=data)
        assert (result.exit_code, text in result.output) == (code, True), result.output
    bad = data / "bad.ryo"
    bad.write_bytes(b"RYOLOG77" + bytes(60))
    result = run_verb("replay", str(bad))
    assert (result.exit_code, "77" in result.output and "not a recording" in result.output) == (5, True)


def test_a_hand_that_is_still_played(tmp_path: Path) -> None:
    steps = sample_session.steps([*sample_session.OPENING, *sample_session.HAND_1[:5]])
    path = sample_session.write(tmp_path / "hands" / "a.ryo", steps)
    path.write_bytes(path.read_bytes()[:-4])
    result = run_verb("replay", str(path), data=tmp_path)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith("The recording goes on")
    assert run_verb("hands", data=tmp_path).output.endswith("not finished\n")
    for verb in ("replay", "export"):
        nothing = run_verb(verb, "last", data=tmp_path)
        assert (nothing.exit_code, "is over yet; ryo replay FILE follows" in nothing.output) == (1, True)


def test_last_is_the_last_hand_that_is_over(tmp_path: Path) -> None:
    steps = sample_session.steps([*sample_session.OPENING, *sample_session.HAND_1, *sample_session.HAND_2[:2]])
    sample_session.write(tmp_path / "hands" / "a.ryo", steps)
    told = run_verb("replay", "last", data=tmp_path).output
    assert "Hand 1" in told
    assert "Hand 2" not in told
    result = run_verb("export", "last", "--all", data=tmp_path)
    assert (result.exit_code, "_id = 'h-1'" in result.output or '_id = "h-1"' in result.output) == (0, True)


@pytest.mark.parametrize("look", [("--all",), ("--seat", "1"), ("--player", "Ben"), ()])
def test_no_option_opens_a_hand_that_is_not_over(tmp_path: Path, look: tuple[str, ...]) -> None:
    steps = sample_session.steps([*sample_session.OPENING, *sample_session.HAND_1, *sample_session.HAND_2[:2]])
    path = sample_session.write(tmp_path / "a.ryo", steps)
    told = run_verb("replay", str(path), *look, data=tmp_path).output
    first, second = told.split("Hand 2", 1)
    assert ("As Ks" in first) == (look in {("--all",), ("--seat", "1")})
    dealt = next(e for row in sample_session.HAND_2 for e in row if isinstance(e, ev.CardsDealt))
    secret = [card_text(card) for _, down, _ in dealt.cards for card in down]
    assert len(secret) == 6
    assert [name for name in secret if name in second] == []
    assert ("until it is, everybody sees what a spectator sees" in second) == bool(look)


def test_verify(data: Path) -> None:
    file = next((data / "hands").iterdir())
    result = run_verb("verify", str(file))
    assert result.exit_code == 0
    assert "3 hands; the chain holds, the chips add up, every decision follows the rules." in result.output


def test_verify_of_a_damaged_file_and_repair(data: Path) -> None:
    file = next((data / "hands").iterdir())
    content = file.read_bytes()
    hurt = bytearray(content)
    hurt[len(hurt) // 2] ^= 16
    file.write_bytes(hurt)
    result = run_verb("verify", str(file))
    assert result.exit_code == 5
    assert "does not verify (corrupt)" in result.output
    assert file.read_bytes() == hurt
    result = run_verb("verify", "--repair", str(file))
    assert result.exit_code == 0, result.output
    assert "Kept" in result.output
    kept = file.with_name(file.name + ".broken")
    assert kept.read_bytes() == hurt
    assert content.startswith(file.read_bytes())
    assert run_verb("verify", str(file)).exit_code == 0
    assert "nothing was cut" in run_verb("verify", "--repair", str(file)).output


def test_a_running_table_is_not_repaired(tmp_path: Path) -> None:
    with closing(Journal.create(tmp_path, "a.ryo", encode_record(sample_session.header()))) as journal:
        result = run_verb("verify", "--repair", journal.path)
    assert result.exit_code == 1
    assert "in use by process" in result.output


def test_a_player_who_came_later_can_be_named(tmp_path: Path) -> None:
    played = SelfPlay(2, ("stud8",), players=3)
    played.hand()
    played.do(cmd.StandUp(3))
    played.do(cmd.SitDown("Zoe", 100, b"z" * 32, 3))
    played.hand()
    path = sample_session.write(tmp_path / "a.ryo", played.steps)
    result = run_verb("replay", str(path), "--player", "zoe")
    assert result.exit_code == 0
    assert result.output.count("you are dealt") == run_verb("replay", str(path), "--seat", "3").output.count(
        "you are dealt"
    )


def test_verify_other_rules_and_files_that_are_none(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "old.ryo", head=sample_session.header(rules=RULES + 1))
    result = run_verb("verify", str(path))
    assert result.exit_code == 0
    assert f"Note: recorded under rules version {RULES + 1}" in result.output
    assert "not played again" in result.output
    assert run_verb("verify", str(tmp_path / "none.ryo")).exit_code == 1
    strange = tmp_path / "strange.ryo"
    strange.write_text("hello")
    assert run_verb("verify", str(strange)).exit_code == 5
    assert run_verb("verify", "--repair", str(strange)).exit_code == 5


def test_a_made_up_file_does_not_verify(tmp_path: Path) -> None:
    result = run_verb("verify", str(sample_session.write(tmp_path / "a.ryo")))
    assert result.exit_code == 5
    assert "Record 1: the rules refuse the recorded command say: The table is not open yet." in result.output


def test_python_m_replays_without_a_terminal(ryo: RyoProcesses, data: Path) -> None:
    done = ryo.run(data, "replay", "last", "--data-dir", str(data), module="replays")
    assert (done.code, done.err) == (0, "")
    assert "Hand 3 is over" in done.out


def test_replays_load_no_terminal_and_no_network() -> None:
    unwanted = ("trio", "asyncio", "prompt_toolkit")
    code = f"import sys, replays.cli, replays.verify; print([name for name in {unwanted} if name in sys.modules])"
    assert in_child(code) == ["[]"]
