"""Play-outs: what each option of a decision is worth, by playing the hand to its end many times.

`option_values` is the way in. A `Position` is where the hand stands as one seat has seen it; it sets up a
`LightTable`, on which `playing` plays the steps that remain with a `QuickPolicy` for every player, and `payout` pays.
"""
