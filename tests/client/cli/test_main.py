"""The command line: what is printed, and with which exit code it ends."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 60


def ryo(*arguments: str, home: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command without a terminal, with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RYO_")}
    return subprocess.run(
        [sys.executable, "-m", "client", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
        env={**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data")},
    )


def test_design_6_help_imports_nothing_it_does_not_need() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from client.cli.main import VERBS, main\n"
        "result = CliRunner().invoke(main, ['--help']); assert result.exit_code == 0, result.output\n"
        "assert all(verb in result.output for verb in VERBS)\n"
        "heavy = {'trio', 'prompt_toolkit', 'server.engine.games.catalogue', 'cryptography', 'structlog'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr


def test_every_verb_exists_and_explains_itself(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from client.cli.main import VERBS, main

    for verb in [*VERBS, "version"]:
        result = CliRunner().invoke(main, [verb, "--help"])
        assert result.exit_code == 0, (verb, result.output)
        assert result.output.startswith("Usage: ")


@pytest.mark.parametrize("arguments", [("--version",), ("version",)])
def test_the_version_names_protocol_and_files(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = ryo(*arguments, home=tmp_path)
    assert done.returncode == 0
    assert "protocol 1" in done.stdout
    assert "journal format 1" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("frob",),
        ("play", "--game", "poker"),
        ("play", "--bots", "9"),
        ("play", "--game", "barneys", "--bots", "7"),
        ("play", "--hands", "0"),
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
def test_wrong_usage_is_2_and_told_without_a_traceback(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = ryo(*arguments, home=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["join", "watch", "bot"])
def test_an_address_where_nobody_listens_is_3_and_one_sentence(verb: str, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        done = ryo(verb, f"127.0.0.1:{port}", home=tmp_path)
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    assert done.stderr == f"Error: Cannot connect to 127.0.0.1:{port}: nobody listens there.\n"


def test_bad_settings_are_78_and_name_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "rollyourown"
    folder.mkdir(parents=True)
    (folder / "client.toml").write_text("nmae = 'Ann'\n")
    done = ryo("play", home=tmp_path)
    assert done.returncode == 78
    assert "client.toml" in done.stderr
    assert "nmae" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_that_is_not_known_cannot_be_forgotten(tmp_path: Path) -> None:
    done = ryo("forget", "kitchen", home=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "Error: No key of kitchen:7719 is known.\n"


def test_play_in_lines_reads_a_pipe_to_its_end(tmp_path: Path) -> None:
    done = ryo("play", "--plain", "--name", "Ann", "--data-dir", str(tmp_path / "d"), home=tmp_path, typed="pot\n\n")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Table Kitchen table: Barney's Poker, ante 1, bets 1 to 5; you are Ann in seat 1.")
    assert "Goodbye." in lines
    assert lines[-1].startswith("The hands are recorded in ")
    assert "\x1b" not in done.stdout
