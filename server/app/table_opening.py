"""How a server that starts opens the tables of its settings."""

import hashlib
from collections.abc import Mapping
from functools import partial

import structlog

from server.admission.table_access import AccessRule
from server.app.lobby import Lobby
from server.config.config import Config
from server.config.table_config import TableConfig
from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import JournalError, SyncFailed, WriteFailed, translated
from server.storage.receipt_key import load_receipt_key
from server.storage.recovery import RecordedSession, begin, resume
from server.storage.system import System
from server.table.counts import Counts
from server.table.fan_out import FanOut
from server.table.shuffler import Shuffler
from server.table.table import Table
from server.table.table_setup import TableSetup


class TableOpener:
    """Opens tables with what all of them share.

    Args:
        group_commit: the way to the disk.
        fan_out: serves the spectators.
        lobby: where the tables go.

    Attributes:
        counts: what has happened at the tables.
    """

    def __init__(
        self,
        config: Config,
        log: structlog.typing.FilteringBoundLogger,
        system: System,
        group_commit: GroupCommit,
        fan_out: FanOut,
        lobby: Lobby,
    ) -> None:
        self._config, self._log, self._system = config, log, system
        self._group_commit, self._fan_out, self._lobby = group_commit, fan_out, lobby
        self.counts = Counts()

    async def open_all(self, invitations: Mapping[str, str]) -> None:
        """Opens every table that can be opened; a damaged journal stops its table only, unless there is no other.

        Args:
            invitations: by id of the table, for the tables that need one.

        Raises:
            SyncFailed: what is on the disk is unknown.
            JournalError: no table could be opened.
        """
        refused: JournalError | None = None
        for settings in self._config.table:
            try:
                session, receipt_key = await self._system.work(partial(self._open_session, settings))
            except SyncFailed:
                raise
            except JournalError as error:
                self._log.error("table.refused", table=settings.id, error=str(error))
                refused = error
                continue
            self._lobby.add(self._open(settings, session, receipt_key))
            self.protect(settings, invitations)
        if not self._lobby.tables and refused is not None:
            raise refused

    def protect(self, settings: TableConfig, invitations: Mapping[str, str]) -> None:
        """From now on its password or its invitation opens the table, if it has one."""
        invitation = invitations.get(settings.id)
        digest = b"" if invitation is None else hashlib.sha256(invitation.encode()).digest()
        self._lobby.access.protect(settings.id, AccessRule(settings.password, digest))

    def _open_session(self, settings: TableConfig) -> tuple[RecordedSession, bytes]:
        """The table's session, and the key of its receipts."""
        opened = resume if self._config.resume else begin
        now, fs = self._system.wall_clock(), self._system.fs
        folder = str(self._config.base_dir)
        if fs.exists(folder):
            with translated(folder, "used"):
                fs.check_dir(folder)
        folder = str(self._config.hands_dir)
        session = opened(folder, settings.id, settings.rules(), now, fs)
        try:
            return session, load_receipt_key(fs, folder)
        except OSError as error:
            session.journal.close()
            raise WriteFailed(f"The key of the receipts in {folder} cannot be kept: {error.strerror}.") from error

    def _open(self, settings: TableConfig, session: RecordedSession, receipt_key: bytes) -> Table:
        log = self._log.warning if session.note else self._log.info
        log("table.open", table=settings.id, resumed=session.resumed, journal=session.journal.path, note=session.note)
        seed = self._config.seed
        setup = TableSetup(
            settings=settings,
            group_commit=self._group_commit,
            shuffler=Shuffler(None if seed is None else f"{seed}/{settings.id}"),
            log=self._log,
            system=self._system,
            counts=self.counts,
            receipt_key=receipt_key,
            most_spectators=self._config.limits.watchers,
            wake=self._lobby.wake,
            schedule=self._fan_out.schedule,
        )
        return Table(session, setup)
