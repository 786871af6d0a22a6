"""Opens some hands in the middle of a long recording without reading what is before them.

The index knows places in a file: how many bytes and events are before it, and the chain digest there. What is read from
such a place must continue from that digest, record by record, so a file that is not the same any more, or is damaged
there, is not taken for good: then there is no part, and the whole file is read as ever.
"""

from pathlib import Path

from protocol.journal.framing import FRONT_BYTES, HEAD_BYTES, MAX_PAYLOAD, Scan, scan, scan_more
from protocol.view import TableView
from replays.recording import Recording, Unreadable, decode_header, decode_steps
from replays.summary_reader import Mark, ends_there


def open_part(path: Path, place: Mark, behind: Mark | None) -> tuple[Recording, TableView] | None:
    """The hands from one place of a file to another, or to its end, and the table before them.

    None where the file cannot be read there. Raises OSError.
    """
    with path.open("rb") as file:
        if not ends_there(file, place):
            return None
        file.seek(0)
        start = file.read(FRONT_BYTES + HEAD_BYTES)
        length = int.from_bytes(start[FRONT_BYTES : FRONT_BYTES + 4], "little") & (1 << 31) - 1
        begin = scan(start + file.read(min(length, MAX_PAYLOAD)))
        file.seek(place.good)
        content = file.read() if behind is None else file.read(behind.good - place.good)
    known = Scan([], [], place.good, place.good, place.digest, place.salt, "clean", "", place.records)
    found = scan_more(known, content)
    if begin.verdict != "clean" or found.verdict == "corrupt" or not found.records:
        return None
    if behind is not None and found.digest != behind.digest:
        return None
    try:
        header = decode_header(path, begin)
        # The numbers of the events in a player's file have gaps: they begin with those of the table before.
        seq = header.next_seq + place.position if header.viewer is None else 1
        steps = decode_steps(path, found, seq, header)
    except Unreadable:
        return None
    first = steps[0]
    table = place.table.copy() if first.view is None else first.view.copy()
    table.seq = first.seq - 1
    return Recording(path, header, steps, found), table
