"""What a seat may believe about the hidden cards of its opponents.

`value_tables` say how often some cards beat a random hand in the end; `buckets` makes of it a small number for how
strong a hand is among all hands of its street, next to the boards of the others. `action_tables` say how often such a
hand bets, calls or folds in each situation.
"""
