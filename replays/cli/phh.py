"""The verbs ``import`` and ``export``: hands from and to other programs' files."""

import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from secrets import token_bytes

import click

from protocol.events import HandEnded, HandVoided
from protocol.journal.records import Header, StepRecord, encode_record
from protocol.narration.phrases import counted
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from replays.anonymity import anonymised
from replays.cli.completion import recordings
from replays.cli.failures import fail
from replays.cli.verbs import data_dir_option, failures, open_playback, tell_damage, viewpoint_of, viewpoint_options
from replays.hand_texts import as_json, as_markdown, finished_hands
from replays.library import find
from replays.narration import safe
from replays.navigator import Navigator
from replays.page_file import is_page
from replays.page_steps import page_header, page_steps
from replays.phh.exporter import Exported, export_hands
from replays.phh.format import BadPhh, PhhHand, read, write
from replays.playback import Playback, Viewpoint, steps_as_seen
from replays.recording import Recording, journal_bytes, open_recording
from server.errors import EXIT_FAILED
from server.storage.atomic_file import write_file
from server.storage.file_names import SUFFIX
from server.storage.folders import hands_folder
from server.storage.text_file import read_text
from server.terminal import put

HANDS_A_FILE = 500
"""Hands in one journal. The list of games of the table, one for each hand, must fit into a record."""
_LINE = 400


# -------------------------------------------------------------------- import


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the recording. Default: that of the other recordings.",
)
@click.option("-q", "--quiet", is_flag=True, help="Tell only the hands that do not agree, and the totals.")
@data_dir_option
def import_(file: Path, out: Path | None, quiet: bool, data_dir: Path | None) -> None:
    """Play the hands of a PHH file by our rules, compare the final stacks, and record them.

    Of a page that ryo export has written, the recording inside it is kept as it is.

    A hand with an action that our rules do not allow is refused, with the reason; that is no failure. A hand that ends
    with other stacks differs, and the exit code is 5.
    """
    from replays.phh.importer import Imported, play_hands  # only this verb loads the tables of the engine

    folder = out or hands_folder(data_dir)
    with failures():
        if is_page(file.read_bytes()):
            put(f"Recorded: {_keep_page(file, folder)}")
            return
        hands = _read(file)
    results: list[Imported] = []
    written: list[Path] = []
    for start in range(0, len(hands), HANDS_A_FILE):
        name = _free_name(folder, file.stem)
        now = time.time_ns() // 1_000_000
        result = play_hands(hands[start : start + HANDS_A_FILE], name, now)
        results.append(result)
        for verdict in result.verdicts:
            if not quiet or verdict.outcome != "agrees":
                put(safe(str(verdict), _LINE))
        if result.steps:
            written.append(_record(folder, name, result.steps))
    agreed, played, refused, differ = [
        sum(result.count(outcome) for result in results) for outcome in ("agrees", "played", "refused", "differs")
    ]
    unsaid = f"{played} played without final stacks to compare, " if played else ""
    put(f"{agreed} agreed, {unsaid}{refused} refused, {differ} differ")
    for path in written:
        put(f"Recorded: {path}")
    if differ:
        raise click.exceptions.Exit(5)
    if not written:
        fail(f"None of the hands of {file} can be played here.", EXIT_FAILED)


def _keep_page(file: Path, folder: Path) -> Path:
    """Keeps the recording in a page as a file of the folder. Ends the program where it does not verify."""
    from replays.verify import verify  # loads the tables of the engine, too

    recording, report = open_recording(file), verify(file)
    if not report.ok:
        fail(report.problem, 5)
    ending = f".seat{recording.viewer}{SUFFIX}" if recording.viewer is not None else f".watching{SUFFIX}"
    path = folder / f"{_free_name(folder, file.stem, ending)}{ending}"
    folder.mkdir(parents=True, exist_ok=True)
    write_file(path, journal_bytes(file, file.read_bytes()), replace=False)
    return path


def _read(file: Path) -> list[PhhHand]:
    try:
        return read(read_text(file))
    except (BadPhh, UnicodeDecodeError) as error:
        why = str(error) if isinstance(error, BadPhh) else "it is not text in UTF-8"
        fail(f"{file} is no PHH file: {why}.", 5)


def _free_name(folder: Path, stem: str, ending: str = SUFFIX) -> str:
    """A name for the table and the new file, from the name of the file: ``real``, ``real-2`` ..."""
    base = re.sub(r"[^a-z0-9]+", "-", stem.casefold()).strip("-")[:40] or "import"
    name, number = base, 2
    while (folder / f"{name}{ending}").exists():
        name, number = f"{base}-{number}", number + 1
    return name


def _record(folder: Path, name: str, steps: Sequence[StepRecord]) -> Path:
    from server.storage.journal_errors import JournalError
    from server.storage.journal_file import Journal

    header = Header(
        format=JOURNAL_FORMAT,
        rules=RULES,
        program=PROGRAM,
        session=token_bytes(16),
        table=name,
        started=steps[0].at,
    )
    try:
        journal = Journal.create(folder, f"{name}.ryo", encode_record(header))
        try:
            for step in steps:
                journal.append(encode_record(step))
            journal.commit()
        finally:
            journal.close()
    except JournalError as error:
        fail(str(error), error.exit_code)
    except ValueError:
        fail("A hand of the file has texts that are too long for a recording.", EXIT_FAILED)
    return folder / f"{name}.ryo"


# -------------------------------------------------------------------- export

FORMATS = ("phh", "json", "markdown", "html")


@click.command()
@click.argument("what", metavar="[FILE|ID|last]", default="last", shell_complete=recordings)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="phh",
    show_default=True,
    help="PHH, a JSON object for each hand, Markdown for a chat message, or a page for a browser.",
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
    only = meant.first if meant is not None else None
    if form == "html":
        _export_page(recording, only, viewpoint, output, anonymise)
        return
    steps = steps_as_seen(recording.steps, viewpoint)
    exported = export_hands(steps, only, anonymise)
    if missing := _missing(exported):
        put(f"Left out: {missing}.", err=True)
    if not exported.hands:
        fail(f"There is no hand to export in {recording.path}.", EXIT_FAILED)
    text = write(exported.hands) if form == "phh" else _texts(recording, only, viewpoint, form, anonymise)
    if output is None:
        put(text, nl=False)
        return
    with failures():
        _write_output(output, text.encode())
    put(f"Wrote {counted(len(exported.hands), 'hand')}: {output}", err=True)


def _export_page(
    recording: Recording, only: int | None, viewpoint: Viewpoint, output: Path | None, anonymise: bool
) -> None:
    """Writes the hands that are over, or the one that starts with event number `only`, as a page."""
    from replays.page import html_page  # only this format needs the files of the page

    if output is None and sys.stdout.isatty():
        raise click.UsageError("A page is for a browser: say with -o FILE.html where to write it.")
    steps = page_steps(anonymised(recording.steps) if anonymise else recording.steps, viewpoint, only)
    over = sum(isinstance(event, HandEnded | HandVoided) for step in steps for event in step.events)
    if not over:
        fail(f"There is no hand to export in {recording.path}.", EXIT_FAILED)
    text = html_page(page_header(recording.header, viewpoint, anonymise), steps, viewpoint, token_bytes(16))
    if output is None:
        click.echo(text.encode(), nl=False)
        return
    with failures():
        _write_output(output, text.encode())
    put(f"Wrote {counted(over, 'hand')}: {output}", err=True)


def _texts(recording: Recording, only: int | None, viewpoint: Viewpoint, form: str, anonymise: bool) -> str:
    """The finished hands, or the one that starts with event number `only`, as JSON lines or as Markdown."""
    steps = anonymised(recording.steps) if anonymise else recording.steps
    playback = Playback(steps, of_a_player=recording.of_a_player)
    hands = [start for start in finished_hands(playback) if only in (None, start)]
    if form == "json":
        rows = [json.dumps(as_json(playback, start, viewpoint), ensure_ascii=False) for start in hands]
        return "".join(f"{row}\n" for row in rows)
    return "\n".join(as_markdown(playback, start, viewpoint) for start in hands)


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


def _missing(exported: Exported) -> str:
    kinds = ((exported.void, "void"), (exported.unfinished, "not over"))
    return ", ".join(f"{count} that {'is' if count == 1 else 'are'} {what}" for count, what in kinds if count)
