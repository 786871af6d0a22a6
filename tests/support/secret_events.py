"""The bytes of a session that one seat alone may be sent: cards, and choices before they are shown."""

import re
from collections.abc import Mapping
from pathlib import Path

from protocol.cards import TEXTS, Card
from protocol.commands import StartHand
from protocol.events import CardsDealt, ChoiceMade, Seat
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.visibility import owners, project
from protocol.wire.codec import encode_value


def check_secret_events(journal: str | Path, received: Mapping[Seat, bytes]) -> set[str]:
    """Every event that its owner sees more of was sent so to them and to nobody else (0: a spectator).

    `received`: of some seats or all of them.

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
                assert [seat for seat, sent in received.items() if own in sent] == [owner] * (owner in received), event
    return compared


_NAMED = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(TEXTS)})+(?![A-Za-z0-9])")


def decks(journal: bytes) -> list[tuple[Card, ...]]:
    """The decks of a session, in the order of its hands."""
    records = map(decode_record, scan(journal).records)
    commands = [record.command for record in records if isinstance(record, StepRecord)]
    return [command.deck for command in commands if isinstance(command, StartHand)]


def cards_in_log(journal: bytes, text: str) -> list[str]:
    """What a log tells of the cards of a session: words like ``As`` or ``AsKd``, neighbours in a deck as numbers."""
    found = decks(journal)
    assert found
    rows = {deck[at : at + 3] for deck in found for at in range(len(deck) - 2)}
    forms = {between.join(map(str, row)) for row in rows for between in (", ", ",", " ")}
    forms |= {bytes(row).hex() for row in rows}
    return _NAMED.findall(text) + sorted(form for form in forms if form in text)
