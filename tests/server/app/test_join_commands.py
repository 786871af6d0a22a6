"""The commands that the host gives to the guests."""

import pytest

from server.app.join_commands import commands

ADDRESSES = ["10.0.0.7:7719", "[::1]:7719"]
PRINT = "abcdefghijklmnopqrstuvwxyz" * 2


@pytest.mark.parametrize(
    ("fingerprint", "tables", "first", "count"),
    [
        ("", {"main": ""}, "ryo join --plain-tcp 10.0.0.7:7719", 2),
        ("", {"main": "t" * 26}, "ryo join --plain-tcp ryo://10.0.0.7:7719/main#t=" + "t" * 26, 2),
        (PRINT, {"main": ""}, f"ryo join ryo://10.0.0.7:7719/main#fp={PRINT[:26]}", 2),
        (PRINT, {"main": "t" * 26}, f'ryo join "ryo://10.0.0.7:7719/main#fp={PRINT[:26]}&t={"t" * 26}"', 2),
        (PRINT, {"one": "", "two": ""}, f"ryo join ryo://10.0.0.7:7719/#fp={PRINT[:26]}", 2),
        (PRINT, {"one": "", "two": "t" * 26}, f"ryo join ryo://10.0.0.7:7719/#fp={PRINT[:26]}", 4),
    ],
)
def test_the_commands_for_guests(fingerprint: str, tables: dict[str, str], first: str, count: int) -> None:
    lines = commands(ADDRESSES, fingerprint, tables)
    assert lines[0] == first
    assert len(lines) == count
