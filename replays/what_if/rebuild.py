"""A table with an engine, brought to a step of a recorded hand, and the journal from which a server goes on there.

The table before the hand is a checkpoint. The hand is dealt from a deck that fits everything seen up to the step, and
the answers of the players are given again. The events that come of it must be those of the recording.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import Card
from protocol.events import AnyEvent, Seat
from protocol.journal.framing import encode_file
from protocol.journal.records import Checkpoint, Header, StepRecord, encode_record
from protocol.table_rules import TableRules
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from replays.what_if.branch import DECIDED, Branch
from replays.what_if.dealing import Dealing, deal
from replays.what_if.refused import DIFFERENT, Refused
from server.engine.errors import IllegalAction
from server.engine.table_state import TableState

BESIDE_THE_HAND = (
    ev.Said, ev.ConnectionChanged, ev.PlayerAway, ev.PlayerBack, ev.PlayerSeated, ev.PlayerLeft, ev.ChipsOrdered,
    ev.ChipsAdded, ev.WentOn,
)  # fmt: skip
"""Events between those of a hand that change nothing in it."""
_NAMELESS = bytes(16)
"""Session and salt of a journal that nobody keeps."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A table at a step of a hand.

    Fields:
        state: the table, with the hand running.
        checkpoint: the table before the hand; steps: what was done since.
        seen: how many of the events are those of the recording up to the step; the others follow by themselves.
    """

    state: TableState
    checkpoint: Checkpoint
    steps: tuple[StepRecord, ...]
    seen: int

    @property
    def events(self) -> list[AnyEvent]:
        """All events since the hand began."""
        return [event for step in self.steps for event in step.events]

    def journal(self) -> bytes:
        """The file from which a server goes on with this hand."""
        header = Header(
            format=JOURNAL_FORMAT,
            rules=RULES,
            program=PROGRAM,
            session=_NAMELESS,
            table=self.checkpoint.view.table,
            started=0,
            checkpoint=self.checkpoint,
        )
        return encode_file(_NAMELESS, [encode_record(header), *map(encode_record, self.steps)])


def rebuild(
    branch: Branch, shuffled: Sequence[Card], table: str, rules: TableRules, tokens: Mapping[Seat, bytes]
) -> Rebuilt:
    """The hand of a branch up to its step. Raises Refused if it does not come out the same by the rules.

    Args:
        shuffled: the order of the cards that are not known.
        table, rules: id and house rules of the table on which it is played on.
        tokens: digest of the seat token of each player.
    """
    events = [event for event in branch.events if not isinstance(event, BESIDE_THE_HAND)]
    known = dict.fromkeys(branch.lay if branch.order == "lay" else ())
    order = [*known, *[card for card in shuffled if card not in known]]
    dealing = deal(events, order)
    view = replace(branch.before, table=table, rules=rules, seats=branch.before.seats[: rules.seats])
    checkpoint = Checkpoint(view, tuple(sorted(tokens.items())))
    try:
        state = TableState.restored(checkpoint)
        steps = _play(state, branch.started, dealing)
    except (IllegalAction, ValueError):
        raise Refused(DIFFERENT) from None
    if state.hand is None:
        raise Refused(DECIDED)
    rebuilt = [event for step in steps for event in step.events]
    recorded = [event for at, event in enumerate(events) if at not in dealing.left_out]
    if len(rebuilt) < len(recorded) or not all(map(fits, recorded, rebuilt)):
        raise Refused(DIFFERENT)
    return Rebuilt(state, checkpoint, tuple(steps), len(recorded))


def _play(state: TableState, started: ev.HandStarted, dealing: Dealing) -> list[StepRecord]:
    """Deals the hand and gives all answers again. Raises IllegalAction."""
    steps: list[StepRecord] = []

    def do(command: cmd.AnyCommand) -> None:
        seq = state.seq + 1
        steps.append(StepRecord(seq, 0, command, state.apply(command)))

    do(cmd.StartHand(dealing.deck, started.id, started.button))
    for seat, action in dealing.answers:
        do(cmd.Act(seat, state.pending.get(seat, 0), action))
    return steps


def fits(recorded: AnyEvent, rebuilt: AnyEvent) -> bool:
    """Whether an event is the recorded one, but for cards that the recording hides, clocks, and who answered late."""
    if recorded == rebuilt:  # nearly all of them are, and nothing has to be taken apart
        return True
    return type(recorded) is type(rebuilt) and _fits(_plain(recorded), _plain(rebuilt))


def _plain(event: AnyEvent) -> object:
    fields = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name not in ("seconds", "cause")}


def _fits(recorded: object, rebuilt: object) -> bool:
    if recorded is None:
        return True
    if isinstance(recorded, Mapping) and isinstance(rebuilt, Mapping):
        return recorded.keys() == rebuilt.keys() and all(_fits(recorded[key], rebuilt[key]) for key in recorded)
    if isinstance(recorded, list | tuple) and isinstance(rebuilt, list | tuple):
        return len(recorded) == len(rebuilt) and all(map(_fits, recorded, rebuilt))
    return recorded == rebuilt
