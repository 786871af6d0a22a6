"""The sentences of errors, some of them written by a server that nobody has to trust."""

from client.errors import CannotConnect, JoinRefused

EVIL = "\x1b[2J\x1b]0;x\x07ev\ril\x9b2J\u202e, try\nagain"


def test_trap_A27_a_sentence_of_the_server_stays_on_its_line_and_controls_no_terminal() -> None:
    assert str(CannotConnect(EVIL)) == "ev il, try again"
    refused = JoinRefused("full", EVIL)
    assert str(refused) == "ev il, try again"
    assert refused.code == "full"


def test_a_sentence_of_the_server_has_an_end() -> None:
    assert len(str(CannotConnect("word " * 10_000))) <= 1000
