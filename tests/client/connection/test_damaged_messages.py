"""A server that sends damaged messages: the client asks again or gives up with a sentence, and never crashes."""

import random
from typing import Any

import msgpack
import pytest
import trio
from trio.testing import MockClock

from client.connection.event_check import plausible
from client.errors import ClientError
from client.terminal.line_mode import LineMode
from protocol import events as ev
from protocol.actions import Action, Option
from protocol.events import AnyEvent
from protocol.view import TableView, hide
from protocol.visibility import project
from protocol.wire import messages as msg
from protocol.wire.codec import BadMessage, decode_from_server, encode_value
from protocol.wire.frames import frame
from tests.support.limits import length
from tests.support.scripted_server import ScriptedServer, session_at
from tests.support.self_play import troubled_events


def damaged(body: bytes, dice: random.Random) -> bytes:
    """The message with one to three of its numbers changed; mostly still a message, but nonsense."""
    value = msgpack.unpackb(body)
    places: list[tuple[Any, Any]] = []

    def walk(inside: Any) -> None:
        for key, item in inside.items() if isinstance(inside, dict) else enumerate(inside):
            if isinstance(item, dict | list):
                walk(item)
            elif type(item) is int:
                places.append((inside, key))

    walk(value["events"])
    for inside, key in dice.sample(places, min(len(places), dice.randint(1, 3))):
        inside[key] = dice.choice((-1, 0, 1, 2, 3, 4, 5, 9, 51, 52, 99, 10**6, 2**40))
    packed: bytes = msgpack.packb(value)
    return packed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(length(16, 40)))
async def test_damaged_messages_never_break_the_client(
    autojump_clock: MockClock, server: ScriptedServer, seed: int
) -> None:
    dice = random.Random(seed)
    events = troubled_events(seed % 4, 3, 3, ("barneys", "stud8", "razz", "anaconda")[seed % 4])
    written: list[str] = []
    session = session_at(server)
    mode = LineMode(session, written.append)
    sent = 0

    async def serve() -> None:
        nonlocal sent
        while True:
            peer = await server.accept()
            view = TableView().apply_all(events[:4])
            try:
                await peer.seat(hide(view, 1), 1)
                for at in range(4, len(events), 5):
                    part = tuple([project(event, 1) for event in events[at : at + 5]])
                    body = encode_value(msg.Events(at + 1, 0, part))
                    if dice.random() < 0.1:
                        body = damaged(body, dice)
                        sent += 1
                    await peer.stream.send_all(frame(body))
                    await trio.testing.wait_all_tasks_blocked()
                    mode.enter(dice.choice(("street", "hand", "seat 2", "pot", "last", "why", "1", "c")))
            except (trio.BrokenResourceError, EOFError):
                pass
            await peer.aclose()
            if sent >= 30:
                session.close()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        try:
            await session.run()
        except ClientError as error:
            written.append(str(error))
        nursery.cancel_scope.cancel()
    assert sent
    for line in written:
        assert line.isprintable()


def test_every_event_of_real_games_is_plausible() -> None:
    for seed in range(6):
        for event in troubled_events(seed, 4, 6):
            assert plausible(event, 5), event
            assert plausible(project(event, None), 5)


@pytest.mark.parametrize(
    "event",
    [
        ev.PlayerBack(0),
        ev.PlayerBack(6),
        ev.Said("x", "y", 6),
        ev.CardsDealt("third street", ((1, (52,), ()),)),
        ev.CardsDealt("third street", ((1, (), (-1,)),)),
        ev.CardsTurned(((1, 52),)),
        ev.CardsTurned(((0, 5),)),
        ev.HandShown(1, (99,)),
        ev.CommunityDealt(52),
        ev.WildsNamed((13,)),
        ev.PotsGathered(((5, (1, 6)),)),
        ev.PotAwarded(0, "whole", 5, ((6, 5),)),
        ev.ActionRequested(1, "choose", (Option("choose", cards=(60,), count=1),)),
        ev.ChoiceMade(1, "arrange", Action("arrange", cards=(1, 2, 3, 4, 77))),
        ev.Declared(((1, "low"),), odd_man=9),
    ],
)
def test_seats_and_cards_that_do_not_exist_are_not_plausible(event: AnyEvent) -> None:
    assert not plausible(event, 5)


def test_most_damaged_messages_are_still_messages() -> None:
    """Otherwise the test above would try nothing."""
    dice = random.Random(1)
    events = troubled_events(1, 3, 2, "stud8")
    kept = 0
    for at in range(100):
        try:
            decode_from_server(damaged(encode_value(msg.Events(at + 1, 0, (events[at % len(events)],))), dice))
            kept += 1
        except BadMessage:
            pass
    assert kept > 80
