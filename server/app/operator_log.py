"""The operator's log: one ASCII line for each thing that happened. Never cards, tokens, passwords or chat."""

import json
import logging
import re
import sys
import traceback
from typing import Any, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

from server.app.log_file import LogFile

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_TIME = structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=True)
_SECRET = frozenset({"token", "password", "card", "cards", "deck", "down", "seed", "key", "digest"})
_PLAIN = re.compile(r"[\w.:/@+-]+", re.ASCII)


def open_log(file: str, level: str) -> FilteringBoundLogger:
    """The log to that file, or to standard error if `file` is empty. Raises OSError."""
    return make_log(LogFile.open(file) if file else LogFile(_standard_error()), level)


def _standard_error() -> int | None:
    """Its file descriptor; None if the program was started with it closed."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return None


def make_log(out: LogFile | TextIO, level: str) -> FilteringBoundLogger:
    """A log that writes lines of at least `level` to `out`."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(cast(TextIO, out)),
        processors=[structlog.processors.add_log_level, _TIME, _without_secrets, _with_fault, _line],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        context_class=dict,
        cache_logger_on_first_use=False,
    )
    return log


def silent() -> FilteringBoundLogger:
    """A log that says nothing, for servers inside another program."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.PrintLogger(),
        processors=[],
        wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL),
    )
    return log


def _without_secrets(logger: WrappedLogger, name: str, entry: EventDict) -> EventDict:
    for key in entry:
        if key in _SECRET:
            entry[key] = "(hidden)"
    return entry


def _with_fault(logger: WrappedLogger, name: str, entry: EventDict) -> EventDict:
    """An exception as file and line of each frame, without source lines and locals, which could hold cards."""
    fault = entry.pop("exc_info", None)
    if isinstance(fault, BaseException):
        frames = traceback.extract_tb(fault.__traceback__)
        entry["at"] = " ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in frames)
    return entry


def _line(logger: WrappedLogger, name: str, entry: EventDict) -> str:
    """``2026-07-15 19:00:00 info server.listening port=7719``

    None of structlog's renderers has plain words without quotes and everything else in printable ASCII.
    """
    head = [str(entry.pop(key)) for key in ("timestamp", "level", "event")]
    return " ".join([*head, *[f"{key}={_value(value)}" for key, value in entry.items()]])


def _value(value: Any) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
