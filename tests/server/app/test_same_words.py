"""The words of a host are one list: `ryo admin` and the players' programs have the same at a table."""

from client.input.table_commands import COMMANDS, HostCommand
from server.app.operator import WORDS


def test_every_word_for_hosts_at_a_table_is_a_command_there_and_no_other_is() -> None:
    commands = [command.words[0] for command in COMMANDS if isinstance(command, HostCommand)]
    assert sorted(commands) == sorted(name for name, word in WORDS.items() if word.at_table)


def test_the_arguments_are_the_same_but_for_the_table() -> None:
    for command in COMMANDS:
        if isinstance(command, HostCommand):
            words = WORDS[command.words[0]].arguments.replace("[at TABLE]", "").replace("[TABLE]", "")
            assert command.argument == words.strip(), command.words[0]
