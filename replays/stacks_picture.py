"""The wins and losses of an evening as a picture: one line for each player, from hand to hand, as SVG."""

from collections.abc import Mapping, Sequence
from html import escape

from protocol.events import Chips
from protocol.narration.phrases import signed
from replays.hand_summaries import HandSummary
from replays.narration import safe

WIDTH, HEIGHT = 420, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 124, 12, 24
"""Room beside the lines, in units of the picture."""
LABEL = 16
"""Room between two labels."""
COLOURS = 8
DASHES = ("", "7 3", "2 3", "9 3 2 3")
"""Lines that have the same colour, or look so to somebody, differ in their dashes."""


def nets(hands: Sequence[HandSummary]) -> dict[str, list[Chips]]:
    """For each player the chips won less those lost, after no hand, one, two ... A void hand changes nothing.

    Players are the same if their names differ only in upper and lower case.
    """
    names: dict[str, str] = {}
    for hand in hands:
        for name in hand.names.values():
            names.setdefault(name.casefold(), name)
    rows: dict[str, list[Chips]] = {key: [0] for key in names}
    for hand in hands:
        won = {hand.names[seat].casefold(): net for seat, net in hand.net.items() if seat in hand.names}
        for key, row in rows.items():
            row.append(row[-1] + (0 if hand.voided else won.get(key, 0)))
    return {names[key]: row for key, row in rows.items()}


def picture(rows: Mapping[str, Sequence[Chips]]) -> str:
    """The picture of `nets` as an SVG element. Every row has the same length, at least 2."""
    steps = max(len(row) for row in rows.values()) - 1
    highest = max(0, *[max(row) for row in rows.values()])
    lowest = min(0, *[min(row) for row in rows.values()])
    each = (WIDTH - LEFT - RIGHT) / steps
    scale = (HEIGHT - TOP - BOTTOM) / max(highest - lowest, 1)

    def height(chips: Chips) -> float:
        return TOP + (highest - chips) * scale

    said = "; ".join(f"{safe(name)} {signed(row[-1])}" for name, row in rows.items())
    parts = [
        f'<svg id="stacks" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(f"Wins and losses after {steps} hands: {said}")}">'
    ]
    for chips in sorted({highest, 0, lowest}):
        zero = ' class="zero"' if chips == 0 else ""
        parts.append(
            f'<line{zero} x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height(chips):.1f}" y2="{height(chips):.1f}"/>'
        )
        label = signed(chips) if chips else "0"
        parts.append(f'<text x="{LEFT - 6}" y="{height(chips) + 4:.1f}" text-anchor="end">{label}</text>')
    parts.append(
        f'<line class="now" data-left="{LEFT}" data-each="{each:.3f}" '
        f'x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
    )
    labels = _spread({name: height(row[-1]) for name, row in rows.items()})
    for number, (name, row) in enumerate(rows.items()):
        colour, dashes = f"p{number % COLOURS}", DASHES[number % len(DASHES)]
        points = " ".join(f"{LEFT + at * each:.1f},{height(chips):.1f}" for at, chips in enumerate(row))
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<polyline class="{colour}" points="{points}"{dashed}/>')
        told = escape(f"{signed(row[-1])} {isolated(name, 12)}")
        parts.append(f'<text class="{colour}" x="{WIDTH - RIGHT + 8}" y="{labels[name] + 4:.1f}">{told}</text>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 6}">hand 1 to {steps}</text></svg>')
    return "".join(parts)


def isolated(name: str, limit: int = 80) -> str:
    """A name that does not turn the direction of the text around it."""
    return f"\u2068{safe(name, limit)}\u2069"


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights near the wanted ones that leave `LABEL` between two, within the picture."""
    placed: dict[str, float] = {}
    lowest = float(TOP)
    for name in sorted(wanted, key=lambda name: wanted[name]):
        placed[name] = lowest = max(wanted[name], lowest)
        lowest += LABEL
    bottom = float(HEIGHT - BOTTOM)
    for name in reversed(placed):
        placed[name] = min(placed[name], bottom)
        bottom = placed[name] - LABEL
    return placed
