"""What a browser is sent, whole: no hidden card, no choice before it is shown, nothing of a deck or a token."""

import random
from pathlib import Path

import msgspec
import pytest
import trio

from protocol.actions import Action
from protocol.events import ActionRequested, AnyEvent
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.view import TableView, hide
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from server.app.teller import Teller
from server.engine.games.catalogue import GAMES
from tests.support.hidden_cards import shuffled
from tests.support.known_cards import cards_told, known_cards
from tests.support.loopback_server import config, fill, running
from tests.support.secret_events import check_secret_events, decks
from tests.support.self_play import played_steps
from tests.support.web_socket import browser_client

HANDS = 3
ROW = 5
"""So many cards one after the other, as they lie in the deck, are never dealt to one seat."""


def by_chance(dice: random.Random, request: ActionRequested) -> Action:
    """Anything that is offered; rarely a fold, so that hands come to a showdown."""
    option = dice.choice(request.options)
    return fill(request.options[-1] if option.kind == "fold" and dice.random() < 0.8 else option)


def events_of(journal: Path) -> list[AnyEvent]:
    records = map(decode_record, scan(journal.read_bytes()).records)
    return [event for record in records if isinstance(record, StepRecord) for event in record.events]


def rows_of(journal: Path) -> list[bytes]:
    """Neighbours in the decks of a session."""
    return [bytes(deck[at : at + ROW]) for deck in decks(journal.read_bytes()) for at in range(len(deck) - ROW + 1)]


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_no_byte_to_a_browser_and_no_word_of_it_tells_what_is_hidden(tmp_path: Path, game: str) -> None:
    settings = config(tmp_path, games=(game,), players=3, buy_in=300)
    async with running(msgspec.structs.replace(settings, web="plain")) as house:
        players = [await browser_client(house, name, features=(msg.TOLD,)) for name in ("Ann", "Ben", "Cho")]
        for player in players:
            await player.join()
        eve = await browser_client(house, "Eve", features=(msg.TOLD,))
        await eve.watch()
        async with trio.open_nursery() as nursery:
            for number, player in enumerate(players):
                dice = random.Random(number)
                nursery.start_soon(player.play, HANDS, lambda request, dice=dice: by_chance(dice, request))
        await house.settle([*players, eve])
        path = Path(house.table.journal_path)
        digests = list(house.table.state.tokens.values())
    clients = {player.seat: player for player in players} | {0: eve}
    compared = check_secret_events(path, {seat: bytes(client.received) for seat, client in clients.items()})
    assert "cards" in compared
    events = events_of(path)
    rows = rows_of(path)
    for seat, client in clients.items():
        received = bytes(client.received)
        assert not [secret for secret in (*rows, *digests) if secret in received]
        known = known_cards(events, seat or None)
        said = 0
        for message in client.inbox:
            if isinstance(message, msg.Events) and message.told is not None:
                for number, cards in cards_told(message.told):
                    assert cards <= known[message.seq + number], message
                    said += len(cards)
        assert said > 0


def sent_to_a_browser(view: TableView) -> bytes:
    """The table as the player in seat 1 gets it, with its sentences."""
    sent: list[bytes] = []
    Teller(sent.append, lambda error: pytest.fail(str(error))).send(encode_frame(msg.Snapshot(hide(view, 1), seat=1)))
    return b"".join(sent)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_with_other_cards_where_nobody_sees_them_a_browser_is_sent_the_same_bytes(game: str) -> None:
    dice = random.Random(game)
    view = TableView()
    compared = 0
    for step in played_steps(seed=5, games=(game,), players=3, hands=2):
        view.apply_all(step.events)
        if view.playing and not any(seat.choice or seat.shown for seat in view.seats):
            compared += 1
            assert sent_to_a_browser(view) == sent_to_a_browser(shuffled(view, dice))
    assert compared > 10
