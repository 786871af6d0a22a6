"""Counts the hands of a review, one after the other."""

from collections.abc import Callable, Iterator

from client.bots.minds import MindMaker
from client.coach.judge import ValuesOf
from client.review.chosen_hands import ChosenHands
from client.review.duplicate import bot_net
from client.review.kept_reviews import KeptReviews
from client.review.reviewed_hand import ReviewedHand, judged
from client.review.seen_hand import OpenFiles, can_see, deck_of, seen_decisions
from protocol.events import HandStarted, Seat
from replays.library import Library, ListedHand


class Counting:
    """Counts hands, or takes what was counted before.

    Args:
        values_of: counts a decision.
        bot: makes the minds that play the same deck again.
        kept: what was counted before; None: everything is counted.
    """

    def __init__(
        self, values_of: ValuesOf, bot: MindMaker, kept: KeptReviews | None = None, library: Library | None = None
    ) -> None:
        self._values_of = values_of
        self._bot = bot
        self._kept = kept
        self._files = OpenFiles(library)

    def hands(
        self, chosen: ChosenHands, player: str, done: Callable[[int], None] = lambda hands: None
    ) -> Iterator[tuple[ListedHand, Seat, ReviewedHand | None]]:
        """(row, seat, review) of every hand of the player; no review where the recording hides their cards.

        `done` is called with 1 after each hand, also those without the player. Raises Unreadable, OSError, ValueError.
        """
        for row in chosen.rows:
            seat = row.hand.seat_of(player)
            if seat is not None:
                yield row, seat, self._hand(row, seat)
            done(1)

    def _hand(self, row: ListedHand, seat: Seat) -> ReviewedHand | None:
        found = self._kept.get(row.hand.id, seat) if self._kept is not None else None
        if found is not None:
            return found
        recording, playback = self._files.open(row)
        if not can_see(recording, seat):
            return None
        seen = seen_decisions(playback, seat)
        counted, prices = judged(seen, self._values_of)
        start = playback.hand_start()
        started = playback.moment(start, "all").event
        bot = None
        if isinstance(started, HandStarted) and (deck := deck_of(recording, started)):
            before = playback.restart(start - 1, "all") or playback.view("all", start - 1)
            bot = bot_net(before, started, deck, seat, self._bot)
        found = ReviewedHand(row.hand.names[seat], row.hand.net.get(seat, 0), bot, len(seen), counted, prices)
        if self._kept is not None:
            self._kept.put(row.hand.id, seat, found)
        return found
