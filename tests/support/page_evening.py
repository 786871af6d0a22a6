"""Two phones and a desktop in Chromium at one table with a terminal and bots: whole hands by the page's buttons."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from protocol.events import AnyEvent, HandStarted, Seat
from tests.support.evening_record import EveningRecord, check_messages, read_evening, rows
from tests.support.house_games import GRANDPAS
from tests.support.known_cards import known_cards
from tests.support.limits import LIMIT
from tests.support.line_player import LinePlayer
from tests.support.page_player import PagePlayer, Question
from tests.support.ryo_process import RyoProcesses
from tests.support.secret_events import check_secret_events
from tests.support.served_page import ServedPage, served, with_page

WINDOWS = {"Ann": (390, 844, "light"), "Ben": (320, 640, "dark"), "Cleo": (1400, 900, "light")}
"""Name, width, height and colours of each window."""
TERMINAL = "Tom"
BOTS = {"Dot": "house", "Eli": "caller"}
"""Names and minds of bots."""
A_HAND = 120.0
"""Seconds for a hand, on a busy machine, too."""


@dataclass
class Evening:
    """What was played and compared.

    Fields:
        hands: that are over.
        decisions: of the windows, by their kind; `typed`: of the terminal.
        buttons: that were compared with options, by the kind of the option.
        reloads: in the middle of a decision, by its kind.
        payloads, searched: messages of WebSockets, and their bytes.
        secrets: that were searched for in them.
        events: that came through WebSockets and were compared with what their seat may know.
    """

    hands: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    typed: int = 0
    buttons: Counter[str] = field(default_factory=Counter)
    reloads: Counter[str] = field(default_factory=Counter)
    payloads: int = 0
    searched: int = 0
    secrets: int = 0
    events: int = 0

    def add(self, other: "Evening") -> None:
        """Counts the other one, too."""
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        kinds = [
            f"{sum(found.values())} {what} ({', '.join(f'{name} {count}' for name, count in sorted(found.items()))})"
            for what, found in (("decisions", self.decisions), ("buttons", self.buttons), ("reloads", self.reloads))
        ]
        return (
            f"{self.hands} hands; {'; '.join(kinds)}; {self.typed} answers in the terminal; {self.secrets} secrets "
            f"not in {self.searched} bytes of {self.payloads} payloads; {self.events} events as they may be known"
        )


def dealers_choice(folder: Path) -> dict[str, Any]:
    """Settings of a table at which the dealer chooses the game: with a house game there is every kind of decision."""
    folder.mkdir(parents=True, exist_ok=True)
    game = folder / "grandpas.toml"
    game.write_text(GRANDPAS)
    return {"games": (str(game), "barneys"), "change": "dealer"}


def play_evening(
    browser: Any, folder: Path, game: str, hands: int, bots: Mapping[str, str] = BOTS, **table: Any
) -> Evening:
    """Plays so many hands, each option by its one button, and compares everything with the journal.

    Every window is reloaded once at least in the middle of each kind of decision. Stacks are short, so that players go
    all in and buy chips. `bots`: names and minds. `table`: settings of the table.
    """
    players = len(WINDOWS) + 1 + len(bots)
    settings = with_page(folder, game, **{"buy_in": 40, "seats": players, "players": players, **table})
    ryo = RyoProcesses()
    try:
        with served(settings, seconds=A_HAND * (hands + 2)) as page:
            windows = [PagePlayer(browser, page.port, name, size, _asked(page)) for name, size in WINDOWS.items()]
            where = ("--plain-tcp", f"127.0.0.1:{page.house.port}")
            joined = ryo.start(folder / TERMINAL, "join", "--plain", "--yes", "--name", TERMINAL, *where)
            terminal = LinePlayer(joined, Random(game))
            for name, mind in bots.items():
                ryo.start(folder / name, "bot", "--pace", "0", "--name", name, "--mind", mind, *where)
            _play(page, windows, hands)
            done = _compared(page, windows, terminal)
            for window in windows:
                window.seat.context.close()
    finally:
        ryo.close()
    return done


def _asked(page: ServedPage) -> Callable[[str], Question | None]:
    """What the server asks the player with a name."""

    def look(name: str) -> Question | None:
        view = page.house.table.state.view
        pending = next(seat.pending for seat in view.players() if seat.name == name)
        if pending is None or view.rules is None:
            return None
        return Question(pending.seq, pending.request, {offer.id: offer.title for offer in view.rules.games})

    return lambda name: page.do(look, name)


def _play(page: ServedPage, windows: list[PagePlayer], hands: int) -> None:
    """Until so many hands are over, and every window shows the end of the last one."""
    seq, since = 0, time.monotonic()
    while playing := [window for window in windows if len(window.ended) < hands]:
        if not any(window.react() for window in playing):
            windows[0].seat.tab.wait_for_timeout(10)
        view = page.house.table.state.view
        if view.seq > seq:
            seq, since = view.seq, time.monotonic()
        if time.monotonic() - since > LIMIT:
            raise AssertionError(f"hand {view.hand} does not go on: {'; '.join(map(str, windows))}")


def _compared(page: ServedPage, windows: list[PagePlayer], terminal: LinePlayer) -> Evening:
    """What was played, after a comparison with the host's journal."""
    state = page.house.table.state
    seats = {seat.name: seat.seat for seat in state.view.players()}
    record = read_evening(Path(page.house.table.journal_path))
    _until(lambda: terminal.stacks == record.stacks[seats[TERMINAL]], f"the terminal was told {terminal.stacks}")
    assert terminal.asked == len(record.acts[seats[TERMINAL]])
    assert terminal.refused == []
    done = Evening(hands=len(record.ends), typed=terminal.asked)
    for window in windows:
        _compare(done, window, seats[window.name], record)
    received = {seats[window.name]: b"".join(window.payloads) for window in windows}
    secrets = [*rows(record.decks), *state.tokens.values()]
    for window in windows:
        tokens = [other.token() for other in windows if other is not window]
        for secret in (*secrets, *tokens):
            assert secret not in received[seats[window.name]]
            done.secrets += 1
    check_secret_events(page.house.table.journal_path, received)
    return done


def _compare(done: Evening, window: PagePlayer, seat: Seat, record: EveningRecord) -> None:
    """What one window has shown, done and been sent, with what happened at its seat; counts it."""

    def is_own(event: AnyEvent) -> bool:
        return getattr(event, "seat", 0) == seat

    assert window.seat.wrong == []
    assert window.done == record.acts[seat]
    for shown, seq in zip(window.ended, record.ends, strict=True):
        assert record.had(shown, seq, lambda event: isinstance(event, HandStarted)), f"{seq}: {shown}"
    for seq, shown in window.stacks:
        assert record.had(shown, seq, is_own), f"{seq}: {shown}"
    done.decisions.update(record.kinds[seat])
    done.buttons.update(window.buttons)
    done.reloads.update(window.reloads)
    done.payloads += len(window.payloads)
    done.searched += sum(map(len, window.payloads))
    known = known_cards(record.events, seat)
    done.events += sum(check_messages(record, seat, known, came) for came, _ in window.sockets)


def _until(reached: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + LIMIT
    while not reached():
        assert time.monotonic() < end, otherwise
        time.sleep(0.01)
