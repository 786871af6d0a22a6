"""The addresses of servers without encryption."""

from pathlib import Path

from client.profile.plain_servers import FILE, MOST_SERVERS, PlainServers
from protocol.wire.token_proofs import MOST_PROOFS

ONE, OTHER = b"1" * 16, b"2" * 16


def test_trap_A35_addresses_are_kept_by_server_the_last_one_at_the_end(tmp_path: Path) -> None:
    servers = PlainServers(tmp_path / "new")
    assert servers.addresses(ONE) == []
    for address in ("a:1", "b:1", "a:1"):
        servers.remember(ONE, address)
    servers.remember(OTHER, "c:1")
    assert (servers.addresses(ONE), PlainServers(tmp_path / "new").addresses(OTHER)) == (["b:1", "a:1"], ["c:1"])
    assert (tmp_path / "new" / FILE).stat().st_mode & 0o777 == 0o600


def test_the_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    servers = PlainServers(tmp_path)
    for number in range(MOST_SERVERS + 10):
        servers.remember(number.to_bytes(16, "big"), "x:1")
    for number in range(MOST_PROOFS + 3):
        servers.remember(ONE, f"host{number}:1")
    assert servers.addresses(ONE) == [f"host{number}:1" for number in range(3, MOST_PROOFS + 3)]
    assert servers.addresses((0).to_bytes(16, "big")) == []
    assert (tmp_path / FILE).stat().st_size < 20_000


def test_a_damaged_file_costs_its_content_only(tmp_path: Path) -> None:
    servers = PlainServers(tmp_path)
    for text in (b"", b"[]", b"\xff", b'{"31": 1}'):
        (tmp_path / FILE).write_bytes(text)
        assert servers.addresses(ONE) == []
        servers.remember(ONE, "a:1")
        assert servers.addresses(ONE) == ["a:1"]


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    PlainServers(tmp_path / "file").remember(ONE, "a:1")
