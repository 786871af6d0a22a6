"""Moments of hands that are always the same, for the pictures in the documents.

`python -m tests.support.scenes` writes the pictures anew into `docs/screens.md` and `README.md`, when the screen is
meant to look different.
"""

import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from client.bots.simple import random_legal
from client.display.text_cells import plain
from client.display.theme import Theme
from client.input.keymap import Keymap
from client.presenter.options import Options
from client.presenter.replay import ReplayPresenter
from client.presenter.table import TablePresenter
from protocol.actions import Action
from protocol.events import ActionRequested
from protocol.view import TableView
from replays.navigator import Navigator
from replays.playback import Playback
from replays.recording import open_recording
from tests.support import sample_session
from tests.support.local_table import LocalTable, careful
from tests.support.paths import DOCS
from tests.support.seated_presenter import RecordingTerminal

PAGE, README = DOCS / "screens.md", DOCS.parent / "README.md"
NAMES = ("Ann", "Ben", "Cleo", "Dirk", "Edith", "Felix", "Greta", "Hanna")
THEME = Theme(symbols=True)


def players(seed: int) -> Callable[[ActionRequested], Action]:
    """Players who fold now and then, and sometimes bet or raise; Ann stays in."""
    dice = random.Random(seed)

    def decide(request: ActionRequested) -> Action:
        kinds = [option.kind for option in request.options]
        if "fold" in kinds and request.call and request.seat != 1 and dice.random() < 0.2:
            return Action("fold")
        action = random_legal(request, dice)
        return action if dice.random() < 0.3 and action.kind != "fold" else careful(request)

    return decide


def scene(game: str, seats: int, seed: int, wanted: Callable[[TableView], bool]) -> TablePresenter:
    """Ann's screen at that moment of the first hand."""
    decide = players(seed)
    table = LocalTable(game, seats, seed=seed, names=NAMES, others=decide)
    session = table.session(1)
    options = Options(theme=THEME, keymap=Keymap(), settle=0.0, reveal=0.0)
    presenter = TablePresenter(session, RecordingTerminal(), options, lambda: 1.0)
    table.deal()
    table.play_until(lambda _: wanted(session.view))
    session.clocks = {1: 23.0}
    session.banks = {1: 42.0}
    return presenter


def asked(decision: str, street: str = "") -> Callable[[TableView], bool]:
    """The moment at which Ann is asked for that decision, on that street."""

    def at(view: TableView) -> bool:
        pending = view.seat(1).pending
        return pending is not None and pending.request.decision == decision and street in ("", view.street)

    return at


def over(view: TableView) -> bool:
    """The moment at which the hand is over."""
    return not view.playing


def replayed(folder: Path) -> ReplayPresenter:
    """The sample session at the end of its first hand, seen by Ben."""
    recording = open_recording(sample_session.write(folder / "a.ryo"))
    playback = Playback(recording.steps)
    playback.goto(playback.hands[1] - 1)
    presenter = ReplayPresenter(Navigator(recording, playback, 2), RecordingTerminal(), THEME, lambda: 1.0)
    presenter.press("left")
    return presenter


def text(presenter: TablePresenter | ReplayPresenter, columns: int = 80, rows: int = 24) -> str:
    """The screen as text."""
    return "\n".join(plain(line).rstrip() for line in presenter.lines(columns, rows))


def pictures() -> Mapping[str, str]:
    """The pictures of `docs/screens.md` by their headings."""
    with TemporaryDirectory() as folder:
        replay = text(replayed(Path(folder)))
    arranging = scene("barneys", 6, 8, asked("arrange"))
    for key in "351":
        arranging.press(key)
    return {
        "Bets": text(scene("stud8", 8, 11, asked("bet", "seventh street"))),
        "A large window": text(scene("stud8", 8, 11, asked("bet", "sixth street")), 120, 40),
        "Bring 'em back": text(arranging),
        "The declaration": text(scene("barneys", 6, 8, asked("declare"))),
        "Showdown": text(scene("stud8", 8, 11, over)),
        "A replay": replay,
    }


def first_picture() -> str:
    """The picture of `README.md`."""
    return text(scene("barneys", 4, 21, asked("bet", "fourth street")), 80, 22)


BLOCK = re.compile(r"```text\n(.*?)```", re.DOTALL)


def main() -> None:
    """Write the pictures anew."""
    page = PAGE.read_text("utf-8")
    for heading, picture in pictures().items():
        start = page.index(f"## {heading}\n")
        page = page[:start] + with_picture(page[start:], picture)
    PAGE.write_text(page, "utf-8")
    README.write_text(with_picture(README.read_text("utf-8"), first_picture()), "utf-8")


def with_picture(page: str, picture: str) -> str:
    """The page with another picture in the place of its first."""
    return BLOCK.sub(lambda _: f"```text\n{picture}\n```", page, count=1)


if __name__ == "__main__":
    main()
