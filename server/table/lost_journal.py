"""How a table finds out that its journal has lost something (faults 48, 65): players have seen more than it holds.

A player who comes back says how far they have seen the session. One of them could be lying, so the table goes on and
only stops when two say so. A player who sits there alone is believed.
"""

from collections.abc import Collection

from server.config.durability import Durability

WITNESSES = 2
"""Players who must say so before the table stops."""


class LostJournal:
    """Who has seen more than the journal holds.

    Attributes:
        suspected: somebody has said so. What clients have seen and what the journal holds may differ at the same event
            numbers from then on.
    """

    def __init__(self, durability: Durability) -> None:
        # Where the disk may be behind what is shown, this can happen after a crash, and the host has chosen it.
        self._matters = durability == "action"
        self._witnesses: set[bytes] = set()
        self.suspected = False

    def testimony(self, token: bytes, *, of_this_session: bool) -> None:
        """The owner of that token (its digest) has seen more; only what they say of this very session counts."""
        self.suspected = True
        if of_this_session:
            self._witnesses.add(token)

    def proven(self, tokens: Collection[bytes]) -> bool:
        """Whether enough of the players with these tokens have said so."""
        if not self._witnesses or not self._matters:
            return False
        return len(self._witnesses.intersection(tokens)) >= min(WITNESSES, len(tokens))
