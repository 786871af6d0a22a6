"""The commands that bring guests to the tables; the host gives them to the guests."""

from protocol.wire.join_links import LEAST_PIN, SCHEME


def commands(addresses: list[str], fingerprint: str, tables: dict[str, str], *, named: bool = False) -> list[str]:
    """``ryo join ...`` for each table and each way in.

    Args:
        addresses: HOST:PORT of each way in.
        fingerprint: of the server's certificate; empty if connections are not encrypted.
        tables: invitation, or an empty string, by the id of the table. Tables that need none share one line.
        named: whether each table has a line of its own, because a proxy on the way finds the server by its name.
    """
    places = [(table, invite) for table, invite in tables.items() if invite or named]
    if len(places) < len(tables):
        only = next(iter(tables)) if len(tables) == 1 else ""
        places.insert(0, (only, ""))
    return [_command(address, table, fingerprint, invite) for table, invite in places for address in addresses]


def _command(address: str, table: str, fingerprint: str, invite: str) -> str:
    if not fingerprint:
        return "ryo join --plain-tcp " + (f"{SCHEME}{address}/{table}#t={invite}" if invite else address)
    link = f"{SCHEME}{address}/{table}#fp={fingerprint[:LEAST_PIN]}"
    # Shells end a command at a bare ampersand.
    return f'ryo join "{link}&t={invite}"' if invite else f"ryo join {link}"
