"""Recordings without names: no event, no table and no text of the house tells who played."""

import re
from collections.abc import Iterable

from protocol import commands as cmd
from protocol import events as ev
from protocol.journal.records import StepRecord, encode_record
from protocol.table_rules import GameOffer, TableRules
from protocol.wire.codec import encode_value
from replays.anonymity import Masks, anonymised
from replays.recording import FILLED
from server.engine.games.house_games import load_game
from tests.support.engine_table import NAMES, PASS_AND_DRAW
from tests.support.self_play import SelfPlay

HOUSE = (
    PASS_AND_DRAW.replace('"passdraw"', '"bensdraw"').replace("Pass and draw", "Ben's draw") + "# as Cai taught it\n"
)


def gossip() -> SelfPlay:
    """A table where names stand in every text that people write."""
    game = load_game(HOUSE)
    offer = GameOffer(game.id, game.title, game.stakes, game.most_players, HOUSE)
    table = SelfPlay(3, TableRules(name="Ann's kitchen", seats=5, games=(offer,), misses=3, buy_in_least=20), 4)
    table.do(cmd.Say("Ann", "Ben is bluffing", 1))
    table.do(cmd.Say("", "Cai has gone home"))
    table.do(cmd.Say("Zoe", "hello"))
    table.hand()
    table.do(cmd.StartHand(tuple(range(52)), "ann-2"))
    table.do(cmd.VoidHand("Dot saw the cards of Ann"))
    table.do(cmd.SitOut(2, "Ben went to the door"))
    table.do(cmd.SitIn(2))
    table.do(cmd.StandUp(3, "Cai was rude"))
    table.do(cmd.StandUp(4, "to Dot, too"))
    table.do(cmd.Say("", f"{FILLED} Ann."))
    return table


def named(steps: list[StepRecord], words: Iterable[str]) -> list[str]:
    """Those of the words that the records hold, as whole words."""
    content = b"".join(map(encode_record, steps))
    return [word for word in words if re.search(rb"\b%b\b" % re.escape(word.encode()), content, re.IGNORECASE)]


def test_no_text_of_a_recording_names_anybody() -> None:
    table = gossip()
    view = table.state.view.copy()
    assert view.rules is not None
    steps = [*table.steps, StepRecord(view.seq + 1, table.steps[-1].at, None, (), view)]
    names = (*NAMES[:4], "Zoe", "kitchen", "bluffing", "rude", "bensdraw", "taught")
    assert named(steps, names) == [*names]
    assert named(anonymised(steps), (*names, "Player 4", FILLED)) == ["Player 4", FILLED]


def test_numbers_sums_and_cards_stay() -> None:
    table = gossip()
    masked = anonymised(table.steps)
    assert [(step.seq, len(step.events)) for step in masked] == [(step.seq, len(step.events)) for step in table.steps]
    assert masked[0].at == 0
    for mine, theirs in zip(masked, table.steps, strict=True):
        for event, original in zip(mine.events, theirs.events, strict=True):
            assert type(event) is type(original)
            if type(event).__name__ in ("CardsDealt", "Acted", "PotAwarded", "HandEnded", "RoundOpened"):
                assert encode_value(event) == encode_value(original)


def test_the_definition_of_a_house_game_still_loads() -> None:
    opened = anonymised(gossip().steps)[0].events[0]
    assert isinstance(opened, ev.TableOpened)
    (offer,) = opened.rules.games
    game = load_game(offer.definition)
    assert (game.id, game.title) == (offer.id, offer.title) == ("house1", "House game 1")


def test_one_player_has_one_name() -> None:
    masks = Masks(["Ann"])
    assert (masks.name("ANN"), masks.name("Bob"), masks.name("")) == ("Player 1", "Player 2", "")
