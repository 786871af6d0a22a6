"""The files of the page: that several modules are one, and that the table in a browser is the table in Python."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.events import EVENTS, PlayerSeated, TableOpened
from protocol.table_rules import GameOffer
from protocol.view import TableView
from replays.page import MODULES
from replays.page_steps import journal_of, page_header, page_steps
from replays.playback import Playback, Viewpoint
from server.engine.games.catalogue import GAMES
from server.web.static_files import one_module, static_text
from tests.support import sample_session
from tests.support.limits import LIMIT
from tests.support.paths import ROOT
from tests.support.self_play import played_steps

STATIC = ROOT / "server" / "web" / "static"


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A folder with the modules, for node; its program is the last word of a command."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    for file in STATIC.glob("*.js"):
        shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def run(node: Path, script: str) -> str:
    (node / "script.js").write_text(script)
    done = subprocess.run(["node", "script.js"], cwd=node, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        static_text("nothing.js")


def test_several_modules_are_one() -> None:
    text = one_module(*MODULES)
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function\*?|class|const|let) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))
    for at, name in enumerate(MODULES):
        assert set(re.findall(r'from "\./(\S+)"', static_text(name))) <= set(MODULES[:at])


def test_every_module_can_be_read_and_every_event_is_folded(node: Path) -> None:
    (node / "whole.js").write_text(one_module(*MODULES))
    subprocess.run(["node", "--check", "whole.js"], cwd=node, check=True, timeout=LIMIT)
    script = 'import { FOLD } from "./view.js";\nconsole.log(JSON.stringify(Object.keys(FOLD)));\n'
    assert sorted(json.loads(run(node, script))) == sorted(EVENTS)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewpoint", [None, "all"])
def test_the_table_in_a_browser_is_that_of_the_recording(node: Path, game: str, viewpoint: Viewpoint) -> None:
    whole = played_steps(5, games=(game,), players=4, hands=3)
    for only in (None, Playback(whole).hands[1]):
        steps = page_steps(whole, viewpoint, only)
        head = page_header(sample_session.header(), viewpoint)
        (node / "journal").write_bytes(journal_of(head, steps, bytes(16)))
        told = run(
            node,
            """
            import { readFileSync } from "node:fs";
            import { Recording, stepsOf } from "./recording.js";
            const recording = new Recording(stepsOf(readFileSync("journal")));
            const tables = [];
            for (let at = 1; at <= recording.events.length; at += 7) tables.push(recording.table(at));
            const { hands, streets } = recording;
            const ends = hands.map((at) => recording.handEnd(at));
            console.log(JSON.stringify({ tables, hands, streets, ends }));
            """,
        )
        playback = Playback(steps, of_a_player=True)
        found = json.loads(told)
        assert found["hands"] == playback.hands
        assert found["streets"] == playback.streets
        assert found["ends"] == [playback.hand_end(at) for at in playback.hands]
        tables = [playback.view(viewpoint, at) for at in range(1, len(playback) + 1, 7)]
        assert found["tables"] == json.loads(msgspec.json.encode(tables))


def test_a_table_that_is_opened_again_with_other_rules(node: Path) -> None:
    razz = GameOffer("razz", "Razz", sample_session.STAKES, 8)
    for rules in (
        replace(sample_session.TABLE, seats=5, games=(razz, *sample_session.TABLE.games)),
        replace(sample_session.TABLE, games=(razz,)),
    ):
        events = [*sample_session.events(), TableOpened("kitchen", rules)]
        plain = [replace(event, token=None) if isinstance(event, PlayerSeated) else event for event in events]
        (node / "events").write_bytes(msgspec.json.encode(plain))
        told = run(
            node,
            """
            import { readFileSync } from "node:fs";
            import { apply, emptyTable } from "./view.js";
            const view = emptyTable();
            apply(view, { seq: 1, events: JSON.parse(readFileSync("events")) });
            console.log(JSON.stringify(view));
            """,
        )
        assert json.loads(told) == json.loads(msgspec.json.encode(TableView().apply_all(events)))


def test_numbers_of_every_size_are_read(node: Path) -> None:
    values: list[object] = [0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**48, -1, -32, -33, -129, -40000, -(2**40)]
    values += [1.5, None, True, False, *("a" * length for length in (0, 31, 32, 300, 70000))]
    whole = {"values": values, "map": {str(at): at for at in range(20)}, "rows": [[1]] * 70000}
    (node / "value").write_bytes(msgspec.msgpack.encode(whole))
    script = """
        import { readFileSync } from "node:fs";
        import { decode } from "./msgpack.js";
        const bytes = readFileSync("value");
        console.log(JSON.stringify(decode(bytes)));
        let refused = 0;
        for (const cut of [0, 1, 9, 300, bytes.length - 1]) {
          try { decode(bytes.subarray(0, cut)); } catch (error) { refused += error instanceof RangeError; }
        }
        console.log(refused);
    """
    value, refused = run(node, script).splitlines()
    assert json.loads(value) == whole
    assert refused == "5"
