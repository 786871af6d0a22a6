"""Words that tell how the server, its tables and the players are, and change nothing."""

from protocol.narration.phrases import counted
from protocol.versions import PROGRAM
from protocol.wire.discovery import DISCOVERY_PORT
from server.app.beacon import Beacon
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Data, Said, Word
from server.table.pipeline import WHY_HALTED


async def _status(host: HostedServer) -> Said:
    server = host.server
    door, tables = server.lobby.door, server.lobby.tables.values()
    halted = sum(table.halted is not None for table in tables)
    minutes = int(host.uptime() // 60)
    lines = [
        f"ryo {PROGRAM}, port {server.port}, up for {minutes // 60} h {minutes % 60} min",
        f"data in {host.config.base_dir}",
        f"{counted(len(tables), 'table')}, {halted or 'none'} stopped; "
        f"{counted(door.inside, 'connection')}, {door.waiting} of them not let in yet",
        _found_by_searching(server.beacon, on=host.config.lan),
        *server.join_commands(),
    ]
    data: Data = {
        "version": PROGRAM,
        "port": server.port,
        "encrypted": not host.config.plain_tcp,
        "lan": host.config.lan,
        "uptime_seconds": int(host.uptime()),
        "data_dir": str(host.config.base_dir),
        "tables": len(tables),
        "tables_stopped": halted,
        "connections": door.inside,
        "connections_waiting": door.waiting,
        "found_on": [] if server.beacon is None else server.beacon.interfaces(),
        "join": server.join_commands(),
    }
    return Said("\n".join(lines), data)


def _found_by_searching(beacon: Beacon | None, *, on: bool) -> str:
    """Whether guests find the server with `ryo find`, and where."""
    if beacon is None:
        why = "it listens to no address" if on else "that is switched off (lan = false, --no-lan)"
    else:
        why = beacon.why_silent
    if beacon is None or why:
        return f"ryo find does not find it: {why}; guests need the line below"
    interfaces = beacon.interfaces()
    where = " and ".join(interfaces) if interfaces else "no interface, because none is up"
    return f"ryo find finds it on {where} (UDP port {DISCOVERY_PORT})"


async def _tables(host: HostedServer) -> Said:
    lines = []
    listed: list[Data] = []
    for table in host.tables():
        view, info = table.state.view, table.info()
        hand = f"hand {view.hand}{' is played' if view.playing else ''}" if view.hand else "no hand yet"
        seats = f"{len(info.players)} of {info.rules.seats} seats taken, {info.watching} watching"
        halted = "" if table.halted is None else f"; {WHY_HALTED[table.halted]}"
        lines.append(f"{table.id} ({info.rules.name}): {seats}, {hand}{halted}")
        listed.append(
            {
                "id": table.id,
                "name": info.rules.name,
                "seats": info.rules.seats,
                "players": list(info.players),
                "spectators": info.watching,
                "hand": view.hand,
                "playing": view.playing,
                "stopped": table.halted,
            }
        )
    return Said("\n".join(lines), {"tables": listed})


async def _players(host: HostedServer, table: str = "") -> Said:
    lines = []
    for one in host.tables(table):
        lines += [f"{one.id}:", *(one.host_words.players() + one.removals.spectator_lines() or ["  nobody"])]
    listed = [player | {"table": one.id} for one in host.tables(table) for player in one.host_words.players_data()]
    return Said("\n".join(lines), {"players": listed})


WORDS: dict[str, Word] = {
    "status": Word("", "The server: version, port, connections, and how guests come in.", _status),
    "tables": Word("", "Each table: seats, spectators, the hand, and why it has stopped.", _tables),
    "players": Word("[TABLE]", "Who sits where, with which chips, and who is not there.", _players),
}
