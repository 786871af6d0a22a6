"""A network of its own for a test: namespaces with the interfaces that the test wants (Linux, as root)."""

import contextlib
import functools
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.paths import ROOT

LIMIT = 90.0
"""Seconds for a whole program in its namespace."""


@functools.cache
def _works() -> bool:
    command = ["unshare", "-n", "sh", "-c", "ip link set lo up && ip link add v0 type veth peer name v1"]
    try:
        return subprocess.run(command, capture_output=True, timeout=LIMIT, check=False).returncode == 0
    except FileNotFoundError:
        return False


def in_network(*setup: str, code: str) -> str:
    """What a Python program prints in a network where these ``ip`` commands were run first; ``lo`` is up.

    Skips the test where namespaces cannot be made.
    """
    _need_namespaces()
    lines = ["ip link set lo up", *(f"ip {command}" for command in setup)]
    script = " && ".join([*lines, 'exec "$0" -c "$1"'])
    command = ["unshare", "-n", "sh", "-c", script, sys.executable, code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Host:
    """A machine of its own, as far as its network goes.

    Attributes:
        inside: what stands before a command that is to run there.
    """

    def __init__(self, number: int) -> None:
        self.inside = f"nsenter -t {number} -n"

    def run(self, *commands: str) -> None:
        """Runs shell commands there."""
        for command in commands:
            done = subprocess.run(
                [*self.inside.split(), "sh", "-c", command], capture_output=True, text=True, timeout=LIMIT, check=False
            )
            assert done.returncode == 0, f"{command}: {done.stderr}"

    @contextlib.contextmanager
    def python(self, code: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
        """A Python program there, as long as the block; it begins when the program has printed its first line."""
        command = [*self.inside.split(), sys.executable, "-c", code, *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline(), "the program has ended"
                yield process
            finally:
                process.kill()

    def drop_udp(self, interface: str, but: int = 0) -> None:
        """A firewall that lets no datagram in through that interface, except those to one port."""
        for ip in ("ip", "ip -6"):
            self.run(f"{ip} rule add pref 100 lookup local", f"{ip} rule del pref 0")
            if but:
                self.run(f"{ip} rule add pref 40 iif {interface} ipproto udp dport {but} lookup local")
            self.run(f"{ip} rule add pref 50 iif {interface} ipproto udp blackhole")


HOST, GUEST = "10.9.8.1", "10.9.8.2"
"""The addresses of `two_hosts`."""


@contextlib.contextmanager
def two_hosts(*, joined: bool = True) -> Iterator[tuple[Host, Host]]:
    """Two machines on one network, by the interface ``net0`` of each; not `joined`: loopback only.

    Skips the test where namespaces cannot be made.
    """
    _need_namespaces()
    command = ["unshare", "-n", "sh", "-c", "ip link set lo up && echo up && exec cat"]
    with contextlib.ExitStack() as ended:
        hosts = []
        for _ in range(2):
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            ended.enter_context(process)
            ended.callback(process.kill)
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
            hosts.append(Host(process.pid))
        host, guest = hosts
        if joined:
            join_hosts(host, guest)
        yield host, guest


def join_hosts(host: Host, guest: Host) -> None:
    """Lays a cable between two machines; IPv6 addresses are usable at once."""
    number = guest.inside.split()[2]
    host.run(f"ip link add net0 type veth peer name net0 netns {number}")
    for machine, address in ((host, HOST), (guest, GUEST)):
        machine.run(
            "ip link set net0 addrgenmode none",
            f"ip address add {address}/24 brd + dev net0",
            "ip link set net0 up",
            f"ip address add fe80::{address}/64 dev net0 nodad",
        )


def _need_namespaces() -> None:
    if not _works():
        pytest.skip("network namespaces need Linux, root, unshare and ip")
