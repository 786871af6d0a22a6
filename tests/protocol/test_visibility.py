"""The two laws: everybody's fold agrees, and no byte of a secret reaches a viewer who must not have it."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import events as ev
from protocol import visibility
from protocol.actions import Action, Option
from protocol.cards import hidden
from protocol.events import EVENTS, AnyEvent
from protocol.view import TableView, hide
from protocol.visibility import PARTLY_HIDDEN, PUBLIC, Viewer, owners, project, same_for_all
from protocol.wire.codec import decode_from_server, encode_value
from protocol.wire.messages import Events, Snapshot
from tests.support.engine_table import GAMES_PLAYED
from tests.support.self_play import troubled_events
from tests.support.strategies import values

# ------------------------------------------------------------- every event has its place


def test_every_kind_of_event_is_public_or_partly_hidden_and_not_both() -> None:
    assert set(EVENTS.values()) == PUBLIC | PARTLY_HIDDEN
    assert not PUBLIC & PARTLY_HIDDEN


class Unheard(ev.Event, frozen=True, tag="unheard"):
    """A kind of event of which nobody has said who may see it."""

    seat: int


def test_a_kind_that_stands_nowhere_does_not_go_out() -> None:
    unheard: Any = Unheard(1)
    with pytest.raises(TypeError, match="Unheard"):
        project(unheard, 1)


def test_no_public_event_has_a_field_that_may_hide_a_card() -> None:
    # A hidden card is MaybeCard, a hidden choice Action | None; a public kind must hold neither.
    for kind in PUBLIC:
        for field in msgspec.structs.fields(kind):
            text = str(field.type)
            assert "Action" not in text, (kind, field.name)
            assert "int | None" not in text or field.name in ("seat", "odd_man"), (kind, field.name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_projections_keep_kind_and_are_stable(kind: type[AnyEvent]) -> None:
    @settings(max_examples=30)
    @given(values(kind), st.sampled_from([None, 0, 1, 2, 7]))
    def check(event: Any, viewer: Viewer) -> None:
        seen = project(event, viewer)
        assert type(seen) is kind
        assert project(seen, viewer) == seen, "projecting twice changes nothing"
        if same_for_all(event):
            assert seen is event
        if viewer not in owners(event):
            assert seen == project(event, None), "a viewer who owns nothing of it sees what a spectator sees"

    check()


# ------------------------------------------------------------------------- no secret

VIEWERS: tuple[Viewer, ...] = (None, 1, 2, 3)


def both(kind: type[Any], make: Any) -> tuple[AnyEvent, AnyEvent]:
    """Two events that differ in every secret and in nothing else."""
    return kind(*make(10, "low")), kind(*make(40, "high"))


SECRETS: list[tuple[AnyEvent, AnyEvent, tuple[Viewer, ...]]] = [
    (*both(ev.PlayerSeated, lambda n, d: (1, "Ann", 100, False, bytes([n]) * 32)), ()),
    (*both(ev.CardsDealt, lambda n, d: ("third street", ((1, (n, n + 1), (5,)), (2, (), (6,))))), (1,)),
    (*both(ev.ActionRequested, lambda n, d: (1, "choose", (Option("choose", cards=(n, n + 1), count=1),))), (1,)),
    (*both(ev.ActionRequested, lambda n, d: (1, "arrange", (Option("arrange", cards=(n, n + 1), count=1),))), (1,)),
    (*both(ev.ChoiceMade, lambda n, d: (1, "choose", Action("choose", cards=(n,)))), (1,)),
    (*both(ev.ChoiceMade, lambda n, d: (1, "arrange", Action("arrange", cards=(n, n + 1, n + 2)))), (1,)),
    (*both(ev.ChoiceMade, lambda n, d: (1, "declare", Action("declare", direction=d))), (1,)),
    (*both(ev.CardsPassed, lambda n, d: (((1, 2, (n, n + 1)),),)), (2,)),
    (*both(ev.CardsDiscarded, lambda n, d: (((1, (n, n + 1)),),)), (1,)),
]


def test_every_partly_hidden_kind_is_tried() -> None:
    assert {type(one) for one, _, _ in SECRETS} == set(PARTLY_HIDDEN)


@pytest.mark.parametrize(("one", "other", "may_see"), SECRETS, ids=lambda part: type(part).__name__)
def test_fault_42_43_bytes_and_their_number_do_not_depend_on_a_secret(
    one: AnyEvent, other: AnyEvent, may_see: tuple[Viewer, ...]
) -> None:
    check_bytes(one, other, may_see)


@pytest.mark.parametrize(("one", "other", "may_see"), SECRETS, ids=lambda part: type(part).__name__)
def test_a_planted_leak_breaks_the_law_of_the_bytes(
    one: AnyEvent, other: AnyEvent, may_see: tuple[Viewer, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(visibility._KNOWN, type(one), lambda event, viewer: event)
    with pytest.raises(AssertionError):
        check_bytes(one, other, may_see)


def check_bytes(one: AnyEvent, other: AnyEvent, may_see: tuple[Viewer, ...]) -> None:
    """A viewer who must not see the secret gets the same bytes for both events; others get the events unchanged."""
    assert one != other
    for viewer in VIEWERS:
        bytes_one, bytes_other = (encode_value(project(event, viewer)) for event in (one, other))
        if viewer in may_see:
            assert bytes_one != bytes_other
            assert project(one, viewer) == one
        else:
            assert bytes_one == bytes_other


@pytest.mark.parametrize(("one", "other", "may_see"), SECRETS, ids=lambda part: type(part).__name__)
def test_whoever_may_see_a_secret_is_among_the_owners(
    one: AnyEvent, other: AnyEvent, may_see: tuple[Viewer, ...]
) -> None:
    assert set(may_see) <= set(owners(one))
    assert set(owners(one)) <= set(VIEWERS)
    assert not same_for_all(one)


def test_a_public_event_has_no_owners_and_is_the_same_for_all() -> None:
    for event in (ev.Said("Ann", "hello"), ev.ActionRequested(1, "bet", (Option("fold"),))):
        assert owners(event) == ()
        assert same_for_all(event)


def test_a_betting_request_is_the_same_for_all_and_a_choosing_one_is_not() -> None:
    fold = ev.ActionRequested(1, "bet", (Option("fold"),))
    assert same_for_all(fold)
    assert project(fold, 2) is fold
    assert not same_for_all(ev.ActionRequested(1, "choose", (Option("choose", cards=(1,), count=1),)))


def test_only_the_cards_of_an_option_are_hidden() -> None:
    option = Option("arrange", cards=(1, 2, 3), count=2)
    seen = project(ev.ActionRequested(1, "arrange", (option,), 3, 60, "a note"), 2)
    assert seen == ev.ActionRequested(
        1, "arrange", (Option("arrange", cards=(None, None, None), count=2),), 3, 60, "a note"
    )


# ------------------------------------------------------------------- the law of the folds


def check_law(events: list[AnyEvent], viewers: tuple[Viewer, ...]) -> None:
    """fold(project(e, v)) == hide(fold(e), v) after every single event."""
    whole = TableView()
    folded = {viewer: TableView() for viewer in viewers}
    for event in events:
        whole.apply(event)
        for viewer, view in folded.items():
            view.apply(project(event, viewer))
            assert view == hide(whole, viewer), f"{event} seen by {viewer}"


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_folding_what_is_seen_is_seeing_what_is_folded(game: str) -> None:
    check_law(troubled_events(5, players=4, hands=3, game=game), (None, 1, 2, 3, 4))


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 5))
def test_the_law_holds_on_evenings_of_every_kind(seed: int, players: int) -> None:
    check_law(troubled_events(seed, players, hands=4), (None, 1, players))


def test_the_evenings_hold_every_kind_of_event_that_the_engine_makes() -> None:
    seen = {type(event) for seed in range(12) for event in troubled_events(seed, 4, hands=12)}
    missing = {kind.__name__ for kind in set(EVENTS.values()) - seen}
    assert missing <= {"CommunityDealt"}, "that takes eight players who stay to the end"


LEAKS: list[type[AnyEvent]] = [ev.CardsDealt, ev.ActionRequested, ev.ChoiceMade, ev.CardsPassed]
"""Kinds whose secrets a view keeps; the others are for the law of the bytes."""


@pytest.mark.parametrize("kind", LEAKS, ids=lambda kind: kind.__name__)
def test_a_planted_leak_breaks_the_law(kind: type[AnyEvent], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(visibility._KNOWN, kind, lambda event, viewer: event)
    events = troubled_events(3, players=3, hands=1, game="anaconda" if kind is ev.CardsPassed else "barneys")
    whole, seen = TableView(), TableView()
    leaked = False
    for event in events:
        whole.apply(event)
        try:
            seen.apply(project(event, 1))
        except ValueError:
            leaked = True  # a fold that trips over a card it should not know has noticed as well
            break
        leaked = leaked or seen != _hidden_by_hand(whole, 1)
    assert leaked


def _hidden_by_hand(view: TableView, viewer: int) -> TableView:
    """`hide` without `project`, so that a leak planted in the one does not blind the other."""
    seen = view.copy()
    for seat in seen.seats:
        if seat.seat == viewer:
            continue
        seat.down = hidden(seat.down)
        if seat.choice is not None:
            seat.choice = msgspec.structs.replace(seat.choice, action=None)
        if seat.pending is not None:
            options = tuple(
                [msgspec.structs.replace(one, cards=hidden(one.cards)) for one in seat.pending.request.options]
            )
            request = msgspec.structs.replace(seat.pending.request, options=options)
            seat.pending = msgspec.structs.replace(seat.pending, request=request)
    return seen


def test_hide_is_what_hiding_by_hand_gives() -> None:
    view = TableView()
    for event in troubled_events(9, players=3, hands=3, game="barneys"):
        view.apply(event)
        for viewer in (1, 3):
            assert hide(view, viewer) == _hidden_by_hand(view, viewer)


def test_trap_A22_a_snapshot_and_the_events_after_it_give_the_same_view() -> None:
    events = troubled_events(21, players=3, hands=3, game="barneys")
    whole = TableView()
    for at, event in enumerate(events):
        if at % 17 == 3:
            snapshot = decode_from_server(encode_value(Snapshot(hide(whole, 2), 2)))
            assert isinstance(snapshot, Snapshot)
            assert snapshot.view == hide(whole, 2)
            view = snapshot.view.copy()
            rest = Events(view.seq + 1, 0, tuple([project(later, 2) for later in events[at:]]))
            received = decode_from_server(encode_value(rest))
            assert isinstance(received, Events)
            assert view.apply_all(received.events) == hide(TableView().apply_all(events), 2)
        whole.apply(event)


def test_hiding_leaves_the_view_itself_alone() -> None:
    view = TableView().apply_all(troubled_events(2, players=2, hands=1, game="stud"))
    before = encode_value(view)
    hide(view, 1).seats[0].chips += 1
    assert encode_value(view) == before


def test_trap_A23_cards_of_the_folded_and_the_sole_survivor_stay_hidden() -> None:
    events = troubled_events(4, players=3, hands=12, game="stud8")
    whole = TableView()
    survivors = 0
    shown: set[int] = set()
    for event in events:
        whole.apply(event)
        if isinstance(event, ev.HandStarted):
            shown = set()
        elif isinstance(event, ev.HandShown) and whole.playing:  # afterwards the player does it of their own accord
            assert whole.seat(event.seat).hand == "live"
            shown.add(event.seat)
        elif isinstance(event, ev.HandEnded):
            survivors += len(whole.in_hand()) == 1
            assert len(whole.in_hand()) > 1 or not shown
            for seat in hide(whole, None).seats:
                assert not any(card is not None for card in seat.down)
                assert seat.seat in shown or not seat.shown
    assert survivors


def test_a_deal_without_hidden_cards_is_the_same_for_all_and_a_deal_with_one_is_not() -> None:
    open_cards = ev.CardsDealt("fourth street", ((1, (), (5,)), (2, (), (6,))))
    assert same_for_all(open_cards)
    assert owners(open_cards) == ()
    assert all(project(open_cards, viewer) is open_cards for viewer in VIEWERS)
    one_down = ev.CardsDealt("fourth street", ((1, (), (5,)), (2, (6,), ())))
    assert not same_for_all(one_down)
    assert owners(one_down) == (2,)
    assert (
        project(one_down, 1)
        == project(one_down, None)
        == ev.CardsDealt("fourth street", ((1, (), (5,)), (2, (None,), ())))
    )
    assert project(one_down, 2) == one_down
