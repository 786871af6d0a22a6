"""From a PHH hand to what the engine needs before it can deal: the game, the stakes, the seats, the names, the deck.

The deck is built so that the dealing of the engine gives every player the cards of the file. In the place of cards that
the file does not know there are cards that appear nowhere else in the hand. For a player who folded any cards will do,
because the hidden cards of a folded hand change nothing. For a hand that went to the showdown and was not shown,
several decks are made, and the import takes one with which that hand wins nothing (`replays.phh.importer`).
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from protocol.cards import DECK, Card, MaybeCard, card_text
from protocol.events import Seat
from protocol.sanitize import clean
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer
from replays.phh.format import BOARD, LIMIT, STANDARD, Move, PhhHand, maybe_cards, player_number
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game
from server.engine.steps.vocabulary import Deal, Draw

NAME_LIMIT = 40
MOST_SEATS = 30
"""Highest seat number that is kept; otherwise the seats get new numbers."""
TRIES = 400
"""Decks that are tried where unknown cards make a difference."""


class Refused(Exception):
    """The hand cannot be played by our rules. The text is a clause that says why."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """A hand, ready to be dealt.

    Fields:
        hand: the hand of the file.
        game, offer: the game, and the entry for it in the table's list.
        seats, names: those of every player, in dealing order; the last player has the button.
        cards: the cards of each player, including those shown later, None where they are unknown; board: the common
            cards.
        filled: the players with unknown cards.
        live: the players who did not fold.
        unseen: the players with unknown cards who went to the showdown.
        hazy: the players with an unknown face-up card, which may decide who opens.
        rows: the deck in dealing order: (player or `BOARD`, place of the card among theirs).
    """

    hand: PhhHand
    game: Game
    offer: GameOffer
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    cards: tuple[tuple[MaybeCard, ...], ...]
    board: tuple[Card, ...]
    filled: tuple[int, ...]
    live: tuple[int, ...]
    unseen: tuple[int, ...]
    hazy: tuple[int, ...]
    rows: tuple[tuple[int, int], ...]


class Decks:
    """Complete decks for a hand, with cards that appear nowhere else in the place of the unknown ones.

    For the same hand they are always the same in the same order.
    """

    def __init__(self, deal: Dealing) -> None:
        self.deal = deal
        known = {card for row in (*deal.cards, deal.board) for card in row if card is not None}
        self._rest = [card for card in DECK if card not in known]
        self._dice = random.Random(0)
        unknown = [(player, place) for player, place in deal.rows if player != BOARD]
        self._guessed = {row: self._rest.pop(0) for row in unknown if deal.cards[row[0]][row[1]] is None}

    def deck(self) -> tuple[Card, ...]:
        """The deck in the order of dealing."""
        dealt = []
        for player, place in self.deal.rows:
            card = self.deal.board[place] if player == BOARD else self.deal.cards[player][place]
            dealt.append(self._guessed[player, place] if card is None else card)
        return (*dealt, *self._rest)

    def deal_anew(self, players: Collection[int] | None) -> None:
        """Gives these players (None: all) other cards in the place of the unknown ones; the others keep theirs."""
        rows = [row for row in self._guessed if players is None or row[0] in players]
        self._rest += [self._guessed[row] for row in rows]
        self._dice.shuffle(self._rest)
        self._guessed |= {row: self._rest.pop() for row in rows}


def prepare(hand: PhhHand) -> Dealing:
    """All that is known about a hand before it is played. Raises Refused."""
    game, definition = _game(hand)
    if not 2 <= hand.count <= game.most_players:
        raise Refused(f"{game.title} is for 2 to {game.most_players} players, not {hand.count}")
    if broke := [hand.who(player) for player, chips in enumerate(hand.starting_stacks) if not chips]:
        raise Refused(f"{' and '.join(broke)} has no chips")
    stakes = _stakes(hand, game)
    rounds = _rounds(hand.actions)
    cards, board, filled = _known(hand, rounds)
    folded = {move.player for move in hand.actions if move.verb == "f"}
    live = [player for player in range(hand.count) if player not in folded]
    unseen = [player for player in live if player in filled] if len(live) > 1 else []
    up = _up_places(game)
    hazy = [player for player in filled if any(card is None for card in cards[player][up.start : up.stop])]
    return Dealing(
        hand,
        game,
        GameOffer(game.id, game.title, stakes, game.most_players, definition),
        _seats(hand),
        _names(hand),
        cards,
        board,
        filled,
        tuple(live),
        tuple(unseen),
        tuple(hazy),
        _rows(rounds),
    )


# ------------------------------------------------------------ game and stakes


def _game(hand: PhhHand) -> tuple[Game, str]:
    """(game, its definition if it is a house game)."""
    ident = STANDARD.get(hand.variant) or hand.variant.removeprefix("_")
    definition = hand.own.get("_definition", "")
    if isinstance(definition, str) and definition and hand.variant.startswith("_"):
        try:
            game = load_game(definition)
        except BadGame as error:
            raise Refused(f"its game cannot be played: {error}") from None
        if any(isinstance(step, Draw) for step in game.steps):
            raise Refused("games with a draw cannot be read back")
        return game, definition
    if ident not in GAMES or not (hand.variant in STANDARD or hand.variant.startswith("_")):
        raise Refused(f"variant {clean(hand.variant, 20)} is not played here, only {', '.join(STANDARD)}")
    return GAMES[ident], ""


def _stakes(hand: PhhHand, game: Game) -> Stakes:
    if len(set(hand.antes)) > 1:
        raise Refused("the antes are not the same for everybody")
    money = {
        "ante": hand.antes[0],
        "bring_in": hand.bring_in,
        "small": hand.small_bet,
        "big": hand.big_bet,
    }
    own = hand.own.get("_stakes")
    written: dict[str, Any] = {**msgspec.to_builtins(game.stakes), **(own if isinstance(own, Mapping) else {}), **money}
    if own is not None and written.get("cap") == 0:
        written["cap"] = None  # TOML has no null
    try:
        stakes = msgspec.convert(written, Stakes, strict=True)
    except msgspec.ValidationError as error:
        raise Refused(f"its stakes cannot be read: {error}") from None
    if problem := stakes.problem():
        raise Refused(problem)
    if max(stakes.least, stakes.most, stakes.cap or 0) >= LIMIT:
        raise Refused("its stakes are out of all bounds")
    return stakes


# ------------------------------------------------------------ seats and names


def _seats(hand: PhhHand) -> tuple[Seat, ...]:
    """The seats of the file if they run clockwise from p1, else 1, 2, 3 ..."""
    seats = hand.seats
    lowest = seats.index(min(seats)) if seats else 0
    clockwise = seats[lowest:] + seats[:lowest]
    fits = bool(seats) and seats[lowest] > 0 and max(seats) <= MOST_SEATS
    if fits and all(one < other for one, other in pairwise(clockwise)):
        return seats
    return tuple(range(1, hand.count + 1))


def _names(hand: PhhHand) -> tuple[str, ...]:
    """Names that can sit at one table: visible, and no two alike."""
    names: list[str] = []
    for player in range(hand.count):
        wanted = clean(hand.players[player], NAME_LIMIT) if hand.players else ""
        wanted = wanted or f"p{player + 1}"
        name, number = wanted, 2
        while name.casefold() in [other.casefold() for other in names]:
            name, number = f"{wanted} {number}", number + 1
        names.append(name)
    return tuple(names)


# ------------------------------------------------------------------ the cards

_Round = dict[int, tuple[MaybeCard, ...]]
"""Cards that are dealt together, by player or `BOARD`."""


def _rounds(moves: Sequence[Move]) -> list[_Round]:
    """The rounds of dealing. A second deal to the same player begins a new round."""
    rounds: list[_Round] = []
    going_on = False
    for move in moves:
        if move.verb == "dh":
            if not going_on or move.player in rounds[-1]:
                rounds.append({})
            rounds[-1][move.player] = move.cards or ()
        elif move.verb == "db":
            rounds.append({BOARD: move.cards or ()})
        going_on = move.verb == "dh"
    return rounds


def _up_places(game: Game) -> range:
    """Which of a player's cards are dealt face up."""
    held = 0
    up: list[int] = []
    for step in game.steps:
        if isinstance(step, Deal):
            up += range(held + step.down, held + step.down + step.up)
            held += step.down + step.up
    return range(up[0], up[-1] + 1) if up else range(0)


def _rows(rounds: Sequence[_Round]) -> tuple[tuple[int, int], ...]:
    """The deck in the order of `steps.vocabulary.Deal`: one card at a time to each player, down cards first."""
    rows: list[tuple[int, int]] = []
    held: dict[int, int] = {}
    for dealt in rounds:
        counts = {len(cards) for cards in dealt.values()}
        if len(counts) != 1:
            raise Refused("cards dealt together are not the same number for everybody")
        for place in range(counts.pop()):
            rows += [(player, held.get(player, 0) + place) for player in sorted(dealt)]
        for player, cards in dealt.items():
            held[player] = held.get(player, 0) + len(cards)
    return tuple(rows)


def _known(
    hand: PhhHand, rounds: Sequence[_Round]
) -> tuple[tuple[tuple[MaybeCard, ...], ...], tuple[Card, ...], tuple[int, ...]]:
    """(cards of each player, board, players with cards unknown when dealt); cards shown later are filled in."""
    cards: list[list[MaybeCard]] = [[] for _ in range(hand.count)]
    board: list[Card] = []
    if sum(len(row) for dealt in rounds for row in dealt.values()) > len(DECK):
        raise Refused("more cards are dealt than the deck has")
    for dealt in rounds:
        for player, row in dealt.items():
            if player != BOARD:
                cards[player] += row
            elif None in row:
                raise Refused("the card in the middle is unknown")
            else:
                board += [card for card in row if card is not None]
    known = [card for row in cards for card in row if card is not None] + board
    _refuse_doubles(known)
    for player, card in _shown(hand):
        if card is None or card in known:
            continue
        if None not in cards[player]:
            raise Refused(f"{hand.who(player)} shows {card_text(card)}, which was not dealt")
        cards[player][cards[player].index(None)] = card
        known.append(card)
    filled = tuple([player for player, row in enumerate(cards) if None in row])
    return tuple([tuple(row) for row in cards]), tuple(board), filled


def _shown(hand: PhhHand) -> Iterator[tuple[int, MaybeCard]]:
    """(player, card) for every card that becomes known later, in the order of time."""
    for player, words in choices(hand, "_choose"):
        yield from ((player, card) for card in chosen_cards(words))
    for move in hand.actions:
        if move.verb == "sm":
            yield from ((move.player, card) for card in move.cards or ())


def _refuse_doubles(dealt: Sequence[Card]) -> None:
    for card in dealt:
        if dealt.count(card) > 1:
            raise Refused(f"{card_text(card)} is dealt twice")


# -------------------------------------------------- fields beyond the standard


def choices(hand: PhhHand, name: str) -> list[tuple[int, str]]:
    """(player, choice) for every row of a user-defined field like ``_choose``. Raises Refused."""
    rows = hand.own.get(name, [])
    found = []
    for row in rows if isinstance(rows, list | tuple) else [None]:
        words = row.split() if isinstance(row, str) else []
        number = player_number(words[0]) if len(words) in (1, 2) else 0
        if not 1 <= number <= hand.count:
            raise Refused(f"{name} holds {row!r:.40}, which cannot be read")
        found.append((number - 1, words[1] if len(words) == 2 else ""))
    return found


def chosen_cards(words: str) -> tuple[MaybeCard, ...]:
    """``Ah7d`` as cards. Raises Refused."""
    try:
        return maybe_cards(words)
    except ValueError:
        raise Refused(f"{words!r:.40} is no row of cards") from None
