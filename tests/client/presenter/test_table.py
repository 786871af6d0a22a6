"""The presenter of a table without a terminal: choosing ahead, moved keys, covered cards, questions."""

import pytest
from msgspec.structs import replace

from client.display.theme import Theme
from client.input.keymap import Keymap
from protocol import commands as cmd
from protocol.actions import Action
from protocol.cards import cards, cards_text
from protocol.facts import Pause
from protocol.view import hide
from tests.support.local_table import LocalSession, LocalTable, own_turn
from tests.support.seated_presenter import SIZE, screen, sit


def waiting_table() -> LocalTable:
    """Stud, third street: somebody has brought in, seat 1 has not acted yet, and another player is asked."""
    for seed in range(100):
        table = LocalTable("stud", 4, seed=seed)
        table.deal()
        table.play_until(lambda view: any(seat.last for seat in view.seats))
        own = table.state.view.seat(1)
        if own.last is None and own.pending is None:
            return table
    raise AssertionError("no such table")


def test_choosing_ahead_is_done_at_the_price_it_was_chosen_for() -> None:
    table = waiting_table()
    presenter, session, terminal = sit(table)
    assert "C call 1 when asked" in screen(presenter)
    presenter.press("C")
    assert "C take back: call 1 when asked" in screen(presenter)
    table.settle()
    assert session.acted[0] == Action("call")
    assert terminal.rung <= 1


def test_trap_A18_choosing_ahead_is_dropped_when_the_price_changes() -> None:
    table = waiting_table()
    presenter, session, terminal = sit(table)
    presenter.press("C")
    table.others = lambda request: next(
        (Action(option.kind, to=option.most) for option in request.options if option.most), Action("call")
    )
    table.settle()
    assert session.acted == []
    assert "The price has changed, so your choice ahead was dropped." in screen(presenter)
    assert "Your turn" in screen(presenter)
    assert terminal.rung == 1


@pytest.mark.parametrize("undo", ["C", "escape"])
def test_choosing_ahead_can_be_taken_back(undo: str) -> None:
    table = waiting_table()
    presenter, session, _ = sit(table)
    presenter.press("C")
    presenter.press(undo)
    table.settle()
    assert session.acted == []


def test_trap_A17_a_new_street_forgets_what_was_chosen_ahead() -> None:
    table = waiting_table()
    presenter, _, _ = sit(table)
    presenter.press("C")
    table.sessions.pop(1)
    street = table.state.view.street
    session = presenter.session
    assert isinstance(session, LocalSession)
    table.sessions[1] = session
    while table.state.view.street == street:
        if not table.step():
            assert session.pending is not None
            presenter.press("c")
    assert presenter.answer.preaction is None


def test_trap_A17_what_was_chosen_ahead_does_not_survive_a_snapshot_of_another_hand() -> None:
    table = waiting_table()
    presenter, session, _ = sit(table)
    presenter.press("C")
    assert presenter.answer.preaction is not None
    del table.sessions[1]  # the line is down while the hand ends and the next one comes to the same price
    table.play_until(lambda view: not view.playing)
    for _ in range(20):
        table.deal()
        table.play_until(lambda view: view.seat(1).pending is not None or not view.playing)
        pending = table.state.view.seat(1).pending
        if pending is not None and pending.request.call == 1:
            break
        table.play_until(lambda view: not view.playing)
    session.view = hide(table.state.view, 1)
    table.sessions[1] = session
    session.set_status("online")
    assert session.acted == []
    assert presenter.answer.preaction is None
    assert "Your turn" in screen(presenter)


def test_ordinary_keys_do_nothing_before_the_turn() -> None:
    table = waiting_table()
    presenter, session, _ = sit(table)
    for key in "cbrf123yhl":
        presenter.press(key)
    presenter.press("enter")
    table.settle()
    assert session.acted == []
    assert presenter.answer.preaction is None


def test_moved_keys_act_and_stand_on_the_screen_and_in_the_help() -> None:
    table = LocalTable("stud", 2)
    table.deal()
    table.play_until(lambda view: view.seat(1).pending is not None and any(seat.last for seat in view.seats))
    presenter, session, _ = sit(table, keymap=Keymap({"call": "j", "chat": "a"}))
    assert "j call" in screen(presenter)
    presenter.press("c")
    assert session.acted == []
    presenter.press("?")
    assert "a Tab" in "\n".join(text for _, text in presenter.state.overlay)
    presenter.press("j")
    assert [action.kind for action in session.acted] == ["call"]


@pytest.mark.parametrize(
    ("moved", "problem"),
    [({"fly": "f"}, "no key for"), ({"fold": "ff"}, "one character"), ({"fold": "c"}, "another meaning"),
     ({"fold": "3"}, "no digit"), ({"fold": "j", "call": "j"}, "another meaning")],
)  # fmt: skip
def test_moved_keys_are_checked(moved: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Keymap(moved)


def test_two_keys_can_change_places() -> None:
    keymap = Keymap({"fold": "c", "call": "f"})
    assert keymap.usual("c") == "f"
    assert keymap.usual("f") == "c"
    assert keymap.label("f") == "c"


def test_covered_cards_are_nowhere_on_the_screen() -> None:
    table = LocalTable("razz", 3)
    presenter, session, _ = sit(table)
    table.deal()
    table.settle()
    names = [presenter.appearance.theme.card(card) for card in session.view.seat(1).down if card is not None]
    assert all(name in screen(presenter) for name in names)
    presenter.press("x")
    shown = screen(presenter)
    assert not any(name in shown for name in names)
    assert "|???|???|???|" in shown
    presenter.entered("/hand")
    assert not any(name in screen(presenter) for name in names)
    presenter.press("x")
    assert all(name in screen(presenter) for name in names)


def test_what_was_told_about_own_cards_is_covered_with_them_and_nothing_else() -> None:
    table = LocalTable("stud", 3)
    presenter, session, _ = sit(table)
    table.deal()
    table.settle()
    for word in ("/hand", "/card 1", "/street", "/up", "/pot"):
        presenter.entered(word)
    presenter.press("i")
    assert screen(presenter, 60).count("You hold") == 2, "in the story twice; a long answer is not on the last line"
    assert "Card 1:" in screen(presenter, 60)
    presenter.press("x")
    shown = screen(presenter, 60)
    for told in ("You hold", "High:", "Card 1:"):
        assert told not in shown
    boards = " - ".join(f"{seat.name} {cards_text(seat.up)}" for seat in session.view.players())
    assert f"Up cards: {boards}." in shown
    assert f"The pot is {session.view.pot()}." in shown
    presenter.press("x")
    assert "You hold" in screen(presenter, 60)


def test_questions_and_rules_are_answered_at_the_table() -> None:
    table = LocalTable("razz", 3)
    table.deal()
    presenter, session, _ = sit(table)
    presenter.entered("/pot")
    assert "pot" in presenter.story.lines[-1].text.lower()
    for key, word in (("p", "pot"), ("s", "Bob 99"), ("u", "Up cards"), ("i", "so far")):
        before = len(presenter.story.lines)
        presenter.press(key)
        assert word in " ".join(entry.text for entry in presenter.story.lines[before:])
    presenter.entered("/rules")
    assert "Razz roll your own" in "\n".join(text for _, text in presenter.state.overlay)
    presenter.press("escape")
    assert not presenter.state.overlay
    assert session.said == []


def test_the_dealer_names_the_game_by_its_title() -> None:
    table = LocalTable("stud", 2, choice=["razz", "barneys"])
    presenter, session, _ = sit(table)
    table.do(cmd.AskGame())
    assert session.pending is not None
    shown = screen(presenter)
    assert "dealer's choice" in shown or "You deal. Which game?" in shown
    assert "1 Seven-card stud" in shown
    assert "3 Barney's Poker" in shown
    presenter.press("3")
    assert "Enter deal Barney's Poker" in screen(presenter)
    presenter.press("enter")
    assert session.acted == [Action("game", game="barneys")]
    assert session.view.game == "barneys"


def test_passing_shows_what_is_chosen() -> None:
    table = LocalTable("anaconda", 3)
    presenter, session, _ = sit(table)
    table.deal()
    table.play_until(lambda view: any(seat.pending and seat.pending.request.decision == "pass" for seat in view.seats))
    pending = session.pending
    assert pending is not None
    first, second = pending.request.options[0].cards[0], pending.request.options[0].cards[2]
    presenter.press("1")
    presenter.press("3")
    assert f"chosen: {presenter.appearance.theme.card(first)} {presenter.appearance.theme.card(second)}" in screen(
        presenter
    )


def test_wild_cards_are_counted_in_the_name_of_the_hand() -> None:
    table = LocalTable("queen", 2)
    presenter, session, _ = sit(table)
    table.deal()
    own = session.view.seats[0]
    own.down, own.up = tuple(cards("As Ad 3c")), tuple(cards("Ah 3d"))
    session.view.wilds = (1,)
    assert "HIGH five aces" in screen(presenter)


def test_what_it_costs_to_call_stands_beside_the_pot() -> None:
    table = waiting_table()
    presenter, _, _ = sit(table)
    assert "1 to call" in screen(presenter)


def test_why_tells_who_opens() -> None:
    table = waiting_table()
    presenter, _, _ = sit(table)
    presenter.press("w")
    assert "has the lowest up card" in screen(presenter)


def test_w_explains_the_words_on_the_screen_and_takes_them_away_again() -> None:
    presenter, _, _ = sit(waiting_table())
    before = screen(presenter)
    assert "bring-in" in before or "brings in" in before
    presenter.press("w")
    page = [text for _, text in presenter.state.overlay]
    assert page.index("WHY") < page.index("WORDS ON THE SCREEN")
    assert any(line.startswith("  bring-in") for line in page)
    assert not any(line.startswith("  odd man") for line in page), "it does not stand on the screen"
    presenter.press("w")
    assert screen(presenter) == before


def test_a_word_is_asked_for_by_its_name() -> None:
    presenter, _, _ = sit(waiting_table())
    presenter.entered("/what odd man")
    assert "odd man: The player who is alone in one direction" in screen(presenter)
    presenter.entered("/what")
    assert "WORDS ON THE SCREEN" in screen(presenter)


def test_spectator_has_no_keys_and_no_seat() -> None:
    table = waiting_table()
    presenter, session, _ = sit(table, seat=0)
    assert "watching" in screen(presenter)
    for key in ("c", "f", "C", "z", "space", "o", "w", "x", "1"):
        presenter.press(key)
    assert session.acted == []
    assert "[?? ??]" in screen(presenter)


def test_own_farewell_ends_the_screen_and_the_servers_does_not() -> None:
    presenter, session, terminal = sit(LocalTable("stud", 2))
    session.trouble = "The server shuts down."
    session.status = "closed"
    presenter.session_over()
    assert terminal.ended == []
    assert "DISCONNECTED - The server shuts down." in screen(presenter)
    presenter.press("q")
    assert terminal.ended == ["closed"]
    presenter, session, terminal = sit(LocalTable("stud", 2))
    presenter.entered("/leave")
    assert session.view.seat(1).name == "Ann"
    assert "once more" in screen(presenter)
    presenter.entered("/leave")
    presenter.session_over()
    assert terminal.ended == ["closed"]


def test_hurry_marks_the_question_when_the_clock_is_nearly_out() -> None:
    table = LocalTable("razz", 2)
    table.deal()
    table.play_until(lambda view: view.seat(1).pending is not None)
    presenter, session, _ = sit(table)
    session.clocks[1] = 4.2
    assert any(style == "class:hurry" and "5s" in text for line in presenter.lines(*SIZE) for style, text, *_ in line)


def test_no_chips_left_says_how_to_go_on() -> None:
    table = LocalTable("stud", 2)
    presenter, session, _ = sit(table)
    session.view.seats[0].chips = 0
    session.view.seats[0].away = True
    assert "You have no chips left.  Space buy 100" in screen(presenter)


def test_the_result_names_the_players_of_the_hand_after_they_have_left() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    table.play_until(lambda view: not view.playing)
    winner = next(seat.seat for seat in table.state.view.seats if seat.won)
    presenter, session, _ = sit(table, winner % 3 + 1)
    name = session.view.name(winner)
    table.do(cmd.StandUp(winner))
    assert session.view.name(winner) == f"seat {winner}"

    def panel() -> list[str]:
        rows = screen(presenter).splitlines()
        return rows[next(number for number, row in enumerate(rows) if " showdown - hand 1 " in row) :]

    assert any(row.split()[0] == name for row in panel())
    assert not any("seat" in row for row in panel())
    table.do(cmd.SitDown("Zoe", 100, b"", winner))
    assert any(row.split()[0] == name for row in panel())
    assert not any("Zoe" in row for row in panel())


def test_the_reason_for_no_card_to_show_is_the_true_one() -> None:
    table = LocalTable("stud", 3, seed=3)
    table.deal()
    table.play_until(lambda view: not view.playing)
    shown = next(seat.seat for seat in table.state.view.seats if seat.shown)
    presenter, _, _ = sit(table, shown)
    presenter.press("e")
    assert "everybody has seen your cards already" in screen(presenter)


@pytest.mark.parametrize("playing", [False, True])
def test_space_buys_chips_when_there_are_none(playing: bool) -> None:
    table = LocalTable("stud", 3)
    presenter, session, _ = sit(table)
    session.view.playing = playing  # without the player
    session.view.seats[0].chips, session.view.seats[0].away = 0, True
    assert "You have no chips left.  Space buy 100" in screen(presenter)
    presenter.press("space")
    assert table.state.view.seat(1).chips == 200
    assert "You have no chips" not in screen(presenter)


def test_a_lost_connection_is_said_until_it_is_back() -> None:
    time = [100.0]
    table = waiting_table()
    presenter, session, _ = sit(table, now=lambda: time[0])
    session.set_status("reconnecting", "The server closed the connection.")
    time[0] += 14
    assert "NO CONNECTION for 14 s - trying again - The server closed the connection." in screen(presenter)
    assert presenter.needs_drawing()
    session.set_status("reconnecting", "Nobody answers.")
    time[0] += 46
    assert presenter.needs_drawing(), "the seconds go on"
    assert "NO CONNECTION for 60 s - trying again - Nobody answers." in screen(presenter)
    assert "The table as it was when the connection broke." in screen(presenter)
    presenter.press("c")
    assert "No connection: that did nothing." in screen(presenter)
    session.set_status("online")
    assert "NO CONNECTION" not in screen(presenter)


def test_a_spectator_sees_a_lost_connection_too() -> None:
    presenter, session, _ = sit(waiting_table(), seat=0)
    session.set_status("reconnecting", "The server stops.")
    assert "NO CONNECTION for 0 s - trying again - The server stops." in screen(presenter)


def test_the_old_boards_are_a_look_that_says_its_key_and_ends_with_the_next_event() -> None:
    table = LocalTable("barneys", 3)
    presenter, session, _ = sit(table)
    table.deal()
    table.play_until(lambda view: view.keep == 5 and view.seat(1).pending is not None)
    assert "o before" in screen(presenter)
    presenter.press("o")
    assert "BEFORE bring 'em back - o: back to the table" in screen(presenter)
    presenter.press("o")
    assert "BEFORE" not in screen(presenter)
    presenter.press("o")
    table.do(cmd.Say("Bob", "hurry", 2))
    assert "BEFORE" in screen(presenter), "chat changes nothing on the table"
    table.play_until(lambda view: view.street == "first roll")
    assert "BEFORE" not in screen(presenter)
    assert session.view.playing


def test_a_note_goes_with_the_next_key_that_does_something_and_with_the_next_event() -> None:
    time = [100.0]
    table = waiting_table()
    presenter, session, _ = sit(table, now=lambda: time[0])
    presenter.press("p")
    assert screen(presenter).splitlines()[-1].startswith("The pot is")
    assert table.step()
    assert not screen(presenter).splitlines()[-1].startswith("The pot is")
    presenter.entered("/frob")
    assert "There is no /frob" in screen(presenter)
    presenter.press("J")
    assert "There is no /frob" in screen(presenter), "a key that does nothing leaves it"
    presenter.press("pageup")
    assert "There is no /frob" not in screen(presenter)
    presenter.entered("/frob")
    table.do(cmd.SitOut(2))
    assert "There is no /frob" in screen(presenter), "it can be read"
    assert presenter.needs_drawing()
    assert not presenter.needs_drawing()
    time[0] += 2
    assert presenter.needs_drawing()
    assert "There is no /frob" not in screen(presenter)
    assert session.view.playing


def test_every_action_and_a_new_hand_bring_the_story_to_its_end() -> None:
    table = waiting_table()
    presenter, _, _ = sit(table)
    for _ in range(30):
        table.do(cmd.Say("Bob", "and so on", 2))
    table.settle()
    presenter.press("pageup")
    assert "later lines: PageDown" in screen(presenter)
    presenter.press("f")
    assert presenter.state.scroll == 0
    table.play_until(lambda view: not view.playing)
    presenter.press("pageup")
    assert "later lines: PageDown" in screen(presenter)
    table.deal()
    assert "later lines: PageDown" not in screen(presenter)


def test_who_missed_the_clock_is_told_what_follows() -> None:
    table = own_turn("stud", 3)
    table.rules = replace(table.rules, misses=2)
    presenter, session, _ = sit(table)
    session.view.rules = table.rules
    (seq,) = table.state.pending.values()
    table.do(cmd.TimeUp(1, seq))
    told = "Your clock ran out, so the table decided for you. After two hands in a row"
    assert told in screen(presenter)
    assert told in presenter.story.lines[-1].text
    while session.pending is None and session.view.playing:
        assert table.step()
    lines = len(presenter.story.lines)
    for seat, number in table.state.pending.items():
        table.do(cmd.TimeUp(seat, number))
        break
    assert not any(told in line.text for line in presenter.story.lines[lines:]), "once in a hand"


def test_leaving_is_asked_for_and_any_other_key_stays() -> None:
    table = waiting_table()
    presenter, session, terminal = sit(table)
    presenter.press("q")
    assert "Leave? Your seat is kept; your clock goes on." in screen(presenter)
    assert "y leave - n stay" in screen(presenter)
    presenter.press("n")
    assert "Leave?" not in screen(presenter)
    presenter.press("q")
    presenter.press("C")
    assert presenter.answer.preaction is None
    presenter.press("q")
    table.settle()
    assert session.pending is not None
    assert "Leave?" not in screen(presenter), "the turn comes first"
    presenter.press("q")
    presenter.press("y")
    assert terminal.ended == ["left"]
    assert session.acted == []


def test_a_seat_that_is_played_from_elsewhere_now_says_so_whatever_was_asked() -> None:
    table = waiting_table()
    presenter, session, terminal = sit(table)
    presenter.press("q")
    session.set_status("closed", "You have come back over another connection.")
    presenter.session_over()
    shown = screen(presenter)
    assert "DISCONNECTED - You have come back over another connection." in shown
    assert "Not connected any more.  q leave" in shown
    assert "Leave?" not in shown
    assert "table is closed" not in shown
    presenter.press("q")
    assert terminal.ended == ["closed"]


def test_nothing_is_said_about_a_table_before_it_is_known() -> None:
    presenter, session, _ = sit(waiting_table())
    session.set_status("connecting")
    assert "Connecting ..." in screen(presenter)
    assert "Waiting for players" not in screen(presenter)


def test_who_has_given_the_seat_back_is_not_told_how_to_come_back() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    presenter, session, _ = sit(table)
    table.settle()
    presenter.entered("/leave")
    presenter.entered("/leave")
    assert "Your seat is given back when this hand is over." in screen(presenter)
    shown = screen(presenter)
    assert shown.endswith("leaving after this hand")
    assert "come back" not in shown
    assert session.view.playing


def test_the_last_line_lists_only_keys_that_do_something() -> None:
    table = waiting_table()
    presenter, session, _ = sit(table)
    last = "? keys - q leave - i hand - w words - t chat - PageUp story - / more"
    assert screen(presenter).splitlines()[-1] == last
    presenter, _, _ = sit(table, seat=0)
    last = screen(presenter).splitlines()[-1]
    assert last.startswith("? keys - q leave - w words - PageUp story - / more ")
    assert last.endswith("watching")
    assert session.view.playing


def test_how_many_watch_stands_beside_the_stakes() -> None:
    table = waiting_table()
    presenter, session, _ = sit(table)
    assert "watching" not in screen(presenter)
    session.watching = 2
    assert "2 watching - ante 1" in screen(presenter).splitlines()[1]
    presenter.entered("/who")
    assert "Two people are watching." in screen(presenter)
    presenter, session, _ = sit(table, seat=0)
    session.watching = 1
    assert "1 other" not in screen(presenter)
    session.watching = 3
    assert "2 others watching" in screen(presenter)
    session.paused = True
    assert "paused: nobody is there to play - 2 others watching" in screen(presenter)


def test_cards_in_the_question_have_the_colours_of_cards_unless_they_lie_face_down() -> None:
    table = LocalTable("razz", 3)
    presenter, session, _ = sit(table)
    presenter.appearance.theme = Theme()
    table.deal()
    table.settle()
    own = [card for card in session.view.seat(1).down if card is not None]
    assert [hint.card for hint in presenter.screen.prompt().hints] == own
    last = [(style, text) for line in presenter.lines(80, 24)[-3:] for style, text, *_ in line]
    for card in own:
        assert (f"class:tile class:up {Theme.suit_class(card)}", Theme().card(card)) in last
    presenter.press("x")
    assert [hint.card for hint in presenter.screen.prompt().hints] == [None, None, None]
    assert not any("tile" in style for line in presenter.lines(80, 24)[-3:] for style, *_ in line)


def test_who_will_sit_out_plays_this_hand_to_its_end() -> None:
    table = own_turn("stud", 3)
    presenter, session, _ = sit(table)
    session.clocks = {1: 14.0}
    presenter.press("z")
    assert "to act 14s" in screen(presenter)
    assert "sitting out after this hand: z comes back" in screen(presenter)


def test_the_question_names_who_gets_the_passed_cards() -> None:
    table = own_turn("anaconda", 3, "pass")
    presenter, _, _ = sit(table)
    assert "Pass three cards to Bob (left):" in screen(presenter)


def test_a_player_without_chips_is_not_just_away() -> None:
    table = waiting_table()
    presenter, session, _ = sit(table)
    session.view.seats[1].hand = "out"
    session.view.seats[1].away = True
    assert "away" in screen(presenter)
    session.view.seats[1].chips = 0
    assert "no chips" in screen(presenter)
    assert "away" not in screen(presenter)


def test_a_slash_shows_the_words_that_can_be_typed_until_one_is_entered() -> None:
    table = waiting_table()
    presenter, _, _ = sit(table)
    presenter.press("/")
    assert "/rebuy CHIPS" in screen(presenter)
    presenter.close_chat()
    assert "/rebuy CHIPS" not in screen(presenter)
    presenter.press("/")
    presenter.entered("/pot")
    assert "/rebuy CHIPS" not in screen(presenter)
    assert "The pot is" in screen(presenter)
    presenter, _, _ = sit(table, seat=0)
    presenter.press("/")
    assert "/who" in "\n".join(text for _, text in presenter.state.overlay)
    assert "/rebuy CHIPS" not in screen(presenter)


def test_enter_behind_an_amount_that_is_not_possible_says_why() -> None:
    table = LocalTable("barneys")
    presenter, session, _ = sit(table)
    table.deal()
    table.play_until(lambda view: (own := view.seat(1).pending) is not None and own.request.decision == "bet")
    presenter.press("9")
    presenter.press("enter")
    assert session.acted == []
    assert "between 1 and 5" in screen(presenter) or "1 to 5" in screen(presenter)
    presenter.press("backspace")
    presenter.press("3")
    assert "9" not in presenter.screen.prompt().question


def test_ctrl_c_twice_leaves_whatever_comes_between() -> None:
    now = [100.0]
    table = waiting_table()
    presenter, session, terminal = sit(table, now=lambda: now[0])
    presenter.press("c-c")
    assert "Leave?" in screen(presenter)
    table.settle()  # the turn comes, and the question goes
    assert session.pending is not None
    assert "Leave?" not in screen(presenter)
    now[0] += 2
    presenter.press("c-c")
    assert terminal.ended == ["left"]


def test_ctrl_c_once_now_and_once_later_asks_twice() -> None:
    now = [100.0]
    presenter, _, terminal = sit(waiting_table(), now=lambda: now[0])
    presenter.press("c-c")
    presenter.press("n")
    now[0] += 60
    presenter.press("c-c")
    assert "Leave?" in screen(presenter)
    assert terminal.ended == []


def test_a_paused_table_says_so_in_its_first_row_and_keys_do_nothing() -> None:
    table = LocalTable("stud8", 2, chips=100)
    presenter, session, _ = sit(table)
    table.deal()
    while session.pending is None:
        table.step()
    table.do(cmd.PausePlay(Pause("pause", "Ben", "dinner")))
    assert screen(presenter).splitlines()[0].strip() == "PAUSED by Ben - dinner"
    assert "The table is paused." in screen(presenter)
    presenter.press("f")
    assert session.acted == []
    assert "The table is paused: that did nothing." in screen(presenter)
    table.do(cmd.ResumePlay("Ben"))
    assert "PAUSED" not in screen(presenter)
    assert "Your turn" in screen(presenter)
    presenter.entered("/stop after this hand")
    assert session.host_words == ["last-hand after this hand"]
    table.do(cmd.PausePlay(Pause("stop", "Ben")))
    assert "last hand for now" in screen(presenter)
    session.break_left = 90.0
    table.do(cmd.PausePlay(Pause("break", minutes=5)))
    assert "a break after this hand" in screen(presenter)
