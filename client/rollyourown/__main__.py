"""``ryo``, and ``python -m rollyourown``"""

import gc

OBJECTS = 120_000
"""Objects that are made before Python looks for garbage. A server has some 100,000 when it listens, a client fewer."""
_USUAL = gc.get_threshold()


def main() -> None:
    """Runs the command line."""
    # PERF: modules stay as long as the program. To look for garbage among them is a seventh of the start of a server,
    # and later it would stand still for them each time that Python looks through everything.
    gc.callbacks.append(_first_look)
    gc.set_threshold(OBJECTS)
    from client.cli.main import main as ryo

    ryo()


def _first_look(_phase: str, _found: dict[str, int]) -> None:
    """Before Python looks for the first time: whatever is there now is not looked at, and then all is as usual."""
    gc.callbacks.remove(_first_look)
    gc.freeze()
    gc.set_threshold(*_USUAL)


if __name__ == "__main__":
    main()
