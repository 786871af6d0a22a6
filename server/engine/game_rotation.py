"""Which game is dealt next: always the same, the next of the list every hand or every orbit, or the dealer's choice."""

from collections.abc import Callable, Mapping

from protocol import events as ev
from protocol.actions import Action, Option, refusal
from protocol.events import AnyEvent, Seat
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from server.engine.errors import IllegalAction
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game


class GameRotation:
    """The games of a table, and whose turn it is.

    Args:
        games: the games that are known, by id.
        view: the whole table; `emit` changes it.
        emit: makes an event happen.

    Attributes:
        games: the games that are known, house games of this table among them.
        number: place of the current game in the table's list.
        hands: hands played since it was picked.
        picked_for: number of the hand for which a dealer has picked last.
    """

    def __init__(self, games: Mapping[str, Game], view: TableView, emit: Callable[[AnyEvent], None]) -> None:
        self.games = games
        self.number = 0
        self.hands = 0
        self.picked_for = 0
        self._view = view
        self._emit = emit

    def games_with(self, rules: TableRules) -> Mapping[str, Game]:
        """The known games and the house games of these rules. Raises IllegalAction if the rules name another one."""
        try:
            house = {offer.id: load_game(offer.definition) for offer in rules.games if offer.definition}
        except BadGame as error:
            raise IllegalAction("game", f"A house game cannot be played: {error}.") from None
        games = {**self.games, **house}
        unknown = [offer.id for offer in rules.games if offer.id not in games]
        if unknown or not rules.games:
            raise IllegalAction("game", f"Unknown game: {', '.join(unknown) or 'none is named'}.")
        return games

    def take_over(self, rules: TableRules, games: Mapping[str, Game]) -> None:
        """Go on with these rules and these known games: with the current game if they have it, else with the first."""
        self.games = games
        if self._view.rules is None:
            return
        current, ids = self.offer.id, [offer.id for offer in rules.games]
        if current in ids:
            self.number = ids.index(current)
        else:
            self.number = self.hands = self.picked_for = 0

    @property
    def _rules(self) -> TableRules:
        assert self._view.rules is not None
        return self._view.rules

    @property
    def offer(self) -> GameOffer:
        """The current game as the table offers it."""
        return self._rules.games[self.number]

    @property
    def wants_choice(self) -> bool:
        """Whether the dealer of the next hand has to pick a game first."""
        return self._rules.change == "dealer" and self.picked_for != self._view.hand + 1

    def ask(self, dealer: Seat) -> None:
        """Ask the dealer for the next game."""
        games = tuple([offer.id for offer in self._rules.games])
        seconds = self._rules.clocks.seconds("game")
        self._emit(ev.ActionRequested(dealer, "game", (Option("game", games=games),), 0, seconds, ""))

    def answered(self, dealer: Seat, action: Action | None) -> None:
        """The dealer's answer; None for one who did not answer, which leaves it at the current game.

        Raises IllegalAction for a game that was not offered.
        """
        pending = self._view.seat(dealer).pending
        assert pending is not None
        options = pending.request.options
        game: str | None = self.offer.id
        if action is not None:
            if reason := refusal(options, action):
                raise IllegalAction("illegal", f"{reason[0].upper()}{reason[1:]}.")
            game = action.game
        assert game is not None
        self.picked_for = self._view.hand + 1
        self._pick(options[0].games.index(game), dealer)

    def next_hand(self, ready: int, *, again: bool = False) -> Game:
        """The game of the hand that is about to be dealt; `ready` players make an orbit.

        `again`: the hand takes the place of a void one, and the game does not change before it.
        """
        if again:
            return self.games[self.offer.id]
        rules = self._rules
        over = (rules.change == "hand" and self.hands) or (rules.change == "orbit" and self.hands >= ready)
        if over and len(rules.games) > 1:
            self._pick((self.number + 1) % len(rules.games), None)
        self.hands += 1
        return self.games[self.offer.id]

    def _pick(self, number: int, dealer: Seat | None) -> None:
        self.number = number
        self.hands = 0
        self._emit(ev.GamePicked(self.offer.id, self.offer.title, dealer))
