"""Pure rules: it decides which events follow from a command, and has no clock and no dice.

From top to bottom: `table_state`, an evening at one table; `hand`, one hand of one game; `games`, each a list of steps;
`steps`, what happens in a hand; `ranking`, which hand beats which. The engine knows steps and never asks which game is
played; the deck comes from outside.
"""
