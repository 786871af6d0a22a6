"""A whole hand of every game, played with keys alone, in windows of several sizes."""

import pytest

from protocol.events import ActionRequested
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable
from tests.support.terminal import Terminal, show


def typed(request: ActionRequested) -> list[str]:
    """The keys of somebody who stays in, turns their first card, arranges from the right and goes low."""
    kinds = {option.kind for option in request.options}
    count = request.options[0].count
    match request.decision:
        case "bet":
            return ["b"] if "bring_in" in kinds else ["c"]
        case "choose":
            return ["1", "enter"]
        case "arrange":
            return [str(7 - n) for n in range(count)] + ["enter"]
        case "declare":
            return ["l", "enter"]
        case "discard":
            return ["1", "enter"]
        case "pass":
            return [str(n + 1) for n in range(count)] + ["enter"]
        case "buy":
            return ["d"]
        case "game":
            return ["1", "enter"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (46, 12), (120, 40), (20, 5)])
@pytest.mark.parametrize("game", GAMES)
def test_whole_hand_by_keys(game: str, size: tuple[int, int]) -> None:
    table = LocalTable(game, min(5, GAMES[game].most_players), seed=7)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Waiting")
        table.deal()
        table.settle()
        while session.view.playing:
            pending = session.pending
            assert pending is not None
            answered = len(session.acted)
            terminal.type(*typed(pending.request))
            while len(session.acted) == answered:
                await terminal.changed()
            table.settle()
        await terminal.see(*("hand 1", "Space go on") if size[0] > 20 else ("Too small", "hand is over"))
        terminal.type(" ", "ctrl-c", "ctrl-c")

    ended, _ = show(session, script, columns=size[0], rows=size[1])
    assert ended == "left"
    assert session.acted
    assert table.state.view.seat(1).went_on
    assert table.state.view.chips() == 100 * len(table.state.view.players())
