"""How a host writes that limits rise."""

import pytest

from protocol.table_rules import Rise
from server.config.config import load
from server.config.rise_words import parse_rise
from server.config.table_config import TableConfig
from server.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "rise"),
    [
        ("", None),
        ("x2 every 20 hands", Rise(percent=200, every=20, unit="hands")),
        ("x1.5 every 30 minutes, at most x8", Rise(percent=150, every=30, unit="minutes", most=800)),
        (" X2  every 1 hand at most x4 ", Rise(percent=200, every=1, unit="hands", most=400)),
    ],
)
def test_what_is_understood(text: str, rise: Rise | None) -> None:
    assert parse_rise(text) == rise
    if rise is not None:
        assert parse_rise(rise.words()) == rise


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("x2 evry 20 hands", "Did you mean every?"),
        ("x2 every 20 minuts", "Did you mean minutes?"),
        ("double every hour", "x2 every 20 hands"),
        ("x1 every 20 hands", "x1.2"),
        ("x2 every 0 hands", "at least one hand"),
        ("x4 every 9 hands, at most x3", "never rise"),
        ("x50 every 9 hands", "x10"),
    ],
)
def test_fault_85_what_is_not_understood_is_named_with_the_way_to_write_it(text: str, named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(None, {"RYO_TABLE_RISE": text}, {})
    assert named in str(caught.value)
    assert "table 'main'" in str(caught.value)


def test_limits_that_could_never_rise_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"buy_in_most \(20\)"):
        TableConfig(rise="x5 every 9 hands", buy_in_least=5, buy_in=10, buy_in_most=20).rules()
