"""The name of the program, version numbers, and the text for versions that do not fit."""

APP = "rollyourown"
"""Name of the program, in handshakes and in the names of folders."""

PROTOCOL: tuple[int, int] = (1, 1)
"""Oldest and newest protocol version that this program speaks."""

JOURNAL_FORMAT = 1
"""Version of the records in a journal."""

RULES = 2
"""Version of the engine's rules. A hand recorded under another version is shown, but not resumed."""

PROGRAM = "0.1.0"
"""Version of the program."""


def choose(ours: tuple[int, int], theirs: tuple[int, int]) -> int | None:
    """The newest version that both sides speak, or None. Ranges are (oldest, newest), both included."""
    newest = min(ours[1], theirs[1])
    return newest if newest >= max(ours[0], theirs[0]) else None


def _range(versions: tuple[int, int]) -> str:
    oldest, newest = versions
    return f"protocol {newest}" if oldest == newest else f"protocol {oldest} to {newest}"


def mismatch(
    server: tuple[int, int],
    client: tuple[int, int],
    client_program: str = "",
    server_program: str = f"version {PROGRAM}",
) -> str:
    """Both versions and the remedy, as a text for either side.

    `client_program` and `server_program` are the names that the programs give themselves; empty where unknown.
    """
    spoken = f"This server speaks {_range(server)}{f' ({server_program})' if server_program else ''}"
    spoken += f"; your client speaks {_range(client)}"
    if client_program:
        spoken += f" ({client_program})"
    if client[0] > server[1]:
        return f"{spoken}. Ask the host to upgrade, or use an older client."
    return f"{spoken}. Upgrade your client to the server's version."
