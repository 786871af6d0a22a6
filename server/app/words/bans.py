"""Words about who may not come in, or not talk: `ban`, `unban`, `bans`, `mute`, `unmute`."""

import ipaddress
from collections.abc import Callable
from datetime import datetime
from functools import partial

from protocol.narration.phrases import sentence
from protocol.near_matches import did_you_mean
from server.admission.ban import Ban, duration
from server.admission.player_names import BadName, clean_name, name_key
from server.app.words.details import BY_ADDRESS, Details, details
from server.app.words.hosted_server import HostedServer
from server.app.words.word import Said, Word
from server.errors import ConfigError, WordRefused
from server.net.networks import network_of
from server.table.removals import Known


async def _ban(host: HostedServer, name: str, *words: str) -> str:
    return await _add(host, name, words, chat=False)


async def _mute(host: HostedServer, name: str, *words: str) -> str:
    return await _add(host, name, words, chat=True)


async def _add(host: HostedServer, name: str, words: tuple[str, ...], *, chat: bool) -> str:
    said = details(host, words)
    if host.scope and said.by_address:
        raise WordRefused("Addresses are banned by whoever runs the server.")
    found = [known for table in host.tables(said.table) for known in table.removals.find(name)]
    bans = host.server.lobby.bans
    now = bans.now()
    ban = Ban(
        name=_name_to_ban(name, found, by_address=said.by_address),
        token=tuple(sorted({known.token.hex() for known in found if known.token})),
        address=_address(host, name, found) if said.by_address else "",
        table=said.table or host.scope,
        chat=chat,
        reason=said.reason,
        by=host.by,
        since=now.replace(microsecond=0),
        until=None if said.lasts is None else (now + said.lasts).replace(microsecond=0),
    )
    await _change(host, lambda old: [*[one for one in old if not _same(one, ban)], ban])
    how = (f" at {ban.table}" if ban.table else "") + _lasts(said)
    done = [f"{ban.who()} is {'muted' if chat else 'banned'}{how or ' for good'}{_why(said)}."]
    done += await _enforce(
        host, ban, sentence(f"{host.by} {'mutes' if chat else 'bans'} {ban.name or 'a spectator'}{how}{_why(said)}")
    )
    if not found:
        known = [known.name for table in host.tables() for known in table.removals.everybody() if known.name]
        done.append(f"Nobody of that name is here.{did_you_mean(name, known)}")
    return " ".join(filter(None, done))


def _lasts(said: Details) -> str:
    return f" for {duration(said.lasts.total_seconds())}" if said.lasts is not None else ""


def _why(said: Details) -> str:
    return f": {said.reason}" if said.reason else ""


async def _enforce(host: HostedServer, ban: Ban, announced: str) -> list[str]:
    """Sends away whom a ban is about, at every table where it counts; what has become of their seats."""
    told, done = host.server.lobby.bans.told(ban), list[str]()
    for table in host.tables(ban.table):
        try:
            if ban.chat:
                await table.obey(partial(table.host_words.say, announced))
            else:
                done.append((await table.obey(partial(table.removals.enforce, ban, told, announced))).strip())
        except WordRefused as refused:
            done.append(f"Not told at {table.id}: {refused}")
    return done


def _name_to_ban(name: str, found: list[Known], *, by_address: bool) -> str:
    """The name for the list; empty for a spectator who has none. Raises WordRefused."""
    if not name.startswith("#"):
        try:
            return found[0].name if found else clean_name(name, right_to_left=True)
        except BadName as error:
            raise WordRefused(str(error)) from None
    if not found:
        raise WordRefused(f"There is no spectator {name}; the word players lists them.")
    if not (found[0].name or by_address):
        raise WordRefused(f"That spectator has no name; ban the address with {BY_ADDRESS}, or kick them.")
    return found[0].name


def _address(host: HostedServer, name: str, found: list[Known]) -> str:
    """The network from which somebody has come. Raises WordRefused if it is not theirs alone."""
    networks = {network_of(known.guest.address) for known in found if known.guest is not None}
    if len(networks) != 1:
        how = "is not connected" if not networks else f"comes from {' and '.join(sorted(networks))}"
        raise WordRefused(f"{name} {how}: which address is meant? Ban the name, or write it into the file of bans.")
    network = networks.pop()
    if _is_this_machine(network):
        raise WordRefused(f"{name} comes from this machine itself; its address is not banned.")
    others = {
        known.name or "a spectator"
        for table in host.tables()
        for known in table.removals.everybody()
        if known.guest is not None and known not in found and network_of(known.guest.address) == network
    }
    if others:
        raise WordRefused(
            f"From {network} also come: {', '.join(sorted(others))}. They would be banned, too; ban the name alone, or "
            "kick them first."
        )
    return network


def _is_this_machine(network: str) -> bool:
    try:
        return ipaddress.ip_network(network).is_loopback
    except ValueError:
        return False


def _same(one: Ban, other: Ban) -> bool:
    """Whether the second ban takes the place of the first one."""
    same = name_key(one.name) == name_key(other.name) and (one.table, one.chat) == (other.table, other.chat)
    return same and (bool(one.name) or one.address == other.address)


def _listed(host: HostedServer, bans: list[Ban]) -> list[Ban]:
    """The bans with which whoever says a word has to do, in the order of their numbers."""
    return [ban for ban in bans if not host.scope or ban.table == host.scope]


async def _unban(host: HostedServer, whom: str) -> str:
    return f"{await _lift(host, whom, chat=False)} may come back."


async def _unmute(host: HostedServer, whom: str) -> str:
    return f"{await _lift(host, whom, chat=True)} may talk again."


async def _lift(host: HostedServer, whom: str, *, chat: bool) -> str:
    """Takes bans from the list, by name, address or number; whom they were about."""
    lifted: list[Ban] = []

    def without(old: list[Ban]) -> list[Ban]:
        key, listed = name_key(whom), _listed(host, old)
        for number, ban in enumerate(listed, 1):
            if ban.chat != chat:
                continue
            if whom == str(number) or (ban.name and name_key(ban.name) == key) or ban.address == whom:
                lifted.append(ban)
        if not lifted:
            names = [ban.name for ban in listed if ban.name and ban.chat == chat]
            if chat:
                raise WordRefused(f"{whom} is not muted.{did_you_mean(whom, names)}")
            raise WordRefused(f"There is no ban of {whom}.{did_you_mean(whom, names)} The word bans lists them.")
        return [ban for ban in old if ban not in lifted]

    await _change(host, without)
    who = ", ".join(ban.who() for ban in lifted)
    announced = sentence(f"{host.by} lets {who} talk again" if chat else f"{host.by} lifts the ban of {who}")
    for table in host.tables():
        if table.halted is None:
            await table.obey(partial(table.host_words.say, announced))
    return who


async def _change(host: HostedServer, change: Callable[[list[Ban]], list[Ban]]) -> None:
    """Changes the list of bans. Raises WordRefused."""
    try:
        await host.server.lobby.bans.change(change)
    except ConfigError as error:
        raise WordRefused(f"Nothing is changed. {error}") from None


async def _bans(host: HostedServer) -> Said:
    bans = host.server.lobby.bans
    try:
        await bans.load()
    except ConfigError as error:
        raise WordRefused(f"{error} Until then the list counts that was read before.") from None
    listed = _listed(host, bans.bans())
    lines = [f"{number} {_line(ban, bans.now())}" for number, ban in enumerate(listed, 1)]
    data = [
        {
            "number": number,
            "name": ban.name,
            "address": ban.address,
            "table": ban.table,
            "chat": ban.chat,
            "reason": ban.reason,
            "by": ban.by,
            "until": None if ban.until is None else ban.until.isoformat(),
        }
        for number, ban in enumerate(listed, 1)
    ]
    return Said("\n".join(lines) or "Nobody is banned.", {"bans": data})


def _line(ban: Ban, now: datetime) -> str:
    reason = f": {ban.reason}" if ban.reason else ""
    where = f" at {ban.table}" if ban.table else ""
    muted = ", only muted" if ban.chat else ""
    return f"{ban.who()}{where}{muted}, {ban.ends(now)}{reason}{f' (by {ban.by})' if ban.by else ''}"


WORDS: dict[str, Word] = {
    "ban": Word(
        "NAME [for 2 h] [REASON]", "Send somebody away, and let them come back after that time, or never.", _ban, True
    ),
    "unban": Word(
        "NAME", "Let somebody come back who is banned: by name, or by the number in the list of bans.", _unban, True
    ),
    "bans": Word("", "Who is banned or muted, until when and why.", _bans, True),
    "mute": Word(
        "NAME [for 2 h] [REASON]", "Let nobody hear what somebody says, for that time or for good.", _mute, True
    ),
    "unmute": Word("NAME", "Let somebody talk again.", _unmute, True),
}
