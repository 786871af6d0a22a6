"""Recorded hands as one page for a browser, which needs nothing else: table, story, stacks and ledger.

The page holds the journal of what one viewpoint may see (`replays.page_steps`). Everything else in it is made from
that journal alone, so it tells nothing that is not in there. Texts are escaped, and the policy of the page allows only
its own script and its own styles.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import TypeAlias

from protocol import events as ev
from protocol.journal.records import Header, StepRecord
from protocol.narration.phrases import counted, sentence, signed
from protocol.narration.spans import WireSpan, on_the_wire
from replays.chances import words as chance_words
from replays.chances.estimate import Estimate
from replays.hand_chances import SpotSeen, spot_at
from replays.hand_summaries import HandSummary, summaries
from replays.ledger import ledger, settlement
from replays.library import ListedHand
from replays.narration import safe, stamp, story
from replays.page_file import packed
from replays.page_steps import journal_of
from replays.playback import Playback, Viewpoint
from replays.stacks_picture import isolated, nets, picture
from server.web.static_files import one_module, static_text

MODULES = ("msgpack.js", "view.js", "recording.js", "table.js", "replay.js")
"""The files of `server/web/static/` in the page, each behind those that it imports."""

STYLES = ("table.css", "replay.css")
"""Its style sheets."""

Spans: TypeAlias = tuple[WireSpan, ...]
"""A sentence for the page."""
Worth: TypeAlias = tuple[int, int, list[str]]
"""What the cards say: the position of the request, the number of the viewpoint that is asked, and the lines."""
MOST_SLICES = 12
"""Slices of work (`replays.chances.estimate.Estimate`) for the chances at one decision, at most."""
SLICES = 1500
"""The same for all decisions of a page."""
MOST_BATCHES = 6
"""Batches of deals (`replays.hand_reading.read_chances`) for the chances as others played, at one decision, at most."""
BATCHES = 600
"""The same for all decisions of a page, but for one at each of them."""
Line: TypeAlias = tuple[int, Spans] | tuple[int, Spans, list[int]]
"""A line of the story: the position after its event, the sentence, and the viewpoints that are told it, if not all."""


def html_page(header: Header, steps: Sequence[StepRecord], viewpoint: Viewpoint, salt: bytes) -> str:
    """The page with these steps (`page_steps`) and this header (`page_header`).

    `viewpoint`: the one that the steps were made for. Raises ValueError if a step does not fit into a record.
    """
    playback = Playback(steps, of_a_player=True)
    hands = [hand for hand in summaries(steps) if hand.ended is not None]
    views = viewpoints(playback, viewpoint)
    words = {
        "views": views, "story": told(playback, views), "chances": worth(playback, views), "clock": header.started > 0,
    }  # fmt: skip
    script, style = one_module(*MODULES), "".join(map(static_text, STYLES))
    return Template(static_text("replay.html")).substitute(
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        title=escape(_title(playback, hands)),
        about=escape(_about(header, hands, viewpoint)),
        style=style,
        script=script,
        hands=_hand_choice(hands),
        viewers="".join(f'<option value="{number}"></option>' for number in range(len(views))),
        evening=_evening(header, hands) if len(hands) > 1 else "",
        journal=packed(journal_of(header, steps, salt)),
        words=packed(json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()),
    )


def viewpoints(playback: Playback, viewpoint: Viewpoint) -> list[Viewpoint]:
    """The viewpoint of the page, and all others that it can show: seats whose cards are in it, and a spectator."""
    found: list[Viewpoint] = [viewpoint]
    if viewpoint == "all":
        seats = set()
        for moment in playback.moments(0, len(playback), "all"):
            if isinstance(moment.event, ev.CardsDealt):
                seats |= {seat for seat, down, _ in moment.event.cards if any(card is not None for card in down)}
        found += sorted(seats)
    return found if viewpoint is None else [*found, None]


def told(playback: Playback, views: Sequence[Viewpoint]) -> list[Line]:
    """The whole story as it is told to each of the viewpoints, with every line that several of them are told once."""
    lines: dict[tuple[int, Spans], list[int]] = {}
    for number, view in enumerate(views):
        for line in story(playback, 0, len(playback), view):
            lines.setdefault((line.seq, on_the_wire(line.sentence)), []).append(number)
    rows = sorted(lines.items(), key=lambda row: row[0][0])  # lines of one event keep their order
    return [(*line, told_to) if len(told_to) < len(views) else line for line, told_to in rows]


def worth(playback: Playback, views: Sequence[Viewpoint]) -> list[Worth]:
    """What the cards say to every seat of the viewpoints at each of its decisions, from what it could see then.

    The more decisions there are, the smaller are the samples, so that the page of a long evening is written quickly.
    """
    asked = [
        (moment.seq, views.index(moment.event.seat), seen)
        for moment in playback.moments(0, len(playback), None)
        if isinstance(moment.event, ev.ActionRequested) and moment.event.seat in views
        if (seen := spot_at(playback, moment.event.seat, moment.seq)) is not None
    ]
    slices = max(1, min(MOST_SLICES, SLICES // max(len(asked), 1)))
    batches = max(1, min(MOST_BATCHES, BATCHES // max(len(asked), 1)))
    return [(position, view, _worth_lines(seen, slices, batches)) for position, view, seen in asked]


def _worth_lines(seen: SpotSeen, slices: int, batches: int) -> list[str]:
    numbers, spade = None, seen.spot.terms.spade
    lines = [seen.untold]
    if not seen.untold:
        estimate, as_played = Estimate(seen.spot), seen.as_played()
        for _ in range(slices):
            estimate.work()
        for _ in range(batches):
            as_played.work()
        numbers = estimate.numbers()
        lines = [
            chance_words.line(numbers, spade=spade),
            chance_words.line(as_played.numbers(), spade=spade, title=chance_words.AS_PLAYED),
        ]
    if seen.price is not None:
        lines.append(sentence(chance_words.price_line(seen.price, numbers)))
    return lines + chance_words.details(seen.describe(numbers), seen.view)


def _hash(text: str) -> str:
    """The source for a policy that allows this script or style alone."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _title(playback: Playback, hands: Sequence[HandSummary]) -> str:
    if len(hands) == 1:
        return f"Hand {hands[0].number}, {safe(hands[0].title)}"
    rules = playback.view(None, len(playback)).rules
    return f"{safe(rules.name) if rules is not None and rules.name else 'An evening'}, {counted(len(hands), 'hand')}"


def _about(header: Header, hands: Sequence[HandSummary], viewpoint: Viewpoint) -> str:
    """When it was played, if that may be told, and whose cards are shown."""
    seen = "with all cards" if viewpoint == "all" else "as everybody saw it"
    if isinstance(viewpoint, int):
        names = [hand.names[viewpoint] for hand in hands if viewpoint in hand.names]
        seen = f"as {isolated(names[0]) if names else f'seat {viewpoint}'} saw it"
    return f"{stamp(hands[0].started if hands else header.started)}, {seen}" if header.started > 0 else seen


def _hand_choice(hands: Sequence[HandSummary]) -> str:
    if len(hands) < 2:
        return ""
    options = [
        f'<option value="{at}">{hand.number}: {escape(safe(hand.title, 24))}, '
        f"{'void' if hand.voided else f'pot {hand.pot}'}</option>"
        for at, hand in enumerate(hands)
    ]
    return f'<label>Hand <select id="hand">{"".join(options)}</select></label>'


def _evening(header: Header, hands: Sequence[HandSummary]) -> str:
    """The stacks as a picture, and who owes whom."""
    accounts = ledger([ListedHand(at, Path(), header.session, hand) for at, hand in enumerate(hands)])
    rows = [
        f"<tr><td><bdi>{escape(safe(account.name))}</bdi></td><td>{account.bought}</td><td>{account.taken}</td>"
        f"<td>{signed(account.net)}</td></tr>"
        for account in accounts
    ]
    payments = [
        f"<li><bdi>{escape(safe(payment.giver))}</bdi> gives <bdi>{escape(safe(payment.taker))}</bdi> "
        f"{payment.chips}.</li>"
        for payment in settlement(accounts)
    ]
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("player", "bought", "taken home", "net"))
    return (
        f'<section id="evening"><div><h2>Stacks</h2>{picture(nets(hands))}</div>'
        '<div class="scroll"><h2>Ledger</h2><table>'
        f"<thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table><ul>{''.join(payments)}</ul></div></section>"
    )
