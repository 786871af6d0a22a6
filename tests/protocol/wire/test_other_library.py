"""The MessagePack library of another language reads our frames as we do."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from protocol.wire.codec import encode_value
from protocol.wire.frames import frame
from tests.js.install import scripts
from tests.support.format_pages import MESSAGES
from tests.support.format_pages import PROTOCOL_SECTIONS as SECTIONS
from tests.support.limits import LIMIT


@pytest.fixture
def node(pytestconfig: pytest.Config) -> Path:
    return scripts(pytestconfig.cache.mkdir("js"))


def shown(value: Any) -> Any:
    """The value as docs/protocol.md writes it in JSON."""
    if isinstance(value, bytes):
        return {"$bin": value.hex()}
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return [shown(item) for item in value] if isinstance(value, list) else value


def test_javascript_reads_every_example_as_msgpack_and_msgspec_do(node: Path) -> None:
    examples = [example for section in SECTIONS.values() for example in section.examples]
    examples += [{"n": n} for n in (0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**53 - 1, -1, -32, -33, -(2**31))]
    examples += [{"text": "é♠😀" * 20, "list": list(range(52)) + [None] * 20, "yes": True, "no": False}]
    bodies = [encode_value(example) for example in examples]
    stream = b"".join(map(frame, bodies))
    done = subprocess.run(
        ["node", "decode.mjs"], cwd=node, input=stream, capture_output=True, timeout=LIMIT, check=True
    )
    read = [json.loads(line) for line in done.stdout.splitlines()]
    assert read == [shown(msgpack.unpackb(body)) for body in bodies]
    assert read == [shown(msgspec.msgpack.decode(body)) for body in bodies]
    assert len(read) > len(MESSAGES)
