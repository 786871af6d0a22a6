"""The keys of the servers that this player has visited: trust on first use, an error for another key, no questions.

``known_hosts.json`` in the data directory, mode 0600: a map from ``host:port`` to the whole fingerprint (SHA-256 of
the certificate, 52 characters of base32) and the day of the first visit.
"""

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from client.errors import BadSettings
from protocol.wire.join_links import FINGERPRINT
from server.storage.atomic_file import make_private_folder, write_file

FILE = "known_hosts.json"


class KnownServer(msgspec.Struct, frozen=True):
    """One server. `fp`: the fingerprint of its key; `since`: the day of the first visit, as YYYY-MM-DD."""

    fp: str
    since: str = ""


class KnownServers:
    """The file. Every method reads it again, because several programs of one player share it.

    Every method may raise BadSettings: a damaged list is never replaced, because all trust would be lost with it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / FILE

    def fingerprint(self, address: str) -> str:
        """The key that was seen at that ``host:port``; empty for an address that is not known."""
        server = self._load().get(address)
        return server.fp if server else ""

    def address_of(self, fingerprint: str) -> str:
        """An address at which that key was seen; empty for a key that is not known."""
        return next((address for address, server in self._load().items() if server.fp == fingerprint), "")

    def addresses(self) -> list[str]:
        """Every ``host:port`` that is known."""
        return list(self._load())

    def remember(self, address: str, fingerprint: str) -> None:
        """Saves the key of an address that is not known yet; a known key stays."""
        with self._locked():
            servers = self._load()
            if address not in servers:
                servers[address] = KnownServer(fingerprint, f"{datetime.now(UTC):%Y-%m-%d}")
                self._save(servers)

    def forget(self, address: str) -> str:
        """Removes an address from the list and returns its key; empty for an address that is not known."""
        if not self._path.exists():
            return ""
        with self._locked():
            servers = self._load()
            server = servers.pop(address, None)
            if server is not None:
                self._save(servers)
        return server.fp if server else ""

    def _load(self) -> dict[str, KnownServer]:
        try:
            servers = msgspec.json.decode(self._path.read_bytes(), type=dict[str, KnownServer])
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise BadSettings(f"{self._path}: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadSettings(
                f"{self._path} is damaged ({error}); it holds the keys of the servers you know."
            ) from None
        for address, server in servers.items():
            if len(server.fp) != FINGERPRINT:
                raise BadSettings(f"{self._path} is damaged: the fingerprint of {address} is not whole.")
        return servers

    def _save(self, servers: dict[str, KnownServer]) -> None:
        """Replaces the file; a full disk leaves the old list (fault 66)."""
        text = msgspec.json.format(msgspec.json.encode(dict(sorted(servers.items()))), indent=1)
        try:
            write_file(self._path, text + b"\n")
        except OSError as error:
            raise BadSettings(f"{self._path} cannot be written: {error.strerror}.") from None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keeps other programs from changing the list at the same time."""
        from filelock import FileLock  # here: it takes long to import, and few visits change the list

        lock = FileLock(self._path.with_suffix(".lock"), mode=0o600)
        try:
            make_private_folder(self._folder)
            lock.acquire()
        except OSError as error:
            raise BadSettings(f"{error.filename}: {error.strerror}.") from None
        try:
            yield
        finally:
            lock.release()


class OnlyLooking(KnownServers):
    """The same list for a look at a server: a key that is not known yet is not remembered."""

    def remember(self, address: str, fingerprint: str) -> None:
        """Does nothing."""
