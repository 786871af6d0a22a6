"""The words of the host at a table: a seat is freed or given back (trap A35), an absent player passed over (A40)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol.commands import GiveBack, TimeUp
from protocol.events import Acted, Said
from protocol.table_rules import Clocks
from protocol.view import TableView
from protocol.wire import messages as msg
from server.config.passwords import make_verifier
from server.errors import WordRefused
from server.table.seat_promises import PROMISE_SECONDS
from tests.support.loopback_server import WireClient
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

NO_CLOCKS = Clocks(bet=0, choose=0, arrange=0, declare=0, bank=0, result=0, grace=0)
CLOCKS = Clocks(bet=20, choose=20, arrange=20, declare=20, bank=0, result=0, grace=0)
RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never", "players": 3, "clocks": CLOCKS}
NEW = b"\7" * 32


def in_the_hand(view: TableView) -> bool:
    return view.hand == 1 and len(view.seats[2].up) == 2


async def obey(here: SimulatedServer, word: str, *arguments: str) -> str:
    """What the host reads."""
    job: Callable[..., str] = getattr(here.table.host_words, word)
    return await here.table.obey(partial(job, *arguments))


async def refused(here: SimulatedServer, word: str, *arguments: str) -> str:
    seq = here.table.state.seq
    with pytest.raises(WordRefused) as error:
        await obey(here, word, *arguments)
    assert here.table.state.seq == seq, "nothing has changed"
    return str(error.value)


async def promised(here: SimulatedServer, name: str) -> str:
    """Gives a seat back; the word that the host reads."""
    said = await obey(here, "give_back", name)
    return next(part for part in said.split() if part[4:5] == "-")


async def ask_for_seat(here: SimulatedServer, name: str, token: bytes, **message: Any) -> msg.FromServer:
    """What somebody with that token is answered."""
    client = await here.connect(name, token)
    await client.send(msg.Join(name, token, "main", **message))
    answer = await client.next()
    if not isinstance(answer, msg.Joined):
        await client.close()
    return answer


def said(client: WireClient) -> list[str]:
    """What the house has said to that client."""
    events = [event for message in client.inbox if isinstance(message, msg.Events) for event in message.events]
    return [event.text for event in events if isinstance(event, Said) and not event.name]


async def three(here: SimulatedServer) -> tuple[WireClient, WireClient, WireClient]:
    """Three players in a hand; then the third one loses the connection and, with the computer, the key."""
    ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
    await here.reach([ann, ben, cho], in_the_hand)
    await cho.close()
    await trio.sleep(1)
    return ann, ben, cho


@pytest.mark.parametrize("spelled", ["plain", "capitals", "invitation"])
async def test_trap_A35_the_host_gives_a_seat_back_in_the_middle_of_a_hand(
    autojump_clock: MockClock, spelled: str
) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        ann, ben, cho = await three(here)
        cards = here.table.state.view.seat(3).down
        word = await promised(here, "cho")
        key: dict[str, Any] = {
            "invite" if spelled == "invitation" else "password": word.upper() if spelled == "capitals" else word
        }
        again = await here.connect("Cho", NEW)
        await again.send(msg.Join("Cho", NEW, "main", **key))
        again.seat = (await again.expect(msg.Joined)).seat
        view = (await again.expect(msg.Snapshot)).view
        assert (again.seat, view.seat(3).down) == (3, cards)
        await here.reach([ann, ben, again], lambda view: view.hand == 2)
        for client in (ann, ben):
            assert said(client) == ["Cho has lost the key of the seat, and gets it back by the host's word."]
        assert here.table.state.view.chips() == 300
        # The word was for once, and the lost token is worth nothing.
        for token, password in ((b"\x08" * 32, word), (cho.token, word), (cho.token, "")):
            answer = await ask_for_seat(here, "Cho", token, password=password)
            assert isinstance(answer, msg.Rejected)
            assert answer.code == "name_taken"
        await here.restart()
        (again,) = await here.back([again])
        assert again.seat == 3


async def test_trap_A35_the_host_gives_kept_chips_back(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        ann, ben, _ = await three(here)
        assert "when this hand is over" in await obey(here, "free", "Cho")
        await here.reach([ann, ben], lambda view: view.hand == 2)
        chips = next(chips for _, chips in here.table.state.kept.values())
        word = await promised(here, "Cho")
        answer = await ask_for_seat(here, "Cho", NEW, password=word, chips=1000)
        assert isinstance(answer, msg.Joined)
        assert (here.table.state.view.seat(3).name, here.table.state.view.seat(3).chips) == ("Cho", chips)
        assert not here.table.state.kept
        assert here.table.state.view.chips() == 300


async def test_trap_A35_without_the_hosts_word_a_name_gives_no_seat(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        _, ben, cho = await three(here)
        answer = await ask_for_seat(here, "Cho", NEW)
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "name_taken"
        assert "the host can give the seat back" in answer.text
        answer = await ask_for_seat(here, "Ann", NEW)
        assert isinstance(answer, msg.Rejected)
        assert "the host" not in answer.text, "she is there"
        await trio.sleep(60)  # tries are limited
        word = await promised(here, "Cho")
        for name, password in (("Cho", ""), ("Cho", "aaaa-aaaa"), ("Cho", word[:-1]), ("Cho", "é" + word)):
            answer = await ask_for_seat(here, name, NEW, password=password)
            assert isinstance(answer, msg.Rejected)
            assert answer.code == "bad_password", "a client asks for the word then"
        await trio.sleep(60)  # tries are limited
        answer = await ask_for_seat(here, "Ann", NEW, password=word)  # the word is for one name
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "name_taken"
        answer = await ask_for_seat(here, "Cho", ben.token, password=word)  # and not for somebody who has a seat
        assert isinstance(answer, msg.Joined)
        assert answer.seat == 2
        assert here.table.state.tokens[3] != here.table.state.tokens[2]
        (cho,) = await here.back([cho])
        assert cho.seat == 3, "the key that was not lost still counts"


async def test_trap_A35_a_promise_ends_with_its_time_or_when_the_player_is_back(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        _, _, cho = await three(here)
        word = await promised(here, "Cho")
        (cho,) = await here.back([cho])
        assert "Cho is connected" in await refused(here, "give_back", "Cho")
        await cho.close()
        await trio.sleep(1)
        for wait, code in ((0.0, "name_taken"), (PROMISE_SECONDS, "name_taken")):
            await trio.sleep(wait)
            answer = await ask_for_seat(here, "Cho", NEW, password=word)
            assert isinstance(answer, msg.Rejected)
            assert answer.code == code
            word = await promised(here, "Cho")
        assert isinstance(await ask_for_seat(here, "Cho", NEW, password=word), msg.Joined)


async def test_trap_A35_the_word_opens_a_closed_table_and_a_full_server(autojump_clock: MockClock) -> None:
    limits = replace(PATIENT, connections=3)
    password = make_verifier("open sesame")
    async with simulated_server(settings(limits=limits, **RAZZ)) as here:
        await three(here)
        here.server.lobby.access.protect("main", here.server.lobby.access._rules["main"]._replace(verifier=password))
        word = await promised(here, "Cho")
        stranger = await here.connect("Dov")
        answer = await ask_for_seat(here, "Cho", NEW, password=word)
        assert isinstance(answer, msg.Joined)
        await stranger.close()
        answer = await ask_for_seat(here, "Cho", b"\x08" * 32, password=word)
        assert isinstance(answer, msg.Rejected)
        assert answer.code != "name_taken", "once: a stranger with the word is a stranger"


async def test_trap_A35_every_promise_has_a_word_of_its_own_and_the_last_one_counts(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        await three(here)
        first, last = await promised(here, "Cho"), await promised(here, "Cho")
        assert first != last
        answer = await ask_for_seat(here, "Cho", NEW, password=first)
        assert isinstance(answer, msg.Rejected)
        assert answer.code == "bad_password"
        assert isinstance(await ask_for_seat(here, "Cho", NEW, password=last), msg.Joined)


async def test_trap_A35_what_the_host_did_is_in_the_journal(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        await three(here)
        lost = here.table.state.tokens[3]
        word = await promised(here, "Cho")
        await ask_for_seat(here, "Cho", NEW, password=word)
        commands = [step.command for step in here.table.pipeline._recent if isinstance(step.command, GiveBack)]
        why = "Cho has lost the key of the seat, and gets it back by the host's word."
        assert commands == [GiveBack("Cho", lost, here.table.state.tokens[3], why)]
        assert word.encode() not in here.disk.read_all(here.table.journal_path)


async def test_only_a_player_who_is_not_there_loses_a_seat(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        await three(here)
        for word in ("free", "give_back"):
            assert "Ann is connected" in await refused(here, word, "Ann")
            assert await refused(here, word, "Cha") == "There is no Cha at main. Did you mean Cho?"
            assert await refused(here, word, "Zoe") == "There is no Zoe at main."
        await obey(here, "free", "Cho")
        assert "already" in await refused(here, "free", "Cho")


async def test_trap_A40_with_clocks_off_the_host_passes_over_an_absent_player(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, misses=1, **{**RAZZ, "clocks": NO_CLOCKS})) as here:
        ann, ben, _ = await three(here)
        await here.reach([ann, ben], lambda view: view.seat(3).pending is not None)
        await trio.sleep(1800)
        view = here.table.state.view
        assert view.seat(3).pending is not None, "nobody passes over them"
        assert "is asked to bet or fold, without a clock" in "".join(here.table.host_words.players())
        assert await obey(here, "pass_over", "cho") == "Cho is passed over."
        await here.settle([ann, ben])
        assert said(ann)[-1] == "The host passes over Cho."
        events = [event for message in ann.inbox if isinstance(message, msg.Events) for event in message.events]
        acted = [event for event in events if isinstance(event, Acted) and event.seat == 3]
        assert (acted[-1].action, acted[-1].cause) in (("fold", "timeout"), ("check", "timeout"))
        while not here.table.state.view.seat(3).away:
            await here.reach([ann, ben], lambda view: view.seat(3).away or view.seat(3).pending is not None)
            if here.table.state.view.seat(3).pending is not None:
                await obey(here, "pass_over", "Cho")
        commands = [type(step.command) for step in here.table.pipeline._recent]
        assert TimeUp in commands
        await here.reach([ann, ben], lambda view: view.hand == 3)  # and is not waited for any more


async def test_trap_A40_an_absent_dealer_who_has_to_choose_the_game_is_passed_over(autojump_clock: MockClock) -> None:
    choice: dict[str, Any] = {**RAZZ, "games": ("plainrazz", "stud"), "change": "dealer", "clocks": NO_CLOCKS}
    async with simulated_server(settings(limits=PATIENT, **choice)) as here:
        ann, ben, cho = await here.seated("Ann", "Ben", "Cho")
        (dealer,) = here.table.state.pending
        away = (ann, ben, cho)[dealer - 1]
        await away.close()
        await trio.sleep(600)
        assert len(here.table.state.pending) == 1
        assert "is asked to choose the game, without a clock" in "".join(here.table.host_words.players())
        assert await obey(here, "pass_over", away.name) == f"{away.name} is passed over."
        assert here.table.state.view.hand == 1


async def test_trap_A40_nobody_is_passed_over_whose_clock_runs_or_who_is_not_asked(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben", "Cho")
        await here.reach(players, in_the_hand)
        (asked,) = [player for player in players if player.pending is not None]
        assert "their clock runs" in await refused(here, "pass_over", asked.name)
        other = next(player for player in players if player is not asked)
        assert "not asked" in await refused(here, "pass_over", other.name)


async def test_a_table_that_has_stopped_obeys_no_word(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        await three(here)
        here.disk.room = 0
        with pytest.raises(WordRefused, match="disk takes no more"):
            await obey(here, "say", "hello")
        with pytest.raises(WordRefused, match="disk takes no more"):
            await obey(here, "free", "Cho")


async def test_a_disk_that_hangs_is_said_to_the_host(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        await three(here)
        here.system.slow = 60.0
        with pytest.raises(WordRefused, match="within 10 seconds"):
            await obey(here, "say", "hello")
