"""The bytes of a session that one seat alone may be sent: cards, and choices before they are shown."""

from collections.abc import Mapping
from pathlib import Path

from protocol.events import CardsDealt, ChoiceMade, Seat
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.visibility import owners, project
from protocol.wire.codec import encode_value


def check_secret_events(journal: str | Path, received: Mapping[Seat, bytes]) -> set[str]:
    """Every event that its owner sees more of was sent so to them and to nobody else (0: a spectator).

    Returns what was compared: "cards", and the decisions of choices. Raises AssertionError.
    """
    records = map(decode_record, scan(Path(journal).read_bytes()).records)
    events = [event for record in records if isinstance(record, StepRecord) for event in record.events]
    compared: set[str] = set()
    for event in events:
        if not isinstance(event, CardsDealt | ChoiceMade):
            continue
        for owner in owners(event):
            own = encode_value(project(event, owner))
            if own != encode_value(project(event, None)):
                compared.add("cards" if isinstance(event, CardsDealt) else event.decision)
                assert [seat for seat, sent in received.items() if own in sent] == [owner], event
    return compared
