"""``python -m replays``"""

from replays.cli.verbs import main

main(prog_name="python -m replays")
