"""The verb ``import``: hands from other programs' files, played by our rules."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING

import click

from protocol.journal.records import Header, StepRecord, encode_record
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from replays.cli.failures import fail
from replays.cli.options import data_dir_option, failures
from replays.narration import safe
from replays.page_file import is_page
from replays.phh.format import BadPhh, PhhHand, read
from replays.pokerstars.reader import is_hand_history, read_history
from replays.recording import journal_bytes, open_recording
from server.errors import EXIT_FAILED
from server.storage.atomic_file import write_file
from server.storage.file_names import SUFFIX
from server.storage.folders import hands_folder
from server.storage.text_file import read_text
from server.terminal import put

if TYPE_CHECKING:  # it loads the tables of the engine, which takes long
    from replays.phh.importer import HandVerdict

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
    """Play the hands of a file by our rules, compare the final stacks, and record them.

    The file is PHH, or a hand history as PokerStars writes them (stud, stud high-low, razz). Of a page that ryo export
    has written, the recording inside it is kept as it is.

    A hand with an action that our rules do not allow is refused, with the reason; that is no failure. A hand that ends
    with other stacks differs, and the exit code is 5.
    """
    folder = out or hands_folder(data_dir)
    with failures():
        if is_page(file.read_bytes()):
            put(f"Recorded: {_keep_page(file, folder)}")
            return
        hands = _read(file)
    outcomes: list[str] = []
    written: list[Path] = []
    for start in range(0, len(hands), HANDS_A_FILE):
        name = _free_name(folder, file.stem)
        verdicts, steps = _play(hands[start : start + HANDS_A_FILE], name)
        for verdict in verdicts:
            outcomes.append(verdict.outcome)
            if not quiet or verdict.outcome != "agrees":
                put(safe(str(verdict), _LINE))
        if steps:
            written.append(_record(folder, name, steps))
    agreed, played, refused, differ = map(outcomes.count, ("agrees", "played", "refused", "differs"))
    unsaid = f"{played} played without final stacks to compare, " if played else ""
    put(f"{agreed} agreed, {unsaid}{refused} refused, {differ} differ")
    for path in written:
        put(f"Recorded: {path}")
    if differ:
        raise click.exceptions.Exit(5)
    if not written:
        fail(f"None of the hands of {file} can be played here.", EXIT_FAILED)


def _play(hands: Sequence["PhhHand | HandVerdict"], name: str) -> tuple[list["HandVerdict"], Sequence[StepRecord]]:
    """(the verdict on each hand, the steps for a recording); hands that could not be read have theirs already."""
    from replays.phh.importer import HandVerdict, play_hands

    readable = [hand for hand in hands if isinstance(hand, PhhHand)]
    result = play_hands(readable, name, time.time_ns() // 1_000_000)
    verdicts = iter(result.verdicts)
    told = [hand if isinstance(hand, HandVerdict) else _of_rake(hand, next(verdicts)) for hand in hands]
    return told, result.steps


def _of_rake(hand: PhhHand, verdict: "HandVerdict") -> "HandVerdict":
    """The verdict, with what the room of the file took from the pot."""
    rake = hand.own.get("_rake")
    if not isinstance(rake, int) or verdict.outcome not in ("agrees", "played"):
        return verdict
    shared = "; several share that pot, so the stacks cannot be compared" if verdict.outcome == "played" else ""
    return replace(verdict, why=f"the room took {rake}, here nobody does{shared}")


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


def _read(file: Path) -> Sequence["PhhHand | HandVerdict"]:
    """The hands of the file, and a verdict for each that cannot be read. Ends the program where it is no such file."""
    try:
        text = read_text(file)
    except UnicodeDecodeError:
        text = file.read_bytes().decode("cp1252", "replace")  # as rooms wrote names before UTF-8
        if not is_hand_history(text):
            fail(f"{file} is no PHH file: it is not text in UTF-8.", 5)
    if is_hand_history(text):
        return _read_text(text)
    try:
        return read(text)
    except BadPhh as error:
        fail(f"{file} is no PHH file: {error}; nor does it begin like a hand history of PokerStars.", 5)


def _read_text(text: str) -> Sequence["PhhHand | HandVerdict"]:
    from replays.phh.importer import HandVerdict
    from replays.pokerstars.importer import understood

    found = read_history(text)
    if found.unit > 1:
        put(f"Amounts are multiplied by {found.unit}: a chip is {1 / found.unit:g} of the money in the file.")
    return [HandVerdict(hand.entry, "refused", hand.why) if hand.why else understood(hand) for hand in found.hands]


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
