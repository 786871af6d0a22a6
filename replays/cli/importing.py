"""The verb ``import``: hands from other programs' files, played by our rules."""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from secrets import token_bytes

import click

from protocol.journal.records import Header, StepRecord, encode_record
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from replays.cli.failures import fail
from replays.cli.verbs import data_dir_option, failures
from replays.narration import safe
from replays.page_file import is_page
from replays.phh.format import BadPhh, PhhHand, read
from replays.recording import journal_bytes, open_recording
from server.errors import EXIT_FAILED
from server.storage.atomic_file import write_file
from server.storage.file_names import SUFFIX
from server.storage.folders import hands_folder
from server.storage.text_file import read_text
from server.terminal import put

HANDS_A_FILE = 500
"""Hands in one journal. The list of games of the table, one for each hand, must fit into a record."""
_LINE = 400


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
