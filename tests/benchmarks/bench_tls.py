"""What encryption costs: the real server over TLS beside the same server over plain TCP, in turn.

The server runs in its own process on one core. What counts is its own processor time, so that a slow client does
not flatter it: microseconds for a handshake, for an answered ping (100 connections), for one line of chat to one of
100 spectators; and the memory of a connection that is welcomed and then silent.
"""

import contextlib
import os
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, Request

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from protocol.wire.join_links import ALPN
from tests.benchmarks.harness import Args, Bench, Clock, Row, Rows, duration, processor_seconds, spread

HANDSHAKES = 300
CLIENTS = 100
PINGS = 200
SAYINGS = 300
IDLE = 1000
HELLO = encode_frame(msg.Hello(PROTOCOL))

Client = socket.socket


@dataclass(frozen=True, slots=True)
class ServerUnderLoad:
    """A server's process."""

    port: int
    process: int
    tls: bool

    def processor(self) -> float:
        """Seconds of processor time so far."""
        return processor_seconds(self.process)

    def memory(self) -> int:
        """Resident bytes."""
        return int(Path(f"/proc/{self.process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def connect(self) -> Client:
        """A connection with its handshake done."""
        sock = socket.create_connection(("127.0.0.1", self.port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return _CONTEXT.wrap_socket(sock) if self.tls else sock

    def browser(self) -> Client:
        """A page's WebSocket that has said hello."""
        sock = self.connect()
        page = WSConnection(ConnectionType.CLIENT)
        host = f"127.0.0.1:{self.port}"
        origin = [(b"Origin", f"http{'s' * self.tls}://{host}".encode())]
        sock.sendall(page.send(Request(host=host, target="/play", extra_headers=origin)))
        page.receive_data(sock.recv(4096))
        if not any(isinstance(event, AcceptConnection) for event in page.events()):
            raise RuntimeError("the server takes no WebSocket")
        sock.sendall(page.send(BytesMessage(HELLO)))
        sock.recv(4096)
        return sock

    def welcomed(self) -> Client:
        """A connection that has said hello."""
        client = self.connect()
        client.sendall(HELLO)
        client.recv(4096)
        return client


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols([ALPN])
    return context


_CONTEXT = _context()

_MAIN_TABLE = '[[table]]\nid = "main"\ndurability = "none"\nstart = 0\n'
_FULL_TABLE = """
[[table]]
id = "t{}"
games = ["stud8"]
seats = 7
players = {}
start = 0
durability = "action"
buy_in = 1000000
buy_in_most = 1000000
clocks = {{ bet = 0, choose = 0, arrange = 0, declare = 0, bank = 0, result = 0 }}
"""


@contextlib.contextmanager
def house(
    folder: Path, tls: bool, tables: int = 0, core: int = 1, players: int = 7, web: str = "off"
) -> Iterator[ServerUnderLoad]:
    """A server without limits on the rate: one table ``main``, or that many full ones that keep every action."""
    config = folder / "server.toml"
    config.write_text(
        f'bind = "127.0.0.1"\nport = 0\nplain_tcp = {str(not tls).lower()}\ndata_dir = "{folder}"\nresume = false\n'
        f'web = "{web}"\n'
        "[limits]\nconnections = 100000\nper_address = 100000\nrate = 1e9\nburst = 1e9\n"
        "say_rate = 1e9\nsay_burst = 1e9\nwatchers = 100000\ngreeting = 100000\nidle = 1e9\nhello = 1e9\n"
        + "".join([_FULL_TABLE.format(number, players) for number in range(tables)] or [_MAIN_TABLE])
    )
    command = [sys.executable, "-m", "server", "serve", "--config", str(config), "--log-level", "warning"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as process:
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setaffinity(process.pid, {core})
        assert process.stdout is not None
        address = process.stdout.readline().split("/#")[0].split("/main")[0]
        try:
            yield ServerUnderLoad(int(address.rsplit(":", 1)[1]), process.pid, tls)
        finally:
            process.terminate()
            process.wait(10)


def handshakes(server: ServerUnderLoad) -> float:
    """Seconds of the server for one connection with its hello."""
    before = server.processor()
    for _ in range(HANDSHAKES):
        server.welcomed().close()
    return (server.processor() - before) / HANDSHAKES


def connecting(server: ServerUnderLoad) -> float:
    """Median seconds from the first packet to the welcome, as a client sees it."""
    times = []
    for _ in range(HANDSHAKES):
        start = time.perf_counter()
        client = server.welcomed()
        times.append(time.perf_counter() - start)
        client.close()
    return statistics.median(times)


def pings(server: ServerUnderLoad) -> float:
    """Seconds of the server for one ping and its answer; each is waited for."""
    clients = [server.welcomed() for _ in range(CLIENTS)]
    ping = encode_frame(msg.Ping(1))
    before = server.processor()
    for _ in range(PINGS):
        for client in clients:
            client.sendall(ping)
        for client in clients:
            client.recv(4096)
    spent = server.processor() - before
    for client in clients:
        client.close()
    return spent / PINGS / CLIENTS


def chat(server: ServerUnderLoad) -> float:
    """Seconds of the server for one line of chat at one of its hearers."""
    hearers = [server.welcomed() for _ in range(CLIENTS)]
    for client in hearers:
        client.sendall(encode_frame(msg.Watch("main")))
    talker = server.welcomed()
    talker.sendall(encode_frame(msg.Join("Ann", os.urandom(32))))
    say = encode_frame(msg.Say("x" * 150))
    time.sleep(0.2)
    for client in [talker, *hearers]:
        client.recv(1 << 16)
    before = server.processor()
    for _ in range(SAYINGS):
        talker.sendall(say)
        for client in [*hearers, talker]:
            client.recv(1 << 16)
    spent = server.processor() - before
    talker.sendall(encode_frame(msg.StandUp()))
    for client in [*hearers, talker]:
        client.close()
    return spent / SAYINGS / (CLIENTS + 1)


def idle(server: ServerUnderLoad, connect: Callable[[ServerUnderLoad], Client] = ServerUnderLoad.welcomed) -> float:
    """Bytes of the server for a silent connection."""
    warm = [connect(server) for _ in range(50)]
    before = server.memory()
    clients = [connect(server) for _ in range(IDLE)]
    time.sleep(0.3)
    grown = server.memory() - before
    for client in [*warm, *clients]:
        client.close()
    return grown / IDLE


PARTS: dict[str, tuple[Callable[[ServerUnderLoad], float], Clock]] = {
    "handshake": (handshakes, "processor"),
    "welcome": (connecting, "wall"),
    "ping": (pings, "processor"),
    "chat": (chat, "processor"),
}
"""What is asked of both servers: for a handshake with its hello, an answered ping and a line of chat to one hearer it
is the server's processor time; for the way from the first packet to the welcome, the time on the wall."""


def encryption(args: Args) -> Rows:
    """Each part over TLS, as a multiple of plain TCP."""
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        house(Path(one), True) as tls,
        house(Path(two), False) as plain,
    ):
        for name, (part, clock) in PARTS.items():
            part(tls), part(plain)
            ours, bare = zip(*[(part(tls), part(plain)) for _ in range(args.repeats)], strict=True)
            yield Row(
                name=f"p6-tls-{name}",
                unit="x plain",
                value=spread([one / other for one, other in zip(ours, bare, strict=True) if other]),
                clock=clock,
                note=f"{duration(spread(ours).median)}, plain {duration(spread(bare).median)}",
            )


def memory(args: Args) -> Rows:
    """A silent connection of each kind, each time at a fresh server."""
    kinds = {"plain": (False, "off", 2.5), "tls": (True, "off", 22.0), "websocket": (False, "plain", 30.0)}
    for kind, (tls, web, goal) in kinds.items():
        grown = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder, house(Path(folder), tls, web=web) as server:
                connect = ServerUnderLoad.browser if web != "off" else ServerUnderLoad.welcomed
                grown.append(idle(server, connect) / 1024)
        yield Row(name=f"p6-idle-{kind}", unit="KiB", value=spread(grown), goal=goal, clock="none")


ROWS: dict[str, Bench] = {"p6-tls": encryption, "p6-idle": memory}
