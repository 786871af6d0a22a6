"""The story of a hand up to a decision, as the seat that decides has seen it, and the screen that shows it."""

from client.coach.decisions import Decision
from client.display.screen_state import ScreenState
from client.presenter.story_log import StoryLog


def decision_screen(decision: Decision) -> ScreenState:
    """The state of a screen with the story up to the decision."""
    state = ScreenState(seat=decision.seat)
    story = StoryLog(state)
    view = decision.before.copy()
    for event in decision.events:
        view.apply(event)
        story.add(event, view, decision.seat)
    return state
