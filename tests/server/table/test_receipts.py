"""Faults 48, 65, 93, 94: a receipt proves what a client has seen, a bare number proves nothing."""

from typing import Any

import pytest
from trio.testing import MockClock

from protocol.view import hide
from protocol.wire import messages as msg
from server.storage.receipt_key import FILE, load_receipt_key, renew_receipt_key
from server.table.receipts import Receipts, step_digest
from tests.support.loopback_server import WireClient
from tests.support.simulated_server import SimulatedServer, put_file, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}
DAMAGED = (b"", b"x", bytes(32), bytes(33))


def session_of(player: WireClient) -> str:
    """As the last snapshot said it."""
    return next(message.session for message in reversed(player.inbox) if isinstance(message, msg.Snapshot))


def receipt_of(player: WireClient) -> bytes:
    """The last one that the player was given."""
    given = (msg.Snapshot, msg.Events)
    return next(message.receipt for message in reversed(player.inbox) if isinstance(message, given))


async def come_back(
    here: SimulatedServer,
    player: WireClient,
    seen: int | None = None,
    receipt: bytes | None = None,
    session: str | None = None,
    token: bytes | None = None,
) -> WireClient:
    """As the client does it, with what has been seen, in which session, and the receipt; or with something else."""
    again = await here.connect(player.name, player.token if token is None else token)
    again.view, again.acts = player.view, player.acts
    join = msg.Join(
        again.name,
        again.token,
        "main",
        seen=player.view.seq if seen is None else seen,
        session=session_of(player) if session is None else session,
        receipt=receipt_of(player) if receipt is None else receipt,
    )
    await again.send(join)
    again.inbox = player.inbox
    return again


async def halted(here: SimulatedServer) -> msg.HaltCode | None:
    """Why the table takes nothing any more, once it is at rest."""
    await here.table.settled()
    return here.table.halted


async def until_snapshot(player: WireClient) -> list[str]:
    """The codes of what was rejected before it."""
    codes = []
    while not isinstance(message := await player.next(), msg.Snapshot):
        if isinstance(message, msg.Rejected):
            codes.append(message.code)
    player.seat = message.seat
    return codes


async def cut_and_start(here: SimulatedServer, records: int) -> None:
    """The last records of the journal are lost, and the server is started."""
    path = here.table.journal_path
    before = here.disk.read_all(path)
    await here.crash()
    put_file(here.disk, path, shortened(before, records))
    await here.start()


def shortened(journal: bytes, records: int) -> bytes:
    """A journal without its last records."""
    at, starts = 24, []
    while at < len(journal):
        starts.append(at)
        at += 24 + (int.from_bytes(journal[at : at + 4], "little") & 0x7FFFFFFF)
    return journal[: starts[-records]]


@pytest.mark.parametrize("lost", [1, 2, 5, 11])
@pytest.mark.parametrize("first", ["player", "spectator"])
async def test_fault_48_65_94_the_first_client_shows_that_the_journal_has_lost_a_step(
    lost: int, first: str, autojump_clock: MockClock
) -> None:
    """However small the loss, and whatever the restart itself has written at the same numbers."""
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        await here.reach(players, lambda view: view.hand == 2)
        await here.settle(players)
        seen, session, receipt = players[0].view.seq, session_of(players[0]), receipt_of(players[0])
        await cut_and_start(here, lost)
        if first == "player":
            witness = await come_back(here, players[0])
        else:
            witness = await here.connect("Wil")
            await witness.send(msg.Watch("main", seen, session=session, receipt=receipt))
        assert await until_snapshot(witness) == ["log_behind"]
        last = await witness.to_the_end()
        assert isinstance(last, msg.Bye)
        assert (last.code, last.again) == ("lost", False)
        assert "--accept-loss" in last.text
        assert await halted(here) == "lost"
        late = await come_back(here, players[2])
        refused = await late.next()
        assert isinstance(refused, msg.Rejected)
        assert refused.code == "lost"


async def test_fault_65_the_host_goes_on_by_a_word(autojump_clock: MockClock) -> None:
    """A new key makes all earlier receipts worthless: their bearers get a snapshot, and everybody plays on."""
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        await here.reach(players, lambda view: view.hand == 2)
        await cut_and_start(here, 3)
        witness = await come_back(here, players[0])
        await witness.to_the_end()
        assert await halted(here) == "lost"
        folder = here.table.journal_path.rsplit("/", 1)[0]
        await here.crash()
        renew_receipt_key(here.disk, folder)
        await here.start()
        back = [await come_back(here, player) for player in players]
        for player in back:
            assert await until_snapshot(player) == []
        await here.reach(back, lambda view: view.hand >= 2)
        for player in back:
            assert player.view == hide(here.table.state.view, player.seat)


async def test_fault_93_a_bare_number_stops_nobody_however_many_tokens_say_it(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        await here.settle([ann, ben, cho])
        for liar in (ben, cho):
            for receipt in (*DAMAGED, receipt_of(liar), receipt_of(ann)):
                again = await come_back(here, liar, seen=1 << 40, receipt=receipt)
                assert await until_snapshot(again) == []
        await ann.send(msg.Say("still here"))
        await here.settle([ann])
        assert not here.table.halted


async def test_fault_93_a_player_who_sits_alone_proves_nothing_by_a_number(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        await here.settle([ann])
        again = await come_back(here, ann, seen=1 << 62)
        assert await until_snapshot(again) == []
        assert not here.table.halted


async def test_fault_93_a_receipt_of_another_session_or_table_proves_nothing(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        await here.settle([ann])
        key = load_receipt_key(here.disk, here.table.journal_path.rsplit("/", 1)[0])
        digest = step_digest(1, 1, b"")
        for table, session, claimed in (("main", "1", None), ("side", session_of(ann), None), ("main", "1", "1")):
            forged = Receipts(key, table, session).give(1 << 40, digest)
            again = await come_back(here, ann, seen=1 << 40, receipt=forged, session=claimed)
            assert await until_snapshot(again) == []
        assert not here.table.halted
        # The same from this very session is proof: a server has sent it.
        real = Receipts(key, "main", session_of(ann)).give(1 << 40, digest)
        again = await come_back(here, ann, seen=1 << 40, receipt=real)
        assert await until_snapshot(again) == ["log_behind"]
        assert await halted(here) == "lost"


async def test_a_true_receipt_brings_the_missing_events_and_no_snapshot(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        await here.reach([ann, ben, cho], lambda view: len(view.seats[0].up) == 2)
        for restarted in (False, True):
            await here.settle([ben, cho])
            if restarted:
                await here.restart()
            back = [await come_back(here, player) for player in (ann, ben, cho)]
            for player in back:
                joined = await player.next()
                assert isinstance(joined, msg.Joined)
                player.seat = joined.seat
                while not isinstance(message := await player.next(), msg.TimeLeft):
                    assert isinstance(message, msg.Events)
            ann, ben, cho = back
        assert not here.table.halted


async def test_everybody_is_given_the_same_receipt_for_a_step(autojump_clock: MockClock) -> None:
    """It tells nothing of what is hidden: it is made from what everybody sees."""
    async with simulated_server(settings(players=2, games=("barneys",), change="never")) as here:
        ann, ben = await here.seated("Ann", "Ben")
        wil = await here.connect("Wil")
        await wil.watch()
        await here.reach([ann, ben], lambda view: view.hand == 2)
        await here.settle([ann, ben, wil])
        given = [
            {message.seq: message.receipt for message in guest.inbox if isinstance(message, msg.Events)}
            for guest in (ann, ben, wil)
        ]
        common = given[0].keys() & given[1].keys() & given[2].keys()
        assert len(common) > 20
        assert all(len({receipts[seq] for receipts in given}) == 1 for seq in common)
        assert all(len(given[0][seq]) == 32 for seq in common)


@pytest.mark.parametrize("durability", ["hand", "none"])
async def test_fault_48_a_loss_stops_nobody_where_the_disk_may_be_behind(
    durability: str, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(players=3, durability=durability, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        await here.restart_with_old_journal(players)
        back = [await come_back(here, player) for player in players]
        for player in back:
            await until_snapshot(player)
        await here.settle(back)
        assert not here.table.halted
        for player in back:
            assert player.view == hide(here.table.state.view, player.seat)


async def test_a_damaged_or_missing_key_makes_receipts_worthless_and_nothing_else(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        await here.settle([ann])
        path = here.table.journal_path.rsplit("/", 1)[0] + "/" + FILE
        for content in (b"", b"half"):
            await here.crash()
            put_file(here.disk, path, content)
            await here.start()
            ann = await come_back(here, ann)
            assert await until_snapshot(ann) == []
            await here.settle([ann])
        assert not here.table.halted


def test_fault_93_what_cannot_be_a_receipt_or_a_number_of_an_event_is_no_proof() -> None:
    receipts = Receipts(bytes(32), "main", "1")
    digest = step_digest(1, 1, b"")
    receipt = receipts.give(7, digest)
    assert receipts.read(7, receipt) == digest
    for last in (-1, 0, 6, 8, 1 << 63, 1 << 64):
        assert receipts.read(last, receipt) is None
    for other in (*DAMAGED, receipt[:-1], receipt + b"x", receipt[1:]):
        assert receipts.read(7, other) is None
