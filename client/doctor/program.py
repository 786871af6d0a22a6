"""The program, what it runs on, its settings, and the clocks."""

import locale
import os
import platform
import ssl
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from client.doctor.finding import Finding
from protocol.versions import PROGRAM
from server.config.config import Config, load
from server.errors import ConfigError

PACKAGES = ("trio", "msgspec", "msgpack", "cryptography", "prompt_toolkit", "structlog", "click", "psutil", "h11")
"""The libraries whose versions matter most when something does not work."""
_LOOK = 0.2
"""Seconds for which the clocks are compared."""
_DRIFT = 0.05
"""Seconds by which they may differ then."""
_OLDEST = datetime(2024, 1, 1, tzinfo=UTC)
"""Before that nobody had this program: the machine does not know what time it is."""


def program() -> Finding:
    """The versions of everything."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    text = f"ryo {PROGRAM}, Python {platform.python_version()}, {system}."
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return Finding("program", "ok", text, fact=f"{text} {packages}, {ssl.OPENSSL_VERSION}")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # in a single file, say
        return "?"


def settings(config_file: str | None, data_dir: str | None) -> tuple[Config | None, Finding]:
    """The settings that a server would have; None if they cannot be used."""
    try:
        config, origins = load(config_file, os.environ, {"data_dir": data_dir})
    except ConfigError as error:
        return None, Finding(
            "settings", "fault", str(error), "Mend it: ryo config init shows all settings.", "a mistake"
        )
    place = f"{config_file}: {len(origins)} of the settings are set." if config_file else "No file of settings is used."
    known = ", ".join(sorted({key for key in origins if "." not in key}))
    return config, Finding("settings", "ok", place, fact=f"{len(origins)} set ({known})" if origins else "none set")


def language() -> Finding:
    """The encoding of the terminal's texts."""
    encoding = (getattr(sys.stdout, "encoding", None) or "none").lower()
    fact = f"output {encoding}, locale {locale.getpreferredencoding(False).lower()}"
    if encoding.replace("-", "") == "utf8":
        return Finding("encoding", "ok", "Texts are written in UTF-8.", fact=fact)
    advice = "Set LANG to a UTF-8 locale like C.UTF-8; without one suits are letters."
    return Finding("encoding", "warning", f"Texts are written in {encoding}, not in UTF-8.", advice, fact)


def clocks() -> Iterator[Finding]:
    """The time of day, the steady clock behind every deadline, and the time zone."""
    wall, steady = time.time(), time.monotonic()
    time.sleep(_LOOK)
    drift = (time.time() - wall) - (time.monotonic() - steady)
    now = datetime.now(UTC)
    if abs(drift) > _DRIFT:
        text = f"The time of day jumps: by {drift:+.2f} s against the steady clock within {_LOOK} s."
        yield Finding("clock", "warning", text, "See to the time service; play goes on, its times are wrong.", "jumps")
    elif now < _OLDEST:
        text = f"The machine believes that it is {now:%Y-%m-%d}."
        advice = "Set the clock, or let NTP do it; play goes on, its recordings get wrong dates."
        yield Finding("clock", "warning", text, advice, f"{now:%Y}")
    else:
        yield Finding("clock", "ok", f"It is {now:%Y-%m-%d %H:%M} UTC, and both clocks agree.", fact="both agree")
    offset = datetime.now().astimezone().strftime("%z")
    yield Finding(
        "time zone", "ok", f"Times are shown {offset} to UTC; logs and names of files are in UTC.", fact=offset
    )
