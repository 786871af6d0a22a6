"""The commands that need no screen: the same for the keys, the chat line and the line mode."""

from collections.abc import Sequence
from typing import assert_never

from client.connection.session_port import TableSession, may_talk, own_seat
from client.input.card_picker import cards_named
from client.input.table_commands import AnyCommand, HostCommand, Notice, Question, SeatCommand
from client.presenter import queries
from protocol.narration.spans import Sentence

SPECTATOR = "You are only watching."
MOST_CHIPS = 10**9
"""Larger amounts are typing errors."""


def is_refused(command: AnyCommand, session: TableSession) -> bool:
    """Whether a command is for players only, and the reader is none; talking may be for spectators, too."""
    talks = command.name in ("say", "chat") and may_talk(session)
    return command.needs_seat and not session.seat and not talks


def say(session: TableSession, text: str) -> str:
    """Talks at the table. Returns a sentence where the reader will read their own words later, else ""."""
    session.say(text)
    rules = session.view.rules
    late = not session.seat and rules is not None and rules.open_cards is not None
    return "Said at the table. You read it there when this hand is told to you." if late else ""


class SeatCommands:
    """Carries out the commands of the session, and answers questions from its view.

    Attributes:
        standing_up: whether the seat was given back for good.
    """

    def __init__(self, session: TableSession) -> None:
        self.standing_up = False
        self._session = session
        self._asked_to_leave = False  # in the line before this one
        self._sure = False

    def line_typed(self) -> None:
        """Call this for every line that is typed: only the second of two /leave in a row gives the seat back."""
        self._sure, self._asked_to_leave = self._asked_to_leave, False

    def do(self, command: SeatCommand | HostCommand | Question | Notice, argument: str = "") -> Sequence[Sentence]:
        """Carry out the command. Returns sentences for the player; often none, since the events tell what happens."""
        session = self._session
        if is_refused(command, session):
            return [(f"{SPECTATOR} /quit leaves." if command.name == "leave" else SPECTATOR,)]
        match command:
            case Question():
                seat = session.seat
                left = session.seconds_left(seat), session.bank_left(seat)
                return queries.answer(command, argument, session.view, seat, left, session.watching, session.spectators)
            case Notice():
                return [(command.says,)]
            case HostCommand():
                session.host_word(f"{command.words[0]} {argument}".rstrip())
                return []
            case SeatCommand():
                refused = self._do(command, argument)
                return [(refused,)] if refused else []
            case _:
                assert_never(command)

    def _do(self, command: SeatCommand, argument: str) -> str:
        session = self._session
        own = own_seat(session)
        match command.name:
            case "go_on":
                if own is not None and not session.view.playing and not own.went_on:
                    session.go_on()
            case "sit_out":
                session.sit_out()
            case "sit_in":
                session.sit_in()
            case "away":
                if own is not None and own.away:
                    session.sit_in()
                else:
                    session.sit_out()
            case "rebuy":
                return self._rebuy(argument)
            case "move":
                return self._move(argument)
            case "show_cards":
                cards = cards_named(argument, session.view, session.seat)
                if isinstance(cards, str):
                    return cards
                session.show(cards)
            case "say":
                return say(session, argument)
            case "claim":
                session.claim_host(argument)
            case "ping":
                session.ping()
            case "leave":
                return self._leave()
            case _:
                assert_never(command.name)
        return ""

    def _rebuy(self, chips: str) -> str:
        if not (chips.isascii() and chips.isdecimal() and 0 < int(chips[:10]) < MOST_CHIPS):
            return "/rebuy needs a number of chips: /rebuy 50"
        self._session.top_up(int(chips))
        return ""

    def _move(self, seat: str) -> str:
        if not (seat.isascii() and seat.isdecimal() and 0 < int(seat[:10]) <= len(self._session.view.seats)):
            return f"/move needs a seat from 1 to {len(self._session.view.seats)}: /move 3"
        self._session.move_seat(int(seat))
        return ""

    def _leave(self) -> str:
        """Give the seat back. That cannot be undone, and no clock runs for it, so the player has to ask twice."""
        if not self._sure:
            self._asked_to_leave = True
            return "/leave once more gives seat and chips back for good; /quit keeps them."
        self.standing_up = True
        self._session.stand_up()
        own = own_seat(self._session)
        in_hand = own is not None and self._session.view.playing and own.hand != "out"
        return f"Your seat is given back{' when this hand is over' if in_hand else ''}."
