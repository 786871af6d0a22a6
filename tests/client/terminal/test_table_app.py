"""The full screen as a player meets it: keys in, a terminal's screen out."""

from client.display.theme import Theme
from client.presenter.options import Options
from protocol import commands as cmd
from protocol.actions import Action
from protocol.events import ActionRequested
from tests.support.local_table import LocalTable, careful, own_turn
from tests.support.terminal import Terminal, show


def bettor(request: ActionRequested) -> Action:
    """Bets and raises whenever it may."""
    for option in request.options:
        if option.kind in {"bet", "complete", "raise"}:
            return Action(option.kind, to=option.least)
    return careful(request)


def test_call_by_key_and_leave_with_ctrl_c_twice() -> None:
    table = own_turn("stud", 3)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("c")
        await terminal.lose("Your turn")
        terminal.type("ctrl-c")
        await terminal.see("Leave?")
        terminal.type("ctrl-c")

    ended, _ = show(session, script)
    assert ended == "left"
    assert [action.kind for action in session.acted] in (["call"], ["check"])
    assert session.closed.is_set()


def test_enter_on_an_empty_line_is_never_an_action() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("enter", "enter", "?")
        await terminal.see("At the table")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == []


def test_fold_asks_back_while_checking_is_free() -> None:
    table = LocalTable("barneys", 3)
    table.deal()
    table.play_until(lambda view: bool(view.opener) and view.seat(1).pending is not None)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("c check")
        terminal.type("f")
        await terminal.see("Checking is free", "y fold")
        terminal.type("f", "f", "n")
        await terminal.see("c check")
        assert session.acted == []
        terminal.type("f", "y")
        await terminal.see("folded")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == [Action("fold")]


def test_trap_A17_a_key_pressed_twice_acts_once() -> None:
    """The second press comes when the next request is open already, within the dead time."""
    table = own_turn("stud", 2)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        await terminal.see("c ")
        clock[0] += 10
        session.on_change.append(lambda events: table.settle() if session.pending is None else None)
        terminal.type("c", "c", "c")
        await terminal.typed()
        await terminal.see("Not so fast")
        clock[0] += 10
        terminal.type("ctrl-c", "ctrl-c")

    clock = [100.0]
    show(session, script, options=Options(theme=Theme(palette="none"), settle=0.3), now=lambda: clock[0])
    assert len(session.acted) == 1


def test_chat_never_eats_an_action_and_an_action_never_eats_chat() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("t")
        await terminal.see("say:", "Esc, then")
        terminal.type("fcbr1 12")
        await terminal.see("say: fcbr1 12")
        assert session.acted == []
        terminal.type("esc")
        await terminal.lose("say:")
        terminal.type("t", "!", "enter")
        await terminal.see("Ann: fcbr1 12!")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.said == ["fcbr1 12!"]
    assert session.acted == []


def test_tab_completes_a_command_and_a_name_and_comes_back_from_chat() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("/")
        await terminal.see("say: /")
        terminal.type("hou", "tab")
        await terminal.see("say: /house")
        terminal.type("enter")
        await terminal.see("Seats: ", "Buy-in: ")
        terminal.type("/")
        await terminal.see("say: /")
        terminal.type("ask b", "tab")
        await terminal.see("say: /ask Bob")
        terminal.type("esc", "ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == []


def test_chat_while_the_line_is_down_is_kept() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        session.set_status("reconnecting", "Gone.")
        terminal.type("t", "back soon", "enter")
        await terminal.see("your words are kept")
        session.set_status("online")
        terminal.type("t")
        await terminal.see("say: back soon")
        terminal.type("enter")
        await terminal.see("Ann: back soon")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.said == ["back soon"]


def test_paste_at_the_table_is_no_action() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("\x1b[200~ccc\x1b[201~", "?")
        await terminal.see("At the table")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == []


def test_amounts_are_typed_exactly_in_spread_games() -> None:
    table = LocalTable("barneys", 3)
    table.deal()
    table.play_until(lambda view: bool(view.opener) and view.seat(1).pending is not None)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("b bet 1-5")
        terminal.type("9")
        await terminal.see("Bet (1-5): 9_")
        terminal.type("enter")
        assert session.acted == []
        terminal.type("backspace", "4")
        await terminal.see("Bet (1-5): 4_", "Enter bet 4")
        terminal.type("enter")
        await terminal.see("bets 4")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == [Action("bet", to=4)]


def test_five_digits_arrange_the_hand_with_undo_and_preview() -> None:
    table = own_turn("barneys", 4, "arrange")
    session = table.session(1)
    row = session.view.seat(1).down

    async def script(terminal: Terminal) -> None:
        await terminal.see("Keep five. The order you press", "You will turn __ __ __ __ and keep __ hidden.")
        terminal.type("7", "7", "6")
        await terminal.see("Keep three more")
        terminal.type("backspace", "1", "2", "3", "4")
        await terminal.see("Enter keep these in this order", "high:", "low:")
        terminal.type("enter")
        await terminal.see("chosen")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert [action.cards for action in session.acted] == [(row[6], row[0], row[1], row[2], row[3])]


def test_declaring_takes_two_steps_and_shows_nobody_elses_choice() -> None:
    table = own_turn("barneys", 4, "declare")
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Declare:", "l low", "h high")
        terminal.type("l")
        await terminal.see("Enter declare LOW")
        terminal.type("h")
        await terminal.see("Enter declare HIGH")
        assert session.acted == []
        assert table.step()
        await terminal.see("chosen")
        terminal.type("enter")
        await terminal.lose("Declare:")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == [Action("declare", direction="high")]


def test_connection_lost_shows_a_banner_and_play_goes_on_where_it_stood() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        session.set_status("reconnecting", "The server went away.")
        await terminal.see("NO CONNECTION for", "The server went away.")
        terminal.type("c", "?")
        await terminal.see("At the table")
        session.set_status("online")
        terminal.type("?")
        await terminal.lose("NO CONNECTION")
        await terminal.see("Your turn")
        assert session.acted == []
        terminal.type("c")
        await terminal.lose("Your turn")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert len(session.acted) == 1


def test_trap_A27_no_escape_of_a_stranger_reaches_the_terminal() -> None:
    names = ("Ann", "\x1b[2J\x1b]0;x\x07ev\ril", "C\u202eat")
    table = LocalTable("stud8", 3, names=names)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        table.deal()
        table.settle()
        await terminal.see("Your turn")
        table.do(cmd.Say(names[1], "\x1b]52;c;aGFjaw==\x07 hello \u0085\x9b2J there", 2))
        await terminal.see("hello there")
        for wrong in ("\x1b]52", "\x1b]0;x", "\u202e", "\x85", "\x9b"):
            assert wrong not in terminal.raw
        assert terminal.pyte.title == "* your turn - Kitchen"
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)


def test_bell_and_title_at_the_start_of_the_turn_only() -> None:
    table = LocalTable("stud", 3)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Waiting for the next hand")
        assert terminal.pyte.bells == 0
        table.deal()
        table.settle()
        await terminal.see("Your turn")
        assert terminal.pyte.bells == 1
        assert terminal.pyte.title == "* your turn - Kitchen"
        terminal.type("ctrl-l", "c")
        await terminal.lose("Your turn")
        await terminal.see("to act", "t chat")
        assert terminal.pyte.bells == 1
        assert terminal.pyte.title == "Kitchen"
        terminal.type("m")
        await terminal.see("off")
        table.settle()
        await terminal.see("Your turn")
        assert terminal.pyte.bells == 1
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)


def test_result_stays_until_the_next_hand_and_space_goes_on() -> None:
    table = own_turn("stud8", 3)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        table.play_until(lambda view: not view.playing)
        await terminal.see("showdown · hand 1 · pot 6", "Space go on")
        terminal.type("t", "nice hand", "enter")
        await terminal.see("Ann: nice hand", "showdown · hand 1", "Space go on")
        terminal.type(" ")
        await terminal.lose("Space go on")
        assert session.view.seat(1).went_on
        await terminal.see("showdown · hand 1")
        table.deal()
        await terminal.lose("showdown · hand 1")
        await terminal.see("Hand 2")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)


def test_slash_words() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("/", "nonsense", "enter")
        await terminal.see("There is no /nonsense")
        terminal.type("/", "away", "enter")
        await terminal.see("sitting out", "sits out")
        terminal.type("/", "rebuy x", "enter")
        await terminal.see("/rebuy needs a number")
        terminal.type("/", "say /me waves", "enter")
        await terminal.see("Ann: /me waves")
        terminal.type("/", "quit", "enter")

    ended, _ = show(session, script)
    assert ended == "left"
    assert session.view.seat(1).away


def test_story_scrolls_back_and_stays_while_the_game_goes_on() -> None:
    table = own_turn("stud8", 8)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        for number in range(30):
            session.say(f"line {number}.")
        await terminal.see("line 29.")
        terminal.type("pageup", "pageup", "pageup")
        await terminal.see("later lines: PageDown", "line 9.")
        session.say("a new line.")
        await terminal.see("line 9.")
        terminal.type("pagedown", "pagedown", "pagedown", "pagedown")
        await terminal.see("a new line.")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)


def test_help_can_be_read_to_its_end() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("?")
        await terminal.see("more lines: PageDown")
        while "questions, answered in the story" not in terminal.text():
            terminal.type("pagedown")  # and not faster than it is drawn: drawing says where the help ends
            await terminal.changed()
        while "more lines: PageDown" not in terminal.text():
            terminal.type("pageup")
            await terminal.changed()
        for number in range(20):
            session.say(f"line {number}.")
        terminal.type("esc", "<")
        await terminal.see("later lines: PageDown")
        terminal.type(">")
        await terminal.lose("later lines: PageDown")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)


def test_terminal_is_left_as_it_was() -> None:
    session = own_turn().session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type("ctrl-c", "ctrl-c")

    _, terminal = show(session, script)
    assert terminal.pyte.title == ""
    assert 25 << 5 in terminal.pyte.mode or pyte_shows_cursor(terminal)


def pyte_shows_cursor(terminal: Terminal) -> bool:
    """Whether the cursor is visible again."""
    return not terminal.pyte.cursor.hidden
