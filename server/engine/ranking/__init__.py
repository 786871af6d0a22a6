"""Which hand beats which: strengths, boards, wild cards, and the names of hands."""
