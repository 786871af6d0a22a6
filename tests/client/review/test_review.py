"""The review: each hand counted once, sums by kind and street, the house bot with the same cards."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.bots.minds import mind_maker
from client.bots.player import choose_action
from client.cli.main import main
from client.coach.judge import ValuesOf
from client.review.chosen_hands import ChosenHands, NothingToReview, chosen_hands, player_of
from client.review.counting import Counting
from client.review.duplicate import bot_net
from client.review.kept_reviews import NAME, KeptReviews
from client.review.price_list import PriceList, as_json, lines, price_list, summary, table
from client.review.seen_hand import deck_of
from protocol import commands as cmd
from protocol.events import HandStarted
from protocol.journal.records import StepRecord
from protocol.view import TableView
from replays.cli.lists import viewer_of
from replays.library import Library, NotFound
from replays.recording import open_recording
from server.engine.games.catalogue import GAMES
from tests.support import sample_session
from tests.support.fixed_values import Counted, folding_is_better_by
from tests.support.kept_hands import HostTable, token
from tests.support.self_play import SelfPlay, played_steps

FILE = "20260921-200000-kitchen.ryo"
STEPS = played_steps(seed=5, games=("stud8",), players=3, hands=3, trouble=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one evening of three hands."""
    sample_session.write(tmp_path / "hands" / FILE, STEPS)
    return tmp_path


@pytest.fixture
def library(data: Path) -> Iterator[Library]:
    with Library(data / "hands") as opened:
        opened.refresh()
        yield opened


def counted(
    library: Library, values_of: ValuesOf, *, what: str = "last", player: str = "Ann", kept: KeptReviews | None = None
) -> PriceList:
    chosen = chosen_hands(what, library)
    counting = Counting(values_of, mind_maker("house"), kept, library)
    return price_list(chosen.title, player, counting.hands(chosen, player), listed=chosen.listed)


# --------------------------------------------------------------------- which hands


def test_an_evening_a_file_a_hand(data: Path, library: Library) -> None:
    date = time.strftime("%Y-%m-%d", time.localtime(sample_session.START // 1000 - 6 * 3600))
    for what, title, hands in (
        ("last", f"Evening of {date}", 3),
        (date, f"Evening of {date}", 3),
        (FILE, FILE, 3),
        (str(data / "hands" / FILE), FILE, 3),
        ("2", "Hand 2", 1),
        ("kitchen-3", "Hand 3", 1),
    ):
        chosen = chosen_hands(what, library)
        assert (chosen.title, len(chosen.rows)) == (title, hands)


@pytest.mark.parametrize(
    ("what", "error", "sentence"),
    [
        ("2001-01-01", NothingToReview, "Evening of 2001-01-01: no hand is over there."),
        ("2001-13-01", NothingToReview, "2001-13-01 is no date."),
        ("nothing.ryo", NotFound, "There is no file nothing.ryo."),
        ("99", NotFound, "There is no hand 99"),
    ],
)
def test_what_is_not_there_is_said(library: Library, what: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence.replace(".", r"\.")):
        chosen_hands(what, library)


def test_whose_decisions_are_meant(library: Library) -> None:
    chosen = chosen_hands("last", library)
    assert player_of(chosen, "ben", [], viewer_of) == "Ben"
    assert player_of(chosen, "", ["Zoe", "cai"], viewer_of) == "Cai"
    owned = ChosenHands("", [row.__class__(row.number, Path("x.seat2.ryo"), b"", row.hand) for row in chosen.rows])
    assert player_of(owned, "", ["Ann"], viewer_of) == "Ben"
    with pytest.raises(NothingToReview, match=r"Evening of .*: there is no player Zoe; there are Ben, Cai, Ann\."):
        player_of(chosen, "Zoe", [], viewer_of)
    with pytest.raises(NothingToReview, match="Say whose decisions are meant: --player NAME; there are Ben, Cai, Ann"):
        player_of(chosen, "", ["Zoe"], viewer_of)


# -------------------------------------------------------------------------- sums


def test_the_sums_are_those_of_the_decisions(library: Library) -> None:
    found = counted(library, folding_is_better_by(3.0))
    assert found.hands == found.again == 3
    assert found.net == found.net_again == sum(row.hand.net[1] for row in library.hands())
    assert found.costly
    assert found.chips == pytest.approx(3.0 * len(found.costly))
    assert sum(row[2] for row in found.rows()) == pytest.approx(found.chips)
    assert sum(row[3] for row in found.rows()) == len(found.costly)
    assert {row[0] for row in found.rows()} <= {"staying", "chasing"}
    assert found.counted == found.decisions
    told = as_json(found)
    assert json.loads(json.dumps(told)) == told
    assert told["chips"] == sum(one["chips"] for one in told["by"])
    assert [one["step"] for one in told["costly"]] == [one.price.step for one in found.costly]


def test_it_is_told_in_sentences_and_columns(library: Library) -> None:
    found = counted(library, folding_is_better_by(3.0))
    rows = lines(found, 3)
    assert rows[0] == f"{found.title}, Ann: 3 hands, {found.net:+d}."
    assert f"{len(found.costly)} gave up about" in rows[2]
    assert table(found)[-1].split()[-2:] == [f"{found.chips:.1f}", str(len(found.costly))]
    first = found.costly[0]
    assert any(row.startswith(f"The decision of the evening, #{first.row.number}: ") for row in rows)
    assert f'Look at it: ryo replay {first.row.number} --at "hand {first.row.hand.number} step ' in "\n".join(rows)
    assert "mistake" not in " ".join(rows)


def test_where_nothing_was_given_up_it_says_so(library: Library) -> None:
    found = counted(library, folding_is_better_by(0.0))
    assert summary(found)[-1].endswith("none gave up anything to speak of.")
    assert table(found) == []


def test_what_cannot_be_counted_is_named(library: Library) -> None:
    found = counted(library, Counted(lambda decision, seed: None))
    assert f"{found.decisions} of them could not be counted" in summary(found)[-1]


def test_a_hand_is_counted_once(data: Path, library: Library) -> None:
    kept = KeptReviews(library.folder)
    counts = folding_is_better_by(3.0)
    first = counted(library, counts, kept=kept)
    asked = len(counts.asked)
    assert counted(library, counts, kept=kept) == first
    assert len(counts.asked) == asked
    kept.close()
    (library.folder / NAME).write_bytes(b"no database")
    again = KeptReviews(library.folder)
    assert counted(library, counts, kept=again) == first
    again.close()


def test_a_players_own_file_is_enough_for_that_player_alone(tmp_path: Path) -> None:
    host = HostTable(3, "stud8", 3)
    host.hand(trouble=False)
    host.keep(tmp_path / "hands", [1], token(2))
    with Library(tmp_path / "hands") as library:
        library.refresh()
        own = counted(library, folding_is_better_by(3.0), player="Ben")
        assert (own.hidden, own.again) == (0, 0)
        assert own.decisions
        assert "The recording does not have the decks" in " ".join(summary(own))
        other = counted(library, folding_is_better_by(3.0), player="Ann")
        assert (other.hidden, other.decisions) == (1, 0)
        assert "1 hand left out: the recording does not show these cards." in summary(other)


def test_the_host_sees_of_a_player_what_the_player_saw(tmp_path: Path) -> None:
    host = HostTable(3, "razz", 3)
    host.hand(trouble=False)
    host.keep(tmp_path / "own" / "hands", [1], token(2))
    sample_session.write(tmp_path / "host" / "hands" / FILE, host.steps)
    prices = []
    for folder in ("own", "host"):
        with Library(tmp_path / folder / "hands") as library:
            library.refresh()
            found = counted(library, folding_is_better_by(3.0), player="Ben")
            prices.append([one.price for one in found.costly])
    assert prices[0] == prices[1]


# --------------------------------------------------------------------- the bot


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_bot_repeats_a_hand_that_bots_have_played(game: str) -> None:
    table = SelfPlay(11, (game,), 3)
    deck = tuple(range(52))[::-1]
    before = table.state.view.copy()
    table.do(cmd.StartHand(deck, "hand-1"))
    while table.state.pending:
        seat, answers = next(iter(table.state.pending.items()))
        pending = table.state.view.seat(seat).pending
        assert pending is not None
        action = choose_action(table.state.view, seat, pending.request)
        table.do(cmd.Act(seat, answers, action, table.state.last_ids.get(seat, 0) + 1))
    started = next(event for event in table.events if isinstance(event, HandStarted))
    stacks = dict(started.stacks)
    nets = [bot_net(before, started, deck, seat, mind_maker("house")) for seat in stacks]
    assert nets == [table.state.view.seat(seat).chips - stacks[seat] for seat in stacks]
    assert sum(filter(None, nets)) == 0


def test_a_deck_that_is_not_known_is_not_dealt(tmp_path: Path) -> None:
    path = tmp_path / FILE
    sample_session.write(path, STEPS)
    recording = open_recording(path)
    starts = [event for step in STEPS for event in step.events if isinstance(event, HandStarted)]
    assert [len(deck_of(recording, start)) for start in starts] == [52, 52, 52]
    recording.steps[:] = [StepRecord(step.seq, step.at, None, step.events) for step in recording.steps]
    assert list(deck_of(recording, starts[0])) == []
    assert bot_net(TableView(), starts[0], tuple(range(52)), 1, mind_maker("house")) is None


# ------------------------------------------------------------------------ the verb


def review(*words: str, data: Path) -> Result:
    return CliRunner().invoke(main, ["review", *words, "--data-dir", str(data)])


def test_the_verb_counts_by_play_outs(data: Path) -> None:
    done = review("3", "--player", "Ann", "--json", data=data)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["player"], told["hands"], told["decisions"]) == ("Ann", 1, told["counted"])
    again = review("3", "--player", "ann", data=data)
    assert again.stdout.startswith("Hand 3, Ann: 1 hand, ")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["nothing.ryo"], 1, "There is no file nothing.ryo."),
        (["7"], 1, "There is no hand 7: 3 are recorded"),
        (["last", "--player", "Zoe"], 1, ": there is no player Zoe; there are"),
        (["last"], 1, "Say whose decisions are meant: --player NAME"),
        (["2026-99-99"], 1, "2026-99-99 is no date."),
        (["last", "--seat", "1"], 2, "No such option"),
    ],
)
def test_mistakes_are_said_in_a_sentence(data: Path, words: list[str], code: int, sentence: str) -> None:
    done = review(*words, data=data)
    assert done.exit_code == code, done.output
    assert sentence in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    done = review(data=tmp_path)
    assert done.exit_code == 1
    assert "No hand has been recorded" in " ".join(done.output.split())
