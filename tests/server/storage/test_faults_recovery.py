"""Journals that a server does not resume: other rules, other formats, other events."""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.commands import AnyCommand
from protocol.journal.framing import encode_file, scan
from protocol.journal.records import Header, StepRecord, decode_record, encode_record
from protocol.table_rules import TableRules
from protocol.versions import JOURNAL_FORMAT, RULES
from server.config.table_config import TableConfig
from server.storage.recovery import Differs, RecordedSession, begin, resume
from tests.support.simulated_disk import SimDisk
from tests.support.simulated_server import NOON, put_file

HANDS = "/data/hands"
HOUSE: TableRules = TableConfig(games=("plainrazz",), change="never").rules()


@dataclass
class InterruptedTable:
    """A table on a simulated disk, in the middle of a hand; `path` is its journal."""

    disk: SimDisk = field(default_factory=lambda: SimDisk(random.Random(3)))
    path: str = ""

    def __post_init__(self) -> None:
        session = begin(HANDS, "main", HOUSE, NOON, self.disk)
        self.path = session.journal.path
        commands: list[AnyCommand] = [cmd.SitDown("Ann", 100, b"a" * 32), cmd.SitDown("Ben", 100, b"b" * 32)]
        for command in [*commands, cmd.StartHand(tuple(range(52)), "main-1")]:
            seq = session.state.seq + 1
            session.journal.append(encode_record(StepRecord(seq, NOON, command, session.state.apply(command))))
            session.journal.commit()
        session.journal.close()
        self.disk.kill()

    def records(self) -> list[Header | StepRecord]:
        return [decode_record(record) for record in scan(self.disk.read_all(self.path)).records]

    def rewrite(self, records: list[Header | StepRecord]) -> bytes:
        """The same journal with other records; its digests are right."""
        content = encode_file(b"0123456789abcdef", [encode_record(record) for record in records])
        put_file(self.disk, self.path, content)
        return content

    def resume(self) -> RecordedSession:
        return resume(HANDS, "main", HOUSE, NOON + 60_000, self.disk)


@pytest.mark.parametrize("changes", [{"rules": RULES + 1}, {"format": JOURNAL_FORMAT + 1}, {"rules": RULES - 1}])
def test_fault_62_a_journal_of_other_rules_is_kept_and_a_new_session_begins(changes: dict[str, Any]) -> None:
    here = InterruptedTable()
    header, *steps = here.records()
    assert isinstance(header, Header)
    content = here.rewrite([replace(header, **changes), *steps])
    session = here.resume()
    assert (session.resumed, session.state.hand, session.state.view.players()) == (False, None, [])
    assert "other rules" in session.note
    assert session.journal.path != here.path
    assert here.disk.read_all(here.path) == content  # it can still be replayed


def test_fault_63_a_journal_whose_commands_give_other_events_is_refused_with_the_hand() -> None:
    here = InterruptedTable()
    records = here.records()
    last = records[-1]
    assert isinstance(last, StepRecord)
    dealt = next(event for event in last.events if isinstance(event, ev.CardsDealt))
    wrong = replace(dealt, cards=tuple([(seat, down, (51,)) for seat, down, up in dealt.cards]))
    events = tuple([wrong if event is dealt else event for event in last.events])
    content = here.rewrite([*records[:-1], replace(last, events=events)])
    with pytest.raises(Differs, match=r"record 4.*other events") as caught:
        here.resume()
    assert caught.value.exit_code == 5
    assert here.disk.read_all(here.path) == content


def test_fault_63_a_step_that_is_missing_is_refused() -> None:
    here = InterruptedTable()
    records = here.records()
    here.rewrite([*records[:2], *records[3:]])
    with pytest.raises(Differs, match="does not follow"):
        here.resume()


def test_fault_67_a_crash_before_the_first_step_does_not_keep_the_table_closed() -> None:
    """Found by the simulation: the header is on the disk and the step that opens the table is not."""
    here = InterruptedTable()
    here.rewrite(here.records()[:1])
    session = here.resume()
    assert session.state.seq == 1
    assert session.journal.path != here.path


def test_fault_67_a_sound_journal_is_resumed() -> None:
    here = InterruptedTable()
    session = here.resume()
    assert session.resumed
    assert session.state.view.playing
    assert session.journal.path == here.path
