"""The spectators of a table: under which names they are seen, what they may say, and what they are shown when."""

import trio

from protocol import commands as cmd
from protocol.view import TableView, hide
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Rejected
from server.admission.player_names import BadName, clean_name, taken_by
from server.table.audience import Audience
from server.table.dealer import Dealer
from server.table.delayed_stream import DelayedStream
from server.table.guest import Guest
from server.table.pipeline import Pipeline
from server.table.seat_owners import SeatOwners
from server.table.snapshots import Snapshots
from server.table.table_setup import TableSetup

NO_NAME = "Somebody"
"""A spectator without a name, when they talk."""


class Spectating:
    """What is done for the spectators of one table. `begin` has to be called first.

    `says` is a job for the pipeline.
    """

    def __init__(
        self, setup: TableSetup, audience: Audience, dealer: Dealer, owners: SeatOwners, snapshots: Snapshots
    ) -> None:
        self._setup, self._audience, self._dealer = setup, audience, dealer
        self._owners, self._snapshots = owners, snapshots
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline = pipeline
        self._begin_stream()

    def _begin_stream(self) -> None:
        """Spectators see the table as their rule says, from now on: what was before is told without hidden cards."""
        state = self._pipeline.state
        rule = state.rules.open_cards
        self._audience.delayed = None if rule is None else DelayedStream(hide(state.view, None), rule)

    def give_name(self, guest: Guest, name: str) -> None:
        """Under which name a spectator is seen: the one they give, unless it is none or somebody here has it."""
        names = self._audience.spectator_names
        names.pop(guest, None)
        if name:
            try:
                name = clean_name(name, right_to_left=self._setup.settings.right_to_left_names)
            except BadName:
                return
            if self._owners.has_player(name) or taken_by(name, names.values()):
                name = self._owners.free_name(name, names.values())
            names[guest] = name

    def says(self, guest: Guest, text: str) -> None:
        """A spectator talks at the table, if the table allows it; a job for the pipeline."""
        if guest.seat is not None or guest not in self._audience.spectators:
            return
        if self._pipeline.state.rules.spectator_chat:
            self._pipeline.attempt(guest, cmd.Say(self._audience.name(guest) or NO_NAME, text))
        else:
            self._refuse(guest, Rejected.of("not_seated", "At this table spectators do not talk."))

    def no_room(self) -> Rejected | None:
        """Why there may not be one more spectator; None if there may."""
        if not self._pipeline.state.rules.spectators:
            return Rejected.of("no_spectators", "This table has no room for spectators.")
        if len(self._audience.spectators) >= self._setup.most_spectators:
            return Rejected.of("too_many", "This table has as many spectators as it takes.")
        return None

    def send_snapshot(self, guest: Guest) -> None:
        """Shows a spectator the table as they may see it."""
        self._pipeline.answer(guest, self._snapshots.for_spectators())

    def shown(self) -> None:
        """What was decided is visible to the players: spectators may be sent it, too."""
        spectators = self._audience.spectators
        if self._audience.delayed is not None and self._pipeline.halted is None:
            self._tell_delayed(self._audience.delayed)
        spectators.show()
        if spectators.far_behind:
            spectators.start_over(encode_frame(self._snapshots.for_spectators()))

    def _tell_delayed(self, delayed: DelayedStream) -> None:
        """What was decided is durable: spectators are told of it what may be told by now."""
        now = trio.current_time()
        spectators = self._audience.spectators
        for message in delayed.release(now, paced=len(spectators) > 0):
            if isinstance(message, TableView):  # other house rules
                spectators.append(encode_frame(self._snapshots.for_spectators(message)))
            else:
                spectators.append(encode_frame(message))
        self._dealer.wake_for_spectators(delayed.due(now))

    def rules_changed(self) -> None:
        """The house rules have changed: spectators get a snapshot, where they see the table later in their time."""
        delayed, rule = self._audience.delayed, self._pipeline.state.rules.open_cards
        if delayed is not None and rule is not None:
            delayed.rule = rule  # they are told in their time
            return
        self._begin_stream()
        self._audience.spectators.append(encode_frame(self._snapshots.for_spectators()))

    def note_same_address(self, address: str) -> None:
        """Where spectators see every card, everybody reads who could be a player and a spectator at once (`ux` 4.9)."""
        audience = self._audience
        if audience.delayed is None or not any(guest.address == address for guest in audience.spectators):
            return
        seats = [seat for seat, guest in audience.seated.items() if guest.address == address and not guest.bot]
        if seats:
            names = " and ".join([self._pipeline.state.view.name(seat) for seat in sorted(seats)])
            text = f"Somebody watches, with every card of the hands that are over, from the address of {names}."
            self._pipeline.decide(cmd.Say("", text))

    def _refuse(self, guest: Guest, refusal: Rejected) -> None:
        self._setup.counts.refused += 1
        self._pipeline.answer(guest, refusal)
