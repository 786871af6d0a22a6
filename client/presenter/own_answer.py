"""The player's own answer while it is made: the keys of the open request, the draft, the choice ahead of the turn."""

from collections.abc import Callable

from client.connection.session_port import TableSession
from client.display.text_cells import clean
from client.input import preaction
from client.input.card_picker import CardPicker, to_show, why_nothing
from client.input.decision_keys import Draft, Key, offer, pressed
from client.input.preaction import PreAction, PreActionKind
from client.presenter.appearance import Appearance
from client.presenter.worth import gives_advice
from protocol import events as ev
from protocol.actions import Action, refusal
from protocol.events import AnyEvent
from protocol.narration import phrases as words
from server.engine.games.hand_words import best_fives
from server.engine.games.known_games import title_of

TOO_SOON = "Not so fast: the question has just changed."
PRICE_CHANGED = "The price has changed, so your choice ahead was dropped."


class OwnAnswer:
    """What a player is about to do.

    Args:
        settle: seconds for which the keys of a new request do nothing; now: seconds on any steady scale.
        note: tells the player a sentence.

    Attributes:
        draft: the answer in the making.
        preaction: what is to be done when the turn comes, if the price is still the same.
        picker: the choice of cards to be shown after the hand; None while none are chosen.
    """

    def __init__(
        self,
        session: TableSession,
        appearance: Appearance,
        settle: float,
        now: Callable[[], float],
        note: Callable[[str], None],
    ) -> None:
        self.draft = Draft()
        self.preaction: PreAction | None = None
        self.picker: CardPicker | None = None
        self._session, self._appearance = session, appearance
        self._settle, self._now, self._note = settle, now, note
        self._asked = 0  # number of the newest request that was shown
        self._ready = 0.0  # when its keys come alive

    # ----------------------------------------------------------- from the session

    def event(self, event: AnyEvent) -> None:
        """Something has happened: what was chosen for another moment is dropped."""
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped | ev.HandStarted | ev.HandEnded | ev.HandVoided):
            self.preaction = None
        if isinstance(event, ev.HandStarted):
            self.picker = None

    def newly_asked(self) -> bool:
        """Whether there is a request that was not there before; the draft belongs to the one before, and goes."""
        pending = self._session.pending
        if pending is None:
            self.draft = Draft()
            return False
        if pending.seq == self._asked:
            return False
        self._asked, self._ready, self.draft = pending.seq, self._now() + self._settle, Draft()
        return True

    def answered_ahead(self) -> bool:
        """Carry out the pre-action if the price is still the same; whether that was done."""
        chosen, self.preaction = self.preaction, None
        pending = self._session.pending
        if chosen is None or pending is None:
            return False
        action = chosen.answer(pending.request, self._session.view)
        if action is None:
            self._note(PRICE_CHANGED)
            return False
        return not self._session.act(action)

    # ----------------------------------------------------------------------- keys

    def keys(self) -> tuple[Key, ...]:
        """The keys of the open request; none while there is none."""
        pending, view = self._session.pending, self._session.view
        if pending is None or self._session.status != "online":
            return ()
        request = pending.request
        cards = [card for card in request.options[0].cards if card is not None] if request.decision == "arrange" else []
        best = best_fives(view, cards) if gives_advice(view) else {}
        return offer(request, self.draft, self._appearance.card_name, lambda game: clean(title_of(view, game)), best)

    def key(self, name: str) -> Key | None:
        """The key of the open request that has this usual name; None if there is none."""
        return pressed(self.keys(), name)

    def press(self, key: Key) -> None:
        """A key of the open request: the draft goes on, or the answer is sent."""
        if self._now() < self._ready:
            self._note(TOO_SOON)
        elif isinstance(key.answer, Draft):
            self.draft = key.answer
        elif refused := self._session.act(key.answer):
            self._note(words.sentence(refused))

    def why_not_entered(self) -> str:
        """Why Enter does not send the amount that is typed, as a sentence; empty where none is."""
        pending, draft = self._session.pending, self.draft
        if pending is None or draft.wager is None or not draft.typed:
            return ""
        return words.sentence(refusal(pending.request.options, Action(draft.wager.kind, to=int(draft.typed))))

    def choose_ahead(self, kind: PreActionKind) -> None:
        """Choose for the coming turn, or take the choice back."""
        self.preaction = preaction.toggled(self.preaction, kind, self._session.view, self._session.seat)

    def pick_cards(self) -> None:
        """Begin to choose hidden cards of the last hand that everybody is to see."""
        view, seat = self._session.view, self._session.seat
        cards = to_show(view, seat)
        self.picker = CardPicker(cards) if cards else None
        if not cards:
            self._note(why_nothing(view, seat))

    def picks_card(self, name: str) -> bool:
        """Whether the key of that name belonged to the choice of cards to be shown."""
        picker = self.picker
        if picker is None:
            return False
        if name == "enter":
            self._session.show(picker.chosen)
        elif name != "escape":
            self.picker = picker.toggled(name)
            return self.picker is not picker
        self.picker = None
        return True
