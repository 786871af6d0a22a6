"""Where guests come by a router or a proxy, the join line has the address that the host has named."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from server.config.config import load
from server.config.table_config import TableConfig
from server.errors import ConfigError
from tests.support.loopback_server import config, running


async def test_every_table_has_a_line_with_the_public_address_and_its_name(tmp_path: Path) -> None:
    settings = replace(
        config(tmp_path, tls=True),
        public="cards.example.org:7719",
        table=(TableConfig(id="red"), TableConfig(id="blue")),
    )
    async with running(settings) as house:
        lines = house.server.join_commands()
        assert [line.partition("#")[0] for line in lines] == [
            "ryo join ryo://cards.example.org:7719/red",
            "ryo join ryo://cards.example.org:7719/blue",
        ]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"RYO_PUBLIC": "a b"}, "public must be HOST or HOST:PORT, not 'a b'."),
        ({"RYO_PUBLIC": "cards.example.org:99999"}, "public must be HOST or HOST:PORT, not 'cards.example.org:99999'."),
        ({"RYO_PROXIES": "127.0.0.1,proxy"}, "proxies: 'proxy' does not appear to be an IPv4 or IPv6 network."),
        ({"RYO_PROXIES": "10.0.0.1/8"}, "proxies: 10.0.0.1/8 has host bits set."),
    ],
)
def test_what_is_no_address_is_named(variables: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(None, variables, {})
    assert str(refused.value) == said
