"""`ryo play` from end to end: an embedded server, real sockets on the loopback address, bots, and the player's seat."""

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import trio

from client.bots.simple import random_legal
from client.input.decision_words import understand
from client.local_game import LocalGame, LocalGameOptions, fitting_buy_in, most_bots, narrate, server_config
from client.terminal.line_mode import run_lines
from protocol.actions import Action, Option
from protocol.events import ActionRequested, AnyEvent, HandEnded
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from replays.verify import verify
from server.config.presets import PRESETS
from server.engine.games.catalogue import BARNEYS, RAZZ_ROLL_YOUR_OWN, STUD8
from tests.support.limits import LIMIT
from tests.support.loopback_server import WireClient
from tests.support.ryo_process import RyoProcesses
from tests.support.typed_answers import typed
from tests.support.web_socket import browser_stream, fetch, web_socket

GAMES = ("barneys", "stud8", "razz")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_of_bots_plays_by_itself_and_tells(game: str, tmp_path: Path) -> None:
    local = LocalGame(LocalGameOptions(game, 3, "Ann", hands=3, data_dir=tmp_path, seed="7", pace=0.0, autopilot=True))
    told: list[str] = []
    with trio.fail_after(LIMIT):
        await narrate(local, told.append)
    assert [line.split(":")[0] for line in told if line.startswith("Hand ") and " is over" not in line] == [
        "Hand 1",
        "Hand 2",
        "Hand 3",
    ]
    assert sum(" is over: " in line for line in told) == 3
    assert [line for line in told if " is over: " in line][-1].startswith("Hand 3 ")
    assert Path(local.journal_path).parent == tmp_path / "hands"
    report = verify(Path(local.journal_path))
    assert report.ok, report.problem
    assert report.hands == 3
    assert report.replayed


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_a_person_plays_whole_hands_by_typing(game: str, tmp_path: Path) -> None:
    """Every request can be answered in words, and the answer is understood as it was meant."""
    local = LocalGame(LocalGameOptions(game, 3, "Ann", hands=4, data_dir=tmp_path, seed="3", pace=0.0))
    session = local.session
    dice = random.Random(5)
    answers, typing = trio.open_memory_channel[str](1000)
    written: list[str] = []
    done: list[AnyEvent] = []
    asked = 0

    def answer(events: object) -> None:
        nonlocal asked
        pending = session.pending
        if pending is not None and pending.seq != asked:
            asked = pending.seq
            action = random_legal(pending.request, dice)
            if action.kind == "fold" and dice.random() < 0.8:
                action = next((Action(one.kind) for one in pending.request.options if one.kind == "call"), action)
            line = typed(action, pending.request.options)
            assert understand(line, pending.request) == action
            answers.send_nowait(line)

    def note(event: AnyEvent) -> None:
        done.append(event)
        if isinstance(event, HandEnded):
            answers.send_nowait("/next")
            if not session.view.seat(1).chips:
                answers.send_nowait("/rebuy 100")

    async def keyboard() -> AsyncIterator[str]:
        async for line in typing:
            yield line

    session.on_change.append(answer)
    session.on_event.append(note)
    with trio.fail_after(LIMIT), answers, typing:
        await local.host(lambda: run_lines(session, keyboard(), written.append, kept=False))
    assert sum(isinstance(event, HandEnded) for event in done) == 4
    assert not [line for line in written if "Not understood" in line or "not your turn" in line]
    assert any(line.startswith("You hold [") for line in written)
    for line in written:
        assert line.isprintable()
    assert verify(Path(local.journal_path)).ok


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_the_same_seed_deals_the_same_cards(game: str, tmp_path: Path) -> None:
    dealt: list[str] = []
    for number, seed in enumerate(("11", "11", "12")):
        told: list[str] = []
        local = LocalGame(
            LocalGameOptions(game, 2, "Ann", 1, tmp_path / str(number), seed=seed, pace=0.0, autopilot=True)
        )
        with trio.fail_after(LIMIT):
            await narrate(local, told.append)
        dealt.append(next(line for line in told if "you are dealt" in line))
    assert dealt[0] == dealt[1]
    assert dealt[0] != dealt[2]


def test_a_person_plays_without_a_clock() -> None:
    config = server_config(LocalGameOptions("barneys", 3, "Ann"))
    clocks = config.table[0].clocks
    assert [clocks.seconds(decision) for decision in ("bet", "choose", "arrange", "declare")] == [None] * 4
    assert config.bind == "127.0.0.1"
    assert config.port == 0
    assert most_bots("barneys") == 6
    assert most_bots("stud8") == 7


def test_the_usual_buy_in_pays_for_a_hand_to_the_last_raise() -> None:
    """One round more or a larger bet needs more chips; Barney's has ten rounds of up to 5 and three raises of 5."""
    assert BARNEYS.most_cost(BARNEYS.stakes) == 1 + 10 * 4 * 5
    assert STUD8.most_cost(STUD8.stakes) == 1 + 4 * 2 + 4 * 4 * 4  # an open pair on fourth street
    assert RAZZ_ROLL_YOUR_OWN.most_cost(RAZZ_ROLL_YOUR_OWN.stakes) == 1 + 2 * 4 * 2 + 3 * 4 * 4
    assert [fitting_buy_in(game, {}) for game in ("barneys", "stud8", "razz")] == [250, 100, 100]
    assert fitting_buy_in("stud8", {"small": 20, "big": 40}) == 750
    assert fitting_buy_in("stud8", {"cap": None}) == 100
    asked = LocalGameOptions("razz", 2, "Ann", stakes={"limit": "spread", "least": 2, "most": 9}, buy_in=77)
    table = server_config(asked).table[0].rules()
    assert (table.buy_in, table.games[0].stakes.words()) == (77, "ante 1, bets 2 to 9")


def test_every_decision_can_be_typed() -> None:
    option = Option("discard", cards=(1, 2, 3), count=2)
    request = ActionRequested(1, "discard", (option,))
    for action in (Action("discard", cards=()), Action("discard", cards=(3, 1))):
        assert understand(typed(action, request.options), request) == action


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_design_6_play_without_a_terminal_tells_three_hands_and_names_the_replay(
    ryo: RyoProcesses, game: str, tmp_path: Path
) -> None:
    done = ryo.run(tmp_path, "play", "--game", game, "--data-dir", str(tmp_path))
    assert done.code == 0, done
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[0].startswith("There is no terminal here: a bot takes the seat of ")
    assert sum(line.startswith("Hand ") and "is over" in line for line in lines) == 3
    path = Path(lines[-1].removeprefix("The hands are recorded in "))
    assert path.is_file()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_plays_its_games_and_what_is_asked_for_wins(preset: str, tmp_path: Path) -> None:
    (table,) = server_config(LocalGameOptions("", 2, "Ann", preset=preset)).table
    assert list(table.games) == list(PRESETS[preset].table["games"])
    assert table.clocks.bet == PRESETS[preset].table["clocks"]["bet"]
    asked = LocalGameOptions("stud8", 2, "Ann", stakes={"big": 6, "small": 3}, buy_in=77, preset=preset)
    (table,) = server_config(asked).table
    (offer,) = table.rules().games
    assert (offer.id, offer.stakes.small, offer.stakes.big, table.buy_in) == ("stud8", 3, 6, 77)


class _Port(NamedTuple):
    """A server's port, and the clients that came to it."""

    port: int
    clients: list[WireClient]


async def test_the_players_seat_can_be_played_on_the_page(tmp_path: Path) -> None:
    """`ryo play --web`: the bots sit, the page's guest takes the seat that is left, and the game ends by its hands."""
    local = LocalGame(LocalGameOptions("razz", 2, "Ann", hands=1, data_dir=tmp_path, pace=0.0, web=True))

    async def play() -> None:
        served = _Port(int(local.link.rstrip("/").rpartition(":")[2]), [])
        status, _, _ = await fetch(await browser_stream(served))
        assert status == 200
        guest = WireClient(await web_socket(served), "Ann")
        await guest.send(msg.Hello(PROTOCOL, "page", ("told",)))
        await guest.expect(msg.Welcome)
        await guest.join()
        assert guest.seat == 1
        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest.play, 1)
            await local.session.run()
            nursery.cancel_scope.cancel()
        for client in served.clients:
            await trio.aclose_forcefully(client.stream)

    with trio.fail_after(LIMIT):
        await local.host(play)
    assert verify(Path(local.journal_path)).hands == 1


async def test_the_bots_think_with_the_minds_that_were_asked_for(tmp_path: Path) -> None:
    """They sit in their order under their names; the seats that are left get the quick house bot."""
    asked = LocalGameOptions("razz", 3, "Ann", 1, tmp_path, seed="5", pace=0.0, autopilot=True, minds=("Linus", "rock"))
    local = LocalGame(asked)
    with trio.fail_after(LIMIT):
        await narrate(local, lambda line: None)
    assert [seat.name for seat in local.session.view.players()] == ["Ann", "Linus", "Ada", "Ben"]
    assert asked.bot_minds() == ["Linus", "rock", "house"]
    assert verify(Path(local.journal_path)).ok
