"""The program as a service: news for systemd, sockets that it is handed, process number 1, restrictions."""

import signal
import socket
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import psutil
import pytest
import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from server.config.passwords import make_verifier
from tests.support.limits import LIMIT
from tests.support.loopback_server import WireClient
from tests.support.paths import ROOT
from tests.support.server_process import ServerProcess
from tests.support.systemd import Listener, handing_over

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="services of POSIX"),
]

QUICK = """
plain_tcp = true
[limits]
rate = 1e6
burst = 1e6
[[table]]
id = "main"
games = ["plainrazz"]
change = "never"
start = 0.0
[table.clocks]
result = 0
"""


async def play(port: int, hands: int, names: tuple[str, ...] = ("Ann", "Ben")) -> None:
    """They come, or come back, play until that many hands are over, and hang up."""
    async with AsyncExitStack() as stack:
        players = []
        for name in names:
            stream = await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port))
            players.append(WireClient(stream, name))
        for player in players:
            await player.send(msg.Hello(PROTOCOL, "test"))
            await player.expect(msg.Welcome)
            await player.join()
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.play, hands)


IN_OWN_PROCESSES = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
RESTRICTED = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
libc.prctl(65, 1, 0, 0, 0)  # PR_SET_MDWE: MemoryDenyWriteExecute, where the kernel has it
os.execv(sys.argv[1], sys.argv[1:])
"""


async def answer_to(port: int, password: str) -> str:
    """What the table with the password answers: the code of its refusal, or `joined`."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        guest = WireClient(stream, "Cho")
        await guest.send(msg.Hello(PROTOCOL, "test"))
        await guest.expect(msg.Welcome)
        await guest.send(msg.Join("Cho", guest.token, "closed", password=password))
        answer = await guest.next()
        return answer.code if isinstance(answer, msg.Rejected) else "joined"


async def admin(folder: Path, *words: str) -> bytes:
    """The answer of the server with that data directory to a word of its host."""
    command = [sys.executable, "-m", "server", "admin", "--data-dir", str(folder), *words]
    return (await trio.run_process(command, capture_stdout=True, cwd=ROOT)).stdout


def is_zombie(process: psutil.Process) -> bool:
    """Whether it has ended and nobody has buried it."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def works(*command: str) -> bool:
    """Whether this machine lets us do that."""
    try:
        return subprocess.run([*command, "true"], capture_output=True, timeout=LIMIT, check=False).returncode == 0
    except FileNotFoundError:
        return False


def restricted(folder: Path) -> list[str]:
    """What stands before a command that may write to one folder only and has no rights, as in the shipped unit."""
    return [
        "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc",
        "--bind", str(folder), str(folder), "--unshare-ipc", "--unshare-uts", "--unshare-user",
        "--uid", "7719", "--gid", "7719", "--cap-drop", "ALL", "--die-with-parent", "--new-session",
    ]  # fmt: skip


@pytest.fixture
def own_processes() -> None:
    if not works(*IN_OWN_PROCESSES):
        pytest.skip("a process number 1 of our own needs Linux, root and unshare")


@pytest.fixture
def restricted_data(tmp_path: Path) -> Path:
    """A folder that alone may be written to by what stands behind `restricted(folder)`."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    if not works(*restricted(data)):
        pytest.skip("bwrap is not installed, or may not make namespaces here")
    return data


@pytest.mark.usefixtures("own_processes")
async def test_as_process_1_the_server_hears_signals_and_leaves_no_zombie(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT):
        one = ServerProcess(tmp_path / "data", QUICK, wrapper=IN_OWN_PROCESSES)
        try:
            await play(await one.start(), 1)
            assert one.process is not None
            (child,) = psutil.Process(one.process.pid).children()
            inside = ("nsenter", "-t", str(child.pid), "-p", "-m")
            # It leaves an orphan behind, whose parent is then the server.
            await trio.run_process([*inside, "sh", "-c", "sleep 0.01 >/dev/null 2>&1 &"])
            while orphans := child.children():
                assert not any(is_zombie(orphan) for orphan in orphans)
                await trio.sleep(0.01)
            child.terminate()  # SIGTERM to process 1
            assert await one.wait() == 0
        finally:
            await one.clean_up()


async def test_with_the_restrictions_of_the_unit_an_evening_survives_a_kill_and_a_new_start(
    restricted_data: Path,
) -> None:
    """Its file system is read-only but for its folder, its user has no rights; `ryo admin` and passwords work."""
    data = restricted_data
    closed = f'[[table]]\nid = "closed"\npassword = "{make_verifier("swordfish")}"\n'
    wrapper = [*restricted(data), sys.executable, "-c", RESTRICTED]
    with trio.fail_after(LIMIT):
        one = ServerProcess(data, QUICK + closed, wrapper=wrapper)
        try:
            await play(await one.start(), 1)
            assert await answer_to(one.port, "sardine") == "bad_password"
            assert await answer_to(one.port, "swordfish") == "joined"
            assert b"2 of 8 seats taken" in await admin(data, "tables")
            await one.kill()
            await play(await one.start(), 2)
            assert await one.stop() in (0, -signal.SIGTERM)  # bwrap does not hand it on
        finally:
            await one.clean_up()


async def test_guests_who_come_while_the_server_starts_again_wait_at_the_socket_of_systemd(tmp_path: Path) -> None:
    systemd = Listener(tmp_path / "notify")
    with trio.fail_after(LIMIT), socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        one = ServerProcess(
            tmp_path / "data",
            QUICK,
            environment={"NOTIFY_SOCKET": str(systemd.path), "WATCHDOG_USEC": "3000000"},
            wrapper=handing_over(listening),
            handed_over=[listening.fileno()],
        )
        try:
            assert await one.start() == port
            await systemd.until("READY=1")
            await systemd.until("WATCHDOG=1")
            await play(port, 1)
            assert await one.stop() == 0
            assert "STOPPING=1" in systemd.read()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play, port, 2)  # the system lets them in, and they are answered later
                await one.start()
        finally:
            await one.clean_up()
            systemd.close()
