"""Crashes at exact moments of a hand, an old journal, clocks, logs: a server in memory, on virtual time."""

import io
from typing import Any, get_args

import pytest
import trio
from trio.testing import MockClock

from protocol import events as ev
from protocol.actions import Action
from protocol.events import AnyEvent
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.table_rules import Clocks
from protocol.view import TableView, hide
from protocol.wire import messages as msg
from server.admission.seat_tokens import token_digest
from server.app.operator_log import make_log
from server.config.log_level import LogFormat
from tests.support.loopback_server import WireClient, calling
from tests.support.secret_events import cards_in_log
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

BARNEYS: dict[str, Any] = {"games": ("barneys",), "change": "never"}
RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}


def decided(decision: str) -> Any:
    """Whether somebody is asked for that."""
    return lambda view: any(seat.pending and seat.pending.request.decision == decision for seat in view.seats)


def journal(here: SimulatedServer) -> list[StepRecord]:
    """The steps on the disk."""
    records = [decode_record(record) for record in scan(here.disk.read_all(here.table.journal_path)).records]
    return [record for record in records if isinstance(record, StepRecord)]


def events(here: SimulatedServer) -> list[AnyEvent]:
    return [event for step in journal(here) for event in step.events]


def cards(view: TableView) -> list[object]:
    return [(seat.down, seat.up, seat.hand, seat.chips, seat.bet, seat.declared) for seat in view.seats]


def agree(here: SimulatedServer, players: list[WireClient]) -> None:
    for player in players:
        assert player.view == hide(here.table.state.view, player.seat)


@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize("decision", ["choose", "bet", "arrange"])
async def test_fault_67_hand_continues_at_the_decision(autojump_clock: MockClock, decision: str, power: bool) -> None:
    async with simulated_server(settings(players=3, **BARNEYS)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        before = (await here.reach(players, decided(decision))).copy()
        pending = dict(here.table.state.pending)
        await here.restart(power=power)
        assert here.table.state.pending == pending
        assert cards(here.table.state.view) == cards(before)
        players = await here.back(players)
        agree(here, players)
        await here.reach(players, lambda view: view.hand == 2)
        assert here.table.state.view.chips() == 300


@pytest.mark.parametrize("power", [False, True])
async def test_fault_68_declared_stay_declared_and_nothing_leaks(autojump_clock: MockClock, power: bool) -> None:
    async with simulated_server(settings(players=3, **BARNEYS)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        await here.reach(players, decided("declare"))
        ann = players[0]
        assert ann.pending is not None
        await ann.act(Action("declare", direction="low"), ann.pending[0])
        await ann.until(lambda view: view.seats[0].choice is not None)
        await here.settle(players)
        await here.restart(power=power)
        assert set(here.table.state.pending) == {2, 3}
        ann, ben, cho = players = await here.back(players)
        assert ann.pending is None
        assert ann.view.seats[0].choice is not None
        assert ann.view.seats[0].choice.action == Action("declare", direction="low")
        for other in (ben, cho):
            assert other.pending is not None
            assert other.pending[1].decision == "declare"
            choice = other.view.seats[0].choice
            assert choice is not None
            assert choice.action is None
        await here.reach(players, lambda view: bool(view.seats[1].declared))
        declared = [event for event in events(here) if isinstance(event, ev.Declared)]
        assert dict(declared[-1].declarations)[1] == "low"


@pytest.mark.parametrize("power", [False, True])
async def test_fault_69_a_committed_hand_is_dealt_from_the_same_deck(autojump_clock: MockClock, power: bool) -> None:
    async with simulated_server(settings(players=3, **BARNEYS)) as here:
        players = [*await here.seated("Ann", "Ben"), await here.connect("Cho")]
        await here.settle(players[:2])
        here.system.late = 0.5  # durable, and nobody has seen it yet
        await players[2].send(msg.Join("Cho", players[2].token))
        await trio.sleep(0.2)
        assert here.table.state.hand is not None
        assert not any(player.view.playing for player in players)
        deal = cards(here.table.state.view)
        here.system.late = 0.0
        await here.restart(power=power)
        assert cards(here.table.state.view) == deal
        players = await here.back(players)
        agree(here, players)
        assert sum(isinstance(event, ev.HandStarted) for event in events(here)) == 1


@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize("durable", [False, True])
async def test_fault_70_pot_is_paid_once_at_the_showdown(autojump_clock: MockClock, durable: bool, power: bool) -> None:
    async with simulated_server(settings(limits=PATIENT, clocks=Clocks(result=60), **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        # The answer that ends the hand: the second check or call of the last street.
        await here.reach(players, lambda view: len(view.seats[0].down) == 3 and last_to_act(view))
        asked = next(player for player in players if player.pending is not None)
        number, request = asked.pending or (0, None)
        assert request is not None
        action = calling(request)
        here.system.slow, here.system.late = (0.0, 1.0) if durable else (1.0, 0.0)
        await asked.act(action, number)
        await trio.sleep(0.5)
        assert here.table.state.hand is None
        assert all(player.view.playing for player in players)
        here.system.slow = here.system.late = 0.0
        await here.restart(power=power)
        players = await here.back(players)
        asked = next(player for player in players if player.name == asked.name)
        # The client has no answer and sends the same action again.
        await asked.send(msg.Act(asked.acts, number, action))
        await here.reach(players, lambda view: view.hand == 2)
        told = events(here)
        (end,) = [n for n, event in enumerate(told) if isinstance(event, ev.HandEnded)]
        put = sum(event.amount for event in told[:end] if isinstance(event, ev.Acted))
        put += sum(chips for event in told[:end] if isinstance(event, ev.AntesPosted) for _, chips in event.antes)
        assert sum(event.amount for event in told[:end] if isinstance(event, ev.PotAwarded)) == put
        assert here.table.state.view.chips() == 200
        agree(here, players)


def last_to_act(view: TableView) -> bool:
    """Whether the hand is over when the seat that is asked stays in for nothing more than a call."""
    return sum(seat.last is not None for seat in view.seats if seat.hand == "live") == 1 and view.playing


async def test_fault_36_37_an_action_that_comes_again_after_a_crash_is_done_once(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, decided("bet"))
        asked = next(player for player in players if player.pending is not None)
        number, request = asked.pending or (0, None)
        assert request is not None
        await asked.act(calling(request), number)
        while asked.pending is not None:
            await asked.next()
        await here.settle(players)
        done = asked.acts
        await here.restart(power=True)
        players = await here.back(players)
        asked = next(player for player in players if player.name == asked.name)
        joined = [message for message in asked.inbox if isinstance(message, msg.Joined)]
        assert joined[-1].last_id == done
        seq = here.table.state.seq
        await asked.send(msg.Act(done, number, calling(request)))
        assert (await asked.expect(msg.Done)).id == done
        await asked.send(msg.Act(done, number, Action("fold")))  # the same number for something else
        assert (await asked.expect(msg.Done)).id == done
        assert here.table.state.seq == seq


async def test_fault_80_after_a_restart_every_clock_is_full_and_has_a_grace(autojump_clock: MockClock) -> None:
    clocks = Clocks(bet=30, bank=0, grace=60)
    async with simulated_server(settings(limits=PATIENT, clocks=clocks, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, decided("bet"))
        (seat,) = here.table.state.pending
        await trio.sleep(25)
        await here.restart(power=True)
        await trio.sleep(500)  # nobody is folded during the downtime or while the table waits for players
        players = await here.back(players)
        assert set(here.table.state.pending) == {seat}
        snapshot = await fresh_look(here, players[0])
        assert dict(snapshot.clocks) == {seat: 900}
        await trio.sleep(89)
        assert set(here.table.state.pending) == {seat}
        await trio.sleep(2)
        await here.settle(players[1:])
        acted = [event for event in events(here) if isinstance(event, ev.Acted)]
        assert [event.cause for event in acted] == ["timeout"]


async def fresh_look(here: SimulatedServer, player: WireClient) -> msg.Snapshot:
    """What the server sends to a client that knows nothing but its token."""
    again = await here.connect(player.name, player.token)
    await again.join()
    return await again.expect(msg.Snapshot)


@pytest.mark.parametrize("hours", [-2, 2])
async def test_fault_79_wall_clock_that_jumps_changes_nothing(autojump_clock: MockClock, hours: int) -> None:
    async with simulated_server(settings(clocks=Clocks(bet=30, bank=0), **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.reach(players, decided("bet"))
        pending = dict(here.table.state.pending)
        here.system.skew = hours * 3_600_000
        await trio.sleep(20)
        assert here.table.state.pending == pending
        await here.reach(players, lambda view: view.hand == 2)
        times = [step.at for step in journal(here)]
        assert times == sorted(times)
        name = here.table.journal_path
        await here.restart(power=True)
        assert here.table.journal_path == name
        players = await here.back(players)
        agree(here, players)


async def test_fault_79_a_session_begun_with_the_clock_set_back_is_the_newest(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.settle(players)
        for player in players:
            await player.send(msg.StandUp())
        await players[0].until(lambda view: not view.players())
        here.system.skew = -7_200_000
        await here.restart()  # nobody sits there: another session
        ann = await here.connect("Ann")
        await ann.join(chips=55)
        await here.settle([ann])
        await here.restart()
        assert [(seat.name, seat.chips) for seat in here.table.state.view.players()] == [("Ann", 55)]


async def test_fault_48_65_an_old_backup_stops_and_confuses_nobody_who_has_no_proof_of_the_loss(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        known = await here.restart_with_old_journal(players)
        assert known < players[0].view.seq
        ann = await here.connect("Ann", players[0].token)
        await ann.send(msg.Join("Ann", ann.token, seen=players[0].view.seq))  # a bare number proves nothing
        ann.seat = (await ann.expect(msg.Joined)).seat
        await ann.expect(msg.Snapshot)
        # Play has continued; a client whose numbers would fit by now is sent the whole table, too.
        while here.table.state.seq < known + 6:
            await ann.send(msg.Say("hello"))
            await trio.sleep(2)
        ben = await here.connect("Ben", players[1].token)
        await ben.send(msg.Join("Ben", ben.token, seen=known + 3))
        ben.seat = (await ben.expect(msg.Joined)).seat
        await ben.expect(msg.Snapshot)
        await here.settle([ann, ben])
        agree(here, [ann, ben])
        assert not here.table.halted


async def test_fault_48_a_claim_to_have_seen_more_than_there_is_costs_nobody_else(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        liar = await here.connect("Ben", ben.token)
        await liar.send(msg.Join("Ben", ben.token, seen=1 << 40))
        assert isinstance(await liar.next(), msg.Joined | msg.Rejected)
        await liar.expect(msg.Snapshot)
        liar.seat = 2
        await ann.send(msg.Say("still here"))
        await here.settle([ann, liar])
        agree(here, [ann, liar])
        assert not here.table.halted


async def test_fault_30_seat_of_an_absent_player_is_kept_with_its_chips(autojump_clock: MockClock) -> None:
    clocks = Clocks(bet=2, choose=2, arrange=2, declare=2, bank=0, result=1, grace=0)
    async with simulated_server(settings(players=3, clocks=clocks, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        await here.reach([ann, ben, cho], decided("bet"))
        await cho.close()
        with trio.fail_after(600):
            await here.reach([ann, ben], lambda view: view.hand == 5)
        kept = here.table.state.view.seat(3)
        assert (kept.name, kept.away, kept.online) == ("Cho", True, False)
        chips = kept.chips
        assert chips >= 90  # the antes of one or two hands, then the player sat out
        await here.restart()
        ann, ben, cho = players = await here.back([ann, ben, cho])
        assert here.table.state.view.seat(3).chips == chips
        await cho.send(msg.SitIn())
        view = await here.reach(players, lambda view: view.hand > 5 and view.seats[2].hand == "live")
        assert view.chips() == 300


async def test_fault_57_a_slow_disk_makes_nobody_late(autojump_clock: MockClock) -> None:
    clocks = Clocks(bet=4, bank=0, result=1)
    async with simulated_server(settings(clocks=clocks, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        here.system.slow = 5.0  # longer than anybody's clock
        await here.reach(players, lambda view: view.hand == 2)
        acted = [event for event in events(here) if isinstance(event, ev.Acted)]
        assert len(acted) >= 10
        assert {event.cause for event in acted} == {"player"}


@pytest.mark.parametrize("form", get_args(LogFormat))
async def test_fault_84_log_holds_no_secret_whatever_happens(autojump_clock: MockClock, form: LogFormat) -> None:
    out = io.StringIO()
    async with simulated_server(settings(players=3, **BARNEYS), make_log(out, "debug", form)) as here:
        tokens = {name: bytes(range(i, i + 32)) for i, name in enumerate(("Ann", "Ben", "Cho"), 100)}
        players = [await here.connect(name, token) for name, token in tokens.items()]
        for player in players:
            await player.join()
        await players[0].send(msg.Say("a word that is nobody's business"))
        await here.reach(players, decided("declare"))
        dealt = [tuple(seat.down) for seat in here.table.state.view.players()]
        await (await here.connect("Dov")).send(msg.Join("Ann", b"x" * 32))
        raw = await here.connect("Eve")
        await raw.stream.send_all(b"\0\0\0\4junk")
        await here.restart(power=True)
        players = await here.back(players)
        here.table.pipeline.do(lambda: here.table.state.view.seats.clear())  # a bug that has access to everything
        await trio.sleep(1)
        recorded = here.disk.read_all(here.table.journal_path)
    said = out.getvalue()
    assert cards_in_log(recorded, said) == []
    assert "table.breach" in said
    assert "table.back" in said
    for secret in [secret for token in tokens.values() for secret in (token, token_digest(token))]:
        for written in (secret.hex(), repr(secret)[2:-1], str(list(secret))[1:-1]):
            assert written not in said
    for row in dealt:
        assert str(row)[1:-1] not in said
    assert "nobody's business" not in said
    assert all(line.isascii() for line in said.splitlines())
