"""The ability `told`: sentences for a client, made of nothing but what that client is sent."""

from pathlib import Path

import pytest

from protocol import events as ev
from protocol.actions import Action, Decision
from protocol.narration.spans import on_the_wire
from protocol.narration.story import tell
from protocol.seat_view import SeatView
from protocol.versions import PROTOCOL
from protocol.view import TableView
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server, encode_value
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame
from server.app.teller import ROOM, Teller
from server.engine.ranking.winning_cards import winning_cards
from tests.support.loopback_server import RunningServer, WireClient, config, first_option, running


async def told_client(house: RunningServer, name: str) -> WireClient:
    """A client that is told everything in words."""
    client = await house.raw(name)
    await client.send(msg.Hello(PROTOCOL, "page", ("told", "unknown")))
    welcome = await client.expect(msg.Welcome)
    assert msg.TOLD in welcome.features
    assert "unknown" not in welcome.features
    return client


@pytest.mark.parametrize("game", ["stud8", "razz", "barneys", "anaconda"])
async def test_every_event_comes_with_the_sentences_that_our_own_clients_make_of_it(tmp_path: Path, game: str) -> None:
    async with running(config(tmp_path, games=(game,))) as house:
        ann = await told_client(house, "Ann")
        await ann.join()
        (ben,) = await house.seated("Ben")
        await house.play([ann, ben], 3, first_option)
        view = TableView()
        asked = 0
        for message in ann.inbox:
            if isinstance(message, msg.Snapshot):
                view = message.view.copy()
                assert message.told is not None
            elif isinstance(message, msg.Events):
                told = message.told
                assert told is not None
                for event, lines in zip(message.events, told.lines, strict=True):
                    view.apply(event)
                    assert lines == tuple([on_the_wire(line) for line in tell(event, view, ann.seat, winning_cards)])
                pending = view.seat(ann.seat).pending
                assert len(told.offers) == (0 if pending is None else len(pending.request.options))
                assert bool(told.request) == (pending is not None)
                asked += pending is not None
        assert asked
        assert not any(isinstance(message, msg.Events) and message.told for message in ben.inbox)


async def test_a_record_is_told_as_its_viewer_has_read_it(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("stud8",))) as house:
        ann = await told_client(house, "Ann")
        await ann.join()
        (ben,) = await house.seated("Ben")
        await house.play([ann, ben], 1)
        told = [message for message in ann.inbox if isinstance(message, msg.Events)]
        await ann.send(msg.GetHand())
        while not isinstance(ann.inbox[-1], msg.HandRecord):
            await ann.next()
        record = ann.inbox[-1]
        live = {step.seq: step.told.lines for step in told if step.told is not None}
        assert [lines.lines for lines in record.told] == [live[step.seq] for step in record.steps]
        assert len(record.told) == len(record.steps) > 5


async def test_the_card_of_a_table_is_told_before_somebody_sits_down(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("stud8",))) as house:
        ann = await told_client(house, "Ann")
        await ann.send(msg.ListTables())
        (info,) = (await ann.expect(msg.Tables)).tables
        told = dict(info.told)
        assert told["Games"] == "Seven-card stud high-low (ante 1, limits 2/4)"
        assert told["Spectators"] == "see what is open at the table"


async def test_a_spectator_is_told_what_everybody_may_know(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("stud8",))) as house:
        eve = await told_client(house, "Eve")
        await eve.watch()
        players = await house.seated("Ann", "Ben")
        await house.play(players, 1)
        await eve.until(lambda view: view.hand >= 1 and not view.playing)
        steps = [message for message in eve.inbox if isinstance(message, msg.Events)]
        assert any(step.told is not None and any(step.told.lines) for step in steps)
        assert not any(step.told is not None and (step.told.request or step.told.pad) for step in steps)


def sizes(choice: ev.ChoiceMade, view: TableView) -> tuple[int, int]:
    """Length of the frame for the player who has chosen, and of its sentences."""
    sent: list[bytes] = []
    faults: list[Exception] = []
    teller = Teller(sent.append, faults.append)
    teller.send(encode_frame(msg.Snapshot(view, seat=1)))
    teller.send(encode_frame(msg.Events(view.seq + 1, 0, (choice,))))
    assert not faults
    (body,) = FrameDecoder(SERVER_CAP).feed(sent[1])
    message = decode_from_server(body)
    assert isinstance(message, msg.Events)
    assert message.told is not None
    return len(encode_value(message.told)), len(encode_value(message.told.lines))


def test_the_words_for_a_secret_choice_are_equally_long_with_their_padding() -> None:
    view = TableView(seats=[SeatView(seat=1, name="Ann", hand="live", down=(1, 2, 3, 4, 5, 6, 7))])
    choices: tuple[tuple[Decision, Action], ...] = (
        ("declare", Action("declare", direction="high")),
        ("declare", Action("declare", direction="low")),
        ("arrange", Action("arrange", cards=(1, 2, 3, 4, 5))),
        ("discard", Action("discard", cards=())),
    )
    causes: tuple[ev.Cause, ...] = ("player", "timeout")
    found = [
        sizes(ev.ChoiceMade(1, decision, action, cause), view.copy())
        for cause in causes
        for decision, action in choices
    ]
    assert len({whole for whole, _ in found}) == 1
    assert len({lines for _, lines in found}) > 3
    assert 2 * max(lines for _, lines in found) < ROOM


def test_a_fault_costs_the_words_and_never_the_message() -> None:
    sent: list[bytes] = []
    faults: list[Exception] = []
    teller = Teller(sent.append, faults.append)
    teller.send(encode_frame(msg.Snapshot(TableView())))
    broken = encode_frame(msg.Events(1, 0, (ev.PlayerBack(9),)))  # there is no such seat
    teller.send(broken)
    assert sent[1] == broken
    assert len(faults) == 1
