"""A what-if from end to end: an embedded server that goes on in the middle of a hand, bots, and the player's seat."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio

from client.bots.simple import random_legal
from client.what_if_game import WhatIfGame, what_if_game
from protocol.cards import Card
from protocol.events import AnyEvent, HandShown
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.view import TableView
from protocol.visibility import project
from protocol.wire.codec import encode_value
from replays.navigator import Navigator
from replays.playback import Playback
from replays.recording import open_recording
from replays.what_if.branch import Branch, find_branch
from replays.what_if.refused import Refused
from server.table.shuffler import Shuffler
from tests.support import sample_session
from tests.support.engine_table import GAMES_PLAYED
from tests.support.limits import LIMIT
from tests.support.self_play import played_steps


def branches(folder: Path, game: str, seed: int = 1, text: str = "") -> list[Branch]:
    """Every decision of seat 1 in a recorded hand from which it can be played on."""
    steps = played_steps(seed, (game,), 4, 1, trouble=False)
    recording = open_recording(sample_session.write(folder / "a.ryo", steps))
    navigator = Navigator(recording, Playback(recording.steps), 1)
    found = []
    while not navigator.next_decision():
        try:
            found.append(find_branch(navigator, text))
        except Refused:
            continue
    return found


class Tapped(trio.abc.Stream):
    """A stream that keeps what it has received."""

    def __init__(self, stream: trio.abc.Stream, kept: bytearray) -> None:
        self._stream, self._kept = stream, kept

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        self._kept += data
        return data

    async def aclose(self) -> None:
        await self._stream.aclose()


class TappedGame(WhatIfGame):
    """Keeps what the player's session is sent."""

    def __init__(self, branch: Branch, seed: str, folder: Path) -> None:
        self.received = bytearray()
        self._dialled = 0
        super().__init__(branch, Shuffler(seed), folder, pace=0.0)

    async def _dial(self) -> trio.abc.Stream:
        stream = await super()._dial()
        self._dialled += 1
        return Tapped(stream, self.received) if self._dialled == 1 else stream  # the player comes first


class OnlyWhatIsShown:
    """Looks at every view of the player, and asks for the hand so far, as a screen does."""

    def __init__(self, game: WhatIfGame) -> None:
        self._session, self._asked = game.session, False
        self._shown: set[Card] = set()
        game.session.on_event.append(self._note)

    def _note(self, event: AnyEvent) -> None:
        if isinstance(event, HandShown):
            self._shown.update(event.cards)

    def __call__(self, view: TableView) -> None:
        for seat in view.players():
            assert seat.seat == 1 or set(seat.down) <= {None, *self._shown}
        if view.hand and not self._asked:
            self._asked = self._session.get_hand(view.hand, running=True)


async def played(game: WhatIfGame, look: Callable[[TableView], None] = lambda view: None) -> list[AnyEvent]:
    """Plays the player's seat by chance to the end of the hand; the events that they were sent."""
    session, dice, asked = game.session, random.Random(3), 0
    told: list[AnyEvent] = []

    def answer(events: Sequence[AnyEvent]) -> None:
        nonlocal asked
        look(session.view)
        pending = session.pending
        if pending is not None and pending.seq != asked:
            asked = pending.seq
            calm = next((one.kind for one in pending.request.options if one.kind in ("check", "call")), None)
            action = random_legal(pending.request, dice)
            session.act(type(action)(calm) if calm is not None else action)

    session.on_event.append(told.append)
    session.on_change.append(answer)
    with trio.fail_after(LIMIT):
        await game.host(session.run)
    return told


def secrets(journal: Path, seat: int) -> list[bytes]:
    """What other seats alone may be sent of the hand: cards and choices."""
    records = map(decode_record, scan(journal.read_bytes()).records)
    events = [event for record in records if isinstance(record, StepRecord) for event in record.events]
    found = []
    for event in events:
        for other in range(1, 5):
            own = encode_value(project(event, other))
            if other != seat and own not in (encode_value(project(event, None)), encode_value(project(event, seat))):
                found.append(own)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES_PLAYED)
async def test_a_hand_is_played_on_and_no_hidden_card_of_others_is_sent(game: str, tmp_path: Path) -> None:
    rows = branches(tmp_path, game)
    for number, branch in enumerate((rows[0], rows[len(rows) // 2], rows[-1])):
        folder = tmp_path / str(number)
        folder.mkdir()
        one = TappedGame(branch, "1", folder)
        assert await played(one, OnlyWhatIsShown(one))
        assert one.net is not None
        hidden = secrets(Path(one.journal_path), 1)
        assert hidden
        assert not [secret for secret in hidden if secret in one.received]
        own = [encode_value(project(event, 1)) for event in one.rebuilt.events if project(event, None) != event]
        assert any(secret in one.received for secret in own)  # the search finds what is there


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("text", ["lay", "fresh"])
async def test_nothing_of_a_what_if_is_kept_and_the_recording_stays(text: str, tmp_path: Path) -> None:
    branch = branches(tmp_path, "stud8", text=text)[1]
    before = files(tmp_path)
    with what_if_game(branch, Shuffler("1"), pace=0.0) as game:
        assert game.ending() == f"You are back at {branch.place}; nothing of the what-if is kept."
        await played(game)
        folder = Path(game.journal_path).parent.parent
        assert folder.is_dir()
        assert game.net is not None
        assert branch.net is not None
        assert game.ending() == f"What if: Ann {game.net:+d}, in the record {branch.net:+d}.".replace("+0", "0")
        assert game.remark(game.session.view).startswith(f"WHAT IF from {branch.place}: not the record; Ann ")
    assert not folder.exists()
    assert files(tmp_path) == before


async def test_the_story_so_far_can_be_told(tmp_path: Path) -> None:
    """The server knows the hand from its beginning, and shows the player their own cards of it and no others."""
    branch = branches(tmp_path, "barneys")[2]
    with what_if_game(branch, Shuffler("1"), pace=0.0) as game:
        records: list[object] = []
        game.session.on_record.append(records.append)
        await played(game, OnlyWhatIsShown(game))
        (record,) = records
        assert getattr(record, "viewer", None) == 1
