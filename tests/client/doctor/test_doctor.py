"""`ryo doctor`: what it looks at, what it says, and what stands in its report."""

import getpass
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from client.doctor.disk import disk
from client.doctor.examination import report, scrubbed
from client.doctor.finding import Finding
from client.doctor.network import firewall
from client.doctor.program import settings
from client.doctor.terminal import colours, judge_size
from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.ryo_process import RyoProcesses, port_of

SECRET = "opensesame"


def state(findings: list[Finding], area: str) -> tuple[str, str]:
    """The state and the advice of the finding about that."""
    (found,) = [one for one in findings if one.area == area]
    return found.state, found.advice


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.slow
def test_without_a_server_every_line_has_a_state_and_there_is_a_report(ryo: RyoProcesses, tmp_path: Path) -> None:
    where = ("--data-dir", str(tmp_path / "data"))
    done = ryo.run(tmp_path, "doctor", *where, RYO_PORT=str(free_port()), COLUMNS="80")
    assert (done.code, done.err) == (0, "")
    checks, _, told = done.out.partition("\nFor a report, from here to the end:\n")
    lines = [line for line in checks.splitlines() if not line.startswith(" ")]
    assert {line.split()[0] for line in lines} <= {"ok", "warning"}
    assert all(len(line) <= 80 for line in done.out.splitlines())
    for area in ("program", "settings", "terminal", "clock", "folder", "speed", "port", "addresses", "discovery"):
        assert any(line.split()[1] == area for line in lines), area
        assert f"  {area}: " in told
    assert not (tmp_path / "data").exists()  # it changes nothing


@pytest.mark.slow
def test_a_running_server_is_seen_and_not_disturbed(ryo: RyoProcesses, tmp_path: Path) -> None:
    with ryo.serving(tmp_path, "-v") as (server, link):
        done = ryo.run(tmp_path, "doctor", "--json", "--data-dir", str(tmp_path / "server"), RYO_BIND="")
        answer = json.loads(done.out)
        found = {check["area"]: check for check in answer["checks"]}
        assert found["port"]["text"] == f"A server of yours runs with these settings, on port {port_of(link)}."
        assert found["discovery"]["text"] == "Finding each other on the network is switched off (lan)."
        if sys.platform == "linux":
            assert found["lock"]["fact"] == "in use"
        assert "connection.stranger" not in server.err
        assert "error" not in server.err
        assert answer["ok"] == (done.code == 0)


@pytest.mark.slow
def test_faults_are_named_and_end_it_with_1(ryo: RyoProcesses, tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text("prot = 1\n")
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        done = ryo.run(tmp_path, "doctor", "--config", str(tmp_path / "server.toml"), COLUMNS="100")
        assert done.code == 1
        assert "Did you mean port?" in " ".join(done.out.split())
        port = taken.getsockname()[1]
        done = ryo.run(tmp_path, "doctor", "--json", RYO_PORT=str(port))
    assert done.code == 1
    (found,) = [check for check in json.loads(done.out)["checks"] if check["state"] == "fault"]
    assert found["text"].startswith(f"Port {port} is in use")


@pytest.mark.slow
def test_fault_84_the_report_of_the_doctor_names_nobody(ryo: RyoProcesses, tmp_path: Path) -> None:
    home = tmp_path / "barney-miller"
    home.mkdir()
    file = home / "server.toml"
    file.write_text(
        f'contact = "{SECRET}"\nbind = "203.0.113.77"\nlog_file = "/var/log/{SECRET}"\n[[table]]\nname = "{SECRET}"\n'
    )
    done = ryo.run(
        home, "doctor", "--json", "--config", str(file), "--data-dir", str(home / "data"), RYO_PASSWORD=SECRET
    )
    told = "\n".join(json.loads(done.out)["report"])
    for secret in (SECRET, "barney", str(tmp_path), "203.0.113.77", socket.gethostname()):
        assert secret not in told, secret
    assert "settings: ok, " in told


def test_a_fact_that_holds_a_name_or_an_address_by_mistake_is_told_without() -> None:
    own = f"{Path.home()} {getpass.getuser()} {socket.gethostname()} 8.8.8.8 192.168.1.5 2001:4860:4860::8888 fe80::1"
    assert scrubbed(own) == "~ USER HOST ADDRESS 192.168.1.5 ADDRESS fe80::1"
    assert scrubbed("1.2.3 at 12:30, 3 x 4") == "1.2.3 at 12:30, 3 x 4"
    assert report([Finding("disk", "ok", "In /home/ann.", fact="9 MiB"), Finding("x", "ok", "")]) == [
        "disk: ok, 9 MiB",
        "x: ok",
    ]


# --------------------------------------------------------------------- one by one


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_the_folder_is_judged_by_who_may_read_it_and_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert state(list(disk(folder)), "folder") == ("ok", "")
    (folder / "hands").mkdir(parents=True, mode=0o700)
    key = folder / "identity.pem"
    key.write_text("key")
    key.chmod(0o644)
    assert state(list(disk(folder)), "folder") == ("fault", f"chmod go= {key}")
    key.chmod(0o600)
    found = list(disk(folder))
    assert [one.state for one in found] == ["ok"] * 4
    assert sorted(path.name for path in folder.iterdir()) == ["hands", "identity.pem"]
    (folder / "hands").chmod(0o777)
    assert state(list(disk(folder)), "folder")[0] == "fault"
    (folder / "hands").chmod(0o700)
    if os.geteuid() != 0:
        folder.chmod(0o500)
        assert state(list(disk(folder)), "folder")[0] == "fault"


def test_what_is_no_folder_holds_no_hands(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (found,) = disk(tmp_path / "file" / "data")
    assert (found.area, found.state) == ("folder", "fault")


@pytest.mark.parametrize(
    ("columns", "rows", "expected"), [(80, 24, "ok"), (79, 24, "warning"), (80, 23, "warning"), (200, 60, "ok")]
)
def test_the_size_of_the_terminal(columns: int, rows: int, expected: str) -> None:
    assert judge_size(columns, rows).state == expected


@pytest.mark.parametrize(
    ("environment", "expected", "fact"),
    [
        ({"TERM": "dumb"}, "warning", "dumb"),
        ({}, "warning", "none"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "ok", "off"),
        ({"TERM": "xterm-256color"}, "ok", "256"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "ok", "all"),
    ],
)
def test_the_colours_of_the_terminal(environment: dict[str, str], expected: str, fact: str) -> None:
    found = colours(environment)
    assert (found.state, found.fact.partition(",")[0]) == (expected, fact)


def test_a_firewall_is_known_by_the_files_of_its_tools(tmp_path: Path) -> None:
    ufw, firewalld = tmp_path / "ufw.conf", tmp_path / "firewalld"
    assert firewall(ufw, firewalld, 7719).state == "ok"
    firewalld.mkdir()
    assert "--add-port=7719/tcp" in firewall(ufw, firewalld, 7719).advice
    ufw.write_text("# on\nENABLED=yes\n")
    assert firewall(ufw, firewalld, 7719).advice.startswith("sudo ufw allow 7719/tcp")


def test_settings_with_a_mistake_are_a_fault_without_their_text_in_the_report(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'[[table]]\npassword = "{SECRET}"\n')
    config, found = settings(str(file), None)
    assert config is None
    assert found.state == "fault"
    assert SECRET not in found.text + found.fact


@pytest.mark.slow
@needs_terminal
def test_a_newcomer_at_80x24_reads_it_on_a_terminal(tmp_path: Path) -> None:
    with on_terminal(tmp_path, "doctor", "--data-dir", str(tmp_path / "data")) as child:
        child.expect("ok       program ")
        child.expect("terminal .* columns")
        child.expect("symbols ")
        child.expect("For a report")
        assert ended(child) in (0, 1)  # the port may be in use on this machine
