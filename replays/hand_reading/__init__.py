"""What a seat may believe about the hidden cards of its opponents, from what they did.

`value_tables` say how often some cards beat a random hand in the end; `buckets` makes of it a small number for how
strong a hand is among all hands of its street, next to the boards of the others. `action_tables` say how often such a
hand bets, calls or folds in each situation, and `betting_history` finds the situations in the events of a hand.
`reading` turns this round: `holdings` that an opponent may have are weighed by what the opponent did, and deals are
made of them. `habits` counts how a player bets, for a bet of somebody who bets everything says little. Nothing here
sees more than one seat has seen.
"""
