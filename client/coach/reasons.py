"""One reason for a verdict that anybody can count for themselves: dead cards, boards, raises, the price.

It is told from what the seat could see, and of several the one with the largest number is told.
"""

from collections.abc import Iterator

from client.coach.decisions import Decision
from protocol import events as ev
from protocol.actions import WAGERS, Action
from protocol.narration import phrases
from protocol.seat_view import SeatView
from replays.chances.outs import LOW_CARD, improvements, seen_cards
from server.engine.games.game import Game
from server.engine.games.hand_words import cards_to_come, usable_cards
from server.engine.games.known_games import game_at
from server.engine.ranking.card_order import EIGHT, low_rank

LOW_BOARD = 3
"""Small ranks face up that show a low."""
FEW_DEAD = 2
"""Dead cards from which they are a reason."""


def reason(decision: Decision, best: Action) -> str:
    """Why `best` was better, as a clause: ``four of the nine cards for a flush were dead``."""
    if decision.request.decision == "bet":
        found = _against(decision) if best.kind == "fold" else _for(decision)
    elif decision.request.decision == "declare":
        found = _boards(decision, best.direction or "high")
    else:
        found = iter(())
    return max(found, key=lambda one: one[0], default=(0.0, _pot(decision)))[1]


def _against(decision: Decision) -> Iterator[tuple[float, str]]:
    """Reasons to fold, each with its weight."""
    game = game_at(decision.view)
    if game is None:
        return
    for side, makes, live, dead in _outs(decision, game):
        if dead >= FEW_DEAD:
            were = "was" if dead == 1 else "were"
            yield dead / (live + dead) * 4, f"{phrases.in_words(dead)} of {live + dead} cards for {makes} {were} dead"
        elif not live:
            yield 1.0, f"no card made {makes} for {side} any more"
    if (low := _low_boards(decision, game)) > 1:
        yield float(low), f"{phrases.count(low, 'player')} had shown a low"
    if raisers := _wagers(decision):
        yield float(raisers), f"{phrases.count(raisers, 'player')} had bet or raised in this round"
    yield 0.5, _price(decision)


def _for(decision: Decision) -> Iterator[tuple[float, str]]:
    """Reasons to stay in, or to bet, each with its weight."""
    game = game_at(decision.view)
    if game is None:
        return
    for _, makes, live, dead in _outs(decision, game):
        if live > 7:
            yield live / 8, f"{phrases.in_words(live)} of {live + dead} cards for {makes} were live"
    checked = sum(one.last is not None and one.last.action == "check" for one in _others(decision))
    if checked > 1:
        yield float(checked), f"{phrases.count(checked, 'player')} had checked"
    yield 0.5, _price(decision) if decision.view.to_call(decision.seat) else _pot(decision)


def _boards(decision: Decision, way: str) -> Iterator[tuple[float, str]]:
    """What the others show, for the way that was better."""
    game = game_at(decision.view)
    others = len(_others(decision))
    if game is None or not others:
        return
    low = _low_boards(decision, game)
    count, shown = (low, "had shown a low") if way == "high" else (others - low, "had shown no low")
    if count and others == 1:
        yield 1.0, f"the only opponent {shown}"
    elif count:
        yield 1.0, f"{phrases.in_words(count)} of {phrases.in_words(others)} opponents {shown}"


def _outs(decision: Decision, game: Game) -> Iterator[tuple[str, str, int, int]]:
    """(side, what it makes, live cards, dead cards) of what the next card could make of the hand."""
    view, seat = decision.view, decision.seat
    held = usable_cards(view, seat)
    if any(card >> 2 in view.wilds for card in held) or not cards_to_come(view, seat):
        return
    for one in improvements(held, seen_cards(view, seat), game.showdown.high, game.showdown.low):
        if one.makes not in ("a pair", "two pair"):
            makes = "a low" if one.makes == LOW_CARD else one.makes
            yield one.side, makes, len(one.live), len(one.dead)


def _low_boards(decision: Decision, game: Game) -> int:
    """Opponents with three small ranks face up, where low wins something."""
    if game.showdown.low is None:
        return 0
    return sum(_small(one) >= LOW_BOARD for one in _others(decision))


def _small(seat: SeatView) -> int:
    return len({low_rank(card) for card in (*seat.up, *seat.before) if low_rank(card) <= EIGHT})


def _others(decision: Decision) -> list[SeatView]:
    return [one for one in decision.view.in_hand() if one.seat != decision.seat]


def _wagers(decision: Decision) -> int:
    """Opponents in the hand who have bet or raised in this round."""
    since = 0
    for at, event in enumerate(decision.events):
        if isinstance(event, ev.RoundOpened):
            since = at
    wagers = [one for one in decision.events[since:] if isinstance(one, ev.Acted) and one.action in WAGERS]
    return len({one.seat for one in wagers if one.seat != decision.seat})


def _price(decision: Decision) -> str:
    """``it cost 4 to win 22, against two players``"""
    view = decision.view
    against = phrases.count(len(_others(decision)), "player")
    return f"it cost {view.to_call(decision.seat)} to win {view.pot()}, against {against}"


def _pot(decision: Decision) -> str:
    return f"{decision.view.pot()} were in the pot, against {phrases.count(len(_others(decision)), 'player')}"
