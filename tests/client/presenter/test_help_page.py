"""The help is made from the lists that bind keys and words."""

from client.input.decision_keys import Draft, offer
from client.input.keymap import Keymap
from client.input.table_commands import COMMANDS
from client.presenter.help_page import help_page, in_lines, line_help
from protocol.actions import Option
from protocol.events import ActionRequested


def test_help_is_made_from_the_lists_of_keys_and_words() -> None:
    request = ActionRequested(1, "bet", (Option("fold"), Option("call", amount=2)))
    text = "\n".join(line for _, line in help_page(offer(request, Draft()), Keymap(), host=True))
    assert "c            call 2" in text
    for command in COMMANDS:
        if command.keys:
            assert command.text in text
        if command.words and command.text:
            assert f"/{command.usage}" in text


def test_the_help_of_a_spectator_names_no_key_and_no_word_that_needs_a_seat() -> None:
    text = "\n".join(line for _, line in help_page((), Keymap(), spectator=True))
    assert "You are watching" in text
    assert "scroll the story back" in text
    assert "your turn" not in text
    assert "declare" not in text
    assert "sit out" not in text
    assert "/rebuy CHIPS" not in text
    assert "/who" in text


def test_the_words_of_a_host_are_for_hosts() -> None:
    for text in ("\n".join(line for _, line in help_page((), Keymap())), " ".join(line_help())):
        assert "/claim KEY" in text
        assert "/void" not in text


def test_the_help_of_the_line_mode_names_every_word_that_it_knows() -> None:
    text = " ".join(line_help(host=True))
    for command in COMMANDS:
        if command.words and command.text:
            assert (command.usage in text) == in_lines(command), command.name
