"""The evening adds up: hands, net, time and the biggest pot, and no claim about what was not seen."""

from client.presenter.evening import Evening
from protocol import commands as cmd
from protocol.view import hide
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import screen, sit


def played(table: LocalTable) -> None:
    table.deal()
    table.play_until(lambda view: not view.playing)


def test_the_net_is_what_the_hands_gave_and_bought_chips_are_no_winnings() -> None:
    clock = [0.0]
    table = LocalTable("stud8", 3, seed=5)
    evening = Evening(table.session(1), lambda: clock[0])
    assert (evening.label(), evening.summary()) == ("", "")
    pots = []
    for hand in range(1, 5):
        played(table)
        pots.append((sum(award.amount for award in table.state.view.awards), hand))
        if hand == 2:
            table.do(cmd.TopUp(1, 60))
    own = table.state.view.seat(1)
    net = own.chips - 160
    assert evening.label() == f"evening {net:+d}"
    clock[0] = 3 * 3600 + 125
    pot, hand = max(pots, key=lambda one: one[0])
    assert evening.summary() == f"Tonight: 4 hands, 3 h 2 min, {net:+d}. Biggest pot {pot} (hand {hand})."
    assert f"evening {net:+d}" not in screen(sit(table)[0]), "a screen that has just been opened has seen no hand"


def test_who_comes_back_in_the_middle_hears_from_which_hand_on_it_was_counted() -> None:
    table = LocalTable("stud8", 3, seed=5)
    played(table)
    before = table.state.view.seat(1).chips
    table.deal()
    evening = Evening(table.session(1), lambda: 50.0)
    table.play_until(lambda view: not view.playing)
    net = table.state.view.seat(1).chips - before
    assert evening.label() == f"since hand 2 {net:+d}" or not net
    assert evening.summary().startswith("Since hand 2: 1 hand, less than a minute, ")


def test_hands_that_ended_while_the_connection_was_lost_are_not_claimed() -> None:
    table = LocalTable("stud8", 3, seed=5)
    session = table.session(1)
    evening = Evening(session, lambda: 0.0)
    played(table)
    first = evening.net
    del table.sessions[1]
    played(table)
    played(table)
    table.sessions[1] = session
    session.view = hide(table.state.view, 1)
    session.set_status("online")
    assert (evening.hands, evening.net) == (1, first)
    assert "(some hands were not seen here)" in evening.summary()


def test_a_spectator_has_no_evening() -> None:
    table = LocalTable("stud8", 3, seed=5)
    evening = Evening(table.session(0), lambda: 0.0)
    played(table)
    assert (evening.label(), evening.summary()) == ("", "")


def test_a_hand_that_was_voided_counts_nothing() -> None:
    table = LocalTable("stud8", 3, seed=5)
    evening = Evening(table.session(1), lambda: 0.0)
    table.deal()
    table.do(cmd.VoidHand("power cut"))
    assert (evening.hands, evening.net) == (0, 0)
