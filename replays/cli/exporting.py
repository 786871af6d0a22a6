"""The verb ``export``: recorded hands as files for other programs."""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import NoReturn

import click

from protocol.events import HandEnded, HandVoided
from protocol.journal.records import StepRecord
from protocol.narration.phrases import counted
from replays import parquet
from replays.anonymity import anonymised
from replays.cli.completion import recordings
from replays.cli.failures import fail
from replays.cli.options import data_dir_option, failures
from replays.cli.verbs import open_playback, tell_damage, viewpoint_of, viewpoint_options
from replays.hand_texts import as_json, as_markdown, finished_hands
from replays.library import find
from replays.navigator import Navigator
from replays.page_steps import page_header, page_steps
from replays.phh.exporter import export_hands
from replays.phh.format import write
from replays.playback import Playback, Viewpoint, steps_as_seen
from replays.pokerstars.words import TITLES
from replays.pokerstars.writer import hand_texts
from replays.recording import Recording
from replays.tables import HandRows
from server.errors import EXIT_FAILED
from server.storage.atomic_file import write_file
from server.storage.folders import hands_folder
from server.terminal import put

FORMATS = ("phh", "pokerstars", "json", "markdown", "html", "parquet")


@dataclass(frozen=True, slots=True)
class Task:
    """What is exported.

    Fields:
        only: the event number with which the hand starts that alone is exported; None for all hands.
        viewpoint: whose cards are in it.
        anonymise: without names.
    """

    recording: Recording
    only: int | None
    viewpoint: Viewpoint
    anonymise: bool

    @property
    def steps(self) -> list[StepRecord]:
        """The steps of the recording, without names if so wanted, with all its cards."""
        return anonymised(self.recording.steps) if self.anonymise else self.recording.steps


@click.command()
@click.argument("what", metavar="[FILE|ID|last]", default="last", shell_complete=recordings)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="phh",
    show_default=True,
    help="PHH, text as of PokerStars (stud, stud high-low, razz), a JSON object for each hand, Markdown for a chat "
    "message, a page for a browser, or tables for DuckDB and pandas.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file instead of the terminal.",
)
@click.option("--anonymise", is_flag=True, help="Write Player 1, Player 2 ... for the names, and no table, date or id.")
@viewpoint_options
@data_dir_option
def export(
    what: str,
    form: str,
    output: Path | None,
    anonymise: bool,
    seat: int | None,
    player: str | None,
    everything: bool,
    data_dir: Path | None,
) -> None:
    """Write recorded hands for other programs: all hands of a FILE, the hand with that ID, or the last one.

    What was never shown stays hidden, unless you ask for all cards (--all) or for those that one player saw.
    """
    with failures():
        recording, meant = find(what, hands_folder(data_dir))
    tell_damage(recording)
    playback = open_playback(recording)
    playback.end()
    viewpoint = viewpoint_of(recording, playback, seat, player, everything)
    task = Task(recording, meant.first if meant is not None else None, viewpoint, anonymise)
    if form == "html":
        _export_page(task, output)
        return
    if form == "parquet":
        _export_tables(task, output)
        return
    text, hands = _pokerstars(task) if form == "pokerstars" else _other_text(task, form)
    if output is None:
        put(text, nl=False)
        return
    with failures():
        _write_output(output, text.encode())
    put(f"Wrote {counted(hands, 'hand')}: {output}", err=True)


def _pokerstars(task: Task) -> tuple[str, int]:
    """(text, number of hands). Ends the program if there is none."""
    written = hand_texts(steps_as_seen(task.steps, task.viewpoint), task.only)
    others = ", ".join(f"{count} of {title}" for title, count in written.others.items())
    if others and not written.texts:
        fail(
            f"The text format of PokerStars is for {', '.join(TITLES.values())} in fixed limit, and has no words for "
            f"{' and '.join(written.others)}: --format phh, json, markdown, html or parquet can hold it.",
            EXIT_FAILED,
        )
    _tell_missing(written.void, written.unfinished, others)
    if not written.texts:
        _no_hand(task)
    return "\n\n".join(written.texts), len(written.texts)


def _other_text(task: Task, form: str) -> tuple[str, int]:
    """(PHH, JSON lines or Markdown, number of hands). Ends the program if there is none."""
    exported = export_hands(steps_as_seen(task.recording.steps, task.viewpoint), task.only, task.anonymise)
    _tell_missing(exported.void, exported.unfinished)
    if not exported.hands:
        _no_hand(task)
    if form == "phh":
        return write(exported.hands), len(exported.hands)
    playback = Playback(task.steps, of_a_player=task.recording.of_a_player)
    hands = [start for start in finished_hands(playback) if task.only in (None, start)]
    if form == "json":
        rows = [json.dumps(as_json(playback, start, task.viewpoint), ensure_ascii=False) for start in hands]
        return "".join(f"{row}\n" for row in rows), len(hands)
    return "\n".join(as_markdown(playback, start, task.viewpoint) for start in hands), len(hands)


def _tell_missing(void: int, unfinished: int, others: str = "") -> None:
    """Says which hands are left out."""
    kinds = ((void, "void"), (unfinished, "not over"))
    missing = [f"{count} that {'is' if count == 1 else 'are'} {what}" for count, what in kinds if count]
    if others:
        missing.append(f"{others}, for which this format has no words")
    if missing:
        put(f"Left out: {', '.join(missing)}.", err=True)


def _no_hand(task: Task) -> NoReturn:
    fail(f"There is no hand to export in {task.recording.path}.", EXIT_FAILED)


def _export_page(task: Task, output: Path | None) -> None:
    """Writes the hands that are over as a page."""
    from replays.page import html_page  # only this format needs the files of the page

    if output is None and sys.stdout.isatty():
        raise click.UsageError("A page is for a browser: say with -o FILE.html where to write it.")
    steps = page_steps(task.steps, task.viewpoint, task.only)
    over = sum(isinstance(event, HandEnded | HandVoided) for step in steps for event in step.events)
    if not over:
        _no_hand(task)
    header = page_header(task.recording.header, task.viewpoint, task.anonymise)
    text = html_page(header, steps, task.viewpoint, token_bytes(16))
    if output is None:
        click.echo(text.encode(), nl=False)
        return
    with failures():
        _write_output(output, text.encode())
    put(f"Wrote {counted(over, 'hand')}: {output}", err=True)


def _export_tables(task: Task, output: Path | None) -> None:
    """Writes the hands that are over as tables, each in a file of its own."""
    if output is None:
        raise click.UsageError("Parquet is three files: say with -o FILE.parquet how their names begin.")
    if not parquet.can_write():
        fail(parquet.MISSING, EXIT_FAILED)
    made = HandRows(task.only)
    with failures():
        paths = parquet.write_tables(output, made.rows(steps_as_seen(task.steps, task.viewpoint)))
    _tell_missing(0, made.unfinished)
    if not made.hands:
        for path in paths:
            path.unlink()
        _no_hand(task)
    put(f"Wrote {counted(made.hands, 'hand')}: {', '.join(map(str, paths))}", err=True)


def export_here(navigator: Navigator) -> str:
    """Writes the hand at the navigator's place, as it is seen there, beside the folder of the recordings.

    Returns a sentence that says where, or why not.
    """
    playback, recording = navigator.playback, navigator.recording
    viewpoint = "all" if recording.missing() else navigator.viewpoint
    exported = export_hands(steps_as_seen(recording.steps, viewpoint), playback.hand_start() or -1)
    if not exported.hands:
        return "There is no finished hand here."
    name = re.sub(r"[^\w-]+", "-", playback.hand_id()) or "hand"
    path = recording.path.parent.parent / "exports" / f"{name}.phh"
    try:
        path.parent.mkdir(exist_ok=True)
        write_file(path, write(exported.hands).encode())
    except OSError as error:
        return f"{path}: {error.strerror or error}."
    return f"Written: {path}"


def _write_output(output: Path, data: bytes) -> None:
    """Writes the whole file or nothing; a pipe or a device is written to as it is. Raises OSError."""
    if output.exists() and not output.is_file():
        output.write_bytes(data)
    else:
        write_file(output, data)
