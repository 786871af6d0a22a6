"""Playing foreign hands by our rules: the real ones, and small ones for every way in which a file can fail to fit."""

import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import cards_text
from protocol.journal.records import StepRecord, encode_record
from replays.cli.verbs import main
from replays.phh.exporter import export_hands
from replays.phh.format import BadPhh, read, write
from replays.phh.importer import HandVerdict, Imported, play_hands
from replays.recording import FILLED
from replays.verify import check_decisions, check_events, verify
from tests.support.paths import REAL_HANDS
from tests.support.self_play import played_steps

AT = 1_790_000_000_000

HEAD = """
variant = 'F7S'
antes = [1, 1, 1]
bring_in = 2
small_bet = 5
big_bet = 10
starting_stacks = [100, 100, 100]
"""
DOORS = "'d dh p1 7h8cJc', 'd dh p2 JhQhTh', 'd dh p3 Qc5c2s'"
FOLDED = f"actions = [{DOORS}, 'p3 pb', 'p1 f', 'p2 cbr 5', 'p3 f']\n"


def play(text: str) -> Imported:
    return play_hands(read(text), "test", AT)


def verdict(text: str) -> HandVerdict:
    (only,) = play(text).verdicts
    return only


def events(steps: tuple[StepRecord, ...]) -> list[ev.AnyEvent]:
    return [event for step in steps for event in step.events]


# ----------------------------------------------------------------- real hands


@pytest.fixture(scope="module")
def real() -> Imported:
    if not REAL_HANDS.is_file():
        pytest.skip(f"the real hands are not here ({REAL_HANDS}); RYO_REAL_HANDS can name the file")
    return play_hands(read(REAL_HANDS.read_text()), "real", AT)


def test_rules_17_all_real_hands_replay(real: Imported) -> None:
    """`rules.md` 17: all agree with what a room without rake pays, but for entry 26."""
    odd = [str(verdict) for verdict in real.verdicts if verdict.outcome != "agrees"]
    assert odd == [
        "entry 26: refused: p5 cbr 62500: the complete must be to 50000; "
        "the file counts the raise on top of the bring-in (rules.md 17)"
    ]
    assert (real.count("agrees"), real.count("refused"), real.count("differs")) == (254, 1, 0)


def test_rules_17_special_entries(real: Imported) -> None:
    """4.3 a raise by the big bet over a small one (9), 5 odd chip goes high (59), 4.5 half bet reopens (103)."""
    outcomes = {verdict.entry: verdict.outcome for verdict in real.verdicts}
    assert [outcomes[entry] for entry in ("9", "59", "103")] == ["agrees"] * 3
    hands = {event.id: event for event in events(real.steps) if isinstance(event, ev.HandStarted)}
    assert hands["real-9"].stakes.open_pair == "any_active"
    assert len(hands) == 255


def test_real_hands_make_a_journal_that_verifies(real: Imported) -> None:
    assert check_events(real.steps) is None
    assert check_decisions(real.steps) is None
    voided = [event for event in events(real.steps) if isinstance(event, ev.HandVoided)]
    assert [event.hand for event in voided] == [26]


# ------------------------------------------------------------------- verdicts


def test_agrees_differs_and_cannot_be_compared() -> None:
    assert verdict(HEAD + FOLDED + "finishing_stacks = [99, 104, 97]") == HandVerdict("1", "agrees")
    differs = verdict(HEAD + FOLDED + "finishing_stacks = [99, 105, 96]")
    assert str(differs) == "entry 1: differs: p2 has 104, not 105, p3 has 97, not 96"
    assert verdict(HEAD + FOLDED).outcome == "played"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD.replace("F7S", "NT") + FOLDED, "variant NT is not played here, only F7S, F7S/8, FR"),
        (HEAD.replace("F7S", "stud") + FOLDED, "variant stud is not played here"),
        (HEAD.replace("[1, 1, 1]", "[1, 1, 2]") + FOLDED, "the antes are not the same for everybody"),
        (HEAD.replace("bring_in = 2", "bring_in = 6") + FOLDED, "the bring-in must not exceed the first bet"),
        (HEAD.replace("[100, 100, 100]", "[100, 0, 100]") + FOLDED, "p2 has no chips"),
        (HEAD + FOLDED.replace("JhQhTh", "Jh7hTh"), "7h is dealt twice"),
        (HEAD + FOLDED.replace("JhQhTh", "JhTh"), "cards dealt together are not the same number for everybody"),
        (HEAD + FOLDED.replace("'p3 pb'", "'p2 pb'"), "p2 pb: it is the turn of p3"),
        (HEAD + FOLDED.replace("'p3 pb'", "'p3 cc'"), "p3 cc: you cannot check now; you may bring in or bet"),
        (HEAD + FOLDED.replace("cbr 5", "cbr 9"), "p2 cbr 9: the complete must be to 5"),
        (HEAD + FOLDED.replace("cbr 5", "cbr 7"), "to 5; the file counts the raise on top of the bring-in"),
        (HEAD + FOLDED.replace("'p3 f'", "'p3 f', 'p1 cc'"), "p1 cc: the hand is over"),
        (HEAD + FOLDED.replace(", 'p3 f'", ""), "the file ends before the hand is over: p3 is to act"),
        (HEAD + FOLDED.replace("'p3 f'", "'p3 f', 'd dh p2 2c'"), "at the end: by the rules p2 has 3 cards, in the fi"),
        (HEAD + FOLDED.replace("'p3 f'", "'p3 sm'"), "p3 sm: it is not the showdown yet"),
        (HEAD + FOLDED.replace("'p3 f'", "'p3 f', 'p2 sm AhQhTh'"), "p2 shows Ah, which was not dealt"),
        (HEAD + FOLDED.replace("'p3 f'", "'p3 f', 'p2 sm 7h'"), "p2 shows 7h, which is not in that hand"),
        (HEAD + FOLDED.replace("'p3 pb'", "'d db 2d', 'p3 pb'"), "by the rules 0 cards lie in the middle, in the file"),
        (HEAD + FOLDED.replace("'p3 pb'", "'d db ??', 'p3 pb'"), "the card in the middle is unknown"),
        (HEAD.replace("F7S", "_barneys") + FOLDED, "the file does not say what p1 chooses (choose)"),
        (HEAD.replace("F7S", "_barneys") + FOLDED + "_choose = ['p9 Ah']", "_choose holds 'p9 Ah', which cannot be"),
        (HEAD + FOLDED + "_stakes = { cap = 'many' }", "its stakes cannot be read"),
        (HEAD.replace("F7S", "_mine") + FOLDED + "_definition = 'x'", "its game cannot be played: not TOML"),
    ],
)  # fmt: skip
def test_refused_with_the_reason(text: str, why: str) -> None:
    found = verdict(text + "\nfinishing_stacks = [99, 104, 97]")
    assert found.outcome == "refused"
    assert why in found.why


def test_a_refused_hand_is_void_and_the_next_one_is_played_for_its_own_stakes() -> None:
    bad = HEAD + FOLDED.replace("cbr 5", "cbr 9")
    worse = HEAD.replace("F7S", "NT") + FOLDED
    good = HEAD.replace("small_bet = 5", "small_bet = 6") + FOLDED.replace("cbr 5", "cbr 6")
    found = play(f"[1]\n{worse}\n[2]\n{bad}\n[3]\n{good}\nfinishing_stacks = [99, 104, 97]\n[4]\n{HEAD}{FOLDED}")
    assert [verdict.outcome for verdict in found.verdicts] == ["refused", "refused", "agrees", "played"]
    happened = events(found.steps)
    assert [event.why for event in happened if isinstance(event, ev.HandVoided)] == [found.verdicts[1].why]
    stakes = [event.stakes for event in happened if isinstance(event, ev.HandStarted)]
    assert [(row.small, row.big, row.ante, row.bring_in) for row in stakes] == [
        (5, 10, 1, 2),
        (6, 10, 1, 2),
        (5, 10, 1, 2),
    ]
    assert check_decisions(found.steps) is None


def test_the_button_is_before_p1_and_seats_are_kept() -> None:
    seats = "players = ['Ann', 'Ben', 'Cai']\nseats = [4, 7, 2]\n"
    found = play(f"[1]\n{HEAD}{FOLDED}{seats}\n[2]\n{HEAD}{FOLDED}{seats.replace('4, 7, 2', '5, 1, 3')}")
    starts = [event for event in events(found.steps) if isinstance(event, ev.HandStarted)]
    assert [(start.button, [seat for seat, _ in start.stacks]) for start in starts] == [(2, [4, 7, 2]), (3, [5, 1, 3])]
    against = play(HEAD + FOLDED + seats.replace("4, 7, 2", "4, 2, 7"))
    (start,) = [event for event in events(against.steps) if isinstance(event, ev.HandStarted)]
    assert [seat for seat, _ in start.stacks] == [1, 2, 3]


def test_names_can_sit_at_one_table() -> None:
    found = play(HEAD + FOLDED + 'players = ["Ann\\u001b[2J", "ann", ""]\n')
    assert [event.name for event in events(found.steps) if isinstance(event, ev.PlayerSeated)] == ["Ann", "ann 2", "p3"]


def test_the_date_of_the_file_is_kept() -> None:
    date = "year = 2011\nmonth = 7\nday = 4\ntime = 20:15:00\ntime_zone = 'America/New_York'\n"
    assert play(HEAD + FOLDED + date).steps[-1].at == 1_309_824_900_000
    assert play(HEAD + FOLDED).steps[-1].at == AT
    assert play(HEAD + FOLDED + date.replace("York", "Yorkshire")).steps[-1].at == AT


# --------------------------------------------------------------- unknown cards

RUN = """actions = ['d dh p1 7h8cJc', 'd dh p2 ????Th', 'd dh p3 Qc5c2s', 'p3 pb', 'p1 cc', 'p2 cc',
  'd dh p1 9c', 'd dh p2 4c', 'd dh p3 Ts', 'p1 cc', 'p2 cc', 'p3 cc',
  'd dh p1 4d', 'd dh p2 Kh', 'd dh p3 3s', 'p2 cc', 'p3 f', 'p1 cc',
  'd dh p1 7d', 'd dh p2 Kd', 'p2 cc', 'p1 cc',
  'd dh p1 ??', 'd dh p2 ??', 'p2 cc', 'p1 cc', 'SHOW']
"""


def shown(text: str) -> tuple[Imported, set[int]]:
    found = play(text)
    return found, {
        seat for event in events(found.steps) if isinstance(event, ev.PotAwarded) for seat, _ in event.winners
    }


def test_unknown_cards_of_a_folded_hand_are_filled_and_the_house_says_so() -> None:
    found = play(HEAD + FOLDED.replace("7h8cJc", "????Jc") + "finishing_stacks = [99, 104, 97]")
    assert found.verdicts == (HandVerdict("1", "agrees"),)
    said = [event.text for event in events(found.steps) if isinstance(event, ev.Said)]
    assert said == [f"{FILLED} p1."]
    dealt = next(event for event in events(found.steps) if isinstance(event, ev.CardsDealt))
    everything = [card for _, down, up in dealt.cards for card in (*down, *up)]
    assert len(set(everything)) == 9
    assert cards_text(everything[3:]) == "Jh Qh Th Qc 5c 2s"


def test_shown_cards_fill_the_unknown_ones() -> None:
    show = "p2 sm AsAcTh4cKhKd9d', 'p1 sm 7h8cJc9c4d7d2h"
    found, winners = shown(HEAD + RUN.replace("SHOW", show) + "finishing_stacks = [97, 106, 97]")
    assert found.verdicts == (HandVerdict("1", "agrees"),)
    assert winners == {2}
    assert not [event for event in events(found.steps) if isinstance(event, ev.Said)]
    hands = [event for event in events(found.steps) if isinstance(event, ev.CardsDealt)]
    assert cards_text(hands[0].cards[1][1]) == "As Ac"
    assert cards_text([card for _, down, _ in hands[-1].cards for card in down]) == "2h 9d"


@pytest.mark.slow
def test_a_player_who_mucked_unseen_does_not_win() -> None:
    """p1 shows a pair of sevens, p2 has kings on the board: no cards of p2 lose, so the file cannot be right."""
    won = "p1 sm 7h8cJc9c4d7d2h', 'p2 sm"
    assert "no cards were found with which p2 would have lost unseen" in verdict(HEAD + RUN.replace("SHOW", won)).why
    losing = RUN.replace("Kd", "2d").replace("Kh", "Ah")
    found, winners = shown(HEAD + losing.replace("SHOW", won) + "finishing_stacks = [106, 97, 97]")
    assert found.verdicts == (HandVerdict("1", "agrees"),)
    assert winners == {1}
    assert check_decisions(found.steps) is None


def test_among_good_decks_the_one_with_the_final_stacks_is_taken() -> None:
    """Nobody showed; the file says who has won."""
    quiet = HEAD + RUN.replace(", 'SHOW'", "")
    for stacks, winner in (("[106, 97, 97]", 1), ("[97, 106, 97]", 2)):
        losing = quiet.replace("Kd", "2d").replace("Kh", "Ah")
        found, winners = shown(f"{losing}finishing_stacks = {stacks}")
        assert (found.verdicts, winners) == ((HandVerdict("1", "agrees"),), {winner})


def test_an_unknown_door_card_is_one_that_did_not_open() -> None:
    """p3 brought it in with a 5: the unknown door cards are higher."""
    doors = "'d dh p1 ??????', 'd dh p2 ??????', 'd dh p3 Qc5c5s'"
    found = play(HEAD + FOLDED.replace(DOORS, doors) + "finishing_stacks = [99, 104, 97]")
    assert found.verdicts == (HandVerdict("1", "agrees"),)
    dealt = next(event for event in events(found.steps) if isinstance(event, ev.CardsDealt))
    assert all(up[0] >> 2 >= 3 for _, _, up in dealt.cards)
    wrong = play(HEAD + FOLDED.replace(DOORS, doors.replace("5s", "Ad")).replace("p1 f", "p1 cbr 9"))
    assert "p1 cbr 9: the complete must be to 5" in wrong.verdicts[0].why


def test_rules_6_community_card() -> None:
    """Eight players to the river: four cards are left, one in the middle is everybody's."""
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    takes = [[deck.pop(0) for _ in range(8)] for _ in range(6)]
    rows = [f"d dh p{i + 1} {takes[0][i]}{takes[1][i]}{takes[2][i]}" for i in range(8)]
    order = [f"p{i}" for i in range(1, 9)]
    rows += ["p1 pb", *[f"p{i} cc" for i in range(2, 9)]]
    for street in (3, 4, 5):
        rows += [f"d dh p{i + 1} {takes[street][i]}" for i in range(8)]
        first = max(range(8), key=lambda i: (deck_rank(takes[street][i]), -i))
        rows += [f"{player} cc" for player in order[first:] + order[:first]]
    rows += [f"d db {deck[0]}", *[f"{player} cc" for player in order[first:] + order[:first]]]
    text = HEAD.replace("[1, 1, 1]", str([1] * 8)).replace("[100, 100, 100]", str([100] * 8))
    found = play(f"{text}actions = {rows}\n")
    assert found.verdicts[0].outcome == "played", found.verdicts
    assert [event.card for event in events(found.steps) if isinstance(event, ev.CommunityDealt)]


def deck_rank(text: str) -> int:
    return "23456789TJQKA".index(text[0])


# ------------------------------------------------------------------- the verb


def run_verb(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_ryo_import_records_what_replay_and_verify_open(tmp_path: Path) -> None:
    file = tmp_path / "My Hands!.phhs"
    hands = f"[5]\n{HEAD}{FOLDED}finishing_stacks = [99, 104, 97]\n[6]\n{HEAD}{FOLDED.replace('cbr 5', 'cbr 9')}"
    file.write_text(hands)
    result = run_verb("import", file, "--data-dir", tmp_path)
    assert result.exit_code == 0, result.output
    made = tmp_path / "hands" / "my-hands.ryo"
    assert result.output.splitlines() == [
        "entry 5: agrees",
        "entry 6: refused: p2 cbr 9: the complete must be to 5",
        "1 agreed, 1 refused, 0 differ",
        f"Recorded: {made}",
    ]
    assert verify(made).ok
    assert "p2 completes to 5" in run_verb("replay", "my-hands-5", "--data-dir", tmp_path).output
    again = run_verb("import", file, "--data-dir", tmp_path, "--quiet").output.splitlines()
    assert again[0].startswith("entry 6")
    assert again[-1].endswith("my-hands-2.ryo")


def test_ryo_import_exit_codes(tmp_path: Path) -> None:
    file = tmp_path / "x.phh"
    cases = [
        (f"{HEAD}{FOLDED}finishing_stacks = [99, 103, 98]", 5, "0 agreed, 0 refused, 1 differ"),
        (f"{HEAD}{FOLDED}", 0, "0 agreed, 1 played without final stacks to compare, 0 refused, 0 differ"),
        (HEAD.replace("F7S", "NT") + FOLDED, 1, "None of the hands of"),
        ("no hand at all", 5, "is no PHH file: it is not TOML"),
    ]
    for number, (text, code, sentence) in enumerate(cases):
        file.write_text(text)
        result = run_verb("import", file, "--out", tmp_path / str(number))
        assert (result.exit_code, sentence in result.output) == (code, True), result.output
    file.write_bytes(b"variant = '\xff'")
    assert run_verb("import", file, "--out", tmp_path).exit_code == 5
    assert run_verb("import", tmp_path / "none.phh", "--out", tmp_path).exit_code == 1


def test_many_hands_go_into_several_files(tmp_path: Path) -> None:
    file = tmp_path / "many.phhs"
    file.write_text("\n".join([f"[{number}]\n{HEAD}{FOLDED}finishing_stacks = [99, 104, 97]" for number in range(501)]))
    result = run_verb("import", file, "-q", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[0] == "501 agreed, 0 refused, 0 differ"
    assert sorted(path.name for path in tmp_path.glob("*.ryo")) == ["many-2.ryo", "many.ryo"]


def test_start_hand_names_a_dealer_that_is_dealt_in() -> None:
    """The button of an import must be somebody who plays."""
    found = play(HEAD + FOLDED)
    starts = [step.command for step in found.steps if isinstance(step.command, cmd.StartHand)]
    assert [start.button for start in starts] == [3]
    elsewhere = [
        StepRecord(step.seq, step.at, cmd.StartHand(step.command.deck, step.command.id, 9), step.events)
        if isinstance(step.command, cmd.StartHand)
        else step
        for step in found.steps
    ]
    problem = check_decisions(elsewhere)
    assert problem is not None
    assert "The dealer must be one of those who are dealt in" in problem.text


# ------------------------------------------------------------- strange numbers


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD.replace("100, 100]", "9" * 5000 + ", 100]") + FOLDED, "it is not TOML"),
        (HEAD.replace("100, 100]", "nan, 100]") + FOLDED, "is no amount"),
        (HEAD.replace("100, 100]", "1e15, 100]") + FOLDED, "is no amount"),
        (HEAD.replace("100, 100]", "999999999999.0001, 100]") + FOLDED, "is no amount"),
        (HEAD + FOLDED.replace("'p1 f'", f"'p{'1' * 5000} f'"), "is no action"),
        (HEAD + FOLDED.replace("cbr 5", f"cbr {'1' * 5000}"), "is no action"),
        ("a = " + "[" * 100_000, "it is not TOML"),
    ],
)
def test_numbers_without_end_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadPhh) as caught:
        read(text)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 200


def test_damaged_files_end_in_verdicts_or_a_sentence() -> None:
    """Whatever is in the file: read and played, or BadPhh; and every record can be written."""
    dice = random.Random(17)
    games = ("barneys", "stud8", "anaconda")
    sources = [write(export_hands(played_steps(2, (game,), 4, 1)).hands) for game in games]
    ends = {"agrees": 0, "refused": 0, "bad": 0}
    for _ in range(600):
        text = dice.choice(sources)
        for _ in range(dice.randint(1, 2)):
            at, other = dice.randrange(len(text)), dice.randrange(len(text))
            piece = dice.choice([text[other : other + dice.randint(1, 9)], "??", "9", "p2", "Ah", ""])
            text = text[:at] + piece + text[at + dice.randint(0, 6) :]
        try:
            found = play(text)
        except BadPhh:
            ends["bad"] += 1
            continue
        for step in found.steps:
            encode_record(step)
        for end in found.verdicts:
            ends[end.outcome] = ends.get(end.outcome, 0) + 1
    assert min(ends[end] for end in ("agrees", "refused", "bad")) > 5, ends


def test_names_of_entries_are_made_harmless() -> None:
    found = play(f'["\\u001b[2J"]\n{HEAD}{FOLDED}["b-2"]\n{HEAD}{FOLDED}')
    hands = [event.id for event in events(found.steps) if isinstance(event, ev.HandStarted)]
    assert hands == ["test-n1", "test-b-2"]
