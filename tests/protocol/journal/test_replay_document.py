"""docs/replay-format.md says what is in the records: every kind, every field, every default, every example."""

import re
from typing import Any

import msgspec
import pytest

from protocol.commands import AnyCommand, Command
from protocol.journal import records
from protocol.journal.records import ITEMS, Checkpoint, Header, StepRecord, decode_record, encode_record
from protocol.versions import JOURNAL_FORMAT
from protocol.wire.codec import encode_value, to_type
from tests.support.format_pages import PROTOCOL_KINDS, check_defaults, read_sections
from tests.support.format_pages import REPLAY_PAGE as PAGE

RECORDS: dict[str, type[msgspec.Struct]] = {"header": Header, "step": StepRecord}
COMMANDS: dict[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in AnyCommand.__args__}
PARTS: dict[str, type[msgspec.Struct]] = {"checkpoint": Checkpoint}
KINDS: dict[str, type[msgspec.Struct]] = {**RECORDS, **PARTS, **COMMANDS}


SECTIONS = read_sections(PAGE)


def test_every_record_and_command_has_its_section_and_nothing_else_has() -> None:
    chapters = {name: section.chapter for name, section in SECTIONS.items()}
    assert chapters == {**dict.fromkeys([*RECORDS, *PARTS], "Records"), **dict.fromkeys(COMMANDS, "Commands")}


@pytest.mark.parametrize("name", KINDS)
def test_every_field_with_its_default(name: str) -> None:
    check_defaults(SECTIONS[name], KINDS[name])


@pytest.mark.parametrize("name", KINDS)
def test_every_example_decodes_to_its_kind(name: str) -> None:
    examples = SECTIONS[name].examples
    assert examples, f"{name} has no example"
    for example in examples:
        decoded: Any = decode_record(encode_value(example)) if name in RECORDS else to_type(example, KINDS[name])
        assert type(decoded) is KINDS[name]
        known = {field.encode_name for field in msgspec.structs.fields(KINDS[name])} | {"record", "command"}
        assert set(example) <= known, "an example must not show keys that nobody reads"
        if isinstance(decoded, Header | StepRecord):
            assert decode_record(encode_record(decoded)) == decoded


def test_the_numbers_in_the_text_are_those_of_the_code() -> None:
    assert f"at most {ITEMS:,} items" in PAGE
    assert re.search(r"\nFormat version (\d+)\.", PAGE) is not None
    assert f"\nFormat version {JOURNAL_FORMAT}." in PAGE
    assert SECTIONS["header"].examples[0]["format"] == JOURNAL_FORMAT
    assert f"version of the records: {JOURNAL_FORMAT} |" in PAGE
    assert set(records.Header.__struct_fields__) == set(SECTIONS["header"].examples[0]) - {"record"}


def test_links_lead_somewhere() -> None:
    headings = {heading.strip() for heading in re.findall(r"^#{2,3} (.+)$", PAGE, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
    there = {name.lower() for name in PROTOCOL_KINDS} | {"13-events"}
    assert set(re.findall(r"\]\(protocol\.md#([^)]+)\)", PAGE)) <= there
