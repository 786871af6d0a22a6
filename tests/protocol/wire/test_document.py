"""docs/protocol.md says what the code does: every kind, every field, every default, every example."""

import re
import typing

import msgspec
import pytest

from protocol import actions, cards, commands, events, versions, visibility
from protocol.wire import codec, discovery, frames, messages
from server.app import beacon
from server.config.limits import Limits
from tests.support.format_pages import (
    DATAGRAMS,
    EVENTS,
    PARTS,
    check_defaults,
    quoted,
    rows_after,
)
from tests.support.format_pages import PROTOCOL_KINDS as EVERYTHING
from tests.support.format_pages import PROTOCOL_PAGE as PAGE
from tests.support.format_pages import PROTOCOL_SECTIONS as SECTIONS
from tests.support.paths import ROOT


def test_every_kind_has_a_section_in_its_chapter_and_nothing_else_has() -> None:
    chapters = {name: section.chapter for name, section in SECTIONS.items()}
    assert chapters == {
        **dict.fromkeys(messages.FROM_CLIENT, "11"),
        **dict.fromkeys(messages.FROM_SERVER, "12"),
        **dict.fromkeys(EVENTS, "13"),
        **dict.fromkeys(PARTS, "14"),
        **dict.fromkeys(DATAGRAMS, "15"),
    }


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_field_with_its_default(name: str) -> None:
    check_defaults(SECTIONS[name], EVERYTHING[name])


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_example_decodes_to_its_type(name: str) -> None:
    examples = SECTIONS[name].examples
    assert examples, f"{name} has no example"
    kind = EVERYTHING[name]
    for example in examples:
        body = msgspec.msgpack.encode(example)
        if name in messages.FROM_CLIENT:
            decoded: object = codec.decode_from_client(body)
        elif name in messages.FROM_SERVER:
            decoded = codec.decode_from_server(body)
        elif name in EVENTS:
            decoded = codec.to_event(example)
        else:
            decoded = codec.to_type(example, kind)
        assert type(decoded) is kind
        known = {field.encode_name for field in msgspec.structs.fields(kind)} | {"type", "event"}
        assert set(example) <= known, "an example must not show keys that nobody reads"


def test_examples_of_events_show_every_field() -> None:
    # The server leaves nothing out of an event that is there, so neither does the page.
    for name, kind in EVENTS.items():
        there = [field for field in msgspec.structs.fields(kind) if field.default is not msgspec.UNSET]
        fields = {field.encode_name for field in there}
        assert set(SECTIONS[name].examples[0]) == fields | {"event"}, name


def test_every_event_says_how_it_is_folded() -> None:
    chapter = PAGE.split("\n## 13. ")[1].split("\n## 14. ")[0]
    for text in chapter.split("\n### ")[1:]:
        assert re.search(r"^\*Fold\*: ", text, re.MULTILINE), text.split("\n")[0]


def test_every_kind_of_option_and_decision_is_explained() -> None:
    kinds = [kind for row in rows_after(PAGE, "\n## 8. ") for kind in quoted(row[0])]
    assert sorted(kinds) == sorted(typing.get_args(actions.Kind))
    decisions = {row[0].strip("`"): quoted(row[1]) for row in rows_after(PAGE, "The\ndecisions are:")}
    assert sorted(decisions) == sorted(typing.get_args(actions.Decision))
    assert {kind for row in decisions.values() for kind in row} == set(typing.get_args(actions.Kind))


def test_who_sees_what_names_exactly_the_partly_hidden_events() -> None:
    told = [row[0].strip("`") for row in rows_after(PAGE, "\n## 7. ")]
    hidden = [name for name, kind in events.EVENTS.items() if kind in visibility.PARTLY_HIDDEN]
    assert sorted(told) == sorted(hidden)


def test_caps_and_limits_are_those_of_the_code() -> None:
    assert [int(row[1]) for row in rows_after(PAGE, "\n## 2. ")] == [
        frames.HELLO_CAP,
        frames.CLIENT_CAP,
        frames.SERVER_CAP,
    ]
    limits = PAGE.split("\n## 10. ")[1].split("\n\n")[1]
    assert list(map(int, re.findall(r"\d+", limits))) == [
        codec.CLIENT_ITEMS, codec.CLIENT_TEXT, codec.CLIENT_DEPTH,
        codec.SERVER_ITEMS, codec.SERVER_TEXT, codec.SERVER_DEPTH,
    ]  # fmt: skip


def codes_of(message: str) -> set[str]:
    """The codes that the page explains for that message."""
    rows = rows_after(PAGE, "Codes are for programs")
    return {code for row in rows if message in quoted(row[1]) for code in quoted(row[0])}


def test_every_code_is_explained_and_no_other() -> None:
    assert codes_of("refused") == set(typing.get_args(messages.RefusedCode))
    assert codes_of("bye") == set(typing.get_args(messages.ByeCode))
    no_client_causes = {*typing.get_args(commands.HostRefusal), "done"}  # `done` is answered by a message of that name
    assert codes_of("rejected") == set(typing.get_args(messages.RejectCode)) - no_client_causes


def test_the_server_sends_every_code_and_no_other() -> None:
    folder = ROOT / "server"
    source = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    sent = set(re.findall(r'(?:Rejected\.of|Refused\.of|IllegalAction|Bye\.of|\.part|halt)\(\s*"(\w+)"', source))
    kinds = messages.RefusedCode, messages.ByeCode, messages.RejectCode
    assert sent == {code for kind in kinds for code in typing.get_args(kind)}
    assert not re.search(r"\b(Rejected|Refused|Bye)\([^)]", source), "`of` checks the code"


def test_the_usual_limits_are_those_of_the_server() -> None:
    told = re.search(r"How fast and how much.*?\n\n", PAGE, re.DOTALL)
    assert told is not None
    usual = Limits()
    assert list(map(int, re.findall(r"\d+", told[0]))) == [
        usual.hello, usual.frame, usual.idle, 10, usual.rate, usual.burst, usual.say_burst, usual.say_length,
        1 / usual.join_rate, usual.join_burst, usual.hand_rate, usual.hand_burst,
    ]  # fmt: skip


def test_the_sizes_and_ports_of_datagrams_are_those_of_the_code() -> None:
    chapter = PAGE.split("\n## 15. ")[1].split("\n### ")[0]
    for number in (discovery.DISCOVERY_PORT, discovery.ANSWER_PORT, discovery.DATAGRAM, beacon.RATE):
        assert re.search(rf"\b{number}\b", chapter), number
    assert f"`{discovery.GROUP}`" in chapter


def test_the_page_is_about_the_version_the_code_speaks() -> None:
    assert versions.PROTOCOL == (1, 1)
    assert PAGE.startswith("# The protocol, version 1\n")


def test_the_frame_shown_in_hexadecimal_is_what_the_code_sends() -> None:
    shown = bytes.fromhex(re.findall(r"^    ((?:[0-9a-f]{2} )+[0-9a-f]{2})$", PAGE, re.MULTILINE)[0])
    assert shown == frames.encode_frame(messages.GoOn())


def test_the_cards_named_in_the_text_are_right() -> None:
    told = re.search(
        r"So (\d+) is the two of clubs, (\d+) the ace of spades, (\d+) the ace of hearts, (\d+) the king", PAGE
    )
    assert told is not None
    assert [cards.card_text(int(number)) for number in told.groups()] == ["2c", "As", "Ah", "Ks"]


def test_links_inside_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#{2,3} (.+)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    links = set(re.findall(r"\]\(#([^)]+)\)", PAGE))
    assert links <= anchors, links - anchors
