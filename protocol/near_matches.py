"""What somebody may have meant who has typed a word that is not known."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` Did you mean razz?``, with a blank before it, for the known word that is nearest; empty if none is near.

    A known word that begins with what was typed is near too, if it is the only one.
    """
    known = list(known)
    typed = word.casefold()
    begun = [one for one in known if typed and one.casefold().startswith(typed)]
    by_folded = {one.casefold(): one for one in known}
    near = begun if len(begun) == 1 else [by_folded[one] for one in get_close_matches(typed, by_folded, 1, 0.6)]
    return f" Did you mean {near[0]}?" if near else ""
