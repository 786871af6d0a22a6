"""A recording on the full screen: `client.presenter.replay` behind a prompt_toolkit application.

`run_replay` shows it until the reader quits.
"""

import time
from collections.abc import Callable

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from client.display.theme import Theme
from client.presenter.replay import ReplayPresenter, no_export
from client.presenter.replay_commands import BY_KEY
from client.terminal import event_loop
from client.terminal.page_app import TICK, PageApp
from replays.navigator import Navigator
from replays.what_if.branch import Branch

_TYPING = ("enter", "backspace")
"""Named keys that are needed while a place is typed."""


class ReplayApp(PageApp[ReplayPresenter]):
    """One terminal that shows one recording."""

    def __init__(
        self,
        navigator: Navigator,
        theme: Theme,
        keyboard: Input | None,
        output: Output | None,
        now: Callable[[], float] = time.monotonic,
        export: Callable[[Navigator], str] = no_export,
    ) -> None:
        super().__init__(
            lambda terminal: ReplayPresenter(navigator, terminal, theme, now, export),
            keyboard,
            output,
            now,
            (*BY_KEY, *_TYPING),
        )


def run_replay(
    navigator: Navigator,
    theme: Theme | None = None,
    *,
    terminal_input: Input | None = None,
    terminal_output: Output | None = None,
    export: Callable[[Navigator], str] = no_export,
    note: str = "",
) -> Branch | None:
    """Show a recording until the reader quits, or wants to play on.

    Args:
        export: writes a hand.
        note: a sentence that is shown first.

    Returns:
        The step from which they want to play on; None if they have quit.

    Raises what `client.terminal.event_loop.run_alone` raises.
    """
    replay = ReplayApp(navigator, theme or Theme(), terminal_input, terminal_output, export=export)
    replay.presenter.state.note = note
    event_loop.run_alone(replay.app, replay.tick, TICK)
    return replay.presenter.wanted
