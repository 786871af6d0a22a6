"""Fixtures of the client's tests."""

from collections.abc import AsyncIterator

import pytest
import trio

from tests.support.scripted_server import ScriptedServer


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    """A server that says what the test tells it to. A test may take ten minutes, mostly of virtual time."""
    server = ScriptedServer()
    with trio.fail_after(600):
        yield server
    server.close()
