"""Tab in the chat line: the rest of a command's word, or of a name behind it."""

from collections.abc import Sequence

from client.input.table_commands import COMMANDS, HostCommand


def completed(
    typed: str, names: Sequence[str], *, spectator: bool = False, host: bool = False
) -> tuple[str, list[str]]:
    """The line with as much more as is certain, and what it may become if that is not one thing.

    Args:
        typed: a line that begins with a slash.
        names: the names of everybody who is there.
        spectator, host: who types; words that are not for them are not offered.
    """
    word, space, argument = typed.partition(" ")
    if not space:
        words = _words(spectator=spectator, host=host)
        found = [f"/{one}" for one in words if f"/{one}".startswith(word.lower())]
        return _longer(word.lower(), found, {f"/{one}" for one, takes in words.items() if takes})
    begun = argument.rpartition(" ")[2].removeprefix('"')
    if not begun:
        return typed, []
    found = [name for name in names if name.casefold().startswith(begun.casefold())]
    quoted = [f'"{name}"' if " " in name else name for name in found]
    start = typed[: len(typed) - len(argument.rpartition(" ")[2])]
    if len(found) == 1:
        return f"{start}{quoted[0]} ", []
    return typed, quoted


def _words(*, spectator: bool, host: bool) -> dict[str, bool]:
    """The usual word of each command of the help, and whether it may have an argument."""
    words: dict[str, bool] = {}
    for command in COMMANDS:
        hidden = isinstance(command, HostCommand) and not host
        if command.words and command.text and not hidden and not (spectator and command.needs_seat):
            word = command.words[0].partition(" ")[0]
            words[word] = words.get(word, False) or bool(command.argument)
    return words


def _longer(typed: str, found: list[str], with_argument: set[str]) -> tuple[str, list[str]]:
    if len(found) == 1:
        return f"{found[0]}{' ' * (found[0] in with_argument)}", []
    longer = typed
    while found and len(nexts := {one[len(longer) : len(longer) + 1] for one in found}) == 1 and nexts != {""}:
        longer += nexts.pop()
    return longer, found
