"""What somebody reads of a table before they sit down."""

from typing import Any

import pytest

from server.config.config import load
from server.config.presets import PRESETS
from server.config.table_config import TableConfig
from server.engine.games.house_card import as_lines, house_rules


def rows(players: tuple[str, ...] = (), **settings: Any) -> dict[str, str]:
    config = TableConfig(**settings)
    return dict(house_rules(config.rules(), players, players[:1], watching=2, hand=12, where="192.0.2.1:7719"))


def test_a_usual_table_in_a_few_rows() -> None:
    assert rows(("Ann", "Ben"), name="Kitchen") == {
        "Table": "Kitchen · 192.0.2.1:7719 · hand 12",
        "Seats": "6 of 8 free; here: Ann (host), Ben; 2 watching",
        "Games": "Barney's Poker (ante 1, bets 1 to 5); Seven-card stud high-low, Razz roll your own "
        "(ante 1, limits 2/4); another one with every orbit",
        "Buy-in": "100 chips; from 20 to 1000",
        "Clocks": "30 s to bet, 20 s to choose, 60 s to arrange, 20 s to declare; 60 s in reserve",
        "Spectators": "see what is open at the table",
    }


def test_what_is_unusual_is_told() -> None:
    told = rows(
        games=("stud8",),
        show="all",
        coach=False,
        rise="x2 every 20 hands",
        spectators="open",
        open_delay="3 hands",
        spectator_chat=True,
        stakes={"stud8": {"cap": 4, "open_pair": "off", "odd_chip": "suit_tda", "no_check_raise": True}},
    )
    assert told["House rules"] == (
        "every hand that stays in is shown; programs give no advice; at most 4 raises a round, no raise after a check, "
        "no big bet for an open pair, the odd chip goes by suit"
    )
    assert told["Limits rise"] == "x2 every 20 hands"
    assert told["Spectators"] == "see every card of a hand when it is over, 3 hands later; they may talk"
    assert told["Games"] == "Seven-card stud high-low (ante 1, limits 2/4)"
    assert rows(spectators="off")["Spectators"] == "none"


def test_a_table_that_is_not_open_names_nobody_and_a_full_one_says_so() -> None:
    assert rows(("", ""), seats=2)["Seats"] == "all 2 taken; 2 watching"


def test_names_from_elsewhere_are_harmless() -> None:
    assert "\x1b" not in "".join(rows(("\x1b[31mAnn",), name="\x1b]0;x\x07").values())


@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_no_wall_of_text_in_a_small_terminal(preset: str) -> None:
    (table,) = load(None, {"RYO_TABLE_RISE": "x2 every 20 hands"}, {"preset": preset})[0].table
    names = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
    lines = as_lines(house_rules(table.rules(), names, watching=3, hand=12, where="192.0.2.1:7719"), 80)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 20
