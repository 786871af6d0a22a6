"""Sentences about troubles, some of which a server wrote that may be anybody's."""

from client.errors import CannotConnect, JoinRefused

EVIL = "\x1b[2J\x1b]0;x\x07ev\ril\x9b2J\u202e, try\nagain"


def test_trap_A27_a_strangers_sentence_stays_on_its_line_and_drives_no_terminal() -> None:
    assert str(CannotConnect(EVIL)) == "ev il, try again"
    refused = JoinRefused("full", EVIL)
    assert str(refused) == "ev il, try again"
    assert refused.code == "full"


def test_a_strangers_sentence_has_an_end() -> None:
    assert len(str(CannotConnect("word " * 10_000))) <= 1000
