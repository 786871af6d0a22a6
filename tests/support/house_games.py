"""A house game from a file, for tests."""

GRANDPAS = """
id = "grandpas"
title = "Grandpa's game"
players = 6
[stakes]
limit = "spread"
least = 1
most = 3
no_check_raise = true
[[steps]]
do = "ante"
[[steps]]
do = "wilds"
ranks = "3"
[[steps]]
do = "deal"
down = 3
[[steps]]
do = "draw"
most = 1
[[steps]]
do = "choose"
how = "in_turn"
[[steps]]
do = "bet"
opens = "high_board"
[[steps]]
do = "repeat"
times = 3
steps = [{ do = "deal", down = 1 }, { do = "choose" }, { do = "bet", opens = "high_board", size = "big" }]
[[steps]]
do = "pass"
count = 1
to = "across"
[[steps]]
do = "deal"
down = 1
[[steps]]
do = "bet"
opens = "low_board"
[[steps]]
do = "showdown"
high = "high"
low = "8low"
"""
