"""Pure rules: games as lists of steps, betting, pots, rankings, showdown.

The engine decides events from actions. It knows steps, never games, and has
neither clock nor dice: the deck is handed to it.
"""
