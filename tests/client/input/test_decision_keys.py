"""Keys come from the options of a request, and only from them."""

import random

import pytest

from client.input.decision_keys import Draft, Key, offer, pressed, question
from client.input.key_labels import key_label
from protocol import commands as cmd
from protocol.actions import Action, Option, refusal
from protocol.cards import cards
from protocol.events import ActionRequested
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable

FOLD, CHECK = Option("fold"), Option("check")


def bet(*options: Option, note: str = "") -> ActionRequested:
    return ActionRequested(1, "bet", options, note=note)


def press(request: ActionRequested, *names: str) -> Draft | Action:
    """What a row of keys comes to; keys that do not exist do nothing."""
    draft = Draft()
    for name in names:
        key = pressed(offer(request, draft), name)
        if key is None:
            continue
        if isinstance(key.answer, Action):
            return key.answer
        draft = key.answer
    return draft


def labels(request: ActionRequested) -> str:
    return " / ".join(f"{key_label(key.names[0])} {key.label}" for key in offer(request, Draft()) if key.listed)


def test_labels_carry_the_amount() -> None:
    request = bet(FOLD, Option("call", amount=2), Option("raise", 4, 4))
    assert labels(request) == "c call 2 / r raise to 4 / f fold"
    assert press(request, "r") == press(request, "b") == Action("raise", to=4)
    assert press(request, "f") == Action("fold")


def test_bring_in_or_complete() -> None:
    request = bet(Option("bring_in", amount=1), Option("bet", 2, 2))
    assert labels(request) == "b bring in 1 / r bet 2"
    assert press(request, "c", "f", "b") == Action("bring_in")
    assert press(request, "r") == Action("bet", to=2)


def test_4_3_open_pair_offers_both_sizes() -> None:
    request = bet(FOLD, CHECK, Option("bet", 2, 2), Option("bet", 4, 4))
    assert labels(request) == "c check / b bet 2 / B bet 4 / f fold"
    assert press(request, "B") == Action("bet", to=4)


def test_all_in_is_said() -> None:
    request = bet(FOLD, Option("call", amount=3, all_in=True))
    assert labels(request) == "c call 3 (all-in) / f fold"


def test_completing_is_a_raise_to_the_eye_and_either_key_does_it() -> None:
    request = bet(FOLD, Option("call", amount=1), Option("complete", 2, 2))
    assert labels(request) == "c call 1 / r complete to 2 / f fold"
    assert press(request, "b") == press(request, "r") == Action("complete", to=2)


def test_amounts_only_within_the_bounds() -> None:
    request = bet(FOLD, CHECK, Option("bet", 2, 12, all_in=True))
    assert labels(request) == "c check / b bet 2-12 / f fold"
    assert press(request, "1", "enter") == Draft(wager=request.options[2], typed="1")
    assert press(request, "1", "2", "enter") == Action("bet", to=12)
    assert press(request, "1", "3", "enter", "backspace", "1", "enter") == Action("bet", to=11)
    assert press(request, "b", "enter", "up", "enter") == Action("bet", to=2)
    assert press(request, "b", "end", "down", "enter") == Action("bet", to=11)
    assert press(request, "b", "home", "up", "enter") == Action("bet", to=3)
    assert press(request, "b", "5", "escape", "c") == Action("check")
    assert press(request, "1", "1", "9", "9", "enter") == Action("bet", to=11), "there is no larger number of digits"
    assert question(request, Draft(wager=request.options[2], typed="7")) == "Bet (2-12): 7_"


def test_fold_is_not_beside_raise_and_asks_back_when_checking_is_free() -> None:
    request = bet(FOLD, CHECK, Option("bet", 2, 2))
    assert press(request, "f") == Draft(folding=True)
    assert press(request, "f", "f", "c") == Draft(folding=True)
    assert press(request, "f", "escape", "c") == Action("check")
    assert press(request, "f", "y") == Action("fold")


@pytest.mark.parametrize(("seconds", "keys"), [(20, ["2", "enter"]), (None, ["2", "enter"]), (20, ["1", "2", "enter"])])
def test_turning_a_card_takes_two_steps_with_and_without_a_clock(seconds: int | None, keys: list[str]) -> None:
    request = ActionRequested(1, "choose", (Option("choose", cards=tuple(cards("As Kd 3c")), count=1),), 0, seconds)
    assert press(request, *keys) == Action("choose", cards=(cards("Kd")[0],))
    assert isinstance(press(request, *keys[:-1]), Draft)


def test_arranging_keeps_the_order_and_takes_back() -> None:
    row = tuple(cards("As Kd 3c 4c 5c 6h 7h"))
    request = ActionRequested(1, "arrange", (Option("arrange", cards=row, count=5),))
    assert press(request, "7", "7", "1", "enter") == Draft(cards=(row[6], row[0]))
    assert press(request, "7", "1", "backspace", "2", "3", "4", "5", "6", "enter") == Action(
        "arrange", cards=(row[6], row[1], row[2], row[3], row[4])
    )


def test_a_key_proposes_the_best_five_what_everybody_has_seen_first() -> None:
    row = tuple(cards("As Kd 3c 4c 5c 6h 7h"))
    request = ActionRequested(1, "arrange", (Option("arrange", cards=row, count=5),))
    keys = offer(request, Draft(cards=row[:1]), best={"high": row[:1:-1], "low": ()})
    proposed = pressed(keys, "H")
    assert proposed is not None
    assert (proposed.label, proposed.answer) == ("best high", Draft(cards=row[2:]))
    assert pressed(keys, "L") is None, "nothing is proposed where there is no hand"
    assert pressed(offer(request, Draft(cards=row[2:]), best={"high": row[2:]}), "H") is None, "they lie there already"


def test_declaring_needs_enter() -> None:
    request = ActionRequested(1, "declare", (Option("declare", directions=("low", "high")),))
    assert press(request, "enter") == Draft()
    assert press(request, "l", "h", "enter") == Action("declare", direction="high")


def test_discards_and_passes_and_buys() -> None:
    row = tuple(cards("As Kd 3c 4c"))
    discard = ActionRequested(1, "discard", (Option("discard", cards=row, count=2),))
    assert press(discard, "enter", "k") == Action("discard", cards=())
    assert press(discard, "2", "4", "enter") == Action("discard", cards=(row[1], row[3]))
    assert press(discard, "2", "2", "3", "enter") == Action("discard", cards=(row[2],))
    give = ActionRequested(1, "pass", (Option("pass", cards=row, count=2),))
    assert press(give, "1", "enter", "2", "enter") == Action("pass", cards=(row[0], row[1]))
    buy = ActionRequested(1, "buy", (Option("buy", amount=3), Option("decline")))
    assert labels(buy) == "b buy for 3 / d decline"
    assert press(buy, "d") == Action("decline")


@pytest.mark.parametrize("game", GAMES)
def test_random_keys_only_ever_do_what_the_request_allows(game: str) -> None:
    """Monkeys on the keyboard: every hand ends, no action is ever refused, no key but those shown is needed."""
    dice = random.Random(game)
    table = LocalTable(game, 4, seed=dice.randrange(999))
    for seat, pending in table.decisions(dice):
        action = monkey(pending.request, dice)
        assert not refusal(pending.request.options, action)
        table.do(cmd.Act(seat, pending.seq, action))


def monkey(request: ActionRequested, dice: random.Random) -> Action:
    """Press keys of the offer at random until an action comes out."""
    draft = Draft()
    for _ in range(2000):
        keys = offer(request, draft)
        assert keys
        names = [name for key in keys for name in key.names]
        assert len(names) == len(set(names)), f"one key, two meanings: {names}"
        key: Key = dice.choice(keys)
        if isinstance(key.answer, Action):
            return key.answer
        draft = key.answer
    raise AssertionError(f"no way to answer {request}")
