"""What the next card can make of a hand, counted from what one seat sees."""

from math import comb

import pytest

from protocol.cards import cards, cards_text
from protocol.seat_view import SeatView
from protocol.view import TableView
from replays.chances.outs import MADE, Improvement, chance, improvements, kind_of, seen_cards
from server.engine.ranking.rankings import ACE_TO_FIVE, EIGHT_OR_BETTER, HIGH


@pytest.mark.parametrize(
    ("row", "made"),
    [
        ("As", "nothing"), ("4h 3h 2c", "nothing"), ("As Ad", "a pair"), ("As Ad Kc", "a pair"),
        ("As Ad Kc Kd", "two pair"), ("As Ad Ac 4d", "three of a kind"), ("As Ad Ac Ah", "four of a kind"),
        ("As Kd 9c 4d 2h", "nothing"), ("As Ad 9c 4d 2h", "a pair"), ("As Ad 9c 9d 2h", "two pair"),
        ("As Ad Ac 4d 2h", "three of a kind"), ("As 2d 3c 4d 5h", "a straight"), ("Ks Qd Jc Td 9h 9s", "a straight"),
        ("2h 3h 4h 5h 7h", "a flush"), ("As Ad Ac 4d 4h", "a full house"), ("As Ad Ac Ah 4h", "four of a kind"),
        ("As 2s 3s 4s 5s", "a straight flush"), ("Ts Js Qs Ks As", "a straight flush"),
    ],
)  # fmt: skip
def test_the_kind_of_a_hand(row: str, made: str) -> None:
    assert MADE[kind_of(cards(row))] == made


def told(found: list[Improvement]) -> list[str]:
    return [f"{one.side} {one.makes}: {cards_text(one.live)} / {cards_text(one.dead)}" for one in found]


def test_live_and_dead_cards_by_name() -> None:
    held = cards("Kh Kd 9s 4h")
    seen = frozenset([*held, *cards("Ks 9d 4c 4d")])
    assert told(improvements(held, seen, HIGH, None)) == [
        "high three of a kind: Kc / Ks",
        "high two pair: 4s 9c 9h / 4c 4d 9d",
    ]


def test_low_cards_are_wanted_until_there_is_a_low_and_better_ones_then() -> None:
    held = cards("8h 7d 5s Kc Qh")
    (wanted,) = improvements(held, frozenset(held), None, EIGHT_OR_BETTER)
    assert (wanted.makes, len(wanted.live)) == ("a low card", 20)
    made = cards("8h 7d 5s 3c 2h")
    (better,) = improvements(made, frozenset(made), None, EIGHT_OR_BETTER)
    assert (better.makes, len(better.live)) == ("a better low", 12), "ace, four and six"
    nut = cards("5h 4d 3s 2c Ah")
    assert improvements(nut, frozenset(nut), None, ACE_TO_FIVE) == []


def test_a_seat_has_seen_its_own_cards_and_everything_that_lay_face_up() -> None:
    own = SeatView(1, "Ann", hand="live", down=tuple(cards("As 2s")), up=tuple(cards("3s")))
    folded = SeatView(2, "Bob", hand="folded", down=(None, None), up=tuple(cards("4s")))
    back = SeatView(3, "Cat", hand="live", down=(None,), before=tuple(cards("5s")))
    view = TableView(seats=[own, folded, back], community=tuple(cards("6s")))
    assert seen_cards(view, 1) == frozenset(cards("As 2s 3s 4s 5s 6s"))


def test_the_chance_is_that_of_counting_all_draws() -> None:
    for live, unseen, to_come in ((9, 46, 1), (9, 46, 2), (4, 31, 3), (0, 30, 2), (30, 30, 1), (2, 2, 4)):
        drawn = min(to_come, unseen)
        assert chance(live, unseen, to_come) == pytest.approx(1 - comb(unseen - live, drawn) / comb(unseen, drawn))
