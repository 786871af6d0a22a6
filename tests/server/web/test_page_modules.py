"""The page's own MessagePack against another library, and what its style must not do."""

import json
import shutil
import subprocess
from pathlib import Path

import msgpack
import pytest

from server.app.web_page import FILES
from server.web.static_files import static_bytes
from tests.support.limits import LIMIT

VALUES = [
    None, True, False, 0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 - 1, -1, -32, "", "a", "é" * 20,
    "x" * 31, "x" * 32, "x" * 255, "x" * 256, "x" * 1000, [], [1] * 15, [1] * 16, [[1, ["a"]], None], {},
    {"type": "act", "id": 3, "answers": 40, "action": {"kind": "declare", "direction": "high"}},
    {f"k{n}": n for n in range(16)},
]  # fmt: skip


@pytest.fixture
def node(tmp_path: Path) -> Path:
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    for name in ("msgpack.js", "msgpack_encode.js"):
        (tmp_path / name).write_bytes(static_bytes(name))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def test_what_the_page_writes_is_what_the_server_reads(node: Path) -> None:
    script = """
        import { encode } from "./msgpack_encode.js";
        import { decode } from "./msgpack.js";
        const values = JSON.parse(process.argv[1]);
        const bytes = values.map((value) => Buffer.from(encode(value)).toString("hex"));
        const back = values.map((value) => decode(encode(value)));
        const blob = [0, 1, 255, 256, 3000].map((size) => Buffer.from(encode(new Uint8Array(size))).toString("hex"));
        console.log(JSON.stringify({ bytes, back, blob }));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script, json.dumps(VALUES)],
        cwd=node, capture_output=True, text=True, timeout=LIMIT, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert [bytes.fromhex(text) for text in found["bytes"]] == [msgpack.packb(value) for value in VALUES]
    assert found["back"] == VALUES
    assert [bytes.fromhex(text) for text in found["blob"]] == [msgpack.packb(bytes(n)) for n in (0, 1, 255, 256, 3000)]


@pytest.mark.parametrize("value", ["0.5", "2 ** 60", "-33", "'x'.repeat(70000)"])
def test_what_no_message_holds_is_not_written(node: Path, value: str) -> None:
    script = f'import {{ encode }} from "./msgpack_encode.js"; encode({value});'
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=node,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert "RangeError" in done.stderr


def test_the_page_loads_only_its_own_files() -> None:
    for name in FILES:
        text = static_bytes(name).decode()
        if not name.endswith(".svg"):
            assert "http://" not in text.replace("http://www.w3.org", "")
            assert "https://" not in text
        assert "eval(" not in text
        assert "innerHTML" not in text
