"""``ryo doctor``: looks at what a server and a player need on this machine, and says what to do."""

import json
import shutil
import sys
import textwrap
from dataclasses import asdict

import click

from client.doctor.finding import Finding
from protocol.sanitize import clean
from server.errors import EXIT_FAILED
from server.terminal import put

_WIDEST = 100
_INDENT = " " * 20
_LONGEST = 1000


@click.command()
@click.option("--config", "config_file", metavar="FILE", envvar="RYO_CONFIG", help="The server's settings (TOML).")
@click.option("--data-dir", metavar="DIR", help="Folder of keys and recorded hands. [default: the user's data folder]")
@click.option("--json", "as_json", is_flag=True, help="One object for programs.")
def doctor(config_file: str | None, data_dir: str | None, as_json: bool) -> None:
    """Look at this machine: program, settings, terminal, clocks, disk, network.

    Each line is ok, a warning or a fault; the arrow says what to do. Nothing is changed, and a server that runs is not
    disturbed. At the end stands a block for a report: it names nobody. The exit code is 1 if there is a fault.
    """
    from client.doctor.examination import examine, report

    findings = []
    for finding in examine(config_file, data_dir):
        findings.append(finding)
        if not as_json:
            for line in _lines(finding):
                put(line)
    faults = any(finding.state == "fault" for finding in findings)
    if as_json:
        checks = [asdict(finding) for finding in findings]
        put(json.dumps({"ok": not faults, "checks": checks, "report": report(findings)}, ensure_ascii=False))
    else:
        put("")
        put("For a report, from here to the end:")
        for line in report(findings):
            for row in textwrap.wrap(f"  {line}", _width(), subsequent_indent="    "):
                put(row)
    sys.exit(EXIT_FAILED if faults else 0)


def _width() -> int:
    return min(shutil.get_terminal_size().columns, _WIDEST)


def _lines(finding: Finding) -> list[str]:
    """``warning  disk      The disk is nearly full ...``, and below it what to do."""
    head = f"{finding.state:8} {finding.area:10} "
    lines = textwrap.wrap(head + clean(finding.text, _LONGEST), _width(), subsequent_indent=_INDENT)
    if finding.advice:
        lines += textwrap.wrap(
            f"{_INDENT}-> {finding.advice}", _width(), subsequent_indent=f"{_INDENT}   ", break_on_hyphens=False
        )
    return lines
