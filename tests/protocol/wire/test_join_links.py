"""Join links: what is written is read, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.wire.join_links import JoinLink, fingerprint, is_link, parse_link

PIN = "abcdefghijklmnopqrstuvwxyz"
INVITE = "a2b3c4d5e6f7a2b3c4d5e6f7aa"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("ryo://kitchen", JoinLink("kitchen")),
        ("ryo://kitchen/", JoinLink("kitchen")),
        ("ryo://kitchen:4000/main", JoinLink("kitchen", 4000, "main")),
        (f"ryo://10.0.0.7:7719/main#fp={PIN}", JoinLink("10.0.0.7", 7719, "main", PIN)),
        (f"ryo://[::1]:4000/side-2#fp={PIN}&t={INVITE}", JoinLink("::1", 4000, "side-2", PIN, INVITE)),
        (f"ryo://[fe80::1%eth0]/#t={INVITE}&fp={PIN}", JoinLink("fe80::1%eth0", 7719, "", PIN, INVITE)),
        (f"ryo://[fe80::1%25eth0]/main#fp={PIN}", JoinLink("fe80::1%eth0", 7719, "main", PIN)),
        ("ryo://[fe80::1%25]/main", JoinLink("fe80::1%25", 7719, "main")),  # the zone is the interface number 25
        (f" RYO://Kitchen/main#fp={PIN.upper()}\n", JoinLink("Kitchen", 7719, "main", PIN)),
        (f"ryo://h#fp={PIN * 2}", JoinLink("h", 7719, "", PIN * 2)),
    ],
)
def test_links_as_servers_print_and_people_paste_them(text: str, link: JoinLink) -> None:
    assert is_link(text)
    assert parse_link(text) == link
    assert parse_link(str(link)) == link


BAD = {
    "another scheme": "http://kitchen/",
    "no host": "ryo:///main",
    "user info": "ryo://ann@kitchen/",
    "password": "ryo://ann:secret@kitchen/",
    "query": "ryo://kitchen/main?x=1",
    "port 0": "ryo://kitchen:0/",
    "port too large": "ryo://kitchen:65536/",
    "port with letters": "ryo://kitchen:7x/",
    "port of other digits": "ryo://kitchen:٣/",
    "short pin": f"ryo://kitchen/#fp={PIN[:25]}",
    "empty pin": "ryo://kitchen/#fp=",
    "long pin": f"ryo://kitchen/#fp={PIN * 2}a",
    "pin of other letters": f"ryo://kitchen/#fp={PIN[:25]}1",
    "empty invitation": "ryo://kitchen/#t=",
    "invitation of other letters": "ryo://kitchen/#t=<script>",
    "repeated field": f"ryo://kitchen/#fp={PIN}&fp={PIN}",
    "unknown field": f"ryo://kitchen/#fp={PIN}&zz=1",
    "empty field": f"ryo://kitchen/#fp={PIN}&",
    "deeper path": "ryo://kitchen/main/secret",
    "upward path": "ryo://kitchen/../main",
    "table in capitals": "ryo://kitchen/Main",
    "escaped": "ryo://kitchen/%6dain",
    "a line break": "ryo://kitchen/main\nx",
    "an escape sequence": "ryo://kit\x1bchen/",
    "an open bracket": "ryo://[::1/",
    "without end": "ryo://" + "k" * 600,
}


@pytest.mark.parametrize("name", BAD)
def test_reliability_1_what_is_not_quite_a_link_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        parse_link(BAD[name])
    assert "\n" not in str(refused.value)
    assert "\x1b" not in str(refused.value)
    assert "secret" not in str(refused.value)


@given(st.text(max_size=60), st.sampled_from(["ryo://", "ryo://h/#", "ryo://h:1/t#fp=", ""]))
def test_any_text_is_a_link_or_a_value_error(text: str, start: str) -> None:
    try:
        link = parse_link(start + text)
    except ValueError:
        return
    assert parse_link(str(link)) == link
    assert not link.pin or len(link.pin) >= 26


def test_reliability_1_the_fingerprint_is_base32_of_sha_256() -> None:
    assert fingerprint(b"") == "4oymiquy7qobjgx36tejs35zeqt24qpemsnzgtfeswmrw6csxbkq"
