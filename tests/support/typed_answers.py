"""What a person types in line mode."""

from protocol.actions import WAGERS, Action, Option


def typed(action: Action, options: tuple[Option, ...]) -> str:
    """What a person types for an action."""
    option = next(option for option in options if option.kind == action.kind)
    match action.kind:
        case "choose" | "arrange" | "pass" | "discard":
            return " ".join([str(option.cards.index(card) + 1) for card in action.cards or ()]) or "0"
        case "declare":
            return (action.direction or "")[0]
        case "game":
            return str(option.games.index(action.game or "") + 1)
        case "fold" | "check" | "call" | "buy" | "decline":
            return action.kind
        case "bring_in":
            return "b"
    assert action.kind in WAGERS
    return f"{action.kind} {action.to}"
