"""`/livez`, `/readyz` and `/metrics`."""

import http.client
import re
import socket
from pathlib import Path
from typing import Any

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families
from trio.testing import MockClock

from protocol.wire import messages as msg
from server.app import health as module
from server.app.health import LOOK_AT_LOOP, SLOW_DISK, Health, health_listeners
from server.app.metrics import metrics_text
from server.app.operator_log import silent
from server.config.config import Config
from server.errors import ConfigError
from server.storage.durations import BOUNDS, Durations
from server.web.http_server import Request
from tests.support.limits import LIMIT
from tests.support.loopback_server import config, running
from tests.support.paths import DOCS
from tests.support.ryo_process import RyoProcesses
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}


def values(text: bytes) -> dict[str, float]:
    """The samples, by their names and labels."""
    found = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            labels = "".join(f" {key}={value}" for key, value in sorted(sample.labels.items()))
            found[sample.name + labels] = sample.value
    return found


def health_of(here: SimulatedServer) -> Health:
    return Health(here.server, settings(), silent())


async def test_fault_84_metrics_are_numbers_of_the_tables_and_name_nobody(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=2, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        spectator = await here.connect("Eve")
        await spectator.watch()
        await here.reach(players, lambda view: view.hand == 2)
        await players[0].send(msg.Join("Ann", b"x" * 32))
        await (await here.connect("Dov")).send(msg.Join("Ann", b"x" * 32))
        await trio.sleep(1)
        text = metrics_text(here.server, 0.25)
        told = values(text)
        step = here.table.state.seq
    assert told["ryo_tables state=playing"] == 1
    assert told["ryo_tables state=halted"] == 0
    assert (told["ryo_seats state=taken"], told["ryo_seats state=free"]) == (2, 6)
    assert (told["ryo_players_connected"], told["ryo_spectators"]) == (2, 1)
    assert told["ryo_connections state=admitted"] == 4
    assert told["ryo_hands_total"] == 2
    assert 5 < told["ryo_actions_total"] < step
    assert told["ryo_refused_joins_total"] == 2
    assert told["ryo_durable_seconds_count"] > told["ryo_actions_total"]
    assert told["ryo_durable_seconds_bucket le=+Inf"] == told["ryo_durable_seconds_count"]
    assert told["ryo_loop_lag_seconds"] == 0.25
    assert not any(secret in text for secret in (b"Ann", b"Ben", b"Eve", b"192.0.2", b"main"))


def test_the_page_for_hosts_has_every_metric() -> None:
    async def names() -> set[str]:
        async with simulated_server() as here:
            text = metrics_text(here.server, 0.0).decode()
            return set(re.findall(r"^# HELP (\S+)", text, re.MULTILINE))

    page = (DOCS / "hosting.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(ryo_\w+)` \|", page, re.MULTILINE)) == trio.run(names)


async def test_fault_77_a_loop_that_stood_still_shows_for_a_quarter_of_a_minute(autojump_clock: MockClock) -> None:
    async with simulated_server() as here, trio.open_nursery() as nursery:
        health = health_of(here)
        nursery.start_soon(health.run, health_listeners(Config(health="127.0.0.1:0")))
        await trio.sleep(1 + LOOK_AT_LOOP / 2)
        assert health.loop_lag < 0.01
        autojump_clock.jump(0.5 + LOOK_AT_LOOP / 2)  # something keeps the loop from looking
        await trio.sleep(0.01)
        assert 0.4 < health.loop_lag <= 0.51
        await trio.sleep(10)
        assert values(metrics_text(here.server, health.loop_lag))["ryo_loop_lag_seconds"] > 0.4
        await trio.sleep(10)
        assert health.loop_lag < 0.01
        nursery.cancel_scope.cancel()


def test_a_duration_counts_at_the_bound_that_it_does_not_exceed() -> None:
    durations = Durations()
    for seconds in (0.0, 0.0005, 0.0006, 99.0):
        durations.add(seconds)
    assert (durations.counts[0], durations.counts[1], durations.counts[-1]) == (2, 1, 1)
    assert len(durations.counts) == len(BOUNDS) + 1
    assert durations.total == pytest.approx(99.0011)


async def test_fault_57_a_server_is_ready_while_guests_can_come_and_play(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, **RAZZ)) as here:
        health = health_of(here)
        assert health.problems() == ["The server does not listen yet."]
        here.server.addresses = ["192.0.2.9:7719"]
        assert health.problems() == []
        assert (await health.respond(Request("/readyz", {}))).body == b"ready\n"
        here.system.slow = 30.0
        guest = await here.connect("Ann")
        await guest.send(msg.Join("Ann", b"a" * 32))
        await trio.sleep(SLOW_DISK + 1)
        answer = await health.respond(Request("/readyz", {}))
        assert (answer.status, answer.body) == (503, b"The disk is slow, or stuck.\n")
        await trio.sleep(60)
        assert health.problems() == []
        here.server.shutdown.drain()
        assert health.problems() == ["The server is about to stop."]
        here.table.pipeline.halt("breach")
        assert health.problems() == ["No table plays.", "The server is about to stop."]
        assert (await health.respond(Request("/livez", {}))).status == 200
        assert (await health.respond(Request("/", {}))).status == 404


async def test_a_folder_that_cannot_be_written_or_is_full_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(config(tmp_path)) as house:
        health = Health(house.server, config(tmp_path), silent())
        assert module._problem_of_disk(str(tmp_path / "hands")) == ""
        monkeypatch.setattr(module, "has_room", lambda folder: False)
        assert module._problem_of_disk(str(tmp_path / "hands")) == "The disk has no room for another hand."
        assert module._problem_of_disk(str(tmp_path / "none")) == ""
        assert health.problems() == []


@pytest.mark.parametrize("place", ["7720", "127.0.0.1", "localhost:http", "example.org:80", "127.0.0.1:70000", ":1"])
def test_an_address_that_is_none_is_named(place: str) -> None:
    with pytest.raises(ConfigError, match="health must be ADDRESS:PORT like"):
        Config(health=place).check()


def test_addresses_that_are_taken() -> None:
    assert Config().health_address() is None
    assert Config(health="localhost:7720").health_address() == ("127.0.0.1", 7720)
    assert Config(health="[::1]:0").health_address() == ("::1", 0)


@pytest.mark.slow
def test_the_program_answers_on_its_port_and_names_one_that_is_in_use(ryo: RyoProcesses, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.listen()
        where = ("--bind", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path / "data"))
        done = ryo.run(tmp_path, "serve", *where, "--health", f"127.0.0.1:{port}")
        assert done.code == 78
        assert f"Port {port} is in use on 127.0.0.1" in done.err
        assert done.err.rstrip().endswith("with health.")
    server = ryo.start(tmp_path, "serve", *where, "--health", f"127.0.0.1:{port}", module="server")
    server.line("ryo join")
    for path, status in (("livez", 200), ("readyz", 200), ("metrics", 200), ("nothing", 404)):
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        client.request("GET", f"/{path}")
        assert client.getresponse().status == status
        client.close()
    server.type("stop\n")
    assert server.finish() == 0
