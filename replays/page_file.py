"""The journal inside an exported page: how it is packed, and how it is found again.

A part of a page is a script element of a type that no browser runs, with an id, and gzip in base64 as its text.
"""

import base64
import re
import zlib

_GZIP = 31
"""The window bits of zlib that mean gzip, which browsers can unpack."""
MOST_BYTES = 1 << 28
"""Bytes of a journal in a page; more is not unpacked."""
_PAGE = b"<!doctype html>"
_JOURNAL = re.compile(rb'<script type="application/octet-stream" id="journal">([A-Za-z0-9+/=]*)</script>')


def packed(content: bytes) -> str:
    """The text of a part of a page. The same content gives the same text."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _GZIP)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode()


def unpacked(text: bytes) -> bytes:
    """The content of a part of a page. Raises ValueError."""
    unpacker = zlib.decompressobj(_GZIP)
    try:
        content = unpacker.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"a part of the page cannot be unpacked: {error}") from None
    if not unpacker.eof:
        raise ValueError("a part of the page is cut short, or longer than any journal")
    return content


def is_page(content: bytes) -> bool:
    """Whether a file is a page, and not a journal."""
    return content.startswith(_PAGE)


def journal_in(content: bytes) -> bytes:
    """The journal in a page. Raises ValueError, with a clause that says why, if there is none."""
    found = _JOURNAL.search(content)
    if found is None:
        raise ValueError("the page has no journal in it")
    return unpacked(found[1])
