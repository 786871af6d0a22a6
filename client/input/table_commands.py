"""The commands of the table: everything that a player can do there besides answering a request.

This is the only list. The full screen binds the keys and lists them in its help, the chat line and the line mode
understand the words, and settings move the keys. A new command is an entry here and a case in the module that carries
out commands of its kind; the type checker names the place:

==================  ================================================================================================
`SeatCommand`       an action of the session, the same everywhere (`client.presenter.seat_commands`)
`Question`          a question that the view answers, the same everywhere (`client.presenter.queries`)
`HostCommand`       a word of the host, which the server carries out (`client.presenter.seat_commands`)
`Notice`            a fixed sentence, which needs no case
`ScreenCommand`     an action of the full screen alone (`client.presenter.table`)
`AppearanceCommand` a change of how the full screen looks (`client.presenter.appearance`)
==================  ================================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.input.command import Command, by_key
from protocol.versions import PROGRAM, PROTOCOL

SeatCommandName: TypeAlias = Literal[
    "go_on", "away", "sit_out", "sit_in", "rebuy", "move", "show_cards", "say", "ping", "leave", "claim"
]  # fmt: skip
QuestionName: TypeAlias = Literal[
    "ask_pot", "ask_stacks", "ask_up", "ask_hand", "ask_card", "ask_seat", "ask_before", "ask_to_call", "ask_last",
    "ask_street", "ask_time", "ask_who", "ask_host", "why", "what", "worth", "rules", "house",
]  # fmt: skip
ScreenCommandName: TypeAlias = Literal[
    "show", "ahead_call", "ahead_fold", "chat", "command", "up", "down", "top", "bottom", "before", "help", "redraw",
    "suspend", "faster", "slower", "coach", "ask_to_quit", "quit", "close",
]  # fmt: skip
AppearanceCommandName: TypeAlias = Literal["cover", "peek", "bell", "suits", "background", "colours", "theme"]


@dataclass(frozen=True, slots=True)
class TableCommand(Command):
    """The base of the table's commands. Their words are typed behind a slash.

    Fields:
        needs_seat: whether it is for players only.
        own_cards: whether its answer tells the player's own hidden cards.
    """

    needs_seat: bool = False
    own_cards: bool = False


@dataclass(frozen=True, slots=True)
class SeatCommand(TableCommand):
    """A command that the session carries out."""

    name: SeatCommandName
    needs_seat: bool = True


@dataclass(frozen=True, slots=True)
class HostCommand(TableCommand):
    """A word for hosts of the table; the server has the same list, and answers."""

    needs_seat: bool = True


@dataclass(frozen=True, slots=True)
class Question(TableCommand):
    """A question about the table; asking changes nothing."""

    name: QuestionName


@dataclass(frozen=True, slots=True)
class Notice(TableCommand):
    """A word that is always answered with the same sentence."""

    says: str = ""


@dataclass(frozen=True, slots=True)
class ScreenCommand(TableCommand):
    """A command of the full screen; of these the line mode knows ``help``, ``coach`` and ``quit``."""

    name: ScreenCommandName


@dataclass(frozen=True, slots=True)
class AppearanceCommand(TableCommand):
    """A command that changes how the full screen looks."""

    name: AppearanceCommandName


AnyCommand: TypeAlias = SeatCommand | HostCommand | Question | Notice | ScreenCommand | AppearanceCommand

HELP = ScreenCommand("help", "these keys and words", keys=("?", "f1"), words=("help", "?", "keys"))
COACH = ScreenCommand(
    "coach",
    "`ryo play`: the coach on or off; after a hand it says what gave chips up",
    keys=("A",),
    words=("coach",),
    needs_seat=True,
)
QUIT = ScreenCommand("quit", "leave the table; the seat is kept", words=("quit", "q", "exit"))

WORTH = Question(
    "worth", "what your hand can become and what it is worth", words=("worth",), needs_seat=True, own_cards=True
)

CLAIM = SeatCommand("claim", "become a host of this table by the host key", words=("claim",), argument="KEY")

COMMANDS: tuple[AnyCommand, ...] = (
    SeatCommand(
        "go_on",
        "go on, once the result has been read; buy chips when you have none; after folding, among your own bots: "
        "run to the result",
        keys=("space", "n"),
        words=("next", "go"),
    ),
    ScreenCommand(
        "show", "after a hand: show hidden cards, some or all; nothing is shown otherwise", keys=("e",), needs_seat=True
    ),
    SeatCommand(
        "show_cards", "after a hand: show all your hidden cards, or those named", words=("show",), argument="[CARDS]"
    ),
    Notice(
        "muck",
        "",
        words=("muck",),
        says="Your hidden cards stay hidden; nobody sees what you do not show.",
        needs_seat=True,
    ),
    ScreenCommand(
        "ahead_call", "before your turn: check or call at this price when asked", keys=("C",), needs_seat=True
    ),
    ScreenCommand("ahead_fold", "before your turn: fold at this price when asked", keys=("F",), needs_seat=True),
    ScreenCommand("chat", "chat; Esc comes back, Enter sends", keys=("t", "tab"), needs_seat=True),
    SeatCommand("say", "chat that begins with a slash", words=("say", "s"), argument="TEXT"),
    Notice(
        "msg",
        "",
        words=("msg",),
        argument="[NAME TEXT]",
        says="There are no secret notes at a card table. What you say is for all: /say TEXT.",
    ),
    ScreenCommand("command", "a command by its word, such as /who or /quit", keys=("/",)),
    ScreenCommand("up", "scroll the story back", keys=("pageup",)),
    ScreenCommand("down", "scroll the story forward", keys=("pagedown",)),
    ScreenCommand("top", "to the beginning of the story", keys=("<",), silent_keys=("c-home",)),
    ScreenCommand("bottom", "to the end of the story", keys=(">",), silent_keys=("c-end",)),
    Question("ask_pot", "the pot, in words", keys=("p",), words=("pot", "p", "pots")),
    Question("ask_stacks", "everybody's chips", keys=("s",), words=("stacks", "s", "chips")),
    Question("ask_up", "everybody's cards", keys=("u",), words=("up", "u", "upcards", "boards")),
    Question(
        "ask_hand",
        "your own hand: what it makes, what it can become, what it is worth",
        keys=("i",),
        words=("hand", "my hand", "i", "cards", "my cards"),
        needs_seat=True,
        own_cards=True,
    ),
    WORTH,
    Question(
        "ask_card",
        "one of your own cards, hidden ones first",
        words=("card",),
        argument="N",
        needs_seat=True,
        own_cards=True,
    ),
    Question("ask_seat", "name, chips and up cards of a seat", words=("seat",), argument="N"),
    Question("ask_to_call", "what staying in costs", words=("to call", "tocall")),
    Question("ask_last", "what everybody did last on this street", words=("last", "last action")),
    Question("ask_street", "pot, boards and who is to act, in a line", words=("street", "turn"), own_cards=True),
    Question("ask_time", "the seconds you have left", words=("time", "clock")),
    Question(
        "why", "what the words on the screen mean; why: who opens, what is missing", keys=("w",), words=("why", "w")
    ),
    Question("what", "what a word means", words=("what", "word"), argument="[WORD]"),
    Question("rules", "the rules of this game", keys=("g",), words=("rules",)),
    Question("house", "the table and its house rules, as you read them before you sat down", words=("house",)),
    Question("ask_who", "who is at the table", words=("who",)),
    ScreenCommand("before", "look again at the boards before bring 'em back", keys=("o",)),
    Question("ask_before", "up cards before bring 'em back", words=("before", "o")),
    AppearanceCommand("cover", "turn your own cards face down, and up again", keys=("x",), needs_seat=True),
    AppearanceCommand("peek", "look at your own face-down cards while you hold it", keys=("X",), needs_seat=True),
    SeatCommand("away", "sit out from the next hand on, and back", keys=("z",)),
    SeatCommand("sit_out", "sit out from the next hand on", words=("away",)),
    SeatCommand("sit_in", "be dealt in again", words=("back",)),
    SeatCommand("rebuy", "buy chips; they arrive between hands", words=("rebuy", "chips"), argument="CHIPS"),
    SeatCommand(
        "move",
        "move to a free seat between hands; your own seat's number takes that back",
        words=("move",),
        argument="N",
    ),
    SeatCommand("ping", "how long the way to the server takes", words=("ping",), needs_seat=False),
    Notice(
        "version", "which version this is", words=("version",), says=f"Roll Your Own {PROGRAM}, protocol {PROTOCOL[1]}."
    ),
    AppearanceCommand("bell", "bell on your turn: on or off", keys=("m",), words=("bell",), needs_seat=True),
    AppearanceCommand("suits", "suits as letters or as signs", keys=("S",), words=("suits",)),
    AppearanceCommand("colours", "colours of the suits", words=("colours",), argument="four|two|blind|none"),
    AppearanceCommand("background", "colours for a light or a dark background", words=("background",)),
    AppearanceCommand("theme", "read colours and theme from your files again", keys=("c-r",), words=("theme",)),
    HELP,
    ScreenCommand("faster", "`ryo play`: the bots decide faster", keys=("+",)),
    ScreenCommand("slower", "`ryo play`: the bots take longer", keys=("-",)),
    COACH,
    ScreenCommand("redraw", "draw the screen again", keys=("c-l",)),
    ScreenCommand("suspend", "put the program to sleep; `fg` in the shell brings it back", keys=("c-z",)),
    ScreenCommand("ask_to_quit", "leave; asks first", keys=("q", "c-c"), silent_keys=("<sigint>",)),
    QUIT,
    SeatCommand("leave", "give the seat back for good; asks once more", words=("leave", "stand")),
    ScreenCommand("close", "close what lies over the story; take back what you chose ahead", keys=("escape",)),
    Question("ask_host", "who is a host of this table", words=("host", "hosts")),
    CLAIM,
    HostCommand("pause", "stop the clocks; nobody can act until /resume", words=("pause",), argument="[REASON]"),
    HostCommand("last_hand", "deal no more hands after this one", words=("last-hand", "stop"), argument="[REASON]"),
    HostCommand("resume", "let the table go on", words=("resume",)),
    HostCommand("break", "a break after the running hand", words=("break",), argument="MINUTES [REASON]"),
    HostCommand("void", "the running hand does not count: chips back", words=("void",), argument="[REASON]"),
    HostCommand("stack", "correct a player's chips between hands", words=("stack",), argument="NAME ±CHIPS REASON"),
    HostCommand("open", "spectators see every card when a hand is over", words=("open",), argument="spectators"),
    HostCommand("shut", "spectators see what is open at the table", words=("close",), argument="spectators"),
    HostCommand("name_host", "hand the role of the host over", words=("host",), argument="NAME"),
    HostCommand("unname_host", "take the role of a host from a player", words=("unhost",), argument="NAME"),
    HostCommand(
        "kick", "send somebody away from the table; they may come back", words=("kick",), argument="NAME [REASON]"
    ),
    HostCommand("ban", "send somebody away for a time or for good", words=("ban",), argument="NAME [for 2 h] [REASON]"),
    HostCommand("unban", "let somebody come back who is banned", words=("unban",), argument="NAME"),
    HostCommand("bans", "who is banned or muted, until when and why", words=("bans",)),
    HostCommand("mute", "let nobody hear somebody", words=("mute",), argument="NAME [for 2 h] [REASON]"),
    HostCommand("unmute", "let somebody talk again", words=("unmute",), argument="NAME"),
    HostCommand("free", "free the seat of a player who is not there", words=("free",), argument="NAME"),
    HostCommand("give_back", "give a seat back whose key is lost", words=("give-back",), argument="NAME"),
    HostCommand("pass_over", "decide for a player whom no clock passes over", words=("pass",), argument="NAME"),
)


BY_KEY: Mapping[str, AnyCommand] = by_key(COMMANDS)

KEY_OF: Mapping[str, str] = {command.name: command.keys[0] for command in COMMANDS if command.keys}
"""The usual key of each command, by the command's name."""
