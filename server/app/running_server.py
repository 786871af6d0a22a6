"""What the words of the host need of the running server; the server itself knows the words of those at its tables."""

from typing import Protocol

from server.app.beacon import Beacon
from server.app.lobby import Lobby
from server.app.shutdown import Shutdown
from server.config.config import Config


class RunningServer(Protocol):
    """The part of `server.app.server.Server` that words use; see there for what it means."""

    lobby: Lobby
    port: int
    addresses: list[str]
    shutdown: Shutdown
    beacon: Beacon | None

    def join_commands(self) -> list[str]: ...
    async def use(self, config: Config) -> list[str]: ...
