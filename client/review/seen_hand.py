"""A hand of a recording as one seat has seen it."""

from collections.abc import Iterator, Sequence

from client.coach.decisions import Decision, SeenHand, decisions
from protocol import commands as cmd
from protocol.cards import Card
from protocol.events import HandStarted, Seat
from replays.library import Library, ListedHand
from replays.playback import Playback
from replays.recording import Recording, open_good_parts


class OpenFiles:
    """The recordings of listed hands; what was opened last stays open for the next hand of the same file."""

    def __init__(self, library: Library | None = None) -> None:
        self._library = library
        self._last: tuple[Recording, Playback, int, int] | None = None  # with the first and the last event read

    def open(self, row: ListedHand) -> tuple[Recording, Playback]:
        """The recording of a hand, with the playback at its start. Raises Unreadable, OSError, ValueError."""
        last = self._last
        if last is None or last[0].path != row.path or not last[2] < row.hand.first <= row.hand.last <= last[3]:
            last = self._last = self._read(row)
        last[1].goto(row.hand.first)
        return last[:2]

    def _read(self, row: ListedHand) -> tuple[Recording, Playback, int, int]:
        opened = None if self._library is None else self._library.open_part(row)
        if opened is None:
            recording = open_good_parts(row.path)
            playback = Playback(recording.steps, of_a_player=recording.of_a_player)
            return recording, playback, 0, len(playback)
        recording, part = opened
        playback = Playback(recording.steps, of_a_player=recording.of_a_player, part=part)
        return recording, playback, part.position, part.position + sum(len(step.events) for step in recording.steps)


def can_see(recording: Recording, seat: Seat) -> bool:
    """Whether the recording shows what that seat has seen: the host's does, and the player's own."""
    return not recording.of_a_player or recording.viewer == seat


def seen_hand(playback: Playback, seat: Seat) -> SeenHand | None:
    """The hand at the place of the playback; None where it is not over, or does not begin in the recording."""
    start = playback.hand_start()
    if not start or playback.is_running(start):
        return None
    before = playback.restart(start - 1, seat) or playback.view(seat, start - 1)
    events = [moment.event for moment in playback.moments(start - 1, playback.hand_end(start), seat)]
    return SeenHand(before, events, seat)


def seen_decisions(playback: Playback, seat: Seat) -> list[Decision]:
    """What the player of that seat decided in the hand at the place of the playback."""
    hand = seen_hand(playback, seat)
    return [] if hand is None else decisions(hand.before, hand.events, seat)


def deck_of(recording: Recording, started: HandStarted) -> Sequence[Card]:
    """The deck of a hand, top card first; empty where the recording does not have it."""
    return next((deck for deck in _decks(recording, started.id)), ())


def _decks(recording: Recording, hand: str) -> Iterator[Sequence[Card]]:
    for step in recording.steps:
        if isinstance(step.command, cmd.StartHand) and step.command.id == hand:
            yield step.command.deck
