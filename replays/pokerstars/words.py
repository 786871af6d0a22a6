"""What the text format has words for: its games and its streets."""

TITLES: dict[str, str] = {"stud": "7 Card Stud", "stud8": "7 Card Stud Hi/Lo", "plainrazz": "Razz"}
"""The name in the format of each of our games that it has."""

STREETS = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
FOLDED_ON = ("3rd Street", "4th Street", "5th Street", "6th Street", "River")
FIRST_DOWN, CARDS = 2, 7
"""Down cards of the first street, and cards of a whole hand; the last one is a down card, too."""
