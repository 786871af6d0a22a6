"""``python -m client``"""

from client.cli.main import main

main(prog_name="python -m client")
