"""The house rules that the host wants, and how a table comes to them between two hands.

The table goes on with other rules by the command `OpenTable`, and the house says in a sentence what has changed.
`begin` has to be called first.
"""

from msgspec.structs import replace

from protocol import commands as cmd
from protocol.table_rules import OpenCards, TableRules
from server.errors import WordRefused
from server.table.pipeline import Pipeline
from server.table.rising_limits import announcement, carried_over, is_due, next_level, seconds_left
from server.table.rules_change import fitting, what_changed
from server.table.table_setup import TableSetup

MOST_OF_A_HAND = 900
"""Seconds of play that one hand counts at most: somebody may have gone to bed in the middle of it."""


class HouseRules:
    """The rules of one table, from its settings to the present level of its limits."""

    def __init__(self, setup: TableSetup) -> None:
        self._wanted = setup.settings.rules()
        self._log = setup.log
        self._pipeline: Pipeline
        self._dealt_at: float | None = None
        self._opened: bool | None = None  # whether spectators see every card, where the host has said so at the table

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline. What was played of a running hand before is not counted."""
        self._pipeline, self._dealt_at = pipeline, None
        now = pipeline.state.rules.open_cards
        if now is not None and now.by_host:  # a word of the host outlives a restart
            self._opened = True
        elif pipeline.state.rules.closed_by_host:
            self._opened = False

    def want(self, rules: TableRules) -> bool:
        """From now on the host wants these rules; whether they are others."""
        changed, self._wanted = rules != self._wanted, rules
        return changed

    def _first(self) -> TableRules:
        """The rules that are wanted, with the stakes of the first level and a seat for everybody."""
        wanted = self._wanted
        if self._opened is False and wanted.open_cards is not None:
            wanted = replace(wanted, open_cards=None, closed_by_host=True)
        elif self._opened and wanted.open_cards is None:
            wanted = replace(wanted, open_cards=OpenCards(by_host=True))
        return fitting(wanted, self._pipeline.state.view)

    def take_over(self) -> None:
        """Goes on with the house rules of the settings, if they are others and no hand is running."""
        pipeline, state = self._pipeline, self._pipeline.state
        if pipeline.halted is not None or not state.between_hands:
            return
        before, after = state.rules, carried_over(self._first(), state)
        if before != after:
            self._change(after, what_changed(before, after))
            self._log.info("table.rules_changed", table=state.view.table)

    def _change(self, after: TableRules, told: str) -> None:
        self._pipeline.decide(cmd.OpenTable(self._pipeline.state.view.table, after))
        self._pipeline.decide(cmd.Say("", told))

    def open_spectators(self, *, opened: bool) -> str:
        """A word of the host: from the next hand on spectators see every card of hands that are over, or no longer.

        Counts between hands, and over restarts; everybody reads it then. What was played before stays hidden. Returns
        a sentence for the host. Raises WordRefused, with nothing changed.
        """
        wanted = self._first()
        if not wanted.spectators:
            raise WordRefused("This table has no room for spectators.")
        if (wanted.open_cards is not None) == opened:
            raise WordRefused(f"Spectators {'see every card already' if opened else 'see no hidden cards'}.")
        self._opened = opened
        rule = self._first().open_cards
        self.take_over()
        return f"From the next hand on spectators see {rule.words() if rule else 'what is open at the table'}."

    # --------------------------------------------------------- limits that rise

    def before_deal(self, now: float) -> None:
        """A hand is about to be dealt (`trio.current_time`): the limits rise, if their level is over."""
        state = self._pipeline.state
        if is_due(state):
            after = next_level(self._first(), state, self.played(now))
            self._change(after, announcement(after, now=True))
            self._log.info("table.limits_rose", table=state.view.table, level=after.rise.level if after.rise else 0)

    def after_deal(self, now: float) -> None:
        """A hand was dealt (`trio.current_time`): if it is the last one of the level, everybody is told."""
        self._dealt_at = now
        if is_due(self._pipeline.state):
            after = next_level(self._first(), self._pipeline.state, 0)
            self._pipeline.decide(cmd.Say("", announcement(after, now=False)))

    def played(self, now: float) -> int:
        """Seconds of play so far, for the command that deals a hand; 0 where the limits do not rise by minutes."""
        state = self._pipeline.state
        if state.rules.rise is None or state.rules.rise.unit != "minutes":
            return 0
        running = 0.0 if self._dealt_at is None else min(now - self._dealt_at, MOST_OF_A_HAND)
        return max(1, state.played + round(running))

    def rises_in(self, now: float) -> int:
        """As in `TimeLeft`."""
        rise = self._pipeline.state.rules.rise
        if rise is None or rise.unit != "minutes" or rise.last:
            return -1
        return seconds_left(rise, self.played(now))
