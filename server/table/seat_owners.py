"""Whose the seats and the kept chips of a table are: by a token, by the proof of a token, or by the host's word.

A name alone never gives a seat.
"""

from collections.abc import Iterable
from hmac import compare_digest
from itertools import count

import structlog
import trio

from protocol import commands as cmd
from protocol.events import Chips
from protocol.wire.messages import Join, Rejected
from protocol.wire.token_proofs import MOST_PROOFS, token_proof
from server.admission.player_names import MOST_CHARACTERS, taken_by
from server.admission.seat_tokens import TOKEN_BYTES, seat_of, token_digest
from server.table.guest import Guest
from server.table.pipeline import Pipeline
from server.table.seat_promises import SeatPromise, SeatPromises
from server.table.table_setup import TableSetup


class SeatOwners:
    """The owners of the seats of one table. `begin` has to be called first.

    Attributes:
        promises: seats that the host gives back.
    """

    def __init__(self, setup: TableSetup) -> None:
        self.promises = SeatPromises(setup.system.fs.new_salt)
        self._log: structlog.typing.FilteringBoundLogger = setup.log
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline = pipeline

    # ------------------------------------------------------------------- by tokens

    def owned_by(self, message: Join, channel: bytes) -> bytes | None:
        """The digest of the token of a seat here, or of kept chips, that a client has; None if it has none.

        The client has sent the token itself, or a proof of it that is bound to its connection (`channel`).
        """
        if len(message.token) != TOKEN_BYTES:
            return None
        digest, state = token_digest(message.token), self._pipeline.state
        # A dictionary may tell by its time how digests begin, which is no way to a token.
        if seat_of(digest, state.tokens) is not None or digest in state.kept:
            return digest
        if not channel or not message.proofs:
            return None
        for owned in (*state.tokens.values(), *state.kept):
            right = token_proof(owned, state.view.table, channel)
            same = [compare_digest(right, proof) for proof in message.proofs[:MOST_PROOFS]]
            if owned and any(same):  # a seat without a token is nobody's
                return owned
        return None

    def name_of(self, digest: bytes) -> str:
        """The name of the player to whom a token with that digest gives a seat or kept chips; empty for nobody."""
        state = self._pipeline.state
        seat = seat_of(digest, state.tokens)
        return state.view.name(seat) if seat is not None else state.kept.get(digest, ("", 0))[0]

    def least_return(self, digest: bytes) -> Chips:
        """The chips that a player brings at least who has stood up with more than usual; 0 for anybody else."""
        state = self._pipeline.state
        return min(state.left_with.get(digest, 0), state.rules.buy_in_most)

    # -------------------------------------------------------------------- by names

    def has_player(self, name: str) -> bool:
        """Whether somebody here has that name, or one that looks like it; or will have it when they come back."""
        state = self._pipeline.state
        names = [player.name for player in state.view.players()] + [name for name, _ in state.kept.values()]
        return taken_by(name, names) is not None

    def free_name(self, name: str, others: Iterable[str] = ()) -> str:
        """A name like that one which nobody here has, and none of the others."""
        taken = list(others)
        endings = (f" {number}" for number in count(2))
        names = (name[: MOST_CHARACTERS - len(ending)].rstrip() + ending for ending in endings)
        return next(other for other in names if not (self.has_player(other) or taken_by(other, taken)))

    # -------------------------------------------------------------- by the host's word

    def promised(self, message: Join) -> bool:
        """Whether the host has promised the seat of that name to whoever types the word in the message."""
        promise = self._promise(message.name)
        return promise is not None and promise.opened_by(message.password, message.invite)

    def keep_promise(self, guest: Guest, digest: bytes, message: Join) -> bool:
        """Gives a guest with a new token what the host has promised; False if the promise is not theirs."""
        promise, state = self._promise(message.name), self._pipeline.state
        if promise is None or not (promise.lost in state.kept or seat_of(promise.lost, state.tokens)):
            return True
        if not promise.opened_by(message.password, message.invite):
            text = f"The host gives {promise.name}'s seat back to whoever types the host's word as the password."
            self._pipeline.answer(guest, Rejected.of("bad_password", text))
            return False
        why = f"{promise.name} has lost the key of the seat, and gets it back by the host's word."
        self.promises.end(promise.lost)
        if not self._pipeline.attempt(guest, cmd.GiveBack(promise.name, promise.lost, digest, why)):
            return False
        self._log.info("table.given_back", table=state.view.table, player=promise.name)
        return True

    def _promise(self, name: str) -> SeatPromise | None:
        return self.promises.of(name, trio.current_time())
