"""The operator's log: one ASCII line for each thing that happened, an event with keys and values.

It never holds cards, tokens, passwords or chat.
"""

import json
import logging
import re
import sys
import traceback
from typing import Any, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from server.app.log_file import ONE_WRITE, LogFile
from server.config.log_level import LogFormat, LogLevel

LEVELS: dict[LogLevel, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_SECONDS = structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=True)
_EXACT = structlog.processors.TimeStamper(fmt="iso", utc=True)
_HEAD = ("timestamp", "level", "event")
_SECRET = frozenset({"token", "password", "card", "cards", "deck", "down", "seed", "key", "digest"})
_PLAIN = re.compile(r"[\w.:/@+-]+", re.ASCII)
_NOT_PLAIN = re.compile(r"[^ -~]")
_SHORTER = (None, 400, 100)
"""Characters of each value: the first of these with which the line is short enough."""


class OperatorLog:
    """The log of a server; its level and the form of its lines may change while it is used.

    Attributes:
        logger: what takes the events.
    """

    def __init__(self, out: LogFile | TextIO, level: LogLevel, form: LogFormat = "text") -> None:
        self.change(level, form)
        # It filters by itself: the level of structlog's own filter cannot change later.
        self.logger: FilteringBoundLogger = structlog.wrap_logger(
            structlog.WriteLogger(cast(TextIO, out)),
            processors=[
                structlog.processors.add_log_level, self._wanted, self._with_time, _without_secrets, _with_fault,
                self._line,
            ],
            wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
            context_class=dict,
            cache_logger_on_first_use=False,
        )  # fmt: skip

    @classmethod
    def open(cls, file: str, level: LogLevel, form: LogFormat) -> "OperatorLog":
        """The log to that file, or to standard error if `file` is empty. Raises OSError."""
        return cls(LogFile.open(file) if file else LogFile(_standard_error()), level, form)

    def change(self, level: LogLevel, form: LogFormat) -> None:
        """From now on lines of at least that level are written, in that form."""
        self._least, self._form = LEVELS[level], form

    def _wanted(self, logger: WrappedLogger, name: str, entry: EventDict) -> EventDict:
        if LEVELS[entry["level"]] < self._least:
            raise structlog.DropEvent
        return entry

    def _with_time(self, logger: WrappedLogger, name: str, entry: EventDict) -> EventDict:
        return (_SECONDS if self._form == "text" else _EXACT)(logger, name, entry)

    def _line(self, logger: WrappedLogger, name: str, entry: EventDict) -> str:
        """The line. A program must be able to read it, so that it is never cut: its values are."""
        entry = {**{key: entry[key] for key in _HEAD}, **entry}
        line = ""
        for most in _SHORTER:
            short = entry if most is None else {key: _cut(value, most) for key, value in entry.items()}
            line = str(_RENDERERS[self._form](logger, name, short))
            if len(line) < ONE_WRITE:
                break
        return line


def make_log(out: LogFile | TextIO, level: LogLevel, form: LogFormat = "text") -> FilteringBoundLogger:
    """A log that writes lines of at least `level` to `out`."""
    return OperatorLog(out, level, form).logger


def silent() -> FilteringBoundLogger:
    """A log that says nothing, for servers inside another program."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.PrintLogger(),
        processors=[],
        wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL),
    )
    return log


def _standard_error() -> int | None:
    """Its file descriptor; None if the program was started with it closed."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return None


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


def _cut(value: Any, most: int) -> Any:
    return value if value is None or isinstance(value, bool | int | float) else str(value)[:most]


# ------------------------------------------------------------------------- the forms


def _text(logger: WrappedLogger, name: str, entry: EventDict) -> str:
    """``2026-07-15 19:00:00 info server.listening port=7719``

    None of structlog's renderers has plain words without quotes and everything else in printable ASCII.
    """
    values = [f"{key}={_value(value)}" for key, value in entry.items() if key not in _HEAD]
    return " ".join([*[str(entry[key]) for key in _HEAD], *values])


def _value(value: Any) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _logfmt(logger: WrappedLogger, name: str, entry: EventDict) -> str:
    """``timestamp=2026-07-15T19:00:00.123456Z level=info event=server.listening port=7719``"""
    plain = {key: _ascii(value) if isinstance(value, str) else value for key, value in entry.items()}
    return str(_LOGFMT(logger, name, plain))


def _ascii(text: str) -> str:
    return _NOT_PLAIN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


_LOGFMT = structlog.processors.LogfmtRenderer(bool_as_flag=False)
_RENDERERS: dict[LogFormat, Processor] = {
    "text": _text,
    "logfmt": _logfmt,
    "json": structlog.processors.JSONRenderer(default=str),
}
