"""The whole table in one message, as one viewer may see it."""

from protocol.view import TableView, hide
from protocol.visibility import Viewer
from protocol.wire import messages as msg
from protocol.wire.padding import action_padding
from server.table.audience import Audience
from server.table.dealer import Dealer, without_clocks
from server.table.pipeline import WHY_HALTED, Pipeline


class Snapshots:
    """Makes the snapshots of one table. `begin` has to be called first.

    Attributes:
        session: the name of the session, as clients give it back.
    """

    def __init__(self, audience: Audience, dealer: Dealer) -> None:
        self._audience, self._dealer = audience, dealer
        self._pipeline: Pipeline
        self.session = ""

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline, self.session = pipeline, str(pipeline.journal.header.started)

    def for_spectators(self, view: TableView | None = None) -> msg.Snapshot:
        """The table as spectators may see it. `view`: as they have seen it last, where they see it later."""
        delayed = self._audience.delayed
        if delayed is None:
            return self.of(None)
        left = without_clocks(self._dealer.time_left())
        return msg.Snapshot(
            view if view is not None else delayed.view.copy(),
            session=self.session, watching=left.watching, paused=left.paused, rises_in=left.rises_in,
            break_left=left.break_left, spectators=left.spectators, break_in=left.break_in,
        )  # fmt: skip

    def of(self, viewer: Viewer, notice: str = "") -> msg.Snapshot:
        """The table as that viewer may see it."""
        state = self._pipeline.state
        last_id = 0 if viewer is None else state.last_ids.get(viewer, 0)
        seat = msg.NO_SEAT if viewer is None else viewer
        left, receipt = self._dealer.time_left(), self._pipeline.receipt
        view = hide(state.view, viewer)
        choice = None if viewer is None else view.seat(viewer).choice
        pad = action_padding(choice.action) if choice is not None and choice.action is not None else b""
        if self._dealer.waits_for_room and not notice:
            notice = WHY_HALTED["storage"]
        return msg.Snapshot(
            view,
            seat,
            left.clocks,
            last_id,
            self.session,
            receipt,
            pad,
            notice,
            left.banks,
            left.watching,
            left.paused,
            left.rises_in,
            left.break_left,
            left.spectators,
            break_in=left.break_in,
        )
