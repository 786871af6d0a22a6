"""The beacon: answers probes on the local network, so that guests need to type no address."""

import ipaddress
import socket
from collections.abc import Callable

import structlog
import trio

from protocol.versions import PROGRAM, PROTOCOL
from protocol.wire.codec import BadMessage
from protocol.wire.discovery import (
    DATAGRAM,
    DISCOVERY_PORT,
    MOST_TABLES,
    Answer,
    TableHint,
    decode_probe,
    encode_answer,
)
from server.app.lobby import Lobby
from server.net.discovery_sockets import DiscoverySocket, join_group, open_discovery_sockets
from server.net.own_addresses import interface_addresses
from server.net.rate_limit import TokenBucket
from server.table.table import Table

RATE = 20
"""Datagrams a second that are read, whatever they are, and the most that are read at once (fault 16)."""
JOIN_AGAIN = 10.0
"""Seconds between looks for new network interfaces."""


class Beacon:
    """Answers probes for one server.

    Args:
        fingerprint: of the server's key; empty if it does not encrypt.
        port: its TCP port.

    Attributes:
        why_silent: why no probe is answered; empty while they are.
    """

    def __init__(self, lobby: Lobby, fingerprint: str, port: int, log: structlog.typing.FilteringBoundLogger) -> None:
        self._lobby, self._fingerprint, self._port, self._log = lobby, fingerprint, port, log
        self._ways: list[DiscoverySocket] = []
        self._bucket = TokenBucket(RATE, RATE, trio.current_time())
        self.why_silent = "it has not begun yet"

    def open(self, listeners: list[socket.socket], start: Callable[..., None]) -> None:
        """Begins to answer for a server with these sockets, in tasks that work until cancelled.

        Where it cannot, the server plays on without: guests have the join line.
        """
        try:
            self._ways = open_discovery_sockets(listeners)
        except OSError as error:
            self._log.warning("lan.none", port=DISCOVERY_PORT, why=error.strerror)
            self.why_silent = f"UDP port {DISCOVERY_PORT} cannot be had ({error.strerror})"
            return
        self.why_silent = ""
        self._log.info("lan.answering", port=DISCOVERY_PORT)
        start(self._keep_joined)
        for way in self._ways:
            start(self._answer, way)

    def interfaces(self) -> list[str]:
        """The network interfaces on which probes are answered now, by name."""
        bound = {(way.answers.family, str(way.answers.getsockname()[0])) for way in self._ways}
        everywhere = {family for family, address in bound if address in ("0.0.0.0", "::")}
        return sorted(
            {
                one.interface
                for one in interface_addresses()
                if one.family in everywhere or (one.family, one.address.split("%")[0]) in bound
            }
        )

    def close(self) -> None:
        """Closes the sockets."""
        for way in self._ways:
            way.close()

    def answer(self, datagram: bytes, source: str) -> bytes | None:
        """The answer to a datagram from that address; None for what is no probe, or not from this network."""
        if not is_near(source):
            return None
        try:
            probe = decode_probe(datagram)
        except BadMessage:
            return None
        tables = [table for table in self._lobby.tables.values() if table.halted is None]
        told = tuple([self._hint(table) for table in tables[:MOST_TABLES]])
        more = len(tables) - len(told)
        return encode_answer(Answer(probe.nonce, self._port, PROTOCOL, PROGRAM, self._fingerprint, told, more))

    def _hint(self, table: Table) -> TableHint:
        """What a stranger may know of a table."""
        view, rules = table.state.view, table.state.rules
        playing = view.game or rules.games[0].id
        offer = next((offer for offer in rules.games if offer.id == playing), rules.games[0])
        rule = self._lobby.access.rule(table.id)
        return TableHint(
            table.id, rules.name, offer.title, rules.seats, max(0, rules.seats - len(view.players())),
            password=bool(rule.verifier), invite=bool(rule.invite),
            stakes=offer.stakes.words(), buy_in=rules.buy_in,
        )  # fmt: skip

    async def _keep_joined(self) -> None:
        while True:
            join_group(self._ways)
            await trio.sleep(JOIN_AGAIN)

    async def _answer(self, way: DiscoverySocket) -> None:
        while True:
            await trio.lowlevel.wait_readable(way.hears)
            if not self._bucket.take(trio.current_time()):
                await trio.sleep(1 / RATE)  # what the system cannot keep meanwhile is lost, and may be
                continue
            try:
                datagram, source = way.hears.recvfrom(DATAGRAM + 1)
                if answer := self.answer(datagram, source[0]):
                    way.answers.sendto(answer, source)
            except OSError as error:
                # The answer could not be sent: no way back to that address, or not from the one that is listened on.
                self._log.debug("lan.unanswered", why=error.strerror)
            except Exception as error:
                # Our mistake; it costs nobody their table.
                self._log.error("lan.breach", error=type(error).__name__, exc_info=error)


def is_near(source: str) -> bool:
    """Whether an address is of a local network. Others are not answered: their senders' addresses may be forged."""
    try:
        return not ipaddress.ip_address(source.split("%")[0]).is_global
    except ValueError:
        return False
