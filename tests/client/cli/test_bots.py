"""`--bots`, `--level` and `--mind`: what is offered, and what is said to a mistake."""

import pytest
from click.testing import CliRunner

from client.bots.characters import CHARACTERS
from client.cli.completion import minds
from client.cli.join import bot
from client.cli.play import play


def test_the_help_introduces_the_characters_within_80_columns() -> None:
    told = CliRunner().invoke(play, ["--help"], terminal_width=80).stdout
    for one in CHARACTERS:
        assert [line for line in told.splitlines() if line.split() == [one.name, *one.sentence.split()]]
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("Idda", "There is no mind 'Idda'. Did you mean Ida?"),
        ("2,Ida,Nils,Mira", "There are to be 2 bots, and 3 are named."),
        ("7", "Barney's Poker has room for 6 bots."),
        ("9", "Barney's Poker has room for 6 bots."),
        ("many", "There is no mind 'many'."),
    ],
)
def test_a_mistake_in_the_list_is_told_in_a_sentence(typed: str, sentence: str) -> None:
    done = CliRunner().invoke(play, ["--bots", typed])
    assert done.exit_code == 2
    assert sentence in " ".join(done.stderr.split())


def test_a_level_and_a_mind_at_once_are_too_much() -> None:
    done = CliRunner().invoke(bot, ["localhost", "--level", "easy", "--mind", "rock"])
    assert (done.exit_code, "name one of the two" in done.stderr) == (2, True)
    done = CliRunner().invoke(bot, ["localhost", "--mind", "rok"])
    assert (done.exit_code, "Did you mean rock?" in done.stderr) == (1, True)


def test_the_shell_completes_the_last_name_of_the_list() -> None:
    offered = minds(play.make_context("play", ["--help"], resilient_parsing=True), play.params[0], "5,ida,st")
    assert [item.value for item in offered] == ["5,ida,strong"]
    offered = minds(play.make_context("play", ["--help"], resilient_parsing=True), play.params[0], "m")
    assert [(item.value, item.help) for item in offered] == [("Mira", CHARACTERS[4].sentence)]
