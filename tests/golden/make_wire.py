"""Makes wire-N.bin for the protocol's newest version: ``python -m tests.golden.make_wire``.

The file is made once for a version and then never changes; it holds every message and every event as frames, as a
program of that version sent them.
"""

from pathlib import Path

from protocol.versions import PROTOCOL
from protocol.wire.frames import encode_frame
from protocol.wire.messages import FROM_CLIENT, FROM_SERVER
from tests.support.format_pages import EVENTS
from tests.support.format_pages import PROTOCOL_SECTIONS as SECTIONS


def main() -> None:
    """Writes the file, or raises FileExistsError."""
    values = [SECTIONS[name].examples[0] for name in (*FROM_CLIENT, *FROM_SERVER)]
    events = [SECTIONS[name].examples[0] for name in EVENTS]
    values.append({"type": "events", "seq": 1, "at": 1_767_225_600_000, "events": events})
    with (Path(__file__).parent / f"wire-{PROTOCOL[1]}.bin").open("xb") as file:
        file.write(b"".join([encode_frame(value) for value in values]))


if __name__ == "__main__":
    main()
