"""Messages between a client and the server: one MessagePack map in each frame.

The key ``type`` names the kind. Unknown keys are ignored in both directions. `Hello`, `Welcome` and `Refused` never
change, so that any two versions can at least tell each other that they do not fit.
`docs/protocol.md` describes every message with an example.
"""

from typing import Literal, TypeAlias, get_args

import msgspec

from protocol.actions import Action
from protocol.cards import Card
from protocol.commands import RefusalCode
from protocol.events import AnyEvent, Chips, Seat
from protocol.table_rules import TableRules
from protocol.view import TableView

RefusedCode: TypeAlias = Literal["full", "tls", "version"]
"""Why a server does not talk with a client (`Refused`)."""
HaltCode: TypeAlias = Literal["breach", "closed", "lost", "storage"]
"""Why a table stands still: in a `Bye` to everybody who is there, and in a `Rejected` to everybody who comes."""
ByeCode: TypeAlias = Literal[
    HaltCode, "bad_message", "banned", "frame_size", "frame_slow", "hello_again", "hello_first", "hello_slow", "idle",
    "kicked", "replaced", "stopping", "too_fast",
]  # fmt: skip
"""Why the server closes a connection (`Bye`)."""
RejectCode: TypeAlias = Literal[
    RefusalCode, HaltCode, "bad_invite", "bad_name", "bad_password", "bad_token", "banned", "busy", "knocking",
    "log_behind", "muted", "no_hand", "no_spectators", "no_table", "not_yet", "seated", "stopping", "too_many",
    "too_many_tries",
]  # fmt: skip
"""Why the server does not do what a message asks for (`Rejected`)."""

HOSTS = "hosts"
"""The ability of a server that takes the words of hosts at the table (`Welcome.features`)."""
MOVES = "moves"
"""The ability of a server that lets players change seats (`Welcome.features`)."""
TOLD = "told"
"""The ability of a server that says in English what its messages mean (`Told`)."""

NO_SEAT: Seat = 0
"""What a message says where there is no seat: a spectator has none, and a new player may not ask for a certain one."""


class Message(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of all messages."""


# ------------------------------------------------------------ client to server


class Hello(Message, frozen=True, tag="hello"):
    """The first frame of a client: the versions that it speaks, (oldest, newest)."""

    protocol: tuple[int, int]
    client: str = ""
    features: tuple[str, ...] = ()


class ListTables(Message, frozen=True, tag="list_tables"):
    """Ask for the tables; answered by `Tables`."""


class Join(Message, frozen=True, tag="join"):
    """Sit down, or come back: the same token at the same table is always the same seat.

    `table` empty: the first table with a free seat. `token`: 32 random bytes that the client made and keeps.
    `chips`: the buy-in, 0 for the usual one. `seat` 0: any. `seen`: number of the last event that the client has; the
    server sends the events after it. `invite`, `password`: either opens a table that is not open to everybody; a
    player who has a seat needs neither of them to come back. `session`: that of the last `Snapshot`; in another
    session `seen` has no meaning. `receipt`: that of the last `Events` or `Snapshot`; it proves what was seen.
    `wait`: where every seat is taken, watch the table until it is the client's turn to get one. `proofs`: without
    encryption, of the tokens that the client has for other addresses of this server (`protocol.wire.token_proofs`).
    """

    name: str
    token: bytes
    table: str = ""
    chips: Chips = 0
    seat: Seat = NO_SEAT
    bot: bool = False
    seen: int = 0
    invite: str = ""
    password: str = ""
    session: str = ""
    receipt: bytes = b""
    wait: bool = False
    proofs: tuple[bytes, ...] = ()


class Watch(Message, frozen=True, tag="watch"):
    """Become a spectator of a table. `seen`, `session`, `receipt`, `invite`, `password`: as in `Join`.

    `name`: under which the spectator is seen; empty: without a name.
    """

    table: str = ""
    seen: int = 0
    invite: str = ""
    password: str = ""
    session: str = ""
    receipt: bytes = b""
    name: str = ""


class Act(Message, frozen=True, tag="act"):
    """Answer request number `answers`. `id` grows with every action. An action that is sent twice is done once.

    `pad`: zeros that make all secret choices equally long (`protocol.wire.padding`).
    """

    id: int
    answers: int
    action: Action
    pad: bytes = b""


class Say(Message, frozen=True, tag="say"):
    """Chat."""

    text: str


class SitOut(Message, frozen=True, tag="sit_out"):
    """Sit out from the next hand on."""


class SitIn(Message, frozen=True, tag="sit_in"):
    """Be dealt in again from the next hand on."""


class StandUp(Message, frozen=True, tag="stand_up"):
    """Give the seat back; its chips leave the table."""


class MoveSeat(Message, frozen=True, tag="move_seat"):
    """Move to a free seat between two hands; the own seat takes back what was asked for before.

    Answered by `Joined` and a `Snapshot`, now or before the next hand; by `HostAnswer` until then, or by `Rejected`.
    Only for a server with the ability `MOVES`.
    """

    seat: Seat


class TopUp(Message, frozen=True, tag="top_up"):
    """Buy chips; they arrive between hands."""

    amount: Chips


class GoOn(Message, frozen=True, tag="go_on"):
    """The result has been read: the player is ready for the next hand."""


class Show(Message, frozen=True, tag="show"):
    """Show hidden cards of the last hand, when it is over; no cards: all of them."""

    cards: tuple[Card, ...] = ()


class GetHand(Message, frozen=True, tag="get_hand"):
    """Ask for the record of a hand that is over, 0 for the last hand; answered by `HandRecord` or `Rejected`.

    `after`: number of the last event that has come in earlier parts; 0 for the first part. `running`: the hand that is
    being played is wanted, too, as far as it has come.
    """

    hand: int = 0
    after: int = 0
    running: bool = False


class HostWord(Message, frozen=True, tag="host_word"):
    """A word of the host with its arguments, from a seated player who is one; answered by `HostAnswer`.

    Only for a server with the ability `HOSTS`.
    """

    text: str


class ClaimHost(Message, frozen=True, tag="claim_host"):
    """A seated player knows the host key, and wants to be a host; answered by an event, or by `HostAnswer`.

    Only for a server with the ability `HOSTS`.
    """

    key: str


class Ping(Message, frozen=True, tag="ping"):
    """Answered by `Pong` with the same number."""

    n: int = 0


# ------------------------------------------------------------ server to client


class Welcome(Message, frozen=True, tag="welcome"):
    """The answer to a `Hello` that fits: the version that is spoken from now on.

    `server_id`, `nonce`: without encryption only, for proofs of seat tokens (`protocol.wire.token_proofs`).
    """

    protocol: int
    server: str = ""
    features: tuple[str, ...] = ()
    server_id: bytes = b""
    nonce: bytes = b""


class Refused(Message, frozen=True, tag="refused"):
    """The answer to a `Hello` that does not fit; the connection is closed.

    `code` is one of `RefusedCode`, or a word of a newer server.
    """

    code: str
    text: str
    protocol: tuple[int, int]

    @classmethod
    def of(cls, code: RefusedCode, text: str, protocol: tuple[int, int]) -> "Refused":
        """The message that a server of this version sends."""
        return cls(code, text, protocol)


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the lobby. `hosts`: those of the players who are hosts of the table.

    `told`: (label, text) of what is played there and by which house rules, only for a client with the ability ``told``.
    """

    table: str
    rules: TableRules
    players: tuple[str, ...] = ()
    watching: int = 0
    hand: int = 0
    hosts: tuple[str, ...] = ()
    told: tuple[tuple[str, str], ...] = ()


class Tables(Message, frozen=True, tag="tables"):
    """All tables of the server.

    `rooms`: ids of tables that other servers behind the same address have; each is asked for under its id as the name
    of the server in the TLS handshake.
    """

    tables: tuple[TableInfo, ...]
    rooms: tuple[str, ...] = ()


WireSentence: TypeAlias = tuple[str | int | tuple[str], ...]
"""A sentence as its parts, one behind the other: text, a card that the reader may see as its number, or alone in a list
the name of a player."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a message means in English, for a client with the ability ``told``, which needs no grammar of its own.

    `lines`: for each event of the message no, one or several sentences of the story. `request`: what the receiver is
    asked to decide now. `offers`: for each option of that request what it lets the player do, for a button. `hands`:
    (`high` or `low`, its name) of what the receiver's cards make so far. `pad`: zeros that make all secrets of the
    receiver equally long.
    """

    lines: tuple[tuple[WireSentence, ...], ...] = ()
    request: WireSentence = ()
    offers: tuple[str, ...] = ()
    hands: tuple[tuple[str, str], ...] = ()
    pad: bytes = b""


class Snapshot(Message, frozen=True, tag="snapshot"):
    """The table as the receiver may see it: everything before event `view.seq + 1`.

    `seat` 0: the receiver is a spectator. `clocks`: (seat, tenths of a second left) of every running clock. `last_id`:
    the id of the last action that the server has done for this seat. `session` names the session of the table, in
    which events have numbers from 1; a restarted server may have begun a new session. `receipt`: of the last step, to
    be given back in `Join` or `Watch`; empty if there was none. `pad`: as in `Events`. `notice`: a sentence for the
    player, about what has changed while they were away. `banks`, `watching`, `paused`, `rises_in`, `break_left`,
    `spectators`, `break_in`: as in `TimeLeft`.
    `told`: only for a client with the ability ``told``.
    """

    view: TableView
    seat: Seat = NO_SEAT
    clocks: tuple[tuple[Seat, int], ...] = ()
    last_id: int = 0
    session: str = ""
    receipt: bytes = b""
    pad: bytes = b""
    notice: str = ""
    banks: tuple[tuple[Seat, int], ...] = ()
    watching: int = 0
    paused: bool = False
    rises_in: int = -1
    break_left: int = 0
    spectators: tuple[str, ...] = ()
    told: Told | None = None
    break_in: int = -1


class TimeLeft(Message, frozen=True, tag="time_left"):
    """What no event tells: clocks, time banks and spectators.

    `clocks`: (seat, tenths of a second left) of every running clock, with the part of the time bank that its player may
    use. `banks`: (seat, tenths of a second left) of every time bank that is not full. `watching`: the number of
    spectators. `paused`: no clock runs and no hand is dealt, because nobody is there to play for, or because a host
    wants it. `rises_in`: seconds of play until the level of the limits is over, where they rise by minutes; -1
    elsewhere. `break_left`: tenths of a second left of a break that runs. `spectators`: the names of the first
    spectators who have one. `break_in`: seconds until the next break that is planned; -1 where none is.
    """

    clocks: tuple[tuple[Seat, int], ...]
    banks: tuple[tuple[Seat, int], ...] = ()
    watching: int = 0
    paused: bool = False
    rises_in: int = -1
    break_left: int = 0
    spectators: tuple[str, ...] = ()
    break_in: int = -1


class Events(Message, frozen=True, tag="events"):
    """The events of one step: the first one has number `seq`, the next `seq + 1`, and so on. `at`: UTC milliseconds.

    `receipt`: proves that the server has sent this step; to be given back in `Join` or `Watch`. `pad`: zeros that make
    every secret choice of the receiver equally long. `told`: only for a client with the ability ``told``.
    """

    seq: int
    at: int
    events: tuple[AnyEvent, ...]
    receipt: bytes = b""
    pad: bytes = b""
    told: Told | None = None


class PlayedStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a recorded hand, with the fields of an `Events` message."""

    seq: int
    at: int
    events: tuple[AnyEvent, ...]


class HandRecord(Message, frozen=True, tag="hand_record"):
    """A hand that is over, or as far as it has come, as `viewer` may know it, or a part of it.

    `session`, `started`, `rules`: as in the header of the host's journal (`protocol.journal.records.Header`).
    `viewer`: the seat that the receiver's token had in this hand, 0 if it had none. `view`: the table before the first
    step; in the first part only. `more`: there are more steps; ask again, with the number of the last event as `after`.
    `told`: the lines of each step, only for a client with the ability ``told``.
    """

    session: bytes
    table: str
    started: int
    rules: int
    hand: int
    viewer: Seat
    steps: tuple[PlayedStep, ...]
    view: TableView | None = None
    more: bool = False
    told: tuple[Told, ...] = ()


class Joined(Message, frozen=True, tag="joined"):
    """The client has this seat. Comes before the events or the snapshot.

    `seat` 0, only for a client that has joined with `wait`: every seat is taken. The client follows the table as a
    spectator, and is at `place` of the waiting list (from 1). The message comes again for another place, and a seat.
    """

    table: str
    seat: Seat
    last_id: int = 0
    place: int = 0


class Done(Message, frozen=True, tag="done"):
    """The action with this id was done before; its events were sent."""

    id: int


class Rejected(Message, frozen=True, tag="rejected"):
    """The server does not do what was asked. Nothing has changed, and an open request stays open.

    `code` is one of `RejectCode`, or a word of a newer server. `id`: that of the action, if it was one. `hand`: the
    number in the `GetHand`, if it was one.
    """

    code: str
    text: str
    id: int = 0
    hand: int = 0

    @classmethod
    def of(cls, code: RejectCode, text: str, *, action: int = 0, hand: int = 0) -> "Rejected":
        """The message that a server of this version sends. `action`: the `id` of the action."""
        return cls(code, text, action, hand)


class HostAnswer(Message, frozen=True, tag="host_answer"):
    """What the word of a host has done, in lines; `done` is false where nothing has changed. Answers `HostWord`.

    A `MoveSeat` that has to wait is answered by it, too.
    """

    text: str
    done: bool = True


class Pong(Message, frozen=True, tag="pong"):
    """The answer to `Ping`."""

    n: int = 0


class Bye(Message, frozen=True, tag="bye"):
    """The server closes the connection. `again`: whether it makes sense to come back.

    `code` is one of `ByeCode`, or a word of a newer server.
    """

    code: str
    text: str
    again: bool = False

    @classmethod
    def of(cls, code: ByeCode, text: str, *, again: bool = False) -> "Bye":
        """The message that a server of this version sends."""
        return cls(code, text, again)


FromClient: TypeAlias = (
    Hello | ListTables | Join | Watch | Act | Say | SitOut | SitIn | StandUp | MoveSeat | TopUp | GoOn | Show | GetHand
    | HostWord | ClaimHost | Ping
)  # fmt: skip
FromServer: TypeAlias = (
    Welcome | Refused | Tables | Snapshot | TimeLeft | Events | HandRecord | Joined | Done | Rejected
    | HostAnswer | Pong | Bye
)  # fmt: skip


def _by_tag(union: object) -> dict[str, type[Message]]:
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}


FROM_CLIENT = _by_tag(FromClient)
FROM_SERVER = _by_tag(FromServer)
