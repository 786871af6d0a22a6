"""What a spectator's screen says, and what spectators may do."""

from msgspec.structs import replace

from client.input.slash_commands import parse
from client.presenter.prompt import lasting, next_break, next_rise
from client.presenter.queries import watchers, who
from client.presenter.seat_commands import SPECTATOR, SeatCommands
from protocol.facts import Pause
from protocol.narration.spans import plain
from protocol.table_rules import OpenCards, Rise, TableRules
from protocol.view import TableView
from tests.support.local_table import LocalSession, LocalTable


def spectator(**rules: object) -> LocalSession:
    session = LocalSession(LocalTable(), 0)
    assert session.view.rules is not None
    session.view.rules = replace(session.view.rules, **rules)
    return session


def typed(session: LocalSession, line: str) -> list[str]:
    parsed = parse(line)
    assert not isinstance(parsed, str)
    return [plain(sentence) for sentence in SeatCommands(session).do(*parsed)]  # type: ignore[arg-type]


def test_who_watches_is_named_and_the_others_are_counted() -> None:
    assert watchers(1, ()) == "One person is watching."
    assert watchers(3, ()) == "Three people are watching."
    assert watchers(1, ("Eve",)) == "Eve is watching."
    assert watchers(4, ("Eve", "Fay")) == "Eve, Fay and two others are watching."
    assert watchers(2, ("\x1b[1mEve",)) == "Eve and one other are watching."
    assert plain(who(TableView(), 2, ("Eve", "Fay"))[0]) == "Nobody sits here. Eve and Fay are watching."


def test_a_spectator_talks_where_the_table_allows_it() -> None:
    session = spectator()
    assert typed(session, "/say hello") == [SPECTATOR]
    assert session.said == []
    session = spectator(spectator_chat=True)
    assert typed(session, "/say hello") == []
    assert session.said == ["hello"]
    assert typed(session, "/rebuy 50") == [SPECTATOR]


def test_a_spectator_who_sees_the_table_later_is_told_that_they_were_heard() -> None:
    session = spectator(spectator_chat=True, open_cards=OpenCards())
    (told,) = typed(session, "/say hello")
    assert told.startswith("Said at the table.")


def test_a_spectator_with_open_cards_reads_that_they_are_late() -> None:
    assert "every card, when a hand is over" in lasting(spectator(open_cards=OpenCards()))
    assert lasting(spectator()) == []


def rising(**rise: object) -> TableView:
    usual = {"percent": 200, "every": 20, "unit": "hands"}
    rules = TableRules(name="Kitchen", seats=4, games=(), rise=Rise(**{**usual, **rise}))  # type: ignore[arg-type]
    return TableView(rules=rules, hand=13)


def test_the_screen_says_when_the_limits_rise() -> None:
    assert next_rise(rising(), None) == "limits rise in 8 hands"
    assert next_rise(rising(since=-7), None) == "limits rise next hand"
    assert next_rise(rising(last=True), None) == ""
    assert next_rise(rising(unit="minutes"), 61.0) == "limits rise in 2 min"
    assert next_rise(rising(unit="minutes"), 0.0) == "limits rise soon"
    assert next_rise(rising(unit="minutes"), None) == ""
    assert next_rise(TableView(), None) == ""


def test_the_screen_counts_the_last_minutes_before_a_planned_break() -> None:
    session = spectator()
    assert next_break(session) == ""
    session.break_in = 601.0
    assert next_break(session) == "", "it is far away"
    session.break_in = 599.5
    assert "break in 10 min" in lasting(session)
    session.break_in = 30.0
    assert next_break(session) == "break in 1 min"
    session.break_in = 0.0
    assert next_break(session) == "break after this hand"
    session.view.pause = Pause("pause", by="Ann")
    assert next_break(session) == "", "the table is paused"


def test_the_house_rules_are_read_again_at_the_table() -> None:
    told = typed(spectator(name="Kitchen"), "/house")
    assert told[0] == "Table: Kitchen."
    assert any(line.startswith("Seats: ") for line in told)
    assert "Spectators: see what is open at the table." in told
