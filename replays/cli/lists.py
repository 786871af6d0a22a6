"""The verbs that look at many hands at once: ``hands``, ``stats``, ``ledger``."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from protocol.events import Seat
from protocol.narration.phrases import counted, signed
from replays.anonymity import Masks
from replays.cli.completion import games
from replays.cli.failures import fail
from replays.cli.options import data_dir_option, failures
from replays.cli.output import echo, padded, width
from replays.hand_summaries import HandSummary
from replays.index import Filter
from replays.ledger import Account, Payment, settlement
from replays.ledger import ledger as accounts_of
from replays.library import Library, ListedHand
from replays.narration import safe, stamp
from replays.notes import Notes
from replays.statistics import DAY_BEGINS, Grouping, Tally, tallies
from server.errors import EXIT_FAILED
from server.storage.folders import hands_folder
from server.terminal import put

F = TypeVar("F", bound=Callable[..., Any])

COLUMNS = 80
MUCH = 20_000_000
"""Bytes of recordings from which on the reading of new ones shows how far it is."""
_SEAT = re.compile(r"\.seat(\d)\.ryo$")
day = click.DateTime(["%Y-%m-%d"])


def filter_options(command: F) -> F:
    """Adds the options that say which hands are meant; `_wanted` makes a filter of them."""
    for decorate in (
        click.option("--evening", type=day, metavar="DATE", help="Only the evening that began on this day."),
        click.option("--until", type=day, metavar="DATE", help="Only up to this day."),
        click.option("--since", type=day, metavar="DATE", help="Only from this day on (2026-12-31)."),
        click.option("--note", metavar="TEXT", help="Only hands with a note that holds this text."),
        click.option("--marked", is_flag=True, help="Only hands that you have marked in a replay."),
        click.option("--showdown", is_flag=True, help="Only hands in which cards had to be shown."),
        click.option("--declared", is_flag=True, help="Only hands with a declaration."),
        click.option("--scoop", is_flag=True, help="Only hands in which one player won both halves."),
        click.option("--pot", "least", type=int, default=0, metavar="N", help="Only pots of at least N chips."),
        click.option("--game", default="", metavar="GAME", shell_complete=games, help="Only this game: id or title."),
        click.option("--player", default="", metavar="NAME", help="Only hands with this player."),
    ):
        command = decorate(command)
    return command


anonymise_option = click.option(
    "--anonymise", is_flag=True, help="Player 1, Player 2 ... for the names, and no file, date or id."
)


def _without_names(rows: list[ListedHand], player: str) -> tuple[list[ListedHand], str]:
    """The rows, and the name of a player, without what tells who played when."""
    from server.engine.games.catalogue import GAMES  # a house game has a title of the house's own

    masks = Masks(
        name for row in rows for name in [*row.hand.names.values(), *row.hand.corrected, *row.hand.corrected_after]
    )
    hidden = []
    for row in rows:
        hand = row.hand
        game, title = (hand.game, hand.title) if hand.game in GAMES else ("house", "House game")
        names = {seat: masks.name(name) for seat, name in hand.names.items()}
        hand = replace(hand, id="", game=game, title=title, names=names)
        hand.corrected = {masks.name(name): chips for name, chips in hand.corrected.items()}
        hand.corrected_after = {masks.name(name): chips for name, chips in hand.corrected_after.items()}
        hidden.append(replace(row, path=Path(), hand=hand))
    return hidden, masks.name(player)


def _wanted(
    folder: Path,
    player: str,
    game: str,
    least: int,
    scoop: bool,
    declared: bool,
    showdown: bool,
    marked: bool,
    note: str | None,
    since: datetime | None,
    until: datetime | None,
    evening: datetime | None,
) -> Filter:
    """The filter that the options describe. Raises click.UsageError."""
    if evening is not None:
        if since is not None or until is not None:
            raise click.UsageError("--evening says both ends; leave out --since and --until.")
        since = until = evening
    late = timedelta(hours=DAY_BEGINS if evening is not None else 0)
    first = since + late if since is not None else None
    last = until + timedelta(days=1) + late if until is not None else None
    ids: frozenset[str] | None = None
    if marked or note is not None:
        with failures():
            notes = Notes(folder)
            chosen = [set(notes.marked())] if marked else []
            chosen += [set(notes.with_text(note))] if note is not None else []
        ids = frozenset(set.intersection(*chosen))
    return Filter(
        player, game, least, scoop, False, declared, showdown,
        int(first.timestamp() * 1000) if first is not None else None,
        int(last.timestamp() * 1000) if last is not None else None,
        ids=ids,
    )  # fmt: skip


@contextmanager
def opened_library(data_dir: Path | None) -> Iterator[Library]:
    """The library, with everything that is new in it read. Files that are left out are named."""
    with Library(hands_folder(data_dir)) as library:
        if library.size > MUCH and sys.stderr.isatty():
            with click.progressbar(length=library.size, label="Reading new hands", file=sys.stderr) as bar:
                library.refresh(bar.update)
        else:
            library.refresh()
        for complaint in library.complaints:
            echo(f"Note: {safe(complaint, 1000)}", err=True)
        yield library


# --------------------------------------------------------------------- hands


@click.command()
@filter_options
@click.option("--limit", type=click.IntRange(1), default=None, metavar="N", help="Only the newest N.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="A row of text, a JSON object a line, or CSV with a row for every player.",
)
@anonymise_option
@click.option("--blind", is_flag=True, help="Without pots and results, for somebody who will look at the hands.")
@data_dir_option
def hands(
    limit: int | None, form: str, anonymise: bool, blind: bool, data_dir: Path | None, player: str, **options: Any
) -> None:
    """List the recorded hands, newest last. The number before each names it: ryo replay 32"""
    if blind and form != "table":
        raise click.UsageError("--blind is for the table; JSON and CSV hold the results.")
    with opened_library(data_dir) as library:
        rows = library.hands(_wanted(library.folder, player, **options), limit)
        if not rows and form == "table":
            some = bool(library.hands(newest=1))
            echo(f"No recorded hands{' like that' if some else ''} in {library.folder}.")
    if anonymise:
        rows, player = _without_names(rows, player)
    if form == "json":
        for row in rows:
            put(json.dumps(_as_json(row, anonymise), ensure_ascii=False))
    elif form == "csv":
        for line in _as_csv(rows, anonymise).splitlines():
            put(line)
    else:
        numbers = max((len(f"#{row.number}") for row in rows), default=0)
        names = max((width(safe(row.hand.game)) for row in rows), default=0)
        for row in rows:
            when = "" if anonymise else f"{stamp(row.hand.started)}  "
            key = f"{f'#{row.number}':>{numbers}}  {when}{padded(safe(row.hand.game), names)}"
            put(f"{key}  {', '.join(map(safe, row.hand.names.values()))}" if blind else _line(key, row, player))


def _line(key: str, row: ListedHand, player: str) -> str:
    """One hand in one row of at most 80 columns, behind number, time and game."""
    hand = row.hand
    seat = hand.seat_of(player) if player else viewer_of(row.path)
    left = f"{key}  {hand.pot:>5}  "
    right = ""
    if seat in hand.net and not hand.voided:
        right = f"{safe(hand.names[seat]) if player else 'you'} {signed(hand.net[seat])}"
    room = COLUMNS - width(left) - width(right) - 2
    text = _result(hand)
    while width(text) > room:
        text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
    return f"{left}{padded(text, room)}  {right}".rstrip()


def viewer_of(path: Path) -> Seat | None:
    """The seat whose file it is, by its name."""
    found = _SEAT.search(path.name)
    return int(found[1]) if found else None


def _result(hand: HandSummary) -> str:
    if hand.voided:
        return "void"
    if hand.ended is None:
        return "not finished"
    winners = [safe(hand.names.get(seat, f"seat {seat}")) for seat in hand.won]
    if len(winners) == 1:
        return f"{winners[0]} {'scoops' if hand.scooped is not None else 'wins'}"
    return ", ".join(f"{name} {won}" for name, won in zip(winners, hand.won.values(), strict=True))


def _as_json(row: ListedHand, anonymise: bool = False) -> dict[str, Any]:
    hand = row.hand
    return {
        "number": row.number,
        "id": None if anonymise else hand.id,
        "file": None if anonymise else row.path.name,
        "game": hand.game,
        "title": hand.title,
        "started": None if anonymise else hand.started,
        "ended": None if anonymise else hand.ended,
        "void": hand.voided,
        "pot": hand.pot,
        "players": [_player(hand, seat) for seat in hand.names],
    }


def _player(hand: HandSummary, seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": hand.names[seat],
        "stack": hand.stacks.get(seat, 0),
        "won": hand.won.get(seat, 0),
        "net": hand.net.get(seat),
        "declared": hand.declared.get(seat),
        "scooped": hand.scooped == seat,
        "showdown": hand.players[seat].showdown,
    }


def _as_csv(rows: Sequence[ListedHand], anonymise: bool = False) -> str:
    out = io.StringIO()
    common = ("number", "id", "game", "started", "ended", "void", "pot")
    own = ("seat", "name", "stack", "won", "net", "declared", "scooped", "showdown")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*common, *own])
    for row in rows:
        hand = _as_json(row, anonymise)
        for player in hand["players"]:
            writer.writerow([*(hand[key] for key in common), *(player[key] for key in own)])
    return out.getvalue()


# --------------------------------------------------------------------- stats


@click.command()
@filter_options
@click.option(
    "--by",
    type=click.Choice(["player", "game", "evening"]),
    default="player",
    show_default=True,
    help="A row for each; by game or evening of the player named with --player.",
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@anonymise_option
@data_dir_option
def stats(by: Grouping, form: str, anonymise: bool, data_dir: Path | None, player: str, **options: Any) -> None:
    """Count what the players did: net, scoops, showdowns, declarations, the cards they got."""
    if by != "player" and not player:
        raise click.UsageError(f"Say whose: --by {by} --player NAME")
    with opened_library(data_dir) as library:
        rows = library.hands(_wanted(library.folder, player, **options))
    if anonymise:
        rows, player = _without_names(rows, player)
    found = tallies(rows, by, player)
    if anonymise and by == "evening":
        found = {f"Evening {number}": tally for number, tally in enumerate(found.values(), 1)}
    if form == "json":
        for name, tally in found.items():
            counts = {key: getattr(tally, key) for key in Tally.__slots__}
            put(json.dumps({by: name, **counts}, ensure_ascii=False))
    elif not found:
        echo("No finished hands like that.")
    else:
        _write_table(by, found)


HEADINGS = ("hands", "net", "best", "scoop", "1/4", "4th", "bring", "aggr", "shown", "decl")


def _write_table(by: Grouping, found: dict[str, Tally]) -> None:
    names = min(16, max(width(safe(name)) for name in [by, *found]))
    table = [HEADINGS, *map(_cells, found.values())]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, cells in zip([by, *found], table, strict=True):
        row = "  ".join(cell.rjust(columns) for cell, columns in zip(cells, widths, strict=True))
        put(f"{padded(safe(name, names), names)}  {row}")
    put("")
    most = max(abs(tally.net) for tally in found.values()) or 1
    half = (COLUMNS - names - 12) // 2
    for name, tally in found.items():
        bar = round(abs(tally.net) / most * half)
        lost, gained = ("#" * bar if tally.net < 0 else "").rjust(half), "#" * bar if tally.net > 0 else ""
        put(f"{padded(safe(name, names), names)}  {signed(tally.net):>6}  {lost}|{gained}".rstrip())
    put("")
    for name, tally in found.items():
        if tally.cards:
            expected, spread = tally.small_expected
            put(
                f"{padded(safe(name, names), names)}  {tally.small} of {counted(tally.cards, 'card')} were an eight or "
                f"lower; {expected:.0f} ± {spread:.0f} are usual"
            )
    put(
        "\nbest: largest sum won; 1/4: only a share of one half; 4th: saw the second street; bring: brought in/"
        "completed;\naggr: bets and raises for each call; shown: won at/came to the showdown; decl: declared "
        "right/in all"
    )


def _cells(tally: Tally) -> tuple[str, ...]:
    share = f"{tally.fourth / tally.hands:.0%}" if tally.hands else "-"
    return (
        str(tally.hands), signed(tally.net), str(tally.best), str(tally.scoops), str(tally.quartered), share,
        f"{tally.brought_in}/{tally.completed}", "-" if tally.aggression is None else f"{tally.aggression:.1f}",
        f"{tally.shown_down}/{tally.showdowns}", f"{tally.right}/{tally.declared}",
    )  # fmt: skip


# -------------------------------------------------------------------- ledger


@click.command()
@filter_options
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@anonymise_option
@data_dir_option
def ledger(form: str, anonymise: bool, data_dir: Path | None, player: str, **options: Any) -> None:
    """Say who owes whom: chips bought and taken home, and the fewest payments that settle it."""
    if player or any(options[key] for key in ("game", "least", "scoop", "declared", "showdown", "marked", "note")):
        raise click.UsageError("A ledger needs all hands of an evening: only --evening, --since and --until choose.")
    with opened_library(data_dir) as library:
        rows = library.with_last_corrections(library.hands(_wanted(library.folder, player, **options)))
    accounts = accounts_of(_without_names(rows, player)[0] if anonymise else rows)
    if not accounts:
        fail("No finished hands like that.", EXIT_FAILED)
    payments = settlement(accounts)
    if form == "json":
        put(json.dumps(_ledger_json(accounts, payments), ensure_ascii=False))
        return
    names = max(width(safe(account.name)) for account in accounts)
    corrected = any(account.corrected for account in accounts)
    put(f"{' ' * names}  {'bought':>8}  {'taken':>8}  {'net':>8}{'  corrected' * corrected}")
    for account in accounts:
        row = f"{padded(safe(account.name), names)}  {account.bought:>8}  {account.taken:>8}  {signed(account.net):>8}"
        row += f"  {signed(account.corrected):>9}" * corrected
        put(f"{row}  in {counted(account.buys, 'buy')}" if account.buys > 1 else row)
    if sum(account.net for account in accounts):
        echo("These recordings do not hold all hands of everybody, so the nets do not add up to nothing.")
    for payment in payments:
        echo(f"{safe(payment.giver)} gives {safe(payment.taker)} {payment.chips}.")


def _ledger_json(accounts: Sequence[Account], payments: Sequence[Payment]) -> dict[str, Any]:
    keys = ("name", "bought", "buys", "taken", "net", "corrected")
    return {
        "accounts": [{key: getattr(account, key) for key in keys} for account in accounts],
        "payments": [{"from": one.giver, "to": one.taker, "chips": one.chips} for one in payments],
    }
