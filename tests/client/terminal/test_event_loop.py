"""prompt_toolkit on asyncio with trio as its guest: whatever breaks comes out, and the terminal is given back."""

import os
import signal
from collections.abc import Awaitable, Callable, Iterator

import pytest
import trio
from prompt_toolkit.application import Application
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import DummyOutput

from client.terminal import event_loop as host
from tests.support.limits import LIMIT


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


class Screen:
    """A small application: q leaves, x is a bug in a key handler, `fail` makes the next redraw one."""

    def __init__(self, keyboard: PipeInput) -> None:
        self.fail = False
        self.drawn = trio.Event()
        keys = KeyBindings()

        @keys.add("q")
        def _leave(event: KeyPressEvent) -> None:
            event.app.exit(result="left")

        @keys.add("x")
        def _bug(event: KeyPressEvent) -> None:
            raise ZeroDivisionError("key handler")

        self.app: Application[str] = Application(
            layout=Layout(Window(FormattedTextControl(self._text))),
            key_bindings=keys,
            input=keyboard,
            output=DummyOutput(),
            full_screen=True,
        )
        self.app.after_render += lambda app: self.drawn.set()

    def _text(self) -> str:
        if self.fail:
            raise LookupError("redraw")
        return "hello"


def limited(task: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    async def run() -> None:
        with trio.fail_after(LIMIT):
            await task()

    return run


def test_key_leaves_and_the_background_is_cancelled_and_cleans_up(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)
    cleaned: list[bool] = []

    async def background() -> None:
        await screen.drawn.wait()
        keyboard.send_text("q")
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.sleep(0.01)
            cleaned.append(True)

    assert host.run(screen.app, limited(background)) == "left"
    assert cleaned == [True]


def test_background_that_returns_leaves_the_screen_up(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)

    async def background() -> None:
        await screen.drawn.wait()
        keyboard.send_text("q")

    assert host.run(screen.app, limited(background)) == "left"


def test_crash_in_the_background_comes_out_as_itself(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)

    async def background() -> None:
        await screen.drawn.wait()
        async with trio.open_nursery() as outer, trio.open_nursery() as inner:
            outer.start_soon(trio.sleep_forever)
            inner.start_soon(crash)

    async def crash() -> None:
        raise KeyError("network")

    with pytest.raises(KeyError, match="network"):
        host.run(screen.app, limited(background))
    assert not screen.app.is_running


def test_crash_before_the_first_draw_comes_out(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)

    async def background() -> None:
        raise ConnectionRefusedError("at once")

    with pytest.raises(ConnectionRefusedError):
        host.run(screen.app, background)


def test_crash_in_a_key_handler_comes_out(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)

    async def background() -> None:
        await screen.drawn.wait()
        keyboard.send_text("x")
        await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError, match="key handler"):
        host.run(screen.app, limited(background))


def test_crash_in_a_redraw_comes_out(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)

    async def background() -> None:
        await screen.drawn.wait()
        screen.fail = True
        screen.app.invalidate()
        await trio.sleep_forever()

    with pytest.raises(LookupError, match="redraw"):
        host.run(screen.app, limited(background))


def test_closed_terminal_is_eof(keyboard: PipeInput) -> None:
    screen = Screen(keyboard)

    async def background() -> None:
        await screen.drawn.wait()
        keyboard.close()
        await trio.sleep_forever()

    with pytest.raises(EOFError):
        host.run(screen.app, limited(background))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_in_order(keyboard: PipeInput, number: signal.Signals) -> None:
    screen = Screen(keyboard)
    cleaned: list[bool] = []
    before = signal.getsignal(number)

    async def background() -> None:
        try:
            await screen.drawn.wait()
            os.kill(os.getpid(), number)
            await trio.sleep_forever()
        finally:
            cleaned.append(True)

    with pytest.raises(host.Signalled) as ended:
        host.run(screen.app, limited(background))
    assert ended.value.code == 128 + number
    assert cleaned == [True]
    assert signal.getsignal(number) == before


def test_next_trio_run_in_the_same_thread_works(keyboard: PipeInput) -> None:
    test_crash_in_a_key_handler_comes_out(keyboard)

    async def seven() -> int:
        await trio.lowlevel.checkpoint()
        return 7

    assert trio.run(seven) == 7
