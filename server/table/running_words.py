"""What a host can ask of a table as a whole: pause it, stop it, let it go on, declare a hand void, correct a stack.

And who else is a host. As in `host_words`, each word is a job for the table's pipeline, returns a sentence for whoever
has said it, is recorded, and everybody at the table reads what it has done.
"""

from protocol import commands as cmd
from protocol.events import Seat
from protocol.facts import Pause
from server.admission.player_names import name_key
from server.engine.errors import IllegalAction
from server.engine.table_state import TableState
from server.errors import WordRefused
from server.table.host_words import HostWords
from server.table.pipeline import Pipeline


class RunningWords:
    """Words that run one table. `begin` has to be called first. All raise WordRefused, with nothing changed.

    In all of them `by` is who says the word: the operator, or the name of a host at the table; `why` is a clause, or
    empty.
    """

    def __init__(self, host_words: HostWords) -> None:
        self._host_words = host_words
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline = pipeline

    @property
    def _state(self) -> TableState:
        return self._pipeline.state

    # ------------------------------------------------------------------- pauses

    def pause(self, by: str, why: str) -> str:
        """Nobody can act, and no clock runs."""
        self._decide(cmd.PausePlay(Pause("pause", by, why)))
        return f"{self._table} is paused; resume lets it go on."

    def last_hand(self, by: str, why: str) -> str:
        """No more hands after the running one."""
        self._decide(cmd.PausePlay(Pause("stop", by, why)))
        when = "stops after this hand" if self._state.view.playing else "stops here"
        return f"{self._table} {when}; seats and chips are kept, and resume lets it go on."

    def take_break(self, by: str, minutes: int, why: str) -> str:
        """A break after the running hand, which ends by itself."""
        self._decide(cmd.PausePlay(Pause("break", by, why, minutes)))
        return f"The break of {minutes} min begins{' when this hand is over' if self._state.view.playing else ''}."

    def resume(self, by: str) -> str:
        """The table goes on."""
        self._decide(cmd.ResumePlay(by))
        return f"{self._table} goes on."

    # ---------------------------------------------------------------- corrections

    def void(self, by: str, why: str) -> str:
        """The running hand does not count. The same dealer deals again, as after any misdeal."""
        hand = self._state.view.hand
        self._decide(cmd.VoidHand(f"declared void by {by}{f': {why}' if why else ''}", redeal=True))
        return f"Hand {hand} does not count; everybody has the chips back."

    def correct(self, by: str, name: str, amount: int, why: str) -> str:
        """Gives a player chips, or takes some, between two hands."""
        player = self._host_words.player(name)
        if self._state.hand is not None:
            raise WordRefused("Chips are corrected between two hands; last-hand makes this hand the last one for now.")
        if not why:
            raise WordRefused("A correction needs a reason: everybody reads it, and it is recorded.")
        self._decide(cmd.CorrectStack(player.seat, amount, f"corrected by {by}: {why}"))
        return f"{player.name} has {self._state.view.seat(player.seat).chips} chips now."

    # --------------------------------------------------------------------- hosts

    def name_host(self, by: str, name: str) -> str:
        """Makes a player a host. A host at the table hands the role over, and has it no more."""
        player = self._host_words.player(name)
        if player.bot:
            raise WordRefused(f"{player.name} is a bot; a host is a person.")
        giver = self._seat_of_host(by)
        self._decide(cmd.NameHost(player.seat, True, by))
        if giver is not None:
            self._decide(cmd.NameHost(giver, False))
        return f"{player.name} is a host of {self._table} now."

    def unname_host(self, by: str, name: str) -> str:
        """Takes the role from a player."""
        player = self._host_words.player(name)
        self._decide(cmd.NameHost(player.seat, False, by))
        return f"{player.name} is no host of {self._table} any more."

    def claimed(self, seat: Seat) -> str:
        """The player of that seat knows the host key, and is a host now."""
        self._decide(cmd.NameHost(seat))
        return ""

    def _seat_of_host(self, by: str) -> Seat | None:
        """The seat of the host who says a word; None for the operator."""
        view = self._state.view
        return next((seat for seat in view.hosts or () if name_key(view.name(seat)) == name_key(by)), None)

    @property
    def _table(self) -> str:
        return self._state.view.table

    def _decide(self, command: cmd.AnyCommand) -> None:
        """Does a command. Raises WordRefused where the rules refuse it."""
        try:
            self._pipeline.decide(command)
        except IllegalAction as refused:
            raise WordRefused(refused.text) from None
