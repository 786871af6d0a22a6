"""Why a hand cannot be played on."""


class Refused(Exception):
    """The hand cannot be played on from there. The text is a sentence for the reader."""


DIFFERENT = "This hand does not come out the same by the rules, so it cannot be played on."
