"""The results of one launch: a line for each row, and a file with all of them."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tests.benchmarks.harness import Row, Spread
from tests.benchmarks.machine import Machine, Noise


class Result(msgspec.Struct, frozen=True):
    """A row with the noise of the machine around it."""

    row: Row
    noise: Noise

    @property
    def counts(self) -> bool:
        """Whether the figure says something: none on the wall does on a noisy machine."""
        return self.row.value is not None and not (self.row.clock == "wall" and self.noise.too_noisy)

    @property
    def verdict(self) -> str:
        """The goal in a word."""
        if self.row.value is None:
            return "not measured here"
        reached = self.row.reached()
        if reached is None:
            return ""
        if not self.counts:
            return "does not count: noisy"
        return "reached" if reached else "MISSED"


class Results(msgspec.Struct):
    """One launch."""

    date: str
    machine: Machine
    repeats: int
    results: list[Result]
    format: int = 1


def started(machine: Machine, repeats: int) -> Results:
    """A launch that begins now."""
    return Results(datetime.now(UTC).isoformat(timespec="seconds"), machine, repeats, [])


def save(results: Results, path: Path) -> None:
    """Write the file whole, or leave what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    new.replace(path)


def read(path: Path) -> Results:
    """Read such a file. Raises msgspec.ValidationError, msgspec.DecodeError or OSError."""
    return msgspec.json.decode(path.read_bytes(), type=Results)


def line(result: Result) -> str:
    """``p1-razz-loose   59.1 x (58.0 .. 60.2)  goal 55: reached ...``"""
    row, noise = result.row, result.noise
    if row.value is None:
        return f"{row.name:<30} {row.note}"
    parts = [f"{row.name:<30} {figures(row.value, row.unit):<30}"]
    parts.append("" if row.goal is None else f"goal {'' if row.more else '<= '}{row.goal:g}: {result.verdict}")
    line = f"{parts[0]} {parts[1]:<38}{row.clock if row.clock != 'none' else ''}"
    if row.wall is not None:
        line += f"; wall {figures(row.wall, row.unit)}" + " (noisy)" * noise.too_noisy
    return line.rstrip() + f"\n{'':<31}{row.note}" * bool(row.note)


def figures(value: Spread, unit: str) -> str:
    """``59.1 x (58.0 .. 60.2)``"""
    return f"{number(value.median)} {unit} ({number(value.low)} .. {number(value.high)})"


def number(figure: float) -> str:
    """Three digits that mean something."""
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def noise_line(noise: Noise) -> str:
    """What the machine did meanwhile."""
    return (
        f"  machine: loop {noise.loop * 1e3:.1f} ms, drift {noise.drift:.0%}, waited {noise.waiting:.0%}, "
        f"load {noise.load:.1f}" + "; too noisy for times on the wall" * noise.too_noisy
    )
