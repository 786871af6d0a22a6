"""Where every seat is taken: a waiting list, and a free seat for whoever is first on it (join with `wait`)."""

from pathlib import Path

from trio.testing import wait_all_tasks_blocked

from protocol.wire import messages as msg
from server.table.waiting_list import KEEP, WaitingList
from tests.support.loopback_server import RunningServer, WireClient, config, running
from tests.support.memory_guest import MemoryGuest


async def waits(client: WireClient) -> int:
    """Joins with `wait`; the place on the list."""
    await client.send(msg.Join(client.name, client.token, "main", wait=True))
    told = await client.expect(msg.Joined)
    assert told.seat == 0
    await client.expect(msg.Snapshot)
    return told.place


async def joined(client: WireClient) -> msg.Joined:
    """The next message that says where the client sits, whatever comes before it."""
    while not isinstance(message := await client.next(), msg.Joined):
        pass
    client.seat = message.seat
    return message


async def full_table(house: RunningServer) -> list[WireClient]:
    return await house.seated("Ann", "Ben")


async def test_a_free_seat_goes_to_the_first_on_the_list_and_the_others_move_up(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, start=60.0)) as house:
        ann, ben = await full_table(house)
        cai, dan = await house.connect("Cai"), await house.connect("Dan")
        assert [await waits(cai), await waits(dan)] == [1, 2]
        assert cai.view.players() == dan.view.players()
        await ann.send(msg.StandUp())
        assert await joined(cai) == msg.Joined("main", 1)
        assert await joined(dan) == msg.Joined("main", 0, place=1)
        await ben.send(msg.StandUp())
        assert await joined(dan) == msg.Joined("main", 2)
        assert {player.name for player in house.table.state.view.players()} == {"Cai", "Dan"}


async def test_who_waits_sees_what_a_spectator_sees_and_plays_when_seated(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2)) as house:
        ann, ben = await full_table(house)
        cai = await house.connect("Cai")
        await waits(cai)
        await house.play([ann, ben], 1)
        await cai.until(lambda view: view.hand == 1 and not view.playing)
        assert all(card is None for seat in cai.view.seats for card in seat.down)
        await ann.send(msg.StandUp())
        assert await joined(cai) == msg.Joined("main", 1)
        await cai.expect(msg.Snapshot)
        await house.play([cai, ben], 2)
        assert house.table.state.view.hand == 2


async def test_without_the_word_and_without_room_for_spectators_a_full_table_refuses(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, start=60.0)) as house:
        await full_table(house)
        cai = await house.connect("Cai")
        await cai.send(msg.Join("Cai", cai.token, "main"))
        assert (await cai.expect(msg.Rejected)).code == "full"
    async with running(config(tmp_path / "b", seats=2, start=60.0, spectators=False)) as house:
        await full_table(house)
        cai = await house.connect("Cai")
        await cai.send(msg.Join("Cai", cai.token, "main", wait=True))
        assert (await cai.expect(msg.Rejected)).code == "full"


async def test_a_client_that_names_no_table_waits_at_the_first_one(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, start=60.0)) as house:
        await full_table(house)
        cai = await house.connect("Cai")
        await cai.send(msg.Join("Cai", cai.token, wait=True))
        assert await joined(cai) == msg.Joined("main", 0, place=1)


async def test_nobody_takes_a_name_that_somebody_waits_under(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, start=60.0)) as house:
        await full_table(house)
        cai, other = await house.connect("Cai"), await house.connect("CAI", b"x" * 32)
        await waits(cai)
        await other.send(msg.Join("CAI", other.token, "main", wait=True))
        assert (await other.expect(msg.Rejected)).code == "name_taken"


async def test_a_broken_connection_keeps_its_place_and_is_passed_over_meanwhile(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, start=60.0)) as house:
        ann, _ = await full_table(house)
        cai, dan = await house.connect("Cai"), await house.connect("Dan")
        await waits(cai)
        await waits(dan)
        await cai.close()
        await wait_all_tasks_blocked(0.05)
        again = await house.connect("Cai")
        assert await waits(again) == 1
        await again.close()
        await wait_all_tasks_blocked(0.05)
        await ann.send(msg.StandUp())
        assert await joined(dan) == msg.Joined("main", 1)


async def test_a_player_whose_seat_is_their_own_waits_for_nothing(tmp_path: Path) -> None:
    async with running(config(tmp_path, seats=2, start=60.0)) as house:
        await full_table(house)
        again = await house.connect("Ann")
        await again.send(msg.Join("Ann", again.token, "main", wait=True))
        assert (await again.expect(msg.Joined)).seat == 1


def test_the_place_of_somebody_gone_for_long_is_given_up() -> None:
    rows, early, late = WaitingList(), MemoryGuest("Ann"), MemoryGuest("Ben")
    rows.add(early, b"a", msg.Join("Ann", b""))
    rows.add(late, b"b", msg.Join("Ben", b""))
    assert list(rows.untold()) == [(early, 1), (late, 2)]
    rows.gone(early, 100.0)
    first = rows.first(100.0 + KEEP - 1)
    assert first is not None
    assert first.guest is late
    assert list(rows.untold()) == [(late, 1)]
    rows.add(early, b"a", msg.Join("Ann", b""))
    assert list(rows.untold()) == [(early, 1), (late, 2)]
    rows.gone(early, 200.0)
    rows.first(200.0 + KEEP)
    rows.add(early, b"a", msg.Join("Ann", b""))
    assert list(rows.untold()) == [(late, 1), (early, 2)], "at the end"
