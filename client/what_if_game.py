"""A what-if: a hand that is over is played on from one of its steps, with bots in the other seats.

It is `client.local_game` with another beginning: the server resumes a journal that `replays.what_if` has made for this
purpose, in a folder that lasts as long as the game. Nothing of it comes into the hands of this machine.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import trio
from msgspec.structs import replace

from client.local_game import (
    BOT_SECONDS,
    HOUSE,
    RESULT_SECONDS,
    TABLE,
    LocalGame,
    LocalGameOptions,
    local_config,
    seat_token,
)
from protocol.events import AnyEvent, Chips, HandEnded
from protocol.narration.phrases import signed
from protocol.table_rules import Clocks
from protocol.view import TableView
from replays.what_if.branch import Branch
from replays.what_if.rebuild import Rebuilt, rebuild
from server.admission.seat_tokens import token_digest
from server.config.config import Config
from server.config.table_config import MOST_SEATS, TableConfig
from server.storage.file_names import file_name
from server.table.rules_change import fitting
from server.table.shuffler import Shuffler

STARTED = 1_000_000_000_000
"""UTC milliseconds of the journal; no hand is listed by it."""


class WhatIfGame(LocalGame):
    """One hand, from a step on. Use `what_if_game`.

    Attributes:
        branch: the step; rebuilt: the table there.
        net: what the player has won, or lost; None before the end of the hand.
    """

    def __init__(
        self, branch: Branch, shuffler: Shuffler, folder: Path, pace: float = BOT_SECONDS, mind: str = HOUSE
    ) -> None:
        """`mind`: what the bots think with. Raises Refused, and ConfigError for a game that cannot be played."""
        self.branch = branch
        self.net: Chips | None = None
        self._table = _table_config(branch, folder)
        seats = [seat for seat, _ in branch.started.stacks]
        tokens = {seat: token_digest(seat_token(seat)) for seat in seats}
        rules = fitting(self._table.rules(), branch.before)
        self.rebuilt: Rebuilt = rebuild(branch, shuffler.deck(), TABLE, rules, tokens)
        self._folder = folder
        hands = folder / "hands"
        hands.mkdir()
        (hands / file_name(TABLE, STARTED)).write_bytes(self.rebuilt.journal())
        bots = len(seats) - 1
        super().__init__(LocalGameOptions(branch.offer.id, bots, branch.name, 1, pace=pace, minds=(mind,) * bots))
        self.session.on_event.append(self._look_for_the_end)

    def _players(self) -> list[tuple[str, int]]:
        own = self.branch.seat
        others = [seat for seat, _ in self.branch.started.stacks if seat != own]
        return [(self.branch.before.name(seat), seat) for seat in (own, *others)]

    def _config(self) -> Config:
        return replace(local_config(self._table, self._folder), resume=True)

    async def _play_bots(self) -> None:
        """The bots come when the player is there, who sees everything that happens from then on."""
        present = trio.Event()

        def look(events: Sequence[AnyEvent]) -> None:
            if self.session.status == "online" and self.session.view.table:
                present.set()

        self.session.on_change.append(look)
        await present.wait()
        for tell in self.session.on_notice:
            tell(self.beginning())
        await super()._play_bots()

    def _look_for_the_end(self, event: AnyEvent) -> None:
        if isinstance(event, HandEnded):
            self.net = dict(event.stacks)[self.branch.seat] - dict(self.branch.started.stacks)[self.branch.seat]

    # ------------------------------------------------------------------- in words

    def remark(self, view: TableView) -> str:
        """``WHAT IF from hand 12, step 40: not the record``, with the result when the hand is over in this view."""
        result = "" if view.playing or self.net is None else f"; {self._result()}"
        return f"WHAT IF from {self.branch.place}: not the record{result}"

    def beginning(self) -> str:
        """Which cards are real, and which are not, as sentences."""
        unknown = "" if self.branch.whole else " Hidden cards that the recording does not hold are dealt at random."
        to_come = "lie as they lay" if self.branch.order == "lay" else "are shuffled"
        return f"You play on for {self.branch.name}, bots for the others. The cards to come {to_come}.{unknown}"

    def ending(self) -> str:
        """The result beside the recorded one, as a sentence; or that the hand was left."""
        if self.net is None:
            return f"You are back at {self.branch.place}; nothing of the what-if is kept."
        result = self._result()
        return f"What if: {result}."

    def _result(self) -> str:
        """``Ann +12, in the record -4``; what was recorded is left out where it is to be a surprise."""
        assert self.net is not None
        recorded = "" if self.branch.net is None else f", in the record {signed(self.branch.net)}"
        return f"{self.branch.name} {signed(self.net)}{recorded}"


@contextmanager
def what_if_game(
    branch: Branch, shuffler: Shuffler | None = None, pace: float = BOT_SECONDS, mind: str = HOUSE
) -> Iterator[WhatIfGame]:
    """The game from a branch on, against bots with this mind; its folder is removed afterwards.

    Raises Refused if the hand cannot be brought to the step, and ConfigError for a game that cannot be played.
    """
    with TemporaryDirectory(prefix="ryo-what-if-") as folder:
        yield WhatIfGame(branch, shuffler or Shuffler(), Path(folder), pace, mind)


def _table_config(branch: Branch, folder: Path) -> TableConfig:
    """A table for the one game of the hand, with its stakes and without decision clocks."""
    game, rules = branch.offer.id, branch.rules
    if branch.offer.definition:
        house_game = folder / "game.toml"
        house_game.write_text(branch.offer.definition, encoding="utf-8")
    return TableConfig(
        id=TABLE,
        name=rules.name,
        games=(str(house_game) if branch.offer.definition else game,),
        change="never",
        seats=max(2, min(len(branch.before.seats), MOST_SEATS)),
        stakes={game: msgspec.to_builtins(branch.offer.stakes)},
        buy_in_least=1,
        buy_in=max(1, rules.buy_in),
        buy_in_most=max(1, rules.buy_in, rules.buy_in_most),
        clocks=Clocks(bet=0, choose=0, arrange=0, declare=0, result=RESULT_SECONDS, wait_for_all=True),
        misses=rules.misses,
        show=rules.show,
        spectators=False,
        coach=rules.coach,
        durability="none",
        start=0.0,
        absent_hands=0,
    )
