"""The verbs of this folder: ``hands``, ``replay``, ``verify``.

`replay` here only tells the story, which needs no terminal. The replay of `client` takes the same options
(`replay_options`) and opens the recording in the same way (`open_replay`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from protocol.events import Seat
from protocol.narration.phrases import counted
from replays.cli.completion import recordings
from replays.cli.failures import fail
from replays.cli.lazy_group import LazyGroup
from replays.cli.options import data_dir_option, failures
from replays.library import find_part
from replays.narration import clock, safe, story
from replays.navigator import RUNNING
from replays.playback import Part, Playback, Viewpoint
from replays.recording import Recording
from server.errors import EXIT_FAILED
from server.storage.folders import hands_folder
from server.terminal import put, write_any_text

F = TypeVar("F", bound=Callable[..., Any])


# -------------------------------------------------------------------- replay


@dataclass(slots=True)
class OpenedReplay:
    """What the options of ``replay`` name: a recording, a playback at the right position, and a viewpoint.

    `whole` is true when a file was named and no hand in it: then the story is that of all its hands.
    """

    recording: Recording
    playback: Playback
    viewpoint: Viewpoint
    whole: bool


def viewpoint_options(command: F) -> F:
    """Adds the options that say from which viewpoint a recording is looked at."""
    for decorate in (
        click.option("--all", "everything", is_flag=True, help="Every card the recording holds."),
        click.option("--player", metavar="NAME", help="The view of this player."),
        click.option("--seat", type=click.IntRange(1), default=None, metavar="N", help="The view of this seat."),
    ):
        command = decorate(command)
    return command


def replay_options(command: F) -> F:
    """Adds the argument and the options that say what to replay, and from which viewpoint."""
    for decorate in (
        data_dir_option,
        click.option(
            "--blind/--open",
            default=None,
            help="Without what tells how long it goes on. [default: blind for what you have only watched]",
        ),
        click.option("--hand", type=int, default=None, metavar="N", help="Begin with hand number N of the file."),
        viewpoint_options,
        click.argument("what", metavar="[FILE|ID|last]", default="last", shell_complete=recordings),
    ):
        command = decorate(command)
    return command


def open_replay(
    what: str, seat: int | None, player: str | None, everything: bool, hand: int | None, data_dir: Path | None
) -> OpenedReplay:
    """Opens the recording that the options name. Raises exceptions of click with exit codes."""
    with failures():
        recording, meant, part = find_part(what, hands_folder(data_dir))
    tell_damage(recording)
    playback = open_playback(recording, part)
    if not len(playback):
        fail(f"{recording.path} holds no events yet.", EXIT_FAILED)
    whole = meant is None and hand is None
    if hand is not None:
        position = playback.hand_at(hand)
        if position is None:
            fail(f"{recording.path} holds no hand {hand}; it has {counted(playback.hand_count, 'hand')}.", EXIT_FAILED)
    elif meant is not None:
        position = meant.first
    else:
        position = playback.hands[0] if playback.hands else 1
    playback.goto(position)
    viewpoint = viewpoint_of(recording, playback, seat, player, everything)
    return OpenedReplay(recording, playback, viewpoint, whole)


def tell_damage(recording: Recording) -> None:
    """Says on standard error what of the file is damaged."""
    if recording.damage:
        put(f"Note: {safe(recording.damage, 1000)}", err=True)


def open_playback(recording: Recording, part: Part | None = None) -> Playback:
    """The playback of a recording. Ends the program where an event does not fit."""
    try:
        return Playback(recording.steps, of_a_player=recording.of_a_player, part=part)
    except ValueError as error:
        fail(f"{recording.path}: {error}.", 5)


def viewpoint_of(
    recording: Recording, playback: Playback, seat: Seat | None, player: str | None, everything: bool
) -> Viewpoint:
    """The viewpoint that the options name; without one that of the file. Raises click.UsageError."""
    if (seat is not None) + (player is not None) + everything > 1:
        raise click.UsageError("--seat, --player and --all exclude each other.")
    if everything:
        return "all"
    names = playback.names()
    known = ", ".join(f"{number} {safe(name)}" for number, name in names.items())
    if player is not None:
        # A player who comes later may be named from the beginning on.
        for position in _here_and_at_all_hands(playback):
            for number, name in playback.names(position).items():
                if name.casefold() == player.casefold():
                    return number
        raise click.UsageError(f"There is no player {player} in this recording; seats: {known}.")
    if seat is not None:
        if seat > len(playback.view().seats):
            raise click.UsageError(f"There is no seat {seat} at this table; seats: {known}.")
        return seat
    return recording.viewer


def _here_and_at_all_hands(playback: Playback) -> Iterator[int]:
    """Positions; the hands of a long recording are read only if somebody asks for more than the first position."""
    yield playback.position
    yield from playback.hands


def tell_story(opened: OpenedReplay, write: Callable[[str], object]) -> None:
    """Writes the story of the hand, or of the whole file, with a time before every line."""
    playback = opened.playback
    first, last = (0, len(playback)) if opened.whole else (playback.position - 1, playback.hand_end())
    for line in story(playback, first, last, opened.viewpoint):
        write(f"{clock(line.at)}  {line.text}")
    if opened.viewpoint == "all" and (missing := opened.recording.missing()):
        write(missing)
    if opened.viewpoint != playback.permitted(opened.viewpoint, last):
        write(RUNNING)
    if opened.recording.unfinished and last == len(playback):
        write("The recording goes on, or ends here in the middle of a record.")


@click.command()
@replay_options
def replay(
    what: str,
    seat: int | None,
    player: str | None,
    everything: bool,
    hand: int | None,
    blind: bool | None,
    data_dir: Path | None,
) -> None:
    """Tell the story of a recorded hand: of a FILE, of the hand with that ID, or of the last one."""
    tell_story(open_replay(what, seat, player, everything, hand, data_dir), put)


# -------------------------------------------------------------------- verify


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--repair", is_flag=True, help="Cut the file down to its good records; the damaged one is kept beside it."
)
def verify(file: Path, repair: bool) -> None:
    """Check a recording: the chain of its records, its sums, and every decision against the rules."""
    from replays.verify import verify as check  # only this verb loads the tables of the engine

    with failures():
        if repair:
            _repair(file)
        report = check(file)
    for note in report.notes:
        put(f"Note: {safe(note, 1000)}.")
    if not report.ok:
        put(safe(report.problem, 1000), err=True)
        put(f"{file} does not verify ({report.scan.verdict}).", err=True)
        raise click.exceptions.Exit(5)
    checked = "every decision follows the rules" if report.replayed else "the decisions were not played again"
    put(
        f"{file} verifies: {counted(report.records, 'record')}, {counted(report.events, 'event')}, "
        f"{counted(report.hands, 'hand')}; "
        f"the chain holds, the chips add up, {checked}."
    )


def _repair(file: Path) -> None:
    from server.storage.journal_errors import JournalError
    from server.storage.journal_repair import repair

    try:
        found, kept = repair(file)
    except JournalError as error:
        fail(str(error), error.exit_code)
    if kept is None:
        put(f"{file} is whole; nothing was cut.")
    else:
        put(f"Kept {counted(len(found.records), 'good record')}, cut {found.size - found.good} bytes; before: {kept}")


VERBS = {
    "export": "replays.cli.exporting",
    "hands": "replays.cli.lists",
    "ledger": "replays.cli.lists",
    "stats": "replays.cli.lists",
    "import": "replays.cli.importing",
    "replay": "replays.cli.verbs",
    "verify": "replays.cli.verbs",
}
"""Verb to its module."""


@click.group(cls=LazyGroup, modules=VERBS, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Look back at recorded hands."""
    write_any_text()
