"""The words of the table, each explained in a sentence.

The screen explains the words that stand on it, and `docs/rules.md` 21 has the same list; a test compares them.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the table.

    Fields:
        word: as it is looked up.
        means: what it means, in a sentence or two.
        forms: other forms of it that stand on the screen.
    """

    word: str
    means: str
    forms: tuple[str, ...] = ()


GLOSSARY = (
    # betting
    Word("ante", "A small payment by everybody before the cards, so that there is something to win.", ("antes",)),
    Word("bet", "To put chips in when nobody has yet in this round; everybody else must then pay as much or fold.",
         ("bets",)),
    Word("check", "To pay nothing and stay in; possible while nobody has bet in this round.", ("checks",)),
    Word("call", "To pay what the others have put in, and stay in.", ("calls", "to call")),
    Word("raise", "To put in more than the last bet, so that everybody else must pay more or fold.", ("raises",)),
    Word("fold", "To give up the hand and everything that one has paid into it.", ("folds", "folded")),
    Word("bring-in", "A small forced bet: the player with the lowest (in razz the highest) card must open with it.",
         ("bring in", "brings in", "brings it in")),
    Word("complete", "To make a bring-in a full bet. It is the first bet of the round, not a raise.", ("completes",)),
    Word("cap", "The greatest number of raises in a round; after it one may only call or fold.", ("capped",)),
    Word("all-in", "With all chips in the pot: one stays in to the end without paying more, but wins only the pot that "
         "one has paid into.", ("all in",)),
    Word("pot", "All the chips that have been put in; the winners share it.", ("pots",)),
    Word("side pot", "A pot of its own for what was bet after somebody was all-in; that player cannot win it.",
         ("side pots", "main pot")),
    Word("limit", "How much may be bet: one size in fixed limit, from the least to the most in spread limit.",
         ("limits", "fixed limit", "spread limit")),
    Word("stack", "The chips that a player has in front of them.", ("stacks",)),
    Word("buy-in", "The chips with which a player sits down.", ("buy in", "rebuy")),
    Word("opens", "Whoever opens is the first to act in a round; they may check, unless the bet is forced.",
         ("open", "opener")),
    Word("house rule", "A rule that this game or this table has, and others have not.", ("house rules",)),
    # cards
    Word("board", "The cards that a player shows. On it only pairs and the like count, no straights and no flushes.",
         ("boards",)),
    Word("up card", "A card that lies face up, for everybody to see.", ("up cards", "up", "face up")),
    Word("in the hole", "Face down: a card that only its owner sees.", ("down", "hole", "hidden", "face down")),
    Word("in the middle", "A card that belongs to everybody; it is dealt when the deck runs short.", ()),
    Word("street", "A round of the hand: new cards, then betting. Third street is when everybody has three cards.",
         ("streets", "3rd", "4th", "5th", "6th", "7th")),
    Word("button", "The mark D of the dealer. It moves to the next player with each hand; the first from the dealer's "
         "left gets the first card.", ("dealer", "deals")),
    Word("rank", "The number or the picture of a card: seven, queen, ace.", ("ranks",)),
    Word("suit", "Clubs, diamonds, hearts or spades; between hands they do not matter.", ("suits",)),
    Word("unseen", "All cards that do not lie open for you: each of them may come next.", ()),
    Word("dead", "A card that would have helped, but lies face up elsewhere: it cannot come any more.", ("dead card",)),
    Word("wild", "A wild card stands for any card that makes the hand better.", ("wild card", "wild cards")),
    # roll your own
    Word("turn up", "To put one of one's hidden cards face up; in these games the players choose which.",
         ("turns up", "turn one card up")),
    Word("bring 'em back", "Everybody takes all their cards back, keeps five and sets the order in which they will be "
         "turned again.", ("bring back",)),
    Word("arrange", "To keep five cards and set the order in which they will be turned.", ("arranging", "keep")),
    Word("roll", "To turn the next card of the order that one has set; everybody does it at the same time.",
         ("rolls", "rolled", "first roll", "second roll", "third roll", "fourth roll")),
    Word("declare", "To say whether one plays for high or for low. All say it at once, and it holds.",
         ("declares", "declared", "declaration")),
    Word("odd man", "The player who is alone in one direction after the declaration: sure of that half, they open the "
         "last betting and may not raise.", ()),
    Word("pass", "To give cards to a neighbour and get others from the other one.", ("passing", "passes")),
    # hands
    Word("high", "The ordinary order of hands: pairs, three of a kind, straights, flushes and so on; aces are high.",
         ()),
    Word("low", "The lowest cards win: five different small ranks. Aces are low, the highest card decides first, and "
         "fewer is better: 7-5 beats 8-4.", ("lows",)),
    Word("eight or better", "A low counts only with five different ranks of eight or under.",
         ("eight-or-better", "eight or under")),
    Word("wheel", "5-4-3-2-A, the lowest straight; the best low where straights do no harm.", ("wheels",)),
    Word("so far", "What the cards make now, while others are still to come.", ()),
    Word("kicker", "The highest card beside a pair: it decides between equal pairs.", ("kickers",)),
    Word("pair", "Two cards of one rank.", ("pairs", "pair of")),
    Word("two pair", "Two pairs in one hand.", ()),
    Word("three of a kind", "Three cards of one rank: three nines.", ("trips",)),
    Word("straight", "Five cards in a row, of any suits.", ("straights",)),
    Word("flush", "Five cards of one suit.", ("flushes",)),
    Word("full house", "Three of a kind and a pair.", ("full houses",)),
    Word("four of a kind", "Four cards of one rank.", ()),
    Word("straight flush", "Five cards in a row of one suit.", ("royal flush",)),
    # the end
    Word("showdown", "The end: those who are still in compare their hands.", ()),
    Word("muck", "To put a losing hand away without showing it.", ("mucks", "mucked")),
    Word("scoop", "To win the whole pot, high and low.", ("scoops",)),
    Word("split", "To share a pot or half of it, because two hands are equal.", ("splits",)),
    Word("odd chip", "The chip that is left over when a pot cannot be divided evenly.", ("odd chips",)),
    # at the table
    Word("evening", "What one has won or lost since the evening began.", ()),
    Word("ready", "Has read the result and waits for the next hand.", ()),
    Word("bot", "A player that is a program.", ("bots",)),
    Word("time bank", "Seconds in reserve: they run when the clock of a decision is used up.", ("bank",)),
    Word("sits out", "A player who sits out keeps their seat and their chips, and gets no cards.",
         ("sit out", "sitting out", "away")),
    Word("spectator", "Somebody who watches; they see what is face up and no more.", ("spectators", "watching")),
)  # fmt: skip
"""All words, those that belong together side by side."""

_BY_FORM = {form.lower(): entry for entry in GLOSSARY for form in (*entry.forms, entry.word)}
# Longer forms first, so that "straight flush" is one word and not two.
_FORMS = re.compile(
    r"(?<![\w'-])(" + "|".join(map(re.escape, sorted(_BY_FORM, key=len, reverse=True))) + r")(?![\w'])", re.IGNORECASE
)


def words_in(text: str) -> list[Word]:
    """The words of the table that stand in the text, the one that stands last in front."""
    found = [_BY_FORM[form.lower()] for form in _FORMS.findall(text)]
    return list(dict.fromkeys(reversed(found)))


def look_up(text: str) -> Word | str:
    """The word with that name or form; or a sentence with the words that may be meant."""
    asked = " ".join(text.lower().split())
    if asked in _BY_FORM:
        return _BY_FORM[asked]
    close = get_close_matches(asked, _BY_FORM, n=3, cutoff=0.7) or [form for form in _BY_FORM if asked in form][:3]
    meant = list(dict.fromkeys([_BY_FORM[form].word for form in close]))
    if meant:
        return f"There is no entry for {text!r}; did you mean {' or '.join(meant)}?"
    return f"There is no entry for {text!r}."


def explained(entry: Word) -> str:
    """``kicker: The highest card beside a pair ...``"""
    return f"{entry.word}: {entry.means}"
