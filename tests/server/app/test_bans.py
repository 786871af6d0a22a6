"""Kicking and banning: who is sent away, what everybody reads, and who may come back."""

from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from trio.testing import MockClock

from protocol.events import Acted, Event, PlayerLeft, Said
from protocol.table_rules import Clocks
from protocol.view import TableView
from protocol.wire import messages as msg
from server.admission.ban_list import FILE
from server.app.operator import Operator
from server.app.operator_log import silent
from server.app.words.word import Answer
from server.config.config import Config
from server.config.limits import Limits
from server.config.passwords import make_verifier
from server.config.table_config import TableConfig
from server.errors import ConfigError
from tests.support.loopback_server import WireClient, config, running
from tests.support.simulated_server import PATIENT, SimulatedServer, put_file, settings, simulated_server

CLOCKS = Clocks(bet=20, choose=20, arrange=20, declare=20, bank=0, result=0, grace=0)
RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never", "clocks": CLOCKS}
LIST = f"/data/{FILE}"


async def obey(here: SimulatedServer, *words: str) -> Answer:
    return await Operator(here.server, settings(), silent()).obey(words)


async def done(here: SimulatedServer, *words: str) -> str:
    answer = await obey(here, *words)
    assert answer.code == 0, answer
    return answer.text


async def refused(here: SimulatedServer, *words: str) -> str:
    seq = here.table.state.seq
    answer = await obey(here, *words)
    assert (answer.code, here.table.state.seq) == (1, seq), "nothing has changed"
    return answer.text


def happened(client: WireClient, kind: type[Event]) -> list[Any]:
    return [
        event
        for message in client.inbox
        if isinstance(message, msg.Events)
        for event in message.events
        if isinstance(event, kind)
    ]


def told(client: WireClient) -> list[str]:
    """What the house has said to that client."""
    return [event.text for event in happened(client, Said) if not event.name]


async def last_word(client: WireClient) -> msg.Bye:
    bye = await client.to_the_end()
    assert isinstance(bye, msg.Bye)
    return bye


async def asks(here: SimulatedServer, message: msg.Join | msg.Watch, name: str = "") -> msg.FromServer:
    """What somebody is answered who wants to come in over a fresh connection."""
    client = await here.connect(name)
    await client.send(message)
    answer = await client.next()
    await client.close()
    return answer


def banned(answer: msg.FromServer) -> str:
    """What somebody reads who is kept out."""
    assert isinstance(answer, msg.Rejected)
    assert answer.code == "banned"
    return answer.text


def fourth_street(view: TableView) -> bool:
    return view.hand == 1 and len(view.seats[2].up) == 2


# ----------------------------------------------------------------------------- kick


async def test_a_player_who_is_kicked_in_a_hand_loses_what_they_have_bet_and_may_come_back(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(limits=PATIENT, players=3, **RAZZ)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        await here.reach([ann, ben, cho], fourth_street)
        stack = here.table.state.view.seat(3).chips
        with structlog.testing.capture_logs() as lines:
            here.table.removals._log = structlog.get_logger()
            assert await done(here, "kick", "cho", "too", "loud.") == (
                "Cho is sent away. The seat at main is free when this hand is over; the chips are kept."
            )
        bye = await last_word(cho)
        assert (bye.code, bye.again) == ("kicked", False)
        assert bye.text == "The operator sends you away: too loud. You may come back."
        assert [line["event"] for line in lines] == ["table.kicked"]
        await here.reach([ann, ben], lambda view: view.hand == 2)
        assert told(ann) == told(ben) == ["The operator sends Cho away: too loud."]
        acted = [event for event in happened(ann, Acted) if event.seat == 3]
        assert sum(event.amount for event in acted if event.cause == "left") == 0
        assert list(here.table.state.kept.values()) == [("Cho", stack)]
        again = await here.connect("Cho")
        await again.join()
        assert here.table.state.view.seat(again.seat).chips == stack
        assert here.table.state.view.chips() == 300


async def test_between_hands_the_seat_is_free_at_once_and_the_reason_stands_in_the_journal(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        assert await done(here, "kick", "Ben") == "Ben is sent away. The seat at main is free; the chips are kept."
        await here.settle([ann])
        assert [(left.name, left.why) for left in happened(ann, PlayerLeft)] == [("Ben", "sent away")]
        assert (await last_word(ben)).text == "The operator sends you away. You may come back."
        assert [name for name, _ in here.table.state.kept.values()] == ["Ben"]
        assert await refused(here, "kick", "Ben") == "Ben is not there; their chips are kept."
        assert await refused(here, "kick", "An") == "There is no An at main. Did you mean Ann?"
        await here.restart()
        assert [name for name, _ in here.table.state.kept.values()] == ["Ben"]


async def test_a_player_who_is_not_connected_loses_the_seat_too(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        _, ben = await here.seated("Ann", "Ben")
        await ben.close()
        await trio.sleep(1)
        assert "Ben is sent away" in await done(here, "kick", "Ben", "bye")
        assert [player.name for player in here.table.state.view.players()] == ["Ann"]


async def test_spectators_are_kicked_by_number_or_by_the_name_that_they_have_had(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, seats=2, players=2, **RAZZ)) as here:
        ann, _ = await here.seated("Ann", "Ben")
        silent_one, cho = await here.connect(), await here.connect("Cho")
        await silent_one.watch()
        await cho.send(msg.Join("Cho", cho.token, wait=True))
        assert (await cho.expect(msg.Joined)).place == 1
        lines = (await done(here, "players")).splitlines()
        assert lines[-2:] == ["  #1 a spectator: watches from 192.0.2.1", "  #2 Cho: watches from 192.0.2.1"]
        assert await refused(here, "kick", "#3") == "There is no #3 at main."
        assert await refused(here, "kick", "#0") == "There is no #0 at main."
        assert await done(here, "kick", "#1", "shh") == "a spectator is sent away."
        assert (await last_word(silent_one)).code == "kicked"
        assert await done(here, "kick", "Cho") == "Cho is sent away."
        assert (await last_word(cho)).code == "kicked"
        await done(here, "kick", "Ben")
        await trio.sleep(300)
        assert [player.name for player in here.table.state.view.players()] == ["Ann"]  # nobody waits any more
        await here.settle([ann])
        assert told(ann)[:2] == ["The operator sends a spectator away: shh.", "The operator sends Cho away."]


async def test_a_name_at_two_tables_needs_the_table(autojump_clock: MockClock) -> None:
    razz: dict[str, Any] = {"games": ("razz",), "players": 3}
    tables = (TableConfig(id="kitchen", **razz), TableConfig(id="den", **razz))
    async with simulated_server(Config(plain_tcp=True, data_dir="/data", seed="x", table=tables)) as here:
        here_ann, there_ann = await here.connect("Ann"), await here.connect("Ann", b"\5" * 32)
        await here_ann.join("kitchen")
        await there_ann.join("den")
        assert await refused(here, "kick", "Ann", "loud") == (
            "Ann is at kitchen and den: say at which table, at kitchen."
        )
        assert "Ann is sent away" in await done(here, "kick", "Ann", "at", "den", "loud")
        assert (await last_word(there_ann)).text == "The operator sends you away: loud. You may come back."
        assert await refused(here, "kick", "Ann", "at", "den") == "Ann is not there; their chips are kept."
        assert await refused(here, "kick", "Zoe") == "There is no Zoe at any table."


# ------------------------------------------------------------------------------ ban


async def test_the_banned_are_told_why_until_when_and_whom_to_ask_wherever_they_knock(
    autojump_clock: MockClock,
) -> None:
    room = Config(
        plain_tcp=True, data_dir="/data", seed="x", limits=PATIENT, contact="Robert, 0123 456",
        table=(TableConfig(start=0.0, seats=2, **RAZZ),),
    )  # fmt: skip
    text = (
        "You are banned from this server until 2025-07-15 14:00 UTC (2 h from now). Reason: rude to Ben. "
        "If that is a mistake, ask Robert, 0123 456."
    )
    async with simulated_server(room) as here:
        ann, mallory = await here.seated("Ann", "Mallory")
        await here.reach([ann, mallory], lambda view: view.hand == 1 and view.playing)
        said = await done(here, "ban", "mallory", "for", "2", "h", "rude", "to", "Ben")
        assert said == (
            "Mallory is banned for 2 h: rude to Ben. "
            "The seat at main is free when this hand is over; the chips are kept."
        )
        bye = await last_word(mallory)
        assert (bye.code, bye.again) == ("banned", False)
        assert bye.text == text
        await here.reach([ann], lambda view: not view.playing)
        assert told(ann)[-1] == "The operator bans Mallory for 2 h: rude to Ben."
        await (await here.connect("Ben")).join()
        for message in (
            msg.Join("Mallory", mallory.token, "main"),  # the seat again
            msg.Join("Zoe", mallory.token, "main"),  # under another name
            msg.Join("Ma1lory", b"\6" * 32, "main"),  # a name that looks alike
            msg.Join("Mallory", b"\6" * 32, wait=True),  # the waiting list
            msg.Watch("main", name="Mallory"),
        ):
            assert banned(await asks(here, message)).startswith(
                "You are banned from this server until 2025-07-15 14:00"
            )
        assert isinstance(await asks(here, msg.Join("Cho", b"\6" * 32, wait=True)), msg.Joined)
        await here.restart()
        assert "rude to Ben" in banned(await asks(here, msg.Join("Mallory", mallory.token, "main")))
        assert await done(here, "bans") == (
            "1 Mallory, until 2025-07-15 14:00 UTC (2 h from now): rude to Ben (by the operator)"
        )
        here.system.skew = 2 * 3600 * 1000
        await done(here, "kick", "Ann")
        await done(here, "kick", "Ben")
        assert isinstance(await asks(here, msg.Join("Mallory", mallory.token, "main")), msg.Joined)
        assert await done(here, "bans") == "Nobody is banned."


async def test_a_ban_is_lifted_by_name_or_by_number(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        assert await done(here, "ban", "Mallory") == "Mallory is banned for good. Nobody of that name is here."
        assert "Did you mean Ann?" in await done(here, "ban", "Anm", "for", "30min")
        await done(here, "ban", "Trudy", "for", "cheating")
        assert (await done(here, "bans")).splitlines() == [
            "1 Mallory, for good (by the operator)",
            "2 Anm, until 2025-07-15 12:30 UTC (30 min from now) (by the operator)",
            "3 Trudy, for good: for cheating (by the operator)",
        ]
        assert (
            await done(here, "ban", "mallory", "again")
            == "mallory is banned for good: again. Nobody of that name is here."
        )
        assert len((await done(here, "bans")).splitlines()) == 3
        assert await refused(here, "unban", "9") == "There is no ban of 9. The word bans lists them."
        assert await refused(here, "unban", "Trudi") == (
            "There is no ban of Trudi. Did you mean Trudy? The word bans lists them."
        )
        assert await done(here, "unban", "1") == "Anm may come back."
        assert await done(here, "unban", "trudy") == "Trudy may come back."
        await here.settle([ann])
        assert told(ann)[-2:] == ["The operator lifts the ban of Anm.", "The operator lifts the ban of Trudy."]
        assert isinstance(await asks(here, msg.Join("Trudy", b"\6" * 32)), msg.Joined)
        assert banned(await asks(here, msg.Join("Mallory", b"\6" * 32)))
        for words, text in (
            (("ban", "!"), "A name has only letters, digits, spaces and - _ . '"),
            (("ban", "#1"), "There is no spectator #1; the word players lists them."),
            (("ban", "Zoe", "for", "0", "h"), "A time is a minute at least, and ten years at most."),
            (("ban", "Zoe", "for", "999999", "weeks"), "A time is a minute at least, and ten years at most."),
        ):
            assert await refused(here, *words) == text


async def test_an_address_is_banned_only_when_it_is_asked_for_and_is_nobody_elses(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, players=4, **RAZZ)) as here:
        ann, mallory = await here.seated("Ann", "Mallory")
        assert await refused(here, "ban", "Mallory", "--address") == (
            "From 192.0.2.1 also come: Ann. They would be banned, too; ban the name alone, or kick them first."
        )
        here.address = "2001:db8::17"
        trudy, watcher = await here.connect("Trudy"), await here.connect()
        await trudy.join()
        await done(here, "ban", "Trudy")
        assert isinstance(await asks(here, msg.Join("Zoe", b"\6" * 32)), msg.Joined)  # only the name was banned
        await watcher.watch()
        await trio.sleep(1)
        assert await refused(here, "ban", "#1") == (
            "That spectator has no name; ban the address with --address, or kick them."
        )
        await done(here, "kick", "Zoe")
        assert await done(here, "ban", "#1", "--address", "for", "1", "day", "spies") == (
            "everybody from 2001:db8::/64 is banned for 1 day: spies."
        )
        assert "spies" in (await last_word(watcher)).text
        here.address = "2001:db8::99"
        for message in (msg.Watch(), msg.Join("Oscar", b"\4" * 32)):
            assert "spies" in banned(await asks(here, message))
        await done(here, "unban", "2001:db8::/64")
        assert isinstance(await asks(here, msg.Watch()), msg.Snapshot)
        here.address = "127.0.0.1"
        await (await here.connect("Eve")).join()
        assert await refused(here, "ban", "Eve", "--address") == (
            "Eve comes from this machine itself; its address is not banned."
        )
        await ann.close()
        await trio.sleep(1)
        assert "Ann is not connected" in await refused(here, "ban", "Ann", "--address")
        await here.settle([mallory])


async def test_whoever_waits_for_a_seat_and_is_banned_gets_none(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, seats=2, players=2, **RAZZ)) as here:
        await here.seated("Ann", "Ben")
        mallory = await here.connect("Mallory")
        await mallory.send(msg.Join("Mallory", mallory.token, wait=True))
        await mallory.expect(msg.Joined)
        assert "Mallory is banned for good." in await done(here, "ban", "Mallory")
        assert (await last_word(mallory)).code == "banned"
        await done(here, "kick", "Ben")
        await trio.sleep(300)
        assert "Mallory" not in [player.name for player in here.table.state.view.players()]


async def test_a_stranger_is_not_told_at_a_closed_door_who_is_banned(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(password=make_verifier("sesame"), **RAZZ)) as here:
        await done(here, "ban", "Mallory")
        answer = await asks(here, msg.Join("Mallory", b"\6" * 32))
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "bad_password"


async def test_a_list_edited_by_hand_counts_at_the_next_start_and_a_damaged_one_lets_no_server_start(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here:
        await done(here, "ban", "Trudy")
        put_file(here.disk, LIST, b'[[ban]]\nname = "Mallory"\ncontact = "Ben"\n')
        assert isinstance(await asks(here, msg.Join("Mallory", b"\6" * 32)), msg.Joined)
        await here.restart()
        assert banned(await asks(here, msg.Join("Mallory", b"\6" * 32))).endswith("ask Ben.")
        put_file(here.disk, LIST, b"[[ban\n")
        assert "Until then the list counts that was read before" in await refused(here, "bans")
        assert (await refused(here, "ban", "Oscar")).startswith("Nothing is changed. /data/bans.toml: ")
        assert banned(await asks(here, msg.Join("Mallory", b"\6" * 32)))


async def test_bans_by_two_hosts_at_once_both_count(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, **RAZZ)) as here, trio.open_nursery() as nursery:
        here.system.slow = 0.5
        nursery.start_soon(obey, here, "ban", "Mallory")
        nursery.start_soon(obey, here, "ban", "Trudy")
        await trio.sleep(10)
        assert {ban.name for ban in here.server.lobby.bans.bans()} == {"Mallory", "Trudy"}
        await here.restart()
        assert {ban.name for ban in here.server.lobby.bans.bans()} == {"Mallory", "Trudy"}


async def test_a_server_with_a_damaged_list_does_not_start(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("[[ban\n")
    with pytest.raises(ExceptionGroup) as group:
        async with running(config(tmp_path)):
            pass
    assert group.group_contains(ConfigError, match="mend the file, or move it away", depth=None)


async def test_a_table_that_stands_still_keeps_nobody_else_from_being_banned(autojump_clock: MockClock) -> None:
    tables = tuple([TableConfig(id=name, games=("razz",)) for name in ("kitchen", "den")])
    async with simulated_server(Config(plain_tcp=True, data_dir="/data", seed="x", table=tables)) as here:
        mallory = await here.connect("Mallory")
        await mallory.join("den")
        here.server.lobby.tables["kitchen"].pipeline.halt("breach")
        said = await done(here, "ban", "Mallory")
        assert "Not told at kitchen: This table has stopped" in said
        assert "The seat at den is free" in said
        assert (await last_word(mallory)).code == "banned"


async def test_fault_87_the_banned_take_no_place_from_others(autojump_clock: MockClock) -> None:
    limits = Limits(connections=1, hello=5.0)
    async with simulated_server(settings(limits=limits, players=3, **RAZZ)) as here:
        (mallory,) = await here.seated("Mallory")
        await done(here, "ban", "Mallory")
        await last_word(mallory)
        knocking = await here.connect("Mallory")
        await knocking.send(msg.Join("Mallory", mallory.token))
        assert banned(await knocking.next())
        assert (await last_word(knocking)).code == "hello_slow"  # they were not let in, whatever their token
        await (await here.connect("Ann")).join()


# ----------------------------------------------------------------------------- mute


async def test_the_muted_play_on_and_nobody_hears_them_until_the_time_is_over(autojump_clock: MockClock) -> None:
    limits = Limits(idle=1e6, say_burst=100)
    async with simulated_server(settings(limits=limits, players=3, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        assert await done(here, "mute", "ben", "for", "1", "h", "jokes") == "Ben is muted for 1 h: jokes."
        for _ in range(2):  # a kill in between changes nothing
            await ben.send(msg.Say("one more joke"))
            refusal = await ben.expect(msg.Rejected)
            assert refusal.code == "muted"
            assert refusal.text.startswith("You are muted on this server until 2025-07-15 13:00 UTC")
            assert "Reason: jokes." in refusal.text
            await here.restart()
            ann, ben = await here.back([ann, ben])
        assert "1 Ben, only muted, until 2025-07-15 13:00" in await done(here, "bans")
        assert await refused(here, "unban", "Ben") == "There is no ban of Ben. The word bans lists them."
        assert await refused(here, "unmute", "An") == "An is not muted."
        await ann.send(msg.Say("peace"))
        await trio.sleep(1)
        here.system.skew = 3600 * 1000
        await ben.send(msg.Say("at last"))
        await trio.sleep(1)
        await here.settle([ann])
        assert [event.text for event in happened(ann, Said)][-2:] == ["peace", "at last"]
        await done(here, "mute", "Ben")
        assert await done(here, "unmute", "ben") == "Ben may talk again."
        await ben.send(msg.Say("thanks"))
        await trio.sleep(1)
        await here.settle([ann])
        assert [event.text for event in happened(ann, Said)][-3:] == [
            "The operator mutes Ben.", "The operator lets Ben talk again.", "thanks",
        ]  # fmt: skip


async def test_a_spectator_who_may_talk_is_muted_by_name(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3, spectator_chat=True, **RAZZ)) as here:
        (ann,) = await here.seated("Ann")
        cho = await here.connect("Cho")
        await cho.send(msg.Watch(name="Cho"))
        await cho.expect(msg.Snapshot)
        await cho.send(msg.Say("hello"))
        await trio.sleep(1)
        await done(here, "mute", "Cho")
        await trio.sleep(1)
        await cho.send(msg.Say("hello?"))
        assert (await cho.expect(msg.Rejected)).code == "muted"
        await here.settle([ann])
        assert [event.text for event in happened(ann, Said)] == ["hello", "The operator mutes Cho."]


# ------------------------------------------------------------- by a host at the table


async def test_a_host_at_a_table_bans_from_that_table_alone(autojump_clock: MockClock) -> None:
    razz: dict[str, Any] = {"games": ("razz",), "players": 4}
    tables = (TableConfig(id="kitchen", **razz), TableConfig(id="den", **razz))
    room = Config(plain_tcp=True, data_dir="/data", seed="x", limits=Limits(say_burst=100), table=tables)
    async with simulated_server(room) as here:
        ann, mallory, stranger = [await here.connect(name) for name in ("Ann", "Mallory", "Ben")]
        await ann.join("kitchen")
        await mallory.join("kitchen")
        await stranger.join("den")
        await done(here, "host", "Ann", "kitchen")
        await done(here, "ban", "Trudy", "strangers")
        for words, text in (
            ("kick Ben", "There is no Ben at kitchen."),
            ("kick Ben at den", "There is no table den."),
            ("ban Mallory --address", "Addresses are banned by whoever runs the server."),
            ("bans", "Nobody is banned."),
            ("unban Trudy", "There is no ban of Trudy. The word bans lists them."),
            ("ban Mallory for 1 h rude", "Mallory is banned at kitchen for 1 h: rude. "),
        ):
            await ann.send(msg.HostWord(words))
            answer = (await ann.expect(msg.HostAnswer)).text
            assert answer.startswith(text), answer
        assert (await last_word(mallory)).text.startswith("You are banned from this table until 2025-07-15 13:00 UTC")
        assert told(ann)[-1] == "Ann bans Mallory at kitchen for 1 h: rude."
        assert "rude" in banned(await asks(here, msg.Join("Mallory", mallory.token, "kitchen")))
        assert isinstance(await asks(here, msg.Join("Mallory", mallory.token, "den")), msg.Joined)
        assert "2 Mallory at kitchen, until" in await done(here, "bans")
        await ann.send(msg.HostWord("unban Mallory"))
        assert (await ann.expect(msg.HostAnswer)).text == "Mallory may come back."
        assert isinstance(await asks(here, msg.Join("Mallory", mallory.token, "kitchen")), msg.Joined)
