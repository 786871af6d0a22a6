"""Access control of tables: passwords, invitations, seat tokens, and the limit on wrong tries."""

import io
import re
from pathlib import Path

import pytest
import trio
import trio.testing

from protocol.wire import messages as msg
from protocol.wire.messages import Rejected
from server.admission.table_access import CHECKS_AT_ONCE, AccessRule, TableAccess, TryLimit
from server.app.operator_log import make_log
from server.config.passwords import make_verifier
from server.net.networks import network_of
from tests.support.loopback_server import RunningServer, WireClient, config, running

PASSWORD = "pair of köpfe"
VERIFIER = make_verifier(PASSWORD)


async def asked(player: WireClient, message: msg.Message) -> msg.FromServer:
    """The first answer to a message."""
    await player.send(message)
    return await player.next()


def join(player: WireClient, invite: str = "", password: str = "") -> msg.Join:
    return msg.Join(player.name, player.token, invite=invite, password=password)


def invitation_to(house: RunningServer) -> str:
    found = re.search(r"t=([a-z2-7]{26})\"?$", house.server.join_commands()[0])
    assert found is not None
    return found[1]


# ------------------------------------------------------------------ wrong tries


async def test_fault_29_five_tries_an_address_and_twenty_a_provider(autojump_clock: trio.testing.MockClock) -> None:
    tries = TryLimit()
    assert [tries.take("10.0.0.1") for _ in range(6)] == [True] * 5 + [False]
    assert [tries.take(f"10.0.1.{number}") for number in range(20)] == [True] * 15 + [False] * 5
    await trio.sleep(61)
    assert [tries.take("10.0.0.1") for _ in range(6)] == [True] * 5 + [False]


async def test_fault_29_a_right_try_does_not_count(autojump_clock: trio.testing.MockClock) -> None:
    tries = TryLimit()
    for _ in range(100):
        assert tries.take("10.0.0.1")
        tries.give_back("10.0.0.1")


async def test_fault_29_one_machine_has_one_count_for_its_whole_network_of_ipv6(
    autojump_clock: trio.testing.MockClock,
) -> None:
    tries = TryLimit()
    assert [tries.take(f"2001:db8::{number:x}") for number in range(6)] == [True] * 5 + [False]
    assert tries.take("2001:db8:0:1::1")
    assert [tries.take("::ffff:10.0.0.1") for _ in range(5)] == [True] * 5
    assert not tries.take("10.0.0.1")


async def test_fault_92_strangers_do_not_use_up_the_tries_of_guests(autojump_clock: trio.testing.MockClock) -> None:
    tries = TryLimit()
    for number in range(100):
        tries.take(f"203.0.{number}.7")
        tries.take(f"2001:db8:{number:x}::1")
    for guest in ("192.0.2.1", "2001:db9::1", "?", "a name"):
        assert tries.take(guest)
    assert [tries.take(f"{number}.1.1.1") for number in range(1, 200)].count(True) == 200 - 40 - 4
    assert not tries.take("198.51.100.1")


async def test_fault_92_a_stranger_is_not_told_who_plays_at_a_closed_table(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER)) as house:
        ann = await house.connect("Ann")
        await ann.send(join(ann, password=PASSWORD))
        await ann.expect(msg.Joined)
        stranger = await house.connect("Eve")
        for client, players in ((stranger, ("",)), (ann, ("Ann",))):
            await client.send(msg.ListTables())
            assert [table.players for table in (await client.expect(msg.Tables)).tables] == [players]


async def test_fault_29_of_many_networks_the_one_that_was_quiet_longest_is_forgotten(
    autojump_clock: trio.testing.MockClock,
) -> None:
    tries = TryLimit()
    for number in range(1100):
        tries.take(f"10.{number // 256}.{number % 256}.1")
        tries.take("192.0.2.1")
    assert len(tries._by_network) == 1024
    assert network_of("192.0.2.1") in tries._by_network
    assert network_of("10.0.0.1") not in tries._by_network


async def test_fault_29_two_passwords_are_checked_at_a_time() -> None:
    access = TableAccess()
    access.protect("main", AccessRule(VERIFIER))
    refused: list[Rejected | None] = []

    async def guess(number: int) -> None:
        refused.append(await access.check(f"{number}.0.0.1", "main", "", "no"))

    async with trio.open_nursery() as nursery:
        for number in range(1, 9):
            nursery.start_soon(guess, number)
        await trio.testing.wait_all_tasks_blocked()
        assert access._checks.borrowed_tokens == CHECKS_AT_ONCE
    assert len(refused) == 8


async def test_a_table_without_a_rule_is_open() -> None:
    access = TableAccess()
    assert access.is_open("main")
    assert await access.check("10.0.0.1", "main", "", "") is None


# ------------------------------------------------------------- coming to a table


async def test_a_password_opens_the_table_to_players_and_spectators(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER)) as house:
        ann = await house.connect("Ann")
        for message in (join(ann), join(ann, password="no"), msg.Watch(), msg.Watch(password="no")):
            answer = await asked(ann, message)
            assert isinstance(answer, msg.Rejected)
            assert answer.code == "bad_password"
        assert not house.table.state.view.players()
        assert isinstance(await asked(ann, msg.Watch(password=PASSWORD)), msg.Snapshot)
        assert isinstance(await asked(ann, join(ann, password=PASSWORD)), msg.Events | msg.Joined)


async def test_reliability_3_a_player_with_a_seat_comes_back_with_the_token_alone(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER)) as house:
        ann = await house.connect("Ann")
        await ann.send(join(ann, password=PASSWORD))
        seat = (await ann.expect(msg.Joined)).seat
        await ann.close()
        again = await house.connect("Ann")
        await again.send(join(again))
        assert (await again.expect(msg.Joined)).seat == seat


@pytest.mark.parametrize("tls", [True, False])
async def test_an_invitation_opens_the_table_and_is_printed_in_the_link(tmp_path: Path, tls: bool) -> None:
    async with running(config(tmp_path, invite=1, tls=tls)) as house:
        invite = invitation_to(house)
        ann = await house.connect("Ann")
        for wrong in ("", invite[:-1], "a" * 26):
            answer = await asked(ann, join(ann, invite=wrong))
            assert isinstance(answer, msg.Rejected)
            assert answer.code == "bad_invite"
        await ann.send(join(ann, invite=invite))
        assert (await ann.expect(msg.Joined)).seat == 1


async def test_an_invitation_survives_a_restart_until_the_host_changes_its_number(tmp_path: Path) -> None:
    invites = []
    for number in (1, 1, 2):
        async with running(config(tmp_path, invite=number)) as house:
            invites.append(invitation_to(house))
    assert invites[0] == invites[1]
    assert invites[2] != invites[0]


async def test_either_of_password_and_invitation_is_enough(tmp_path: Path) -> None:
    async with running(config(tmp_path, invite=1, password=VERIFIER)) as house:
        ann, ben = await house.connect("Ann"), await house.connect("Ben")
        await ann.send(join(ann, invite=invitation_to(house)))
        await ann.expect(msg.Joined)
        await ben.send(join(ben, invite="a" * 26, password=PASSWORD))
        await ben.expect(msg.Joined)


async def test_fault_29_a_flood_of_passwords_is_cut_short_and_the_game_continues(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER, games=("stud8",))) as house:
        players = [await house.connect(name) for name in ("Ann", "Ben")]
        for player in players:
            await player.send(join(player, password=PASSWORD))
            player.seat = (await player.expect(msg.Joined)).seat
        codes: list[str] = []

        async def guess() -> None:
            thief = await house.connect("Thief")
            for number in range(8):
                answer = await asked(thief, join(thief, password=f"guess {number}"))
                assert isinstance(answer, msg.Rejected)
                codes.append(answer.code)
            # Now even the right password is refused.
            answer = await asked(thief, join(thief, password=PASSWORD))
            assert isinstance(answer, msg.Rejected)
            codes.append(answer.code)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(guess)
            await house.play(players, hands=2)
        assert codes == ["bad_password"] * 5 + ["too_many_tries"] * 4


async def test_fault_29_the_loop_is_not_blocked_by_a_check(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER)) as house:
        ann = await house.connect("Ann")
        # The ping is answered before the password: nothing waited for the check.
        await ann.send(join(ann, password="no"))
        await ann.send(msg.Ping(7))
        assert await ann.next() == msg.Pong(7)
        assert isinstance(await ann.next(), msg.Rejected)


async def test_one_check_at_a_time_for_each_connection(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER)) as house:
        ann = await house.connect("Ann")
        await ann.send(join(ann, password="no"))
        await ann.send(join(ann, password=PASSWORD))
        codes = []
        for _ in range(2):
            answer = await ann.next()
            assert isinstance(answer, msg.Rejected)
            codes.append(answer.code)
        assert codes == ["knocking", "bad_password"]


async def test_a_client_that_leaves_during_the_check_takes_no_seat(tmp_path: Path) -> None:
    async with running(config(tmp_path, password=VERIFIER)) as house:
        ann = await house.connect("Ann")
        await ann.send(join(ann, password=PASSWORD))
        await ann.close()
        ben = await house.connect("Ben")
        await ben.send(join(ben, password=PASSWORD))
        await ben.expect(msg.Joined)
        assert all(player.name == "Ben" or not player.online for player in house.table.state.view.players())


async def test_fault_84_passwords_and_invitations_are_in_no_log_and_no_journal(tmp_path: Path) -> None:
    out = io.StringIO()
    settings = config(tmp_path, invite=1, password=VERIFIER, tls=True)
    async with running(settings, make_log(out, "debug")) as house:
        invite = invitation_to(house)
        ann, ben = await house.connect("Ann"), await house.connect("Ben")
        await asked(ann, join(ann, password="wrong-secret", invite="b" * 26))
        await ann.send(join(ann, password=PASSWORD))
        await ann.expect(msg.Joined)
        await ben.send(join(ben, invite=invite))
        await ben.expect(msg.Joined)
        tokens = [ann.token, ben.token]
    logged = out.getvalue()
    journal = b"".join([path.read_bytes() for path in (tmp_path / "hands").iterdir()])
    for secret in (PASSWORD, "wrong-secret", invite, "b" * 26, VERIFIER):
        assert secret not in logged
        assert secret.encode() not in journal
    for token in tokens:
        assert token not in journal
        assert token.hex() not in logged


# ------------------------------------------------------------------------ tokens


async def test_fault_24_guessed_tokens_are_refused_five_times_a_minute(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        (ann,) = await house.seated("Ann")
        thief = await house.connect("Ann", b"\2" * 32)
        codes = []
        for number in range(7):
            answer = await asked(thief, msg.Join("Ann", bytes([number]) * 32))
            assert isinstance(answer, msg.Rejected)
            codes.append(answer.code)
        assert codes == ["name_taken"] * 5 + ["too_many_tries"] * 2
        # The right token still opens the seat, and another name is not a guess.
        again = await house.connect("Ann", ann.token)
        await again.join()
        assert again.seat == ann.seat
        (ben,) = await house.seated("Ben")
        assert ben.seat != ann.seat


@pytest.mark.parametrize("size", [0, 1, 31, 33, 1000])
async def test_fault_24_a_token_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    async with running(config(tmp_path)) as house:
        thief = await house.connect("Ann", b"\0" * size)
        answer = await asked(thief, join(thief))
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "bad_token"


async def test_fault_25_the_newest_connection_has_the_seat_and_the_older_one_is_told(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        (old,) = await house.seated("Ann")
        new = await house.connect("Ann")
        await new.join()
        last = await old.to_the_end()
        assert isinstance(last, msg.Bye)
        assert (last.code, last.again) == ("replaced", False)
        assert new.seat == old.seat
        assert house.table.state.view.seat(new.seat).online


async def test_fault_26_the_same_join_again_is_the_same_seat(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        lost = await house.connect("Ann")
        await lost.send(join(lost))
        assert await lost.stream.receive_some(1)  # they sit; all but a byte of the answer is lost with the connection
        await trio.aclose_forcefully(lost.stream)
        ann = await house.connect("Ann")
        await ann.join()
        assert ann.seat == 1
        assert [(player.name, player.chips) for player in house.table.state.view.players()] == [("Ann", 100)]
        assert list(house.table.state.tokens) == [1]


async def test_fault_27_a_late_message_of_a_replaced_connection_has_no_effect(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("stud8",))) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await ann.until(lambda view: any(seat.pending for seat in view.seats))
        await house.settle([ann, ben])
        asked_one = ann if ann.pending else ben
        assert asked_one.pending is not None
        answers = asked_one.pending[0]
        new = await house.connect(asked_one.name)
        await new.join()
        await new.until(lambda view: view.seq >= house.table.state.seq)
        seq = house.table.state.seq
        with pytest.raises((trio.BrokenResourceError, trio.EndOfChannel)):
            await late(asked_one, answers)
        await trio.testing.wait_all_tasks_blocked()
        assert house.table.state.view.seat(new.seat).pending is not None
        assert house.table.state.seq == seq


async def late(player: WireClient, answers: int) -> None:
    """Acts over a connection that the server has closed, and reads on."""
    from protocol.actions import Action

    for _ in range(20):
        await player.act(Action("fold"), answers)
    while True:
        await player.next()


NAMES: dict[str, str] = {
    "empty": "",
    "spaces": "   ",
    "too long": "n" * 17,
    "huge": "n" * 1000,
    "control": "An\x07n",
    "escape": "\x1b[31mAnn",
    "line break": "Ann\nBen",
    "bidi": "Ann\u202e",
    "zero width": "A\u200bnn",
    "combining": "Ann\u0336",
    "two scripts": "\u0410nn",
    "signs": "<Ann>",
    "invisible letter": "\u3164",
    "signs only": "-_.",
}


@pytest.mark.parametrize("name", NAMES)
async def test_fault_28_names_that_could_deceive_are_refused(tmp_path: Path, name: str) -> None:
    async with running(config(tmp_path)) as house:
        guest = await house.connect("Guest")
        answer = await asked(guest, msg.Join(NAMES[name], guest.token))
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "bad_name"
        assert not house.table.state.view.players()


@pytest.mark.parametrize("twin", ["ann", "ANN", "Ａｎｎ", " Ann "])
async def test_fault_28_a_name_that_looks_like_another_is_taken(tmp_path: Path, twin: str) -> None:
    async with running(config(tmp_path)) as house:
        await house.seated("Ann")
        guest = await house.connect("Guest")
        answer = await asked(guest, msg.Join(twin, guest.token))
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "name_taken"


async def test_fault_90_a_name_of_another_script_that_looks_like_a_players_is_taken(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        copa = await house.connect("copa")
        await copa.join()
        guest = await house.connect("Guest")
        answer = await asked(guest, msg.Join("\u0441\u043e\u0440\u0430", guest.token))
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "name_taken"
