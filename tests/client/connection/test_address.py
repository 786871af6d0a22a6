"""Addresses as people write them."""

import pytest

from client.connection.address import Address, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("kitchen.local", Address("kitchen.local", 7719)),
        ("192.168.1.7:4000", Address("192.168.1.7", 4000)),
        ("[::1]:4000", Address("::1", 4000)),
        ("[fe80::1%eth0]", Address("fe80::1%eth0", 7719)),
        ("::1", Address("::1", 7719)),
        (" host:65535 ", Address("host", 65535)),
    ],
)
def test_addresses_as_people_write_them(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    ["", ":7719", "host:", "host:0", "host:65536", "host:7x", "host:-1", "host:٣", "[::1", "[::1]7", "a b", "ryo://x"],
)
def test_a_text_that_is_not_an_address_is_told_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        parse_address(text)
    assert "\n" not in str(refused.value)
