"""Rooms behind one public port, by the configuration of docs/scaling.md; skipped where HAProxy is not installed."""

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest

from tests.support.limits import LIMIT
from tests.support.loopback_server import client_context
from tests.support.paths import DOCS
from tests.support.ryo_process import RyoProcess, RyoProcesses, last_hand

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(which("haproxy") is None, reason="HAProxy is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="rooms of POSIX"),
]

PAGE = (DOCS / "scaling.md").read_text("utf-8")
QUICK = 'games = ["plainrazz"]\nchange = "never"\nstart = 0.0\n[table.clocks]\nresult = 0\n'


def block(kind: str) -> str:
    """The first block of that kind on the page."""
    found = re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


class Site:
    """HAProxy and the rooms behind it.

    Attributes:
        port: the public one.
    """

    def __init__(self, folder: Path, public: socket.socket, ryo: RyoProcesses) -> None:
        self.folder, self.ryo = folder, ryo
        self.port = public.getsockname()[1]
        self.ports: dict[str, int] = {}
        self.rooms: dict[str, RyoProcess] = {}
        self._public = public
        self._proxies: list[subprocess.Popen[bytes]] = []
        (folder / "rooms.map").write_text(block("text"))

    def start(self, room: str, where: str = "") -> None:
        """Starts a room, with its data in the folder of that name, or starts it again at the same port."""
        text = block("toml").replace("7719", str(self.port)).replace("cards.example.org", "127.0.0.1")
        text = text.replace("/etc/haproxy/rooms.map", str(self.folder / "rooms.map")).replace('"friday"', f'"{room}"')
        settings = self.folder / f"{room}.toml"
        settings.write_text(text.replace("7801", str(self.ports.get(room, 0))) + QUICK)
        data = self.folder / (where or room)
        options = ("--config", str(settings), "--data-dir", str(data), "--log-file", str(self.log(room)), "-v")
        self.rooms[room] = process = self.ryo.start(self.folder, "serve", *options)
        process.line("ryo join ")
        self.ports[room] = int(re.findall(r"server\.listening port=(\d+)", self.log(room).read_text())[-1])

    def log(self, room: str) -> Path:
        return self.folder / f"{room}.log"

    def link(self, room: str) -> str:
        """The join link that the room reads out."""
        return self.rooms[room].line("ryo join ").removeprefix("ryo join ").strip()

    def proxy(self) -> None:
        """Starts HAProxy, or lets a new one take over: the old one keeps its connections."""
        text = block("haproxy")
        text = text.replace("bind [::]:7719 v6only", "")
        text = text.replace("0.0.0.0:7719", f"fd@{self._public.fileno()}")
        text = text.replace("/etc/haproxy/rooms.map", str(self.folder / "rooms.map"))
        text = text.replace("7801", str(self.ports["friday"])).replace("7802", str(self.ports["sunday"]))
        settings = self.folder / "haproxy.cfg"
        settings.write_text(text)
        command = ["haproxy", "-db", "-f", str(settings)]
        if self._proxies:
            command += ["-sf", str(self._proxies[-1].pid)]
        self._proxies.append(subprocess.Popen(command, pass_fds=[self._public.fileno()]))

    def bot(self, room: str, name: str) -> RyoProcess:
        """A bot that plays there."""
        home = self.folder / name
        where = ("--data-dir", str(home))
        return self.ryo.start(home, "bot", self.link(room), "--name", name, "--pace", "0.01", *where)

    def greet(self, table: str, source: str) -> None:
        """Somebody comes from that address, asks for a table and hangs up when the encryption stands."""
        with (
            socket.create_connection(("127.0.0.1", self.port), LIMIT, (source, 0)) as tcp,
            client_context().wrap_socket(tcp, server_hostname=table),
        ):
            pass

    def close(self) -> None:
        """Ends every HAProxy."""
        for proxy in self._proxies:
            proxy.kill()
            proxy.wait(LIMIT)


@contextmanager
def opened(folder: Path, ryo: RyoProcesses) -> Iterator[Site]:
    """Two rooms and HAProxy."""
    with socket.create_server(("127.0.0.1", 0)) as public:
        site = Site(folder, public, ryo)
        try:
            site.start("friday")
            (folder / "sunday").mkdir(mode=0o700)
            shutil.copy2(folder / "friday" / "identity.pem", folder / "sunday")
            site.start("sunday")
            site.proxy()
            yield site
        finally:
            site.close()


def test_rooms_behind_one_port_restart_and_move_under_play(tmp_path: Path, ryo: RyoProcesses) -> None:
    with opened(tmp_path, ryo) as site:
        bots = {room: [site.bot(room, f"{name}{room}") for name in ("A", "B")] for room in site.rooms}
        for playing in bots.values():
            for bot in playing:
                bot.line("Hand 2 is over")
        # Each room is asked for under its own name, and both are in one list.
        listed = ryo.run(tmp_path / "eve", "find", f"127.0.0.1:{site.port}")
        assert re.findall(r"--table (\w+)", listed.out) == ["friday", "sunday"]
        assert listed.out.count("6 of 8 seats free") == 2
        assert not (tmp_path / "eve" / "data" / "rollyourown" / "known_hosts.json").exists()
        # Guests come from other addresses, one of them to a table that no room has.
        site.greet("sunday", "127.0.0.9")
        site.greet("nowhere", "127.0.0.10")
        # A room is killed and starts again: everybody plays on.
        site.rooms["friday"].kill()
        at = last_hand(bots["friday"][0])
        site.start("friday")
        for bot in bots["friday"]:
            bot.line(f"Hand {at + 3} is over")
        # A room moves: another place, another port, the same guests.
        site.rooms["sunday"].popen.terminate()
        assert site.rooms["sunday"].finish() == 0
        at = last_hand(bots["sunday"][0])
        (tmp_path / "sunday").rename(tmp_path / "far-away")
        del site.ports["sunday"]
        site.start("sunday", "far-away")
        site.proxy()
        for bot in bots["sunday"]:
            bot.line(f"Hand {at + 3} is over")
        # What is not encrypted is no guest.
        with socket.create_connection(("127.0.0.1", site.port), LIMIT) as tcp:
            tcp.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert tcp.recv(100) == b""
        # A room that is down is named.
        site.rooms["sunday"].kill()
        listed = ryo.run(tmp_path / "eve", "find", f"127.0.0.1:{site.port}")
        assert "sunday does not answer at the moment." in listed.out
        site.rooms["friday"].popen.terminate()
        assert site.rooms["friday"].finish() == 0
        # Limits have seen the guests, not the proxy.
        assert "connection.open address=127.0.0.9\n" in site.log("sunday").read_text()
        assert "connection.open address=127.0.0.10\n" in site.log("friday").read_text()
