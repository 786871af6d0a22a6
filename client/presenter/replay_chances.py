"""The chances of the seat that sees a replay, worked out a little at a time while one looks at a moment."""

from typing import TYPE_CHECKING

from protocol.narration import phrases
from protocol.narration.spans import plain
from replays.navigator import Navigator
from server.engine.games.hand_words import hand_names, usable_cards

if TYPE_CHECKING:  # a replay that nobody's seat sees shows its first frame sooner without them
    from replays.chances.estimate import Estimate
    from replays.hand_chances import SpotSeen
    from replays.hand_reading.read_chances import ReadEstimate

COUNTING = "Chances: ..."
"""Stands where the numbers will be, for a moment."""


class ReplayChances:
    """The chances at the place of a navigator. Another place, or other eyes, begin anew."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._place: tuple[object, ...] = ()
        self._seen: SpotSeen | None = None
        self._estimate: Estimate | None = None
        self._as_played: ReadEstimate | None = None
        self._lines: list[str] = []

    def lines(self) -> list[str]:
        """The chances by random cards and as the others played, and at a decision what the seat has to pay.

        Each is a line; there are none where there is nothing to tell.
        """
        self._look()
        return self._lines

    def work(self) -> bool:
        """Makes the numbers a little better, in some milliseconds. Returns whether the lines have changed."""
        self._look()
        seen, estimate, as_played = self._seen, self._estimate, self._as_played
        if seen is None or estimate is None or as_played is None or (estimate.done and as_played.done):
            return False
        estimate.work()
        as_played.work()
        before, self._lines = self._lines, _told(seen, estimate, as_played)
        return self._lines != before

    def finished_lines(self) -> list[str]:
        """The lines with numbers that will not become better; takes up to a second without numpy."""
        self._look()
        if self._seen is not None and self._estimate is not None and self._as_played is not None:
            self._estimate.finish()
            self._as_played.finish()
            self._lines = _told(self._seen, self._estimate, self._as_played)
        return self._lines

    def details(self) -> list[str]:
        """Dead cards, live outs by name, and what the boards can be; none where there is nothing to tell."""
        self._look()
        if self._seen is None:
            return []
        from replays.chances import words

        return words.details(self._seen.describe(), self._seen.view)

    def _look(self) -> None:
        navigator = self._navigator
        place = (navigator.playback.position, navigator.viewpoint, navigator.playback.is_running())
        if place == self._place:
            return
        self._place, self._seen, self._lines = place, None, []
        self._estimate = self._as_played = None
        if not isinstance(navigator.viewpoint, int):
            return
        from replays.chances.estimate import Estimate
        from replays.hand_chances import spot_at

        seen = spot_at(navigator.playback, navigator.viewpoint)
        if seen is not None:
            self._seen = seen
            if not seen.untold:
                self._estimate, self._as_played = Estimate(seen.spot), seen.as_played()
            self._lines = _told(seen, self._estimate, self._as_played)


def _told(seen: "SpotSeen", estimate: "Estimate | None", as_played: "ReadEstimate | None") -> list[str]:
    from replays.chances import words

    if estimate is None or as_played is None:
        return [seen.untold]
    numbers, spade = estimate.numbers() if estimate.begun else None, seen.spot.terms.spade
    lines = [COUNTING if numbers is None else words.line(numbers, spade=spade)]
    if as_played.begun:
        lines.append(words.line(as_played.numbers(), spade=spade, title=words.AS_PLAYED))
    asked = seen.view.seat(seen.spot.hands[0].seat).pending is not None
    if seen.price is not None and asked:
        lines.append(phrases.sentence(words.price_line(seen.price, numbers)))
    return lines


def worth_lines(navigator: Navigator, chances: ReplayChances, *, numbers: bool = True) -> list[str]:
    """What the hand of the seat that sees the replay is worth, from what this seat could see then.

    `numbers`: with the lines that the full screen shows all the time.
    """
    view, seat = navigator.view, navigator.viewpoint
    if not isinstance(seat, int):
        return ["Choose the view of a player first: this is what their hand is worth to them."]
    if view.seat(seat).hand != "live" or not view.playing:
        return [f"{phrases.name(view, seat)} has no hand to play now."]
    from client.presenter.worth import worth

    made = phrases.sentence(hand_names(view, usable_cards(view, seat)))
    told = [*(chances.finished_lines() if numbers else []), *chances.details()]
    return [made, *(told or map(plain, worth(view, seat)))]
