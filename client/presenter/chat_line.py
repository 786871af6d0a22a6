"""What the words with a slash do at a desk."""

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from client.display.text_cells import clean
from client.display.theme import PALETTES
from client.input.card_picker import MUCK, cards_named
from client.input.slash_commands import NO_NOTES, VERSION, parse
from client.known_games import game_at
from client.presenter.queries import who
from protocol.view import TableView
from server.engine.games.rules_page import rules_page

if TYPE_CHECKING:
    from client.presenter.table import Desk


def obey(desk: "Desk", text: str) -> None:
    """Carry out a line that begins with a slash: a command, or a question of `client.presenter.queries`."""
    parsed = parse(text)
    if isinstance(parsed, str):
        if not desk.ask(text):
            desk.note(parsed)
        return
    slash, rest = parsed
    sure, desk.giving_up = desk.giving_up, slash.order == "leave"
    match slash.order:
        case "quit":
            desk.leave()
        case "leave":
            if sure:
                desk.session.stand_up()
                desk.note("Your seat is given back, in a hand once it is over.")
            else:
                desk.note("/leave once more gives seat and chips back for good; /quit keeps them.")
        case "next":
            desk.do("go_on")
        case "away" | "back":
            desk.sit(out=slash.order == "away")
        case "rebuy":
            if rest.isascii() and rest.isdigit() and len(rest) < 10:
                desk.session.top_up(int(rest))
            else:
                desk.note("/rebuy needs a number of chips.")
        case "colours":
            palette = next((name for name in PALETTES if name == rest), None)
            if palette is None:
                desk.note(f"Colours: {', '.join(PALETTES)}.")
            else:
                desk.theme = replace(desk.theme, palette=palette)
        case "background":
            desk.theme = replace(desk.theme, dark=not desk.theme.dark)
        case "show":
            cards = cards_named(rest, desk.session.view, desk.session.seat)
            if isinstance(cards, str):
                desk.note(cards)
            else:
                desk.showing = None
                desk.session.show(cards)
        case "muck":
            desk.showing = None
            desk.note(MUCK)
        case "msg":
            desk.note(NO_NOTES)
        case "who":
            desk.answered(who(desk.session.view))
        case "ping":
            desk.session.ping()
        case "version":
            desk.note(VERSION)
        case "say":
            desk.session.say(rest)
        case "rules":
            desk.overlay(rules_lines(desk.session.view))
        case "why" | "help" | "bell" | "suits" | "theme":
            desk.do(slash.order)
        case _:
            assert_never(slash.order)


def rules_lines(view: TableView) -> list[tuple[str, str]]:
    """The rules of the running game for its stakes, as a page over the story."""
    game = game_at(view)
    if game is None:
        return [("class:faint", f"This client does not know the rules of {clean(view.title)}.")]
    return [*(("", line) for line in rules_page(game, view.stakes)), ("class:faint", "Esc closes.")]
