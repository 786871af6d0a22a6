"""Hand histories read and played: our own come back as they were, and those of rooms with all their habits."""

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.journal.records import StepRecord
from replays.cli.verbs import main
from replays.phh.exporter import export_hands
from replays.phh.format import PhhHand, read
from replays.phh.importer import Imported, play_hands
from replays.playback import steps_as_seen
from replays.pokerstars.importer import understood
from replays.pokerstars.reader import is_hand_history, read_history
from replays.pokerstars.words import TITLES
from replays.pokerstars.writer import hand_texts
from replays.verify import verify
from tests.support.known_cards import Viewpoint
from tests.support.paths import REAL_HANDS
from tests.support.self_play import short_stacks

AT = 1_790_000_000_000


def again(text: str) -> Imported:
    """The hands of a text, read and played."""
    found = read_history(text)
    assert [hand.why for hand in found.hands if hand.why] == []
    return play_hands([understood(hand) for hand in found.hands], "again", AT)


def told(steps: list[StepRecord], viewpoint: Viewpoint) -> str:
    return "\n\n".join(hand_texts(steps_as_seen(steps, viewpoint)).texts)


SEEN = (ev.AntesPosted, ev.Acted, ev.BetReturned, ev.CommunityDealt, ev.HandMucked, ev.PotsGathered)


def course(steps: list[StepRecord], everything: bool) -> list[list[AnyEvent]]:
    """What happened in each hand; without `everything` only what is public and does not hang on hidden cards."""
    hands: list[list[AnyEvent]] = []
    for event in [event for step in steps for event in step.events]:
        match event:
            case ev.HandStarted():
                hands.append([replace(event, id="", hand=0, stakes=replace(event.stakes, bring_in=0))])
            case ev.HandEnded():
                hands[-1].append(replace(event, hand=0))
            case ev.CardsDealt() if not everything:
                up = tuple([(seat, (), up) for seat, _, up in event.cards])
                hands[-1].append(replace(event, cards=up))
            case ev.CardsDealt() | ev.HandShown() | ev.PotAwarded():
                hands[-1].append(event)
            case _ if isinstance(event, SEEN):
                hands[-1].append(replace(event, cause="player") if isinstance(event, ev.Acted) else event)
            case _:
                pass
    return hands


# ----------------------------------------------------------------- round trip


@pytest.mark.slow
@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("players", [2, 5, 7, 8])
@pytest.mark.parametrize("viewpoint", ["all", None, 2])
def test_our_hands_come_back(game: str, players: int, viewpoint: Viewpoint) -> None:
    """144 hands of each game: every card that was seen, every action, pot, winner and stack.

    Where cards were hidden, no cards may be found with which somebody lost unseen; that hand is refused.
    """
    everything = viewpoint == "all"
    back_again = 0
    for seed in range(2):
        steps = short_stacks(game, seed, players, hands=6).steps
        back = again(told(steps, viewpoint))
        lost = [number for number, verdict in enumerate(back.verdicts) if verdict.outcome != "agrees"]
        assert all("no cards were found" in back.verdicts[number].why for number in lost)
        pairs = enumerate(zip(course(steps, everything), course(list(back.steps), everything), strict=True))
        for number, (ours, theirs) in pairs:
            if number not in lost:
                assert ours == theirs
                back_again += 1
        assert cards_of(steps, viewpoint) <= cards_of(list(back.steps), "all")
    assert back_again >= (12 if everything else 10)


def cards_of(steps: list[StepRecord], viewpoint: Viewpoint) -> set[tuple[int, int, int | None]]:
    """(number of the hand, seat, card) of every down card that the viewpoint saw dealt."""
    found: set[tuple[int, int, int | None]] = set()
    hand = 0
    for step in steps_as_seen(steps, viewpoint):
        for event in step.events:
            hand += isinstance(event, ev.HandStarted)
            if isinstance(event, ev.CardsDealt):
                found |= {(hand, seat, card) for seat, down, _ in event.cards for card in down if card is not None}
    return found


@pytest.mark.parametrize(
    "stakes",
    [
        {"cap": None},
        {"short_allin": "full"},
        {"opener_tie": "suit", "cap": None},
        {"odd_chip": "suit_tda"},
        {"small": 10, "big": 20, "bring_in": 3, "ante": 2},
    ],
    ids=str,
)
def test_hands_of_other_house_rules_come_back(stakes: dict[str, object]) -> None:
    for seed in range(3):
        steps = short_stacks("stud8", seed, 4, hands=6, **stakes).steps
        assert again(told(steps, "all")).count("agrees") == 6


def test_a_hand_in_phh_is_the_same_behind_a_hand_history() -> None:
    steps = short_stacks("stud", 4, 5).steps
    ours = export_hands(steps).hands
    theirs = export_hands(again(told(steps, "all")).steps).hands
    assert list(map(played, ours)) == list(map(played, theirs))


def played(hand: PhhHand) -> tuple[object, ...]:
    moves = [move.text for move in hand.actions]
    return hand.variant, hand.antes, hand.starting_stacks, hand.finishing_stacks, hand.players, hand.seats, moves


@pytest.mark.slow
def test_real_hands_go_through_a_hand_history() -> None:
    """Those that our rules play to the end: cards that the collection does not know are filled in on the way."""
    if not REAL_HANDS.is_file():
        pytest.skip(f"the real hands are not here ({REAL_HANDS}); RYO_REAL_HANDS can name the file")
    first = play_hands(read(REAL_HANDS.read_text()), "real", AT)
    ours = export_hands(first.steps).hands
    theirs = export_hands(again(told(list(first.steps), "all")).steps).hands
    assert len(ours) == 254
    different = [one.own["_id"] for one, other in zip(ours, theirs, strict=True) if played(one) != played(other)]
    assert different == []


# ---------------------------------------------------------- the habits of rooms

ROOM = """\ufeffPokerStars Game #35874004239:  7 Card Stud Hi/Lo Limit ($1/$2 USD) - 2009/11/26 10:08:43 ET
Table 'Any II' 8-max
Seat 1: Hero ($1,050.50 in chips)
Seat 3: Nikolay: Z ($100 in chips)
Seat 4: out2lunch ($20 in chips) is sitting out
Seat 8: Mr. (x) ($7.25 in chips)
Hero: posts the ante $0.25
Nikolay: Z: posts the ante $0.25
Mr. (x): posts the ante $0.25
*** 3rd STREET ***
Dealt to Hero [3d Th As]
Dealt to Nikolay: Z [9s]
Dealt to Mr. (x) [2c]
out2lunch said, "Hero: folds"
Mr. (x): brings in for $0.50
Hero: raises $0.50 to $1
newcomer joins the table at seat #2
Nikolay: Z: calls $1 (disconnect)
Nikolay: Z is disconnected
Mr. (x): calls $0.50
*** 4th STREET ***
Dealt to Hero [3d Th As] [Qc]
Dealt to Nikolay: Z [9s] [6h]
Dealt to Mr. (x) [2c] [8c]
Hero: bets $1
Nikolay: Z has timed out
Nikolay: Z: calls $1
Mr. (x): calls $1
*** 5th STREET ***
Dealt to Hero [3d Th As Qc] [Ad]
Dealt to Nikolay: Z [9s 6h] [7s]
Dealt to Mr. (x) [2c 8c] [7h]
Hero: bets $2
Nikolay: Z: calls $2
Mr. (x): calls $2
*** 6th STREET ***
Dealt to Hero [3d Th As Qc Ad] [4d]
Dealt to Nikolay: Z [9s 6h 7s] [Qh]
Dealt to Mr. (x) [2c 8c 7h] [5d]
Hero: bets $2
Nikolay: Z: folds
Mr. (x): calls $2
*** RIVER ***
Dealt to Hero [3d Th As Qc Ad 4d] [4c]
Hero: bets $2
Mr. (x): calls $1 and is all-in
Uncalled bet ($1) returned to Hero
*** SHOW DOWN ***
Hero: shows [3d Th As Qc Ad 4d 4c] (HI: two pair, Aces and Fours)
Mr. (x): mucks hand
Hero collected $18.50 from pot
No low hand qualified
*** SUMMARY ***
Total pot $18.75 | Rake $0.25
Seat 1: Hero showed [3d Th As Qc Ad 4d 4c] and won ($18.50) with HI: two pair, Aces and Fours
Seat 3: Nikolay: Z folded on the 6th Street
Seat 8: Mr. (x) mucked [Kh 3c 2c 8c 7h 5d Kc]
"""
GOOD = ROOM.replace("Kh 3c 2c 8c 7h 5d Kc", "Kh Js 2c 8c 7h 5d 9c")
LAST = len(GOOD.splitlines())


def reads(text: str) -> PhhHand:
    (hand,) = read_history(text).hands
    assert hand.why == ""
    return understood(hand)


def test_a_hand_of_a_room() -> None:
    hand = reads(GOOD)
    assert (hand.variant, hand.unit, hand.entry) == ("F7S/8", 100, "35874004239")
    assert (hand.antes, hand.bring_in, hand.small_bet, hand.big_bet) == ((25,) * 3, 50, 100, 200)
    at = {name: number for number, name in enumerate(hand.players)}
    assert set(at) == {"Hero", "Nikolay: Z", "Mr. (x)"}
    assert [hand.starting_stacks[at[name]] for name in ("Hero", "Nikolay: Z", "Mr. (x)")] == [105050, 10000, 725]
    assert hand.own["_rake"] == 25
    assert hand.own["time_zone"] == "America/New_York"
    (verdict,) = play_hands([hand], "x", AT).verdicts
    assert verdict.outcome == "agrees"


def test_mucked_cards_of_the_summary_are_known() -> None:
    hand = reads(GOOD)
    number = hand.players.index("Mr. (x)")
    dealt = [card for move in hand.actions if move.verb == "dh" and move.player == number for card in move.cards or ()]
    assert None not in dealt
    assert len(dealt) == 7


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("$", "€"),
        ("$1,050.50", "$1050,50"),
        ("Hero [3d Th As]\n", "Hero [As]\n"),
        ("Hero [3d Th As Qc Ad 4d] [4c]\n", "Hero [As Qc Ad 4d] [4c]\n"),
        ("Mr. (x) mucked [Kh Js 2c 8c 7h 5d 9c]", "Mr. (x) mucked"),
        ("3rd STREET", "3RD STREET"),
        ("\n", "\r\n"),
        ("brings in for", "brings in low for"),
        ("7 Card Stud Hi/Lo Limit ($1/$2 USD)", "8-Game (7 Card Stud Hi/Lo Limit, $1/$2 USD)"),
        ("7 Card Stud Hi/Lo Limit", "Tournament #12, $10+$1 USD 7 Card Stud Hi/Lo Limit - Level I"),
        ("PokerStars Game", "PokerStars Hand"),
        (" - 2009/11/26 10:08:43 ET", " - 2009/11/26 16:08:43 CET [2009/11/26 10:08:43 ET]"),
        (" ET\n", " XYZ\n"),
        ("Table 'Any II' 8-max", "Table 'Any II' 8-max Seat #8 is the button"),
    ],
)
def test_habits_of_rooms(before: str, after: str) -> None:
    assert before in GOOD
    hand = reads(GOOD.replace(before, after))
    assert play_hands([hand], "x", AT).verdicts[0].outcome == "agrees"


def test_play_money_is_not_multiplied() -> None:
    text = re.sub(r"\$([\d,.]*\d)", lambda found: f"{float(found[1].replace(',', '')) * 100:,.0f}", GOOD)
    hand = reads(text.replace(" USD", ""))
    assert (hand.unit, hand.starting_stacks, hand.finishing_stacks) == (
        1, reads(GOOD).starting_stacks, reads(GOOD).finishing_stacks
    )  # fmt: skip


def test_what_the_room_took_from_a_shared_pot_leaves_nothing_to_compare() -> None:
    text = GOOD.replace("Hero collected $18.50", "Hero collected $9.50 from pot\nMr. (x) collected $9")
    (hand,) = read_history(text).hands
    assert hand.readings[0].finishing_stacks is None


@pytest.mark.parametrize(
    ("before", "after", "line", "why"),
    [
        ("7 Card Stud Hi/Lo Limit", "Omaha Hi/Lo Limit", 1, "is none of the games 7 Card Stud, 7 Card"),
        ("Hi/Lo Limit", "Hi/Lo Pot Limit", 1, "Pot Limit is not played here, only fixed limit"),
        ("($1/$2 USD)", "(high stakes)", 1, "the header names no limits"),
        ("Hero: bets $1\n", "Hero: bets the farm\n", 25, "'bets the farm' is no action that is known"),
        ("Hero: bets $1\n", "Hero: bets $1.0.0\n", 25, "'1.0.0' is no amount"),
        ("Dealt to Mr. (x) [2c 8c] [7h]\n", "", 29, "it does not say which up card 'Mr. (x)' was dealt"),
        ("Dealt to Nikolay: Z [9s]", "Dealt to Somebody [9s]", 12, "does not say who was dealt which cards"),
        ("*** SUMMARY ***", "", 1, "the hand breaks off"),
        ("*** 3rd STREET ***", "*** SHOW DOWN ***", 10, "there is no street before the showdown"),
        ("Total pot", "Hand cancelled\nTotal pot", LAST - 3, "the hand was cancelled"),
        ("Hero collected $18.50", "Hero collected $19", 1, "more is collected than was bet"),
        ("Hero collected $18.50 from pot\n", "", 1, "nobody collects the pot"),
        ("returned to Hero", "returned to Nemo", 47, "'Nemo' has no seat"),
        ("Seat 3: Nikolay: Z (", "Seat 1: Nikolay: Z (", 1, "it does not say who sits where"),
        ("Seat 3: Nikolay: Z (", "Seat 3: Hero (", 4, "'Hero' sits in two seats"),
        ("[Kh Js 2c 8c 7h 5d 9c]", "[Kh Js Jc 8c 7h 5d 9c]", 1, "Jc 9c, which was not dealt"),
        ("*** RIVER", "*** RIVER ***\n*** RIVER", 44, "there is a street too many"),
    ],
)  # fmt: skip
def test_refused_with_the_line(before: str, after: str, line: int, why: str) -> None:
    assert before in GOOD
    (hand,) = read_history(GOOD.replace(before, after, 1)).hands
    assert hand.why.startswith(f"line {line}: "), hand.why
    assert why in hand.why


def test_what_the_rules_do_not_allow_is_refused_with_line_and_name() -> None:
    (hand,) = read_history(GOOD.replace("Hero: bets $1\n", "Mr. (x): bets $1\n")).hands
    (verdict,) = play_hands([understood(hand)], "x", AT).verdicts
    assert str(verdict) == "entry 35874004239: refused: line 25 (Mr. (x): bets $1): it is the turn of Hero"


def test_what_is_no_hand_history() -> None:
    assert is_hand_history("\n" + GOOD)
    assert not is_hand_history("")
    assert not is_hand_history("variant = 'F7S'\n" + GOOD)


# -------------------------------------------------------------------- the verb


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_ryo_import(tmp_path: Path) -> None:
    """The good hands of a file are imported, and the bad ones are named."""
    file = tmp_path / "HH 2009.txt"
    bad = GOOD.replace("4239:", "4240:").replace("Hero: bets $1\n", "Hero: sings\n")
    other = GOOD.replace("4239:", "4241:").replace("7 Card Stud Hi/Lo", "Badugi")
    file.write_text(f"{GOOD}\n\n\n{bad}\n\n{other}\n\n{GOOD.replace('4239:', '4242:')}", encoding="utf-8")
    result = run("import", file, "--out", tmp_path / "hands")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "Amounts are multiplied by 100: a chip is 0.01 of the money in the file."
    assert lines[1] == "entry 35874004239: agrees: the room took 25, here nobody does"
    assert lines[2] == f"entry 35874004240: refused: line {LAST + 3 + 25}: 'sings' is no action that is known"
    assert lines[3].startswith(
        f"entry 35874004241: refused: line {2 * LAST + 3 + 2 + 1}: 'Badugi Limit ($1/$2 USD)' is"
    )
    assert lines[4] == "entry 35874004242: agrees: the room took 25, here nobody does"
    assert lines[5] == "2 agreed, 2 refused, 0 differ"
    made = tmp_path / "hands" / "hh-2009.ryo"
    assert lines[6] == f"Recorded: {made}"
    assert verify(made).ok
    assert "Hero wins" in run("replay", made).output


def test_names_in_an_older_encoding(tmp_path: Path) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes(GOOD.removeprefix("\ufeff").replace("Hero", "Zoë").encode("cp1252"))
    result = run("import", file, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "Zoë wins" in run("replay", tmp_path / "old.ryo").output


def test_nothing_that_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text(GOOD.replace("Stud Hi/Lo", "Draw"), encoding="utf-8")
    result = run("import", file, "--out", tmp_path)
    assert result.exit_code == 1
    assert "None of the hands of" in result.output
    file.write_text("Full Tilt Poker Game #1", encoding="utf-8")
    result = run("import", file, "--out", tmp_path)
    assert result.exit_code == 5
    assert "nor does it begin like a hand history of PokerStars" in result.output


@pytest.mark.slow
def test_damaged_text_is_refused_or_played_and_never_an_error() -> None:
    dice = random.Random(11)
    outcomes = set()
    for _ in range(150):
        lines = GOOD.splitlines()
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(lines))
            match dice.randrange(5):
                case 0:
                    del lines[at]
                case 1:
                    lines.insert(dice.randrange(len(lines)), lines[at])
                case 2:
                    lines[at] = "".join(dice.sample(lines[at], len(lines[at])))
                case 3:
                    lines[at] = re.sub(r"\d", lambda _: str(dice.randrange(10)), lines[at])
                case _:
                    lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
            lines = lines or [""]
        found = read_history("\n".join(lines)).hands
        outcomes |= {"unread" for hand in found if hand.why}
        played = [understood(hand) for hand in found if not hand.why]
        outcomes |= {verdict.outcome for verdict in play_hands(played, "x", AT).verdicts}
    assert {"unread", "refused", "agrees"} <= outcomes
