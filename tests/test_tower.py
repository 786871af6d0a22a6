"""The arrows of the tower point down, and the pure core stays pure."""

import re
from pathlib import Path

import pytest

from tests.support.child_python import in_child
from tests.support.import_graph import circles, import_graph, imports_of
from tests.support.paths import ROOT

PURE = [*ROOT.glob("protocol/**/*.py"), *ROOT.glob("server/engine/**/*.py")]
FOLDERS = {"protocol": 0, "server": 1, "replays": 2, "client": 3}
FORBIDDEN = {
    "asyncio", "datetime", "os", "pathlib", "prompt_toolkit", "random", "secrets", "select", "socket", "ssl",
    "subprocess", "tempfile", "threading", "time", "trio",
}  # fmt: skip


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_has_no_io_no_clock_no_dice(path: Path) -> None:
    assert not {name.split(".")[0] for name in imports_of(path)} & FORBIDDEN


@pytest.mark.slow
def test_arrows_point_down() -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {name}"
        for folder, height in FOLDERS.items()
        for path in ROOT.glob(f"{folder}/**/*.py")
        for name in imports_of(path)
        if FOLDERS.get(name.split(".")[0], 0) > height
    ]
    assert upward == []


@pytest.mark.slow
def test_asyncio_is_imported_in_one_module() -> None:
    users = [
        str(path.relative_to(ROOT))
        for folder in FOLDERS
        for path in ROOT.glob(f"{folder}/**/*.py")
        if any(name.split(".")[0] == "asyncio" for name in imports_of(path))
    ]
    assert users == ["client/terminal/event_loop.py"]


@pytest.mark.slow
def test_a_headless_server_never_imports_the_screen() -> None:
    code = "import sys, server.app.server, server.cli; print('prompt_toolkit' in sys.modules)"
    assert in_child(code) == ["False"]


@pytest.mark.slow
def test_a_server_without_a_page_loads_nothing_for_browsers() -> None:
    late = ("h11", "wsproto", "server.web.web_transport", "server.web.site")
    assert in_child(f"import sys, server.app.server, server.cli; print([n for n in {late} if n in sys.modules])") == [
        "[]"
    ]


@pytest.mark.slow
def test_a_replay_shows_its_first_frame_without_the_network_and_the_exporters() -> None:
    late = ("trio", "replays.cli.exporting", "replays.chances.estimate", "client.bots.equity")
    code = f"import sys, client.cli.replay, client.terminal.replay_app; print([n for n in {late} if n in sys.modules])"
    assert in_child(code) == ["[]"]


def test_who_says_a_word_to_a_server_loads_none() -> None:
    code = "import sys, server.cli, server.app.admin_client, server.config.config; print(*sys.modules)"
    (loaded,) = in_child(code)
    assert not {"server.app.operator", "server.table.table", "trio", "structlog"} & set(loaded.split())


@pytest.mark.slow
def test_no_file_imports_itself_through_others() -> None:
    assert circles(import_graph()) == []


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({"a": "b", "b": "c", "c": ""}, []),
        ({"a": "a", "b": "a"}, [{"a"}]),
        ({"a": "b", "b": "a", "c": "a"}, [{"a", "b"}]),
        ({"a": "b", "b": "cd", "c": "a", "d": "e", "e": "d"}, [{"a", "b", "c"}, {"d", "e"}]),
    ],
)
def test_circles_are_found(edges: dict[str, str], expected: list[set[str]]) -> None:
    assert sorted(circles(edges), key=sorted) == expected


@pytest.mark.slow
def test_no_test_imports_another_test() -> None:
    """What several tests need is in `tests/support`, so that a test file can be moved, renamed or deleted alone."""
    borrowed = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in ROOT.glob("tests/**/*.py")
        for name in imports_of(path)
        if any(part.startswith("test_") for part in name.split("."))
    ]
    assert borrowed == []


def test_every_helper_is_named_in_the_page_of_the_tests() -> None:
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    helpers = {path.stem for path in ROOT.glob("tests/support/*.py")}
    assert helpers - set(re.findall(r"`(\w+)`", page)) == set()


def test_verbs_write_through_one_function() -> None:
    """`server.terminal.put` writes in the encoding of the terminal, which `click.echo` by itself does not."""
    texts = {path: path.read_text("utf-8") for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.py")}
    users = [
        str(path.relative_to(ROOT))
        for path, text in texts.items()
        if re.search(r"\bclick\.echo\((?!.*\.encode\(\))", text)
    ]
    assert users == ["server/terminal.py"]
