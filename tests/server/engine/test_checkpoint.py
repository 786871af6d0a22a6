"""A table restored between two hands does whatever the original does (reliability: rotation of journals)."""

import random

import pytest
from msgspec.structs import replace

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, HandStarted
from protocol.journal.records import Checkpoint, Header, decode_record, encode_record
from protocol.table_rules import GameChange
from protocol.wire.codec import encode_value
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from tests.support.engine_table import EngineTable, random_command, state_of, table_rules
from tests.support.limits import length

CHANGES: tuple[GameChange, ...] = ("never", "hand", "orbit", "dealer")


def through_a_file(checkpoint: Checkpoint) -> Checkpoint:
    header = Header(format=1, rules=1, program="", session=b"s" * 16, table="t", started=0, checkpoint=checkpoint)
    record = decode_record(encode_record(header))
    assert isinstance(record, Header)
    assert record.checkpoint is not None
    assert record.next_seq == checkpoint.view.seq + 1
    return record.checkpoint


def outcome(state: TableState, command: AnyCommand) -> tuple[AnyEvent, ...] | str:
    try:
        return state.apply(command)
    except IllegalAction as refused:
        return refused.code


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(length(12, 24)))
def test_restored_at_any_hand_boundary_it_goes_on_alike(seed: int) -> None:
    rng = random.Random(seed)
    games = rng.sample(sorted(GAMES), 3)
    table = EngineTable(table_rules(games, change=rng.choice(CHANGES), misses=rng.choice((1, 2))))
    table.sit(*[rng.randint(5, 130) for _ in range(rng.randint(2, 6))])
    state = table.state
    copies: list[TableState] = []
    hands = 0
    for _ in range(900):
        if state.between_hands and len(copies) < 12 and rng.random() < 0.15:
            copies.append(TableState.restored(through_a_file(state.checkpoint())))
        command = random_command(rng, state)
        expected = outcome(state, command)
        hands += not isinstance(expected, str) and any(isinstance(event, HandStarted) for event in expected)
        for copy in copies:
            assert outcome(copy, command) == expected
            assert copy.view == state.view
            assert (copy.ready(), copy.can_deal(), copy.wants_game()) == (
                state.ready(), state.can_deal(), state.wants_game(),
            )  # fmt: skip
    for copy in copies:
        if state.between_hands:
            assert encode_value(copy.checkpoint()) == encode_value(state.checkpoint())
        assert state_of(copy)[1:5] == state_of(state)[1:5]
    assert copies
    assert hands > 3


def test_a_checkpoint_is_not_changed_by_what_follows() -> None:
    table = EngineTable().sit(100, 100)
    checkpoint = table.state.checkpoint()
    before = encode_value(checkpoint)
    table.deal().finish()
    restored = TableState.restored(checkpoint)
    restored.apply(cmd.Say("", "hello"))
    assert encode_value(checkpoint) == before


def test_there_is_no_checkpoint_in_a_hand_nor_before_a_table_is_open() -> None:
    assert not TableState().between_hands
    table = EngineTable().sit(100, 100)
    assert table.state.between_hands
    table.deal()
    assert not table.state.between_hands
    dealers = EngineTable(table_rules(("stud", "razz"), change="dealer")).sit(100, 100)
    dealers.do(cmd.AskGame())
    assert not dealers.state.between_hands


def test_a_table_that_cannot_be_is_refused() -> None:
    table = EngineTable().sit(100, 100)
    good = table.state.checkpoint()
    table.deal()
    for view in (
        table.state.view,
        replace(good.view, rules=None),
        replace(good.view, seats=good.view.seats[:-1]),
        replace(good.view, seats=good.view.seats[::-1]),
        replace(good.view, rules=replace(table.state.rules, games=())),
    ):
        with pytest.raises(ValueError, match=r"table to go on from|Unknown game"):
            TableState.restored(replace(good, view=view))


def test_trap_A40_what_a_player_has_left_with_is_known_in_the_next_file() -> None:
    table = EngineTable(table_rules(["stud8"]))
    table.sit(100, 100)
    state, token = table.state, b"d" * 32
    usual = state.rules.buy_in
    plain = encode_value(state.checkpoint())
    assert b"left_with" not in plain, "files of sessions in which nobody has left with much stay as they were"
    for chips, kept in ((usual, {}), (usual + 1, {token: usual + 1})):
        state.apply(cmd.SitDown("Dan", chips, token))
        (seat,) = [seat for seat, owner in state.tokens.items() if owner == token]
        assert state.left_with == {}
        state.apply(cmd.StandUp(seat))
        assert state.left_with == kept
        assert TableState.restored(through_a_file(state.checkpoint())).left_with == kept
    state.apply(cmd.SitDown("Dan", usual, token))
    state.apply(cmd.StandUp(3))
    assert state.left_with == {}, "the last time counts"
