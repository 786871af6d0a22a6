"""The keys of the servers this player has met: trust on first use, an error for another key, never a question.

``known_hosts.json`` in the data directory, mode 0600: a map from ``host:port`` to the whole fingerprint (SHA-256 of
the certificate, 52 characters of base32) and the day of the first visit.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from client.errors import BadSettings
from client.profile.settings import make_folder, write_new
from protocol.wire.join_links import FINGERPRINT

if sys.platform != "win32":
    import fcntl

FILE = "known_hosts.json"


class KnownHost(msgspec.Struct, frozen=True):
    """One server. `since`: the day of the first visit, as YYYY-MM-DD."""

    fp: str
    since: str = ""


class KnownHosts:
    """The file; read afresh whenever it is asked, because several programs of one player share it.

    Every method raises BadSettings: a damaged list is not thrown away, since all trust would go with it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / FILE

    def fingerprint(self, address: str) -> str:
        """The key that was seen at that ``host:port``; empty if none was."""
        host = self._load().get(address)
        return host.fp if host else ""

    def remember(self, address: str, fingerprint: str) -> None:
        """Keep the key of an address that is not known yet."""
        with self._locked():
            hosts = self._load()
            if address not in hosts:
                hosts[address] = KnownHost(fingerprint, f"{datetime.now(UTC):%Y-%m-%d}")
                self._save(hosts)

    def forget(self, address: str) -> str:
        """Take the address off the list; the key that stood there, empty if none did."""
        if not self._path.exists():
            return ""
        with self._locked():
            hosts = self._load()
            host = hosts.pop(address, None)
            if host is not None:
                self._save(hosts)
        return host.fp if host else ""

    def _load(self) -> dict[str, KnownHost]:
        try:
            hosts = msgspec.json.decode(self._path.read_bytes(), type=dict[str, KnownHost])
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise BadSettings(f"{self._path}: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadSettings(
                f"{self._path} is damaged ({error}); it holds the keys of the servers you know."
            ) from None
        for address, host in hosts.items():
            if len(host.fp) != FINGERPRINT:
                raise BadSettings(f"{self._path} is damaged: the fingerprint of {address} is not whole.")
        return hosts

    def _save(self, hosts: dict[str, KnownHost]) -> None:
        """The whole list in a new file that takes the old one's place: a full disk leaves the old one (fault 66)."""
        fresh = self._path.with_suffix(f".{os.getpid()}.new")
        text = msgspec.json.format(msgspec.json.encode(dict(sorted(hosts.items()))), indent=1)
        try:
            try:
                write_new(fresh, text + b"\n")
                os.replace(fresh, self._path)
            finally:
                fresh.unlink(missing_ok=True)
        except OSError as error:
            raise BadSettings(f"{self._path} cannot be written: {error.strerror}.") from None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Nobody else changes the list meanwhile."""
        try:
            make_folder(self._folder)
            descriptor = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadSettings(f"{error.filename}: {error.strerror}.") from None
        try:
            if sys.platform != "win32":
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
