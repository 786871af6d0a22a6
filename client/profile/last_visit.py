"""The name, the address and the table that the player used last: ``last.json`` in the data directory."""

import contextlib
from pathlib import Path

import msgspec

from server.storage.atomic_file import make_private_folder, write_file


class LastVisit(msgspec.Struct, frozen=True):
    """What was used last time; empty strings if nothing is known. `plain_tcp`: without encryption."""

    name: str = ""
    address: str = ""
    table: str = ""
    plain_tcp: bool = False


def load_last_visit(folder: Path) -> LastVisit:
    """What was used last; an empty visit if that is not known or not readable."""
    try:
        return msgspec.json.decode((folder / "last.json").read_bytes(), type=LastVisit)
    except (OSError, msgspec.DecodeError):
        return LastVisit()


def save_last_visit(folder: Path, visit: LastVisit) -> None:
    """Remembers the visit for the next time; nothing is kept in a directory that cannot be written."""
    with contextlib.suppress(OSError):
        make_private_folder(folder)
        write_file(folder / "last.json", msgspec.json.encode(visit))
