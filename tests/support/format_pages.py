"""The pages of docs/ that describe formats field by field, read as data: sections, tables of fields, examples."""

import json
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from protocol import actions, events, facts, seat_view, stakes, table_rules, view
from protocol.wire import discovery, messages
from tests.support.paths import DOCS

PROTOCOL_PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
REPLAY_PAGE = (DOCS / "replay-format.md").read_text(encoding="utf-8")

MESSAGES: dict[str, type[msgspec.Struct]] = {**messages.FROM_CLIENT, **messages.FROM_SERVER}
EVENTS: dict[str, type[msgspec.Struct]] = dict(events.EVENTS)
PARTS: dict[str, type[msgspec.Struct]] = {
    kind.__name__: kind
    for kind in (
        actions.Action, actions.Option, stakes.Stakes, table_rules.Clocks, table_rules.GameOffer, table_rules.Rise,
        table_rules.OpenCards,
        table_rules.TableRules, messages.TableInfo, messages.PlayedStep, view.TableView, seat_view.SeatView,
        seat_view.Pending, seat_view.Pot, facts.Pause, discovery.TableHint, messages.Told,
    )
}  # fmt: skip
DATAGRAMS: dict[str, type[msgspec.Struct]] = {"probe": discovery.Probe, "server": discovery.Answer}
PROTOCOL_KINDS = {**MESSAGES, **EVENTS, **PARTS, **DATAGRAMS}
"""Everything that has a section on the page of the protocol."""


@dataclass
class Section:
    """What stands under one ``###`` heading.

    Fields:
        chapter: number of the chapter, or its heading where chapters have no numbers.
        defaults: field -> what the page says of its default.
        examples: as they go through the codec.
    """

    chapter: str
    defaults: dict[str, str]
    examples: list[Any]


def read_sections(page: str) -> dict[str, Section]:
    """The sections of a page by their headings."""
    sections: dict[str, Section] = {}
    for chapter in page.split("\n## ")[1:]:
        heading = chapter.split("\n", 1)[0].split(".")[0]
        for text in chapter.split("\n### ")[1:]:
            name = text.split("\n", 1)[0].strip()
            rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
            blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
            assert name not in sections, f"{name} is described twice"
            sections[name] = Section(heading, dict(rows), [_from_json(json.loads(block)) for block in blocks])
    return sections


def _from_json(value: Any) -> Any:
    """The pages' convention: ``{"$bin": "00ff"}`` is a byte string."""
    if isinstance(value, dict):
        if set(value) == {"$bin"}:
            return bytes.fromhex(value["$bin"])
        return {key: _from_json(item) for key, item in value.items()}
    return [_from_json(item) for item in value] if isinstance(value, list) else value


PROTOCOL_SECTIONS = read_sections(PROTOCOL_PAGE)


def check_defaults(section: Section, kind: type[msgspec.Struct]) -> None:
    """The section names every field of a kind, in order, with its default. Raises AssertionError."""
    fields = msgspec.structs.fields(kind)
    assert list(section.defaults) == [field.encode_name for field in fields]
    for field in fields:
        told = section.defaults[field.encode_name].strip()
        if field.required:
            assert told == "required"
            continue
        if field.default is msgspec.UNSET:
            assert told == "left out", field.name
            continue
        default = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
        assert json.loads(told.strip("`")) == json.loads(msgspec.json.encode(default)), field.name


def rows_after(page: str, heading: str) -> list[list[str]]:
    """The rows of the first table after a text of the page, cell by cell."""
    lines = page.split(heading, 1)[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def quoted(cell: str) -> list[str]:
    """The words of a cell that stand in backticks."""
    return re.findall(r"`(\w+)`", cell)
