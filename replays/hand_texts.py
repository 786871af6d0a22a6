"""A recorded hand as a JSON object for other programs, and as Markdown for a chat message."""

from collections import defaultdict
from typing import Any

import msgspec

from protocol import events as ev
from protocol.cards import card_text
from protocol.events import Chips, Seat
from protocol.narration.phrases import signed
from replays.narration import clock, safe, stamp, story
from replays.playback import Playback, Viewpoint

_MARKDOWN = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>#|~"})


def finished_hands(playback: Playback) -> list[int]:
    """The positions at which the hands start that are over and were not void."""
    return [
        start for start in playback.hands if any(isinstance(event, ev.HandEnded) for event in _events(playback, start))
    ]


def _events(playback: Playback, start: int, viewpoint: Viewpoint = None) -> list[ev.AnyEvent]:
    """The events of the hand that starts at that position."""
    return [moment.event for moment in playback.moments(start - 1, playback.hand_end(start), viewpoint)]


def as_json(playback: Playback, start: int, viewpoint: Viewpoint) -> dict[str, Any]:
    """The hand that starts at that position, as plain values; cards that the viewpoint does not see are ``??``.

    For each player `stack` are the chips at the start, `committed` all chips put in, `returned` those that nobody could
    call, `share` those won from pots, `net` the sum: share and returned less committed.
    """
    events = _events(playback, start, viewpoint)
    first = events[0]
    assert isinstance(first, ev.HandStarted)
    view = playback.view(viewpoint, playback.hand_end(start))
    committed: dict[Seat, Chips] = defaultdict(int)
    returned: dict[Seat, Chips] = defaultdict(int)
    share: dict[Seat, Chips] = defaultdict(int)
    for event in events:
        match event:
            case ev.AntesPosted():
                for seat, amount in event.antes:
                    committed[seat] += amount
            case ev.Acted():
                committed[event.seat] += event.amount
            case ev.BetReturned():
                returned[event.seat] += event.amount
            case ev.PotAwarded():
                for seat, amount in event.winners:
                    share[seat] += amount
            case _:
                pass
    names = playback.names(start)
    players = []
    for seat, stack in first.stacks:
        held = view.seat(seat)
        players.append(
            {
                "seat": seat,
                "name": names.get(seat, ""),
                "stack": stack,
                "committed": committed[seat],
                "returned": returned[seat],
                "share": share[seat],
                "net": share[seat] + returned[seat] - committed[seat],
                "declared": held.declared or None,
                "folded": held.hand == "folded",
                "down": [_card(card) for card in held.shown or held.down],
                "up": [card_text(card) for card in held.up],
                "made": dict(held.values),
            }
        )
    lines = story(playback, start - 1, playback.hand_end(start), viewpoint)
    return {
        "id": first.id,
        "hand": first.hand,
        "game": first.game,
        "title": first.title,
        "started": playback.moment(start).at,
        "button": first.button,
        "stakes": msgspec.to_builtins(first.stakes),
        "community": [card_text(card) for card in view.community],
        "pot": sum(share.values()),
        "players": players,
        "story": [{"at": line.at, "text": line.text} for line in lines],
    }


def _card(card: int | None) -> str:
    return "??" if card is None else card_text(card)


def as_markdown(playback: Playback, start: int, viewpoint: Viewpoint) -> str:
    """The hand that starts at that position, for a chat message: a heading, the story, a table of the results."""
    hand = as_json(playback, start, viewpoint)
    lines = [f"**Hand {hand['hand']}, {_plain(hand['title'])}**, {stamp(hand['started'])}, pot {hand['pot']}", ""]
    told = story(playback, start, playback.hand_end(start), viewpoint)
    lines += [f"{clock(line.at)} {_plain(line.text)}  " for line in told if not line.chat]
    lines += ["", "| player | cards | made | net |", "|---|---|---|---|"]
    for player in hand["players"]:
        down = " ".join(player["down"])
        cards = f"[{down}] {' '.join(player['up'])}" if down else " ".join(player["up"])
        made = "folded" if player["folded"] else "; ".join(player["made"].values())
        lines.append(f"| {_plain(player['name'])} | {_plain(cards)} | {_plain(made)} | {signed(player['net'])} |")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """A text from a recording that neither a terminal nor Markdown takes for more than a text."""
    return safe(text, 1000).translate(_MARKDOWN)
