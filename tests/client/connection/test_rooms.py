"""All tables behind one address: the first server names the others, and each is asked under its own name."""

import trio
import trio.testing

from client.connection.connection import Dial
from client.connection.rooms import rooms_at
from client.errors import CannotConnect
from protocol.table_rules import TableRules
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame


class Houses:
    """Servers behind one address: each says which tables it has, and which there are besides.

    Attributes:
        asked: the names under which a server was asked.
    """

    def __init__(self, nursery: trio.Nursery, servers: dict[str, msg.Tables]) -> None:
        self.asked: list[str] = []
        self._nursery, self._servers = nursery, servers

    def dial_to(self, table: str) -> Dial:
        async def dial() -> trio.abc.Stream:
            self.asked.append(table)
            if table not in self._servers:
                raise CannotConnect("Nobody listens there.")
            ours, theirs = trio.testing.memory_stream_pair()
            self._nursery.start_soon(self._serve, theirs, self._servers[table])
            return ours

        return dial

    async def _serve(self, stream: trio.abc.Stream, tables: msg.Tables) -> None:
        await stream.receive_some()
        await stream.send_all(encode_frame(msg.Welcome(PROTOCOL[1], "ryo 1.2.3")))
        await stream.receive_some()
        await stream.send_all(encode_frame(tables))


def table(name: str) -> msg.TableInfo:
    return msg.TableInfo(name, TableRules(name=name, seats=7, games=()))


async def test_every_room_is_asked_under_the_name_of_its_table() -> None:
    servers = {
        "": msg.Tables((table("friday"),), ("sunday", "gone", "other")),
        "sunday": msg.Tables((table("monday"), table("sunday")), ("friday",)),
        "other": msg.Tables((table("friday"),)),  # it does not have what the list says
    }
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            houses = Houses(nursery, servers)
            rooms = await rooms_at(houses.dial_to)
    assert [info.table for info in rooms.tables] == ["friday", "sunday"]
    assert rooms.silent == ["gone", "other"]
    assert rooms.program == "ryo 1.2.3"
    assert sorted(houses.asked) == ["", "gone", "other", "sunday"]
