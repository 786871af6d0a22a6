"""Answers to those who ask for the record of a hand."""

from functools import partial

from protocol.wire.messages import GetHand, HandRecord, Rejected
from server.net.outbox import StartTask
from server.table.guest import Guest
from server.table.hand_history import MOST_JOURNAL_BYTES, PlayedHand, search_files
from server.table.pipeline import Pipeline
from server.table.seats import Seats
from server.table.table_setup import TableSetup


class HandRequests:
    """Looks up played hands: the last ones in memory, older ones in the journal. `begin` has to be called first."""

    def __init__(self, setup: TableSetup, seats: Seats) -> None:
        self._seats = seats
        self._system, self._log = setup.system, setup.log
        self._searching = False
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline = pipeline

    def get(self, guest: Guest, message: GetHand, start: StartTask) -> None:
        """Answers the guest; a job for the pipeline.

        Args:
            start: for what has to be read from the disk.
        """
        pipeline, view = self._pipeline, self._pipeline.state.view
        if not self._here(guest) or pipeline.halted is not None:
            return
        playing = pipeline.state.hand is not None
        last = view.hand - playing
        number = message.hand or last
        if number == last + 1 and playing and message.running and (hand := pipeline.played.running) is not None:
            self._tell(guest, message, hand)
        elif number == last + 1 and playing:
            self._reject(guest, Rejected.of("not_yet", "That hand is still being played.", hand=message.hand))
        elif not 1 <= number <= last:
            self._reject(guest, Rejected.of("no_hand", "There was no such hand here.", hand=message.hand))
        elif (hand := pipeline.played.get(number)) is not None:
            self._tell(guest, message, hand)
        elif self._searching:
            self._reject(guest, Rejected.of("busy", "Another old hand is being looked for.", hand=message.hand))
        else:
            self._searching = True
            start(partial(self._search, guest, message, number))

    async def _search(self, guest: Guest, message: GetHand, number: int) -> None:
        """Looks an old hand up in the session's journals, outside the event loop, one at a time."""
        journal = self._pipeline.journal
        older = journal.rotate_bytes <= MOST_JOURNAL_BYTES
        find = partial(search_files, self._system.fs.read_all, journal.path, number, older=older)
        hand = None
        try:
            if journal.size <= MOST_JOURNAL_BYTES:
                hand = await self._system.work(find)
        except Exception as error:  # the table plays on, whatever its file has to say
            self._log.warning("table.hand_not_read", table=journal.header.table, hand=number, error=str(error))
        finally:
            self._searching = False
        if hand is not None:
            self._pipeline.played.keep(hand)
            self._pipeline.do(self._found, guest, message, hand)
        else:
            refusal = Rejected.of("no_hand", "That hand is not kept any more.", hand=message.hand)
            self._pipeline.do(self._reject, guest, refusal)

    def _found(self, guest: Guest, message: GetHand, hand: PlayedHand) -> None:
        if self._here(guest):
            self._tell(guest, message, hand)

    def _here(self, guest: Guest) -> bool:
        return guest.table == self._pipeline.state.view.table

    def _tell(self, guest: Guest, message: GetHand, hand: PlayedHand) -> None:
        """The hand as this guest may know it: as the player who they were then, or as everybody."""
        viewer = hand.viewer(self._seats.owner(guest))
        answer: HandRecord | Rejected
        if viewer is None and not self._pipeline.state.rules.spectators:
            answer = Rejected.of("no_spectators", "You were not in that hand.", hand=message.hand)
        else:
            answer = hand.part(self._pipeline.journal.header, viewer, message.after)
        self._pipeline.answer(guest, answer)

    def _reject(self, guest: Guest, refusal: Rejected) -> None:
        self._pipeline.answer(guest, refusal)
