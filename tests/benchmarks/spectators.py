"""``python -m tests.benchmarks.spectators PORT TLS COUNT TABLE``: that many spectators, who check what they are sent.

Prints `watching` when all of them do. After every line on its input it waits until nothing more comes
and prints, separated by spaces: frames in all, steps that the table has shown, events missing, frames that differ
from what others were sent under the same number, snapshots in place of events, spectators that are not at the
newest step, and the milliseconds (median, longest) from the first spectator who sees a step to the moment when
all have seen everything.
"""

import os
import select
import ssl
import statistics
import sys
import time

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame
from tests.benchmarks.bench_tls import ServerUnderLoad

QUIET = 0.3
"""Seconds of silence after which nothing more is expected."""


class Checker:
    """What any spectator was sent: the same bytes for the same step, so each is decoded once.

    Attributes:
        steps: the events from number to number, by the number of the first.
        frames, missing, wrong, snapshots: counts of all spectators.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[int, int]] = {}
        self.steps: dict[int, int] = {}
        self.frames = self.missing = self.wrong = self.snapshots = 0

    def follow(self, body: bytes, after: int) -> int:
        """The number of the last event that a spectator has seen, who had seen `after` and is sent this."""
        known = self._known.get(body)
        if known is None:
            known = self._known[body] = self._first_seen(body)
        first, last = known
        if first < 0:
            return after
        self.frames += 1
        if first == 0:
            self.snapshots += 1
        elif first != after + 1:
            self.missing += 1
        return last

    def _first_seen(self, body: bytes) -> tuple[int, int]:
        message = decode_from_server(body)
        if isinstance(message, msg.Snapshot):
            return 0, message.view.seq
        if not isinstance(message, msg.Events):
            return -1, -1
        last = message.seq + len(message.events) - 1
        self.wrong += message.seq in self.steps
        self.steps[message.seq] = last
        return message.seq, last


class Spectator:
    """One connection."""

    __slots__ = ("_sock", "decoder", "last", "number")

    def __init__(self, house: ServerUnderLoad, table: str, checker: Checker) -> None:
        self._sock = house.connect()
        self._sock.sendall(encode_frame(msg.Hello(PROTOCOL)) + encode_frame(msg.Watch(table)))
        self.decoder = FrameDecoder(SERVER_CAP)
        self.last = 0
        self.number = self._sock.fileno()
        while not self.last:
            self._take(self._sock.recv(1 << 16), checker)
        self._sock.setblocking(False)

    def read(self, checker: Checker) -> None:
        """All that is there."""
        try:
            while data := self._sock.recv(1 << 16):
                self._take(data, checker)
                if len(data) < 1 << 14:  # a whole TLS record and more may wait in OpenSSL, which epoll does not know
                    return
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        raise SystemExit("the server has closed a spectator's connection")

    def _take(self, data: bytes, checker: Checker) -> None:
        for body in self.decoder.feed(data):
            self.last = checker.follow(body, self.last)


def main() -> None:
    """Join, then read until the input ends."""
    port, tls, count, table = sys.argv[1:]
    checker = Checker()
    house = ServerUnderLoad(int(port), 0, tls == "True")
    crowd = {spectator.number: spectator for spectator in (Spectator(house, table, checker) for _ in range(int(count)))}
    checker.frames = checker.snapshots = 0
    poll = select.epoll()
    for number in crowd:
        poll.register(number, select.EPOLLIN)
    poll.register(sys.stdin.fileno(), select.EPOLLIN)
    print("watching", flush=True)
    delays: list[float] = []
    behind_since = heard = 0.0
    asked = False
    while True:
        ready = poll.poll(QUIET)
        for number, _ in ready:
            spectator = crowd.get(number)
            if spectator is not None:
                heard = time.perf_counter()
                behind_since = behind_since or heard
                spectator.read(checker)
            elif not os.read(number, 64):
                return
            else:
                asked = True
        now = time.perf_counter()
        if behind_since and len({spectator.last for spectator in crowd.values()}) == 1:
            delays.append(now - behind_since)
            behind_since = 0.0
        if asked and now - heard > QUIET:
            asked = False
            newest = max([spectator.last for spectator in crowd.values()])
            left = sum(spectator.last != newest for spectator in crowd.values())
            times = [1e3 * statistics.median(delays), 1e3 * max(delays)] if delays else [0.0, 0.0]
            figures = [
                checker.frames,
                len(checker.steps),
                checker.missing,
                checker.wrong,
                checker.snapshots,
                left,
                newest,
            ]
            print(*figures, *times, flush=True)
            checker.frames = checker.snapshots = 0
            delays.clear()


if __name__ == "__main__":
    main()
