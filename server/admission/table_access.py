"""Access control of tables: passwords, invitations, and a rate limit on wrong tries.

A player who has a seat needs neither: the seat's token is enough. A password may be guessed, so its check is slow
(`server.config.passwords`); an invitation is 128 random bits and needs no slow check.
"""

import hashlib
from hmac import compare_digest
from typing import NamedTuple

import trio

from protocol.wire.messages import Rejected
from server.config.passwords import verify
from server.net.networks import network_of, provider_of
from server.net.rate_limit import TokenBucket

CHECKS_AT_ONCE = 2
"""Passwords that are checked at the same time; each check takes a thread and 16 MiB."""
TRIES_PER_ADDRESS = 5
TRIES_PER_PROVIDER = 20
TRIES_IN_ALL = 200
"""Wrong tries within `MINUTE`."""
MINUTE = 60.0
_MOST_ADDRESSES = 1024
"""Networks and providers that are remembered; beyond that the one that was quiet longest is forgotten."""


class AccessRule(NamedTuple):
    """What opens a table; either is enough, and with neither the table is open to everybody.

    Fields:
        verifier: of the password (`server.config.passwords.make_verifier`); empty for no password.
        invite: SHA-256 of the invitation; empty for no invitation.
    """

    verifier: str = ""
    invite: bytes = b""


TOO_MANY_TRIES = Rejected.of("too_many_tries", "Too many wrong tries. Wait a minute.")
_BAD_INVITE = Rejected.of("bad_invite", "This table is for invited guests; ask the host for a join link.")
_BAD_PASSWORD = Rejected.of("bad_password", "This table has a password, and that is not it.")
_NO_PASSWORD = Rejected.of("bad_password", "This table has a password.")


class TryLimit:
    """Rate limit on wrong tries: in about a minute 5 from one network, 20 from one provider, and 200 in all.

    A stranger uses up the tries of their own network and provider (`server.net.networks`), not those of the guests.
    """

    def __init__(self) -> None:
        self._all = TokenBucket(TRIES_IN_ALL / MINUTE, TRIES_IN_ALL, 0.0)
        self._by_network: dict[str, TokenBucket] = {}
        self._by_provider: dict[str, TokenBucket] = {}

    def take(self, address: str) -> bool:
        """Counts one more try; False if there have been too many."""
        now = trio.current_time()
        network = _bucket(self._by_network, network_of(address), TRIES_PER_ADDRESS, now)
        provider = _bucket(self._by_provider, provider_of(address), TRIES_PER_PROVIDER, now)
        return network.take(now) and provider.take(now) and self._all.take(now)

    def give_back(self, address: str) -> None:
        """The last try was right and does not count."""
        self._all.give_back()
        for buckets, key in ((self._by_provider, provider_of(address)), (self._by_network, network_of(address))):
            if key in buckets:  # another try may have pushed it out meanwhile
                buckets[key].give_back()


def _bucket(buckets: dict[str, TokenBucket], key: str, tries: int, now: float) -> TokenBucket:
    bucket = buckets.pop(key, None) or TokenBucket(tries / MINUTE, tries, now)
    buckets[key] = bucket  # the one used last stands at the end
    if len(buckets) > _MOST_ADDRESSES:
        del buckets[next(iter(buckets))]
    return bucket


class TableAccess:
    """Decides who may come to which table."""

    def __init__(self) -> None:
        self._rules: dict[str, AccessRule] = {}
        self._passwords = TryLimit()
        self._tokens = TryLimit()
        self._checks = trio.CapacityLimiter(CHECKS_AT_ONCE)

    def protect(self, table: str, rule: AccessRule) -> None:
        """From now on the rule decides who may come to the table."""
        self._rules[table] = rule

    def rule(self, table: str) -> AccessRule:
        """What opens the table."""
        return self._rules.get(table, AccessRule())

    def is_open(self, table: str) -> bool:
        """Whether everybody may come."""
        return not any(self.rule(table))

    def count_wrong_token(self, address: str) -> bool:
        """Counts a token that was not the one of the seat it was for; False if there have been too many."""
        return self._tokens.take(address)

    async def check(self, address: str, table: str, invite: str, password: str) -> Rejected | None:
        """None if the invitation or the password opens the table, else the refusal to send.

        Passwords are checked in a worker thread, two at a time.
        """
        rule = self.rule(table)
        if rule.invite and compare_digest(hashlib.sha256(invite.encode()).digest(), rule.invite):
            return None
        if not rule.verifier:
            return _BAD_INVITE if rule.invite else None
        if not password:
            return _NO_PASSWORD
        if not self._passwords.take(address):
            return TOO_MANY_TRIES
        if not await trio.to_thread.run_sync(verify, password, rule.verifier, limiter=self._checks):
            return _BAD_PASSWORD
        self._passwords.give_back(address)
        return None
