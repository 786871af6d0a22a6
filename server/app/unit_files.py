"""The systemd units that are shipped, made ready for this machine."""

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "units"
SERVICE, SOCKET = "ryo@.service", "ryo@.socket"
HOMES = ("/home/", "/root/")
"""Where a service with ``ProtectHome`` sees nothing."""


def program() -> str:
    """The command that starts this program again, wherever it is installed."""
    started = os.path.abspath(sys.argv[0])
    if os.path.basename(started) == "ryo" and os.access(started, os.X_OK):
        return started
    return f"{sys.executable} -m rollyourown"


def service(command: str) -> str:
    """The service of a room, with the command that is `ryo` on this machine."""
    return (FOLDER / SERVICE).read_text("utf-8").replace("@RYO@", command)


def socket(port: int) -> str:
    """The socket of a room that listens on that port."""
    return (FOLDER / SOCKET).read_text("utf-8").replace("@PORT@", str(port))


def in_a_home(command: str) -> bool:
    """Whether that program lies where its service would not see it."""
    return command.startswith(HOMES)
