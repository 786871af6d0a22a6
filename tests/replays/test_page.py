"""Hands as a page for a browser: what is in it, what is not, and that it is a recording."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from protocol import events as ev
from protocol.cards import card_text
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.visibility import project
from protocol.wire.codec import encode_value
from replays.cli.verbs import main
from replays.hand_summaries import summaries
from replays.narration import story
from replays.page import html_page, viewpoints, worth
from replays.page_file import journal_in, unpacked
from replays.page_steps import page_header, page_steps
from replays.playback import Playback, Viewpoint
from replays.recording import open_good_parts, open_recording
from replays.stacks_picture import LABEL, nets, picture
from replays.verify import verify
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.engine_table import NAMES
from tests.support.kept_hands import HostTable, found
from tests.support.known_cards import cards_named, known_cards
from tests.support.self_play import played_steps

pytestmark = pytest.mark.usefixtures("few_deals")
SALT = bytes(range(16))
HOSTILE = ("</script><b>A", "<img src=x onerror=alert(1)>", "'\"&amp;`${1}")


def written(steps: list[StepRecord], viewpoint: Viewpoint = None, only: int | None = None) -> bytes:
    head = page_header(sample_session.header(), viewpoint)
    return html_page(head, page_steps(steps, viewpoint, only), viewpoint, SALT).encode()


def words_in(content: bytes) -> str:
    packed = re.search(rb'id="words">([^<]*)<', content)
    assert packed is not None
    return unpacked(packed[1]).decode()


def opened(content: bytes) -> bytes:
    """The page with its packed parts unpacked behind it: every byte that somebody could find in it."""
    return without_base64(content) + journal_in(content) + words_in(content).encode()


def without_base64(content: bytes) -> bytes:
    """The page without its packed parts, in which chance writes short words."""
    return re.sub(rb'(id="(?:journal|words)">)[^<]*', rb"\1", content)


def records(content: bytes) -> list[StepRecord]:
    found = scan(journal_in(content))
    assert found.verdict == "clean"
    return [record for record in map(decode_record, found.records) if isinstance(record, StepRecord)]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewpoint", [None, 2])
def test_no_byte_of_a_page_tells_what_the_viewpoint_has_not_seen(game: str, viewpoint: int | None) -> None:
    table = HostTable(4, game)
    for _ in range(3):
        table.hand(trouble=False)
    starts = Playback(table.steps).hands
    pages = [opened(written(table.steps, viewpoint))]
    pages += [opened(written(table.steps, viewpoint, only)) for only in starts]
    for content in pages:
        for number in (1, 2, 3):
            assert not found(content, table.played(number), viewpoint)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewpoint", [None, 2, "all"])
def test_the_story_names_only_cards_that_the_viewpoint_has_seen(game: str, viewpoint: Viewpoint) -> None:
    steps = played_steps(8, games=(game,), players=4, hands=1)
    events = [event for step in steps for event in step.events]
    known = frozenset().union(*known_cards(events, viewpoint))
    words = json.loads(words_in(written(steps, viewpoint)))
    told = {span for _, spans, *_ in words["story"] for span in spans if isinstance(span, int)}
    text = "".join(span for _, spans, *_ in words["story"] for span in spans if isinstance(span, str))
    assert told <= known
    assert not cards_named(text), [card_text(card) for card in cards_named(text)]


@pytest.mark.slow
def test_with_all_cards_there_are_neither_decks_nor_tokens_nor_cards_of_other_hands() -> None:
    table = HostTable(4, "stud8")
    for _ in range(3):
        table.hand()
    content = opened(written(table.steps, "all", Playback(table.steps).hands[1]))
    assert found(opened(written(table.steps, "all")), table.played(2), None) == {"down cards"}
    assert found(content, table.played(2), None) == {"down cards"}
    assert not found(content, table.played(1), None)
    assert not found(content, table.played(3), None)


@pytest.mark.slow
@pytest.mark.parametrize("viewpoint", [None, 1, "all"])
def test_the_journal_of_a_page_is_the_projected_one(viewpoint: Viewpoint) -> None:
    steps = played_steps(2, hands=4)
    inside = records(written(steps, viewpoint))
    assert [(step.seq, step.at, len(step.events)) for step in inside] == [
        (step.seq, step.at, len(step.events)) for step in steps
    ]
    for mine, theirs in zip(inside, steps, strict=True):
        assert mine.command is None
        for event, original in zip(mine.events, theirs.events, strict=True):
            seated = isinstance(original, ev.PlayerSeated)
            seen = original if viewpoint == "all" and not seated else project(original, _seat(viewpoint))
            assert encode_value(event) == encode_value(seen)


def _seat(viewpoint: Viewpoint) -> int | None:
    return viewpoint if isinstance(viewpoint, int) else None


@pytest.mark.slow
@pytest.mark.parametrize("only", [None, 1])
@pytest.mark.parametrize("viewpoint", [None, 2, "all"])
def test_a_page_is_a_recording(tmp_path: Path, viewpoint: Viewpoint, only: int | None) -> None:
    steps = played_steps(2, hands=3)
    start = Playback(steps).hands[only] if only is not None else None
    path = tmp_path / "page.html"
    path.write_bytes(written(steps, viewpoint, start))
    recording = open_recording(path)
    assert recording.steps == page_steps(steps, viewpoint, start)
    assert recording.refresh() == []
    assert verify(path).ok
    told = [line.text for line in story(Playback(recording.steps, of_a_player=True), 0, 10_000, viewpoint)]
    words = json.loads(words_in(path.read_bytes()))
    base = [spans for _, spans, *views in words["story"] if not views or 0 in views[0]]
    assert ["".join(card_text(s) if isinstance(s, int) else "".join(s) for s in spans) for spans in base] == told


@pytest.mark.slow
def test_a_hand_that_is_not_over_is_not_in_a_page() -> None:
    table = HostTable(4, "razz")
    table.hand()
    table.hand()
    running = table.steps[:-1]
    assert Playback(running).view(None, len(table.events) - len(table.steps[-1].events)).playing
    inside = records(written(running, "all"))
    assert sum(len(step.events) for step in inside) == Playback(running).hands[1] - 1


def test_a_recording_with_a_damaged_hand_gives_a_whole_page(tmp_path: Path) -> None:
    steps = played_steps(2, hands=4)
    path = sample_session.write(tmp_path / "a.ryo", steps)
    starts = [step for step in steps if any(isinstance(event, ev.HandStarted) for event in step.events)]
    offset = scan(path.read_bytes()).offsets[steps.index(starts[1]) + 4]
    content = bytearray(path.read_bytes())
    content[offset + 30] ^= 4
    path.write_bytes(content)
    damaged = open_good_parts(path)
    assert damaged.damage
    path.write_bytes(written(damaged.steps, None))
    assert verify(path).ok
    ended = [hand.number for hand in summaries(open_recording(path).steps) if hand.ended is not None]
    assert ended == [1, 3, 4]


def test_no_name_and_no_chat_becomes_markup() -> None:
    rows = [list(row) for row in sample_session.EVENING]
    for seat, name in enumerate(HOSTILE, 1):
        rows[seat] = [ev.PlayerSeated(seat, name, 100)]
    rows.insert(4, [ev.Said("x", "</script><script>alert(1)</script>")])
    content = written(sample_session.steps(rows), "all").decode()
    tags: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append(tag)
            assert not any(name.startswith("on") for name, _ in attrs)

    Reader().feed(content)
    assert tags.count("script") == 3
    assert "img" not in tags
    assert "alert(1)</script>" not in content
    plain = written(sample_session.steps(), "all").decode()
    assert content.count("<") - plain.count("<") == 0


def test_a_page_loads_nothing_and_runs_only_its_own_script() -> None:
    content = without_base64(written(sample_session.steps())).decode()
    assert not re.search(r"https?:|//[a-z]|@import|url\(|src=|href=", content)
    assert "default-src 'none'" in content
    assert "unsafe" not in content
    script = content[content.rindex("<script") :]
    assert not re.search(r"innerHTML|insertAdjacent|document\.write|eval\(|fetch\(|XMLHttp|WebSocket", script)
    assert "import " not in script


def test_a_long_evening_is_under_a_megabyte() -> None:
    steps = played_steps(3, games=tuple(GAMES), players=6, hands=20)
    assert len(written(steps)) < 200_000


def test_without_names(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    target = tmp_path / "page.html"
    words = ["export", "a.ryo", "--format", "html", "--anonymise", "--all", "-o", str(target)]
    result = CliRunner().invoke(main, [*words, "--data-dir", str(tmp_path)])
    assert result.exit_code == 0, result.output
    content = opened(target.read_bytes())
    for secret in (b"Ann", b"Ben", b"Cai", b"good luck", b"h-1", b"2026", b"Kitchen", b"kitchen", b"s" * 16):
        assert secret not in content
    assert b"Player 2" in content


def test_ryo_export_writes_a_page_that_ryo_reads(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    target = tmp_path / "page.html"

    def run(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(main, [*words, "--data-dir", str(tmp_path)])
        assert result.exit_code == code, result.output
        return result.output

    run("export", "a.ryo", "--format", "html", "-o", str(target))
    told = run("replay", str(target))
    assert "Ann" in told
    assert "As Ks" not in told
    assert "verifies" in CliRunner().invoke(main, ["verify", str(target)]).output
    run("export", "h-1", "--format", "html", "-o", str(target))
    assert 'id="hand"' not in target.read_text()
    cut = target.read_bytes()
    target.write_bytes(re.sub(rb'(id="journal">.{40})[^<]*', rb"\1", cut))
    assert "is not a recording" in run("replay", str(target), code=5)
    assert "is not a recording" in CliRunner().invoke(main, ["verify", str(target)]).output


def test_ryo_import_keeps_the_recording_of_a_page(tmp_path: Path) -> None:
    target = tmp_path / "My page.html"
    target.write_bytes(written(played_steps(2, hands=2), 2))
    folder = tmp_path / "data" / "hands"
    for name in ("my-page.seat2.ryo", "my-page-2.seat2.ryo"):
        result = CliRunner().invoke(main, ["import", str(target), "--data-dir", str(folder.parent)])
        assert result.exit_code == 0, result.output
        assert (folder / name).read_bytes() == journal_in(target.read_bytes())
    hands = CliRunner().invoke(main, ["hands", "--data-dir", str(folder.parent), "--format", "csv"])
    assert {row.split(",")[1] for row in hands.output.splitlines()} == {"id", "kitchen-1", "kitchen-2"}
    unpaid: list[StepRecord] = []
    for step in page_steps(played_steps(2, hands=2), None):
        seq = unpaid[-1].seq + len(unpaid[-1].events) if unpaid else 1
        events = tuple([event for event in step.events if not isinstance(event, ev.PotAwarded)])
        unpaid.append(StepRecord(seq, step.at, None, events))
    target.write_text(html_page(page_header(sample_session.header(), None), unpaid, None, SALT), encoding="utf-8")
    result = CliRunner().invoke(main, ["import", str(target), "--data-dir", str(folder.parent)])
    assert result.exit_code == 5, result.output
    assert len(list(folder.glob("*.ryo"))) == 2


def test_the_picture_says_the_nets_and_its_labels_stand_apart() -> None:
    rows = {name: [0, at, -at] for at, name in enumerate((*NAMES[:7], "<i>"))}
    text = picture(rows)
    assert "&lt;i&gt;" in text
    assert "<i>" not in text
    heights = sorted(float(y) for y in re.findall(r'<text class="p\d" x="\d+" y="([\d.]+)"', text))
    assert len(heights) == 8
    assert all(above + LABEL <= below + 0.11 for above, below in pairwise(heights))


def test_nets_go_from_hand_to_hand() -> None:
    assert nets(summaries(sample_session.steps())) == {"Ann": [0, 5, 4], "Ben": [0, -4, -5], "Cai": [0, -1, 1]}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stud8", "barneys", "chicago"])
def test_the_chances_in_a_page_are_those_of_its_viewers_alone(game: str) -> None:
    """Every decision of the seat has its lines, and nobody else's; the price is there wherever staying in costs."""
    steps = played_steps(3, (game,), hands=2)
    playback = Playback(page_steps(steps, 2))
    found = worth(playback, viewpoints(playback, 2))
    assert found
    events = [moment.event for moment in playback.moments(0, len(playback), 2)]
    for position, view, lines in found:
        event = events[position - 1]
        assert isinstance(event, ev.ActionRequested)
        assert (event.seat, view) == (2, 0)
        assert any(line.startswith("To call") for line in lines) == (event.call > 0)
    assert worth(playback, [None]) == []
