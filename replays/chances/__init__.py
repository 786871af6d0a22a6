"""What a seat could know of its chances: dead cards, live outs, what the boards can be, shares of the pot.

A *spot* (`spot`) is a moment of a hand as one seat sees it, and nothing else goes in. `outs` and `boards` count;
`estimate` gives the chances, by every deal there is (exact) or by a sample with its standard error. `deals` deals and
`shares` divides the pot, in plain Python; `batches` does both with numpy, where it is installed. `report.at` is all of
it in one call. The bots judge their hands with the same parts (`client.bots.equity`).
"""
