"""Who plays along at `ryo play`: from what was typed to the minds of the bots and their names."""

from collections.abc import Iterator, Sequence
from itertools import count

from client.bots.characters import character_named
from client.bots.minds import known_mind
from client.errors import ClientError
from protocol.narration.phrases import counted
from server.admission.player_names import name_key

BOT_NAMES = ("Ada", "Ben", "Cleo", "Dirk", "Edith", "Felix", "Greta", "Hugo")
USUAL_BOTS = 3
"""Bots where nobody says how many."""
USUAL_MIND = "usual"
"""Who plays the seats for which nobody is named, against a person."""


class BadCompany(ClientError):
    """The list of those who play along makes no sense; the text is a sentence."""


def company(typed: str, unnamed: str = USUAL_MIND) -> tuple[str, ...]:
    """The names of the minds, one for each bot. Raises BadCompany and UnknownMind.

    ``5`` are five usual bots, ``strong`` three strong ones, ``Ida,Nils`` these two, ``5,Ida,strong`` Ida and four
    strong ones: a number says how many, and the last of the list that is no character plays the seats that are left.
    `unnamed`: who plays them where there is none.
    """
    words = [word.strip() for word in typed.split(",")]
    if not all(words):
        raise BadCompany("A name is missing.")
    named = not words[0].isdecimal()
    seats = 0 if named else int(words.pop(0))
    minds = [known_mind(word) for word in words]
    many = [mind for mind in minds if character_named(mind) is None]
    if named:
        seats = USUAL_BOTS if len(minds) == len(many) == 1 else len(minds)
    if not seats:
        raise BadCompany("At least one bot plays along.")
    if len(minds) > seats:
        raise BadCompany(f"There are to be {counted(seats, 'bot')}, and {len(minds)} are named.")
    rest = many[-1] if many else unnamed
    return (*minds, *[rest] * (seats - len(minds)))


def names_of(minds: Sequence[str], own: str) -> list[str]:
    """A name for each bot, none of them like the player's `own`: characters keep theirs, the others get `BOT_NAMES`."""
    used = {name_key(own)}
    usual = iter(BOT_NAMES)
    found = []
    for mind in minds:
        character = character_named(mind)
        free = _numbered(character.name) if character is not None else usual
        name = next(name for name in free if name_key(name) not in used)
        used.add(name_key(name))
        found.append(name)
    return found


def _numbered(name: str) -> Iterator[str]:
    """``Ida``, ``Ida 2``, ``Ida 3`` ..."""
    yield name
    for number in count(2):
        yield f"{name} {number}"
