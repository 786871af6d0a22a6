"""The command line: what is printed, and with which exit code it ends."""

import socket
from pathlib import Path

import pytest

from tests.support.child_python import in_child
from tests.support.ryo_process import RyoProcesses


def test_design_6_help_imports_nothing_it_does_not_need() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from client.cli.main import VERBS, main\n"
        "result = CliRunner().invoke(main, ['--help']); assert result.exit_code == 0, result.output\n"
        "assert all(verb in result.output for verb in VERBS)\n"
        "heavy = {'trio', 'prompt_toolkit', 'server.engine.games.catalogue', 'cryptography', 'structlog', 'wcwidth'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    assert in_child(code) == []


def test_python_looks_for_garbage_late_then_as_usual_and_never_at_what_the_start_has_made() -> None:
    code = (
        "import gc, sys; sys.path.insert(0, 'client'); sys.argv = ['ryo', 'version']\n"
        "from rollyourown.__main__ import OBJECTS, main\n"
        "usual = gc.get_threshold()\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert gc.get_threshold()[0] == OBJECTS\n"
        "made = [[] for _ in range(OBJECTS)]\n"
        "assert gc.get_threshold() == usual\n"
        "assert gc.get_freeze_count() > OBJECTS / 2\n"
    )
    in_child(code)


def test_every_verb_exists_and_explains_itself(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from client.cli.main import VERBS, main

    for verb in [*VERBS, "version"]:
        result = CliRunner().invoke(main, [verb, "--help"])
        assert result.exit_code == 0, (verb, result.output)
        assert result.output.startswith("Usage: ")


@pytest.mark.parametrize("arguments", [("--version",), ("version",)])
def test_the_version_names_protocol_and_files(arguments: tuple[str, ...], ryo: RyoProcesses, tmp_path: Path) -> None:
    done = ryo.run(tmp_path, *arguments)
    assert done.code == 0
    assert "protocol 1" in done.out
    assert "journal format 1" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("frob",),
        ("play", "--game", "poker"),
        ("play", "--bots", "9"),
        ("play", "--game", "barneys", "--bots", "7"),
        ("play", "--hands", "0"),
        ("play", "--stakes", "2:4"),
        ("play", "--stakes", "4/2"),
        ("play", "--stakes", "5-1"),
        ("play", "--stakes", "2/4", "--limit", "spread"),
        ("play", "--game", "stud8", "--bring-in", "9"),
        ("play", "--buy-in", "0"),
        ("play", "--pace", "-1"),
        ("play", "--color", "blue"),
        ("play", "--seed", "1"),
        ("play", "--name", "\x1b[2J"),
        ("join",),
        ("join", "host:port"),
        ("join", "ryo://host/table#fp=short"),
        ("join", "localhost", "--password-file", "/nowhere"),
        ("watch", "[::1"),
        ("bot",),
        ("forget", "a b"),
    ],
)
def test_wrong_usage_is_2_and_told_without_a_traceback(
    arguments: tuple[str, ...], ryo: RyoProcesses, tmp_path: Path
) -> None:
    done = ryo.run(tmp_path, *arguments)
    assert done.code == 2, (done.out, done.err)
    assert "Error: " in done.err
    assert "Traceback" not in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("plya",), "Did you mean play?"),
        (("repaly", "last"), "Did you mean replay?"),
        (("play", "--gmae", "razz"), "--game"),
        (("play", "--game", "barney"), "Did you mean barneys?"),
    ],
)
def test_a_wrong_word_is_told_with_the_one_that_may_be_meant(
    arguments: tuple[str, ...], meant: str, ryo: RyoProcesses, tmp_path: Path
) -> None:
    done = ryo.run(tmp_path, *arguments)
    assert (done.code, meant in done.err) == (2, True), done.err


def test_help_is_a_verb_too() -> None:
    from click.testing import CliRunner

    from client.cli.main import main

    assert CliRunner().invoke(main, ["help"]).output == CliRunner().invoke(main, ["--help"]).output
    told = CliRunner().invoke(main, ["help", "play"])
    assert (told.exit_code, "--stakes" in told.output) == (0, True)
    assert "Did you mean play?" in CliRunner().invoke(main, ["help", "plya"]).output


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["join", "watch", "bot"])
def test_an_address_where_nobody_listens_is_3_and_one_sentence(verb: str, ryo: RyoProcesses, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        done = ryo.run(tmp_path, verb, f"127.0.0.1:{port}")
    assert done.code == 3, done.err
    assert done.out == ""
    assert done.err == f"Error: Cannot connect to 127.0.0.1:{port}: nobody listens there.\n"


def test_bad_settings_are_78_and_name_the_file(ryo: RyoProcesses, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "rollyourown"
    folder.mkdir(parents=True)
    (folder / "client.toml").write_text("nmae = 'Ann'\n")
    done = ryo.run(tmp_path, "play")
    assert done.code == 78
    assert "client.toml" in done.err
    assert "nmae" in done.err
    assert "Traceback" not in done.err


def test_a_key_that_is_not_known_cannot_be_forgotten(ryo: RyoProcesses, tmp_path: Path) -> None:
    done = ryo.run(tmp_path, "forget", "kitchen")
    assert done.code == 1
    assert done.err == "Error: No key of kitchen:7719 is known.\n"


def test_play_in_lines_reads_a_pipe_to_its_end(ryo: RyoProcesses, tmp_path: Path) -> None:
    done = ryo.run(tmp_path, "play", "--plain", "--name", "Ann", "--data-dir", str(tmp_path / "d"), typed="pot\n\n")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].startswith("Kitchen table: Barney's Poker, ante 1, bets 1 to 5; you are Ann in seat 1.")
    chips = 249 if "Everybody antes 1; the pot is 4." in lines else 250  # bots sit down and deal while the pipe is read
    assert f"Goodbye. The game is over; you had {chips} chips left." in lines
    assert lines[-1].startswith("The hands are recorded in ")
    assert "\x1b" not in done.out
