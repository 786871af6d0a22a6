"""The terminal: size, colours, and whether suits are as wide as they should be."""

import os
import re
import shutil
import sys
from collections.abc import Iterator

from client.doctor.finding import Finding
from client.terminal.background import background_is_dark, terminal_answers

COLUMNS, ROWS = 80, 24
"""The size for which the table is made."""
SUITS = "♠♥♦♣"
_CURSOR = re.compile(rb"\x1b\[\d+;(\d+)R")


def terminal() -> Iterator[Finding]:
    """Everything about the terminal in which the program runs."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        text = "There is no terminal here; the line mode would be used."
        yield Finding("terminal", "ok", text, fact="none")
        return
    size = shutil.get_terminal_size((0, 0))
    yield judge_size(size.columns, size.lines)
    yield colours(os.environ)
    yield _symbols()


def judge_size(columns: int, rows: int) -> Finding:
    """Whether the table fits."""
    fact = f"{columns} x {rows}"
    if columns >= COLUMNS and rows >= ROWS:
        return Finding("terminal", "ok", f"The terminal has {columns} columns and {rows} rows.", fact=fact)
    text = f"The terminal has {columns} columns and {rows} rows; a full table needs {COLUMNS} and {ROWS}."
    return Finding("terminal", "warning", text, "Make the window larger, or play in line mode: ryo play --plain.", fact)


def colours(environment: "os._Environ[str] | dict[str, str]") -> Finding:
    """How many colours there are, as the environment says."""
    kind = environment.get("TERM", "")
    if environment.get("NO_COLOR"):
        return Finding("colours", "ok", "Colours are switched off (NO_COLOR).", fact="off")
    if kind in ("", "dumb"):
        text = f"TERM is {kind or 'not set'}: the terminal is used line by line, without colours."
        return Finding(
            "colours", "warning", text, "Set TERM to what the terminal is, like xterm-256color.", kind or "none"
        )
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        many = "all"
    else:
        many = "256" if "256" in kind else "16"
    dark = {True: "dark", False: "light", None: "unknown"}[background_is_dark()]
    text = f"The terminal ({kind}) has {many} colours; its background is {dark}."
    return Finding("colours", "ok", text, fact=f"{many}, background {dark}")


def _symbols() -> Finding:
    """Writes the suits and asks the terminal where its cursor is then."""
    answer = _CURSOR.search(terminal_answers(f"\r{SUITS}\x1b[6n\r\x1b[K".encode()))
    if answer is None:
        text = "The terminal does not say how wide suits are."
        return Finding("symbols", "ok", f"{text} ryo play --ascii draws with letters only.", fact="unknown")
    cells = int(answer[1]) - 1
    if cells == len(SUITS):
        return Finding("symbols", "ok", "Suits are shown as symbols, each in one cell.", fact="one cell each")
    text = f"Suits take {cells} cells instead of {len(SUITS)}: the table would be crooked."
    return Finding("symbols", "warning", text, "Play with letters: symbols = false in client.toml.", f"{cells} cells")
