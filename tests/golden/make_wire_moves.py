"""Makes wire-1-moves.bin, for the ability `moves` of protocol 1: ``python -m tests.golden.make_wire_moves``.

The file was made once and never changes; it holds the messages of the ability.
"""

from pathlib import Path

from protocol.wire.frames import encode_frame
from protocol.wire.messages import HOSTS, MOVES, HostAnswer, Joined, MoveSeat, Welcome


def main() -> None:
    """Writes the file, or raises FileExistsError."""
    messages = [
        Welcome(1, "ryo 0.1.0", (HOSTS, MOVES)),
        MoveSeat(5),
        HostAnswer("You move to seat 5 before the next hand; /move 2 takes that back."),
        Joined("main", 5),
    ]
    with (Path(__file__).parent / "wire-1-moves.bin").open("xb") as file:
        file.write(b"".join([encode_frame(message) for message in messages]))


if __name__ == "__main__":
    main()
