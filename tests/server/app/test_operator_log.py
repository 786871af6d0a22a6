"""The forms of the operator's log, and what may change while it is used."""

import io
import json
import re
from typing import Any, get_args

import pytest

from server.app.log_file import ONE_WRITE
from server.app.operator_log import OperatorLog, make_log
from server.config.log_level import LogFormat

ODD = 'a "b" = c\nnext \x1b[31m \u20ac'


def written(form: LogFormat, **values: Any) -> str:
    out = io.StringIO()
    make_log(out, "info", form).info("table.open", **values)
    return out.getvalue()


def test_a_line_for_people_has_time_level_event_and_values() -> None:
    line = written("text", table="main", note="as it was", n=3)
    assert re.fullmatch(r'20\d\d-\d\d-\d\d \d\d:\d\d:\d\d info table.open table=main note="as it was" n=3\n', line)


def test_a_line_of_logfmt_has_keys_throughout() -> None:
    line = written("logfmt", table="main", note="as it was", resumed=True, gone=None)
    when, rest = line.split(" ", 1)
    assert re.fullmatch(r"timestamp=20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", when)
    assert rest == 'level=info event=table.open table=main note="as it was" resumed=true gone=\n'


def test_a_line_of_json_is_an_object_with_the_values_as_they_are() -> None:
    line = json.loads(written("json", table="main", note=ODD, n=3, resumed=True, error=ValueError("x")))
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "level": "info", "event": "table.open", "table": "main", "note": ODD, "n": 3, "resumed": True, "error": "x",
    }  # fmt: skip


@pytest.mark.parametrize("form", get_args(LogFormat))
def test_every_line_is_one_line_of_ascii_and_hides_what_is_called_a_secret(form: LogFormat) -> None:
    line = written(form, note=ODD, token="abc", exc_info=ValueError("secret"))
    assert line.count("\n") == 1
    assert line.isascii()
    assert line.rstrip("\n").isprintable()
    assert "abc" not in line
    assert "secret" not in line
    assert "(hidden)" in line


@pytest.mark.parametrize("form", get_args(LogFormat))
def test_values_that_are_too_long_are_cut_and_not_the_line(form: LogFormat) -> None:
    line = written(form, **{f"value{number}": "\u20ac" * 3000 for number in range(5)}, last=7)
    assert len(line) <= ONE_WRITE
    assert ('"last": 7}' if form == "json" else "last=7") in line


def test_level_and_form_change_while_the_log_is_used() -> None:
    out = io.StringIO()
    log = OperatorLog(out, "warning", "text")
    log.logger.info("one")
    log.change("debug", "json")
    log.logger.debug("two")
    log.change("error", "text")
    log.logger.warning("three")
    assert json.loads(out.getvalue())["event"] == "two"
