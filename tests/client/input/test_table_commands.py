"""The commands of the table: one list for keys and words, and nothing in it means two things."""

from client.input.slash_commands import command_of, parse, question_meant
from client.input.table_commands import COMMANDS, AnyCommand


def named(name: str) -> AnyCommand:
    """The command with that name."""
    return next(command for command in COMMANDS if command.name == name)


def test_no_key_no_word_and_no_name_means_two_things() -> None:
    names = [command.name for command in COMMANDS]
    keys = [key for command in COMMANDS for key in (*command.keys, *command.silent_keys)]
    alone = [word for command in COMMANDS for word in command.words if not command.needs_argument]
    before_an_argument = [word for command in COMMANDS for word in command.words if command.argument]
    for these in (names, keys, alone, before_an_argument):
        assert len(these) == len(set(these))


def test_every_command_can_be_reached() -> None:
    for command in COMMANDS:
        assert command.keys or command.words, command.name


def test_slash_words_are_found_by_their_beginning() -> None:
    assert parse("/rebuy 50") == (named("rebuy"), "50")
    assert parse("/rebuy") == "/rebuy needs CHIPS."
    assert parse("/away now") == "/away stands alone."
    assert parse("/hel") == (named("help"), "")
    assert parse("/ba") == (named("sit_in"), "")
    assert parse("/x") == "There is no /x. /help lists what there is."
    assert parse("/rebyu 50") == "There is no /rebyu. Did you mean /rebuy? /help lists what there is."
    assert question_meant("stcks") == " Did you mean stacks?"
    assert question_meant("lovely weather") == ""
    assert parse("/host") == (named("ask_host"), "")
    assert parse("/host Bob") == (named("name_host"), "Bob")
    assert parse("/stop after this hand") == (named("last_hand"), "after this hand")
    assert parse("/stack Bob") == (named("stack"), "Bob")


def test_a_word_means_one_thing_alone_and_another_before_an_argument() -> None:
    assert parse("/chips") == (named("ask_stacks"), "")
    assert parse("/chips 50") == (named("rebuy"), "50")
    assert parse("/s") == (named("ask_stacks"), "")
    assert parse("/s hello  all") == (named("say"), "hello  all")
    assert parse("/s 3") == parse("/seat 3") == command_of("s3") == (named("ask_seat"), "3")
    assert command_of("F3") == command_of("f3") == (named("ask_seat"), "3")
    assert command_of("f 3") is None
    assert parse("/To Call") == (named("ask_to_call"), "")
