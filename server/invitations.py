"""What the host reads out to the guests: the command that brings them to a table."""

from protocol.links import LEAST_PIN, SCHEME


def commands(addresses: list[str], fingerprint: str, tables: dict[str, str]) -> list[str]:
    """``ryo join ...`` for each way in.

    Args:
        addresses: HOST:PORT of each way in.
        fingerprint: of the server's certificate; empty if connections are not encrypted.
        tables: invitation, or an empty string, by the id of the table. Tables that need none share one line.
    """
    if not fingerprint:
        return [f"ryo join --plain-tcp {address}" for address in addresses]
    places = [(table, invite) for table, invite in tables.items() if invite]
    if len(places) < len(tables):
        only = next(iter(tables)) if len(tables) == 1 else ""
        places.insert(0, (only, ""))
    return [f"ryo join {_link(address, table, fingerprint, i)}" for table, i in places for address in addresses]


def _link(address: str, table: str, fingerprint: str, invite: str) -> str:
    link = f"{SCHEME}{address}/{table}#fp={fingerprint[:LEAST_PIN]}"
    # Shells end a command at a bare ampersand.
    return f'"{link}&t={invite}"' if invite else link
