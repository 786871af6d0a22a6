"""The screen's event loop and the network's event loop in one thread.

prompt_toolkit runs on asyncio, the rest of the program on trio. Here asyncio is the host and a trio run is its guest.
No other module imports asyncio, and only plain calls cross the border: `Application.invalidate` and `Application.exit`
in one direction, callables that never wait in the other. A screen without a network needs no guest (`run_alone`), and
trio, which takes as long to import as all of prompt_toolkit, is imported only for a guest.

An error on either side ends both sides; `run` raises it unchanged and leaves the terminal as it was before.
"""

import asyncio
import errno
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from prompt_toolkit.application import Application, create_app_session, run_in_terminal

from server.errors import errors_within

if TYPE_CHECKING:  # like trio, it is only needed where there is a guest
    from outcome import Outcome

T = TypeVar("T")
_SLEEP = getattr(signal, "SIGTSTP", None)
"""The signal that puts a program to sleep; Windows has none."""
_WAKE = getattr(signal, "SIGCONT", None)
Background = Callable[[], Awaitable[None]]


class Signalled(SystemExit):
    """A signal ended the program; the exit code is 128 plus its number, as in shells."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def run(app: Application[T], background: Background, *, grace: float = 0.0) -> T:
    """Show the application until it exits, `background` (an async function for trio) running beside it.

    Returns the application's result. When it exits, `background` has `grace` seconds to end by itself, then it is
    cancelled, and waited for in any case; when `background` returns first, the screen stays. Raises what
    `background`, a key handler or a redraw raised, `Signalled` for SIGTERM and SIGHUP, and EOFError when the terminal
    is gone.
    """
    return _run(app, partial(run_guest, background), grace)


def run_alone(app: Application[T], tick: Callable[[], None], every: float) -> T:
    """Show the application until it exits, and call `tick` each time that so many seconds have passed.

    Returns the application's result. Raises what `tick` raised, and what `run` raises.
    """

    async def ticking() -> None:
        while True:
            await asyncio.sleep(every)
            tick()

    return _run(app, ticking)


def _run(app: Application[T], beside: Background, grace: float = 0.0) -> T:
    with create_app_session(input=app.input, output=app.output):
        return asyncio.run(_Host(app, beside, grace).main())


def suspend() -> None:
    """Put the program to sleep, as Ctrl-Z does in other programs; without an effect where the system has no sleep."""
    if _SLEEP is not None:
        os.kill(os.getpid(), _SLEEP)  # the handler of `_Host` gives the terminal back before


class _Host(Generic[T]):
    """One application and what runs beside it on its loop. The first error on either side is kept and ends both."""

    def __init__(self, app: Application[T], beside: Background, grace: float) -> None:
        self.app = app
        self.beside = beside
        self.grace = grace
        self.screen: asyncio.Task[T] | None = None
        self.trouble: BaseException | None = None
        self.sleeping = False

    async def main(self) -> T:
        loop = asyncio.get_running_loop()
        # Key handlers and redraws run as callbacks of the loop: without this handler their errors would be lost, and
        # prompt_toolkit's handler never ends where stdin is no terminal.
        loop.set_exception_handler(self._callback_failed)
        with self._signals(loop):
            self.screen = loop.create_task(self.app.run_async(set_exception_handler=False))
            beside = loop.create_task(self._beside())
            try:
                result = await self.screen
                if self.grace:
                    await asyncio.wait([beside], timeout=self.grace)
            except BaseException as error:
                if not (isinstance(error, asyncio.CancelledError) and self.trouble is not None):
                    self._screen_failed(error)
            finally:
                beside.cancel()
                with suppress(asyncio.CancelledError):
                    await beside
        if self.trouble is not None:
            raise self.trouble
        return result

    async def _beside(self) -> None:
        try:
            await self.beside()
        except Exception as error:
            inner = list(errors_within(error))
            self._fail(inner[0] if len(inner) == 1 else error)

    def _callback_failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._screen_failed(context.get("exception") or RuntimeError(context["message"]))

    def _screen_failed(self, error: BaseException) -> None:
        gone = isinstance(error, OSError) and error.errno == errno.EIO
        self._fail(EOFError("the terminal is gone") if gone else error)

    def _fail(self, error: BaseException) -> None:
        """End the screen with this error; later ones are consequences."""
        if self.trouble is None:
            self.trouble = error
        if self.screen is None or self.screen.done():
            return
        if self.app.is_running and not self.app.is_done:
            self.app.exit(exception=error)
        elif not self.app.is_running:
            self.screen.cancel()  # before its first step an application cannot be told to exit

    # ------------------------------------------------------------------ sleeping

    def _in_app(self, job: Callable[[], None]) -> None:
        """Run a job in the context of the application, which prompt_toolkit needs to find it."""
        if self.app.context is not None and self.app.is_running and not self.sleeping:
            self.app.context.copy().run(job)

    def _sleep(self) -> None:
        """Give the terminal back whole, stop, and take it again afterwards."""
        self.sleeping = True
        run_in_terminal(self._stopped)

    def _stopped(self) -> None:
        assert _SLEEP is not None
        try:
            # With the default action the whole group stops, so that the shell that waits for it takes over; a program
            # whose group has no shell is not stopped by the system, and goes on.
            before = signal.signal(_SLEEP, signal.SIG_DFL)
            os.kill(0, _SLEEP)
            signal.signal(_SLEEP, before)
        finally:
            self.sleeping = False

    def _awake(self) -> None:
        """After a sleep, also one without warning (SIGSTOP): the shell may have changed the terminal since."""
        self.app.input.raw_mode().__enter__()  # left by the application's own raw mode, with the state from before
        self.app.renderer.clear()
        self.app.renderer.reset()
        self.app.invalidate()

    @contextmanager
    def _signals(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Leave in order on SIGTERM and SIGHUP: the default would leave the terminal raw."""
        numbers: list[int] = []
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)
                if number is None:
                    continue
                with suppress(NotImplementedError):  # Windows
                    loop.add_signal_handler(number, self._fail, Signalled(number))
                    numbers.append(number)
            if _SLEEP is not None and _WAKE is not None:
                loop.add_signal_handler(_SLEEP, self._in_app, self._sleep)
                loop.add_signal_handler(_WAKE, self._in_app, self._awake)
                numbers += [_SLEEP, _WAKE]
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)


async def run_guest(background: Background) -> None:
    """Run a trio function as a guest of the running asyncio loop; cancelling this cancels it.

    Always waits for the guest's last step: a guest run that is dropped half-way makes every later `trio.run` of the
    thread fail.
    """
    import trio

    loop = asyncio.get_running_loop()
    done: asyncio.Future[Outcome[None]] = loop.create_future()
    scope = trio.CancelScope()

    async def guest() -> None:
        with scope:
            await background()

    trio.lowlevel.start_guest_run(
        guest,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=done.set_result,
        host_uses_signal_set_wakeup_fd=True,
    )
    cancelled = False
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            cancelled = True
            scope.cancel()
    done.result().unwrap()
    if cancelled:
        raise asyncio.CancelledError
