"""What a hand is worth, in words for a beginner: what it makes, what it can become, what it costs, what it wins.

Everything comes from what the seat itself can see; the hidden cards of the others change no word of it. A table can
switch it off (`protocol.table_rules.TableRules.coach`).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from client.bots.equity import equity_of
from client.bots.game_terms import terms_of
from protocol.cards import DECK, Card
from protocol.narration.phrases import count
from protocol.narration.spans import Sentence, cards, compose
from protocol.view import TableView
from replays.chances.outs import LOW_CARD, Improvement, chance, improvements, seen_cards
from server.engine.games.hand_words import cards_to_come, declared, usable_cards
from server.engine.games.known_games import game_at
from server.engine.ranking.card_order import EIGHT, low_rank

RANKS = "A23456789TJQK"
NAMED = 4
"""Cards that are named one by one; more are named by their ranks."""
NO_ADVICE: Sentence = ("No advice at this table (house rule): what your hand is worth is for you to find out.",)


def gives_advice(view: TableView) -> bool:
    """Whether the table allows that the program judges a hand."""
    return view.rules is None or view.rules.coach


def worth(view: TableView, seat: int) -> list[Sentence]:
    """What the hand of a seat that is in the hand can become, and price against chance; nothing for an unknown game."""
    if not gives_advice(view):
        return [NO_ADVICE]
    if game_at(view) is None or not view.playing:
        return []
    return [*_becoming(view, seat), *price_and_chance(view, seat)]


def price_and_chance(view: TableView, seat: int) -> list[Sentence]:
    """``10 to call into a pot of 130: needs 8 %. ...``; without a price only the chance."""
    if not gives_advice(view) or game_at(view) is None:
        return []
    terms = terms_of(view)
    undeclared = terms.declares and not declared(view.seat(seat))
    if undeclared:
        # Which way the others will go is not known, so all hands are compared in both directions.
        terms = replace(terms, declares=False)
    equity = equity_of(view, seat, terms)
    # Only one half can be won by declaring, and each direction pays a half.
    share = _percent(max(equity.high, equity.low) if undeclared else equity.share)
    fair = _percent(equity.fair)
    lines: list[Sentence] = []
    cost = view.to_call(seat)
    if cost:
        needs = ceil(100 * cost / (view.pot() + cost))
        verdict = "on average calling pays" if share >= needs else "on average folding saves chips"
        lines.append((f"{cost} to call into a pot of {view.pot()}: needs {needs} %, {verdict}.",))
    lines.append(
        (
            f"Against hands of any kind yours wins about {share} % of the pot (an equal share is {fair} %); whoever "
            "bets often has a better one.",
        )
    )
    if undeclared:
        high, low = min(100, _percent(2 * equity.high)), min(100, _percent(2 * equity.low))
        lines.append((f"It is the best high hand about {high} % of the time, the best low one {low} %.",))
    return lines


def _percent(part: float) -> int:
    return round(100 * part)


def _becoming(view: TableView, seat: int) -> list[Sentence]:
    """The cards to come, and what the next one can make."""
    to_come = cards_to_come(view, seat)
    if not to_come:
        return []
    seen = seen_cards(view, seat)
    unseen = len(DECK) - len(seen)
    lines: list[Sentence] = [(f"{count(to_come, 'card').capitalize()} to come, {unseen} cards unseen.",)]
    if any(card >> 2 in view.wilds for card in usable_cards(view, seat)):
        return lines
    terms, direction = terms_of(view), declared(view.seat(seat))
    held = usable_cards(view, seat)
    for one in improvements(held, seen, terms.high, terms.low):
        if not direction or one.side == direction:
            missing = 5 - len({low_rank(card) for card in held if low_rank(card) <= EIGHT})
            ranks = one.makes == LOW_CARD and missing > 0
            lines.append(_small_ranks(one, missing, to_come) if ranks else _told(one, unseen, to_come))
    return lines


def _small_ranks(one: Improvement, missing: int, to_come: int) -> Sentence:
    """What a low of eight or better still needs, while so many ranks are missing."""
    if missing > to_come:
        return ("For low: an eight or better cannot come any more.",)
    return (f"For low: an eight or better needs {count(missing, 'more rank')} of {_ranks(one.live)}.",)


def _told(one: Improvement, unseen: int, to_come: int) -> Sentence:
    """``For high: a flush with 9 cards (2♥ 5♥ ...), 35 %. Dead: K♥.``"""
    percent = round(100 * chance(len(one.live), unseen, to_come))
    dead = compose(" Dead: ", cards(one.dead[:NAMED]), " ..." if len(one.dead) > NAMED else "", ".") if one.dead else ""
    if not one.live:
        return compose(f"For {one.side}: {one.makes} cannot come any more.", dead)
    number = count(len(one.live), "card")
    return compose(f"For {one.side}: {one.makes} with {number} (", _named(one.live), f"), {percent} %.", dead)


def _named(row: Sequence[Card]) -> Sentence:
    """A few cards one by one, many by their ranks."""
    if len(row) <= NAMED:
        return cards(row)
    return (f"{_ranks(row)} of one suit" if len({card & 3 for card in row}) == 1 else _ranks(row),)


def _ranks(row: Sequence[Card]) -> str:
    return " ".join([RANKS[rank] for rank in sorted({low_rank(card) for card in row})])
