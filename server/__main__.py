"""``python -m server``: the verbs of this folder."""

from server.cli import main

if __name__ == "__main__":
    main()
