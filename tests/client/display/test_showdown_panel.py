"""The panel of the showdown: who won what with which cards, who lost with what, and why you lost."""

import random
from collections.abc import Mapping

import pytest

from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.showdown import pots_words, showdown, why_lost
from client.display.showdown_panel import panel
from client.display.text_cells import line_width, plain
from client.display.theme import Theme
from protocol import events as ev
from protocol.cards import DECK, cards_text
from protocol.events import Chips, Seat
from protocol.narration.hand_names import without_kicker
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView, hide
from protocol.visibility import Viewer, project
from server.engine.games.catalogue import BARNEYS, CHICAGO, GAMES, STUD, STUD8
from server.engine.games.game import Game
from tests.support.local_table import LocalTable
from tests.support.stacked_hand import contest

NAMES = ("Ann", "Ben", "Cleo", "Dirk", "Edith", "Felix", "Greta", "Hugo", "Ivy")
PLAIN = Theme(palette="none", ascii=True)


def result(
    game: Game,
    rows: Mapping[Seat, str],
    put: Chips | Mapping[Seat, Chips],
    viewer: Viewer,
    *,
    folded: bool = False,
    declared: Mapping[Seat, str] | None = None,
) -> TableView:
    """The end of a hand as the viewer sees it: everybody all-in for what they put in, perhaps seat 8 has folded."""
    table = contest(game, rows, put, button=max(rows), declared=declared)
    shares = dict(put) if isinstance(put, Mapping) else dict.fromkeys(rows, put)
    if folded:
        shares[8] = 50
    view = TableView()
    offer = GameOffer(game.id, game.title, game.stakes, 8)
    view.apply(ev.TableOpened("t", TableRules(name="Kitchen", seats=9, games=(offer,))))
    for seat, chips in shares.items():
        view.apply(ev.PlayerSeated(seat, NAMES[seat - 1], chips))
    view.apply(ev.HandStarted(12, "t-12", game.id, game.title, max(rows), tuple(shares.items()), game.stakes))
    if folded:
        view.apply(ev.Acted(8, "fold", 0, 0))
    for event in table.events:
        if not isinstance(event, ev.HandStarted):
            view.apply(project(event, viewer))
    if view.playing:
        view.apply(ev.HandEnded(12, tuple([(seat.seat, seat.chips) for seat in view.players()])))
    return view


FOUR_POTS = {1: 20, 2: 40, 3: 60, 4: 100, 5: 100, 6: 100, 7: 100}
HANDS = {
    1: "As 2d 3s 4d 5h Jc Td",
    2: "Ah Ad Ac 9h 9d 2c 7s",
    3: "2h 3h 4h 6h 8h Kc Qs",
    4: "Ks Kh 6c 6d Qc Tc 9c",
    5: "Qh Qd 7d 7c 8c 4s 3c",
    6: "Jd Js 5c 5s 4c 2s 8s",
    7: "8d 3d 7h 6s 5d Ts Th",
}


def words_of(view: TableView, seat: Seat, columns: int = 80, rows: int = 12) -> list[str]:
    """The rows of the panel, with single blanks."""
    return [" ".join(plain(line).split()) for line in panel(view, seat, PLAIN, columns, rows)]


def test_every_pot_and_half_with_its_winner_cards_and_chips() -> None:
    view = result(STUD8, HANDS, FOUR_POTS, 6)
    assert words_of(view, 6)[1:7] == [
        "high Ben Ah Ad Ac 9h 9d full house, aces over nines 130 main, side 1 +90",
        "Cleo 8h 6h 4h 3h 2h eight-high flush 100 side 2 +100",
        "Dirk Ks Kh 6d 6c Qc two pair, kings and sixes 80 side 3 -20",
        "low Ann 5h 4d 3s 2d As wheel 70 main +50",
        "Cleo 8h 6h 4h 3h 2h eight-six low 60 sides 1, 2",
        "Greta 8d 7h 6s 5d 3d eight-seven low 80 side 3 -20",
    ]


def test_the_reader_is_told_why_they_lost() -> None:
    assert why_lost(result(STUD8, HANDS, FOUR_POTS, 6), 6) == (
        "You lost high: two pair, jacks and fives against a full house, aces over nines; "
        "had no low: only four ranks of eight or under."
    )
    assert why_lost(result(STUD8, HANDS, FOUR_POTS, 1), 1) == (
        "You lost high: a five-high straight against a full house, aces over nines."
    )
    assert why_lost(result(STUD8, HANDS, FOUR_POTS, None), 0) == ""
    view = result(STUD, {1: "Ks Kh Qd 9c 7d 4s 2c", 2: "Kd Kc Jh 9d 7s 4c 3h"}, 10, 2)
    assert why_lost(view, 2) == "You lost: a pair of kings, jack kicker against a pair of kings, queen kicker."


DECLARED = {1: "As 2d 3s 4d 6h", 2: "Ah Kh Jh 9h 7h", 3: "Ks Kd Qc Tc 9c", 4: "Qs Qd 8c 7c 6c"}


@pytest.mark.parametrize(
    ("viewer", "directions", "told"),
    [
        (1, "lhhl", "You would have lost high: ace-six high against an ace-high flush."),
        (4, "lhhl", "You lost low: a pair of queens against a six-four. "
                    "You would have lost high: a pair of queens against an ace-high flush."),
        (3, "lhhl", "You lost high: a pair of kings against an ace-high flush. "
                    "You would have lost low: a pair of kings against a six-four."),
        (1, "hhhh", "You lost high: ace-six high against an ace-high flush. You would have won low: nobody went low."),
        (2, "hhhh", ""),
        (3, "lllh", "You lost low: a pair of kings against a six-four. "
                    "You would have won high: a pair of kings against a pair of queens."),
    ],
)  # fmt: skip
def test_what_the_other_direction_would_have_been(viewer: Seat, directions: str, told: str) -> None:
    declared = {seat: {"h": "high", "l": "low"}[letter] for seat, letter in enumerate(directions, 1)}
    view = result(BARNEYS, DECLARED, 20, viewer, declared=declared)
    assert why_lost(view, viewer) == told


def test_a_half_that_nobody_won_is_explained() -> None:
    view = result(STUD8, {1: "As Ad Kc Qd Jh 9c 9d", 2: "Ks Kd Qc Jd Th 8c 8d"}, 20, 1)
    assert "no low: high takes all" in words_of(view, 1)


def test_both_halves_in_one_hand_are_two_rows_and_one_amount() -> None:
    view = result(STUD8, {1: "As 2s 3s 4s 6s Kd Qd", 2: "Kh Ks Qc Jc Tc 9h 9d"}, 20, 1)
    assert words_of(view, 1)[1:3] == [
        "high you As 6s 4s 3s 2s ace-high flush 40 +20",
        "low you 6s 4s 3s 2s As six-four low both halves",
    ]


def test_tied_hands_share_and_are_marked() -> None:
    view = result(STUD, {1: "As Ks Qd Jc Th 3c 2d", 2: "Ad Kd Qc Jh Ts 3h 2c", 3: "9s 9d 8c 7c 5h 3s 2s"}, 21, 3)
    rows = words_of(view, 3)
    assert rows[1].startswith("Ann As Ks Qd Jc Th ace-high straight 3")
    assert rows[1].split()[-2] == rows[2].split()[-2] == "tied"


def test_the_spade_in_the_hole_has_its_row() -> None:
    view = result(CHICAGO, {1: "Ks Qs 2d 3c 5h 7c 9d", 2: "Ah Ad Ac 9h 8s 7d 2c"}, 20, 2)
    assert any(row.startswith("spade Ann Ks the king of spades in the hole") for row in words_of(view, 2))
    assert "lost spade" in why_lost(view, 2)


def test_covered_cards_are_not_told_in_words() -> None:
    view = result(STUD8, HANDS, FOUR_POTS, 6)
    assert "two pair, jacks" in " ".join(words_of(view, 6))
    covered = panel(view, 6, PLAIN, 80, 12, covered=True)
    assert not any("jacks" in plain(line) for line in covered)
    shown = result(STUD8, HANDS, FOUR_POTS, 1)
    assert any("You lost high" in plain(line) for line in panel(shown, 1, PLAIN, 80, 12, covered=True))


def test_names_of_pots() -> None:
    assert pots_words((0,), 1) == ""
    assert pots_words((0, 1), 2) == "all pots"
    assert (pots_words((0,), 2), pots_words((1,), 2)) == ("main", "side")
    assert pots_words((0, 2), 4) == "main, side 2"
    assert pots_words((1, 2, 3), 4) == "sides 1-3"


def screen_of(view: TableView, seat: Seat, columns: int = 80, rows: int = 24) -> list[str]:
    state = ScreenState(seat=seat, question="The hand is over.", hints=[Hint("Space", "go on")], ready="3 of 4 ready")
    lines = render(view, state, PLAIN, columns, rows)
    assert {line_width(line) for line in lines} == {columns}
    return [plain(line) for line in lines]


def test_eight_seats_and_three_side_pots_at_80x24() -> None:
    """From the result screen alone: who won what with which cards, and why the reader lost."""
    view = result(STUD8, HANDS, FOUR_POTS, 6, folded=True)
    assert len(view.players()) == 8
    screen = screen_of(view, 6)
    text = " ".join(" ".join(screen).split())
    for share in showdown(view).shares:
        assert f"{view.name(share.seat)} {cards_text(share.five)}" in text
        assert f"{without_kicker(share.name)} {share.won}" in text or f"{share.name} {share.won}" in text
    for seat in view.players():
        assert any(row.split()[1:2] == [seat.name] for row in screen), f"the row of {seat.name}"
    assert "You lost high: two pair, jacks and fives against a full house, aces over nines;" in text
    assert "had no low: only four ranks of eight or under." in text
    assert "3 of 4 ready" in text
    assert "Space go on" in text


@pytest.mark.parametrize("seed", range(12))
def test_no_winner_scrolls_away_whatever_is_dealt(seed: int) -> None:
    dice = random.Random(seed)
    deck = list(DECK)
    dice.shuffle(deck)
    rows = {seat: cards_text(deck[7 * seat - 7 : 7 * seat]) for seat in range(1, 8)}
    put = dict(
        zip(range(1, 8), dice.choice([[20, 40, 60, 100, 100, 100, 100], [30, 30, 70, 90, 90, 110, 110]]), strict=True)
    )
    view = result(STUD8, rows, put, 1 + seed % 7, folded=True)
    text = " ".join(" ".join(screen_of(view, 1 + seed % 7)).split())
    for share in showdown(view).shares:
        assert f"{'you' if share.seat == 1 + seed % 7 else view.name(share.seat)}" in text
        assert without_kicker(share.name) in text, share
        assert not share.won or f" {share.won} " in text
    for part in why_lost(view, 1 + seed % 7).split():
        assert part in text


@pytest.mark.parametrize("game", sorted(GAMES))
def test_in_every_game_the_shares_are_all_that_was_paid_and_nothing_unseen_is_told(game: str) -> None:
    table = LocalTable(game, 5, seed=11, chips=40)
    contested = 0
    for _ in range(8):
        if not table.state.can_deal():
            break
        table.deal()
        table.play_until(lambda view: not view.playing)
        whole = table.state.view
        result = showdown(whole)
        assert sum(share.won for share in result.shares) == sum(award.amount for award in whole.awards)
        assert sum(result.pots.values()) == sum(award.amount for award in whole.awards)
        contested += any(seat.values for seat in whole.seats)
        for seat in range(6):
            view = hide(whole, seat or None)
            assert showdown(view) == result, "a result is public"
            seen = {card for one in view.seats for card in (*one.shown, *one.up)} | set(view.community)
            assert {card for share in result.shares for card in share.five} <= seen
            lines = panel(view, seat, PLAIN, 80, 14)
            assert lines
            assert all(line_width(line) <= 80 for line in lines)
            if not seat:
                assert why_lost(view, seat) == ""
    assert contested
