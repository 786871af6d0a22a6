"""Where everything that the program keeps is on the disk."""

from pathlib import Path

from platformdirs import user_data_path

from protocol.versions import APP
from server.errors import ConfigError


def data_folder(chosen: str | Path | None = None) -> Path:
    """The folder of keys and recordings: the chosen one, or the user's own. Raises ConfigError if there is neither."""
    if chosen:
        return Path(chosen)
    try:
        return user_data_path(APP, appauthor=False)
    except RuntimeError:
        raise ConfigError("You have no home directory: say with --data-dir where hands and keys are kept.") from None


def default_folder() -> str:
    """The user's own data folder, in words for a help text."""
    try:
        return str(data_folder())
    except ConfigError:
        return "none: you have no home directory"


def hands_folder(chosen: str | Path | None = None) -> Path:
    """The folder of the recordings in that data folder. Raises ConfigError."""
    return data_folder(chosen) / "hands"
