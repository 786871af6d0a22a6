"""docs/replay-format.md says what stands in the records: every kind, every field, every default, every example."""

import json
import re
from typing import Any

import msgspec
import pytest

from protocol.commands import AnyCommand, Command
from protocol.journal import records
from protocol.journal.records import ITEMS, Checkpoint, Header, Step, decode_record, encode_record
from protocol.versions import JOURNAL_FORMAT
from protocol.wire.codec import encode_value, to_type
from tests.protocol.wire.test_document import EVERYTHING, Section, from_json
from tests.support.paths import DOCS

DOCUMENT = (DOCS / "replay-format.md").read_text(encoding="utf-8")
RECORDS: dict[str, type[msgspec.Struct]] = {"header": Header, "step": Step}
COMMANDS: dict[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in AnyCommand.__args__}
PARTS: dict[str, type[msgspec.Struct]] = {"checkpoint": Checkpoint}
KINDS: dict[str, type[msgspec.Struct]] = {**RECORDS, **PARTS, **COMMANDS}


def read_sections() -> dict[str, Section]:
    sections: dict[str, Section] = {}
    for chapter in DOCUMENT.split("\n## ")[1:]:
        for text in chapter.split("\n### ")[1:]:
            name = text.split("\n", 1)[0].strip()
            rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
            blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
            assert name not in sections, f"{name} is described twice"
            examples = [from_json(json.loads(block)) for block in blocks]
            sections[name] = Section(chapter.split("\n", 1)[0], dict(rows), examples)
    return sections


SECTIONS = read_sections()


def test_every_record_and_command_has_its_section_and_nothing_else_has() -> None:
    chapters = {name: section.chapter for name, section in SECTIONS.items()}
    assert chapters == {**dict.fromkeys([*RECORDS, *PARTS], "Records"), **dict.fromkeys(COMMANDS, "Commands")}


@pytest.mark.parametrize("name", KINDS)
def test_every_field_with_its_default(name: str) -> None:
    fields = msgspec.structs.fields(KINDS[name])
    assert list(SECTIONS[name].defaults) == [field.encode_name for field in fields]
    for field in fields:
        told = SECTIONS[name].defaults[field.encode_name].strip()
        if field.required:
            assert told == "required"
        else:
            assert json.loads(told.strip("`")) == json.loads(msgspec.json.encode(field.default)), field.name


@pytest.mark.parametrize("name", KINDS)
def test_every_example_decodes_to_its_kind(name: str) -> None:
    examples = SECTIONS[name].examples
    assert examples, f"{name} has no example"
    for example in examples:
        decoded: Any = decode_record(encode_value(example)) if name in RECORDS else to_type(example, KINDS[name])
        assert type(decoded) is KINDS[name]
        known = {field.encode_name for field in msgspec.structs.fields(KINDS[name])} | {"record", "command"}
        assert set(example) <= known, "an example must not show keys that nobody reads"
        if isinstance(decoded, Header | Step):
            assert decode_record(encode_record(decoded)) == decoded


def test_the_numbers_in_the_text_are_those_of_the_code() -> None:
    assert f"at most {ITEMS:,} items" in DOCUMENT
    assert re.search(r"\nFormat version (\d+)\.", DOCUMENT) is not None
    assert f"\nFormat version {JOURNAL_FORMAT}." in DOCUMENT
    assert SECTIONS["header"].examples[0]["format"] == JOURNAL_FORMAT
    assert f"version of the records: {JOURNAL_FORMAT} |" in DOCUMENT
    assert set(records.Header.__struct_fields__) == set(SECTIONS["header"].examples[0]) - {"record"}


def test_links_lead_somewhere() -> None:
    headings = {heading.strip() for heading in re.findall(r"^#{2,3} (.+)$", DOCUMENT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", DOCUMENT)) <= headings
    there = {name.lower() for name in EVERYTHING} | {"13-events"}
    assert set(re.findall(r"\]\(protocol\.md#([^)]+)\)", DOCUMENT)) <= there
