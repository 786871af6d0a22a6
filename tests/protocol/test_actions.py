"""An option admits exactly the actions it says, and a refusal is a sentence."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.actions import WAGERS, Action, Kind, Option, refusal
from protocol.wire.codec import BadMessage, decode_from_client, encode_value
from protocol.wire.messages import Act

SEVEN = (0, 5, 10, 15, 20, 25, 30)
OPTIONS: dict[str, Option] = {
    "fold": Option("fold"),
    "check": Option("check"),
    "call": Option("call", amount=2),
    "bring_in": Option("bring_in", amount=1),
    "bet": Option("bet", least=2, most=10),
    "complete": Option("complete", least=4, most=4),
    "raise": Option("raise", least=8, most=8),
    "choose": Option("choose", cards=SEVEN[:3], count=1),
    "arrange": Option("arrange", cards=SEVEN, count=5),
    "declare": Option("declare", directions=("low", "high")),
    "pass": Option("pass", cards=SEVEN, count=3),
    "discard": Option("discard", cards=SEVEN, count=2),
    "buy": Option("buy", amount=4),
    "decline": Option("decline"),
    "game": Option("game", games=("razz", "stud8")),
}
GOOD: list[Action] = [
    Action("fold"),
    Action("check"),
    Action("call"),
    Action("bring_in"),
    Action("bet", to=2),
    Action("bet", to=7),
    Action("bet", to=10),
    Action("complete", to=4),
    Action("raise", to=8),
    Action("choose", cards=(10,)),
    Action("arrange", cards=(30, 0, 25, 5, 20)),
    Action("declare", direction="low"),
    Action("declare", direction="high"),
    Action("pass", cards=(0, 30, 15)),
    Action("discard", cards=()),
    Action("discard", cards=(5,)),
    Action("discard", cards=(5, 30)),
    Action("buy"),
    Action("decline"),
    Action("game", game="stud8"),
]
BAD: list[tuple[Action, str]] = [
    (Action("bet"), "a bet needs its amount"),
    (Action("bet", to=1), "the bet must be between 2 and 10"),
    (Action("bet", to=11), "the bet must be between 2 and 10"),
    (Action("bet", to=0), "the bet must be between 2 and 10"),
    (Action("bet", to=-5), "the bet must be between 2 and 10"),
    (Action("complete", to=3), "the complete must be to 4"),
    (Action("raise", to=9), "the raise must be to 8"),
    (Action("choose"), "no cards were named"),
    (Action("choose", cards=()), "1 card must be named, not 0"),
    (Action("choose", cards=(0, 5)), "1 card must be named, not 2"),
    (Action("choose", cards=(15,)), "a card was named that is not among the cards to choose from"),
    (Action("choose", cards=(-1,)), "a card was named that is not among the cards to choose from"),
    (Action("choose", cards=(52,)), "a card was named that is not among the cards to choose from"),
    (Action("arrange", cards=(0, 5, 10, 15)), "5 cards must be named, not 4"),
    (Action("arrange", cards=(0, 0, 10, 15, 20)), "a card was named twice"),
    (Action("arrange", cards=(0, 1, 10, 15, 20)), "a card was named that is not among the cards to choose from"),
    (Action("pass", cards=(0, 5)), "3 cards must be named, not 2"),
    (Action("discard"), "no cards were named"),
    (Action("discard", cards=(0, 5, 10)), "at most 2 cards must be named, not 3"),
    (Action("discard", cards=(0, 0)), "a card was named twice"),
    (Action("declare"), "declare one of: low, high"),
    (Action("game"), "choose one of: razz, stud8"),
    (Action("game", game="poker"), "choose one of: razz, stud8"),
]


def test_every_kind_is_tried() -> None:
    assert set(OPTIONS) == set(get_args(Kind))
    assert {action.kind for action in GOOD} == set(get_args(Kind))


@pytest.mark.parametrize("action", GOOD, ids=str)
def test_an_option_admits_what_it_says(action: Action) -> None:
    assert OPTIONS[action.kind].refusal(action) == ""
    assert refusal(tuple(OPTIONS.values()), action) == ""


@pytest.mark.parametrize(("action", "reason"), BAD, ids=str)
def test_an_option_refuses_everything_else_and_says_why(action: Action, reason: str) -> None:
    assert OPTIONS[action.kind].refusal(action) == reason
    assert refusal((OPTIONS["fold"], OPTIONS[action.kind]), action) == reason


@pytest.mark.parametrize("kind", get_args(Kind))
def test_what_is_not_offered_is_refused_with_what_is(kind: Kind) -> None:
    others = tuple([option for option in OPTIONS.values() if option.kind != kind])
    reason = refusal(others, Action(kind))
    assert reason.startswith(f"you cannot {kind.replace('_', ' ')} now; you may ")
    assert all(option.kind.replace("_", " ") in reason for option in others)


def test_two_ranges_of_one_kind_are_both_offered() -> None:
    # An open pair in stud: the small size or the big one, nothing between (rules.md 4.3).
    options = (Option("bet", least=5, most=5), Option("bet", least=10, most=10))
    assert [amount for amount in range(20) if not refusal(options, Action("bet", to=amount))] == [5, 10]


@given(to=st.integers(), least=st.integers(0, 100), width=st.integers(0, 100), kind=st.sampled_from(sorted(WAGERS)))
def test_a_wager_is_admitted_between_its_bounds_only(to: int, least: int, width: int, kind: Any) -> None:
    option = Option(kind, least=least, most=least + width)
    assert (option.refusal(Action(kind, to=to)) == "") == (least <= to <= least + width)


@given(st.lists(st.integers(-1, 53), max_size=9))
def test_cards_are_admitted_if_they_are_different_ones_of_the_offer_and_as_many(named: list[int]) -> None:
    for kind in ("arrange", "discard"):
        option = OPTIONS[kind]
        enough = len(named) == 5 if kind == "arrange" else len(named) <= 2
        fine = enough and len(set(named)) == len(named) and set(named) <= set(SEVEN)
        assert (option.refusal(Action(option.kind, cards=tuple(named))) == "") == fine


def wagered(amount: object) -> bytes:
    """An `act` with that amount, as a client without manners would send it."""
    return msgspec.msgpack.encode({"type": "act", "id": 1, "answers": 9, "action": {"kind": "raise", "to": amount}})


@pytest.mark.parametrize(
    "amount",
    [
        -1,
        0,
        1,
        49,
        2**31,
        2**63,
        2**64 - 1,
        -(2**63),
        1e308,
        float("nan"),
        -0.0,
        50.0,
        "50",
        b"50",
        True,
        None,
        [50],
        {},
    ],
    ids=repr,
)
def test_trap_A09_bad_amounts_are_no_message_or_no_legal_action(amount: object) -> None:
    try:
        message = decode_from_client(wagered(amount))
    except BadMessage:
        return
    assert isinstance(message, Act)
    assert OPTIONS["raise"].refusal(message.action)
    assert refusal(tuple(OPTIONS.values()), message.action)


def test_trap_A09_the_right_amount_passes() -> None:
    message = decode_from_client(wagered(8))
    assert isinstance(message, Act)
    assert refusal(tuple(OPTIONS.values()), message.action) == ""


def test_an_action_on_the_wire_carries_what_it_needs_and_no_more() -> None:
    assert msgspec.msgpack.decode(encode_value(Action("fold"))) == {"kind": "fold"}
    assert msgspec.msgpack.decode(encode_value(Action("bet", to=0))) == {"kind": "bet", "to": 0}
