"""What if: a hand that is over is played on from one of its steps, by a player and bots. It is never the record.

`branch` finds the step and says where that is not possible, `dealing` gives every card a place, and `rebuild` brings an
engine to the step. The game itself is `client.what_if_game`.
"""
