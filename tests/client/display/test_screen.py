"""The table as lines: pure rendering, no terminal."""

import random
import time
from collections.abc import Callable
from itertools import groupby
from typing import get_args

import pytest
from prompt_toolkit.output.vt100 import ANSI_COLORS_TO_RGB
from prompt_toolkit.styles import Style
from prompt_toolkit.styles.defaults import default_ui_style

from client.bots.simple import random_legal
from client.display.card_tiles import Look
from client.display.playing_cards import playing_cards
from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.seat_words import ClockLeft
from client.display.story_pane import StoryLine
from client.display.text_cells import Line, line_width, plain
from client.display.theme import PALETTES, Palette, Theme, choose_theme
from client.input.decision_keys import Draft, offer
from client.presenter.prompt import asked, not_asked
from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import SUIT_NAMES, card, cards
from protocol.narration import spans
from protocol.narration.story import tell
from protocol.seat_view import Pending, Pot, SeatView
from protocol.view import TableView, hide
from server.engine.games.catalogue import GAMES
from server.engine.games.hand_words import board_words
from tests.support.local_table import LocalTable

PLAIN = Theme(palette="none", ascii=True)


def text_of(lines: list[Line]) -> str:
    return "\n".join(plain(line).rstrip() for line in lines)


def draw(view: TableView, seat: int = 0, columns: int = 80, rows: int = 24, **state: object) -> str:
    shown = ScreenState(seat=seat)
    for name, value in state.items():
        setattr(shown, name, value)
    return text_of(render(view, shown, PLAIN, columns, rows))


def table_at(
    game: str, players: int, wanted: Callable[[TableView], bool], names: tuple[str, ...] | None = None
) -> TableView:
    """The full view of a hand that was played up to there."""
    table = LocalTable(game, players, names=names) if names else LocalTable(game, players)
    table.deal()
    table.play_until(wanted)
    return table.state.view


def seventh_street() -> TableView:
    """Eight seats on seventh street, as seat 1 sees them; it is the turn of seat 1."""
    return hide(table_at("stud8", 8, lambda view: view.street == "seventh street" and bool(view.seat(1).pending)), 1)


VIEWS: dict[str, Callable[[], TableView]] = {
    "nothing yet": TableView,
    "before the first hand": lambda: LocalTable("razz", 3).state.view,
    "seventh street": seventh_street,
    "result": lambda: table_at("stud8", 8, lambda view: not view.playing),
    "bring 'em back": lambda: table_at("barneys", 7, lambda view: view.keep == 5),
    "last roll": lambda: table_at("barneys", 7, lambda view: view.street == "fourth roll"),
}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize(
    "size", [(1, 1), (20, 5), (46, 12), (60, 16), (80, 24), (99, 30), (100, 30), (120, 40), (300, 90)]
)
def test_every_size_gives_exactly_its_columns_and_rows(name: str, size: tuple[int, int]) -> None:
    columns, rows = size
    state = ScreenState(
        seat=1,
        story=[StoryLine(("a long sentence about nothing at all " * 4,)), StoryLine(("Ann: 你好 " * 30,), chat=True)]
        * 30,
        question="Your turn",
        hints=[Hint("c", "call 1"), Hint("", "(no raise)")] * 8,
        preview=["rolls and rolls " * 12],
        note="a note " * 20,
        status="sitting out",
        banner="Connection lost. " * 12,
    )
    view = VIEWS[name]()
    if not view.seats:
        state.seat = 0
    for theme in (PLAIN, Theme(symbols=True)):
        lines = render(view, state, theme, columns, rows)
        assert len(lines) == rows
        assert {line_width(line) for line in lines} == {columns}
        assert not any("\n" in text or "\x1b" in text for line in lines for _, text, *_ in line)


def test_eight_seats_on_seventh_street_at_80x24() -> None:
    view = seventh_street()
    view.seats[3].all_in, view.seats[4].online, view.seats[5].away = True, False, True
    screen = draw(view, 1, question="Your turn", hints=[Hint("c", "check")], urgent=True)
    for seat in view.players():
        row = next(line for line in screen.splitlines() if f"{seat.seat} {seat.name}" in line)
        assert str(seat.chips) in row
        if seat.seat != 1:
            assert " ".join(plain([("", PLAIN.card(c))]) for c in seat.up) in row
            assert "[?? ??]" in row
    assert "|4s|Kh| |7c|5h|3h|6c|" in screen
    assert "In the middle 3c" in screen or "in the middle 3c" in screen
    assert "all-in" in screen
    assert "offline" in screen
    assert "away" in screen
    assert "6th [7th] showdown" in screen
    assert "pot 16" in screen
    assert "HIGH seven-high straight" in screen
    assert "LOW  seven-six" in screen
    assert ">1 Ann" in screen
    assert "Your turn  c check" in screen


def test_hidden_cards_of_others_are_nowhere() -> None:
    view = seventh_street()
    whole = table_at("stud8", 8, lambda view: view.street == "seventh street" and bool(view.seat(1).pending))
    screen = draw(view, 1)
    for seat in whole.players()[1:]:
        for hidden in seat.down:
            assert hidden is not None
            assert f" {PLAIN.card(hidden)}]" not in screen


def test_spectators_and_replays_use_the_same_screen() -> None:
    whole = table_at("barneys", 5, lambda view: view.street == "second roll")
    assert "[?? ??]" not in draw(whole)
    assert draw(hide(whole, None)).count("[?? ?? ??]") == 5


def test_side_pots_show_who_is_in_them() -> None:
    view = seventh_street()
    view.pots = (Pot(40, (1, 2, 3, 4, 5, 6, 7, 8)), Pot(12, (1, 3)), Pot(6, (1, 5)))
    view.seats[0].bet = 4
    view.community = ()
    screen = draw(view, 1)
    assert "pot 62" in screen.splitlines()[0]
    assert "main 40 (all), side 1: 12 (Ann, Cat), side 2: 6 (Ann, Eve), bets 4" in screen
    assert "side 1: 12 (1 3), side 2: 6 (1 5)" in draw(view, 1, columns=60)


def test_a_player_who_has_folded_is_not_named_in_a_pot() -> None:
    view = seventh_street()
    view.pots, view.community = (Pot(40, (1, 2, 3, 4, 5, 6, 7, 8)),), ()
    view.seats[7].hand = "folded"
    title, told = draw(view, 1).splitlines()[:2]
    assert title.endswith("pot 40")
    assert told.strip() == "ante 1, limits 2/4 - Kitchen"  # one pot that all can win needs no words
    view.pots = (Pot(40, (1, 2, 3, 4, 5, 6, 7, 8)), Pot(6, (1, 3, 8)))
    assert "main 40 (all), side 6 (Ann, Cat)" in draw(view, 1)


def test_wide_names_stay_aligned() -> None:
    view = table_at("stud8", 4, lambda view: bool(view.opener), names=("王小明", "Żółć", "名前がとても長い人", "Bo"))
    screen = draw(hide(view, 1), 0)
    rows = [line for line in screen.splitlines() if line[1:2] in "1234" and line[2:3] == " "]
    assert len(rows) == 4
    starts = {line_width([("", row[: row.index("[")])]) for row in rows}
    assert len(starts) == 1


def test_trap_A27_names_and_chat_cannot_control_the_terminal() -> None:
    names = ("\x1b[31mRed\x07", "Up\u202eDown", "A\nB", "Bo")
    view = table_at("stud8", 4, lambda view: bool(view.opener), names=names)
    screen = draw(view, 1, story=[StoryLine(("Bo: \x1b]0;title\x07hi\r\n",), chat=True)])
    assert "\x1b" not in screen
    assert "\x07" not in screen
    assert "\u202e" not in screen
    assert "Red" in screen
    assert "Bo: hi" in screen


def test_boards_before_bring_em_back_can_be_looked_at_again() -> None:
    view = hide(table_at("barneys", 4, lambda view: view.street == "first roll"), 1)
    own = " ".join(PLAIN.card(c) for c in view.seat(2).before)
    assert f"({own})" not in draw(view, 1)
    assert f"({own})" in draw(view, 1, before=True)
    assert own in draw(view, 1, columns=120, rows=40)


def test_own_cards_can_be_face_down() -> None:
    view = seventh_street()
    screen = draw(view, 1, covered=True)
    assert "|??|??| |7c|5h|3h|6c|" in screen
    assert "straight" not in screen


def test_result_names_winners_both_halves_and_every_side_pot() -> None:
    view = seventh_street()
    view.playing = False
    view.pots = (Pot(0, (1, 2)), Pot(0, (1, 3)))
    view.awards = (
        ev.PotAwarded(0, "high", 20, ((2, 20),), "two pair, kings and nines, jack kicker"),
        ev.PotAwarded(0, "low", 20, ((1, 10), (3, 10)), "seven-five low"),
        ev.PotAwarded(1, "whole", 6, ((3, 6),), "pair of aces", why="{3} alone"),
    )
    for seat, won in ((1, 10), (2, 20), (3, 16)):
        view.seat(seat).won = won
    for size in ((80, 24), (120, 40)):
        screen = draw(view, 1, *size)
        assert "main 40 (Ann, Bob), side 6 (Ann, Cat)" in screen
        rows = [" ".join(line.split()) for line in screen.splitlines()]
        assert any(row.startswith("high Bob two pair, kings and nines") and " 20 main" in row for row in rows)
        assert any(row.startswith("low you seven-five low 10 main, tied +8") for row in rows)
        assert any(row.startswith("Cat seven-five low 10 main, tied") for row in rows)
        assert any(row.startswith("Cat pair of aces 6 side") for row in rows)


def test_a_hand_that_was_voided_says_so() -> None:
    table = LocalTable("stud8", 3)
    table.deal()
    table.do(cmd.VoidHand("the cat walked over the table"))
    assert "Hand 1 does not count (the cat walked over the table)" in draw(table.state.view, 1)


def test_too_small_says_so_and_still_asks() -> None:
    screen = draw(seventh_street(), 1, 40, 8, question="Your turn", hints=[Hint("c", "check")])
    assert "Too small (40x8)" in screen
    assert "c check" in screen
    hints = [Hint("c", "call 3"), Hint("r", "raise to 6-8"), Hint("f", "fold")]
    screen = draw(seventh_street(), 1, 20, 5, question="Your turn", hints=hints)
    assert "Too small" in screen
    assert "f fold" in " ".join(screen.split())


def test_preview_of_an_arranged_hand_and_warning_at_the_declaration() -> None:
    view = hide(table_at("barneys", 4, lambda view: view.keep == 5), 1)
    pending = view.seat(1).pending
    assert pending is not None
    row = cards("6s 5s 4c 3h 2c")
    draft = Draft(cards=tuple(row))
    prompt = asked(view, pending.request, draft, offer(pending.request, draft), ClockLeft(41.7, 12.0))
    assert prompt.question == "Ready: (42s + 12 bank)"
    assert asked(view, pending.request, draft, (), ClockLeft(0.0, 11.2)).question == "Ready: (bank 12s)"
    assert asked(view, pending.request, draft, (), ClockLeft(0.0)).question == "Ready: (0s)"
    assert list(prompt.preview) == [
        "You will turn 6s 5s 4c 3h and keep 2c hidden.",
        "These make  high: six-high straight   no low: a straight",
    ]
    declare = ev.ActionRequested(1, "declare", ())
    view.seats[0].down, view.seats[0].up = (card("2c"),), tuple(cards("6s 5s 4c 3h"))
    assert "Careful: no low: a straight" in asked(view, declare, Draft(direction="low"), (), None).preview[0]
    for direction in (None, "high"):
        assert asked(view, declare, Draft(direction=direction), (), None).preview == [
            "You have  no low: a straight   high: six-high straight",
            "You play for what you declare alone; the other half is lost.",
        ]


def test_waiting_names_who_is_busy_with_what() -> None:
    view = hide(table_at("barneys", 3, lambda view: view.keep == 5), 1)
    assert not_asked(view, 1, {}).question == "Bob and Cat arranging"
    view.seats[2].pending = None
    assert not_asked(view, 1, {2: ClockLeft(12.9, 60.0)}).question == "Bob arranging 13s"


def test_cards_in_the_story_are_coloured_but_not_in_chat_nor_in_names() -> None:
    view = TableView(seats=[SeatView(1, "Ah"), SeatView(2, "Bo")])
    turned, said = ev.CardsTurned(((1, card("Kd")),)), ev.Said("Bo", "As you like", 2)
    state = ScreenState(
        story=[
            *[StoryLine(line) for line in tell(turned, view)],
            *[StoryLine(line, chat=True) for line in tell(said, view)],
        ]
    )
    lines = render(view, state, Theme(symbols=True), 60, 14)
    assert "Ah turns up K♦." in text_of(lines)
    assert "Bo: As you like" in text_of(lines)
    styles = {text: style for line in lines for style, text, *_ in line}
    assert "diamonds" in styles["K♦"]


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("dark", [True, False])
def test_styles_are_valid_and_no_name_is_taken_by_the_library(palette: str, dark: bool) -> None:
    styles = Theme(palette=palette, dark=dark).styles()  # type: ignore[arg-type]  # from the list of palettes
    Style.from_dict(styles)
    taken = {name for rule in default_ui_style().style_rules for name in rule[0].replace(".", " ").split()}
    assert not taken & set(styles)
    if palette == "none":
        assert not any("ansi" in rule or "#" in rule for rule in styles.values())


def test_theme_follows_the_terminal() -> None:
    assert choose_theme({"NO_COLOR": "1"}, "utf-8").palette == "none"
    assert choose_theme({"COLORFGBG": "0;15"}, "utf-8").dark is False
    assert choose_theme({}, "utf-8").card(card("As")) == "A♠"
    assert choose_theme({}, "ascii").card(card("As")) == "As"
    assert choose_theme({"LC_ALL": "C"}, "utf-8").card(card("As")) == "As"
    assert choose_theme({"LC_ALL": "C.UTF-8"}, "utf-8").card(card("As")) == "A♠"
    assert choose_theme({}, "ascii").rule == "-"
    assert choose_theme({}, "utf-8", symbols=False).card(card("As")) == "As"


def test_a_full_table_takes_less_than_ten_milliseconds() -> None:
    view = seventh_street()
    row = spans.cards(cards("Kd 9h"))
    story = [StoryLine(spans.compose(f"Ann raises to {n} with ", row, ".")) for n in range(500)]
    best = 1.0
    for _ in range(20):
        begun = time.process_time()
        render(view, ScreenState(seat=1, story=story), Theme(), 120, 40)
        best = min(best, time.process_time() - begun)
    assert best < 0.010


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_every_game_fits_every_window(game: str) -> None:
    dice = random.Random(game)
    table = LocalTable(game, min(6, GAMES[game].most_players), chips=20, seed=dice.randrange(99))
    session = table.session(1)
    for seat, pending in table.decisions(dice):
        table.do(cmd.Act(seat, pending.seq, random_legal(pending.request, dice)))
        columns, rows = dice.randint(1, 220), dice.randint(1, 70)
        theme = dice.choice((PLAIN, Theme(symbols=True)))
        lines = render(session.view, ScreenState(seat=dice.choice((1, 1, 0))), theme, columns, rows)
        assert len(lines) == rows
        assert {line_width(line) for line in lines} == {columns}


@pytest.mark.parametrize("columns", [46, 50, 60, 66, 72, 80, 100])
def test_own_cards_are_whole_in_every_window(columns: int) -> None:
    screen = draw(seventh_street(), 1, columns, 20)
    assert "[4s Kh] 7c 5h 3h 6c" in screen
    assert "Ks 8d 6d 5d" in screen


def test_the_question_is_whole_in_the_smallest_window() -> None:
    view = hide(table_at("barneys", 7, lambda view: view.keep == 5), 1)
    pending = view.seat(1).pending
    assert pending is not None
    draft = Draft(cards=view.seat(1).down[:2])  # type: ignore[arg-type]  # one's own cards are seen
    prompt = asked(view, pending.request, draft, offer(pending.request, draft), ClockLeft(9.0))
    screen = draw(view, 1, 46, 12, question=prompt.question, hints=prompt.hints, preview=prompt.preview, note="a note")
    assert "Keep three more: (9s)" in screen
    for hint in prompt.hints:
        assert f"{hint.key} {hint.label}" in screen
    assert "a note" in screen


def test_help_hangs_beside_its_keys_in_a_narrow_pane() -> None:
    lines = [("", "  Space n      go on, once the result has been read and understood by everybody")]
    screen = draw(seventh_street(), 1, 50, 20, overlay=lines)
    assert "  Space n      go on, once the result has been" in screen
    assert "\n               read and understood by everybody" in screen


def test_pending_marks_everybody_who_is_asked() -> None:
    view = hide(table_at("barneys", 3, lambda view: view.keep == 5), 1)
    assert isinstance(view.seat(2).pending, Pending)
    assert draw(view, 1).count("arranging") == 3


def test_cards_are_tiles_where_there_are_colours() -> None:
    view = seventh_street()
    view.seat(3).hand = "folded"
    for theme, back in ((Theme(symbols=True), "░░"), (Theme(ascii=True), "??")):
        lines = render(view, ScreenState(seat=1), theme, 80, 24)
        bob, cat = (next(line for line in lines if name in plain(line)) for name in ("2 Bob", "3 Cat"))
        assert [text for style, text, *_ in bob if "unseen" in style] == [back, back]
        assert "[" not in plain(bob)
        faces = [style.split()[:2] for style, text, *_ in bob if text == theme.card(view.seat(2).up[0])]
        assert faces == [["class:tile", "class:up"]]
        dim = [style for style, text, *_ in cat if text == theme.card(view.seat(3).up[0])]
        assert dim[0].startswith("class:tile class:folded")
        up = plain(bob).index(theme.card(view.seat(2).up[0]))
        assert plain(cat).index(theme.card(view.seat(3).up[0])) == up, "folded hands keep their column"
        assert back not in plain(cat)


def test_at_the_result_the_cards_that_win_are_bright() -> None:
    view = table_at("stud8", 4, lambda view: not view.playing)
    playing = playing_cards(view)
    assert playing
    lines = render(view, ScreenState(), Theme(), 80, 24)
    for seat in view.seats:
        row = next(line for line in lines if plain(line)[1:].startswith(f"{seat.seat} {seat.name}"))
        bright = {text for style, text, *_ in row if "class:playing" in style}
        assert bright == {Theme().card(card) for card in playing.get(seat.seat, ()) if card not in view.community}
        assert all("class:resting" in style for style, text, *_ in row if "tile" in style and text not in bright)
    (winner, *_) = playing
    for size in ((80, 24), (120, 40), (200, 60)):
        lines = render(view, ScreenState(seat=winner), Theme(), *size)
        bright = {text.strip() for line in lines for style, text, *_ in line if "class:playing" in style}
        assert {Theme().card(card) for card in playing[winner] if card not in view.community} <= bright


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("palette", ["four", "two", "blind"])
def test_a_card_is_readable_on_its_tile(palette: Palette, few: bool, dark: bool) -> None:
    """The colour of a suit stands out from the face of the card, also where a terminal has 16 colours only."""
    style = Style.from_dict(Theme(palette, dark).styles(few=few))
    for look in get_args(Look):
        for suit in SUIT_NAMES:
            attrs = style.get_attrs_for_style_str(f"class:tile class:{look} class:{suit}")
            if few and look in {"folded", "resting"}:
                assert attrs.bgcolor == "default", "dim cards have no face there"
                continue
            face, ink = colour_of(attrs.bgcolor), colour_of(attrs.color)
            assert contrast(face, ink) > (3 if look in {"folded", "resting"} or few else 4), f"{suit} {look}"
            assert not (few and attrs.bold), "bold is another colour there"
            assert not few or ((attrs.bgcolor or "").startswith("ansi") and (attrs.color or "").startswith("ansi"))


def colour_of(name: str | None) -> tuple[int, int, int]:
    assert name
    if name in ANSI_COLORS_TO_RGB:
        return ANSI_COLORS_TO_RGB[name]
    return int(name[:2], 16), int(name[2:4], 16), int(name[4:], 16)


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """The ratio of brightness between two colours, from 1 to 21."""

    def brightness(colour: tuple[int, int, int]) -> float:
        parts = [part / 255 for part in colour]
        red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def boxed(screen: str, *cards: str) -> bool:
    """Whether these cards stand beside each other in boxes of three rows."""
    return f"|{'|'.join(cards)}|" in screen


def test_the_own_hand_has_boxes_and_no_row_while_there_is_room() -> None:
    view = seventh_street()
    view.seat(2).bet = 4
    for columns, rows in ((80, 24), (80, 22), (66, 24)):
        screen = draw(view, 1, columns, rows)
        assert boxed(screen, "4s", "Kh"), (columns, rows)
        assert boxed(screen, "7c", "5h", "3h", "6c")
        assert " hidden " in screen
        assert " face up " in screen
        assert "4 to call" in screen
        assert screen.count("Ann") == 1
    for columns, rows in ((80, 19), (58, 24), (46, 13)):
        screen = draw(view, 1, columns, rows)
        assert "[4s Kh] 7c 5h 3h 6c" in screen, (columns, rows)
        assert "4 to call" in screen


def test_the_half_that_was_not_declared_is_not_named() -> None:
    view = seventh_street()
    view.seat(1).declared = "low"
    screen = draw(view, 1)
    assert "LOW  seven-six" in screen
    assert "straight" not in screen


def heights(screen: str, view: TableView) -> list[int]:
    """The rows of the seats that are in the hand, without the own one."""
    lines = screen.splitlines()
    found = []
    for seat in view.players()[1:]:
        at = next(number for number, line in enumerate(lines) if line[1:].startswith(f"{seat.seat} {seat.name} "))
        below = [n for n in range(1, 10) if "+--" in lines[at] and "+--" in lines[at + n]]
        assert PLAIN.card(seat.up[-1]) in "".join(lines[at : at + 2])
        found.append(below[0] + 1 if below else 1)
    return found


def test_in_a_large_window_every_seat_in_the_hand_has_boxes() -> None:
    view = seventh_street()
    view.seat(5).hand = "folded"
    for columns, rows, height in ((100, 36, 3), (120, 40, 3), (200, 60, 7), (80, 50, 3)):
        screen = draw(view, 1, columns, rows)
        assert heights(screen, view) == [height, height, height, 1, height, height, height], (columns, rows)
        assert columns < 110 or f"shows {board_words(view, view.seat(2).up)}" in screen


def test_the_cards_get_smaller_in_steps() -> None:
    """Eight seats in the hand: as the window gets lower the boxes of the seats go first, then those of the own hand."""
    view = seventh_street()
    seen = []
    for rows in range(70, 13, -1):
        screen = draw(view, 1, 200, rows)
        seats = set(heights(screen, view))
        assert len(seats) == 1
        seen.append((*seats, next(n for n in (9, 7, 5, 3, 0) if not n or drawn(screen, n))))
    assert seen == sorted(seen, reverse=True)
    assert [size for size, _ in groupby(seen)] == [
        (7, 9),
        (5, 9),
        (5, 7),
        (5, 5),
        (3, 7),
        (3, 5),
        (3, 3),
        (1, 5),
        (1, 3),
        (1, 0),
    ]


def drawn(screen: str, height: int) -> bool:
    """Whether the own hand has boxes of so many rows."""
    lines = screen.splitlines()
    top = next((number for number, line in enumerate(lines) if " hidden " in line), None)
    return top is not None and "+--" in "".join(lines[top + height : top + height + 1]) and "+--" in lines[top + 1]


def test_the_odd_man_is_reminded_of_their_half_before_they_fold_it() -> None:
    reminder = ["You are alone in your direction: half of the pot is yours. Folding gives it up."]
    view = hide(table_at("barneys", 4, lambda view: view.keep == 5), 1)
    view.odd_man = 1
    request = ev.ActionRequested(1, "bet", ())
    own, other = view.seats[0], view.seats[1]
    own.down, own.up = (card("2c"),), tuple(cards("6s 5s 4c 3h"))
    own.declared = "high"
    assert asked(view, request, Draft(), (), None).preview == [], "nobody has bet"
    other.bet = own.bet + 4
    assert asked(view, request, Draft(), (), None).preview == reminder
    own.declared = "low"
    assert asked(view, request, Draft(), (), None).preview == [], "a straight is no low: nothing is sure"
    view.odd_man = 2
    own.declared = "high"
    assert asked(view, request, Draft(), (), None).preview == []


@pytest.mark.parametrize("size", [(62, 24), (80, 24), (100, 34), (120, 40), (200, 60)])
def test_a_hand_of_many_cards_is_never_cut(size: tuple[int, int]) -> None:
    """House games may deal more cards than the usual seven: then the boxes are smaller, or there are none."""
    view = seventh_street()
    for seat in view.seats:
        seat.up = tuple(range(4 * seat.seat, 4 * seat.seat + 8))
    screen = draw(view, 1, *size)
    for card_of_mine in view.seat(1).up:
        assert PLAIN.card(card_of_mine) in screen


def test_the_card_in_the_middle_is_bright_if_it_plays() -> None:
    view = table_at("stud8", 4, lambda view: not view.playing)
    (winner, cards_of_winner), *_ = playing_cards(view).items()
    middle = next(card for card in view.seat(winner).up if card in cards_of_winner)
    view.seat(winner).up = tuple(card for card in view.seat(winner).up if card != middle)
    view.community = (middle,)
    row = next(line for line in render(view, ScreenState(), Theme(), 80, 24) if "In the middle" in plain(line))
    styles = [style for style, text, *_ in row if text == Theme().card(middle)]
    assert styles == [f"class:tile class:playing {Theme.suit_class(middle)}"]
