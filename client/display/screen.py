"""The table as lines of a screen: a pure function of the view, of the screen's state, and of the size.

There is no loop, no terminal and no clock here: the screens of the table and of the replay call `render` and show what
it returns. In a small window the parts get less room in this order: boxes of cards (`client.display.table_layout`),
column heads, the story down to two lines, the names of players, the words beside a seat. Below `LEAST` the screen says
that the window is too small.
"""

from collections.abc import Sequence

from client.display.screen_state import Hint, ScreenState
from client.display.showdown_panel import panel
from client.display.story_pane import paint
from client.display.table_layout import choose_size, table_lines
from client.display.text_cells import Line, clean, clip, cut, hang, line_width, width, wrap
from client.display.theme import Theme
from client.display.title_rows import title_rows
from protocol.narration import phrases
from protocol.view import TableView
from server.engine.games.hand_words import own_hand_names

LEAST = (46, 12)
"""Columns and rows below which no table is drawn; a table with many seats needs more rows."""
WIDE = (100, 28)
"""Columns and rows from which the story stands beside the table."""
LEAST_LEFT, MOST_LEFT = 63, 132
"""Columns of the table where the story stands beside it."""
WHOLE = 100
"""Rows in which every panel of a result has room."""
NOTE_LINES = 2
"""A longer note is cut after so many lines; nothing important is said in a note alone."""


def render(view: TableView, state: ScreenState, theme: Theme, columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of exactly `columns` columns.

    It changes nothing but `scroll` and `overlay_top` of the state, which are limited to the lines there are.
    """
    if columns < 1 or rows < 1:
        return []
    players = len(view.players())
    if columns < LEAST[0] or rows < max(LEAST[1], players + 5):
        lines = _too_small(view, state, columns, rows, players)
    elif columns >= WIDE[0] and rows >= max(WIDE[1], 2 * players + 11):
        lines = _wide(view, state, theme, columns, rows)
    else:
        lines = _narrow(view, state, theme, columns, rows)
    del lines[rows:]
    lines += [[] for _ in range(rows - len(lines))]
    return [clip(line, columns) for line in lines]


# ---------------------------------------------------------------------- layouts


def _narrow(view: TableView, state: ScreenState, theme: Theme, columns: int, rows: int) -> list[Line]:
    """One column: title, seats, own hand, story, question, last line."""
    players = len(view.players())
    foot = _foot(state, theme, columns)
    if len(foot) > rows - players - 2:
        foot = foot[len(state.preview) :]
    height = rows - len(foot)
    whole = _result(view, state, theme, columns, WHOLE)
    size = choose_size(view, state, columns, rows, beside=False, foot=len(foot), result=len(whole))
    body = title_rows(view, state, theme, columns, price=not size.own)
    body += table_lines(view, state, theme, columns, size)
    room = height - len(body)
    result = whole if len(whole) <= room else _result(view, state, theme, columns, room)
    if not size.own and not result and height - len(body) >= 4:
        body += _own(view, state, columns)
    height -= len(result)
    if height - len(body) > 1:
        body.append([("class:rule", theme.rule * columns)])
    ruled = bool(size.own) and not result and height - len(body) > 3
    body += _pane(view, state, theme, columns, height - len(body) - ruled)
    if ruled:
        body.append([("class:rule", theme.rule * columns)])
    return body[:height] + result + foot  # the question is never cut


def _wide(view: TableView, state: ScreenState, theme: Theme, columns: int, rows: int) -> list[Line]:
    """The table at the left, the story at the right."""
    foot = _foot(state, theme, columns)
    left = max(LEAST_LEFT, min(MOST_LEFT, columns * 3 // 5))
    right = columns - left - 2
    whole = _result(view, state, theme, columns, WHOLE)
    size = choose_size(view, state, left - 1, rows, beside=True, foot=len(foot), result=len(whole))
    head = title_rows(view, state, theme, columns, price=not size.own)
    table = table_lines(view, state, theme, left - 1, size)
    room = rows - len(head) - len(foot) - len(table)
    result = whole if len(whole) <= room else _result(view, state, theme, columns, room)
    height = rows - len(head) - len(foot) - (len(result) or 1)
    if not size.own and not result:
        table += [[], *_own(view, state, left)]
    del table[height:]
    empty: list[Line] = [[] for _ in range(height - len(table))]
    above = len(table) - (size.own + 1 if size.own else 0)
    table[above:above] = empty  # the own hand keeps its place when others fold
    story = _pane(view, state, theme, right, height)
    body: list[Line] = []
    for number, (line, told) in enumerate(zip(table, story, strict=True)):
        ruled = bool(size.own) and number == height - size.own - 1  # the rule above the own hand ends at the bar
        end = theme.rule + theme.end_of_rule if ruled else " " + theme.bar
        body.append([*clip(line, left - 1), ("class:rule", end + " "), *told])
    rule: Line = [("class:rule", theme.rule * left + theme.foot_of_bar + theme.rule * (right + 1))]
    return [*head, *body, *(result or [rule]), *foot]


def _too_small(view: TableView, state: ScreenState, columns: int, rows: int, players: int) -> list[Line]:
    """A window without room for a table: it says how much is needed, and asks the question."""
    need = f"{LEAST[0]}x{max(LEAST[1], players + 5)}"
    text = f"Too small ({columns}x{rows}); needs {need}. The game goes on."
    lines: list[Line] = [[("class:banner", part)] for part in wrap(text, columns, "")]
    asked = state.question + "".join(f" {hint.key} {hint.label};" for hint in state.hints if hint.key)
    question: list[Line] = [[("class:turn", part)] for part in wrap(asked, columns, "")] if asked else []
    return lines[: max(1, rows - len(question))] + question


# ------------------------------------------------------------------------ parts


_STAGES = {"arrange": "bring 'em back", "declare": "the declaration", "game": "dealer's choice"}


def stage(view: TableView) -> str:
    """The stage of the hand: the street, or the decision that all players are asked for together."""
    for seat in view.seats:
        asked = seat.pending.request.decision if seat.pending else seat.choice.decision if seat.choice else ""
        if asked in _STAGES:
            return _STAGES[asked]
    if not view.playing:
        return "between hands"
    return phrases.street(view) or "the deal"


def _result(view: TableView, state: ScreenState, theme: Theme, columns: int, rows: int) -> list[Line]:
    """The panel of the showdown; nothing while something lies over the story."""
    return [] if state.overlay else panel(view, state.seat, theme, columns, rows, state.ready, covered=state.covered)


def _own(view: TableView, state: ScreenState, columns: int) -> list[Line]:
    """What the player's cards make now."""
    if state.covered:
        return [[("class:own", state.covered_note)]]
    text = own_hand_names(view, state.seat) if state.seat else ""
    return [[("class:own", part)] for part in wrap(f"you  {text}", columns, "     ")] if text else []


def _pane(view: TableView, state: ScreenState, theme: Theme, columns: int, rows: int) -> list[Line]:
    """The story, or the overlay in its place, in exactly so many rows."""
    if rows <= 0:
        return []
    if state.overlay:
        lines: list[Line] = [[(style, part)] for style, text in state.overlay for part in hang(text, columns)]
        state.overlay_top = top = max(0, min(state.overlay_top, len(lines) - rows))
        below = len(lines) - rows - top
        lines = lines[top : top + rows]
        if below > 0:
            lines[-1] = [("class:note", cut(f"({below + 1} more lines: PageDown)", columns))]
    else:
        lines = _story(view, state, theme, columns, rows)
    lines += [[] for _ in range(rows - len(lines))]
    return [clip(line, columns) for line in lines]


def _story(view: TableView, state: ScreenState, theme: Theme, columns: int, rows: int) -> list[Line]:
    blocks: list[Sequence[Line]] = []
    wanted = rows + state.scroll
    for entry in reversed(state.story):
        blocks.append(paint(entry, theme, columns, state.covered))
        wanted -= len(blocks[-1])
        if wanted <= 0:
            break
    lines = [line for block in reversed(blocks) for line in block]
    state.scroll = back = max(0, min(state.scroll, len(lines) - rows))
    lines = lines[max(0, len(lines) - rows - back) : len(lines) - back]
    if back and lines:
        lines[-1] = [("class:note", cut(f"({back} later lines: PageDown)", columns))]
    return lines


def _foot(state: ScreenState, theme: Theme, columns: int) -> list[Line]:
    """The preview, the question with its keys, and the last line."""
    lines: list[Line] = [[("class:note", cut(text, columns))] for text in state.preview]
    lines += _question(state, theme, columns)
    *above, note = wrap(clean(state.note), columns)[:NOTE_LINES]
    lines += [[("class:note", part)] for part in above]
    last: Line = [("class:note", note)] if note else _keys(state, theme, columns - width(state.status) - 1)
    gap = columns - line_width(last) - width(state.status)
    if gap >= 1:
        last += [("", " " * gap), ("class:faint", state.status)]
    lines.append(last)
    return lines


def _question(state: ScreenState, theme: Theme, columns: int) -> list[Line]:
    """The question and its keys, in as many lines as they need."""
    style = "class:hurry" if state.hurry else "class:turn" if state.urgent else "class:faint"
    line: Line = [(style, state.question)]
    lines = [line]
    for hint in state.hints:
        item = _hint(hint, theme)
        dot = theme.dot if len(line) > 1 else "  " if line_width(line) else ""
        if line_width(line) + len(dot) + line_width(item) > columns and line_width(line):
            line = [("", "  ")]
            lines.append(line)
            dot = ""
        line += [("class:faint", dot), *item]
    return lines


def _keys(state: ScreenState, theme: Theme, columns: int) -> Line:
    """The keys that always do something, as many as there is room for."""
    line: Line = []
    for hint in state.keys:
        item = [*([("class:faint", theme.dot)] if line else []), *_hint(hint, theme)]
        if line_width(line) + line_width(item) > columns:
            break
        line += item
    return line


def _hint(hint: Hint, theme: Theme) -> Line:
    """The key and its label; both can be clicked if a click does something."""
    line: list[tuple[str, str]] = [("class:key", hint.key)] if hint.key else []
    if hint.card is not None and theme.tiles:
        style = f"class:tile class:up {theme.suit_class(hint.card)}"
        line += [("", " "), (style, hint.label[:2]), ("", hint.label[2:])]
    else:
        line.append(("", f" {hint.label}" if hint.key else hint.label))
    press = hint.press
    return [part if press is None else (*part, press) for part in line if part[1]]
