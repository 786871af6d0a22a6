"""What a step does to a hand: dealing, betting, who opens, pots, the showdown."""
