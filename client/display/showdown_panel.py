"""The panel of the result: every pot and half, who won it with which cards, who lost with what, and why you lost.

Nothing of it may scroll away, so it is packed into the rows that there are: first the losers lose their cards, which
stand at the seats, too; then tied hands come together in one row; winners, amounts and hands stay.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from client.display.card_tiles import Look, card_row
from client.display.showdown import Contender, Share, Showdown, has_begun, pots_words, showdown, why_lost
from client.display.text_cells import Line, clean, clip, cut, line_width, width, wrap
from client.display.theme import Theme
from protocol.cards import Card
from protocol.events import Seat
from protocol.narration import hand_names
from protocol.narration.awards import voided
from protocol.narration.phrases import signed
from protocol.narration.spans import plain
from protocol.view import TableView

FIVE = 15
"""Columns of five cards and a blank."""
LONGEST_HAND = 34
"""Columns beyond which the name of a hand is cut."""


def panel(
    view: TableView, seat: Seat, theme: Theme, columns: int, rows: int, ready: str = "", *, covered: bool = False
) -> list[Line]:
    """The result of the last hand in at most so many rows; nothing while no showdown has begun.

    Args:
        seat: the reader's own.
        ready: who has read it and how long it stands, for the head of the panel.
        covered: the reader's own cards are face down, so nothing is said about what nobody else has seen of them.
    """
    if not view.hand or rows < 1:
        return []
    if not view.playing and not view.awards:
        return [[("class:win", cut(plain(voided(view.hand, view.why, view)), columns))]]
    if not has_begun(view):
        return []
    ended = view.as_it_ended()
    secret = covered and 0 < seat <= len(ended.seats) and not ended.seat(seat).values
    why = why_lost(ended, seat) if not (view.playing or secret) else ""
    return _Panel(ended, seat, theme, columns, ready, why).lines(rows)


class _Panel:
    """One result on one screen."""

    def __init__(self, view: TableView, seat: Seat, theme: Theme, columns: int, ready: str, why: str) -> None:
        self.view = view
        self.seat = seat
        self.theme = theme
        self.columns = columns
        self.ready = ready
        self.why = why
        self.result: Showdown = showdown(view)
        seats = [share.seat for share in self.result.shares] + [one.seat for one in self.result.contenders]
        self.names = min(max([width(self.name(one)) for one in seats], default=3), 12) + 1
        self.numbers = max([len(str(share.won)) for share in self.result.shares], default=1) + 1
        self.sources = max([width(self._source(share)) + 2 for share in self.result.shares], default=0)
        self.nets = 6 if not view.playing else 0
        self.side = max([len(share.side) for share in self.result.shares], default=0) + 1
        self.hand = columns - self.side - self.names - FIVE - self.numbers - self.sources - self.nets
        names = [share.name for share in self.result.shares]
        wanted = min(max([width(hand_names.without_kicker(name)) + 1 for name in names], default=1), LONGEST_HAND)
        if self.hand < wanted:  # what each player won and lost stands at the seats, too
            self.hand, self.nets = self.hand + self.nets, 0
        self.cards = self.hand >= wanted
        if not self.cards:
            self.hand += FIVE
        self.in_text = self.hand < wanted
        losers = [width(_named(one)) + 1 - self.numbers - self.sources for one in self.result.contenders]
        self.hand = min(self.hand, max([*(width(name) + 1 for name in names), *losers], default=1))

    def name(self, seat: Seat) -> str:
        return "you" if seat == self.seat else clean(self.view.name(seat))

    def lines(self, rows: int) -> list[Line]:
        """The fullest form that has room."""
        head = self._head()
        for packed in range(int(self.in_text), 4):
            lines = [head, *self._body(packed)]
            if len(lines) <= rows:
                return lines
        return lines[:rows]

    def _head(self) -> Line:
        """``── showdown · hand 12 · pot 286 ──────── 3 of 4 ready · 9 s ──``"""
        words = ["showdown"] if any(one.values or one.mucked for one in self.view.in_hand()) else []
        words.append(f"hand {self.view.hand}")
        if self.result.pots:
            words.append(f"pot {sum(self.result.pots.values())}")
        left: Line = [("class:rule", self.theme.rule * 2), ("class:title", f" {self.theme.dot.join(words)} ")]
        right = f" {self.ready} " if self.ready else ""
        room = self.columns - line_width(left) - width(right) - 2
        if room < 1:
            return clip(left, self.columns)
        return [
            *left,
            ("class:rule", self.theme.rule * room),
            ("class:turn", right),
            ("class:rule", self.theme.rule * 2),
        ]

    def _body(self, packed: int) -> list[Line]:
        """The rows behind the head; `packed` from 0, everything in full, to 3, only what must be said."""
        result = self.result
        lines = self._share_rows(tied_together=packed >= 2)
        if packed < 3:
            lines += [
                [("class:faint", " " * self.side + part)] for note in result.notes for part in self._wrapped(note)
            ]
        if packed == 0:
            lines += [self._contender_row(one) for one in result.contenders]
        if packed < 3:
            lines += self._others(with_hands=packed > 0, with_folded=packed < 2)
        lines += [[("class:own", f" {part}")] for part in (wrap(self.why, self.columns - 2) if self.why else ())]
        return lines

    def _wrapped(self, text: str) -> list[str]:
        return wrap(text, self.columns - self.side)

    # ------------------------------------------------------------------------ rows

    def _share_rows(self, *, tied_together: bool) -> list[Line]:
        shares: Sequence[Share] = self.result.shares
        lines: list[Line] = []
        netted: set[Seat] = set()
        label = ""
        for _, group in groupby(shares, key=lambda share: (share.side, share.name, share.pots, share.tied)):
            tied = list(group)
            together = tied_together and len(tied) > 1
            for share in [replace(tied[0], won=min(one.won for one in tied))] if together else tied:
                who = ", ".join(self.name(one.seat) for one in tied) if together else self.name(share.seat)
                side = "" if share.side == label else share.side
                net = None if together or share.seat in netted else share.seat
                label = share.side
                netted.add(share.seat)
                lines += self._share_text(share, who) if self.in_text else [self._share_row(share, side, who, net)]
        return lines

    def _share_row(self, share: Share, side: str, who: str, net: Seat | None) -> Line:
        won = str(share.won) if share.won else ""
        line: Line = [
            ("class:faint", side.ljust(self.side)),
            (self._style(share.seat, "class:win"), _fit(who, self.names)),
            *self._five(share.five, "playing"),
            ("", _fit(share.name, self.hand)),
            ("class:win", won.rjust(self.numbers)),
            ("class:faint", f"  {self._source(share)}".ljust(self.sources)),
        ]
        return [*line, *self._net(net)]

    def _share_text(self, share: Share, who: str) -> list[Line]:
        """``high Ann, a ten-high flush: 143 (main, side 1)``, where there is no room for columns."""
        source = self._source(share)
        text = f"{share.side} {who}, {hand_names.one(share.name)}: {share.won or ''}{f' ({source})' if source else ''}"
        style = self._style(share.seat, "class:win")
        return [[(style, f" {part}")] for part in wrap(text.strip(), self.columns - 2)]

    def _source(self, share: Share) -> str:
        """``main, side 1``; of both halves in one award the second has no amount of its own."""
        words = [pots_words(share.pots, len(self.result.pots))] if share.won else ["both halves"]
        return ", ".join(filter(None, [*words, *["tied"] * share.tied]))

    def _contender_row(self, one: Contender) -> Line:
        return [
            ("", " " * self.side),
            (self._style(one.seat, ""), _fit(self.name(one.seat), self.names)),
            *self._five(one.five, "resting"),
            ("class:faint", _fit(_named(one), self.hand + self.numbers + self.sources)),
            *self._net(one.seat),
        ]

    def _five(self, five: tuple[Card, ...], look: Look) -> Line:
        """The cards of a hand; only those that win are bright, as at the seats."""
        if not self.cards:
            return []
        return clip([*card_row(five, look, self.theme)], FIVE)

    def _net(self, seat: Seat | None) -> Line:
        if not self.nets:
            return []
        own = self.view.seat(seat) if seat is not None else None
        return [("", (signed(own.won - own.total) if own is not None else "").rjust(self.nets))]

    def _style(self, seat: Seat, style: str) -> str:
        return "class:own" if seat == self.seat else style

    def _others(self, *, with_hands: bool, with_folded: bool) -> list[Line]:
        """``lost: Ben king-queen high -95 · mucked: Dirk -20 · folded: Ada -5``, in as few lines as it takes."""
        parts = []
        if with_hands and self.result.contenders:
            lost = [f"{self.name(one.seat)} {_named(one)}{self._net_words(one.seat)}" for one in self.result.contenders]
            parts.append("lost: " + "; ".join(lost))
        groups = [("mucked", self.result.mucked)]
        if with_folded and not self.view.playing:
            groups.append(("folded", self.result.folded))
        for word, seats in groups:
            if seats:
                parts.append(f"{word}: " + ", ".join(f"{self.name(one)}{self._net_words(one)}" for one in seats))
        text = self.theme.dot.join(parts)
        return [[("class:faint", f" {part}")] for part in wrap(text, self.columns - 2)] if text else []

    def _net_words(self, seat: Seat) -> str:
        own = self.view.seat(seat)
        return "" if self.view.playing else f" {signed(own.won - own.total)}"


def _named(one: Contender) -> str:
    """``king-queen high, no low``: a low that is none is not explained of others."""
    return ", ".join([name.partition(":")[0] if name.startswith("no ") else name for name in one.names])


def _fit(text: str, columns: int) -> str:
    """The text and a blank in exactly so many columns. A name of a hand loses its kicker before it is cut."""
    if width(text) >= columns:
        text = hand_names.without_kicker(text)
    text = cut(text, columns - 1) if columns > 1 else ""
    return text + " " * (columns - width(text))
