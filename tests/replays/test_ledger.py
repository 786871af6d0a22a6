"""Who owes whom, and the fewest payments that settle it."""

import random
from contextlib import suppress
from itertools import combinations, pairwise
from pathlib import Path

from protocol import commands as cmd
from protocol import events as ev
from replays.hand_summaries import HandSummary, summaries
from replays.ledger import Account, ledger, settlement
from replays.library import Library, ListedHand
from server.engine.errors import IllegalAction
from tests.support import sample_session
from tests.support.paths import ROOT
from tests.support.self_play import SelfPlay


def rows(hands: list[HandSummary], session: bytes = b"s") -> list[ListedHand]:
    return [ListedHand(number, ROOT, session, hand) for number, hand in enumerate(hands, 1)]


def accounts(**nets: int) -> list[Account]:
    return [Account(name, net=net) for name, net in nets.items()]


def settled(found: list[Account]) -> bool:
    nets = {account.name: account.net for account in found}
    for payment in settlement(found):
        assert payment.chips > 0
        nets[payment.giver] += payment.chips
        nets[payment.taker] -= payment.chips
    return not any(nets.values())


def test_bought_taken_and_net_are_those_of_the_events() -> None:
    """The chips of a whole session, counted from its events, with all that people bought and took away."""
    for seed in range(12):
        evening = SelfPlay(seed, ("stud8", "razz"), 4, calm=0.8)
        for _ in range(12):
            evening.hand(trouble=True)
        events = [event for step in evening.steps for event in step.events]
        if any(isinstance(event, ev.HandVoided) for event in events):
            continue
        nets: dict[str, int] = {}
        for hand in summaries(evening.steps):
            for seat, net in hand.net.items():
                nets[hand.names[seat]] = nets.get(hand.names[seat], 0) + net
        found = ledger(rows(summaries(evening.steps)))
        assert {account.name: account.net for account in found} == nets
        assert sum(account.net for account in found) == 0
        assert all(account.taken - account.bought == account.net for account in found)
        assert [one.net >= other.net for one, other in pairwise(found)] == [True] * (len(found) - 1)
        assert settled(found)


def test_chips_that_come_between_two_hands_were_bought_and_those_that_go_were_taken() -> None:
    one, two = summaries(sample_session.steps())
    two.stacks = {1: 155, 2: 46, 3: 99}  # Ann had 105 and buys 50, Ben had 96 and takes 50 away
    two.net = {1: -1, 2: -1, 3: 2}
    found = {account.name: account for account in ledger(rows([one, two]))}
    assert (found["Ann"].bought, found["Ann"].buys, found["Ann"].taken, found["Ann"].net) == (150, 2, 154, 4)
    assert (found["Ben"].bought, found["Ben"].taken, found["Ben"].net) == (100, 95, -5)


def test_two_tables_of_one_evening_are_one_account() -> None:
    hands = summaries(sample_session.steps())
    found = {account.name: account for account in ledger([*rows(hands, b"a"), *rows(hands, b"b")])}
    assert (found["Ann"].bought, found["Ann"].buys, found["Ann"].net) == (200, 2, 8)


def test_void_and_running_hands_change_nothing() -> None:
    one, two = summaries(sample_session.steps())
    two.voided, two.net = True, {1: 0, 2: 0, 3: 0}
    assert ledger(rows([one, two])) == ledger(rows([one]))
    two.voided, two.ended, two.net = False, None, {}
    assert ledger(rows([one, two])) == ledger(rows([one]))


def test_the_fewest_payments() -> None:
    assert settlement(accounts(Ann=0, Ben=0)) == []
    assert len(settlement(accounts(Ann=5, Ben=-5, Cai=7, Dot=-7))) == 2
    assert len(settlement(accounts(Ann=10, Ben=-3, Cai=-7, Dot=4, Eve=-4))) == 3
    # The largest debt to the largest claim would need five here.
    assert len(settlement(accounts(Ann=6, Ben=5, Cai=-4, Dot=-4, Eve=-3))) == 4
    assert len(settlement(accounts(Ann=9, Ben=7, Cai=-8, Dot=-6, Eve=-1, Fay=-1))) == 4


def test_no_settlement_needs_fewer_payments() -> None:
    """Against brute force: as many disjoint groups as possible whose nets are nothing."""

    def most_groups(nets: tuple[int, ...]) -> int:
        if not nets:
            return 0
        first, others = nets[0], nets[1:]
        found = 0
        for size in range(1, len(others) + 1):
            for places in combinations(range(len(others)), size):
                if first + sum(others[place] for place in places) == 0:
                    rest = tuple(net for place, net in enumerate(others) if place not in places)
                    found = max(found, 1 + most_groups(rest))
        return found

    dice = random.Random(3)
    for _ in range(200):
        nets = [dice.randint(-6, 6) for _ in range(dice.randint(2, 6))]
        nets.append(-sum(nets))
        found = [Account(f"P{number}", net=net) for number, net in enumerate(nets)]
        assert settled(found)
        left = tuple(net for net in nets if net)
        assert len(settlement(found)) == len(left) - most_groups(left)


def test_nets_that_do_not_add_up_end_all_the_same() -> None:
    assert [payment.chips for payment in settlement(accounts(Ann=10, Ben=-4))] == [4]


def played(*stacks: tuple[str, int, int], corrected: dict[str, int] | None = None) -> HandSummary:
    """A hand that is over: (name, chips at its start, chips won or lost) of each seat."""
    hand = HandSummary(1, "h", "stud", "Stud", 0, 1, ended=1, corrected=corrected or {})
    for seat, (name, chips, net) in enumerate(stacks, 1):
        hand.names[seat], hand.stacks[seat], hand.net[seat] = name, chips, net
    return hand


def test_corrections_that_move_chips_from_one_to_another_are_won_and_lost() -> None:
    one = played(("Ann", 100, -10), ("Ben", 100, 10))
    two = played(("Ann", 110, 5), ("Ben", 90, -5), corrected={"Ann": 20, "Ben": -20})
    found = {account.name: account for account in ledger(rows([one, two]))}
    assert (found["Ann"].bought, found["Ann"].taken, found["Ann"].net, found["Ann"].corrected) == (100, 115, 15, 20)
    assert (found["Ben"].bought, found["Ben"].taken, found["Ben"].net, found["Ben"].corrected) == (100, 85, -15, -20)


def test_other_corrections_are_like_chips_that_were_bought_or_taken_away() -> None:
    one = played(("Ann", 100, -10), ("Ben", 100, 10))
    two = played(("Ann", 140, 5), ("Ben", 110, -5), corrected={"Ann": 50})
    found = {account.name: account for account in ledger(rows([one, two]))}
    assert (found["Ann"].bought, found["Ann"].taken, found["Ann"].net, found["Ann"].corrected) == (150, 145, -5, 50)
    assert all(account.taken - account.bought == account.net for account in found.values())


def test_the_corrections_of_an_evening_are_found_in_its_events_and_those_of_void_hands_too() -> None:
    evening = SelfPlay(3, ("stud8",), 3, calm=1.0)
    evening.hand()
    first, second = sorted(player.seat for player in evening.state.view.players() if player.chips)[:2]
    evening.do(cmd.CorrectStack(first, 5, "corrected by Ann: wrong pot"))
    evening.do(cmd.CorrectStack(second, -5, "corrected by Ann: wrong pot"))
    evening.deal()
    evening.do(cmd.VoidHand("declared void by Ann", redeal=True))
    evening.deal().finish()
    found = summaries(evening.steps)
    names = [evening.state.view.name(seat) for seat in (first, second)]
    assert [hand.corrected for hand in found[-2:]] == [dict(zip(names, (5, -5), strict=True)), {}]
    assert sum(account.net for account in ledger(rows(found))) == 0
    assert all(account.taken - account.bought == account.net for account in ledger(rows(found)))


def test_a_correction_after_the_last_hand_counts() -> None:
    one = played(("Ann", 100, -10), ("Ben", 100, 10))
    one.corrected_after = {"Ann": 20, "Ben": -20}
    found = {account.name: account for account in ledger(rows([one]))}
    assert (found["Ann"].bought, found["Ann"].taken, found["Ann"].net, found["Ann"].corrected) == (100, 110, 10, 20)
    assert (found["Ben"].bought, found["Ben"].taken, found["Ben"].net, found["Ben"].corrected) == (100, 90, -10, -20)
    one.corrected_after = {"Ann": 20, "Ben": -5}
    found = {account.name: account for account in ledger(rows([one]))}
    assert (found["Ann"].bought, found["Ann"].taken, found["Ann"].net, found["Ann"].buys) == (120, 110, -10, 2)
    assert (found["Ben"].bought, found["Ben"].taken, found["Ben"].net) == (100, 110, 10)


def test_corrections_count_however_often_the_file_is_looked_at(tmp_path: Path) -> None:
    """With an index that is kept, as with a new one: after each step of an evening, a running hand too."""
    evening = SelfPlay(5, ("stud8",), 3, calm=1.0)
    for _ in range(2):
        evening.hand(trouble=False)
    evening.do(cmd.CorrectStack(1, 7, "corrected by Ann: wrong pot"))
    evening.do(cmd.CorrectStack(2, -7, "corrected by Ann: wrong pot"))
    evening.hand(trouble=False)
    evening.do(cmd.CorrectStack(3, -4, "corrected by Ann: wrong pot"))
    evening.do(cmd.CorrectStack(1, 4, "corrected by Ann: wrong pot"))
    for number in range(1, len(evening.steps) + 1):
        folders = tmp_path / "kept", tmp_path / f"new{number}"
        seen = []
        for folder in folders:
            path = sample_session.write(folder / "main.ryo", evening.steps[:number])
            with Library(path.parent) as library:
                library.refresh()
                seen.append(ledger(library.with_last_corrections(library.hands())))
        assert seen[0] == seen[1], number
    assert {account.name: account.corrected for account in seen[0]} == {"Ann": 11, "Ben": -7, "Cai": -4}
    assert sum(account.net for account in seen[0]) == 0
    assert settled(seen[0])


def test_an_evening_with_every_word_of_a_host_sums_to_zero() -> None:
    """Corrections, void hands, seats that are freed, players who are sent away and come back, chips that are bought."""
    for seed in range(30):
        dice = random.Random(seed)
        evening = SelfPlay(seed, ("stud8", "razz"), 5, calm=0.8)
        state = evening.state
        for _ in range(10):
            for _ in range(dice.randint(0, 3)):
                between_hands(evening, dice)
            if len([player for player in state.view.players() if player.chips and not player.away]) < 2:
                continue
            if dice.random() < 0.2:
                evening.deal()
                evening.do(cmd.VoidHand("declared void by Ann", redeal=True))
            else:
                evening.hand(trouble=False)
        found = summaries(evening.steps)
        accounts = ledger(rows(found))
        assert sum(account.net for account in accounts) == 0, seed
        assert settled(accounts), seed


def between_hands(evening: SelfPlay, dice: random.Random) -> None:
    """Something that a host or a player does between two hands."""
    state = evening.state
    players = state.view.players()
    seat = dice.choice(players).seat if players else 0
    kept = sorted(state.kept.items())
    choices: list[cmd.AnyCommand] = []
    if seat:
        choices = [
            cmd.CorrectStack(seat, dice.choice([-9, -5, 5, 9]), "corrected by Ann: wrong pot"),
            cmd.StandUp(seat, "sent away", keep=True),
            cmd.TopUp(seat, 30),
        ]
    if kept:
        token, (name, chips) = dice.choice(kept)
        choices += [cmd.SitDown(name, chips, token)] * 3
    with suppress(IllegalAction):
        evening.do(dice.choice(choices))
