"""The commands of a replay: the one list for the full screen, which binds the keys, and the line mode, which knows the
words.

The keys are those of the field: arrows for events and hands, brackets for streets, Space to play. A new command is an
entry here and a case in `client.presenter.replay` or `client.terminal.replay_line_mode`, or in both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.input.command import Command, by_key, words_alone, words_before_argument
from replays.playback import Playback

MoveName: TypeAlias = Literal[
    "forward", "back", "next_street", "previous_street", "next_hand", "previous_hand", "start", "end"
]
ReplayCommandName: TypeAlias = Literal[
    MoveName, "next_decision", "previous_decision", "search", "mark", "note", "export", "play", "faster",
    "slower", "next_view", "view_of", "all_cards", "go_to", "table", "where", "why", "worth", "what_if", "up",
    "down", "suits", "help", "redraw", "suspend", "close", "quit",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplayCommand(Command):
    """A command of a replay.

    Fields:
        text: what it does, in the narrow help of the full screen; empty where it has no key.
        line_text: what it does, in the help of the line mode; empty where it has no word.
    """

    name: ReplayCommandName
    line_text: str = ""


REPLAY_COMMANDS: tuple[ReplayCommand, ...] = (
    ReplayCommand(
        "forward",
        "next event",
        ("right",),
        ("n", "next", ""),
        silent_keys=("l",),
        line_text="next event (an empty line too)",
    ),
    ReplayCommand(
        "back", "one event back", ("left",), ("p", "previous", "back"), silent_keys=("h",), line_text="one event back"
    ),
    ReplayCommand("next_street", "next street", ("]",), ("]", "street"), line_text="to the next street"),
    ReplayCommand(
        "previous_street",
        "back to a street's start",
        ("[",),
        ("[", "street back"),
        line_text="to the start of this street, then the one before",
    ),
    ReplayCommand("next_hand", "next hand", ("down",), ("N", "hand"), line_text="to the next hand"),
    ReplayCommand(
        "previous_hand",
        "back to a hand's start",
        ("up",),
        ("P", "hand back"),
        line_text="to the start of this hand, then the one before",
    ),
    ReplayCommand(
        "next_decision",
        "next decision",
        (".",),
        (".", "decision"),
        line_text="to the next decision of the seat that sees it; of anybody for a spectator",
    ),
    ReplayCommand(
        "previous_decision", "decision before", (",",), (",", "decision back"), line_text="to the decision before"
    ),
    ReplayCommand("search", "search the story", ("/",), ("/", "search"), "TEXT", line_text="to the next TEXT"),
    ReplayCommand("mark", "mark this hand", ("m",), ("m", "mark"), line_text="mark this hand, or take the mark away"),
    ReplayCommand(
        "note",
        "note at this step",
        ("n",),
        ("note",),
        "[TEXT]",
        line_text="write TEXT at this step; or read it",
    ),
    ReplayCommand("export", "write it as PHH", ("e",), ("e", "export"), line_text="write this hand as PHH"),
    ReplayCommand("start", "first event", ("home",), ("<", "start", "home"), line_text="to the first event"),
    ReplayCommand("end", "last event, then follow", ("end",), (">", "end"), line_text="to the last event"),
    ReplayCommand("play", "play, pause", ("space",)),
    ReplayCommand("faster", "faster", ("+",), silent_keys=("=",)),
    ReplayCommand("slower", "slower, to real time", ("-",)),
    ReplayCommand("next_view", "the next seat's view", ("v",), ("v", "view"), line_text="see what the next seat saw"),
    ReplayCommand(
        "view_of",
        "whose view; 0 spectator",
        tuple("0123456789"),
        ("v", "view", "seat"),
        "N",
        line_text="see what seat N saw; v 0 what a spectator saw",
    ),
    ReplayCommand(
        "all_cards", "down cards: show, hide", ("x",), ("x", "all"), line_text="show all cards, or hide them again"
    ),
    ReplayCommand(
        "go_to",
        "go to (hand 41 step 12)",
        ("g",),
        ("g", "go", "goto"),
        "[PLACE]",
        line_text="go there: g 120, g hand 41, g hand 41 step 12",
    ),
    ReplayCommand("table", "", words=("t", "table"), line_text="the table in words"),
    ReplayCommand("where", "", words=("i", "where"), line_text="where we are, and how to say it to a friend"),
    ReplayCommand(
        "why", "why it is so", ("w",), ("w", "why"), line_text="why it is so: who opens, what is missing, the odd chip"
    ),
    ReplayCommand(
        "worth",
        "what the hand is worth",
        ("i",),
        ("worth",),
        line_text="what the hand of the seat that sees it is worth: what can come, price and chance",
    ),
    ReplayCommand(
        "what_if",
        "what if: play on here",
        ("o",),
        ("o", "on", "what if"),
        "[SEAT] [fresh]",
        line_text="play on from here against bots; 2 takes seat 2, fresh shuffles the cards to come; never the record",
    ),
    ReplayCommand("up", "story back", ("pageup",)),
    ReplayCommand("down", "story forward", ("pagedown",)),
    ReplayCommand("suits", "suits: letters, signs", ("s",)),
    ReplayCommand("help", "these keys", ("?", "f1"), ("?", "help", "h"), line_text="these commands"),
    ReplayCommand("redraw", "draw again", ("c-l",)),
    ReplayCommand("suspend", "sleep until `fg`", ("c-z",)),
    ReplayCommand("close", "close this", ("escape",)),
    ReplayCommand("quit", "quit", ("q",), ("q", "quit", "exit"), silent_keys=("c-c", "<sigint>"), line_text="quit"),
)

BY_KEY = by_key(REPLAY_COMMANDS)
KEY_OF: Mapping[str, str] = {command.name: command.keys[0] for command in REPLAY_COMMANDS if command.keys}
_ALONE = words_alone(REPLAY_COMMANDS)
_WITH_ARGUMENT = words_before_argument(REPLAY_COMMANDS)

MOVES: Mapping[MoveName, Callable[[Playback], int]] = {
    "forward": Playback.forward,
    "next_street": Playback.next_street,
    "next_hand": Playback.next_hand,
    "back": Playback.back,
    "previous_street": Playback.previous_street,
    "previous_hand": Playback.previous_hand,
    "start": Playback.start,
    "end": Playback.end,
}
ONWARD: frozenset[MoveName] = frozenset({"forward", "next_street", "next_hand", "end"})
"""The moves that find nothing at the end."""


def parse(text: str) -> tuple[ReplayCommand, str] | None:
    """(command, argument) for one typed line, or None. A capital letter may mean something else than a small one."""
    typed = " ".join(text.split())
    command = _ALONE.get(typed) or _ALONE.get(typed.lower())
    if command is not None:
        return command, ""
    word, _, argument = typed.partition(" ")
    command = _WITH_ARGUMENT.get(word.lower())
    return None if command is None or not argument else (command, argument)
