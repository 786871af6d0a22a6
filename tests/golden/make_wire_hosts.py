"""Makes wire-1-hosts.bin, for the ability `hosts` of protocol 1: ``python -m tests.golden.make_wire_hosts``.

The file was made once and never changes; it holds the messages of the ability and every fact that came with it.
"""

from pathlib import Path

from protocol.events import Said
from protocol.facts import AnyFact, BreakPlanned, HostChanged, Pause, PlayPaused, PlayResumed
from protocol.wire.frames import encode_frame
from protocol.wire.messages import HOSTS, ClaimHost, Events, HostAnswer, HostWord, TimeLeft, Welcome


def main() -> None:
    """Writes the file, or raises FileExistsError."""
    dinner = Pause("break", "Ada", "dinner", 30, 1_767_227_400_000)
    told: list[tuple[str, AnyFact]] = [
        ("Ada is a host of this table now.", HostChanged(1, True)),
        ("Ada pauses the table.", PlayPaused(Pause("pause", "Ada"))),
        ("A break of 30 minutes begins: dinner.", PlayPaused(dinner)),
        ("The break is over.", PlayResumed()),
        ("After 60 minutes of play there is a break of 10 minutes.", BreakPlanned(1_767_229_200_000, 10)),
    ]
    messages = [
        Welcome(1, "ryo 0.1.0", (HOSTS,)),
        HostWord("pause dinner"),
        ClaimHost("correct horse"),
        HostAnswer("main is paused; resume lets it go on."),
        TimeLeft((), paused=True, break_left=18000),
        Events(1, 1_767_225_600_000, tuple([Said("", text, fact=fact) for text, fact in told])),
    ]
    with (Path(__file__).parent / "wire-1-hosts.bin").open("xb") as file:
        file.write(b"".join([encode_frame(message) for message in messages]))


if __name__ == "__main__":
    main()
