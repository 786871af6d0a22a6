"""The story of hand-made events, line by line."""

import pytest

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import card, cards
from protocol.events import AnyEvent
from protocol.narration.spans import plain
from protocol.narration.story import tell
from protocol.sanitize import clean
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from protocol.visibility import Viewer, project

STUD = Stakes(ante=1, bring_in=1, small=2, big=4)
BARNEY = Stakes(limit="spread", ante=1, least=1, most=5)
RULES = TableRules(name="Kitchen", seats=5, games=(GameOffer("stud8", "Stud high-low", STUD, 8),))
STACKS = ((2, 100), (3, 50), (1, 100))


def row(text: str) -> tuple[int, ...]:
    return tuple(cards(text))


def told(*events: AnyEvent, viewer: Viewer = None, names: tuple[str, ...] = ("Ann", "Bob", "Cat")) -> list[str]:
    """The lines of these events at a table of Ann, Bob and Cat; what the seating says is left out."""
    view = TableView()
    view.apply(ev.TableOpened("kitchen", RULES))
    for seat, name in enumerate(names, 1):
        view.apply(ev.PlayerSeated(seat, name, 100 if seat != 3 else 50))
    lines: list[str] = []
    for event in events:
        seen = project(event, viewer)
        view.apply(seen)
        lines += [plain(line) for line in tell(seen, view, viewer)]
    return lines


HAND: tuple[AnyEvent, ...] = (
    ev.HandStarted(12, "kitchen-12", "stud8", "Stud high-low", 1, STACKS, STUD),
    ev.AntesPosted(((2, 1), (3, 1), (1, 1))),
    ev.CardsDealt(
        "third street",
        ((2, row("As Td"), row("4c")), (3, row("9h 9d"), row("Kd")), (1, row("2s 3s"), row("2c"))),
    ),
    ev.RoundOpened("third street", 1, 1, "{1} has the lowest up card, 2c"),
)


def test_a_hand_begins_with_its_number_game_stakes_and_dealer() -> None:
    assert told(*HAND[:2]) == [
        "Hand 12: Stud high-low, ante 1, limits 2/4. Ann deals.",
        "Stacks: Bob 100, Cat 50, Ann 100.",
        "Everybody antes 1; the pot is 3.",
    ]
    barney = ev.HandStarted(1, "b-1", "barneys", "Barney's Poker", 1, STACKS, BARNEY)
    assert told(barney)[0] == "Hand 1: Barney's Poker, ante 1, bets 1 to 5. Ann deals."


def test_ux_5_4_a_street_says_everybodys_cards_and_the_pot_in_a_line() -> None:
    assert told(*HAND)[-2:] == [
        "Third street, pot 3: Ann [?? ??] 2c - Bob [?? ??] 4c - Cat [?? ??] Kd",
        "Ann has the lowest up card, 2c. Ann acts first.",
    ]


def test_own_cards_are_told_to_their_owner_only() -> None:
    assert "Third street, you are dealt As Td down and 4c up." in told(*HAND, viewer=2)
    assert "Third street is dealt: two cards down and one card up to each." in told(*HAND)
    for viewer in (None, 1, 3):
        assert not any("As" in line or "Td" in line for line in told(*HAND, viewer=viewer))


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ev.Acted(1, "bring_in", 1, 1), "Ann brings in 1."),
        (ev.Acted(2, "complete", 2, 2), "Bob completes to 2."),
        (ev.Acted(2, "raise", 40, 40), "Bob raises to 40."),
        (ev.Acted(2, "raise", 99, 99, True), "Bob raises to 99 and is all in."),
        (ev.Acted(3, "call", 49, 49, True), "Cat calls 49 and is all in."),
        (ev.Acted(1, "call", 2, 4), "Ann calls 2."),
        (ev.Acted(1, "bet", 3, 3), "Ann bets 3."),
        (ev.Acted(1, "check", 0, 0), "Ann checks."),
        (ev.Acted(3, "fold", 0, 0, False, "timeout"), "Cat folds (time)."),
        (ev.Acted(3, "fold", 0, 0, False, "left"), "Cat folds (left)."),
    ],
)
def test_ux_5_4_actions_in_the_words_of_the_table(event: ev.Acted, line: str) -> None:
    assert told(*HAND, event)[-1] == line


def test_folded_players_are_not_on_the_next_street() -> None:
    lines = told(*HAND, ev.Acted(3, "fold", 0, 0), ev.RoundSkipped("fourth street", "nobody can bet"))
    assert lines[-2:] == [
        "Fourth street, pot 3: Ann [?? ??] 2c - Bob [?? ??] 4c",
        "No betting: nobody can bet.",
    ]


def test_cards_turned_together_and_one_by_one() -> None:
    down = ev.CardsDealt("third street", ((2, row("As Td 4c"), ()), (3, row("9h 9d Kd"), ()), (1, row("2s 3s 2c"), ())))
    both = ev.CardsTurned(((2, card("4c")), (3, card("Kd")), (1, card("2c"))))
    assert told(*HAND[:2], down, both)[-2:] == [
        "Third street is dealt: three cards down to each.",
        "Turned up: Bob 4c, Cat Kd, Ann 2c.",
    ]
    assert told(*HAND[:2], down, ev.CardsTurned(((3, card("Kd")),)))[-1] == "Cat turns up Kd."
    assert (
        told(*HAND[:2], down, ev.CardsTurned(((3, card("Kd")), (2, card("As"))), "roll"))[-1]
        == "Rolled: Cat Kd, Bob As."
    )


def test_rules_7_2_bring_them_back_and_declarations() -> None:
    lines = told(
        *HAND,
        ev.BroughtBack((1, 2, 3), 5),
        ev.ChoiceMade(2, "arrange", Action("arrange", cards=row("As Td 4c 2h 3h"))),
        ev.ChoiceMade(3, "arrange", Action("arrange", cards=row("9h 9d Kd 2d 3d")), "timeout"),
        ev.Declared(((1, "low"), (2, "high"), (3, "low")), odd_man=2),
        viewer=2,
    )
    assert lines[-4:] == [
        "Bring 'em back: up cards return to the hands; everybody keeps five cards and sets the order.",
        "Your choice, in rolling order: As Td 4c 2h 3h.",
        "The table arranges the cards of Cat (time).",
        "Declared: Ann low, Bob high, Cat low. Bob is the odd man.",
    ]


def test_rules_4_6_returned_chips_are_not_won() -> None:
    assert told(*HAND, ev.BetReturned(2, 60))[-1] == "Bob gets 60 back: nobody could call them."


def test_side_pots_name_those_who_can_win_them() -> None:
    pots = ev.PotsGathered(((60, (1, 2, 3)), (60, (1, 2))))
    assert told(*HAND, pots)[-1] == "Main pot: 60 (Ann, Bob and Cat), side pot: 60 (Ann and Bob)."
    assert told(*HAND, ev.PotsGathered(((60, (1, 2, 3)),))) == told(*HAND)


def test_the_end_shows_wins_and_nets_with_a_sign() -> None:
    lines = told(
        *HAND,
        ev.Acted(2, "bet", 44, 44),
        ev.Acted(1, "call", 44, 44),
        ev.PotsGathered(((91, (1, 2)),)),
        ev.HandShown(2, row("As Td"), (("high", "pair of aces"), ("8low", "no low"))),
        ev.HandMucked(1),
        ev.PotAwarded(0, "high", 46, ((2, 46),), "pair of aces"),
        ev.PotAwarded(0, "low", 45, ((1, 23), (2, 22)), "seven-five low", (1,), "the odd chip goes to {1}"),
        ev.HandEnded(12, ((2, 123), (3, 49), (1, 78))),
    )
    assert lines[-5:] == [
        "Bob shows [As Td] 4c: pair of aces; no low.",
        "Ann mucks.",
        "High: Bob wins 46, a pair of aces.",
        "Ann and Bob split the low half, 23 and 22: seven-five lows (the odd chip goes to Ann).",
        "Hand 12 is over: Bob +23, Cat -1, Ann -22.",
    ]


def test_one_who_wins_both_halves_scoops() -> None:
    won: tuple[AnyEvent, ...] = (
        ev.PotsGathered(((3, (1, 2)),)),
        ev.PotAwarded(0, "high", 2, ((2, 2),), "pair of aces"),
        ev.PotAwarded(0, "low", 1, ((2, 1),), "seven-five low"),
        ev.HandEnded(12, ((2, 102), (3, 49), (1, 99))),
    )
    assert told(*HAND, *won)[-2] == "Bob scoops."
    assert not any("scoops" in line for line in told(*HAND, won[0], won[1], won[3]))


def test_one_award_of_both_halves_is_a_scoop_too() -> None:
    """So the engine pays it: the whole pot, with both hands named."""
    ends: tuple[AnyEvent, ...] = (
        ev.PotsGathered(((3, (1, 2)),)),
        ev.HandShown(2, (51, 3), (("high", "pair of aces"), ("low", "seven-five low"))),
        ev.PotAwarded(0, "whole", 3, ((2, 3),), "pair of aces and seven-five low"),
        ev.HandEnded(12, ((2, 102), (3, 49), (1, 99))),
    )
    assert told(*HAND, *ends)[-2] == "Bob scoops."
    no_low = ev.PotAwarded(0, "whole", 3, ((2, 3),), "pair of aces", (), "no low: high takes all")
    assert not any("scoops" in line for line in told(*HAND, *ends[:2], no_low, ends[3]))


@pytest.mark.parametrize("name", ["{1}", "{0}", "{3", "%s", "{name}", "}{"])
def test_a_name_with_braces_is_only_a_name(name: str) -> None:
    opened = ev.RoundOpened("third street", 1, 1, "{1} has the lowest up card, and {2} not")
    line = told(*HAND[:3], opened, names=(name, "Bob", "Cat"))[-1]
    assert line.startswith(f"{name} has the lowest up card, and Bob not.")


@pytest.mark.parametrize(
    "bad",
    [
        "\x1b[2J\x1b]0;x\x07ev\ril",
        "\x1b]52;c;QUJD\x07hi",
        "a\u202eb",
        "a\u0085b\nc",
        "\u200ba\u2066b\u2029c",
        "\x9b31mred",
    ],
)
def test_trap_A27_names_and_chat_stay_on_their_line(bad: str) -> None:
    lines = told(*HAND, ev.Acted(1, "fold", 0, 0), ev.Said(bad, bad, 1), names=(bad, "Bob", "Cat"))
    for line in lines:
        assert line.isprintable(), ascii(line)
    assert clean(bad, 100).isprintable()


def test_trap_A27_clean_takes_whole_sequences_out() -> None:
    assert clean("\x1b[2J\x1b]0;title\x07ev\ril", 40) == "ev il"
    assert clean("  a\u00a0 b\t\tc ", 40) == "a b c"
    assert clean("x" * 50, 10) == "x" * 10
    assert clean("e\u0301", 10) == "\u00e9"
    assert clean("a" + "\u0301" * 30, 40) == "\u00e1" + "\u0301" * 2


def test_chat_tells_players_spectators_and_the_house_apart() -> None:
    assert told(ev.Said("Ann", "hello", 1)) == ["Ann: hello"]
    assert told(ev.Said("Dan", "hello")) == ["Dan (watching): hello"]
    assert told(ev.Said("", "closing soon")) == ["The house: closing soon"]


def test_coming_and_going() -> None:
    assert told(
        ev.PlayerSeated(4, "Dan", 80, True),
        ev.PlayerAway(4, "missed a clock"),
        ev.PlayerBack(4),
        ev.ConnectionChanged(4, False),
        ev.ConnectionChanged(4, True),
        ev.ChipsAdded(4, 20, 100),
        ev.ChipsAdded(4, -5, 95, "wrong stack"),
        ev.PlayerLeft(4, "Dan", 95, "kicked"),
    ) == [
        "Dan (bot) takes seat 4 with 80.",
        "Dan sits out (missed a clock).",
        "Dan is back.",
        "Dan is disconnected.",
        "Dan is connected again.",
        "Dan buys 20 and has 100.",
        "Dan gives back 5 and has 95 (wrong stack).",
        "Dan leaves with 95 (kicked).",
    ]


def test_requests_and_readiness_are_no_part_of_the_story() -> None:
    assert told(*HAND, ev.ActionRequested(1, "bet", ()), ev.WentOn(1)) == told(*HAND)


def test_passed_and_discarded_cards_are_told_to_those_who_see_them() -> None:
    passed = ev.CardsPassed(((2, 1, row("As Td")),))
    assert told(*HAND, passed, viewer=1)[-1] == "Bob passes As Td to Ann."
    assert told(*HAND, passed, viewer=3)[-1] == "Bob passes two cards to Ann."
    gone = ev.CardsDiscarded(((2, row("As")), (1, ())))
    assert told(*HAND, gone, viewer=2)[-1] == "Discarded: Bob As, Ann no cards."
    assert told(*HAND, gone)[-1] == "Discarded: Bob one card, Ann no cards."


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ev.ChoiceMade(2, "pass", Action("pass", cards=row("As"))), "Your choice: As."),
        (ev.ChoiceMade(2, "discard", Action("discard", cards=())), "Your choice: no cards."),
        (ev.ChoiceMade(2, "declare", Action("declare", direction="low")), "Your choice: low."),
        (
            ev.ChoiceMade(2, "choose", Action("choose", cards=row("As")), "timeout"),
            "Your time is up; chosen for you: As.",
        ),
    ],
)
def test_an_own_hidden_choice_is_told_to_its_owner_only(event: ev.ChoiceMade, line: str) -> None:
    assert told(*HAND, event, viewer=2)[-1] == line
    assert line not in told(*HAND, event)
    assert told(*HAND, ev.ChoiceMade(2, "choose", Action("choose", cards=row("As"))), viewer=2) == told(*HAND, viewer=2)


def test_wild_cards_the_common_card_and_a_void_hand() -> None:
    assert told(*HAND, ev.WildsNamed((1, 4)))[-1] == "Threes and sixes are wild."
    assert told(*HAND, ev.WildsNamed(()))[-1] == "Nothing is wild."
    common = told(*HAND, ev.CommunityDealt(card("6d"), "the deck is short"), ev.RoundOpened("seventh street", 2, 2, ""))
    assert common[-3] == "One card for everybody in the middle: 6d (the deck is short)."
    assert common[-2].endswith("- common card 6d")
    assert common[-1] == "Bob acts first."
    void = ev.HandVoided(12, STACKS, "power cut")
    assert told(*HAND, void)[-1] == "Hand 12 does not count (power cut): everybody has the chips back."


def test_sitting_out_in_the_middle_of_a_hand_is_from_the_next_hand_on() -> None:
    assert told(*HAND, ev.PlayerAway(3))[-1] == "Cat sits out from the next hand on."
    assert told(ev.PlayerAway(3))[-1] == "Cat sits out."


def test_chips_that_arrive_later_and_one_chip() -> None:
    assert told(*HAND, ev.ChipsOrdered(3, 50))[-1] == "Cat buys 50; they arrive after this hand."
    assert told(*HAND, ev.ChipsOrdered(3, 1))[-1] == "Cat buys 1; it arrives after this hand."
