"""Everything that is looked at, in order, and the report for others."""

import getpass
import ipaddress
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from client.doctor.disk import disk
from client.doctor.finding import Finding
from client.doctor.network import RunningServer, network
from client.doctor.program import clocks, language, program, settings
from client.doctor.terminal import terminal
from server.app.admin_client import NoServer, ask
from server.config.config import Config

_ADDRESS = re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7})(?![\w.:])")


def examine(config_file: str | None, data_dir: str | None) -> Iterator[Finding]:
    """Looks at one thing after another."""
    yield program()
    config, found = settings(config_file, data_dir)
    yield found
    if config is None:
        config = Config(data_dir=data_dir or "")
    yield language()
    yield from terminal()
    yield from clocks()
    yield from disk(config.base_dir)
    yield from network(config, _running(config))


def _running(config: Config) -> RunningServer | None:
    """The server that runs with this data; None if none answers, or one that is older than its answer should be."""
    with suppress(NoServer, KeyError):
        data = ask(config.base_dir, ["status"]).data
        return RunningServer(data["port"], data["encrypted"], data["lan"])
    return None


def report(findings: Iterable[Finding]) -> list[str]:
    """Lines for others to read: versions, numbers and states, and nothing by which somebody could be known."""
    return [scrubbed(f"{one.area}: {one.state}{f', {one.fact}' if one.fact else ''}") for one in findings]


def scrubbed(text: str) -> str:
    """A text without the user, their home, this machine's name, and addresses of the internet.

    The facts of findings have none of them; this is for a fact that does by mistake.
    """
    for own, instead in _own_words():
        text = re.sub(rf"(?<!\w){re.escape(own)}(?!\w)", instead, text)
    return _ADDRESS.sub(_without_public, text)


def _own_words() -> Iterator[tuple[str, str]]:
    with suppress(RuntimeError):
        yield str(Path.home()), "~"
    with suppress(OSError, KeyError, ImportError):
        yield getpass.getuser(), "USER"
    yield socket.gethostname(), "HOST"


def _without_public(found: re.Match[str]) -> str:
    try:
        address = ipaddress.ip_address(found[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_private else "ADDRESS"
