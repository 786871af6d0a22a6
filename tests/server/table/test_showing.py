"""Hidden cards shown after a hand, over the wire, in the journal and after a restart."""

from pathlib import Path

from protocol.actions import Action
from protocol.events import ActionRequested
from protocol.wire import messages as msg
from replays.verify import verify
from tests.support.loopback_server import calling, config, running


def folding(request: ActionRequested) -> Action:
    """Give up as soon as it is allowed."""
    folds = any(option.kind == "fold" for option in request.options)
    return Action("fold") if folds else calling(request)


async def test_what_is_shown_is_seen_by_all_and_nothing_else_is(tmp_path: Path) -> None:
    settings = config(tmp_path, games=("stud8",), change="never", players=3)
    async with running(settings) as house:
        players = await house.seated("Ann", "Ben", "Cai")
        spectator = await house.connect("Dot")
        await spectator.watch()
        await house.play(players, 1, folding)
        ann, ben, cai = players
        first, second = ann.view.seat(ann.seat).down
        assert first is not None
        await ann.send(msg.Show((first,)))
        await ben.send(msg.Show(ann.view.seat(ann.seat).down))  # type: ignore[arg-type]  # cards of another player
        await spectator.send(msg.Show())
        assert (await ben.expect(msg.Rejected)).code == "illegal"
        assert (await spectator.expect(msg.Rejected)).code == "not_seated"
        await cai.send(msg.Show())
        for reader in (*players, spectator):
            await reader.until(lambda view: bool(view.seat(cai.seat).shown))
            assert reader.view.seat(ann.seat).shown == (first,)
            assert reader.view.seat(ben.seat).shown == ()
            assert (second in reader.view.seat(ann.seat).down) == (reader is ann)
            assert reader.view.seat(cai.seat).shown == cai.view.seat(cai.seat).down
        journal = house.table.journal_path
    async with running(settings) as house:
        late = await house.connect("Eve")
        await late.watch()
        assert late.view.seat(ann.seat).shown == (first,)
        assert late.view.seat(ann.seat).down == (None, None)
    assert verify(journal).problem == ""


async def test_not_while_a_hand_is_played(tmp_path: Path) -> None:
    async with running(config(tmp_path, games=("stud8",), change="never", players=2)) as house:
        ann, ben = await house.seated("Ann", "Ben")
        await ann.until(lambda view: view.playing and bool(view.seat(1).down))
        await ann.send(msg.Show())
        assert (await ann.expect(msg.Rejected)).code == "not_now"
        await ben.until(lambda view: view.playing)
        assert not any(seat.shown for seat in ben.view.seats)
