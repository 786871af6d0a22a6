"""A server with its page in a thread of its own, for tests that drive a browser from theirs, through a bad network."""

import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any, TypeVar

import msgspec
import trio

from protocol.table_rules import Clocks
from server.config.config import Config
from tests.support.fault_proxy import FaultProxy
from tests.support.loopback_server import Chooser, RunningServer, WireClient, calling, config, running

T = TypeVar("T")
SECONDS = 240.0
"""For everything in one test, if it does not say otherwise."""


def with_page(folder: Path, game: str, **table: Any) -> Config:
    """A server with a page, and a table without decision clocks that waits until everybody has read a result."""
    clocks = Clocks(bet=0, choose=0, arrange=0, declare=0, result=300)
    settings = {"games": (game,), "clocks": clocks, "seats": 4, "bots_alone": False, **table}
    return msgspec.structs.replace(config(folder, **settings), web="plain")


class ServedPage:
    """The server, and ways to do something there from the thread of the test.

    Attributes:
        port: where browsers come to: the proxy in front of the server.
        proxy: the network between them.
    """

    house: RunningServer

    def __init__(self, settings: Config, nursery: trio.Nursery, seconds: float = SECONDS) -> None:
        self.proxy = FaultProxy(("127.0.0.1", 0))
        self._settings, self._nursery, self._seconds = settings, nursery, seconds
        self._token = trio.lowlevel.current_trio_token()
        self._over, self._ended = trio.Event(), trio.Event()

    async def open(self) -> None:
        """Starts the server and the network in front of it."""
        self.port = int(await self._nursery.start(self.proxy.run))
        await self._start()

    async def close(self) -> None:
        """Ends both."""
        await self._stop()
        self._nursery.cancel_scope.cancel()

    def run(self, work: Callable[..., Awaitable[T]], *args: object) -> T:
        """Does it in the server's thread; its value."""
        return trio.from_thread.run(work, *args, trio_token=self._token)

    def do(self, work: Callable[..., T], *args: object) -> T:
        """The same with something that never waits."""
        return trio.from_thread.run_sync(work, *args, trio_token=self._token)

    def bots(self, *names: str, choose: Chooser = calling) -> list[WireClient]:
        """Players who answer by themselves until the end."""

        async def seat() -> list[WireClient]:
            found = await self.house.seated(*names, bot=True)
            for bot in found:
                self._nursery.start_soon(_play, bot, choose)
            return found

        return self.run(seat)

    def restart(self) -> None:
        """The server stops in order and begins again; its bots do not come back by themselves."""

        async def again() -> None:
            await self._stop()
            await self._start()

        self.run(again)

    async def _stop(self) -> None:
        self._over.set()
        await self._ended.wait()

    async def _start(self) -> None:
        self._over, self._ended = trio.Event(), trio.Event()
        self.house = await self._nursery.start(self._serve)
        self.proxy.target = ("127.0.0.1", self.house.port)

    async def _serve(self, *, task_status: "trio.TaskStatus[RunningServer]") -> None:
        async with running(self._settings, seconds=self._seconds) as house:
            task_status.started(house)
            await self._over.wait()
        self._ended.set()


async def _play(bot: WireClient, choose: Chooser) -> None:
    with contextlib.suppress(trio.EndOfChannel, trio.BrokenResourceError, trio.ClosedResourceError):
        await bot.play(1_000_000, choose)


@contextmanager
def served(settings: Config, seconds: float = SECONDS) -> Iterator[ServedPage]:
    """The server runs until the end of the block, or `seconds`; an error in its thread is raised there."""
    ready: Queue[ServedPage | None] = Queue()
    faults: list[BaseException] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            page = ServedPage(settings, nursery, seconds)
            await page.open()
            ready.put(page)

    def thread() -> None:
        try:
            trio.run(main)
        except BaseException as error:
            faults.append(error)
        finally:
            ready.put(None)

    server = threading.Thread(target=thread)
    server.start()
    page = ready.get()
    try:
        if page is not None:
            yield page
    finally:
        if page is not None and not faults:
            page.run(page.close)
        server.join()
        if faults:
            raise faults[0]
