"""Where everything that the program keeps is on the disk."""

from pathlib import Path

from platformdirs import user_data_path

from protocol.versions import APP


def data_folder(chosen: str | Path | None = None) -> Path:
    """The folder of keys and recordings: the chosen one, or the user's own."""
    return Path(chosen) if chosen else user_data_path(APP, appauthor=False)


def hands_folder(chosen: str | Path | None = None) -> Path:
    """The folder of the recordings in that data folder."""
    return data_folder(chosen) / "hands"
