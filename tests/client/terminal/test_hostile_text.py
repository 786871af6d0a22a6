"""No text that a server sends controls the terminal: every string of every message and event is tried (fault 96).

The strings are found by looking at the types, so a new field is tried without being named here.
"""

import typing
from typing import Any

import msgspec
import pytest
import trio
import trio.testing
from msgspec import inspect
from trio.testing import MockClock

from client.bots.player import choose_action
from client.bots.runner import run_bot
from client.connection.session import ClientSession
from client.errors import ClientError
from client.terminal.line_mode import LineMode
from protocol import events as ev
from protocol.narration.spans import plain
from protocol.narration.story import tell
from protocol.sanitize import clean
from protocol.view import hide
from protocol.wire import messages as msg
from server.engine.ranking.winning_cards import winning_cards
from tests.support.scripted_server import ScriptedServer, facing, session_at, table_of, third_street

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07\u202eab\x9b31m\r\n\u2066cd"
EVENTS: tuple[type[msgspec.Struct], ...] = typing.get_args(ev.AnyEvent)


def poisoned(info: inspect.Type) -> Any:
    """A small value of that type in which every free text is hostile; seats and amounts are 1, cards the first."""
    match info:
        case inspect.StrType():
            return HOSTILE
        case inspect.IntType():
            return 1
        case inspect.BoolType():
            return True
        case inspect.BytesType():
            return b""
        case inspect.LiteralType(values=allowed):
            return sorted(allowed, key=str)[0]
        case inspect.NoneType():
            return None
        case inspect.UnionType(types=types):
            some = [one for one in types if not isinstance(one, inspect.NoneType)]
            return poisoned(next((one for one in some if isinstance(one, inspect.StrType)), some[0]))
        case inspect.TupleType(item_types=types):
            return tuple([poisoned(one) for one in types])
        case inspect.VarTupleType(item_type=item):
            return (poisoned(item),)
        case inspect.ListType(item_type=item):
            return [poisoned(item)]
        case inspect.StructType(cls=cls, fields=fields):
            return cls(**{field.name: poisoned(field.type) for field in fields})
        case _:
            raise NotImplementedError(f"no value for {info}")


def texts(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Where free texts stand in a value."""
    if value == HOSTILE:
        return [path]
    if isinstance(value, msgspec.Struct):
        parts = [(field, getattr(value, field)) for field in value.__struct_fields__]
        return [place for field, part in parts for place in texts(part, (*path, field))]
    if isinstance(value, list | tuple):
        return [place for part in value for place in texts(part, (*path, "*"))]
    return []


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_fault_96_no_text_of_any_event_reaches_the_story_as_it_is(kind: type[msgspec.Struct]) -> None:
    event = poisoned(inspect.type_info(kind))
    table = table_of("Ann", "Bob", "Cho")
    table.do(*third_street(table))
    if isinstance(event, ev.TableOpened | ev.HandStarted):
        table.view.apply(event)
    for viewer in (None, 1, 2):
        for sentence in tell(event, hide(table.view, viewer), viewer, winning_cards):
            assert plain(sentence).isprintable(), (texts(event), plain(sentence))


MESSAGES = sorted(msg.FROM_SERVER)


@pytest.mark.parametrize("seen_by", ["line mode", "bot"])
@pytest.mark.parametrize("kind", MESSAGES)
async def test_fault_96_no_text_of_any_message_reaches_a_terminal_as_it_is(
    kind: str, seen_by: str, autojump_clock: MockClock, server: ScriptedServer
) -> None:
    """As the first answer, and in the middle of a hand."""
    for late in (False, True):
        written: list[str] = []
        session = session_at(server)
        if seen_by == "line mode":
            LineMode(session, written.append)
        message = poisoned(inspect.type_info(msg.FROM_SERVER[kind]))
        if isinstance(message, msg.Snapshot):
            table = table_of("Ann", "Bob")
            view = hide(table.view, 1)
            view.title, view.game, view.table = HOSTILE, HOSTILE, HOSTILE
            for seat in view.seats:
                seat.name = HOSTILE
            if view.rules is not None:
                view.rules = msgspec.structs.replace(view.rules, name=HOSTILE)
            message = msgspec.structs.replace(message, view=view, seat=1, clocks=())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run, session, written, seen_by == "bot")
            peer = await server.accept()
            if late:
                table = table_of("Ann", "Bob")
                await peer.seat(table.view, 1)
                await peer.send(table.do(*third_street(table), facing(1)))
            else:
                await peer.welcome()
            await peer.send(message)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert [line for line in written if not line.isprintable()] == []


async def run(session: ClientSession, written: list[str], bot: bool) -> None:
    try:
        if bot:
            await run_bot(session, choose_action, None, 0.5, written.append)
        else:
            await session.run()
    except* ClientError as group:
        written.append(clean(str(group.exceptions[0]), 300))  # as every verb ends (`client.cli.failures`)
