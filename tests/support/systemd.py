"""What systemd does for a server, as far as a test needs it: listens to its news, hands over sockets."""

import os
import socket
import sys
from pathlib import Path

import trio

HAND_OVER = """
import fcntl, os, sys
handed, command = [int(number) for number in sys.argv[1].split(",")], sys.argv[2:]
spare = [fcntl.fcntl(number, fcntl.F_DUPFD, 100) for number in handed]  # out of the way of each other
for place, number in enumerate(spare, 3):
    os.dup2(number, place, inheritable=True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(spare)))
os.execv(command[0], command)
"""


def handing_over(*sockets: socket.socket) -> list[str]:
    """What stands before a command that is to get these sockets as systemd hands them over."""
    return [sys.executable, "-c", HAND_OVER, ",".join(str(sock.fileno()) for sock in sockets)]


class Listener:
    """The socket to which a service tells its news.

    Attributes:
        told: every line so far.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: list[str] = []
        self._sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sock.bind(os.fspath(path))
        self._sock.setblocking(False)

    def read(self) -> list[str]:
        """The lines that have come since the last call."""
        before = len(self.told)
        while True:
            try:
                self.told += self._sock.recv(4096).decode().split("\n")
            except BlockingIOError:
                return self.told[before:]

    async def until(self, line: str) -> None:
        """Waits until that line has been told."""
        while line not in self.read():
            await trio.lowlevel.wait_readable(self._sock)

    def close(self) -> None:
        """Listens no more."""
        self._sock.close()
