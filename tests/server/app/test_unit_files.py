"""The systemd units that `ryo unit` prints: what they name exists, and systemd finds no fault with them."""

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

from server.app import unit_files
from server.config.config import load
from server.errors import EXIT_CONFIG, EXIT_USAGE
from tests.support.limits import LIMIT
from tests.support.ryo_process import RyoProcesses

MOST_EXPOSURE = 1.5
"""Of `systemd-analyze security`, from 0 to 10; what is left is the network, which a server needs."""
needs_systemd = pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def analyze(*arguments: str) -> str:
    """What systemd-analyze says; it must find no fault."""
    command = ["systemd-analyze", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit of one room, with a program that exists everywhere."""
    path = tmp_path / "ryo@family.service"
    path.write_text(unit_files.service("/bin/true"))
    return path


@needs_systemd
def test_systemd_finds_no_fault_with_the_units(unit: Path) -> None:
    (unit.parent / "ryo@.service").write_text(unit.read_text())
    (unit.parent / "ryo@.socket").write_text(unit_files.socket(7719))
    said = analyze("verify", str(unit), str(unit.parent / "ryo@.socket"))
    assert "ryo@" not in said


@needs_systemd
def test_the_service_sees_little_more_than_its_folder_and_the_network(unit: Path) -> None:
    said = analyze("security", "--offline=true", "--threshold=100", str(unit))
    (exposure,) = re.findall(r"Overall exposure level for ryo@family.service: ([\d.]+)", said)
    assert float(exposure) <= MOST_EXPOSURE


def test_the_variables_of_the_unit_are_settings_and_its_exit_codes_ours(tmp_path: Path) -> None:
    text = unit_files.service("/opt/ryo/bin/ryo")
    assert "\nExecStart=/opt/ryo/bin/ryo serve\n" in text
    variables = dict(re.findall(r"(RYO_\w+)=(\S+)", text))
    assert variables.pop("RYO_CONFIG") == "/etc/ryo/%i.toml"
    config, origins = load(None, variables, {})
    assert origins == {"data_dir": "RYO_DATA_DIR"}
    assert config.data_dir == "/var/lib/ryo/%i"
    assert f"RestartPreventExitStatus={EXIT_USAGE} {EXIT_CONFIG}\n" in text


def test_the_verb_names_its_own_program_and_the_port(tmp_path: Path, ryo: RyoProcesses) -> None:
    service = ryo.run(tmp_path, "unit")
    assert service.code == 0
    assert re.search(r"^ExecStart=/\S+ -m rollyourown serve$", service.out, re.MULTILINE)
    socket = ryo.run(tmp_path, "unit", "--socket", "--port", "7720")
    assert "ListenStream=0.0.0.0:7720\nListenStream=[::]:7720\n" in socket.out


@pytest.mark.parametrize(
    ("command", "home"),
    [("/opt/ryo/bin/ryo", False), ("/home/ann/.local/bin/ryo", True), ("/root/venv/bin/ryo", True)],
)
def test_a_program_in_a_home_is_not_seen_by_its_service(command: str, home: bool) -> None:
    assert unit_files.in_a_home(command) == home
