"""Hands in the text format of PokerStars, in and out: stud, stud high-low eight or better, and razz."""
