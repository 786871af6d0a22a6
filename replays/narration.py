"""A recording in sentences: its story with times, the reasons for what happened, the table in words."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from protocol import events as ev
from protocol.actions import Direction
from protocol.cards import Card, cards_text
from protocol.events import AnyEvent, Cause, Seat
from protocol.narration import phrases
from protocol.narration.phrases import counted, name, player
from protocol.narration.requests import reasons, request_line
from protocol.narration.spans import Sentence, cards, compose, joined, plain
from protocol.narration.story import street_line, tell
from protocol.sanitize import clean
from protocol.seat_view import SeatView
from protocol.view import TableView
from replays.playback import Playback, Viewpoint

NOTABLE_MS = 1000
"""Milliseconds from which on the time that a player took is told."""


@dataclass(frozen=True, slots=True)
class TimedSentence:
    """One line of the story.

    Fields:
        seq: number of the event it tells.
        at: UTC milliseconds.
        sentence: the line; `text` is the same as plain text.
        chat: it is what somebody said.
    """

    seq: int
    at: int
    sentence: Sentence
    chat: bool = False

    @property
    def text(self) -> str:
        return plain(self.sentence)


def safe(text: str, limit: int = 80) -> str:
    """A text from a file, harmless for a terminal."""
    return clean(text, limit)


def clock(ms: int) -> str:
    """``21:04:09`` in the reader's zone, of UTC milliseconds."""
    return time.strftime("%H:%M:%S", time.localtime(_seconds(ms)))


def stamp(ms: int) -> str:
    """``2026-12-31 21:04`` in the reader's zone, of UTC milliseconds."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(_seconds(ms)))


def _seconds(ms: int) -> int:
    return min(max(ms // 1000, 0), 253_402_214_400)  # a clock that was wrong must not end the list


def story(playback: Playback, after: int, upto: int, viewpoint: Viewpoint) -> Iterator[TimedSentence]:
    """The story of the events between two positions, as seen from this viewpoint."""
    after = max(after, 0)
    if after >= upto:
        return
    view = playback.view(viewpoint, after)
    for moment in playback.moments(after, upto, viewpoint):
        permitted = playback.permitted(viewpoint, moment.seq)
        viewer = permitted if isinstance(permitted, int) else None
        view = playback.restart(moment.seq - 1, viewpoint) or view
        view.apply(moment.event)
        lines = tell(moment.event, view, viewer, _winning_cards)
        if permitted == "all":
            lines += _secrets(moment.event, view)
        if lines and moment.thought is not None and moment.thought >= NOTABLE_MS:
            lines[-1] = compose(lines[-1], f" ({moment.thought / 1000:.0f} s)")
        for line in lines:
            yield TimedSentence(moment.seq, moment.at, line, isinstance(moment.event, ev.Said))


def _winning_cards(
    award: ev.PotAwarded, view: TableView
) -> Sequence[tuple[Seat, Sequence[tuple[Direction, tuple[Card, ...]]]]]:
    """The cards that win, by the rankings; their tables are loaded when the first pot is won."""
    from server.engine.ranking.winning_cards import winning_cards

    return winning_cards(award, view)


def _secrets(event: AnyEvent, view: TableView) -> list[Sentence]:
    """What only a reader who sees all cards may be told."""
    match event:
        case ev.CardsDealt():
            dealt = [compose(player(view, seat), " ", cards(down)) for seat, down, _ in event.cards if down]
            return [compose("Dealt down: ", joined(dealt), ".")] if dealt else []
        case ev.ChoiceMade() if event.action is not None:
            action = event.action
            chosen = action.direction or cards(action.cards or ()) or action.kind
            return [compose(player(view, event.seat), " has chosen: ", chosen, ".")]
        case _:
            return []


# --------------------------------------------------------------------- the table


def describe(view: TableView) -> list[str]:
    """The table in words: the hand, the pots, a line for every seat, and the open requests."""
    if not view.hand:
        return [f"{_chips(seat, view)}." for seat in view.players()] or ["Nobody has sat down yet."]
    title = f"Hand {view.hand}, {safe(view.title)}, {name(view, view.button)} deals"
    lines = [f"{title}{'' if view.playing else '; it is over'}.", f"The pot is {view.pot()}."]
    if len(view.pots) > 1:
        pots = [
            f"{phrases.pot(number, len(view.pots))} {pot.amount} for {phrases.names(view, pot.seats)}"
            for number, pot in enumerate(view.pots)
        ]
        lines.append(phrases.sentence("; ".join(pots)))
    if view.street:
        lines.append(phrases.sentence(safe(view.street)))
    lines += [f"{_chips(seat, view)}: {_state(seat)}." for seat in view.players()]
    if view.community:
        lines.append(f"Common card: {cards_text(view.community)}.")
    return lines + asked(view)


def _chips(seat: SeatView, view: TableView) -> str:
    bot = " (bot)" if seat.bot else ""
    return f"Seat {seat.seat}, {name(view, seat.seat)}{bot}, {counted(seat.chips, 'chip')}"


def _state(seat: SeatView) -> str:
    if seat.hand == "out":
        return "not in this hand"
    parts = ["folded"] if seat.hand == "folded" else [plain(phrases.hand(seat))]
    if seat.bet:
        parts.append(f"{seat.bet} in front")
    for says, text in (
        (seat.all_in, "all in"),
        (seat.mucked, "mucked"),
        (bool(seat.declared), f"declared {seat.declared}"),
        (seat.choice is not None, "has chosen"),
        (bool(seat.won), f"won {seat.won}"),
        (not seat.online, "disconnected"),
        (seat.away, "away"),
    ):
        if says:
            parts.append(text)
    return ", ".join(parts)


def asked(view: TableView) -> list[str]:
    """Who is asked for a decision now, and what they may do."""
    return [plain(request_line(view, seat)) for seat in view.asked()]


# ----------------------------------------------------------------------- reasons

_ACTED_BECAUSE: dict[Cause, str] = {"timeout": "the clock ran out", "left": "the player has left"}


def why(playback: Playback, viewpoint: Viewpoint) -> list[str]:
    """The reasons at this position: of the last event, of the betting round, of the pots, and the open requests."""
    view = playback.view(viewpoint)
    lines: list[Sentence] = []
    if playback.position:
        event = playback.moment(playback.position, viewpoint).event
        lines.append(phrases.reason(getattr(event, "why", ""), view))
        if isinstance(event, ev.Acted) and event.cause != "player":
            lines.append(compose("The table acted for ", player(view, event.seat), f": {_ACTED_BECAUSE[event.cause]}."))
    lines += reasons(view)
    told = [plain(line) for line in dict.fromkeys(lines) if line] + asked(view)
    return told or ["There is nothing to explain here."]


def where(playback: Playback, viewpoint: Viewpoint, *, blind: bool = False) -> str:
    """``Event 41 of 93, hand 2, fourth street, 21:04:09, seen by Ann.``

    `blind`: without the number of events, which tells how long the hand goes on.
    """
    view = playback.view(viewpoint)
    parts = [f"Event {playback.position}{'' if blind else f' of {len(playback)}'}"]
    if view.hand:
        parts.append(f"hand {view.hand}")
    if view.street and view.playing:
        parts.append(safe(view.street))
    if playback.position:
        parts.append(clock(playback.moment(playback.position).at))
    return f"{', '.join(parts)}, {seen_by(view, playback.permitted(viewpoint))}."


def seen_by(view: TableView, viewpoint: Viewpoint) -> str:
    """``seen by Ann``, ``seen by a spectator`` or ``all cards shown``."""
    if viewpoint == "all":
        return "all cards shown"
    return "seen by a spectator" if viewpoint is None else f"seen by {name(view, viewpoint)}"


def table_line(view: TableView) -> str:
    """The boards and the pot in one line; empty while nobody has cards."""
    dealt = any(seat.down or seat.up for seat in view.in_hand())
    return plain(street_line(view)) if dealt else ""
