"""A whole server over loopback sockets: hands, comings and goings, the orderly stop, the process."""

import io
import re
import signal
import socket
from pathlib import Path
from typing import get_args

import pytest
import trio
import trio.testing

from protocol.cards import card_text, cards_text
from protocol.events import Said
from protocol.journal.framing import scan
from protocol.view import hide
from protocol.wire import messages as msg
from server.app.operator_log import make_log
from server.app.server import serve
from server.config.config import Config
from server.config.log_level import LogFormat
from server.config.table_config import TableConfig
from server.errors import ConfigError
from server.storage.recovery import rebuild
from tests.support.loopback_server import FAST, WireClient, config, first_option, running
from tests.support.ryo_process import RyoProcesses
from tests.support.secret_events import cards_in_log, check_secret_events, decks

GAMES = ("barneys", "stud8", "razz", "stud", "studhilo", "plainrazz")


async def test_three_players_play_whole_hands_of_every_game(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=GAMES, change="hand", players=3)) as house:
        players = await house.seated("Ann", "Ben", "Cho")
        await house.play(players, hands=6)
        state = house.table.state
        assert state.view.chips() == 300
        assert state.view.hand == 6
        for player in players:
            assert player.view == hide(state.view, player.seat)


@pytest.mark.parametrize("durability", ["action", "hand", "none"])
async def test_the_journal_of_an_evening_plays_again_to_the_same_table(tmp_path: Path, durability: str) -> None:
    async with running(config(tmp_path, games=("barneys",), players=2, durability=durability)) as house:
        players = await house.seated("Ann", "Ben")
        await house.play(players, hands=2, choose=first_option)
        path = house.table.journal_path
        view = house.table.state.view
    _, state, _ = rebuild(scan(await trio.Path(path).read_bytes()).records, path)
    assert [seat.chips for seat in state.view.seats] == [seat.chips for seat in view.seats]
    assert state.view.hand == view.hand


async def test_several_tables_play_at_once_and_names_are_free_at_each(tmp_path: Path) -> None:
    tables = tuple(TableConfig(id=name, start=0.0, games=("stud8",), players=2) for name in ("red", "blue"))
    settings = Config(
        bind="127.0.0.1", port=0, data_dir=str(tmp_path), limits=FAST, table=tables, plain_tcp=True, lan=False
    )
    async with running(settings) as house:
        players: dict[str, list[WireClient]] = {}
        for table in ("red", "blue"):
            players[table] = [await house.connect(name) for name in ("Ann", "Ben")]
            for player in players[table]:
                await player.join(table)
        async with trio.open_nursery() as nursery:
            for group in players.values():
                for player in group:
                    nursery.start_soon(player.play, 2)
        assert [table.state.view.hand for table in house.server.lobby.tables.values()] == [2, 2]
        await players["red"][0].send(msg.Say("only here"))
        await players["red"][1].until(lambda view: view.seq == house.server.lobby.tables["red"].state.seq)
        said = [event for m in players["blue"][1].inbox if isinstance(m, msg.Events) for event in m.events]
        assert not any(isinstance(event, Said) for event in said)


async def test_trap_A20_A21_coming_back_at_any_moment_shows_what_the_others_see(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("barneys",), players=2)) as house:
        players = await house.seated("Ann", "Ben")
        for round_ in range(25):
            who = players[round_ % 2]
            for player in players:
                await player.until(lambda view: view.seq >= house.table.state.seq)
                asked = player.pending
                if asked is not None:
                    await player.act(first_option(asked[1]), asked[0])
                    break
            seen = who.view.seq if round_ % 3 else 0
            await who.close()
            back = await house.connect(who.name)
            if seen:
                back.view = who.view
            back.acts = who.acts
            await back.join(seen=seen)
            players[round_ % 2] = back
            await house.settle(players)
            for player in players:
                assert player.view == hide(house.table.state.view, player.seat)


async def test_fault_25_the_newer_connection_has_the_seat_and_the_older_stays_away(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        newer = await house.connect("Ann")
        await newer.join()
        last = await ann.to_the_end()
        assert isinstance(last, msg.Bye)
        assert (last.code, last.again) == ("replaced", False)
        assert newer.seat == ann.seat
        assert house.table.state.view.seat(ann.seat).online
        await house.play([newer, ben], 1)


async def test_trap_A22_no_byte_to_anybody_holds_what_is_hidden_from_them(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("barneys", "razz"), change="hand", players=3)) as house:
        players = await house.seated("Ann", "Ben", "Cho")
        spectator = await house.connect("Eve")
        await spectator.watch()
        await house.play(players, hands=2)
        await spectator.until(lambda view: view.seq >= house.table.state.seq)
        assert spectator.view == hide(house.table.state.view, None)
        for player in players:
            for digest in house.table.state.tokens.values():
                assert digest not in player.received
                assert digest not in spectator.received
            assert player.view == hide(house.table.state.view, player.seat)
        path = house.table.journal_path
    received = {player.seat: bytes(player.received) for player in players} | {0: bytes(spectator.received)}
    assert check_secret_events(path, received) >= {"cards", "arrange", "declare"}


async def test_a_player_stands_up_and_watches(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        (ann,) = await house.seated("Ann")
        await ann.send(msg.StandUp())
        await ann.until(lambda view: not view.players())
        await ann.send(msg.SitOut())
        assert (await ann.expect(msg.Rejected)).code == "not_seated"
        await ann.join()
        assert ann.seat == 1


async def test_fault_73_an_orderly_stop_tells_everybody_that_coming_back_makes_sense(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        spectator = await house.connect("Eve")
        await spectator.watch()
        house.server.stop()
        for client in (ann, ben, spectator):
            last = await client.to_the_end()
            assert isinstance(last, msg.Bye)
            assert (last.code, last.again) == ("stopping", True)


async def test_after_a_restart_everybody_is_back_at_the_same_decision(tmp_path: Path) -> None:
    settings = config(tmp_path, games=("barneys",), players=2)
    async with running(settings) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await house.settle([ann, ben])
        pending = dict(house.table.state.pending)
        down = ann.view.seat(ann.seat).down
    async with running(settings) as house:
        assert house.table.state.pending == pending
        players = await house.seated("Ann", "Ben")
        await house.settle(players)
        assert players[0].view.seat(ann.seat).down == down
        await house.play(players, 1)


async def test_a_table_without_players_begins_a_new_session(tmp_path: Path) -> None:
    settings = config(tmp_path)
    async with running(settings) as house:
        first = house.table.journal_path
    async with running(settings) as house:
        assert house.table.journal_path != first


async def test_fault_14_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    async with running(config(tmp_path)) as house:
        settings = Config(bind="127.0.0.1", port=house.port, data_dir=str(tmp_path / "b"), plain_tcp=True, lan=False)
        with pytest.raises(ConfigError, match="in use"):
            await serve(settings)
    with pytest.raises(ConfigError, match="not an address"):
        await serve(Config(bind="203.0.113.9", port=0, data_dir=str(tmp_path / "c"), plain_tcp=True, lan=False))


async def test_fault_60_a_second_server_on_the_same_tables_is_refused(tmp_path: Path) -> None:
    settings = config(tmp_path)
    async with running(settings) as house:
        await house.seated("Ann")
        with pytest.raises(Exception, match="in use by process"):
            await serve(settings)


@pytest.mark.parametrize("form", get_args(LogFormat))
async def test_fault_84_the_operators_log_has_one_line_each_and_no_secrets(tmp_path: Path, form: LogFormat) -> None:
    out = io.StringIO()
    async with running(config(tmp_path, games=("stud8",)), log=make_log(out, "debug", form)) as house:
        players = await house.seated("Ann", "Ben")
        await players[0].send(msg.Say("kings full"))
        await house.play(players, 1)
        tokens = [player.token for player in players]
        await players[0].close()
        await players[1].until(lambda view: not view.seat(1).online)
        journal = await trio.Path(house.table.journal_path).read_bytes()
    text = out.getvalue()
    assert "server.listening" in text
    assert "table.joined" in text
    assert text.isascii()
    begin = {"text": "20", "logfmt": "timestamp=20", "json": '{"timestamp": "20'}[form]
    assert all(re.match(re.escape(begin) + r"\d\d-", line) for line in text.splitlines())
    assert "kings full" not in text
    assert not any(token.hex() in text or repr(token) in text for token in tokens)
    assert cards_in_log(journal, text) == []


async def test_cards_in_a_log_would_be_found(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("stud8",))) as house:
        await house.play(await house.seated("Ann", "Ben"), 1)
        journal = await trio.Path(house.table.journal_path).read_bytes()
    (deck,) = decks(journal)
    row = deck[4:8]
    for leak in (
        cards_text(row),
        cards_text(row).replace(" ", ""),
        f"down={card_text(row[0])},",
        str(row),
        f"{list(row)}",
    ):
        assert cards_in_log(journal, f"12:00:00 info hand.dealt {leak} and Ann's name\n"), leak
    assert cards_in_log(journal, f"deck={bytes(deck).hex()}")
    assert cards_in_log(journal, "12:00:00 info hand.dealt cards=5 As2d9 seat=1 10, 20") == []


def test_the_process_tells_its_addresses_and_ends_in_order(ryo: RyoProcesses, tmp_path: Path) -> None:
    where = ("--port", "0", "--bind", "127.0.0.1", "--data-dir", str(tmp_path))
    server = ryo.start(tmp_path, "serve", *where, module="server")
    assert server.line("").startswith("ryo join ")
    server.popen.send_signal(signal.SIGTERM)
    assert server.finish() == 0
    assert list((tmp_path / "hands").glob("*-main.ryo"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--bind", "203.0.113.9"], 78),
        (["--port", "99999"], 78),
        (["--game", "holdem"], 78),
        (["--seed", "x"], 78),
        (["--config", "/nowhere/server.toml"], 78),
        (["--colour"], 2),
    ],
)
def test_fault_85_a_mistake_is_one_sentence_and_its_code(
    ryo: RyoProcesses, tmp_path: Path, arguments: list[str], code: int
) -> None:
    done = ryo.run(tmp_path, "serve", "--data-dir", str(tmp_path), *arguments, module="server")
    assert done.code == code
    assert "Traceback" not in done.err
    assert done.err.strip()


def test_fault_14_a_port_in_use_ends_the_process_with_78(ryo: RyoProcesses, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        where = ("--bind", "127.0.0.1", "--port", port, "--data-dir", str(tmp_path))
        done = ryo.run(tmp_path, "serve", *where, module="server")
    assert done.code == 78
    assert "in use" in done.err
